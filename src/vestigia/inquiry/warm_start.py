"""The first stage: a fused warm start for each sub-question (TRACE 3.3; T2, T3), and our orientation before the plan.

The orientation searches the whole archive with the question itself: the planner sees where the sources lie, and no
document is lost because no sub-question was directed at its sub-corpus.
"""

from dataclasses import replace

from vestigia.domain.effects import Scope
from vestigia.domain.events import Searched
from vestigia.domain.evidence import Candidate
from vestigia.inquiry.crossing import record
from vestigia.inquiry.searching import Quest, fused_channels, hunt, inside, is_known, read_text, scope, sources_named
from vestigia.inquiry.state import State

ORIENTATION = "orientation"
WARM_START = "warm start"


async def orient(state: State) -> State:
    """Read the question and search the whole archive with it."""
    text = state.question.text
    state = await read_text(state, text)
    if not state.rules.switches.orientation:
        return state
    return await hunt(state, _quest(state, ORIENTATION, text, scope(state)))


async def warm_start(state: State) -> State:
    """Fill the queue of the sub-question at work from its target sub-corpus, then from the orientation."""
    sub_question = state.work.sub_question
    state = await read_text(state, sub_question.text)
    if state.rules.switches.warm_start:
        before = (sub_question.sub_corpus,) if sub_question.sub_corpus and state.rules.constrain == "before" else ()
        quest = _quest(state, WARM_START, sub_question.text, scope(state, before))
        state = await hunt(state, replace(quest, target=sub_question.sub_corpus))
    left = [candidate for candidate in oriented(state) if not is_known(state, candidate)]
    if not left:
        return state
    return await record(state, Searched(ORIENTATION, tuple(left), sub_question=sub_question.id))


def _quest(state: State, by: str, text: str, limits: Scope) -> Quest:
    """A text searched in every channel that it gives something to look for."""
    periods = state.readings[text].periods
    channels = fused_channels(state, periods, sources_named(text, inside(state, limits)))
    rules = state.rules
    return Quest(by, text, channels, limits, rules.candidates, periods, windows=rules.windows)


def oriented(state: State) -> tuple[Candidate, ...]:
    """The orientation's candidates this sub-question must look at: those of its sub-corpus, and for the first
    sub-question also those of sub-corpora that no sub-question is directed at."""
    mine = state.work.sub_question
    first = not state.finished and next(iter(state.threads)) == mine.id
    targets = {sub_question.sub_corpus for sub_question in state.plan}
    homes = {candidate: state.cards[candidate.document].sub_corpus for candidate in state.orientation}
    return tuple(c for c, home in homes.items() if home == mine.sub_corpus or (first and home not in targets))
