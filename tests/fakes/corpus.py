"""An archive in memory: the fake behind the Corpus port, and a date reader that knows years."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from vestigia.domain.archive import Access, Document, DocumentCard, Passage, Provenance, SubCorpus
from vestigia.domain.effects import DatesRead, ReadDates
from vestigia.domain.ids import Digest, DocumentId, PassageId, digest, passage_id
from vestigia.domain.periods import DatePeriod, Precision, day_number


def a_day(year: int, month: int, day: int) -> DatePeriod:
    number = day_number(year, month, day)
    return DatePeriod(number, number, Precision.DAY)


def a_document(name: str, text: str, sub_corpus: str = "Zeitung", period: DatePeriod | None = None) -> Document:
    provenance = Provenance("archive.jsonl", "1", digest(text), "test")
    dates = (period,) if period else ()
    return Document(DocumentId(name), sub_corpus, f"Title of {name}", text, "de", provenance, dates)


class MemoryCorpus:
    """Every paragraph is a passage."""

    def __init__(self, documents: Sequence[Document], access: Mapping[str, Access] | None = None) -> None:
        self._access = access or {}
        self._documents = {document.id: document for document in documents}
        self._passages = {p.id: p for document in documents for p in paragraphs(document)}

    @property
    def fingerprint(self) -> Digest:
        return digest("\n".join(sorted(f"{d.id} {digest(d.text)}" for d in self._documents.values())))

    def sub_corpora(self) -> tuple[SubCorpus, ...]:
        names = sorted({document.sub_corpus for document in self._documents.values()})
        return tuple(self._describe(name) for name in names)

    def _describe(self, name: str) -> SubCorpus:
        mine = [d for d in self._documents.values() if d.sub_corpus == name]
        passages = [p for p in self._passages.values() if self._documents[p.document].sub_corpus == name]
        return SubCorpus(name, len(mine), len(passages), sum(bool(d.dates) for d in mine), ("de",))

    def documents(self, ids: Sequence[DocumentId]) -> tuple[DocumentCard, ...]:
        return tuple(self._card(i) for i in ids if i in self._documents)

    def passages(self, ids: Sequence[PassageId]) -> tuple[Passage, ...]:
        return tuple(self._passages[i] for i in ids if i in self._passages)

    def pairs(self) -> list[tuple[Passage, DocumentCard]]:
        return [(p, self._card(p.document)) for p in self._passages.values()]

    def _card(self, name: DocumentId) -> DocumentCard:
        return replace(card(self._documents[name]), access=self._access.get(name, Access.UNKNOWN))


def card(document: Document) -> DocumentCard:
    return DocumentCard(
        document.id,
        document.sub_corpus,
        document.title,
        document.language,
        document.period,
        document.provenance,
        document.details,
    )


def paragraphs(document: Document) -> list[Passage]:
    spans = [match.span() for match in re.finditer(r"[^\n]+", document.text)]
    return [Passage(passage_id(document.id, a, b), document.id, a, b, document.text[a:b]) for a, b in spans]


class YearReader:
    """Reads four-digit years and nothing else."""

    def read(self, effect: ReadDates) -> DatesRead:
        years = [int(found) for found in re.findall(r"\b1[89]\d\d\b", effect.text)]
        return DatesRead(
            tuple(
                DatePeriod(day_number(y), day_number(y, 12, 31), Precision.YEAR, text=str(y), edtf=str(y))
                for y in years
            )
        )
