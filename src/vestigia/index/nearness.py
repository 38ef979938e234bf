"""The date channel: how near a document's date is to the period asked for (TRACE, T2), over periods, not points."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vestigia.domain.effects import Found, Lane, Search
from vestigia.domain.errors import UsageError
from vestigia.domain.evidence import Hit
from vestigia.domain.periods import overlaps
from vestigia.index.pooling import as_hits, filled, last_that_fits, rows_of_lanes
from vestigia.index.rows import UNDATED, Rows, RowTable

Worded = Callable[[Lane | None, int], Sequence[Hit]]
"""Finds, by the text of a search, so many documents of its period; of those that can stand in a list, if given."""


def search_dates(table: RowTable, search: Search, worded: Worded = lambda _asked, _limit: ()) -> Found:
    """Rank by exp(-decay * days between): 1 where the periods overlap.

    Of those that overlap, `worded` (what the text of the query finds within the period) come first, in their order:
    a year ties hundreds of documents. Of other equals the more precisely dated comes first. An undated document is
    never found, nor one so far away that its score is 0. In each window the same order holds.
    """
    if search.period is None:
        raise UsageError("a search by date needs a date or a period.", remedy="Give one, such as 1887 or 1887-03-04.")
    rows = table.in_scope(search.scope)
    first, last = table.column("first")[rows], table.column("last")[rows]
    dated = first != UNDATED[0]
    rows, first, last = rows[dated], first[dated], last[dated]
    days = np.maximum(0, np.maximum(first - search.period.last, search.period.first - last))
    hits = _nearest(table, rows, days, search, worded(None, search.limit))
    lanes = []
    for empty, inside in rows_of_lanes(table, rows, search):
        timely = overlaps(empty.window, search.period) if empty.window else not search.windows
        first_named = worded(empty, empty.short) if timely and inside.any() else ()
        found = _nearest(table, rows[inside], days[inside], replace(search, limit=empty.short), first_named)
        lanes.append(filled(empty, found))
    return Found(hits, lanes=tuple(lanes))


def _nearest(
    table: RowTable, rows: Rows, days: "NDArray[np.int64]", search: Search, worded: Sequence[Hit]
) -> tuple[Hit, ...]:
    nearness = -days.astype(float)
    near = nearness >= last_that_fits(table, rows, nearness, search.limit)
    rows, days = rows[near], days[near]
    data = table.data[rows]
    order = np.lexsort((data["end"], data["start"], data["document"], data["last"] - data["first"], days))
    _, first = np.unique(data["document"][order], return_index=True)
    kept = order[np.sort(first)[: search.limit]]
    scores = [math.exp(-search.decay * distance) for distance in days[kept].tolist()]
    found = [place for place, score in enumerate(scores) if score > 0]
    near_hits = as_hits(table, rows[kept][found], [scores[place] for place in found])
    first_named = {hit.document: replace(hit, score=1.0) for hit in worded}
    others = [hit for hit in near_hits if hit.document not in first_named]
    ordered = [*first_named.values(), *others][: search.limit]
    return tuple(replace(hit, rank=rank) for rank, hit in enumerate(ordered, 1))
