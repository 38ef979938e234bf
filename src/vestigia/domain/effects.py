"""Everything the core may want of the world, and the answers. The list is closed.

A search that failed says so in `failure`: it is never an empty list.
"""

from dataclasses import dataclass
from enum import StrEnum

from vestigia.domain.archive import DocumentCard, SubCorpus
from vestigia.domain.commissions import Item, Origin
from vestigia.domain.evidence import Hit
from vestigia.domain.ids import Digest, DocumentId, PassageId
from vestigia.domain.periods import DatePeriod
from vestigia.domain.question import Term
from vestigia.domain.quotations import Seal
from vestigia.domain.requests import Request

WORDS = "words"
CHARACTERS = "characters"
DATE = "date"
SOURCE = "source"
EXACT = "exact"
MEANING = "meaning"
"""The channels. A meaning channel is one per encoder: `meaning:<encoder>`. That of the source ranks what the
sub-corpora hold that a query names."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Filters, each applied in every channel before its cut-off (T3). Empty means no limit.

    `period` keeps documents whose date overlaps it; an undated document never overlaps.
    `without` leaves out passages, so that another passage of the same document can come back (T6).
    """

    sub_corpora: tuple[str, ...] = ()
    period: DatePeriod | None = None
    languages: tuple[str, ...] = ()
    documents: tuple[DocumentId, ...] = ()
    without: tuple[PassageId, ...] = ()


class Matching(StrEnum):
    """How the text of a search is read, where the channel knows more than one way."""

    PLAIN = ""
    """As it is written; in the word channel signs mean nothing but quotation marks."""
    SYNTAX = "syntax"
    """Words: with the operators of the query language."""
    FOLDED = "folded"
    """Exact: whatever the case and the accents."""
    PATTERN = "pattern"
    """Exact: a regular expression."""


@dataclass(frozen=True, slots=True)
class Search:
    """One channel, one list. `limit` counts documents.

    `period` is what the date channel measures nearness to; there `text` orders the documents of the period, by the
    characters of its words. The source channel ranks so within the sub-corpora of the scope.
    With `windows` each of them gets a list of its own of at most `quota` documents whose date overlaps it, and the
    undated documents one of at most `undated` (H2); with `each` every sub-corpus it names gets such lists, or without
    windows one list of at most `quota` documents. All come of one pass. `fuzzy` is how many letters may differ in a
    word of the word channel, `strict` takes its words only as they are written and each by itself: no misreadings, no
    pairs of words side by side.
    """

    channel: str
    text: str
    scope: Scope
    limit: int
    period: DatePeriod | None = None
    decay: float = 0.15
    matching: Matching = Matching.PLAIN
    fuzzy: int = 0
    strict: bool = False
    windows: tuple[DatePeriod, ...] = ()
    quota: int = 0
    undated: int = 0
    each: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Variant:
    """A form of a query's word that was searched beside it: at which distance (0: none), held by how many passages."""

    word: str
    found: str
    distance: float
    passages: int


@dataclass(frozen=True, slots=True)
class Lane:
    """The list of one window, of one sub-corpus, or of one window in one: at most one hit a document, ranked from 1.

    Without `window` it is that of the undated, or where no windows were asked for, of all. `short` is how many
    documents the quota lacks: there are no more.
    """

    window: DatePeriod | None
    hits: tuple[Hit, ...]
    short: int = 0
    sub_corpus: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """At most one hit a document, best first. `missing` says what could not be searched: passages not yet encoded.

    `lanes` are the lists of the windows asked for, in their order, the undated last, sub-corpus by sub-corpus; `hits`
    is the list without them.
    `variants` are the forms of words that were searched beside those of the query.
    """

    hits: tuple[Hit, ...] = ()
    missing: str = ""
    failure: str = ""
    lanes: tuple[Lane, ...] = ()
    variants: tuple[Variant, ...] = ()


@dataclass(frozen=True, slots=True)
class Survey:
    """Ask for the archive's own description: its sub-corpora and which channels can be searched now."""


@dataclass(frozen=True, slots=True)
class Surveyed:
    """The archive's description of itself."""

    sub_corpora: tuple[SubCorpus, ...]
    channels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadDates:
    """Ask how the dates and periods in a text are read."""

    text: str
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DatesRead:
    """The periods read, in the order of the text; none is an answer."""

    periods: tuple[DatePeriod, ...] = ()


@dataclass(frozen=True, slots=True)
class Weigh:
    """Ask how often the words of a text occur in the archive (B5)."""

    text: str
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Weighed:
    """The words of the text, once each, in its order, function words left out."""

    terms: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Expand:
    """Ask which words of the archive are near those of a text (H7): at most `limit` for each word."""

    text: str
    languages: tuple[str, ...] = ()
    limit: int = 3


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A word of the archive near a word of a text: `similarity` is 1 for the same, `passages` hold it.

    `by` says what near means: `vectors`, used alike in this archive; `spelling`, written alike; `misreading`, the same
    word as text recognition or an older spelling has it.
    """

    word: str
    found: str
    similarity: float
    passages: int
    by: str


@dataclass(frozen=True, slots=True)
class Expanded:
    """The neighbours by word in the order of the text, the nearest first; none is an answer."""

    neighbours: tuple[Neighbour, ...] = ()


@dataclass(frozen=True, slots=True)
class Describe:
    """Ask for the cards of documents. With `if_there` one that is gone is no error."""

    documents: tuple[DocumentId, ...]
    if_there: bool = False


@dataclass(frozen=True, slots=True)
class Described:
    """The cards, in the order asked; a document that is gone is left out."""

    cards: tuple[DocumentCard, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadDossier:
    """Ask for the dossier that this seal made: there is none that no person sealed."""

    origin: Origin


@dataclass(frozen=True, slots=True)
class DossierRead:
    """The sealed sources; by whom, when, and with which statement."""

    sources: tuple[Item, ...]
    statement: str
    author: str
    time: str


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Words said to stand in a passage."""

    passage: PassageId
    text: str


@dataclass(frozen=True, slots=True)
class CheckQuotes:
    """Ask whether words stand where they are said to stand (B8)."""

    quotes: tuple[Excerpt, ...]


@dataclass(frozen=True, slots=True)
class QuotesChecked:
    """The seals, in the order asked; their spans are offsets in the documents."""

    seals: tuple[Seal, ...]


@dataclass(frozen=True, slots=True)
class AskModel:
    """One call of the language model with a structured request; passages are named, their text is not in the ledger."""

    request: Request


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call; None is unknown. `cost` in US dollars: an unknown price is None, never 0.

    `seconds` is how long the model took, waiting between tries included.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None


class Stop(StrEnum):
    """Why a reply is no whole reply, where it is none."""

    ENDED = ""
    LENGTH = "cut off"
    """It reached the greatest length a reply may have."""
    REFUSED = "refused"
    """The model, or a filter before it, would not answer."""
    TOO_LONG = "too long"
    """The request does not fit the model's window: nothing was asked."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A passage shown to a model that reads as if it spoke to one; `why` says what was seen in it."""

    passage: PassageId
    why: str


@dataclass(frozen=True, slots=True)
class Replied:
    """The raw reply. `prompt` is the digest of the words the model was sent (kept beside the ledger), none without.

    `served` is the model the server says it was, `notes` what went wrong on the way (a wait, another try), `marks` the
    passages shown that read as if they spoke to a model. `worked` is how many seconds the run had been at work when the
    reply came, where its rules limit them.
    """

    text: str
    model: str
    prompt: Digest | None = None
    usage: Usage = Usage()
    stop: Stop = Stop.ENDED
    served: str = ""
    notes: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    worked: float | None = None


@dataclass(frozen=True, slots=True)
class Attend:
    """Hear what people decided so far at a checkpoint: plan, holds, briefs or final.

    With `wait` the run sleeps until a person lets it go on. It may take days; nothing is kept in memory.
    """

    checkpoint: str
    wait: bool = False


@dataclass(frozen=True, slots=True)
class Attended:
    """The run goes on; what people decided stands in the ledger before. Without `author` nobody was waited for."""

    author: str = ""


Effect = Search | Survey | ReadDates | Weigh | Expand | Describe | AskModel | Attend | ReadDossier | CheckQuotes
Answer = (
    Found | Surveyed | DatesRead | Weighed | Expanded | Described | Replied | Attended | DossierRead | QuotesChecked
)
