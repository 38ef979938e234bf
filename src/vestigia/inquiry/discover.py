"""Discover: from a question to a ranked list of sources, in the order of the TRACE paper (figure 1).

`await` means: ask the world and write the answer down (`crossing`). There is no event loop, clock, chance, disk or
network here; a run of this coroutine over the answers of a ledger decides exactly what it decided before.
"""

from dataclasses import replace

from vestigia.domain.effects import Survey, Surveyed
from vestigia.domain.events import ArchiveSurveyed, Closed, HeldUnseen, Opened
from vestigia.domain.question import Question, SubQuestion
from vestigia.domain.rules import Rules
from vestigia.inquiry.abreast import abreast
from vestigia.inquiry.closing import brief, reevaluate, replan
from vestigia.inquiry.consolidate import consolidate
from vestigia.inquiry.consult import heed_budget
from vestigia.inquiry.crossing import ask_one, attend, record
from vestigia.inquiry.investigate import investigate
from vestigia.inquiry.planner import plan, wave
from vestigia.inquiry.state import State
from vestigia.inquiry.warm_start import orient


async def discover(question: Question, rules: Rules) -> State:
    """Find the sources for a question (T1-T16)."""
    state = await record(State(), Opened(question, rules))
    state = await have_described(state)
    state = await orient(state)
    state = await attend(await plan(state), "plan")
    while state.queue and not state.limit:
        before = len(state.briefs)
        state = await abreast(state, [follow(state, sub_question) for sub_question in wave(state)])
        state = await replan(state, state.briefs[before:])
        if "briefs" in state.rules.pause:
            state = await attend(state, "briefs")
        state = await heed_budget(state) if state.queue else state
    state = await attend(await hold_unreached(state), "final")
    state = await consolidate(state)
    return await record(state, Closed(partial=bool(state.limit)))


async def follow(state: State, sub_question: SubQuestion) -> State:
    """One sub-question, from its opening to its brief."""
    state, ended = await investigate(replace(state, at=sub_question.id), sub_question)
    state, written = await reevaluate(state)
    return await brief(await attend(state, "holds"), ended, written)


async def hold_unreached(state: State) -> State:
    """Hold what the orientation found and no sub-question got to: dropped from the plan, or the budget ended."""
    decided = {verdict.document for verdict in state.rejected.values()} | set(state.accepted)
    decided |= {waiting.candidate.document for waiting in state.held.values()}
    left = tuple(candidate for candidate in state.orientation if candidate.document not in decided)
    if not left:
        return state
    return await record(state, HeldUnseen(None, left, "not reviewed: no sub-question got to it"))


async def have_described(state: State) -> State:
    """Have the archive describe itself, within the researcher's own limits."""
    surveyed = await ask_one(Survey(), Surveyed)
    allowed = state.question.sub_corpora
    visible = tuple(s for s in surveyed.sub_corpora if not allowed or s.name in allowed)
    return await record(state, ArchiveSurveyed(visible, surveyed.channels))
