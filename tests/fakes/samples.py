"""Values of every kind a ledger can hold, read off the types, so that a new kind is tested from its first day."""

import types
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Any, NewType, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from vestigia.domain.commissions import Commission
from vestigia.domain.effects import Answer, AskModel, Effect
from vestigia.domain.entries import Answered, Asked, Begun, Body, Entry, Recorded
from vestigia.domain.events import Event
from vestigia.domain.ids import Digest, RunId, digest
from vestigia.domain.periods import DatePeriod, Precision
from vestigia.domain.requests import Request
from vestigia.domain.rules import Rules
from vestigia.ledger.codec import seal

RUN = RunId("2026-01-02-le-blocus-abcdef")


def full(hint: Any, name: str = "value") -> Any:  # noqa: PLR0911
    """A value of a type with every field filled; of a union, of its first class."""
    plain = {
        str: f'{name}: « é »\n\u2028"\\',
        int: 7,
        float: 0.1,
        bool: True,
        Rules: Rules(pause=("plan",)),
        DatePeriod: DatePeriod(-30317, -29953, Precision.YEAR, text="1887", edtf="1887", rule="year"),
    }
    origin, parts = get_origin(hint), get_args(hint)
    if hint is Digest:
        return digest(name)
    if isinstance(hint, NewType):
        return full(hint.__supertype__, name)
    if hint in plain:
        return plain[hint]
    if origin in {Union, types.UnionType}:
        return full(parts[0], name)
    if origin is tuple:
        return tuple(full(part, name) for part in parts if part is not Ellipsis)
    if issubclass(hint, StrEnum):
        return list(hint)[-1]
    return hint(**{field.name: full(get_type_hints(hint)[field.name], field.name) for field in fields(hint)})


def bare(kind: type) -> Any:
    """A value of a class with nothing filled but what must be."""
    hints = get_type_hints(kind)
    return kind(**{field.name: bare_value(hints[field.name]) for field in fields(kind) if field.default is MISSING})


def bare_value(hint: Any) -> Any:
    if get_origin(hint) is tuple and Ellipsis in get_args(hint):
        return ()
    if get_origin(hint) in {Union, types.UnionType} and type(None) in get_args(hint):
        return None
    if is_dataclass(hint) and hint is not DatePeriod:
        return bare(hint)
    return full(hint)


def bodies() -> Iterator[Body]:
    """Every body, event, effect, request and answer, once bare and once full."""
    for make in (bare, full):
        yield make(Begun)
        yield from (replace(make(Begun), commission=make(kind)) for kind in get_args(Commission))
        yield Asked(tuple(make(effect) for effect in get_args(Effect)))
        yield Asked(tuple(AskModel(make(request)) for request in get_args(Request)))
        yield Answered(tuple(make(answer) for answer in get_args(Answer)))
        yield from (Recorded(make(event)) for event in get_args(Event))


def chain(some: Iterator[Body] | list[Body], run: RunId = RUN) -> list[bytes]:
    """The lines of a ledger that holds these bodies."""
    lines, previous = [], digest(run)
    for number, body in enumerate(some):
        actor = "person:Ada" if number % 2 else "code"
        entry, line = seal(Entry(number, previous, Digest(""), ticking(number)(), actor, body, number / 8 or None))
        previous = entry.digest
        lines.append(line)
    return lines


def ticking(start: int = 0) -> Callable[[], str]:
    """A clock that is a second later every time it is read."""
    ticks = iter(range(start, 3600))

    def read() -> str:
        minutes, seconds = divmod(next(ticks), 60)
        return f"2026-01-02T10:{minutes:02d}:{seconds:02d}Z"

    return read


@cache
def values(hint: Any) -> st.SearchStrategy[Any]:  # noqa: PLR0911
    """Any value of a type that a ledger can hold; without touching what hypothesis knows of floats elsewhere."""
    origin, parts = get_origin(hint), get_args(hint)
    plain = {
        str: st.text(max_size=8),
        bool: st.booleans(),
        type(None): st.none(),
        int: st.integers(1 - 2**53, 2**53 - 1),
        float: st.floats(allow_nan=False, allow_infinity=False),
        Rules: st.builds(
            lambda steps, hits: replace(Rules(), steps=steps, channel_hits=hits), st.integers(1, 15), st.integers(0, 99)
        ),
    }
    if isinstance(hint, NewType):
        return values(hint.__supertype__)
    if hint in plain:
        return plain[hint]
    if origin in {Union, types.UnionType}:
        return st.one_of([values(part) for part in parts])
    if origin is tuple and Ellipsis in parts:
        return st.lists(values(parts[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*(values(part) for part in parts))
    if issubclass(hint, StrEnum):
        return st.sampled_from(list(hint))
    hints = get_type_hints(hint)
    made = {field.name: values(hints[field.name]) for field in fields(hint)}
    if hint is DatePeriod:
        made["last"] = st.just(2**53 - 1)
    return st.builds(hint, **made)
