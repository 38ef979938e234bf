"""Numbers as they are typed: in any digits, never one that no program can count."""

import pytest

from vestigia.app.numbers import whole


@pytest.mark.parametrize(("typed", "found"), [("0", 0), (" 12 ", 12), ("007", 7), ("1000", 1000), ("١٢", 12)])
def test_a_whole_number_is_read(typed, found):
    assert whole(typed, 1000) == found


@pytest.mark.parametrize("typed", ["", " ", "-1", "1.0", "1e3", "²", "1001", "9" * 19, "1" * 5000, "1\x00", "12 13"])
def test_what_is_none_is_none_however_long_it_is(typed):
    assert whole(typed, 1000) is None
