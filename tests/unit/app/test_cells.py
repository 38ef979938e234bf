"""Cells that a spreadsheet does not carry out, and that come back as they were (rule 9)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vestigia.app.cells import guarded, unguarded


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "'=1", "''@x"])
def test_a_cell_is_never_a_formula(cell):
    assert guarded(cell) == f"'{cell}"
    assert guarded(f"a{cell}") == f"a{cell}"


@pytest.mark.parametrize("cell", ["", "Die", "'s Gravenhage", "1887", "a = b"])
def test_any_other_cell_is_left_alone(cell):
    assert guarded(cell) == unguarded(cell) == cell


@given(st.text())
def test_every_cell_comes_back_without_the_white_space_around_it(cell):
    assert unguarded(guarded(cell.strip())) == cell.strip()
