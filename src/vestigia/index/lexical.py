"""The channels that the search engine answers: words, characters, exact; and the weight of words.

Scores are rounded before they are compared: the engine adds 32-bit numbers in an order that depends on how its parts
were merged, and a tie must not be broken by that.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tantivy
from tantivy import Occur, Query

from vestigia.domain.effects import Found, Scope, Search, Weigh, Weighed
from vestigia.domain.periods import DatePeriod
from vestigia.domain.question import Term
from vestigia.index.analysis import function_words, grams, quoted, searchable_words, stem_variants, without_surrogates
from vestigia.index.pooling import as_hits, best_by_document
from vestigia.index.rows import Rows, RowTable
from vestigia.index.schema import ATTESTED, EVERY, FIELDS, FOLDED, GRAMS, RAW_TRIGRAMS, register_analysers, schema

DECIMALS = 3
_FUNCTION_WORD = 0.5
"""What a function word counts: for a question nothing would be better, for a title or a name in full 1 (measured)."""
_INTEGER = tantivy.FieldType.Integer


@dataclass(frozen=True, slots=True)
class Lexicon:
    """An open generation of the engine's files, with the table that names its passages."""

    searcher: tantivy.Searcher
    table: RowTable

    @property
    def unswept(self) -> int:
        """How many deleted passages still count in the word statistics."""
        return int(self.searcher.doc_freq(EVERY, EVERY)) - len(self.table)


def open_lexicon(folder: Path, table: RowTable) -> Lexicon:
    """Open the engine's files of one generation. Raises ValueError when they are gone or damaged."""
    index = tantivy.Index.open(str(folder))
    register_analysers(index)
    return Lexicon(index.searcher(), table)


def search_words(lexicon: Lexicon, search: Search) -> Found:
    """BM25 over stemmed fields; what stands in quotation marks must occur, unstemmed and in that order."""
    phrases, rest = quoted(search.text)
    languages = lexicon.table.languages  # not the scope's: a filter must not change a score
    parts = [(Occur.Must, _phrase(searchable_words(phrase))) for phrase in phrases]
    parts += [(Occur.Should, _word(word, weight, languages))
              for word, weight in _weights(searchable_words(rest), languages).items()]
    if not parts:
        return Found(missing=f"{search.text!r} holds no word that can be searched")
    return _ranked(lexicon, search, Query.boolean_query(parts))


def search_characters(lexicon: Lexicon, search: Search) -> Found:
    """BM25 over the character n-grams inside the words."""
    counted = Counter(gram for word in searchable_words(search.text) for gram in grams(word).split())
    if not counted:
        return Found(missing=f"{search.text!r} holds no word that can be searched")
    parts = [(Occur.Should, _term(GRAMS, gram, float(count))) for gram, count in counted.items()]
    return _ranked(lexicon, search, Query.boolean_query(parts))


def search_exact(lexicon: Lexicon, search: Search) -> Found:
    """Find the text as it stands, to the letter. A passage scores the number of times it holds it."""
    needle = without_surrogates(search.text)
    trigrams = dict.fromkeys(needle[i:i + 3] for i in range(len(needle) - 2))
    parts = [Query.term_query(schema(), RAW_TRIGRAMS, trigram) for trigram in trigrams] or [Query.all_query()]
    query = Query.boolean_query([(Occur.Must, Query.const_score_query(part, 0.0)) for part in parts])
    filtered = within(lexicon.table, search.scope, query)
    candidates = lexicon.searcher.search(filtered, max(1, len(lexicon.table)), count=False).hits
    addresses = [address for _, address in candidates]
    rows = _rows(lexicon, addresses)
    counts = np.array([_stored(lexicon, address).count(needle) for address in addresses], float)
    held = counts > 0
    return Found(as_hits(lexicon.table, *best_by_document(lexicon.table, rows[held], counts[held], search.limit)))


def weigh_words(lexicon: Lexicon, weigh: Weigh) -> Weighed:
    """Count the documents each word of the text is attested in, in its text or its description."""
    languages = weigh.languages or lexicon.table.languages
    left_out = function_words(languages)
    documents = len(lexicon.table.documents)
    terms = []
    for word in dict.fromkeys(searchable_words(weigh.text)):
        if word not in left_out:
            held = _attested(lexicon, stem_variants(word, languages))
            terms.append(Term(word, held, math.log(1 + (documents - held + 0.5) / (held + 0.5))))
    return Weighed(tuple(terms))


def within(table: RowTable, scope: Scope, query: Query) -> Query:
    """Keep a query to the scope; its filters score nothing."""
    must = [query]
    for field, wanted in (("sub_corpus", scope.sub_corpora), ("language", scope.languages),
                          ("document", scope.documents)):
        if wanted:
            must.append(Query.const_score_query(
                Query.term_set_query(schema(), field, [without_surrogates(name) for name in wanted]), 0.0))
    if scope.period is not None:
        must += [Query.const_score_query(part, 0.0) for part in _overlapping(scope.period)]
    parts = [(Occur.Must, part) for part in must]
    without = table.data["key"][table.of_passages(scope.without)].tolist()
    if without:
        parts.append((Occur.MustNot, Query.term_set_query(schema(), "key", without)))
    return Query.boolean_query(parts) if len(parts) > 1 else query


def _overlapping(period: DatePeriod) -> tuple[Query, Query]:
    return (Query.range_query(schema(), "first", _INTEGER, upper_bound=period.last),
            Query.range_query(schema(), "last", _INTEGER, lower_bound=period.first))


def _phrase(words: Sequence[str]) -> Query:
    if len(words) == 1:
        return Query.term_query(schema(), FOLDED, words[0], "freq")
    return Query.phrase_query(schema(), FOLDED, list(words))


def _weights(words: Iterable[str], languages: Iterable[str]) -> dict[str, float]:
    """Return how much each word of a query counts: once each time it is there, a function word half."""
    light = function_words(languages)
    weights: dict[str, float] = {}
    for word in words:
        weights[word] = weights.get(word, 0.0) + (_FUNCTION_WORD if word in light else 1.0)
    return weights


def _word(word: str, weight: float, languages: Iterable[str]) -> Query:
    """Of the fields that hold a word, and of the stems it has in several languages, the best one counts, not all."""
    variants = stem_variants(word, languages)
    return Query.disjunction_max_query([_term(field, variant, boost * weight)
                                        for field, boost in FIELDS.items() for variant in variants])


def _term(field: str, word: str, boost: float) -> Query:
    query = Query.term_query(schema(), field, word, "freq")
    return query if boost == 1.0 else Query.boost_query(query, boost)


def _ranked(lexicon: Lexicon, search: Search, query: Query) -> Found:
    """Fetch passages until `limit` documents are full, with every tie at the cut-off seen, or nothing is left."""
    filtered = within(lexicon.table, search.scope, query)
    fetch = 4 * search.limit + 16
    while True:
        hits = lexicon.searcher.search(filtered, fetch, count=False).hits
        scores = np.round(np.array([score for score, _ in hits], float), DECIMALS)
        rows = _rows(lexicon, [address for _, address in hits])
        kept, best = best_by_document(lexicon.table, rows, scores, search.limit)
        if len(hits) < fetch or (len(kept) == search.limit and scores[-1] < best[-1]):
            return Found(as_hits(lexicon.table, kept, best))
        fetch *= 4


def _rows(lexicon: Lexicon, addresses: list[tantivy.DocAddress]) -> Rows:
    keys = lexicon.searcher.fast_field_values("key", addresses) if addresses else []
    return lexicon.table.with_keys(np.array(keys, np.int64))


def _stored(lexicon: Lexicon, address: tantivy.DocAddress) -> str:
    return str(lexicon.searcher.doc(address)[RAW_TRIGRAMS][0])


def _attested(lexicon: Lexicon, variants: Sequence[str]) -> int:
    query = Query.term_set_query(schema(), ATTESTED, list(variants))
    if len(variants) == 1:
        counted: Any = lexicon.searcher.search(query, 1, count=True)
        return int(counted.count)
    # Two stems of one document may be attested in two of its passages.
    addresses = [address for _, address in lexicon.searcher.search(query, max(1, len(lexicon.table)), count=False).hits]
    return len(np.unique(lexicon.table.data["document"][_rows(lexicon, addresses)]))
