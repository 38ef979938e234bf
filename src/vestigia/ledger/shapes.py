"""How values become JSON and JSON becomes values again, read off the types themselves.

The classes of `domain` are the schema; there is no second description that could drift from it.

- A dataclass is an object of its fields. A field is left out exactly when it holds its default and that default is
  *nothing* (None, "", (), 0, False): so a new version may add such a field and still write an old entry byte for byte,
  while a number that matters (a budget, a constant of the method) is always spelled out.
- A dataclass that is one of several in a union carries `type`: the name of its class in snake case.
- Reading is strict: an unknown or missing field, another type, an unknown name are refused, saying where.
"""

import math
import re
import types
from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple, NewType, TypeAlias, Union, get_args, get_origin, get_type_hints

TAG = "type"
"""Not `kind`: `Wasted` has a field of that name."""
Value: TypeAlias = Any
"""A value whose type is known only at run time, from the field it stands in."""
_PLAIN = {str: "text", int: "a whole number", bool: "true or false"}


class UnfitError(ValueError):
    """A value does not fit its type; `place` is the way to it, outermost first."""

    def __init__(self, why: str, place: str = "") -> None:
        super().__init__(f"{place.lstrip('.') or 'it'} {why}")
        self.why = why
        self.place = place

    def inside(self, step: str) -> "UnfitError":
        """Return the same complaint, seen from one level further out."""
        return UnfitError(self.why, step + self.place)


class Shape(NamedTuple):
    """One type: `write` turns its values into JSON values, `read` does the inverse or raises UnfitError."""

    write: Callable[[Value], Value]
    read: Callable[[Value], Value]


@cache
def shape(hint: Value) -> Shape:
    """Return the shape of a type: a dataclass, enum, plain value, tuple, optional or tagged union.

    Raises TypeError for a type a ledger cannot hold, when the program starts rather than when a run is written.
    """
    origin: Value = get_origin(hint)
    if isinstance(hint, NewType):
        return shape(hint.__supertype__)
    if origin in {Union, types.UnionType}:
        return _union(get_args(hint))
    if origin is tuple:
        return _tuple(get_args(hint))
    if isinstance(hint, type):
        return _class(hint)
    raise TypeError(f"a ledger cannot hold values of type {hint}")


def tag(kind: type) -> str:
    """Return the name a class of a union carries in the ledger: `SubQuestionOpened` is `sub_question_opened`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind.__name__).lower()


def _same(value: Value) -> Value:
    return value


def _class(kind: type) -> Shape:
    if is_dataclass(kind):
        return _record(kind)
    if issubclass(kind, StrEnum):
        return _enum(kind)
    if kind is float:
        return Shape(_same, _read_float)
    if kind in _PLAIN:
        return _plain(kind)
    raise TypeError(f"a ledger cannot hold values of type {kind}")


def _plain(kind: type) -> Shape:
    name = _PLAIN[kind]

    def read(raw: Value) -> Value:
        if type(raw) is not kind:  # not isinstance: True is no number
            raise UnfitError(f"is not {name}: {raw!r:.60}")
        return raw

    return Shape(_same, read)


def _read_float(raw: Value) -> float:
    # Canonical JSON writes 2.0 as 2.
    if type(raw) not in {int, float}:
        raise UnfitError(f"is not a number: {raw!r:.60}")
    number = float(raw)
    if not math.isfinite(number):
        raise UnfitError(f"is not a finite number: {raw!r}")
    return number


def _enum(kind: type[StrEnum]) -> Shape:
    def read(raw: Value) -> StrEnum:
        if raw not in known:
            raise UnfitError(f"is none of {', '.join(known)}: {raw!r:.60}")
        return kind(raw)

    known = [member.value for member in kind]
    return Shape(str, read)


def _tuple(parts: tuple[Value, ...]) -> Shape:
    varied = parts[-1] is not Ellipsis

    def pairs(values: Value) -> Iterable[tuple[str, Shape, Value]]:
        # Lists are let in on writing as well: what is read back is a tuple.
        if not isinstance(values, (tuple, list)) or (varied and len(values) != len(parts)):
            raise UnfitError(f"is not a list{f' of {len(parts)}' if varied else ''}: {values!r:.60}")
        shapes = (shape(parts[place if varied else 0]) for place in range(len(values)))
        return ((f"[{place}]", part, value) for place, (part, value) in enumerate(zip(shapes, values, strict=True)))

    return Shape(
        lambda values: [_at(place, part.write, value) for place, part, value in pairs(values)],
        lambda raw: tuple(_at(place, part.read, value) for place, part, value in pairs(raw)),
    )


def _union(options: tuple[Any, ...]) -> Shape:
    some = [option for option in options if option is not type(None)]
    inner = shape(some[0]) if len(some) == 1 else _tagged(some)
    if len(some) == len(options):
        return inner
    return Shape(
        lambda value: None if value is None else inner.write(value),
        lambda raw: None if raw is None else inner.read(raw),
    )


def _tagged(kinds: list[type]) -> Shape:
    names = {kind: tag(kind) for kind in kinds}
    shapes = {names[kind]: shape(kind) for kind in kinds}
    if len(shapes) < len(kinds) or any(TAG in get_type_hints(kind) for kind in kinds):
        raise TypeError(f"two classes of a union share a name, or one has a field `{TAG}`: {', '.join(names.values())}")

    def write(value: Value) -> Value:
        if type(value) not in names:
            raise UnfitError(f"is a {type(value).__name__}, which is none of {', '.join(shapes)}")
        name = names[type(value)]
        return {TAG: name, **shapes[name].write(value)}

    def read(raw: Value) -> Value:
        name = raw.get(TAG) if type(raw) is dict else None
        if not isinstance(name, str) or name not in shapes:
            raise UnfitError(f"has the unknown type {name!r:.60}; known are {', '.join(shapes)}")
        return shapes[name].read({key: value for key, value in raw.items() if key != TAG})

    return Shape(write, read)


def _record(kind: type) -> Shape:
    hints = get_type_hints(kind)
    parts = {field.name: shape(hints[field.name]) for field in fields(kind)}
    nothing = {field.name: field.default for field in fields(kind) if _may_be_left_out(field)}
    return Shape(_record_writer(kind, parts, nothing), _record_reader(kind, parts, nothing))


def _may_be_left_out(field: Field[Any]) -> bool:
    return field.default is not MISSING and (field.default is None or field.default in ("", (), 0, False))


def _record_writer(kind: type, parts: dict[str, Shape], nothing: dict[str, Value]) -> Callable[[Value], Value]:
    def write(value: Value) -> Value:
        if type(value) is not kind:
            raise UnfitError(f"is not a {kind.__name__}: {value!r:.60}")
        held = {name: getattr(value, name) for name in parts}
        return {
            name: _at(f".{name}", part.write, held[name])
            for name, part in parts.items()
            if name not in nothing or held[name] != nothing[name]
        }

    return write


def _record_reader(kind: type, parts: dict[str, Shape], nothing: dict[str, Value]) -> Callable[[Value], Value]:
    required = [name for name in parts if name not in nothing]

    def read(raw: Value) -> Value:
        if type(raw) is not dict:
            raise UnfitError(f"is not an object: {raw!r:.60}")
        if unknown := [name for name in raw if name not in parts]:
            raise UnfitError(f"has the unknown field {unknown[0]!r:.60}")
        if missing := [name for name in required if name not in raw]:
            raise UnfitError(f"lacks the field {missing[0]!r}")
        values = {name: _at(f".{name}", parts[name].read, value) for name, value in raw.items()}
        try:
            return kind(**values)
        except ValueError as error:  # the class itself refuses, e.g. a period that ends before it begins
            raise UnfitError(f"is refused: {error}") from error

    return read


def _at(step: str, work: Callable[[Value], Value], value: Value) -> Value:
    try:
        return work(value)
    except UnfitError as error:
        raise error.inside(step) from None
