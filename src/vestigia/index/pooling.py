"""From scored passages to a list of documents: each by its best passage (max pooling), ties always the same way."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vestigia.domain.evidence import Hit
from vestigia.index.rows import Rows, RowTable

Scores = NDArray[np.float64]


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
    if len(table.documents) <= limit:
        return np.ones(len(rows), bool)
    best = np.full(len(table.documents), -np.inf)
    np.maximum.at(best, table.data["document"][rows], scores)
    return np.asarray(scores >= np.partition(best, -limit)[-limit])


def as_hits(table: RowTable, rows: Rows, scores: Scores | Sequence[float]) -> tuple[Hit, ...]:
    """Name the passages of rows, which are in the order of the list."""
    return tuple(Hit(table.passage(row), table.document(row), rank, float(score))
                 for rank, (row, score) in enumerate(zip(rows.tolist(), scores, strict=True), 1))
