"""Review (TRACE 3.4; T5, T6): verdicts on the passages shown, always against the original question."""

from dataclasses import replace

from vestigia.domain.events import Judged, Waste, Wasted
from vestigia.domain.evidence import Decision, Verdict
from vestigia.domain.ids import PassageId
from vestigia.domain.requests import ReviewRequest
from vestigia.inquiry.abreast import abreast
from vestigia.inquiry.consult import consult, out_of_patience, too_long, why_silent
from vestigia.inquiry.crossing import record
from vestigia.inquiry.desk import desk, shown
from vestigia.inquiry.replies import ReviewReply, VerdictReply, read_reply, updated
from vestigia.inquiry.state import State, Waiting

UNMENTIONED = "the review said nothing about it"
READ = "read"
"""No verdict: the passage is to be shown whole first."""


def due(state: State) -> tuple[Waiting, ...]:
    """What waits for review, less what a sub-question beside this one has rejected meanwhile."""
    return tuple(w for w in state.work.pending if w.candidate.passage not in state.rejected)


async def review(state: State) -> State:
    """Show the next batch, or side by side all that the steps and the patience left allow."""
    thread, rules, waiting = state.work, state.rules, due(state)
    room = min(rules.step_ceiling - thread.steps, rules.patience - thread.calls) if rules.parallel > 1 else 1
    size = rules.review_size
    batches = [waiting[start : start + size] for start in range(0, len(waiting), size)][:room]
    return await abreast(state, [judge(state, batch) for batch in batches])


async def judge(state: State, batch: tuple[Waiting, ...]) -> State:
    """Show a batch and record what the model decides of each passage.

    Another action than review is put aside and the batch is shown again: a review is due (T5). A batch that does not
    fit the model's window is halved; what the model gave no verdict on is held, never rejected.
    """
    rules = state.rules
    passages = tuple(shown(state, waiting, rules.excerpt) for waiting in batch)
    request = ReviewRequest(desk(state), passages, rules.reason_length)
    state, reply = await consult(state, request, lambda text: read_reply(text, ReviewReply))
    if reply is not None and reply.action != "review" and not reply.args.verdicts:
        state = await record(state, Wasted(state.work.sub_question.id, Waste.REVIEW_DUE, reply.action))
        concern = f"You asked for {reply.action!r}, but these passages must be reviewed first."
        state, reply = await consult(state, replace(request, concern=concern), lambda t: read_reply(t, ReviewReply))
    if reply is None:
        if state.limit or out_of_patience(state):
            return state
        if too_long(state) and len(batch) > 1:
            return await judge(state, batch[: len(batch) // 2])
        return await record(state, judged(state, batch, ReviewReply(action="review"), why_silent(state)))
    return await record(state, judged(state, batch, reply))


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
