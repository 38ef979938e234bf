"""Driving the core without an engine: prepared answers in, facts and effects out. States to begin from, too."""

import json
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fakes.corpus import MemoryCorpus, YearReader, a_document, card
from fakes.index import MemoryIndex
from vestigia.domain.archive import Access, Document, DocumentCard, SubCorpus
from vestigia.domain.effects import (
    Answer,
    AskModel,
    Describe,
    Described,
    Effect,
    Expand,
    Found,
    ReadDates,
    Replied,
    Search,
    Survey,
    Surveyed,
    Usage,
    Weigh,
)
from vestigia.domain.events import (
    ArchiveSurveyed,
    Event,
    HumanAct,
    Opened,
    Planned,
    QuestionRead,
    Searched,
    SubQuestionOpened,
)
from vestigia.domain.evidence import Candidate, Standing
from vestigia.domain.ids import DocumentId, PassageId, SubQuestionId, passage_id
from vestigia.domain.periods import DatePeriod
from vestigia.domain.question import Question, SubQuestion
from vestigia.domain.rules import Rules
from vestigia.inquiry.consult import TASKS
from vestigia.inquiry.crossing import Crossing, Fact, LookRound, Pause, UnderWay
from vestigia.inquiry.fold import fold
from vestigia.inquiry.state import State

Reply = str | Mapping[str, object]
Replies = Sequence[Reply] | Callable[[Any], Reply]
CHANNELS = ("words", "characters", "date", "exact")


@dataclass
class Scene:
    """What the world answers. `replies` by task (`plan`, `step` ...): a list is used up, a function never.

    `failing` channels give a failure; `acts` are what people decided, heard at a checkpoint; `gone` have no card.
    """

    documents: Sequence[Document] = ()
    replies: Mapping[str, Replies] = field(default_factory=dict)
    acts: Mapping[str, tuple[HumanAct, ...]] = field(default_factory=dict)
    failing: Sequence[str] = ()
    gone: Sequence[str] = ()
    access: Mapping[str, Access] = field(default_factory=dict)
    usage: Usage = Usage()
    answers: Mapping[str, Callable[[Any], Replied]] = field(default_factory=dict)
    """Whole answers of a model by task, made of the request, instead of `replies`."""
    found: Mapping[str, Found] = field(default_factory=dict)
    """Prepared answers of channels, instead of a real search."""

    def __post_init__(self) -> None:
        self.corpus = MemoryCorpus(self.documents, self.access)
        self.index = MemoryIndex(self.corpus.pairs())
        self.queues = {task: r if callable(r) else list(r) for task, r in self.replies.items()}

    def answer(self, effect: Effect) -> Answer:  # noqa: PLR0911
        match effect:
            case Search():
                return self._search(effect)
            case AskModel():
                task = TASKS[type(effect.request).__name__]
                if task in self.answers:
                    return self.answers[task](effect.request)
                reply = self._reply(task, effect.request)
                return Replied(reply if isinstance(reply, str) else json.dumps(reply), "scripted", None, self.usage)
            case Survey():
                return Surveyed(self.corpus.sub_corpora(), self.index.channels())
            case ReadDates():
                return YearReader().read(effect)
            case Weigh():
                return self.index.weigh(effect)
            case Expand():
                return self.index.expand(effect)
            case Describe():
                wanted = [document for document in effect.documents if document not in self.gone]
                return Described(self.corpus.documents(wanted))
        raise AssertionError(f"nobody answers {effect}")

    def _search(self, search: Search) -> Found:
        if search.channel in self.failing:
            return Found(failure=f"{search.channel} is broken")
        return self.found[search.channel] if search.channel in self.found else self.index.search(search)

    def _reply(self, task: str, request: object) -> Reply:
        queue = self.queues.get(task, [])
        if callable(queue):
            return queue(request)
        assert queue, f"no reply is prepared for another {task}: {request}"
        return queue.pop(0)


@dataclass
class Told:
    """What a flow told while it ran, and what it returned."""

    facts: list[Event] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    value: Any = None

    def of(self, kind: type) -> list[Any]:
        """Facts of a kind."""
        return [fact for fact in self.facts if isinstance(fact, kind)]

    def only(self, kind: type) -> Any:
        """The one fact of a kind."""
        (one,) = self.of(kind)
        return one

    def kinds(self) -> list[str]:
        return [type(fact).__name__ for fact in self.facts]

    def requests(self, task: str = "") -> list[Any]:
        """What the model was asked."""
        asked = [effect.request for effect in self.effects if isinstance(effect, AskModel)]
        return [request for request in asked if task in {"", TASKS[type(request).__name__]}]

    def searches(self) -> list[Search]:
        return [effect for effect in self.effects if isinstance(effect, Search)]


def run(flow: Coroutine[Any, Any, Any], scene: Scene | None = None) -> Told:
    """Send prepared answers into a coroutine of the core until it returns."""
    scene, told, sent = scene or Scene(), Told(), None
    acts = dict(scene.acts)
    try:
        while True:
            match flow.send(sent):
                case Fact(event):
                    told.facts.append(event)
                    sent = ()
                case LookRound():
                    sent = UnderWay()
                case Pause(effect):
                    told.effects.append(effect)
                    sent = acts.pop(effect.checkpoint, ())
                case Crossing(effects):
                    told.effects.extend(effects)
                    sent = tuple(scene.answer(effect) for effect in effects)
    except StopIteration as end:
        told.value = end.value
        return told


def passage(name: str, number: int = 0) -> PassageId:
    return passage_id(DocumentId(name), 10 * number, 10 * number + 9)


def candidate(name: str, number: int = 0, channel: str = "words", rank: int = 1) -> Candidate:
    standings = (Standing(channel, rank, 1.0),)
    return Candidate(DocumentId(name), passage(name, number), 1 / (60 + rank), standings)


def a_card(name: str, sub_corpus: str = "Zeitung", period: DatePeriod | None = None) -> DocumentCard:
    return card(a_document(name, "text", sub_corpus, period))


def sub_question(number: int = 1, text: str = "Who spoke of the blockade?", sub_corpus: str = "Zeitung") -> SubQuestion:
    return SubQuestion(SubQuestionId(f"q{number}"), text, sub_corpus)


Q1, Q2, Q3 = sub_question(1), sub_question(2, "Who wrote of the harbour?", "Briefe"), sub_question(3, "Who paid?")
ZEITUNG, BRIEFE, AKTEN = (SubCorpus(name, 5, 9, 3, ("de",)) for name in ("Zeitung", "Briefe", "Akten"))


def surveyed(
    text: str = "Who spoke of the blockade?",
    rules: Rules = Rules(),
    sub_corpora: tuple[SubCorpus, ...] = (ZEITUNG, BRIEFE),
    channels: tuple[str, ...] = CHANNELS,
    question: Question | None = None,
    periods: tuple[DatePeriod, ...] = (),
) -> State:
    """A question was put and read; nothing is planned yet."""
    question = question or Question(text)
    return fold(
        [Opened(question, rules), ArchiveSurveyed(sub_corpora, channels), QuestionRead(question.text, periods, ())]
    )


def oriented(state: State, *found: Candidate, homes: Mapping[str, str] | None = None) -> State:
    """The orientation found these, each in the sub-corpus that `homes` names (Zeitung where it names none)."""
    cards = tuple(a_card(c.document, (homes or {}).get(c.document, "Zeitung")) for c in found)
    return fold([Searched("orientation", found, cards)], state)


def working(
    *found: Candidate | str,
    rules: Rules = Rules(),
    plan: tuple[SubQuestion, ...] = (Q1,),
    state: State | None = None,
) -> State:
    """The first sub-question is at work and its warm start found these."""
    state = fold([Planned(plan), SubQuestionOpened(plan[0].id)], state or surveyed(rules=rules))
    return after_search(state, *found) if found else state


def after_search(state: State, *found: Candidate | str, by: str = "warm start") -> State:
    """A search of the sub-question at work found these."""
    candidates = tuple(candidate(one) if isinstance(one, str) else one for one in found)
    cards = tuple(a_card(c.document) for c in candidates)
    return fold([Searched(by, candidates, cards, sub_question=state.work.sub_question.id)], state)


def waiting(state: State) -> list[str]:
    return [w.candidate.passage for w in state.work.pending]


def held(state: State) -> list[str]:
    return [w.candidate.passage for w in state.work.held]
