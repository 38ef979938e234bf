"""JSON arrays, an element at a time."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vestigia.corpus.readers.elements import elements

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def read(text: str, portion: int = 7, longest: int = 1000) -> tuple[list[object], str]:
    """The values of an array, read a few characters at a time, and the error at its end."""
    values = [value for _, value in elements(io.StringIO(text), longest, portion)]
    broken = isinstance(values[-1], ValueError | RecursionError) if values else False
    return (values[:-1], str(values[-1])) if broken else (values, "")


@given(st.lists(VALUES, max_size=5), st.integers(1, 40), st.sampled_from([None, 1]))
def test_an_array_is_what_it_is_however_small_the_portions(values: list[object], portion: int, indent: int | None):
    text = json.dumps(values, indent=indent, ensure_ascii=False)
    assert read(text, portion, 10_000) == (values, "")


def test_each_element_comes_with_its_own_characters():
    text = '[ {"a": 1},\n {"a" : 2}]'
    assert [characters for characters, _ in elements(io.StringIO(text), portion=3)] == ['{"a": 1}', '{"a" : 2}']


def test_a_byte_order_mark_and_what_follows_the_array_do_no_harm():
    assert read("\ufeff \n[1, 2] and more") == ([1, 2], "")


def test_a_comma_after_the_last_element_does_no_harm():
    assert read("[1, 2,]") == ([1, 2], "")


@pytest.mark.parametrize(
    ("text", "values", "error"),
    [
        ("[1, 2", [1, 2], "a comma or a closing bracket is missing in line 1"),
        ("[1,\n\n", [1], "a closing bracket is missing in line 3"),
        ("[", [], "a closing bracket is missing in line 1"),
        ("[1\n 2]", [1], "a comma or a closing bracket is missing in line 2"),
        ('[1,\n {"a": }]', [1], "Expecting value in line 2"),
        ('[1,\n\n\n {"a": "b', [1], "Unterminated string starting at in line 4"),
        ("[1, tru", [1], "Expecting value in line 1"),
        ('["' + "x" * 3000 + '"]', [], "longer than 0 MB in line 1"),
    ],
)
def test_up_to_where_it_breaks_everything_is_read(text: str, values: list[object], error: str):
    found, told = read(text)
    assert found == values
    assert error in told


def test_a_mistake_is_found_where_it_is_and_not_after_reading_to_the_end():
    stream = io.StringIO('[{"a": oh}, ' + "1, " * 100_000 + "1]")
    ((_, error),) = elements(stream, portion=100)
    assert isinstance(error, ValueError)
    assert stream.tell() <= 1000


def test_no_more_is_held_than_the_element_in_hand():
    class Watched(io.StringIO):
        longest = 0

        def read(self, size: int | None = -1) -> str:
            self.longest = max(self.longest, size or 0)
            return super().read(size)

    stream = Watched("[" + ", ".join(json.dumps({"text": "x" * 500}) for _ in range(500)) + "]")
    assert len([value for _, value in elements(stream, portion=1000)]) == 500
    assert stream.longest <= 2000


def test_absurd_numbers_and_depths_are_errors_and_no_crash():
    assert "digits" in read("[" + "1" * 5000 + "]", longest=10_000)[1]
    assert "recursion" in read("[" + "[" * 200_000, portion=300_000, longest=10**6)[1]
