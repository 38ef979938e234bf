"""Limits and checkpoints of a run as they are asked for, laid over the archive's own."""

from dataclasses import dataclass

from vestigia.app.settings import Settings, checked, rules_of
from vestigia.domain.errors import UsageError
from vestigia.domain.rules import Budget, Rules

CHECKPOINTS = ("plan", "holds", "briefs", "final")


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits asked for; None is the archive's own."""

    calls: int | None = None
    tokens: int | None = None
    steps: int | None = None
    cost: float | None = None
    minutes: float | None = None


def limited(settings: Settings, typed: Limits = Limits(), pause: str = "") -> Rules:
    """The archive's rules with the limits asked for."""
    return bounded(rules_of(settings), typed, pause)


def bounded(rules: Rules, typed: Limits = Limits(), pause: str = "") -> Rules:
    """Rules with the limits asked for; `pause` names checkpoints, or `none`."""
    stops = tuple(stop.strip() for stop in pause.split(",") if stop.strip())
    never = stops == ("none",)
    for stop in () if never else stops:
        if stop not in CHECKPOINTS:
            raise UsageError(
                f"there is no checkpoint {stop!r}.", where="--pause", remedy=f"There are: {', '.join(CHECKPOINTS)}."
            )
    own = rules.budget
    budget = Budget(
        calls=own.calls if typed.calls is None else typed.calls,
        tokens=own.tokens if typed.tokens is None else typed.tokens,
        cost=own.cost if typed.cost is None else typed.cost,
        seconds=own.seconds if typed.minutes is None else typed.minutes * 60,
    )
    changed: dict[str, object] = {"pause": () if never else stops or rules.pause, "steps": typed.steps or rules.steps}
    return checked(rules, budget, rules.switches, changed)
