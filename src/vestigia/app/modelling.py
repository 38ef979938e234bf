"""The models of an archive: listed as the settings have them, and tried out."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from vestigia.app.accounts import INPUT, OUTPUT
from vestigia.app.models import EXTRACTIVE, connected, connection_of
from vestigia.app.plugins import MODELS, installed
from vestigia.app.settings import Settings
from vestigia.domain.effects import Usage
from vestigia.domain.errors import SettingsError, UsageError

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Listed:
    """One model that can be named. What a line of the settings does not say is None; `problem` is a wrong line."""

    name: str
    model: str
    address: str | None = None
    key_from: str | None = None
    window: int | None = None
    schema: str | None = None
    rights: str = "own"
    concurrency: int | None = None
    price: float | None = None
    """US dollars of a call of the usual size (`docs/models.md`)."""
    answers: tuple[str, ...] = ()
    problem: str | None = None


def listed(settings: Settings) -> tuple[Listed, ...]:
    """List the models there are, and which tasks each answers; a line that is wrong says so."""
    rows = [Listed(EXTRACTIVE, "no language model", answers=_answers(settings, EXTRACTIVE))]
    rows += [_line(settings, name) for name in settings.models]
    for name in installed(MODELS):
        rows.append(Listed(name, "a plug-in's", rights="not said", answers=_answers(settings, name)))
    return tuple(rows)


def readers(settings: Settings) -> tuple[str, ...]:
    """The models that read and write: all that can be named but the rule, and none whose line is wrong."""
    return tuple(one.name for one in listed(settings) if one.name != EXTRACTIVE and not one.problem)


def check_named(settings: Settings, names: Sequence[str]) -> None:
    """Raise UsageError for a name that is none of theirs; an empty one is that of the settings."""
    there = readers(settings)
    for name in names:
        if name and name not in there:
            known = ", ".join(there) or "none; see docs/models.md"
            raise UsageError(f"there is no model {name!r}.", remedy=f"There are: {known}.")


def _line(settings: Settings, name: str) -> Listed:
    said = settings.models[name]
    try:
        connection = connection_of(name, said)
    except SettingsError as error:
        return Listed(name, said.model, rights="not known", answers=_answers(settings, name), problem=str(error))
    return Listed(
        name,
        connection.title,
        connection.address,
        connection.key_from or None,
        connection.window or None,
        "native" if connection.native else "prompted",
        "own" if connection.own else "third-party",
        connection.concurrency,
        _price(settings, name),
        _answers(settings, name),
    )


def _price(settings: Settings, name: str) -> float | None:
    try:
        from vestigia.models.connected.prices import cost  # noqa: PLC0415  an extra
    except ImportError:
        return None
    return cost(connection_of(name, settings.models[name]), Usage(INPUT, OUTPUT, 0), datetime.now(UTC))


def _answers(settings: Settings, name: str) -> tuple[str, ...]:
    single = settings.tasks.model_dump(exclude_none=True)
    rest = ("all tasks" if not single else "all other tasks",) if settings.ask.model == name else ()
    return (*(task for task, by in single.items() if by == name), *rest)


def check(settings: Settings, names: Sequence[str] = ()) -> tuple[Plain, ...]:
    """Try models out: all of the settings, or those named. Raises UsageError for a name that is none of them."""
    for name in names:
        if name not in settings.models:
            there = ", ".join(settings.models) or "none; see docs/models.md"
            raise UsageError(f"no model {name!r} is configured.", remedy=f"There are: {there}.")
    return tuple(_checked(settings, name) for name in names or settings.models)


def _checked(settings: Settings, name: str) -> Plain:
    said = settings.models[name]
    try:
        model = connected(name, said)
    except SettingsError as error:
        return {"name": name, "model": said.model, "problem": str(error)}
    from vestigia.models.connected.checking import check as try_out  # noqa: PLC0415  an extra

    found = asdict(asyncio.run(try_out(model)))
    return {"name": name, "model": model.name, **found, **{part: found[part] or None for part in ("problem", "served")}}
