"""From scored passages to a list of documents: each by its best passage (max pooling), ties always the same way."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vestigia.domain.effects import Lane, Search
from vestigia.domain.evidence import Hit
from vestigia.domain.ids import DocumentId, passage_id
from vestigia.domain.periods import DatePeriod
from vestigia.index.rows import UNDATED, Rows, RowTable

Scores = NDArray[np.float64]
_FEW = 8
"""Where a table has this many times more documents than there are rows, theirs are numbered anew (measured)."""


def best_by_document(table: RowTable, rows: Rows, scores: Scores, limit: int) -> tuple[Rows, Scores]:
    """Return the best row of each of the best `limit` documents, best first, and their scores.

    Equal scores are ordered by document id, then by where the passage begins, never by how it is stored.
    """
    data = table.data
    good = at_least_the_last(table, rows, scores, limit)
    rows, scores = rows[good], scores[good]
    order = np.lexsort((data["end"][rows], data["start"][rows], data["document"][rows], -scores))
    ordered = rows[order]
    _, first = np.unique(data["document"][ordered], return_index=True)
    kept = np.sort(first)[:limit]
    return ordered[kept], scores[order][kept]


def at_least_the_last(table: RowTable, rows: Rows, scores: Scores, limit: int) -> NDArray[np.bool_]:
    """Mark the rows as good as the best of the last document that fits the limit: the others need not be sorted."""
    if min(len(table.documents), len(rows)) <= limit:
        return np.ones(len(rows), bool)
    number, place = len(table.documents), table.data["document"][rows]
    if len(rows) * _FEW < number:
        documents, place = np.unique(place, return_inverse=True)
        number = len(documents)
    if number <= limit:
        return np.ones(len(rows), bool)
    best = np.full(number, -np.inf)
    np.maximum.at(best, place, scores)
    return np.asarray(scores >= np.partition(best, -limit)[-limit])


def as_hits(table: RowTable, rows: Rows, scores: Scores | Sequence[float]) -> tuple[Hit, ...]:
    """Name the passages of rows, which are in the order of the list."""
    data, scored = table.data[rows], np.asarray(scores, float).tolist()
    named = zip(data["document"].tolist(), data["start"].tolist(), data["end"].tolist(), scored, strict=True)
    hits = []
    for rank, (place, start, end, score) in enumerate(named, 1):
        document = DocumentId(table.documents[place])
        hits.append(Hit(passage_id(document, start, end), document, rank, score))
    return tuple(hits)


def rows_of_lanes(table: RowTable, rows: Rows, search: Search) -> Iterator[tuple[Lane, NDArray[np.bool_]]]:
    """Yield each list that a search asks for, still empty, and which of the rows can stand in it."""
    first, last, of = table.data["first"][rows], table.data["last"][rows], table.data["sub_corpus"][rows]
    places = {name: place for place, name in enumerate(table.sub_corpora)}
    for empty in empty_lanes(search):
        inside = np.ones(len(rows), bool)
        if empty.window is not None:
            inside = (first <= empty.window.last) & (last >= empty.window.first)
        elif search.windows:
            inside = first == UNDATED[0]
        if empty.sub_corpus:
            inside &= of == places.get(empty.sub_corpus, -1)
        yield empty, inside


def empty_lanes(search: Search) -> tuple[Lane, ...]:
    """Return the lists a search asks for as they are when nothing is found; none where it asks for none."""
    times: list[tuple[DatePeriod | None, int]] = [(window, search.quota) for window in search.windows]
    if search.windows and search.undated:
        times.append((None, search.undated))
    elif search.each and not search.windows:
        times.append((None, search.quota))
    return tuple(Lane(window, (), quota, name) for name in search.each or ("",) for window, quota in times)


def filled(empty: Lane, hits: tuple[Hit, ...]) -> Lane:
    """Put hits into an empty list; what its quota lacks is short."""
    return replace(empty, hits=hits, short=empty.short - len(hits))


def lanes(table: RowTable, rows: Rows, scores: Scores, search: Search) -> tuple[Lane, ...]:
    """Return the lists a search asks for from the scores of all rows in scope."""
    return tuple(
        filled(empty, as_hits(table, *best_by_document(table, rows[inside], scores[inside], empty.short)))
        for empty, inside in rows_of_lanes(table, rows, search)
    )
