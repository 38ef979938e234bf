"""What happened in a run: past tense, one closed tagged union. State is a fold over these (principle 1).

An event never carries the text of the archive, only passage ids; reasons and quotes are the exception.
"""

from dataclasses import dataclass
from enum import StrEnum

from vestigia.domain.acts import Added, Curated, Remarked, Sealed, Undone
from vestigia.domain.archive import DocumentCard, SubCorpus
from vestigia.domain.effects import Mark, Neighbour, Usage, Variant
from vestigia.domain.evidence import Assessment, Brief, Candidate, Decision, FusedLane, Memory, Price, Ranked, Verdict
from vestigia.domain.ids import Digest, DocumentId, PassageId, SubQuestionId
from vestigia.domain.periods import DatePeriod
from vestigia.domain.question import Question, SubQuestion, Term
from vestigia.domain.quotations import Claim, Quote
from vestigia.domain.rules import Rules


class Outcome(StrEnum):
    """What became of a model call."""

    READ = "read"
    UNREADABLE = "unreadable"
    REFUSED = "refused"
    TOO_LONG = "too long"


class Waste(StrEnum):
    """Turns that do not use up the action budget (T9); unreadable replies are counted where the model was consulted."""

    REPEATED = "repeated"
    EMPTY_QUERY = "empty query"
    REVIEW_DUE = "review was due"


@dataclass(frozen=True, slots=True)
class Opened:
    """A question was put, under these rules."""

    question: Question
    rules: Rules


@dataclass(frozen=True, slots=True)
class ArchiveSurveyed:
    """The archive described itself."""

    sub_corpora: tuple[SubCorpus, ...]
    channels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuestionRead:
    """The code read dates and words in the question or in a sub-question."""

    text: str
    periods: tuple[DatePeriod, ...]
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class QueryExpanded:
    """Words are searched beside those of a text, because the rules say so (H7).

    `neighbours` are near words of the archive, as many as the rules say; `chosen` are those a person chose.
    """

    text: str
    neighbours: tuple[Neighbour, ...]
    chosen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Consulted:
    """A model was asked: for which task, with what outcome, at what cost (T16)."""

    task: str
    model: str
    outcome: Outcome
    usage: Usage
    problem: str = ""
    sub_question: SubQuestionId | None = None
    notes: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    worked: float | None = None


@dataclass(frozen=True, slots=True)
class Paused:
    """A model gave no answer, or a person stopped the run: it goes on when it is resumed. Written by the engine."""

    why: str


@dataclass(frozen=True, slots=True)
class Planned:
    """The question was decomposed (T1). `fallback` says why the plan is not the model's; `guard` what T1b found."""

    sub_questions: tuple[SubQuestion, ...]
    fallback: str = ""
    guard: str = ""


@dataclass(frozen=True, slots=True)
class SubQuestionOpened:
    """Work on a sub-question began."""

    sub_question: SubQuestionId


@dataclass(frozen=True, slots=True)
class Searched:
    """Channels were searched and fused. `candidates` are those that are new, in fused order, cut to the quota.

    `by` says in words what searched: `orientation`, `warm start`, `words "blocus"`. `weights` are those of the fusion.
    `known` counts hits that were already judged or waiting; `cards` describe the documents not met before.
    `variants` are forms of its words that were searched with it, such as misreadings. Where windows of time shared the
    candidates out, `by_window` says how many of them lie in each, the undated last; one across two counts in both.
    """

    by: str
    candidates: tuple[Candidate, ...]
    cards: tuple[DocumentCard, ...] = ()
    known: int = 0
    weights: tuple[tuple[str, float], ...] = ()
    missing: tuple[str, ...] = ()
    sub_question: SubQuestionId | None = None
    variants: tuple[Variant, ...] = ()
    by_window: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Gathered:
    """A set was gathered, lane by lane (H2): of each window its quota, the undated last; `prices` say what that cost.

    Each candidate knows which channels found it (H6). `weights` are those of the fusion, `missing` is what could not be
    searched, `variants` are forms of the words that were searched too.
    """

    lanes: tuple[FusedLane, ...]
    cards: tuple[DocumentCard, ...] = ()
    weights: tuple[tuple[str, float], ...] = ()
    prices: tuple[Price, ...] = ()
    missing: tuple[str, ...] = ()
    variants: tuple[Variant, ...] = ()


@dataclass(frozen=True, slots=True)
class SetOpened:
    """A set was laid open for people to curate (H8). `gone` are no longer in the archive.

    `repeats` names documents that have the text of an earlier one (B4), and that one.
    """

    cards: tuple[DocumentCard, ...]
    repeats: tuple[tuple[DocumentId, DocumentId], ...] = ()
    gone: tuple[DocumentId, ...] = ()


@dataclass(frozen=True, slots=True)
class DossierOpened:
    """A sealed dossier was opened to be interpreted. `withheld` are sources whose rights keep them from the model."""

    cards: tuple[DocumentCard, ...]
    statement: str
    author: str
    sealed_at: str
    withheld: tuple[DocumentId, ...] = ()
    gone: tuple[DocumentId, ...] = ()


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words were copied out of the sources for a question (from 1), and each was checked; none is left out.

    `unread` are passages that no reply could be read about, `why` says why.
    """

    question: int
    quotes: tuple[Quote, ...]
    unread: tuple[PassageId, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Interpreted:
    """A model proposed claims on a question (from 1), or on all of them together (0): a proposal, never a finding.

    `silence` is what it says the sources leave open; `why` says why there is no claim.
    """

    question: int
    claims: tuple[Claim, ...]
    silence: str = ""
    model: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class HeldUnseen:
    """Passages nobody has read went to hold: found only by widening a date search (T10), or left when steps ran out.

    Without a sub-question they are the orientation's that no sub-question got to.
    """

    sub_question: SubQuestionId | None
    candidates: tuple[Candidate, ...]
    why: str
    cards: tuple[DocumentCard, ...] = ()
    by: str = ""
    """The search that brought them, where they were never put before the model."""


@dataclass(frozen=True, slots=True)
class SearchFailed:
    """A channel could not be searched. This is not an empty result."""

    by: str
    channel: str
    failure: str
    sub_question: SubQuestionId | None = None


@dataclass(frozen=True, slots=True)
class Acted:
    """The model chose an action (T4, T8); `charged` says whether it used up the action budget (T9)."""

    sub_question: SubQuestionId
    thought: str
    action: str
    observation: str
    memory: Memory
    charged: bool = True


@dataclass(frozen=True, slots=True)
class Wasted:
    """A turn was wasted (T9)."""

    sub_question: SubQuestionId
    kind: Waste
    detail: str


@dataclass(frozen=True, slots=True)
class Judged:
    """Passages were reviewed (T6). Passages the model said nothing about are held, and `unmentioned` counts them."""

    sub_question: SubQuestionId
    verdicts: tuple[Verdict, ...]
    memory: Memory
    unmentioned: int = 0
    unknown: int = 0
    """Verdicts on passages that were not shown: dropped, counted."""
    unread: tuple[PassageId, ...] = ()
    """Passages that are to be shown whole before they are judged."""


@dataclass(frozen=True, slots=True)
class Reevaluated:
    """The held passages of a sub-question were looked at again (T11)."""

    sub_question: SubQuestionId
    promoted: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Briefed:
    """A sub-question ended and handed over what it knows (T12). `ended` says why it ended."""

    brief: Brief
    ended: str


@dataclass(frozen=True, slots=True)
class Replanned:
    """The remaining sub-questions were changed (T13); `dropped` are proposals that were against a rule."""

    remaining: tuple[SubQuestion, ...]
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BudgetReached:
    """A hard limit was reached: what follows is a partial result."""

    limit: str


@dataclass(frozen=True, slots=True)
class Consolidated:
    """The accepted documents were ordered (T14)."""

    ranking: tuple[Ranked, ...]
    notes: tuple[str, ...] = ()


class Unjudged(StrEnum):
    """Why there is no score: none of these is a low one."""

    NO_SCORE = "no score"
    OUT_OF_RANGE = "score out of range"
    NO_ARGUMENT = "no argument"
    SCORE_FIRST = "score before argument"
    COPIED_EXAMPLE = "argument copied from an example"
    COPIED = "argument copied from another passage"
    UNREADABLE = "unreadable"
    REFUSED = "refused"
    TOO_LONG = "too long"
    WITHHELD = "withheld by rights"
    GONE = "no longer in the archive"
    LIMIT = "limit reached"
    EMPTY = "left empty"


@dataclass(frozen=True, slots=True)
class Scored:
    """A passage was judged by the rubric of the run (H3): first the argument, then the score that follows from it.

    `quote` is what the argument is said to rest on; whether it stands in the passage is checked where it is shown.
    A person's judgement has an `author`.
    """

    passage: PassageId
    document: DocumentId
    score: int
    argument: str = ""
    quote: str = ""
    author: str = ""


@dataclass(frozen=True, slots=True)
class NotJudged:
    """A passage has no score: `reason` is counted, `why` says it in words."""

    passage: PassageId
    document: DocumentId
    reason: Unjudged
    why: str = ""
    author: str = ""


@dataclass(frozen=True, slots=True)
class Overruled:
    """A person decided about a document. It outranks every machine decision, whenever it comes."""

    document: DocumentId
    decision: Decision
    reason: str
    author: str


@dataclass(frozen=True, slots=True)
class PlanEdited:
    """A person replaced the plan at its checkpoint (B14)."""

    sub_questions: tuple[SubQuestion, ...]
    author: str


@dataclass(frozen=True, slots=True)
class Audited:
    """A person judged a blind sample of what the run listed, passed over and never met (B2).

    `seed` says which sample, `strata` how many documents each stratum had when it was drawn.
    """

    judgements: tuple[Assessment, ...]
    strata: tuple[tuple[str, int], ...]
    seed: Digest
    author: str


@dataclass(frozen=True, slots=True)
class Closed:
    """The run ended."""

    partial: bool = False


Event = (
    Opened
    | ArchiveSurveyed
    | QuestionRead
    | QueryExpanded
    | Consulted
    | Paused
    | Planned
    | SubQuestionOpened
    | Searched
    | Gathered
    | SetOpened
    | DossierOpened
    | Quoted
    | Interpreted
    | HeldUnseen
    | SearchFailed
    | Acted
    | Wasted
    | Judged
    | Reevaluated
    | Briefed
    | Replanned
    | BudgetReached
    | Consolidated
    | Scored
    | NotJudged
    | Overruled
    | PlanEdited
    | Curated
    | Undone
    | Added
    | Sealed
    | Remarked
    | Audited
    | Closed
)
HumanAct = Overruled | PlanEdited | Curated | Undone | Added | Sealed | Remarked | Scored | Audited
