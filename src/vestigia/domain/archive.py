"""What an archive holds: sub-corpora of documents, cut into passages (TRACE 3.1)."""

from dataclasses import dataclass
from enum import StrEnum

from vestigia.domain.ids import Digest, DocumentId, PassageId
from vestigia.domain.periods import DatePeriod


class Access(StrEnum):
    """What may be done with a source (B11), read from its own words or said by a person.

    The empty value, which is not written, means that nobody said anything that could be read.
    """

    UNKNOWN = ""
    OPEN = "open"
    PERSONAL = "personal"
    """To be read here, not to be passed on."""
    NO_THIRD_PARTY = "no-third-party-model"
    """Not to be sent to a model that runs elsewhere."""
    CLOSED = "closed"
    """Its text is shown only where a person asks for it each time."""

    @property
    def may_leave(self) -> bool:
        """Whether a text may be sent to a program on another machine: unless its rights are known to forbid it."""
        return self in {Access.UNKNOWN, Access.OPEN}


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a document came from (HistoRAG, *Quellenbeleg*; H10).

    `file` is the path as given to `add`, `record` the line number or identifier inside it, `digest` that of the
    record's bytes. `link` and `rights` are the archive's own words.
    """

    file: str
    record: str
    digest: Digest
    reader: str
    link: str = ""
    rights: str = ""


Box = tuple[int, int, int, int]
"""Left, top, width, height on a page image, in pixels of that image or in the units of the file where it has none."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a stretch of a document's text, as a rule a line, stands on a page (B7).

    `document.text[start:end]` is the text as it is read; `raw` the same as the source has it, where dehyphenation or
    normalisation changed it. `image` names the page image, `confidence` (0 to 1) is that of the text recognition.
    """

    start: int
    end: int
    page: str
    region: str = ""
    box: Box | None = None
    image: str = ""
    confidence: float | None = None
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """One source. `dates` holds every date known of it, the one that counts first; none means undated.

    `details` are further descriptions (sender, recipient, place, author ...) as pairs in the archive's order.
    `anchors` say where the text stands on pages, in its order; none for a text that came without pages.
    """

    id: DocumentId
    sub_corpus: str
    title: str
    text: str
    language: str
    provenance: Provenance
    dates: tuple[DatePeriod, ...] = ()
    details: tuple[tuple[str, str], ...] = ()
    anchors: tuple[Anchor, ...] = ()

    @property
    def period(self) -> DatePeriod | None:
        """The date that counts, or none."""
        return self.dates[0] if self.dates else None


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document: `document.text[start:end]` is its text, so a quotation can be proven."""

    id: PassageId
    document: DocumentId
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class DocumentCard:
    """A document without its text: what a list of sources shows. `access` is what may be done with it (B11).

    Documents of one `cluster` say the same: copies, reprints (B4). Empty where no other is known to.
    """

    id: DocumentId
    sub_corpus: str
    title: str
    language: str
    period: DatePeriod | None
    provenance: Provenance
    details: tuple[tuple[str, str], ...] = ()
    access: Access = Access.UNKNOWN
    cluster: str = ""


@dataclass(frozen=True, slots=True)
class SubCorpus:
    """A named part of the archive, as its own description has it. Sizes are counts of what was imported.

    `rights` and `source` are the archive's own words; `access` is what a person said of all its documents.
    """

    name: str
    documents: int
    passages: int
    dated: int
    languages: tuple[str, ...] = ()
    genre: str = ""
    description: str = ""
    period: DatePeriod | None = None
    rights: str = ""
    source: str = ""
    access: Access = Access.UNKNOWN
