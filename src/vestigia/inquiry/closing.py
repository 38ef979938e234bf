"""How a sub-question ends: holds are looked at again (T11), a brief is handed over (T12), the rest replanned (T13)."""

from collections.abc import Sequence

from vestigia.domain.events import Briefed, Reevaluated, Replanned
from vestigia.domain.evidence import Brief, Decision, Verdict
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.domain.question import SubQuestion
from vestigia.domain.requests import BriefRequest, ReevaluateRequest, ReplanRequest
from vestigia.domain.text import words
from vestigia.inquiry.concise import read_closing
from vestigia.inquiry.consult import consult
from vestigia.inquiry.crossing import record
from vestigia.inquiry.desk import desk, is_withheld, places, shown, standing
from vestigia.inquiry.fold import found
from vestigia.inquiry.planner import fault, numbered
from vestigia.inquiry.replies import BriefReply, PlanReply, ReevaluationReply, SubQuestionReply, read_reply
from vestigia.inquiry.state import State, Waiting

SECOND_LOOK = 8
"""Rejected passages that a re-evaluation shows besides the holds."""


async def reevaluate(state: State) -> tuple[State, Brief | None]:
    """T11: one call decides which held passages the evidence now promotes, each with a reason of its own.

    With them it takes a second look at what was rejected although other searches point to it. Where the rules let one
    call do both, the brief (T12) comes with it, unless a person may decide about holds before.
    """
    held = tuple(w for w in state.work.held if not is_withheld(state, w.candidate.document))
    again = pointed_to(state) if state.rules.switches.second_look else ()
    if not (held or again) or not state.rules.switches.holds:
        return state, None
    concise, words_shown = state.rules.concise, state.rules.excerpt
    request = ReevaluateRequest(
        desk(state),
        tuple(shown(state, w, words_shown) for w in held),
        state.rules.reason_length,
        rejected=tuple(shown(state, w, words_shown // 2 if concise else words_shown) for w in again),
        numbered=concise,
        brief=concise and wants_brief(state) and "holds" not in state.rules.pause,
    )
    names = [one.passage for one in (*request.held, *request.rejected)]

    def read(text: str) -> tuple[ReevaluationReply, BriefReply | None, bool]:
        return read_closing(text, names) if concise else (read_reply(text, ReevaluationReply), None, True)

    state, found_in_it = await consult(state, request, read)
    if found_in_it is None:
        return state, None
    reply, handed, must_change = found_in_it
    written = _brief(state, handed, settled=not must_change) if handed is not None and request.brief else None
    waiting = {w.candidate.passage: w.candidate for w in (*held, *again)}
    promoted: dict[PassageId, Verdict] = {}
    for promotion in reply.promote:
        passage, reason = PassageId(promotion.passage), promotion.reason[: state.rules.reason_length].strip()
        if passage in waiting and reason:
            promoted.setdefault(
                passage, Verdict(passage, waiting[passage].document, Decision.ACCEPT, reason, promotion.quote)
            )
    return await record(state, Reevaluated(state.work.sub_question.id, tuple(promoted.values()))), written


def wants_brief(state: State) -> bool:
    """Whether a brief is to be written: there is a memory, and somebody to read it or no sparing."""
    return state.rules.switches.memory and (not state.rules.sparing or has_readers(state))


def has_readers(state: State) -> bool:
    """Whether anybody would read a brief: a person, a sub-question to come, or the planner that may still add one."""
    begun = len(state.finished) + len(state.threads)
    may_add = begun < state.rules.max_sub_questions and not state.planner and state.rules.switches.decomposition
    return bool(state.queue) or may_add or "briefs" in state.rules.pause


def pointed_to(state: State) -> tuple[Waiting, ...]:
    """Rejected passages of this sub-question whose documents two searches found, nobody took and nobody holds.

    The best placed first, at most `SECOND_LOOK`.
    """
    mine = state.work.sub_question.id
    settled = set(state.accepted) | {waiting.candidate.document for waiting in state.held.values()}
    best: dict[DocumentId, PassageId] = {}
    for verdict in state.rejected.values():
        if verdict.document not in settled and found(state, mine, verdict.passage):
            best.setdefault(verdict.document, verdict.passage)
    several = [document for document in best if sum(map(bool, places(state, document))) > 1]
    several.sort(key=lambda document: (-standing(state, document), document))
    chosen = [found(state, mine, best[document]) for document in several[:SECOND_LOOK]]
    return tuple(waiting for waiting in chosen if waiting)


async def brief(state: State, ended: str, written: Brief | None = None) -> State:
    """T12: facts, dates, entities, gaps and search hints for the next sub-questions, unless they are `written`."""
    mine = state.work.sub_question.id
    if written is not None or not wants_brief(state):
        return await record(state, Briefed(written or Brief(mine), ended))
    state, reply = await consult(
        state, BriefRequest(desk(state, all_taken=True)), lambda text: read_reply(text, BriefReply)
    )
    if reply is None:
        return await record(state, Briefed(Brief(mine), ended))
    return await record(state, Briefed(_brief(state, reply, settled=False), ended))


def _brief(state: State, reply: BriefReply, *, settled: bool) -> Brief:
    facts, dates, entities = tuple(reply.facts), tuple(reply.dates), tuple(reply.entities)
    return Brief(
        state.work.sub_question.id, facts, dates, entities, tuple(reply.gaps), tuple(reply.hints), settled=settled
    )


async def replan(state: State, new: Sequence[Brief] = ()) -> State:
    """T13: change or add sub-questions; at most M_max in all, and no finished sub-corpus and topic again.

    A plan that a person made is not the model's to change, and where all `new` briefs say that it need not be changed
    the planner is not asked.
    """
    room, switches = state.rules.max_sub_questions - len(state.finished), state.rules.switches
    if not switches.memory or not switches.decomposition or room <= 0 or state.limit or state.planner:
        return state
    if new and all(one.settled for one in new):
        return state
    request = ReplanRequest(
        state.reading,
        state.sub_corpora,
        state.briefs,
        state.finished,
        state.queue,
        room - len(state.queue),
        names_only=state.rules.sparing,
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
