"""What the archive's own texts attest of a term: how often, where in time, since when (B5).

Counted from the words as they stand in the texts, folded but not stemmed; vectors and models have no part in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vestigia.domain.effects import Scope
from vestigia.domain.errors import UsageError
from vestigia.domain.ids import DocumentId
from vestigia.domain.periods import FAR_FUTURE, FAR_PAST, DatePeriod, Precision, civil
from vestigia.index.analysis import searchable_words
from vestigia.index.ranking import Lexicon, matches, rows_at
from vestigia.index.rows import UNDATED, Rows, RowTable
from vestigia.index.schema import FOLDED
from vestigia.index.terms import phrase

Days = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Attested:
    """How often a term stands in the texts; a term of several words as a phrase.

    `first` and `last` are the first and last year it can be of, by the dates of the documents, none where only undated
    ones hold it. `counts` are documents by window, in the order of the windows; one whose date overlaps several
    windows counts in each. `undated` documents are in no window.
    """

    term: str
    passages: int
    documents: int
    first: int | None
    last: int | None
    undated: int
    counts: tuple[int, ...] = ()


def attested(lexicon: Lexicon, term: str, windows: Sequence[DatePeriod] = ()) -> Attested:
    """Count a term in the texts. Raises UsageError where it holds no word."""
    table = lexicon.table
    rows = rows_holding(lexicon, term)
    of_rows, place = np.unique(table.data["document"][rows], return_index=True)
    one_each = rows[place]
    first, last = table.data["first"][one_each], table.data["last"][one_each]
    dated = first != UNDATED[0]
    since, until = _years(first[dated], last[dated]) if dated.any() else (None, None)
    return Attested(
        term,
        len(rows),
        len(of_rows),
        since,
        until,
        int(np.count_nonzero(~dated)),
        counted(table, one_each, windows),
    )


def rows_holding(lexicon: Lexicon, term: str) -> Rows:
    """Return the rows whose text holds a term. Raises UsageError where it holds no word."""
    words = searchable_words(term)
    if not words:
        raise UsageError(f"{term!r} holds no word that can be looked up.", remedy="Give a word or several.")
    return rows_at(lexicon, matches(lexicon, Scope(), phrase(FOLDED, words)))


def documents_holding(lexicon: Lexicon, term: str) -> tuple[DocumentId, ...]:
    """Return the documents whose text holds a term, by id. Raises UsageError where it holds no word."""
    places = np.unique(lexicon.table.data["document"][rows_holding(lexicon, term)]).tolist()
    return tuple(DocumentId(lexicon.table.documents[place]) for place in places)


def counted(table: RowTable, rows: Rows, windows: Sequence[DatePeriod]) -> tuple[int, ...]:
    """Return how many of some rows overlap each window; give one row a document to count documents."""
    return overlapping(*ends(table, rows), windows)


def ends(table: RowTable, rows: Rows) -> tuple[Days, Days]:
    """Return the first days of the rows that are dated, and their last days, each ascending."""
    first, last = table.column("first")[rows], table.column("last")[rows]
    dated = first != UNDATED[0]
    return np.sort(first[dated]), np.sort(last[dated])


def overlapping(first: Days, last: Days, windows: Sequence[DatePeriod]) -> tuple[int, ...]:
    """Count for each window what began before its end and did not end before its beginning."""
    begun = np.searchsorted(first, [window.last for window in windows], side="right")
    over = np.searchsorted(last, [window.first for window in windows], side="left")
    return tuple((begun - over).tolist())


def one_row_each(table: RowTable) -> Rows:
    """Return a row of every document, in the order of the documents."""
    return np.unique(table.data["document"], return_index=True)[1].astype(np.int64)


def extent(table: RowTable) -> DatePeriod | None:
    """Return the period from the first to the last day of what is dated, open ends left out; none where nothing is."""
    days = np.concatenate([table.data["first"], table.data["last"]])
    days = days[(days > FAR_PAST) & (days < FAR_FUTURE)]
    return DatePeriod(int(days.min()), int(days.max()), Precision.RANGE) if len(days) else None


def _years(first: Days, last: Days) -> tuple[int, int]:
    """The first and the last year of some dates; an open end is taken to be in the year of the other."""
    begins, ends = np.where(first == FAR_PAST, last, first), np.where(last == FAR_FUTURE, first, last)
    return civil(int(begins.min()))[0], civil(int(ends.max()))[0]
