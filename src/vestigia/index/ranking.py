"""Ranking passages by a query of the engine: filters before the cut-off, documents not passages, windows in one pass.

Scores are rounded before they are compared: the engine adds 32-bit numbers in an order that depends on how its parts
were merged, and a tie must not be broken by that.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import tantivy
from tantivy import Occur, Query

from vestigia.domain.effects import Found, Lane, Scope, Search
from vestigia.domain.periods import DatePeriod
from vestigia.index.analysis import without_surrogates
from vestigia.index.known import Known
from vestigia.index.pooling import (
    Scores,
    as_hits,
    best_by_document,
    best_first,
    empty_lanes,
    filled,
    first_of_each,
    rows_of_lanes,
)
from vestigia.index.rows import Rows, RowTable, damaged
from vestigia.index.schema import EVERY, FOLDED, WORDS_FOLDER, register_analysers, schema
from vestigia.index.spelling import Spelling
from vestigia.index.wordlist import WordList

DECIMALS = 3
_INTEGER = tantivy.FieldType.Integer
_ROOM = 4
"""How many times the documents of all lists are fetched at first."""
_TRIES, _MOST, _ALONE = 3, 8, 2
"""So often more is fetched, at most so many times more, while more lists than this may lack a document; then these are
searched alone."""
_Best = tuple[Rows, Scores]


@dataclass(frozen=True, slots=True)
class _Binned:
    """What was found for one list of so many documents; unless it is full, more may be to be found."""

    quota: int
    best: _Best
    full: bool


@dataclass(frozen=True, slots=True)
class Lexicon:
    """An open generation: the engine's files, the table of passages, what is misread, which words may be there.

    `words` are they themselves, where much is misread.
    """

    searcher: tantivy.Searcher
    table: RowTable
    spelling: Spelling
    known: Known
    words: WordList | None = None

    @property
    def unswept(self) -> int:
        """How many deleted passages still count in the word statistics."""
        return int(self.searcher.doc_freq(EVERY, EVERY)) - len(self.table)

    @property
    def passages(self) -> int:
        """How many passages the word statistics count."""
        return int(self.searcher.doc_freq(EVERY, EVERY))

    @property
    def words_kept(self) -> int:
        """How many words are kept to find misreadings of every kind; 0 where the archive is read well."""
        return 0 if self.words is None else len(self.words.words)

    def held(self, word: str) -> int:
        """How many passages hold a folded word in their text."""
        return int(self.searcher.doc_freq(FOLDED, word))


def open_lexicon(folder: Path, table: RowTable) -> Lexicon:
    """Open the engine's files of one generation. Raises OSError or ValueError when they are gone or damaged."""
    return Lexicon(
        _searcher(folder / WORDS_FOLDER), table, Spelling.load(folder), Known.load(folder), WordList.load(folder)
    )


def _searcher(words: Path) -> tantivy.Searcher:
    """Open the engine's files. It takes a lock beside them even to read: where that cannot be, links to them elsewhere.

    What it has opened stays open when the links are gone.
    """
    try:
        return _opened(words)
    except ValueError as problem:
        if "Lockfile" not in str(problem):
            raise
    with TemporaryDirectory() as elsewhere:
        for file in sorted(words.iterdir()):
            if file.name.endswith(".lock"):
                continue
            (Path(elsewhere) / file.name).symlink_to(file.absolute())
        return _opened(Path(elsewhere))


def _opened(words: Path) -> tantivy.Searcher:
    with no_panic():
        index = tantivy.Index.open(str(words))
        register_analysers(index)
        return index.searcher()


@contextmanager
def no_panic() -> Iterator[None]:
    """Turn the engine's last resort, which is no `Exception`, into an ArchiveError: it cannot read its files."""
    try:
        yield
    except BaseException as panic:
        if type(panic).__module__ != "pyo3_runtime":
            raise
        raise damaged("the search engine gave up") from panic


def ranked(lexicon: Lexicon, search: Search, query: Query) -> Found:
    """Rank the passages that a query matches within the scope, once over all and once for each list asked for."""
    table, asked = lexicon.table, empty_lanes(search)
    filtered = within(table, search.scope, query)
    if not asked:
        return Found(as_hits(table, *_best(lexicon, filtered, search.limit)))
    fetch = _ROOM * max(sum(empty.short for empty in asked), search.limit) + 16
    for _ in range(_TRIES):
        lists = _binned(lexicon, filtered, search, fetch)
        lacking = [found for found in lists if not found.full]
        if len(lacking) <= _ALONE:
            break
        fetch = int(fetch * min(_MOST, max(2 * found.quota / max(1, len(found.best[0])) for found in lacking)))
    whole, *others = lists
    lanes = []
    for empty, found in zip(asked, others, strict=True):
        best = found.best
        if not found.full:
            best = _best(lexicon, _in_lane(lexicon, search, query, empty), empty.short)
        lanes.append(filled(empty, as_hits(table, *best)))
    best = whole.best if whole.full else _best(lexicon, filtered, search.limit)
    return Found(as_hits(table, *best), lanes=tuple(lanes))


def _binned(lexicon: Lexicon, filtered: Query, search: Search, fetch: int) -> list[_Binned]:
    """Fetch so many passages once and take from them the list over all and every other."""
    rows, scores, whole = _fetched(lexicon, filtered, fetch)
    seen = -np.inf if whole else scores[-1]
    rows, scores = best_first(lexicon.table, rows, scores)
    lists = [(search.limit, first_of_each(lexicon.table, rows, scores, search.limit))]
    for empty, inside in rows_of_lanes(lexicon.table, rows, search):
        lists.append((empty.short, first_of_each(lexicon.table, rows[inside], scores[inside], empty.short)))
    return [_Binned(quota, best, whole or _is_full(best, quota, seen)) for quota, best in lists]


def matches(lexicon: Lexicon, scope: Scope, query: Query) -> list[tantivy.DocAddress]:
    """Return where every passage of the scope lies that a query matches."""
    filtered = within(lexicon.table, scope, query)
    return [at for _, at in lexicon.searcher.search(filtered, max(1, len(lexicon.table)), count=False).hits]


def rows_at(lexicon: Lexicon, addresses: list[tantivy.DocAddress]) -> Rows:
    """Return the rows of the table of passages by where they lie in the engine."""
    keys = lexicon.searcher.fast_field_values("key", addresses) if addresses else []
    if None in keys:
        raise damaged("a passage has lost its number")
    return lexicon.table.with_keys(np.array(keys, np.int64))


def within(table: RowTable, scope: Scope, query: Query) -> Query:
    """Keep a query to the scope; its filters score nothing."""
    must = [query]
    for field, wanted in (
        ("sub_corpus", scope.sub_corpora),
        ("language", scope.languages),
        ("document", scope.documents),
    ):
        if wanted:
            must.append(_named(field, wanted))
    if scope.period is not None:
        must += _overlapping(scope.period)
    parts = [(Occur.Must, part) for part in must]
    without = table.data["key"][table.of_passages(scope.without)].tolist()
    if without:
        parts.append((Occur.MustNot, Query.term_set_query(schema(), "key", without)))
    return Query.boolean_query(parts) if len(parts) > 1 else query


def _named(field: str, names: Sequence[str]) -> Query:
    named = Query.term_set_query(schema(), field, [without_surrogates(name) for name in names])
    return Query.const_score_query(named, 0.0)


def _overlapping(period: DatePeriod) -> list[Query]:
    bounds = (
        Query.range_query(schema(), "first", _INTEGER, upper_bound=period.last),
        Query.range_query(schema(), "last", _INTEGER, lower_bound=period.first),
    )
    return [Query.const_score_query(bound, 0.0) for bound in bounds]


def _in_lane(lexicon: Lexicon, search: Search, query: Query, wanted: Lane) -> Query:
    """Keep a query to the scope and to what can stand in a list."""
    parts = [(Occur.Must, query)]
    if wanted.sub_corpus:
        parts.append((Occur.Must, _named("sub_corpus", (wanted.sub_corpus,))))
    if wanted.window is not None:
        parts += [(Occur.Must, part) for part in _overlapping(wanted.window)]
    elif search.windows:
        parts.append((Occur.MustNot, Query.exists_query("first")))
    return within(lexicon.table, search.scope, Query.boolean_query(parts))


def _best(lexicon: Lexicon, filtered: Query, limit: int) -> _Best:
    """Fetch passages until `limit` documents are full, with every tie at the cut-off seen, or nothing is left."""
    if limit < 1:
        return np.zeros(0, np.int64), np.zeros(0)
    fetch = 4 * limit + 16
    while True:
        rows, scores, whole = _fetched(lexicon, filtered, fetch)
        best = best_by_document(lexicon.table, rows, scores, limit)
        if whole or _is_full(best, limit, scores[-1]):
            return best
        fetch *= 4


def _fetched(lexicon: Lexicon, filtered: Query, number: int) -> tuple[Rows, Scores, bool]:
    """Return the best passages, their scores, and whether these are all."""
    hits = lexicon.searcher.search(filtered, number, count=False).hits
    scores = np.round(np.array([score for score, _ in hits], float), DECIMALS)
    return rows_at(lexicon, [address for _, address in hits]), scores, len(hits) < number


def _is_full(best: _Best, limit: int, seen: float) -> bool:
    """Whether nothing that was not fetched can be among the best, ties included; `seen` is the last score fetched."""
    rows, scores = best
    return limit < 1 or (len(rows) == limit and bool(seen < scores[-1]))
