"""The planner (TRACE 3.2; T1) and its collapse guard (T1b).

Three invariants: together the sub-questions mean what the question means; each names exactly one existing sub-corpus;
names keep their surface form. What code can check, code checks: one bounded repair round, then a recorded fallback.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from vestigia.domain.events import Planned
from vestigia.domain.ids import SubQuestionId
from vestigia.domain.question import Entity, SubQuestion
from vestigia.domain.requests import PlanRequest, Share
from vestigia.domain.text import fold, mentions, words
from vestigia.inquiry.consult import consult, unanswered
from vestigia.inquiry.crossing import record
from vestigia.inquiry.replies import PlanReply, SubQuestionReply, read_reply
from vestigia.inquiry.state import State

COMPARISONS = frozenset(
    {"compare", "compared", "comparison", "difference", "differ", "versus", "contrast", "between", "while"}
    | {"comparer", "comparaison", "contraste", "differe", "entre", "tandis", "contrairement", "respectivement"}
    | {"vergleich", "vergleiche", "vergleichen", "unterschied", "unterscheiden", "gegensatz", "zwischen", "wahrend"}
    | {"confronto", "differenza", "diferencia", "comparacion"}
)
"""Words of comparison in the five languages, folded (T1b)."""


async def plan(state: State) -> State:
    """Decompose the question, or take it whole when decomposition is switched off (T15)."""
    if not state.rules.switches.decomposition:
        whole = SubQuestion(SubQuestionId("q1"), state.question.text, "")
        return await record(state, Planned((whole,)))
    request = PlanRequest(state.reading, state.sub_corpora, shares(state), state.rules.max_sub_questions)
    state, found, problem = await _checked(state, request)
    if problem:
        concern = f"Your plan cannot be used: {problem}."
        state, found, again = await _checked(state, replace(request, concern=concern))
        problem = again or problem
    if found is None:
        reason = problem or state.limit or unanswered(state) or "the model gave no readable plan"
        return await record(state, Planned(fallback_plan(state), fallback=reason))
    return await _guarded(state, request, found)


async def _checked(state: State, request: PlanRequest) -> tuple[State, tuple[SubQuestion, ...] | None, str]:
    state, reply = await consult(state, request, lambda text: read_reply(text, PlanReply))
    if reply is None:
        return state, None, ""
    problem = fault(state, reply.sub_questions, request.max_sub_questions)
    return state, None if problem else numbered(reply.sub_questions), problem


async def _guarded(state: State, request: PlanRequest, found: tuple[SubQuestion, ...]) -> State:
    """T1b: a plan of one sub-question for a question that shows several is asked for once more, saying why."""
    signs = collapse_signs(state, found)
    if not signs:
        return await record(state, Planned(found))
    concern = f"Your plan has one sub-question, but {signs}. Plan again; keep one only if one is right."
    state, again, problem = await _checked(state, replace(request, concern=concern))
    kept = again or found
    outcome = f"asked again because {signs}: " + (f"still {problem}" if problem else f"{len(kept)} sub-question(s) now")
    return await record(state, Planned(kept, guard=outcome))


def fault(state: State, proposed: list[SubQuestionReply], room: int) -> str:
    """Say which invariant a plan breaks, or nothing."""
    known = {sub_corpus.name for sub_corpus in state.sub_corpora}
    if not proposed:
        return "it has no sub-question"
    if len(proposed) > room:
        return f"it has {len(proposed)} sub-questions, at most {room} are allowed"
    for sub_question in proposed:
        if not sub_question.text.strip():
            return "a sub-question has no text"
        if sub_question.sub_corpus not in known:
            return f"there is no sub-corpus {sub_question.sub_corpus!r}"
        for entity in sub_question.entities:
            if not entity.added and fold(entity.text) not in fold(state.question.text):
                return f"{entity.text!r} is not in the question and not marked as added"
    return ""


def numbered(
    chosen: Sequence[SubQuestionReply], begun: Sequence[SubQuestion] = (), proposed: Sequence[SubQuestionReply] = ()
) -> tuple[SubQuestion, ...]:
    """Give sub-questions their ids, none that was `begun`, and say which of them they wait for.

    A reply counts places in the whole list as `proposed`; a place that is none or was not chosen is waited for by
    nobody: it says when a sub-question is worked on, not what it is.
    """
    taken = {sub_question.id for sub_question in begun}
    free = (name for number in count(1) if (name := SubQuestionId(f"q{number}")) not in taken)
    names = {id(proposal): name for proposal, name in zip(chosen, free, strict=False)}
    places = {place: names[id(one)] for place, one in enumerate(proposed or chosen, 1) if id(one) in names}
    return tuple(
        SubQuestion(
            names[id(proposal)],
            proposal.text.strip(),
            proposal.sub_corpus,
            tuple(Entity(entity.text, entity.added) for entity in proposal.entities),
            tuple(places[n] for n in proposal.after if n in places and places[n] != names[id(proposal)]),
        )
        for proposal in chosen
    )


def wave(state: State) -> tuple[SubQuestion, ...]:
    """What is worked on next: the first of the queue, or side by side those that wait for no other.

    Where all wait for one another the first goes.
    """
    if state.rules.parallel <= 1:
        return state.queue[:1]
    left = {sub_question.id for sub_question in state.queue}
    ready = tuple(sub_question for sub_question in state.queue if left.isdisjoint(sub_question.after))
    return (ready or state.queue[:1])[: state.rules.parallel]


def collapse_signs(state: State, found: tuple[SubQuestion, ...]) -> str:
    """Say what in the question speaks against a plan of one sub-question (T1b), or nothing."""
    if len(found) != 1:
        return ""
    question = state.question.text
    named = [sub_corpus.name for sub_corpus in state.sub_corpora if mentions(question, sub_corpus.name)]
    if len(named) > 1:
        return f"the question names {len(named)} sub-corpora ({', '.join(named)})"
    if COMPARISONS.intersection(words(question)):
        return "the question compares"
    if len(state.reading.periods) > 1:
        return f"the question holds {len(state.reading.periods)} dates"
    names = dict.fromkeys(entity.text for entity in found[0].entities if not entity.added)
    if len(names) > 1:
        return f"the question holds {len(names)} names"
    return ""


def fallback_plan(state: State) -> tuple[SubQuestion, ...]:
    """The question itself, directed at the sub-corpora that hold most of the orientation's candidates."""
    best = [share.sub_corpus for share in shares(state)] or [s.name for s in state.sub_corpora]
    return tuple(
        SubQuestion(SubQuestionId(f"q{number}"), state.question.text, name)
        for number, name in enumerate(best[: state.rules.max_sub_questions], 1)
    )


def shares(state: State) -> tuple[Share, ...]:
    """Count the orientation's candidates by sub-corpus, the fullest first, then the best placed."""
    places: dict[str, list[int]] = {}
    for place, candidate in enumerate(state.orientation, 1):
        places.setdefault(state.cards[candidate.document].sub_corpus, []).append(place)
    found = [Share(name, len(of), min(of)) for name, of in places.items()]
    return tuple(sorted(found, key=lambda share: (-share.candidates, share.best, share.sub_corpus)))
