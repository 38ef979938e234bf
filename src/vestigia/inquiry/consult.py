"""Asking the model: bounded retries, a hard budget, and an account of every call (T8, T9, T16).

*Not relevant*, *unreadable* and *no answer* are three things: the first is a verdict, the second is counted here, the
third never comes back to the core (the run is paused until it is resumed).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from typing import TypeVar

from vestigia.domain.effects import AskModel, Replied, Stop, Usage
from vestigia.domain.events import BudgetReached, Consulted, Outcome
from vestigia.domain.ids import SubQuestionId
from vestigia.domain.requests import Request
from vestigia.inquiry.crossing import ask_one, look_round, record
from vestigia.inquiry.fold import cost_of, tokens_of
from vestigia.inquiry.replies import UnreadableError
from vestigia.inquiry.state import State

T = TypeVar("T")

CUT = "it was cut off at the greatest length of a reply: answer shorter"
TASKS = {
    "PlanRequest": "plan",
    "StepRequest": "step",
    "ReviewRequest": "review",
    "ReevaluateRequest": "reevaluate",
    "BriefRequest": "brief",
    "ReplanRequest": "replan",
    "RankRequest": "rank",
    "JudgeRequest": "judge",
    "QuoteRequest": "quote",
    "InterpretRequest": "interpret",
    "SynthesisRequest": "synthesis",
}
OF_CHOSEN = ("judge", "interpret", "quote", "synthesis")
"""Tasks of work on chosen sources; a question needs none of them. Who interprets quotes and writes the synthesis."""


async def consult(state: State, request: Request, read: Callable[[str], T]) -> tuple[State, T | None]:
    """Ask until the reply can be read, at most `parse_retries` times more; none when the budget or patience ended.

    `read` turns the raw reply into a value or raises UnreadableError; its words go back to the model as the concern.
    A refusal, or a request that does not fit the model's window, is not asked again: it would end the same way.
    """
    for _ in range(1 + state.rules.parse_retries):
        state, under_way = await look_round(state)
        state = await heed_budget(state, under_way)
        if state.limit or out_of_patience(state, under_way):
            return state, None
        replied = await ask_one(AskModel(request), Replied)
        outcome, problem, value = _outcome(replied, read)
        state = await record(state, _account(state, request, replied, outcome, problem))
        if outcome is not Outcome.UNREADABLE:
            return state, value
        request = replace(request, concern=f"Your last reply could not be read: {problem}.")
    return state, None


def unanswered(state: State) -> str:
    """Say why the last request had no answer: refused, or too long for the model's window; else nothing."""
    last = state.consultations[-1] if state.consultations else None
    if last is None or last.outcome not in {Outcome.REFUSED, Outcome.TOO_LONG}:
        return ""
    return f"{last.model}: {last.problem}"


def why_silent(state: State) -> str:
    """Say why the last consultation gave nothing that could be used: a passage it was about is not judged."""
    last = state.consultations[-1] if state.consultations else None
    if last is not None and last.outcome is Outcome.UNREADABLE:
        return f"not judged: no reply of {last.model} could be read"
    return f"not judged: {why}" if (why := unanswered(state)) else "not judged"


def too_long(state: State) -> bool:
    """Whether the last request did not fit the model's window."""
    return bool(state.consultations) and state.consultations[-1].outcome is Outcome.TOO_LONG


async def heed_budget(state: State, under_way: Sequence[SubQuestionId | None] = ()) -> State:
    """Record the limit that was reached, once (T16): what follows is a partial result.

    Calls under way side by side count as made, each with the tokens and the cost of the largest so far. A limit in
    money is taken for reached when the cost of a call is not known.
    """
    reached = "" if state.limit else _reached(state, len(under_way))
    return await record(state, BudgetReached(reached)) if reached else state


def _reached(state: State, under_way: int) -> str:
    """Name the limit that was reached, or nothing."""
    budget = state.rules.budget
    unpriced = any(consulted.usage.cost is None for consulted in state.consultations)
    cost = inf if unpriced else state.cost + under_way * _most(state, cost_of)
    doubt = ", which a call of unknown cost may have crossed" if unpriced else ""
    used = (
        (budget.calls, state.calls + under_way, f"{budget.calls} model calls"),
        (budget.tokens, state.tokens + under_way * _most(state, tokens_of), f"{budget.tokens} tokens"),
        (budget.cost, cost, f"{budget.cost or 0:g} USD{doubt}"),
        (budget.seconds, state.worked, f"{(budget.seconds or 0) / 60:g} minutes"),
    )
    return next((said for limit, so_far, said in used if limit is not None and so_far >= limit), "")


def _most(state: State, of: Callable[[Usage], float]) -> float:
    """The most that a call has come to so far."""
    return max((of(consulted.usage) for consulted in state.consultations), default=0)


def out_of_patience(state: State, under_way: Sequence[SubQuestionId | None] = ()) -> bool:
    """Whether the sub-question at work has used all its calls, wasted ones and those under way included."""
    thread = state.thread
    return thread is not None and thread.calls + under_way.count(thread.sub_question.id) >= state.rules.patience


def _outcome(replied: Replied, read: Callable[[str], T]) -> tuple[Outcome, str, T | None]:
    """Read a reply: what became of it, what is wrong with it in words, and its value."""
    if replied.stop is Stop.REFUSED:
        return Outcome.REFUSED, replied.text or "it would not answer", None
    if replied.stop is Stop.TOO_LONG:
        return Outcome.TOO_LONG, replied.text or "the request does not fit its window", None
    if replied.stop is Stop.LENGTH:
        return Outcome.UNREADABLE, CUT, None
    if not replied.text.strip():
        return Outcome.UNREADABLE, "it was empty", None
    try:
        return Outcome.READ, "", read(replied.text)
    except UnreadableError as unreadable:
        return Outcome.UNREADABLE, str(unreadable), None


def _account(state: State, request: Request, replied: Replied, outcome: Outcome, problem: str) -> Consulted:
    return Consulted(
        task=TASKS[type(request).__name__],
        model=replied.model,
        usage=replied.usage,
        problem=problem,
        outcome=outcome,
        sub_question=state.thread.sub_question.id if state.thread else None,
        notes=replied.notes,
        marks=replied.marks,
        worked=replied.worked,
    )
