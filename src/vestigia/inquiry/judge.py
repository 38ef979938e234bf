"""Judge: every item read against the historian's rubric, by a model or by a person (HistoRAG 3.4; H3, H4).

Absolute judgement: a request holds one passage and nothing of the others; argument before score. What is no judgement
is recorded as *not judged*, with its reason, and is never a low score.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from vestigia.domain.archive import DocumentCard
from vestigia.domain.commissions import Item, JudgeOrder, Rubric
from vestigia.domain.effects import Attend, Describe, Described
from vestigia.domain.events import Closed, NotJudged, Opened, Outcome, Scored, Unjudged
from vestigia.domain.ids import DocumentId
from vestigia.domain.periods import label
from vestigia.domain.question import Question
from vestigia.domain.requests import JudgeRequest, Shown
from vestigia.domain.rules import Rules
from vestigia.domain.text import words
from vestigia.inquiry.abreast import abreast
from vestigia.inquiry.consult import consult
from vestigia.inquiry.crossing import Pause, ask_one, record
from vestigia.inquiry.fold import fold
from vestigia.inquiry.replies import JudgeReply, UnreadableError, last_object, read_reply, spoken
from vestigia.inquiry.state import State

SHEET = "sheet"
"""The checkpoint at which a person's judging waits until it is handed in."""
TELLING = 6
"""Words that two arguments must share in a row, at least, for one to be copied from the other."""
PLACEHOLDER = "what in the passage meets the criteria, what does not, and what decides"
"""The argument in the prompt's example of a reply: who sends it back has not judged."""
_OUTCOMES = {Outcome.REFUSED: Unjudged.REFUSED, Outcome.TOO_LONG: Unjudged.TOO_LONG}
Cards = Mapping[DocumentId, DocumentCard]


async def judge(question: Question, rules: Rules, order: JudgeOrder) -> State:
    """Have every item judged on its own; what no budget was left for is not judged either."""
    state = await record(State(), Opened(question, rules))
    state = await (_by_person(state, order) if order.person else _by_model(state, order))
    return await record(state, Closed(partial=bool(state.limit)))


def by_rubric(score: int, rubric: Rubric) -> bool:
    """Whether a score is one of the rubric's scale."""
    return rubric.lowest <= score <= rubric.highest


async def _by_person(state: State, order: JudgeOrder) -> State:
    """Hear what a person scored, when it is handed in. What was left empty is not judged."""
    state = fold(await Pause(Attend(SHEET, wait=True)), state)
    for item in order.items:
        given = state.judgements.get(item.passage)
        if not isinstance(given, Scored):
            state = await record(state, _not_judged(item, Unjudged.EMPTY, "no score was given", order.person))
        elif not by_rubric(given.score, order.rubric):
            why = _beside(given.score, order.rubric)
            state = await record(state, _not_judged(item, Unjudged.OUT_OF_RANGE, why, order.person))
    return state


async def _by_model(state: State, order: JudgeOrder) -> State:
    documents = tuple(dict.fromkeys(item.document for item in order.items))
    cards = {card.id: card for card in (await ask_one(Describe(documents), Described)).cards} if documents else {}
    width = max(1, state.rules.parallel)
    for start in range(0, len(order.items), width):
        batch = order.items[start : start + width]
        state = await abreast(state, [_judge(state, order.rubric, item, cards) for item in batch])
    return state


async def _judge(state: State, rubric: Rubric, item: Item, cards: Cards) -> State:
    """Have one passage judged. An argument copied from another passage's is asked for once more."""
    card = cards.get(item.document)
    if card is None:
        return await record(state, _not_judged(item, Unjudged.GONE, "it is no longer in the archive"))
    if card.access in state.rules.withhold:
        return await record(state, _not_judged(item, Unjudged.WITHHELD, f"its rights: {card.access}"))
    request, reading = JudgeRequest(rubric, state.question.text, _shown(item, card)), _Reading(rubric)
    state, said = await consult(state, request, reading)
    copied = _copied(state, said, item, cards)
    if copied:
        request = replace(request, concern="The argument was the one you gave for another passage: argue from this one")
        state, said = await consult(state, request, reading)
        copied = _copied(state, said, item, cards)
    if said is None:
        return await record(state, _unanswered(state, item, reading))
    if said.score is None:
        return await record(state, _not_judged(item, Unjudged.NO_SCORE, said.argument.strip()))
    if copied:
        return await record(state, _not_judged(item, Unjudged.COPIED, f"the argument given for {copied}"))
    return await record(
        state, Scored(item.passage, item.document, said.score, said.argument.strip(), said.quote.strip())
    )


class _Reading:
    """Reads replies by a rubric, and knows what was wrong with the last one."""

    def __init__(self, rubric: Rubric) -> None:
        self._rubric = rubric
        self.fault = Unjudged.UNREADABLE

    def __call__(self, text: str) -> JudgeReply:
        """Return a reply that is a judgement, or says by a score of null that it is none. Raises UnreadableError."""
        self.fault = Unjudged.UNREADABLE
        reply = read_reply(text, JudgeReply)
        fields = list(last_object(spoken(text)) or ())
        fault = self._fault(reply, fields)
        if fault is not None:
            self.fault, why = fault
            raise UnreadableError(why)
        return reply

    def _fault(self, reply: JudgeReply, fields: Sequence[str]) -> tuple[Unjudged, str] | None:
        if not words(reply.argument):
            return Unjudged.NO_ARGUMENT, "there is no argument"
        if "score" not in fields:
            return Unjudged.NO_SCORE, "there is no score"
        if fields.index("score") < fields.index("argument"):
            return Unjudged.SCORE_FIRST, "the score stands before the argument: argue first, then score"
        if reply.score is not None and not by_rubric(reply.score, self._rubric):
            return Unjudged.OUT_OF_RANGE, _beside(reply.score, self._rubric)
        if any(_is_copy(reply.argument, example) for example in (*self._rubric.examples, PLACEHOLDER)):
            return Unjudged.COPIED_EXAMPLE, "the argument is copied from an example: argue from the passage"
        return None


def _is_copy(one: str, other: str) -> bool:
    """Whether two arguments are the same words, or one holds the whole of the other and that is long enough to tell."""
    mine, theirs = words(one), words(other)
    shorter, longer = sorted((mine, theirs), key=len)
    if len(shorter) < TELLING:
        return mine == theirs
    return f" {' '.join(shorter)} " in f" {' '.join(longer)} "


def _copied(state: State, said: JudgeReply | None, item: Item, cards: Cards) -> str:
    """Name the passage whose argument this is, if so; of two copies of one text the same may be said."""
    if said is None or said.score is None:
        return ""
    cluster = cards[item.document].cluster
    for other in state.judgements.values():
        twin = bool(cluster) and cards[other.document].cluster == cluster
        if isinstance(other, Scored) and not twin and words(other.argument) == words(said.argument):
            return other.passage
    return ""


def _unanswered(state: State, item: Item, reading: _Reading) -> NotJudged:
    """Say why consulting gave nothing."""
    if state.limit:
        return _not_judged(item, Unjudged.LIMIT, f"the limit was reached: {state.limit}")
    last = state.consultations[-1]
    return _not_judged(item, _OUTCOMES.get(last.outcome, reading.fault), last.problem)


def _not_judged(item: Item, reason: Unjudged, why: str, author: str = "") -> NotJudged:
    return NotJudged(item.passage, item.document, reason, why, author)


def _beside(score: int, rubric: Rubric) -> str:
    return f"{score} is no score from {rubric.lowest} to {rubric.highest}"


def _shown(item: Item, card: DocumentCard) -> Shown:
    """A passage as a judge sees it: nothing of how it was found, nor of what others thought of it."""
    date = label(card.period) if card.period else ""
    return Shown(item.passage, item.document, card.title, date, card.sub_corpus, "")


@dataclass(frozen=True, slots=True)
class Tally:
    """What a judging came to: scores in order of the items, reasons why others have none. `constant`: all the same."""

    scores: tuple[int, ...]
    unjudged: Mapping[Unjudged, int]
    waiting: int

    @property
    def constant(self) -> bool:
        """Whether several passages were judged and all got the same score: then it tells nothing of them."""
        return len(self.scores) > 1 and len(set(self.scores)) == 1


def tally(items: Sequence[Item], state: State) -> Tally:
    """Count the judgements of a set; what waits has neither score nor reason yet."""
    given = [state.judgements.get(item.passage) for item in items]
    reasons = [one.reason for one in given if isinstance(one, NotJudged)]
    return Tally(
        tuple(one.score for one in given if isinstance(one, Scored)),
        {reason: reasons.count(reason) for reason in Unjudged if reason in reasons},
        given.count(None),
    )
