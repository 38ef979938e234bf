"""What a search found and what was decided about it (TRACE 3.3, 3.4)."""

from dataclasses import dataclass
from enum import StrEnum

from vestigia.domain.ids import DocumentId, PassageId, SubQuestionId
from vestigia.domain.periods import DatePeriod


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage in one channel's list: the best passage of its document. `rank` counts from 1."""

    passage: PassageId
    document: DocumentId
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Standing:
    """The place of a document in one channel: which channel found it, at which rank."""

    channel: str
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A document after fusion, with the passage that carried it and its place in every channel that found it."""

    document: DocumentId
    passage: PassageId
    score: float
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class FusedLane:
    """The fused list of a `Lane`; `short` is how many documents, or witnesses, its quota lacks."""

    window: DatePeriod | None
    candidates: tuple[Candidate, ...]
    short: int = 0
    sub_corpus: str = ""


@dataclass(frozen=True, slots=True)
class Price:
    """What windows cost in one channel, or in the fused list.

    `surfaced` documents came in, `displaced` ones of the plain list of the same length went out; the means are of their
    scores there, None where there is no score to take a mean of.
    """

    channel: str
    surfaced: int
    displaced: int
    surfaced_mean: float | None
    displaced_mean: float | None


class Decision(StrEnum):
    """The three outcomes of a review (T6)."""

    ACCEPT = "accept"
    REJECT = "reject"
    HOLD = "hold"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision on one passage. Reject is for the passage, never for the document (T6).

    `quote` is what the reason is said to rest on; whether it stands in the passage is checked where it is shown.
    """

    passage: PassageId
    document: DocumentId
    decision: Decision
    reason: str
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a person said of a document of a blind sample (B2), shown by this passage; the stratum was not shown."""

    document: DocumentId
    passage: PassageId
    stratum: str
    relevant: bool


@dataclass(frozen=True, slots=True)
class Memory:
    """Five slots, each overwritten by every update, never a growing transcript (T7)."""

    findings: str = ""
    analysis: str = ""
    evidence: str = ""
    gaps: str = ""
    next_steps: str = ""


@dataclass(frozen=True, slots=True)
class Brief:
    """What a finished sub-question hands to the next ones (T12)."""

    sub_question: SubQuestionId
    facts: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    settled: bool = False
    """Whether it says itself that the plan need not change by it."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A row of the final list: a document and how many sub-questions confirmed it (T14).

    `repeats` is the document of an earlier row whose text it has: the two are one witness and share its
    confirmations (B4).
    """

    document: DocumentId
    confirmations: int
    note: str = ""
    repeats: DocumentId | None = None
