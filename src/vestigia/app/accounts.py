"""What a run may cost and what it took: an estimate before it starts, the money it may use, the time it used (T16)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from time import monotonic

from vestigia.app.models import Answering
from vestigia.domain.effects import Usage
from vestigia.domain.entries import Answered, Asked, Entry, Recorded
from vestigia.domain.errors import UsageError
from vestigia.domain.events import Paused
from vestigia.domain.ports import Model
from vestigia.domain.rules import Rules
from vestigia.models.connected.connection import Connection
from vestigia.models.extractive.model import ExtractiveModel

ONCE = {"plan": 1, "rank": 1}
"""Calls of a run, by task; with four sub-questions the rule gives the 34 calls that TRACE published."""
EACH = {"step": 3, "review": 2, "reevaluate": 1, "brief": 1, "replan": 1}
"""Calls of a sub-question, by task."""
CONCISE = {"step": 1, "review": 2, "reevaluate": 1}
"""The same where one call does what takes several (`rules.concise`)."""
INPUT, OUTPUT = 3000, 670
"""Tokens of a call: TRACE's published averages."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run will take, by the plain rule of `docs/models.md`; an unknown price is None.

    Work on chosen sources has no sub-questions.
    """

    sub_questions: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds a run waited for models, and seconds it worked itself; neither people nor pauses count."""

    models: float = 0.0
    own: float = 0.0


def estimate(by: Answering, rules: Rules, at: datetime, sub_questions: int = 0) -> Estimate | None:
    """Estimate a run of so many sub-questions (0: as many as the rules allow); None where no language model answers."""
    if not any(connection_of(one) for one in by.models):
        return None
    parts = sub_questions or rules.max_sub_questions
    tasks = ONCE | {task: number * parts for task, number in (CONCISE if rules.concise else EACH).items()}
    limit = rules.budget.calls
    calls = sum(tasks.values())
    share = min(1.0, limit / calls) if limit is not None else 1.0
    costs = [_price(by.tasks.get(task, by.model), at) for task in tasks]
    cost = None if None in costs else sum(p * n for p, n in zip(costs, tasks.values(), strict=True) if p is not None)
    asked = round(calls * share)
    return Estimate(parts, asked, asked * INPUT, asked * OUTPUT, None if cost is None else cost * share)


def estimate_calls(by: Answering, asked: Sequence[tuple[int, int]], limit: int | None, at: datetime) -> Estimate | None:
    """Estimate calls of one model, (tokens in, tokens out) each, no more than the limit; None where it is none."""
    if connection_of(by.model) is None or not asked:
        return None
    share = min(1.0, limit / len(asked)) if limit is not None else 1.0
    taken, given = (sum(part) for part in zip(*asked, strict=True))
    usual = Usage(taken // len(asked), given // len(asked), 0)
    price = _price(by.model, at, usual)
    cost = None if price is None else price * len(asked) * share
    return Estimate(0, round(len(asked) * share), round(taken * share), round(given * share), cost)


def affordable(rules: Rules, by: Answering, at: datetime) -> Rules:
    """Return the rules. Raises UsageError when they limit money and the price of a model is unknown."""
    unpriced = [one.name for one in by.models if _price(one, at) is None]
    if rules.budget.cost is not None and unpriced:
        raise UsageError(
            f"a limit in money cannot be kept: the price of {', '.join(unpriced)} is not known.",
            remedy="Set its `price = [input, output]` in vestigia.toml (for a million tokens), or limit tokens.",
        )
    return rules


def connection_of(one: Model) -> Connection | None:
    """The connection of a model behind a network address, or none."""
    found = getattr(one, "connection", None)
    return found if isinstance(found, Connection) else None


def _price(one: Model, at: datetime, usual: Usage = Usage(INPUT, OUTPUT, 0)) -> float | None:
    """The price of a call of the usual size; a model that is none costs nothing, a plug-in's is unknown."""
    connection = connection_of(one)
    if connection is None:
        return 0.0 if isinstance(one, ExtractiveModel) else None
    from vestigia.models.connected.prices import cost  # noqa: PLC0415  an extra

    return cost(connection, usual, at)


def times(entries: Sequence[Entry]) -> Times:
    """Add up what the record says each answer took, and the time between entries that nobody was waited for."""
    models = own = 0.0
    for before, entry in pairwise(entries):
        gap = (datetime.fromisoformat(entry.time) - datetime.fromisoformat(before.time)).total_seconds()
        if isinstance(entry.body, Answered):
            models += (entry.took or 0.0) if entry.actor.startswith("model:") else 0.0
            own += 0.0 if entry.actor.startswith("model:") else entry.took or 0.0
        elif _is_pause(entry):
            models += gap
        elif not entry.actor.startswith("person:") and not _is_pause(before) and not isinstance(before.body, Asked):
            own += gap
    return Times(round(models, 3), round(own, 3))


def _is_pause(entry: Entry) -> bool:
    return isinstance(entry.body, Recorded) and isinstance(entry.body.event, Paused)


def working_clock(entries: Sequence[Entry], stopwatch: Callable[[], float] = monotonic) -> Callable[[], float]:
    """Return a clock of the seconds a run has been at work: those recorded so far, and those from now on."""
    before, began = sum(entry.took or 0.0 for entry in entries), stopwatch()
    return lambda: round(before + stopwatch() - began, 3)
