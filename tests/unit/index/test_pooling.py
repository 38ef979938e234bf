"""What is put aside before sorting could not have been shown: compared with sorting all rows, for lists and windows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vestigia.domain.effects import WORDS, Scope, Search
from vestigia.domain.periods import DatePeriod, Precision
from vestigia.index.pooling import best_by_document, can_be_shown, found, last_that_fits
from vestigia.index.rows import UNDATED, Entry, RowTable

WINDOWS = tuple(DatePeriod(first, first + 9, Precision.RANGE) for first in (0, 5, 20))


def table(documents):
    """Make a table of documents, each (first day or none, number of passages)."""
    entries, key = [], 0
    for number, (first, passages) in enumerate(documents):
        days = UNDATED if first is None else (first, first + number % 3)
        for place in range(passages):
            entries.append(Entry(key, f"d{number:03}", "s", "de", *days, place, place + 1, "0" * 32))
            key += 1
    return RowTable.empty().changed((), entries)


documents = st.lists(st.tuples(st.none() | st.integers(0, 30), st.integers(1, 6)), min_size=1, max_size=30)


@settings(deadline=None)
@given(documents, st.data())
def test_lists_and_windows_are_those_of_sorting_everything(made, data):
    rows_of = table(made)
    rows = np.arange(len(rows_of))
    scores = np.array(data.draw(st.lists(st.integers(0, 9), min_size=len(rows), max_size=len(rows))), float)
    quota, undated, limit = (data.draw(st.integers(1, 5)), data.draw(st.integers(0, 3)), data.draw(st.integers(1, 8)))
    search = Search(WORDS, "x", Scope(), limit, windows=WINDOWS, quota=quota, undated=undated)
    kept = can_be_shown(rows_of, rows, scores, search)
    assert found(rows_of, rows[kept], scores[kept], search) == found(rows_of, rows, scores, search)


@settings(deadline=None)
@given(documents, st.data())
def test_rough_scores_put_nothing_aside_that_exact_ones_would_show(made, data):
    rows_of = table(made)
    rows = np.arange(len(rows_of))
    exact = np.array(data.draw(st.lists(st.integers(0, 9), min_size=len(rows), max_size=len(rows))), float)
    error = np.array(data.draw(st.lists(st.integers(-4, 4), min_size=len(rows), max_size=len(rows)))) / 10
    search = Search(WORDS, "x", Scope(), 3, windows=WINDOWS, quota=2, undated=1)
    kept = can_be_shown(
        rows_of, rows, exact + error, search, margin=0.81
    )  # twice the largest error, and what floats lose
    assert found(rows_of, rows[kept], exact[kept], search) == found(rows_of, rows, exact, search)


@pytest.mark.parametrize("limit", [1, 2, 5, 99])
def test_the_last_that_fits_is_found_among_many_passages_of_few_documents(limit):
    rows_of = table([(0, 40), (0, 40), (0, 1), (0, 1), (0, 1)])
    scores = np.array([9.0] * 40 + [8.0] * 40 + [3.0, 2.0, 1.0])
    assert last_that_fits(rows_of, np.arange(83), scores, limit) == {1: 9.0, 2: 8.0, 5: 1.0, 99: -np.inf}[limit]
    kept, _ = best_by_document(rows_of, np.arange(83), scores, limit)
    assert rows_of.column("document")[kept].tolist() == list(range(min(limit, 5)))


def test_of_no_rows_nothing_is_last():
    assert last_that_fits(table([(0, 1)]), np.arange(0), np.zeros(0), 1) == -np.inf
