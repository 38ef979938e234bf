"""The budgeted loop of one sub-question (TRACE 3.4; T4, T5, T8, T9, T10)."""

from collections.abc import Iterable

from vestigia.domain.archive import DocumentCard
from vestigia.domain.events import Acted, HeldUnseen, SubQuestionOpened, Waste, Wasted
from vestigia.domain.periods import DatePeriod, overlaps
from vestigia.domain.question import SubQuestion
from vestigia.domain.requests import StepRequest
from vestigia.inquiry.actions import FINISH, REVIEW, Action, read_action
from vestigia.inquiry.consult import consult, out_of_patience, unanswered
from vestigia.inquiry.crossing import record
from vestigia.inquiry.desk import desk, nearby
from vestigia.inquiry.fusion import channel_weights, fuse
from vestigia.inquiry.replies import StepReply, UnreadableError, fitted, read_reply, updated
from vestigia.inquiry.review import due, review
from vestigia.inquiry.searching import Quest, describe, hunt, is_known, search_channels
from vestigia.inquiry.state import State
from vestigia.inquiry.warm_start import warm_start


async def investigate(state: State, sub_question: SubQuestion) -> tuple[State, str]:
    """Work on one sub-question until it ends; returns why it ended."""
    state = await record(state, SubQuestionOpened(sub_question.id))
    state = await warm_start(state)
    ended, following = "", None
    while not ended:
        state, ended, following = await turn(state, following)
    return await _set_aside(state, ended), ended


async def turn(state: State, named: object = None) -> tuple[State, str, object]:
    """One turn: a due review (T5), else a step, the one that the review before `named` if it did.

    Returns why the loop ends, or nothing, and the next action where this turn named it.
    """
    if ended := why_ended(state):
        return state, ended, None
    if due(state):
        state, following = await review(state)
        return state, "", following
    return *(await act(state, named)), None


def why_ended(state: State) -> str:
    """Say which bound ends the sub-question, or nothing. A due review may still use the steps up to the ceiling."""
    thread, rules = state.work, state.rules
    steps = rules.step_ceiling if due(state) else rules.steps
    if state.limit:
        return f"the budget of the run was reached: {state.limit}"
    if out_of_patience(state):
        return f"{rules.patience} model calls were used"
    if thread.repeats >= rules.repeats_to_stop:
        return f"{rules.repeats_to_stop} repeated searches in a row"
    return f"{steps} steps were used" if thread.steps >= steps else ""


async def act(state: State, named: object = None) -> tuple[State, str]:
    """Carry out the action that was named, or let the model choose: where none was, or one that cannot be done."""
    concern = ""
    if named is not None:
        try:
            reply = fitted(named, StepReply)
            return await _carry_out(state, reply, read_action(state, reply))
        except UnreadableError as problem:
            concern = f"The next action that your review named cannot be carried out: {problem}."
    return await _choose(state, concern)


async def _choose(state: State, concern: str) -> tuple[State, str]:
    thread, rules = state.work, state.rules
    warning = ""
    if thread.empties >= rules.empty_to_warn:
        warning = (
            f"{thread.empties} searches in a row brought nothing new: try other words, another channel, or finish."
        )
    sub_corpora, others = nearby(state)
    request = StepRequest(
        desk(state),
        state.channels,
        rules.steps - thread.steps,
        rules.date_days_max,
        warning,
        concern,
        sub_corpora,
        rules.sparing,
        others,
    )

    def read(text: str) -> tuple[StepReply, Action]:
        reply = read_reply(text, StepReply)
        return reply, read_action(state, reply)

    state, found = await consult(state, request, read)
    if found is None:
        why = unanswered(state) or "the model gave no readable step"
        return state, "" if state.limit or out_of_patience(state) else why
    return await _carry_out(state, *found)


async def _carry_out(state: State, reply: StepReply, action: Action) -> tuple[State, str]:
    """Do what was chosen; says why the sub-question ends by it, or nothing."""
    if action.kind == FINISH:
        return await record(state, _acted(state, reply, action, "finished", charged=False)), "the model finished"
    if action.kind == REVIEW:
        why = "no passage waits for review"
        return await record(state, Wasted(state.work.sub_question.id, Waste.REVIEW_DUE, why)), ""
    return await _search(state, reply, action), ""


async def _search(state: State, reply: StepReply, action: Action) -> State:
    """Carry out a search; repeated and empty ones are not charged (T9)."""
    thread = state.work
    if action.empty or action.quest is None:
        return await record(state, Wasted(thread.sub_question.id, Waste.EMPTY_QUERY, action.name))
    if action.name in thread.queries:
        return await record(state, Wasted(thread.sub_question.id, Waste.REPEATED, action.name))
    searches, failures = len(state.searches), len(state.failures)
    state = await hunt(state, action.quest)
    found = state.searches[searches:]
    seen = [f"{len(search.candidates)} new, {search.known} known" for search in found]
    seen += [f"{failed.channel} could not be searched: {failed.failure}" for failed in state.failures[failures:]]
    charged = any(search.candidates for search in found)
    state = await record(state, _acted(state, reply, action, "; ".join(seen), charged=charged))
    return await _hold_margin(state, action.quest, action.margin) if action.margin else state


async def _hold_margin(state: State, exact: Quest, margin: Quest) -> State:
    """T10: what only the widening of a date search finds goes to hold, unseen; not what its quota left out."""
    heard, state = await search_channels(state, margin)
    weights = channel_weights(state.rules.fusion, margin.text, (), heard.lists)
    fused = fuse(heard.lists, weights, state.rules.rrf_k, 10 * state.rules.channel_hits)
    new = [c for c in fused if c.document not in state.accepted and not is_known(state, c)]
    cards = {**state.cards, **{card.id: card for card in await describe(state, new)}}
    outside = [c for c in new if c.document in cards and not _dated_within(cards[c.document], exact.periods)]
    only = outside[: margin.limit]
    if not only:
        return state
    unmet = tuple(cards[c.document] for c in only if c.document not in state.cards)
    why = f"found only by widening {margin.by} by {state.rules.date_widening} day(s)"
    return await record(state, HeldUnseen(state.work.sub_question.id, tuple(only), why, unmet))


def _dated_within(card: DocumentCard, periods: Iterable[DatePeriod]) -> bool:
    date = card.period
    return date is not None and any(overlaps(date, period) for period in periods)


async def _set_aside(state: State, ended: str) -> State:
    """Nothing is silently dropped: what nobody reviewed is held."""
    left = tuple(waiting.candidate for waiting in due(state))
    if not left:
        return state
    return await record(state, HeldUnseen(state.work.sub_question.id, left, f"not reviewed: {ended}"))


def _acted(state: State, reply: StepReply, action: Action, observation: str, *, charged: bool) -> Acted:
    thread = state.work
    return Acted(
        thread.sub_question.id,
        reply.thought,
        action.name,
        observation,
        updated(thread.memory, reply.memory_update),
        charged,
    )
