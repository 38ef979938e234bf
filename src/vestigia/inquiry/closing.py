"""How a sub-question ends: holds are looked at again (T11), a brief is handed over (T12), the rest replanned (T13)."""

from vestigia.domain.events import Briefed, Reevaluated, Replanned
from vestigia.domain.evidence import Brief, Decision, Verdict
from vestigia.domain.ids import PassageId
from vestigia.domain.question import SubQuestion
from vestigia.domain.requests import BriefRequest, ReevaluateRequest, ReplanRequest
from vestigia.domain.text import words
from vestigia.inquiry.consult import consult
from vestigia.inquiry.crossing import record
from vestigia.inquiry.desk import desk, is_withheld, shown
from vestigia.inquiry.fold import State
from vestigia.inquiry.planner import fault, numbered
from vestigia.inquiry.replies import BriefReply, PlanReply, ReevaluationReply, SubQuestionReply, read_reply


async def reevaluate(state: State) -> State:
    """T11: one call decides which held passages the evidence now promotes, each with a reason of its own."""
    held = tuple(w for w in state.work.held if not is_withheld(state, w.candidate.document))
    if not held or not state.rules.switches.holds:
        return state
    request = ReevaluateRequest(desk(state), tuple(shown(state, w) for w in held), state.rules.reason_length)
    state, reply = await consult(state, request, lambda text: read_reply(text, ReevaluationReply))
    if reply is None:
        return state
    waiting = {w.candidate.passage: w.candidate for w in held}
    promoted: dict[PassageId, Verdict] = {}
    for promotion in reply.promote:
        passage, reason = PassageId(promotion.passage), promotion.reason[: state.rules.reason_length].strip()
        if passage in waiting and reason:
            promoted.setdefault(
                passage, Verdict(passage, waiting[passage].document, Decision.ACCEPT, reason, promotion.quote)
            )
    return await record(state, Reevaluated(state.work.sub_question.id, tuple(promoted.values())))


async def brief(state: State, ended: str) -> State:
    """T12: facts, dates, entities, gaps and search hints for the next sub-questions."""
    mine = state.work.sub_question.id
    if not state.rules.switches.memory:
        return await record(state, Briefed(Brief(mine), ended))
    state, reply = await consult(state, BriefRequest(desk(state)), lambda text: read_reply(text, BriefReply))
    if reply is None:
        return await record(state, Briefed(Brief(mine), ended))
    handed = Brief(
        mine, tuple(reply.facts), tuple(reply.dates), tuple(reply.entities), tuple(reply.gaps), tuple(reply.hints)
    )
    return await record(state, Briefed(handed, ended))


async def replan(state: State) -> State:
    """T13: change or add sub-questions; at most M_max in all, and no finished sub-corpus and topic again.

    A plan that a person made is not the model's to change.
    """
    room, switches = state.rules.max_sub_questions - len(state.finished), state.rules.switches
    if not switches.memory or not switches.decomposition or room <= 0 or state.limit or state.planner:
        return state
    request = ReplanRequest(
        state.reading, state.sub_corpora, state.briefs, state.finished, state.queue, room - len(state.queue)
    )
    state, reply = await consult(state, request, lambda text: read_reply(text, PlanReply))
    if reply is None:
        return state
    kept, dropped = admitted(state, reply.sub_questions, room)
    remaining = state.queue if dropped and not kept else numbered(kept, state.finished, reply.sub_questions)
    if not dropped and [_topic(s) for s in remaining] == [_topic(s) for s in state.queue]:
        return state
    return await record(state, Replanned(remaining, dropped))


def admitted(
    state: State, proposed: list[SubQuestionReply], room: int
) -> tuple[list[SubQuestionReply], tuple[str, ...]]:
    """Sort proposals into those that keep the rules and, with the reason, those that do not."""
    done = [_topic(sub_question) for sub_question in state.finished]
    kept: list[SubQuestionReply] = []
    dropped: list[str] = []
    for proposal in proposed:
        topic = (proposal.sub_corpus, tuple(sorted(words(proposal.text))))
        problem = fault(state, [proposal], 1)
        if not problem and topic in done:
            problem = "its sub-corpus and topic are done or planned"
        if not problem and len(kept) == room:
            problem = f"there is room for {room} more only"
        if problem:
            dropped.append(f"{proposal.text}: {problem}")
        else:
            kept.append(proposal)
            done.append(topic)
    return kept, tuple(dropped)


def _topic(sub_question: SubQuestion) -> tuple[str, tuple[str, ...]]:
    return sub_question.sub_corpus, tuple(sorted(words(sub_question.text)))
