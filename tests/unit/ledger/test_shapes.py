"""Values become JSON by their type, and only what fits the type becomes a value again."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NewType

import pytest

from vestigia.ledger.shapes import UnfitError, shape, tag

Name = NewType("Name", str)


class Colour(StrEnum):
    RED = "red"
    PALE_BLUE = "pale blue"


@dataclass(frozen=True, slots=True)
class Fruit:
    name: Name
    weight: float
    seeds: int = 0
    ripe: bool = True
    note: str = ""
    colours: tuple[Colour, ...] = ()
    box: tuple[int, str] | None = None


@dataclass(frozen=True, slots=True)
class RootCrop:
    depth: int

    def __post_init__(self) -> None:
        if self.depth < 0:
            raise ValueError("a root does not grow upwards")


@dataclass(frozen=True, slots=True)
class Basket:
    held: tuple[Fruit | RootCrop, ...]


@pytest.mark.parametrize(
    ("hint", "value", "written"),
    [
        (str, "é", "é"),
        (int, 3, 3),
        (bool, False, False),
        (float, 2.0, 2.0),
        (Name, "pear", "pear"),
        (Colour, Colour.PALE_BLUE, "pale blue"),
        (int | None, None, None),
        (int | None, 3, 3),
        (tuple[int, ...], (), []),
        (tuple[int, ...], (1, 2), [1, 2]),
        (tuple[str, float], ("a", 0.5), ["a", 0.5]),
        (RootCrop, RootCrop(3), {"depth": 3}),
        (Fruit | RootCrop, RootCrop(3), {"type": "root_crop", "depth": 3}),
        (Basket, Basket((RootCrop(3),)), {"held": [{"type": "root_crop", "depth": 3}]}),
    ],
)
def test_a_value_is_written_and_read_by_its_type(hint: Any, value: object, written: object) -> None:
    assert shape(hint).write(value) == written
    assert shape(hint).read(written) == value


def test_a_field_is_left_out_when_it_holds_nothing_and_nothing_is_its_default() -> None:
    assert shape(Fruit).write(Fruit(Name("pear"), 0.0)) == {"name": "pear", "weight": 0.0, "ripe": True}
    full = Fruit(Name("pear"), 0.0, 1, False, "soft", (Colour.RED,), (1, "a"))
    assert shape(Fruit).write(full) == {
        "name": "pear",
        "weight": 0.0,
        "seeds": 1,
        "ripe": False,
        "note": "soft",
        "colours": ["red"],
        "box": [1, "a"],
    }


def test_a_whole_number_is_read_as_a_float_where_a_float_stands() -> None:
    """Canonical JSON writes 2.0 as 2."""
    read = shape(float).read(2)
    assert isinstance(read, float)


def test_lists_become_tuples() -> None:
    assert shape(Basket).read(shape(Basket).write(Basket([RootCrop(1)]))) == Basket((RootCrop(1),))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hint", "raw", "complaint"),
    [
        (str, 3, "it is not text: 3"),
        (int, True, "it is not a whole number: True"),
        (int, 3.0, "it is not a whole number: 3.0"),
        (bool, 1, "it is not true or false: 1"),
        (float, "3", "it is not a number: '3'"),
        (float, True, "it is not a number: True"),
        (float, float("nan"), "it is not a finite number: nan"),
        (Colour, "green", "it is none of red, pale blue: 'green'"),
        (Colour, [], "it is none of red, pale blue: []"),
        (tuple[int, ...], "12", "it is not a list: '12'"),
        (tuple[int, str], [1], "it is not a list of 2: [1]"),
        (tuple[int, ...], [1, "b"], "[1] is not a whole number: 'b'"),
        (RootCrop, [], "it is not an object: []"),
        (RootCrop, {}, "it lacks the field 'depth'"),
        (RootCrop, {"depth": 1, "width": 2}, "it has the unknown field 'width'"),
        (RootCrop, {"depth": -1}, "it is refused: a root does not grow upwards"),
        (RootCrop | None, "x", "it is not an object: 'x'"),
        (Fruit | RootCrop, {"depth": 1}, "it has the unknown type None; known are fruit, root_crop"),
        (Fruit | RootCrop, {"type": [], "depth": 1}, "it has the unknown type []; known are fruit, root_crop"),
        (
            Basket,
            {"held": [{"type": "root_crop", "depth": 1}, {"type": "fruit", "name": "a", "ripe": True, "weight": "1"}]},
            "held[1].weight is not a number: '1'",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(hint: Any, raw: object, complaint: str) -> None:
    with pytest.raises(UnfitError, match=f"^{re.escape(complaint)}$"):
        shape(hint).read(raw)


@pytest.mark.parametrize(
    ("hint", "value", "complaint"),
    [
        (RootCrop, Basket(()), "it is not a RootCrop"),
        (Fruit | RootCrop, Basket(()), "it is a Basket, which is none of fruit, root_crop"),
        (Basket, Basket(None), "held is not a list: None"),  # type: ignore[arg-type]
        (Basket, Basket(("x",)), "held[0] is a str, which is none of fruit, root_crop"),  # type: ignore[arg-type]
    ],
)
def test_what_does_not_fit_is_not_written(hint: Any, value: object, complaint: str) -> None:
    with pytest.raises(UnfitError, match=f"^{re.escape(complaint)}"):
        shape(hint).write(value)


@pytest.mark.parametrize("hint", [dict[str, int], bytes, "RootCrop", list[int]])
def test_a_type_that_no_ledger_can_hold_is_a_fault_of_the_program(hint: Any) -> None:
    with pytest.raises(TypeError, match="a ledger cannot hold values of type"):
        shape(hint)


def test_a_field_called_type_would_hide_the_tag() -> None:
    @dataclass(frozen=True)
    class Typed:
        type: str

    with pytest.raises(TypeError, match="has a field `type`"):
        shape(Typed | RootCrop)


def test_two_classes_of_one_name_could_not_be_told_apart() -> None:
    @dataclass(frozen=True)
    class Rootcrop:
        depth: int

    Rootcrop.__name__ = "RootCrop"
    with pytest.raises(TypeError, match="share a name"):
        shape(Rootcrop | RootCrop)


def test_a_tag_is_the_name_of_the_class_in_snake_case() -> None:
    assert [tag(kind) for kind in (Fruit, RootCrop)] == ["fruit", "root_crop"]
