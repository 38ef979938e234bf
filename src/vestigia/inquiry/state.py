"""Everything known of a run: the value that `fold` makes of its events, and that the flow decides by."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from vestigia.domain.archive import DocumentCard, SubCorpus
from vestigia.domain.effects import Neighbour
from vestigia.domain.events import (
    Audited,
    Consulted,
    Gathered,
    NotJudged,
    Overruled,
    Scored,
    Searched,
    SearchFailed,
)
from vestigia.domain.evidence import Brief, Candidate, Decision, Memory, Ranked, Standing, Verdict
from vestigia.domain.ids import DocumentId, PassageId, SubQuestionId
from vestigia.domain.question import Question, SubQuestion
from vestigia.domain.requests import Reading
from vestigia.domain.rules import Rules


@dataclass(frozen=True, slots=True)
class Waiting:
    """A candidate that waits for a review or is held, and the search that brought it."""

    candidate: Candidate
    by: str
    reason: str = ""
    place: int = 0
    """Its place (from 1) among what that search brought; 0 where it was only set aside."""
    whole: bool = False
    """The model asked to read it whole."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A document was taken by a sub-question, on the strength of a passage."""

    sub_question: SubQuestionId
    verdict: Verdict
    by: str
    author: str = ""
    standings: tuple[Standing, ...] = ()


@dataclass(frozen=True, slots=True)
class Thread:
    """A sub-question at work: its queue of passages, its memory, its budget."""

    sub_question: SubQuestion
    pending: tuple[Waiting, ...] = ()
    held: tuple[Waiting, ...] = ()
    memory: Memory = Memory()
    actions: tuple[str, ...] = ()
    observation: str = ""
    queries: tuple[str, ...] = ()
    steps: int = 0
    calls: int = 0
    repeats: int = 0
    empties: int = 0


@dataclass(frozen=True, slots=True)
class Edit:
    """A plan as it was, and what a person made of it (B14)."""

    before: tuple[SubQuestion, ...]
    after: tuple[SubQuestion, ...]
    author: str


@dataclass(frozen=True, slots=True)
class State:
    """Everything known of a run. Mappings keep the order in which things became known; none is changed in place."""

    question: Question = Question("")
    rules: Rules = Rules()
    sub_corpora: tuple[SubCorpus, ...] = ()
    channels: tuple[str, ...] = ()
    readings: Mapping[str, Reading] = field(default_factory=dict)
    expansions: Mapping[str, tuple[Neighbour, ...]] = field(default_factory=dict)
    """What is searched beside the words of a text, by the text."""
    plan: tuple[SubQuestion, ...] = ()
    queue: tuple[SubQuestion, ...] = ()
    planner: str = ""
    """The person whose plan it is; empty while it is the machine's."""
    edits: tuple[Edit, ...] = ()
    finished: tuple[SubQuestion, ...] = ()
    briefs: tuple[Brief, ...] = ()
    threads: Mapping[SubQuestionId, Thread] = field(default_factory=dict)
    """The sub-questions at work, in the order in which they were opened: one, or a wave side by side."""
    at: SubQuestionId | None = None
    """The sub-question whose work this state is looked at from: the first opened, or the one that holds the state."""
    orientation: tuple[Candidate, ...] = ()
    searches: tuple[Searched, ...] = ()
    failures: tuple[SearchFailed, ...] = ()
    cards: Mapping[DocumentId, DocumentCard] = field(default_factory=dict)
    accepted: Mapping[DocumentId, tuple[Acceptance, ...]] = field(default_factory=dict)
    rejected: Mapping[PassageId, Verdict] = field(default_factory=dict)
    held: Mapping[PassageId, Waiting] = field(default_factory=dict)
    overruled: Mapping[DocumentId, Overruled] = field(default_factory=dict)
    calls: int = 0
    unreadable: int = 0
    tokens: int = 0
    cost: float = 0.0
    """What the calls of known price cost."""
    worked: float = 0.0
    """Seconds the run has been at work, where its rules limit them."""
    paused: str = ""
    """Why the run stands still, where no model answered; it goes on when it is resumed."""
    consultations: tuple[Consulted, ...] = ()
    notes: tuple[str, ...] = ()
    """What people should know about how the run went: a fallback plan, what the guard found, what was dropped."""
    limit: str = ""
    ranking: tuple[Ranked, ...] = ()
    gathered: Gathered | None = None
    """The set of a survey."""
    judgements: Mapping[PassageId, Scored | NotJudged] = field(default_factory=dict)
    """What was said last of each passage that is judged by a rubric."""
    audits: tuple[Audited, ...] = ()
    closed: bool = False

    @property
    def thread(self) -> Thread | None:
        """The sub-question at work, or none between sub-questions."""
        return self.threads.get(self.at) if self.at else None

    @property
    def work(self) -> Thread:
        """The sub-question at work. Raises LookupError between sub-questions."""
        if (thread := self.thread) is None:
            raise LookupError("no sub-question is at work")
        return thread

    @property
    def taken(self) -> tuple[DocumentId, ...]:
        """What was accepted, in that order, and no person has put away."""
        acts = self.overruled
        return tuple(d for d in self.accepted if d not in acts or acts[d].decision is Decision.ACCEPT)

    @property
    def reading(self) -> Reading:
        """The reading of the question itself."""
        return self.readings.get(self.question.text, Reading(self.question))
