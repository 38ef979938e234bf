"""Review (TRACE 3.4; T5, T6): verdicts on the passages shown, always against the original question."""

from dataclasses import replace

from vestigia.domain.events import Judged, Waste, Wasted
from vestigia.domain.evidence import Decision, Verdict
from vestigia.domain.ids import PassageId
from vestigia.domain.requests import Ahead, ReviewRequest
from vestigia.inquiry.abreast import abreast
from vestigia.inquiry.concise import read_review
from vestigia.inquiry.consult import consult, out_of_patience, too_long, why_silent
from vestigia.inquiry.crossing import record
from vestigia.inquiry.desk import desk, nearby, shown
from vestigia.inquiry.replies import ReviewReply, VerdictReply, read_reply, updated
from vestigia.inquiry.state import State, Waiting

UNMENTIONED = "the review said nothing about it"
READ = "read"
"""No verdict: the passage is to be shown whole first."""


def due(state: State) -> tuple[Waiting, ...]:
    """What waits for review, less what a sub-question beside this one has rejected meanwhile."""
    return tuple(w for w in state.work.pending if w.candidate.passage not in state.rejected)


async def review(state: State) -> tuple[State, object]:
    """Show the next batch, or side by side all that the steps and the patience left allow.

    Where one batch is all that is due, its reply may name the next action, too: it comes back as it was written.
    """
    thread, rules, waiting = state.work, state.rules, due(state)
    room = min(rules.step_ceiling - thread.steps, rules.patience - thread.calls) if rules.parallel > 1 else 1
    size = rules.review_size
    batches = [waiting[start : start + size] for start in range(0, len(waiting), size)][:room]
    if rules.concise and waiting == batches[0]:
        return await judge(state, waiting, _ahead(state))
    return await abreast(state, [_judged_beside(state, batch) for batch in batches]), None


def _ahead(state: State) -> Ahead | None:
    """What may be done next, or none where this review is the last step."""
    rules, left = state.rules, state.rules.steps - state.work.steps - 1
    return Ahead(state.channels, left, rules.date_days_max, *nearby(state)) if left > 0 else None


async def _judged_beside(state: State, batch: tuple[Waiting, ...]) -> State:
    """Show a batch beside others."""
    state, _ = await judge(state, batch)
    return state


async def judge(state: State, batch: tuple[Waiting, ...], ahead: Ahead | None = None) -> tuple[State, object]:
    """Show a batch, record what the model decides of each passage, and return the next action it names, or none.

    Another action than review is put aside and the batch is shown again: a review is due (T5). A batch that does not
    fit the model's window is halved; what the model gave no verdict on is held, never rejected.
    """
    rules = state.rules
    passages = tuple(shown(state, waiting, rules.excerpt) for waiting in batch)
    names = [one.passage for one in passages]
    request = ReviewRequest(desk(state), passages, rules.reason_length, numbered=rules.concise, ahead=ahead)

    def read(text: str) -> tuple[ReviewReply, object]:
        return read_review(text, names) if rules.concise else (read_reply(text, ReviewReply), None)

    state, found = await consult(state, request, read)
    reply, following = found or (None, None)
    if reply is not None and reply.action != "review" and not reply.args.verdicts:
        state = await record(state, Wasted(state.work.sub_question.id, Waste.REVIEW_DUE, reply.action))
        concern = f"You asked for {reply.action!r}, but these passages must be reviewed first."
        state, found = await consult(state, replace(request, concern=concern), read)
        reply, following = found or (None, None)
    if reply is None:
        if state.limit or out_of_patience(state):
            return state, None
        if too_long(state) and len(batch) > 1:
            return await judge(state, batch[: len(batch) // 2])
        return await record(state, judged(state, batch, ReviewReply(action="review"), why_silent(state))), None
    return await record(state, judged(state, batch, reply)), following


def judged(state: State, batch: tuple[Waiting, ...], reply: ReviewReply, silent: str = UNMENTIONED) -> Judged:
    """Make verdicts of a reply: one for every passage of the batch, none for any other (T6).

    A passage without a verdict, with two different ones or with a word that is no verdict, is held; `silent` is why
    where nothing was said of it. One of which only sentences were shown may be asked for whole, once.
    """
    limit = state.rules.reason_length
    unread: list[PassageId] = []
    said: dict[str, list[VerdictReply]] = {}
    for verdict in reply.args.verdicts:
        said.setdefault(verdict.passage, []).append(verdict)
    verdicts, unmentioned = [], 0
    for waiting in batch:
        about = said.pop(waiting.candidate.passage, [])
        words = {verdict.verdict for verdict in about}
        if len(words) == 1 and words <= {str(decision) for decision in Decision}:
            one = about[-1]
            verdicts.append(_verdict(waiting, Decision(one.verdict), one.reason[:limit].strip(), one.quote))
        elif words == {READ} and state.rules.excerpt and not waiting.whole:
            unread.append(waiting.candidate.passage)
        else:
            unmentioned += not about
            why = f"the review was unclear: {', '.join(sorted(words))}" if about else silent
            verdicts.append(_verdict(waiting, Decision.HOLD, why[:limit]))
    return Judged(
        state.work.sub_question.id,
        tuple(verdicts),
        updated(state.work.memory, reply.memory_update),
        unmentioned,
        unknown=sum(map(len, said.values())),
        unread=tuple(unread),
    )


def _verdict(waiting: Waiting, decision: Decision, reason: str, quote: str = "") -> Verdict:
    return Verdict(waiting.candidate.passage, waiting.candidate.document, decision, reason, quote)
