"""The date channel: how near a document's date is to the period asked for (TRACE, T2), over periods, not points."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vestigia.domain.effects import Found, Search
from vestigia.domain.errors import UsageError
from vestigia.domain.evidence import Hit
from vestigia.index.pooling import as_hits, at_least_the_last
from vestigia.index.rows import UNDATED, RowTable


def search_dates(table: RowTable, search: Search, worded: Sequence[Hit] = ()) -> Found:
    """Rank by exp(-decay * days between): 1 where the periods overlap.

    Of those that overlap, `worded` (what the words of the query find within the period) come first, in their order:
    a year ties hundreds of documents. Of other equals the more precisely dated comes first. An undated document is
    never found, nor one so far away that its score is 0.
    """
    if search.period is None:
        raise UsageError("a search by date needs a date or a period.", remedy="Give one, such as 1887 or 1887-03-04.")
    rows = table.in_scope(search.scope)
    data = table.data[rows]
    dated = data["first"] != UNDATED[0]
    rows, data = rows[dated], data[dated]
    days = np.maximum(0, np.maximum(data["first"] - search.period.last, search.period.first - data["last"]))
    near = at_least_the_last(table, rows, -days.astype(float), search.limit)
    rows, data, days = rows[near], data[near], days[near]
    order = np.lexsort((data["end"], data["start"], data["document"], data["last"] - data["first"], days))
    _, first = np.unique(data["document"][order], return_index=True)
    kept = order[np.sort(first)[:search.limit]]
    scores = [math.exp(-search.decay * distance) for distance in days[kept].tolist()]
    found = [place for place, score in enumerate(scores) if score > 0]
    near_hits = as_hits(table, rows[kept][found], [scores[place] for place in found])
    first_named = {hit.document: replace(hit, score=1.0) for hit in worded}
    others = [hit for hit in near_hits if hit.document not in first_named]
    ordered = [*first_named.values(), *others][:search.limit]
    return Found(tuple(replace(hit, rank=rank) for rank, hit in enumerate(ordered, 1)))
