"""Asking the model: bounded retries, a hard budget, and an account of every call (T8, T9, T16)."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from vestigia.domain.effects import AskModel, Replied
from vestigia.domain.events import BudgetReached, Consulted, Outcome
from vestigia.domain.requests import Request
from vestigia.inquiry.crossing import ask_one, record
from vestigia.inquiry.fold import State
from vestigia.inquiry.replies import UnreadableError

T = TypeVar("T")

TASKS = {
    "PlanRequest": "plan",
    "StepRequest": "step",
    "ReviewRequest": "review",
    "ReevaluateRequest": "reevaluate",
    "BriefRequest": "brief",
    "ReplanRequest": "replan",
    "RankRequest": "rank",
}


async def consult(state: State, request: Request, read: Callable[[str], T]) -> tuple[State, T | None]:
    """Ask until the reply can be read, at most `parse_retries` times more; none when the budget or patience ended.

    `read` turns the raw reply into a value or raises UnreadableError; its words go back to the model as the concern.
    """
    for _ in range(1 + state.rules.parse_retries):
        state = await heed_budget(state)
        if state.limit or out_of_patience(state):
            return state, None
        replied = await ask_one(AskModel(request), Replied)
        problem, value = "", None
        try:
            value = read(replied.text)
        except UnreadableError as unreadable:
            problem = str(unreadable)
        state = await record(state, _account(state, request, replied, problem))
        if not problem:
            return state, value
        request = replace(request, concern=f"Your last reply could not be read: {problem}.")
    return state, None


async def heed_budget(state: State) -> State:
    """Record the limit that was reached, once (T16): what follows is a partial result."""
    budget = state.rules.budget
    if state.limit:
        return state
    if budget.calls is not None and state.calls >= budget.calls:
        return await record(state, BudgetReached(f"{budget.calls} model calls"))
    if budget.tokens is not None and state.tokens >= budget.tokens:
        return await record(state, BudgetReached(f"{budget.tokens} tokens"))
    return state


def out_of_patience(state: State) -> bool:
    """Whether the sub-question at work has used all its calls, wasted ones included."""
    return state.thread is not None and state.thread.calls >= state.rules.patience


def _account(state: State, request: Request, replied: Replied, problem: str) -> Consulted:
    return Consulted(
        task=TASKS[type(request).__name__],
        model=replied.model,
        usage=replied.usage,
        problem=problem,
        outcome=Outcome.UNREADABLE if problem else Outcome.READ,
        sub_question=state.thread.sub_question.id if state.thread else None,
    )
