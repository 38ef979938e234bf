"""From scored passages to a list of documents: each by its best passage (max pooling), ties always the same way."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vestigia.domain.effects import Found, Lane, Search
from vestigia.domain.evidence import Hit
from vestigia.domain.ids import DocumentId, passage_id
from vestigia.domain.periods import DatePeriod
from vestigia.index.rows import UNDATED, Rows, RowTable

Scores = NDArray[np.float64]
_AHEAD = 4
"""So many times as many passages as documents wanted are looked at first, and each time so many times more."""


def best_by_document(table: RowTable, rows: Rows, scores: Scores, limit: int) -> tuple[Rows, Scores]:
    """Return the best row of each of the best `limit` documents, best first, and their scores.

    Equal scores are ordered by document id, then by where the passage begins, never by how it is stored.
    """
    good = scores >= last_that_fits(table, rows, scores, limit)
    return first_of_each(table, *best_first(table, rows[good], scores[good]), limit)


def best_first(table: RowTable, rows: Rows, scores: Scores) -> tuple[Rows, Scores]:
    """Order rows by score, those of equal score as `best_by_document` says."""
    documents, starts, ends = (table.column(name)[rows] for name in ("document", "start", "end"))
    order = np.lexsort((ends, starts, documents, -scores))
    return rows[order], scores[order]


def first_of_each(table: RowTable, rows: Rows, scores: Scores, limit: int) -> tuple[Rows, Scores]:
    """Return of rows in order the first of each document, `limit` of them, and their scores."""
    _, first = np.unique(table.column("document")[rows], return_index=True)
    kept = np.sort(first)[:limit]
    return rows[kept], scores[kept]


def last_that_fits(table: RowTable, rows: Rows, scores: Scores, limit: int) -> float:
    """Return the best score of the last document that fits the limit: what is worse need not be looked at.

    Minus infinity where there are no more documents than that.
    """
    most = _AHEAD * limit + _AHEAD
    while len(rows):
        ahead = np.argpartition(scores, -most)[-most:] if most < len(rows) else np.arange(len(rows))
        documents, place = np.unique(table.column("document")[rows[ahead]], return_inverse=True)
        if len(documents) >= limit:
            best = np.full(len(documents), -np.inf)
            np.maximum.at(best, place, scores[ahead])
            return float(np.partition(best, -limit)[-limit])
        if most >= len(rows):
            break
        most *= _AHEAD
    return -np.inf


def can_be_shown(table: RowTable, rows: Rows, scores: Scores, search: Search, margin: float = 0.0) -> NDArray[np.bool_]:
    """Mark the rows that can be in the list of a search or in one of its lanes, if scores are right to the margin.

    A lane is filled from the best of all rows; only where they do not fill it, all are looked at.
    """
    kept = np.asarray(scores >= last_that_fits(table, rows, scores, search.limit) - margin)
    everything = np.arange(len(rows))
    asked = empty_lanes(search)
    most = _AHEAD * sum(empty.short for empty in asked)
    ahead = np.argpartition(scores, -most)[-most:] if 0 < most < len(rows) else everything
    floor = scores[ahead].min() if len(ahead) < len(rows) else -np.inf
    for empty in asked:
        for some in (ahead, everything):
            places = some[_in_lane(table, rows[some], search, empty)]
            least = last_that_fits(table, rows[places], scores[places], empty.short) - margin
            if least > floor:
                break
        kept[places[scores[places] >= least]] = True
    return kept


def as_hits(table: RowTable, rows: Rows, scores: Scores | Sequence[float]) -> tuple[Hit, ...]:
    """Name the passages of rows, which are in the order of the list."""
    places, starts, ends = (table.column(name)[rows].tolist() for name in ("document", "start", "end"))
    documents = [DocumentId(table.documents[place]) for place in places]
    passages = map(passage_id, documents, starts, ends)
    return tuple(map(Hit, passages, documents, range(1, len(documents) + 1), np.asarray(scores, float).tolist()))


def rows_of_lanes(table: RowTable, rows: Rows, search: Search) -> Iterator[tuple[Lane, NDArray[np.bool_]]]:
    """Yield each list that a search asks for, still empty, and which of the rows can stand in it."""
    for empty in empty_lanes(search):
        yield empty, _in_lane(table, rows, search, empty)


def _in_lane(table: RowTable, rows: Rows, search: Search, wanted: Lane) -> NDArray[np.bool_]:
    inside = np.ones(len(rows), bool)
    if wanted.window is not None:
        inside = table.column("first")[rows] <= wanted.window.last
        inside &= table.column("last")[rows] >= wanted.window.first
    elif search.windows:
        inside = table.column("first")[rows] == UNDATED[0]
    if wanted.sub_corpus:
        known = wanted.sub_corpus in table.sub_corpora
        inside &= known and table.column("sub_corpus")[rows] == table.sub_corpora.index(wanted.sub_corpus)
    return np.asarray(inside)


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


def found(table: RowTable, rows: Rows, scores: Scores, search: Search) -> Found:
    """Return the list and the other lists a search asks for, from the scores of all rows in scope."""
    rows, scores = best_first(table, rows, scores)
    return Found(
        as_hits(table, *first_of_each(table, rows, scores, search.limit)),
        lanes=tuple(
            filled(empty, as_hits(table, *first_of_each(table, rows[inside], scores[inside], empty.short)))
            for empty, inside in rows_of_lanes(table, rows, search)
        ),
    )
