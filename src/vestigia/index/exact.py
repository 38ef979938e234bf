"""The exact channel: any stretch of the raw text, to the letter, whatever the case and accents, or by a pattern.

White space is no letter: a space of what is looked for may be the end of a line in the text.

The engine narrows by what every passage that holds it must hold: three characters in a row of the raw text, or n-grams
of the folded words. Then the text itself is looked at, so nothing is found that is not there and nothing is missed.
"""

import re
from collections.abc import Callable, Iterable

import numpy as np
import tantivy
from tantivy import Occur, Query

from vestigia.domain.effects import Found, Matching, Search
from vestigia.domain.errors import UsageError
from vestigia.domain.text import fold
from vestigia.index.analysis import GRAM_SIZES, LONG_WORD, without_surrogates
from vestigia.index.patterns import count_pattern, literals
from vestigia.index.pooling import can_be_shown, found
from vestigia.index.ranking import Lexicon, matches, rows_at
from vestigia.index.schema import GRAMS, RAW_TRIGRAMS, schema

_ROW = 3
"""Characters in a row that the engine knows."""


def search_exact(lexicon: Lexicon, search: Search) -> Found:
    """Find a text as it stands. A passage scores the number of times it holds it, not counting overlaps.

    Raises UsageError for a pattern that cannot be read or takes too long, and for a text of which nothing is left
    when case and accents are taken away.
    """
    needle = without_surrogates(search.text)
    if search.matching == Matching.PATTERN:
        places = matches(lexicon, search.scope, _all([_holding(lexicon, part) for part in literals(needle)]))
        return _found(lexicon, search, places, lambda texts: count_pattern(needle, texts))
    if search.matching == Matching.FOLDED:
        folded = fold(needle)
        if not folded:
            raise UsageError(
                f"nothing is left of {search.text!r} without case and accents.", remedy="Search for it to the letter."
            )
        places, written = matches(lexicon, search.scope, _folded(folded)), _as_written(folded)
        return _found(lexicon, search, places, lambda texts: [len(written.findall(fold(text))) for text in texts])
    held = _all([_holding(lexicon, part) for part in needle.split()])
    places, written = matches(lexicon, search.scope, held), _as_written(needle)
    return _found(lexicon, search, places, lambda texts: [len(written.findall(text)) for text in texts])


def _as_written(needle: str) -> re.Pattern[str]:
    """A stretch of text to the letter; where it has white space the text may have any, such as the end of a line."""
    return re.compile(r"\s+".join(re.escape(part) for part in re.split(r"\s+", needle)))


def _found(
    lexicon: Lexicon, search: Search, places: list[tantivy.DocAddress], count: Callable[[Iterable[str]], list[int]]
) -> Found:
    counts = np.array(count(str(lexicon.searcher.doc(at)[RAW_TRIGRAMS][0]) for at in places), float)
    held = counts > 0
    rows, counts = rows_at(lexicon, places)[held], counts[held]
    shown = can_be_shown(lexicon.table, rows, counts, search)
    return found(lexicon.table, rows[shown], counts[shown], search)


def _holding(lexicon: Lexicon, needle: str) -> Query:
    """What every passage that holds a stretch of raw text must hold."""
    if len(needle) >= _ROW:
        return _all([Query.term_query(schema(), RAW_TRIGRAMS, row) for row in dict.fromkeys(_rows(needle, _ROW))])
    rows = [row for row, _ in lexicon.searcher.terms_with_prefix(RAW_TRIGRAMS, "") if needle in row]
    data = lexicon.table.data
    short = data["key"][data["end"] - data["start"] < _ROW].tolist()
    # A term set must not be empty.
    return Query.boolean_query(
        [
            (Occur.Should, Query.term_set_query(schema(), field, values))
            for field, values in ((RAW_TRIGRAMS, rows), ("key", short))
            if values
        ]
        or [(Occur.Must, Query.empty_query())]
    )


def _folded(needle: str) -> Query:
    """What every passage that holds a folded stretch must hold: n-grams of its words, or a word too long for them."""
    size = max(GRAM_SIZES)
    runs = dict.fromkeys(re.findall(r"[^\W_]+", needle))
    grams = [gram for run in runs for gram in _rows(run, min(size, len(run))) if len(run) >= min(GRAM_SIZES)]
    if not grams:
        return Query.all_query()
    held = _all([Query.term_query(schema(), GRAMS, gram) for gram in dict.fromkeys(grams)])
    return Query.boolean_query([(Occur.Should, held), (Occur.Should, Query.term_query(schema(), GRAMS, LONG_WORD))])


def _all(parts: list[Query]) -> Query:
    return Query.boolean_query(
        [(Occur.Must, Query.const_score_query(part, 0.0)) for part in parts or [Query.all_query()]]
    )


def _rows(text: str, size: int) -> list[str]:
    return [text[i : i + size] for i in range(len(text) - size + 1)]
