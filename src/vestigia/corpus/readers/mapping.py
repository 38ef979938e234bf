"""Which column of a record is what: the names archives use, and the user's word where they use another.

Known without being told: TRACE's and HistoriQA's layout (`collection, id, document, year, month, day`, where ids repeat
from one collection to the next) and the common English, French and German names. Every column that is nothing else
becomes a detail of the document, in the archive's order.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from vestigia.corpus.dates import ORDER_UNKNOWN
from vestigia.corpus.languages import language_code
from vestigia.corpus.readers.dating import Stated, read_stated
from vestigia.corpus.sources import folder, stem
from vestigia.domain.archive import Document, Provenance
from vestigia.domain.errors import UsageError
from vestigia.domain.ids import Digest, DocumentId
from vestigia.domain.ports import Reader, Refused

_NAMES = {
    "id": "id identifier document_id doc_id docid _id ident xml_id signatur signature cote shelfmark",
    "text": "text document content contents body full_text fulltext volltext texte inhalt ocr ocr_text transcription "
    "transkription passage",
    "title": "title titel titre heading headline überschrift betreff",
    "date": "date datum iso_date date_iso published published_at publication_date date_published pub_date issued",
    "date_from": "date_from from_date date_start start_date not_before notbefore date_begin",
    "date_to": "date_to to_date date_end end_date not_after notafter",
    "date_text": "date_text date_printed date_display date_written",
    "date_certainty": "date_certainty certainty",
    "year": "year jahr année annee",
    "month": "month monat mois",
    "day": "day tag jour",
    "sub_corpus": "sub_corpus subcorpus collection source journal newspaper series zeitung sammlung bestand fonds",
    "language": "language lang langue sprache",
    "link": "link url uri permalink ark href",
    "rights": "rights license licence droits lizenz rechte copyright",
}
FIELDS = (*_NAMES, "details")
"""What a column can be."""

_SHOWN = 30
"""Columns named in a message; a table may have ten thousand."""
_GENERIC = {"docs", "documents", "corpus", "records", "texts", "export"}


@runtime_checkable
class Mappable(Protocol):
    """A reader that can be told which column is what."""

    def with_mapping(self, mapping: Mapping[str, str]) -> Reader:
        """Return the reader with the user's mapping of column names to fields."""
        ...


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands: the source's name, the line or number in it, the digest of its bytes, who reads it.

    `language` is what the user says of the source: where a record states none, it tells whether day or month is first.
    """

    file: str
    record: str
    digest: Digest
    reader: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Columns:
    """A mapping of columns to fields: the user's first, then the known names.

    Raises UsageError for a field that does not exist.
    """

    given: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for column, chosen in self.given.items():
            if chosen not in FIELDS:
                raise UsageError(
                    f"column {column!r} cannot be mapped to {chosen!r}.", remedy=f"The fields are: {', '.join(FIELDS)}."
                )

    def assign(self, columns: list[str]) -> dict[str, str]:
        """Return field -> column for the columns of a record; a field no column fits is left out."""
        assigned = {
            chosen: column for column, chosen in self.given.items() if chosen != "details" and column in columns
        }
        free = {_plain(column): column for column in reversed(columns) if column not in self.given}
        for chosen, names in _NAMES.items():
            fitting = next((free[name] for name in names.split() if name in free), None)
            if chosen not in assigned and fitting is not None:
                assigned[chosen] = fitting
        return assigned

    def read(self, record: Mapping[str, object], place: Place) -> Iterator[Document | Refused]:
        """Yield the document of a record and its warnings, or the one reason why it is refused."""
        columns = list(record)
        assigned = self.assign(columns)
        missing = [column for column, chosen in self.given.items() if chosen == "text" and column not in record]
        if missing or "text" not in assigned:
            sought = f"no column {missing[0]!r}" if missing else "no column holds a text"
            yield Refused(
                place.record,
                f"{sought}; the columns are: {_listed(columns)}. Say which one does: --column COLUMN=text.",
            )
            return
        text = written(record[assigned["text"]])
        if not text.strip():
            yield Refused(place.record, f"the text (column {assigned['text']!r}) is empty.")
            return
        values = {chosen: written(record[column]).strip() for chosen, column in assigned.items() if chosen != "text"}
        language = language_code(values.get("language", ""))
        dates, problems = read_stated(_stated(values), language)
        if place.language and not language and any(ORDER_UNKNOWN in one.rule for one in dates):
            dates, problems = read_stated(_stated(values), place.language)
        details = tuple(
            (column, written(record[column]))
            for column in columns
            if column not in assigned.values() and written(record[column]).strip()
        )
        identifier = _identifier(values, assigned.get("sub_corpus", ""), place.digest)
        provenance = Provenance(
            place.file, place.record, place.digest, place.reader, values.get("link", ""), values.get("rights", "")
        )
        yield Document(
            identifier,
            values.get("sub_corpus", "") or _named_after(place.file),
            values.get("title", "") or identifier,
            text,
            language,
            provenance,
            dates,
            details,
        )
        for problem in problems:
            yield Refused(place.record, problem if dates else f"{problem}; the document goes in undated", kept=True)


def written(value: object) -> str:
    """Write a value of a record as text: a list of texts as paragraphs, an absent one as nothing, others as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return "\n\n".join(value)
    return json.dumps(value, ensure_ascii=False)


def _listed(columns: list[str]) -> str:
    more = f" and {len(columns) - _SHOWN} more" if len(columns) > _SHOWN else ""
    return f"{', '.join(columns[:_SHOWN])}{more}" if columns else "none"


def _plain(column: str) -> str:
    return re.sub(r"[\s\-.:]+", "_", column.strip().casefold())


def _stated(values: Mapping[str, str]) -> Stated:
    return Stated(
        values.get("date", ""),
        values.get("date_from", ""),
        values.get("date_to", ""),
        values.get("date_text", ""),
        values.get("date_certainty", ""),
        values.get("year", ""),
        values.get("month", ""),
        values.get("day", ""),
    )


def _identifier(values: Mapping[str, str], sub_corpus_column: str, content: Digest) -> DocumentId:
    """Name a document by the archive's own id; one without is named by its content."""
    own = values.get("id", "")
    if not own:
        return DocumentId(content.removeprefix("sha256:")[:16])
    if _plain(sub_corpus_column) == "collection" and values.get("sub_corpus"):
        return DocumentId(f"{values['sub_corpus']}/{own}")
    return DocumentId(own)


def _named_after(file: str) -> str:
    """Call records that name no sub-corpus by their file, or by its folder where the file has a general name."""
    return folder(file) if stem(file).casefold() in _GENERIC else stem(file)
