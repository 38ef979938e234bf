"""Portions of lists."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vestigia.domain.errors import UsageError
from vestigia.web.cursors import portion


def walked(rows, limit):
    found, cursor = [], ""
    for _ in range(len(rows) + 1):
        taken, after = portion(rows, str, cursor, limit)
        found += taken
        if after is None:
            return found
        cursor = after
    raise AssertionError("the portions have no end")


@given(st.lists(st.text(), unique=True), st.integers(1, 5))
@example(["", "a"], 1)
def test_portion_by_portion_every_row_comes_once_in_order(rows, limit):
    assert walked(rows, limit) == rows


def test_what_is_added_before_shifts_nothing():
    first, cursor = portion(["b", "c", "d"], str, "", 2)
    second, after = portion(["a", "b", "c", "d"], str, cursor, 2)
    assert (first, second, after) == (["b", "c"], ["d"], None)


@pytest.mark.parametrize("cursor", ["!", "Yw", "é", "YQ=", "====", "a"])
def test_a_cursor_of_another_list_is_refused(cursor):
    with pytest.raises(UsageError, match="the cursor is of another list"):
        portion(["a", "b"], str, cursor, 1)


def test_an_empty_list_is_one_portion():
    assert portion([], str, "", 3) == ([], None)
