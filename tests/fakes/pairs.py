"""Passages with their documents' cards, as an index is fed them."""

from vestigia.domain.archive import DocumentCard, Passage, Provenance
from vestigia.domain.ids import DocumentId, digest, passage_id
from vestigia.domain.periods import DatePeriod, Precision, day_number

Pair = tuple[Passage, DocumentCard]


def year(first: int, last: int | None = None) -> DatePeriod:
    """A year, or the years from first to last."""
    fine = Precision.YEAR if last is None else Precision.RANGE
    return DatePeriod(day_number(first), day_number(last or first, 12, 31), fine, text=str(first))


def day(year_: int, month: int, day_: int) -> DatePeriod:
    """One day."""
    number = day_number(year_, month, day_)
    return DatePeriod(number, number, Precision.DAY, text=f"{day_}.{month}.{year_}")


def document(
    name: str,
    *texts: str,
    sub: str = "Letters",
    language: str = "en",
    period: DatePeriod | None = None,
    title: str = "",
    details: tuple[tuple[str, str], ...] = (),
) -> list[Pair]:
    """The passages of one document, one for each text, joined by a space."""
    provenance = Provenance("archive.jsonl", name, digest("".join(texts)), "test")
    card = DocumentCard(DocumentId(name), sub, title, language, period, provenance, details)
    pairs, start = [], 0
    for text in texts:
        end = start + len(text)
        pairs.append((Passage(passage_id(card.id, start, end), card.id, start, end, text), card))
        start = end + 1
    return pairs
