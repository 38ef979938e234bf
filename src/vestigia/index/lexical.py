"""The channels of words and of characters, and the weight of words.

Words that stand side by side in a query count more where a text has them so. A word is looked for in the forms text
recognition and spelling give it in this archive, as far as these are rare beside it (`spelling`); which they were comes
back with the hits.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from tantivy import Occur, Query

from vestigia.domain.effects import Found, Matching, Search, Weigh, Weighed
from vestigia.domain.languages import asked_in
from vestigia.domain.question import Term
from vestigia.index.analysis import function_words, grams, quoted, searchable_words, stem_variants
from vestigia.index.forms import forms_of
from vestigia.index.operators import search_syntax
from vestigia.index.ranking import Lexicon, ranked, rows_at
from vestigia.index.schema import ATTESTED, FOLDED, GRAMS, schema
from vestigia.index.terms import pair_queries, phrase, term, variant_queries, weights, word_query


def search_words(lexicon: Lexicon, search: Search) -> Found:
    """BM25 over stemmed fields; what stands in quotation marks must occur, unstemmed and in that order.

    Strictly it is plain BM25: neither misreadings nor words side by side count.
    Raises UsageError for a query that is against the syntax, where that was asked for.
    """
    if search.matching == Matching.SYNTAX:
        return search_syntax(lexicon, search)
    phrases, rest = quoted(search.text)
    languages = lexicon.table.languages  # not the scope's: a filter must not change a score
    asked = (*languages, *asked_in(search.text))
    words = searchable_words(rest)
    counted = weights(words, asked)
    if not phrases and not counted:
        return Found(missing=f"{search.text!r} holds no word that can be searched")
    left_out = function_words(asked)
    variants = {word: forms_of(lexicon, search, word, left_out) for word in counted}
    parts = [(Occur.Must, phrase(FOLDED, searchable_words(quotation))) for quotation in phrases]
    for word, weight in counted.items():
        forms = variant_queries(variants[word], lexicon.held(word), lexicon.passages, weight)
        parts.append((Occur.Should, word_query(word, weight, languages, forms)))
    if not search.strict:
        parts += [(Occur.Should, pair) for pair in pair_queries(words, left_out)]
    found = ranked(lexicon, search, Query.boolean_query(parts))
    return replace(found, variants=tuple(variant for forms in variants.values() for variant in forms))


def search_characters(lexicon: Lexicon, search: Search) -> Found:
    """BM25 over the character n-grams inside the words."""
    counted = Counter(gram for word in searchable_words(search.text) for gram in grams(word))
    if not counted:
        return Found(missing=f"{search.text!r} holds no word that can be searched")
    parts = [(Occur.Should, term(GRAMS, gram, float(count))) for gram, count in counted.items()]
    return ranked(lexicon, search, Query.boolean_query(parts))


def weigh_words(lexicon: Lexicon, weigh: Weigh) -> Weighed:
    """Count the documents each word of the text is attested in, in its text or its description."""
    languages = (*(weigh.languages or lexicon.table.languages), *asked_in(weigh.text))
    left_out = function_words(languages)
    documents = len(lexicon.table.documents)
    terms = []
    for word in dict.fromkeys(searchable_words(weigh.text)):
        if word not in left_out:
            held = _attested(lexicon, stem_variants(word, languages))
            terms.append(Term(word, held, math.log(1 + (documents - held + 0.5) / (held + 0.5))))
    return Weighed(tuple(terms))


def _attested(lexicon: Lexicon, variants: Sequence[str]) -> int:
    query = Query.term_set_query(schema(), ATTESTED, list(variants))
    if len(variants) == 1:
        counted: Any = lexicon.searcher.search(query, 1, count=True)
        return int(counted.count)
    # Two stems of one document may be attested in two of its passages.
    addresses = [address for _, address in lexicon.searcher.search(query, max(1, len(lexicon.table)), count=False).hits]
    return len(np.unique(lexicon.table.data["document"][rows_at(lexicon, addresses)]))
