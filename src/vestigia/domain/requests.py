"""What a language model is asked, as data. A prompt renders it as words; the extractive model reads it as it is.

Every request carries the whole state the model may see (T7): there is no conversation.
"""

from dataclasses import dataclass

from vestigia.domain.archive import SubCorpus
from vestigia.domain.commissions import Rubric
from vestigia.domain.evidence import Brief, Memory, Standing
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.domain.periods import DatePeriod
from vestigia.domain.question import Question, SubQuestion, Term
from vestigia.domain.quotations import Claim


@dataclass(frozen=True, slots=True)
class Share:
    """How many of the orientation's candidates a sub-corpus holds, and its best place among them (from 1)."""

    sub_corpus: str
    candidates: int
    best: int


@dataclass(frozen=True, slots=True)
class Reading:
    """The question as the code has read it: its dates, and its words with their weight in this archive."""

    question: Question
    periods: tuple[DatePeriod, ...] = ()
    terms: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Taken:
    """An accepted source as later calls see it."""

    document: DocumentId
    title: str
    date: str
    sub_corpus: str
    reason: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage put before the model. `standings` are its places in the channels that found it."""

    passage: PassageId
    document: DocumentId
    title: str
    date: str
    sub_corpus: str
    found_by: str
    """The search that brought it, in words: `warm start`, `words "blocus"`."""
    score: float = 0.0
    standings: tuple[Standing, ...] = ()
    period: DatePeriod | None = None
    place: int = 0
    """Its place (from 1) among what that search brought; 0 unknown."""
    orientation: int = 0
    """Its document's place (from 1) in the orientation; 0 where it was not among them."""
    words: int = 0
    """How many words of it are shown, its best sentences; 0: all."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What lies before the model in every call of a sub-question: never a growing transcript (T7)."""

    reading: Reading
    sub_question: SubQuestion
    memory: Memory
    taken: tuple[Taken, ...] = ()
    actions: tuple[str, ...] = ()
    observation: str = ""
    briefs: tuple[Brief, ...] = ()
    plan: tuple[SubQuestion, ...] = ()
    earlier: int = 0
    """How many sources were accepted before those in `taken`."""


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """T1: decompose the question. `concern` says why it is asked again (repair, collapse guard)."""

    reading: Reading
    sub_corpora: tuple[SubCorpus, ...]
    shares: tuple[Share, ...]
    max_sub_questions: int
    concern: str = ""


@dataclass(frozen=True, slots=True)
class StepRequest:
    """T4: choose the next action."""

    desk: Desk
    channels: tuple[str, ...]
    steps_left: int
    days_max: int
    warning: str = ""
    concern: str = ""
    sub_corpora: tuple[SubCorpus, ...] = ()
    """The archive's own description: any sub-corpus may be searched (T4)."""
    names_only: bool = False
    """Whether only their names and sizes are laid before the model."""
    others: int = 0
    """How many further sub-corpora there are."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """What may be done after a review whose reply names the next action, too; as in a `StepRequest`."""

    channels: tuple[str, ...]
    steps_left: int
    days_max: int
    sub_corpora: tuple[SubCorpus, ...]
    others: int = 0


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """T5, T6: give a verdict on each passage shown; where they are `numbered`, from 1, by their numbers."""

    desk: Desk
    passages: tuple[Shown, ...]
    reason_length: int
    concern: str = ""
    numbered: bool = False
    ahead: Ahead | None = None


@dataclass(frozen=True, slots=True)
class ReevaluateRequest:
    """T11: which held passages does the evidence now promote, and which that were rejected?"""

    desk: Desk
    held: tuple[Shown, ...]
    reason_length: int
    concern: str = ""
    rejected: tuple[Shown, ...] = ()
    """Passages that were rejected although other searches point to their documents."""
    numbered: bool = False
    """Whether they go by their numbers, from 1, the rejected after the held."""
    brief: bool = False
    """Whether the reply also hands over what the sub-question found (T12)."""


@dataclass(frozen=True, slots=True)
class BriefRequest:
    """T12: hand over what the sub-question found."""

    desk: Desk
    concern: str = ""


@dataclass(frozen=True, slots=True)
class ReplanRequest:
    """T13: change or add remaining sub-questions; `room` is how many may be added."""

    reading: Reading
    sub_corpora: tuple[SubCorpus, ...]
    briefs: tuple[Brief, ...]
    finished: tuple[SubQuestion, ...]
    remaining: tuple[SubQuestion, ...]
    room: int
    concern: str = ""
    names_only: bool = False


@dataclass(frozen=True, slots=True)
class Contender:
    """A document of a group to be ordered, with all that was recorded of it."""

    document: DocumentId
    title: str
    date: str
    sub_corpus: str
    reasons: tuple[str, ...]
    passages: int
    places: tuple[int, ...] = ()
    """Its places (from 1) in the fused lists that found it, the orientation's first; 0 where it was not among them."""


@dataclass(frozen=True, slots=True)
class RankRequest:
    """T14: order the documents of one group by their recorded reasons."""

    reading: Reading
    group: tuple[Contender, ...]
    confirmations: int
    concern: str = ""


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """H3: judge one passage by a rubric, on its own. `description` is what the set was gathered for."""

    rubric: Rubric
    description: str
    passage: Shown
    concern: str = ""


@dataclass(frozen=True, slots=True)
class Cited:
    """A quotation that stands in its source, as it is put before the model."""

    number: int
    text: str
    passage: PassageId
    title: str
    date: str
    sub_corpus: str


@dataclass(frozen=True, slots=True)
class QuoteRequest:
    """H9: copy out of these passages of a dossier what bears on a question."""

    question: str
    passages: tuple[Shown, ...]
    concern: str = ""


@dataclass(frozen=True, slots=True)
class InterpretRequest:
    """H9: propose claims on a question, from checked quotations and from nothing else."""

    question: str
    quotes: tuple[Cited, ...]
    concern: str = ""


@dataclass(frozen=True, slots=True)
class SynthesisRequest:
    """H9: propose what the claims on several questions say together."""

    questions: tuple[str, ...]
    claims: tuple[Claim, ...]
    quotes: tuple[Cited, ...]
    concern: str = ""


Request = (
    PlanRequest
    | StepRequest
    | ReviewRequest
    | ReevaluateRequest
    | BriefRequest
    | ReplanRequest
    | RankRequest
    | JudgeRequest
    | QuoteRequest
    | InterpretRequest
    | SynthesisRequest
)


def passages_of(request: Request) -> tuple[PassageId, ...]:
    """Name the passages whose text a request needs."""
    match request:
        case ReviewRequest() | QuoteRequest():
            return tuple(shown.passage for shown in request.passages)
        case ReevaluateRequest():
            return tuple(shown.passage for shown in (*request.held, *request.rejected))
        case JudgeRequest():
            return (request.passage.passage,)
        case _:
            return ()
