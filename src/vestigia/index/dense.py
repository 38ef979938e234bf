"""The meaning channels: exact nearness of vectors, every passage in scope compared, none skipped by an approximation.

A filter keeps rows; their vectors are a slice of the file where its order allows, gathered where they are few, and
otherwise all are compared and the others dropped. The best are then compared again in double precision, so that the
order does not depend on which of the three it was.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vestigia.domain.effects import Found, Search
from vestigia.domain.errors import ArchiveError
from vestigia.domain.ids import Digest, digest
from vestigia.domain.ports import Encoder
from vestigia.index.identity import query_vector
from vestigia.index.pooling import Scores, can_be_shown, found
from vestigia.index.rows import Rows, RowTable
from vestigia.index.vectors import Groups, Part, Vectors, grouped, open_parts, spread

DECIMALS = 6
_MARGIN = 1e-4
"""More than the error of a product of unit vectors in single precision."""
_GATHER = 0.2
"""Below this share of all vectors it is quicker to collect them than to pass over all (measured)."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """One encoder and the vectors there are of it; `group` gives each row of the table its vectors, -1 for none."""

    encoder: Encoder
    table: RowTable
    parts: Sequence[Part]
    groups: Groups
    group: "NDArray[np.int64]"

    @property
    def coverage(self) -> Digest:
        """Digest of which passages have vectors."""
        return digest(np.packbits(self.group >= 0).tobytes())

    @property
    def encoded(self) -> int:
        """How many passages have vectors."""
        return int(np.count_nonzero(self.group >= 0))


def open_meaning(index: Path, encoder: Encoder, table: RowTable) -> Meaning:
    """Map the vectors of an encoder. Raises ArchiveError for damaged or foreign ones."""
    parts = open_parts(index, encoder)
    groups = grouped(parts)
    return Meaning(encoder, table, parts, groups, groups.of(table.data["text"]))


def search_meaning(meaning: Meaning, search: Search) -> Found:
    """Rank by the cosine between the query and the nearest piece of each passage."""
    table = meaning.table
    rows = table.in_scope(search.scope)
    with_vectors = rows if meaning.encoded == len(table) else rows[meaning.group[rows] >= 0]
    absent = len(rows) - len(with_vectors)
    missing = f"{absent} of {len(rows)} passages are not yet encoded by {meaning.encoder.name}" if absent else ""
    if not len(with_vectors):
        return Found(missing=missing)
    query = query_vector(meaning.encoder, search.text, meaning.parts[0].path.parent)
    if query.shape != meaning.parts[0].vectors.shape[1:]:
        raise ArchiveError(
            f"the vectors have {meaning.parts[0].vectors.shape[1]} numbers, those of "
            f"{meaning.encoder.name} {len(query)}.",
            where=str(meaning.parts[0].path),
            remedy="Delete the file and encode again.",
        )
    if not query.any():
        return Found(missing=f"{search.text!r} holds nothing that {meaning.encoder.name} can read")
    with np.errstate(invalid="ignore", over="ignore"):  # a damaged number is passed over like an unreadable text
        rough = _nearness(meaning, with_vectors, query)
    readable, rows = np.isfinite(rough), with_vectors
    if not readable.all():
        rows, rough = rows[readable], rough[readable]
    near = can_be_shown(table, rows, rough, search, _MARGIN)
    shown = found(table, rows[near], _finely(meaning, rows[near], query), search)
    return replace(shown, missing=missing)


def _finely(meaning: Meaning, rows: Rows, query: Vectors) -> Scores:
    """Return the nearness of each row's nearest piece, in double precision, rounded."""
    groups, place = np.unique(meaning.group[rows], return_inverse=True)
    sizes = meaning.groups.sizes[groups]
    vectors = _gathered(meaning.parts, spread(meaning.groups.starts[groups], sizes)).astype(np.float64)
    fine = np.round((vectors * query.astype(np.float64)).sum(axis=1), DECIMALS)
    return _best_piece(fine, sizes)[place]


def _nearness(meaning: Meaning, rows: Rows, query: Vectors) -> "NDArray[Any]":
    """Return the nearness of each row's nearest piece, in single precision."""
    wanted = meaning.group[rows]
    low, high = int(wanted.min()), int(wanted.max()) + 1
    if len(meaning.parts) > 1:
        low, high = 0, len(meaning.groups.texts)
    if len(wanted) < _GATHER * (high - low):
        groups, place = np.unique(wanted, return_inverse=True)
        sizes = meaning.groups.sizes[groups]
        scores = _gathered(meaning.parts, spread(meaning.groups.starts[groups], sizes)) @ query
        return _best_piece(scores, sizes)[place]
    starts, sizes = meaning.groups.starts[low:high], meaning.groups.sizes[low:high]
    begin, end = (0, None) if len(meaning.parts) > 1 else (int(starts[0]), int(starts[-1] + sizes[-1]))
    scores = np.concatenate([part.vectors[begin:end] @ query for part in meaning.parts])
    if len(scores) != len(starts):  # else each text is one piece, and all stand in a row
        scores = _best_piece(scores[spread(starts - begin, sizes)], sizes)
    return scores[wanted - low]


def _best_piece(scores: "NDArray[Any]", sizes: "NDArray[np.int64]") -> "NDArray[Any]":
    pooled: NDArray[Any] = np.maximum.reduceat(scores, np.cumsum(sizes) - sizes) if len(sizes) else scores
    return pooled


def _gathered(parts: Sequence[Part], numbers: "NDArray[np.int64]") -> Vectors:
    if len(parts) == 1:
        return np.asarray(parts[0].vectors[numbers])
    out = np.empty((len(numbers), parts[0].vectors.shape[1]), np.float32)
    offset = 0
    for part in parts:
        here = (numbers >= offset) & (numbers < offset + len(part.vectors))
        out[here] = part.vectors[numbers[here] - offset]
        offset += len(part.vectors)
    return out
