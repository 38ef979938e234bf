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

from vestigia.domain.effects import Found, Matching, Search, Variant, Weigh, Weighed
from vestigia.domain.languages import asked_in
from vestigia.domain.question import Term
from vestigia.index.analysis import function_words, grams, quoted, searchable_words, stem_variants
from vestigia.index.forms import forms_of
from vestigia.index.operators import search_syntax
from vestigia.index.pairs import misread_pairs
from vestigia.index.ranking import Lexicon, ranked, rows_at
from vestigia.index.resemblance import LOOKED_AT, by_resemblance
from vestigia.index.schema import ATTESTED, FOLDED, GRAMS, TEXT, schema
from vestigia.index.terms import pair_queries, phrase, rarity, term, variant_queries, weights, word_query


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
        parts.append((Occur.Should, _in_any_form(lexicon, word, weight, variants[word])))
    if not search.strict:
        pairs = pair_queries(words, left_out)
        if lexicon.words is not None:
            pairs = misread_pairs(lexicon, words, left_out, variants)
        parts += [(Occur.Should, pair) for pair in pairs]
    found = ranked(lexicon, search, Query.boolean_query(parts))
    return replace(found, variants=tuple(variant for forms in variants.values() for variant in forms))


def _in_any_form(lexicon: Lexicon, word: str, weight: float, variants: Sequence[Variant]) -> Query:
    """A word and its forms, these as rare as all are together; where much is misread, the word itself is so, too.

    Else a long word, of which hardly any is left as it is written, would count far more than a short one.
    """
    held, languages, passages = lexicon.held(word), lexicon.table.languages, lexicon.passages
    if lexicon.words is None or not variants:
        return word_query(word, weight, languages, variant_queries(variants, held, passages, weight))
    stemmed = max(int(lexicon.searcher.doc_freq(TEXT, stem)) for stem in stem_variants(word, languages))
    together = min(passages, stemmed + sum(variant.passages for variant in variants))
    forms = variant_queries(variants, stemmed, passages, weight)
    return word_query(word, weight, languages, forms, rarity(together, passages) / rarity(stemmed, passages))


def search_characters(lexicon: Lexicon, search: Search) -> Found:
    """BM25 over the character n-grams inside the words; where much is misread, ordered by resemblance if not strict."""
    words = searchable_words(search.text)
    counted = Counter(gram for word in words for gram in grams(word))
    if not counted:
        return Found(missing=f"{search.text!r} holds no word that can be searched")
    parts = [(Occur.Should, term(GRAMS, gram, float(count))) for gram, count in counted.items()]
    query = Query.boolean_query(parts)
    if search.strict or lexicon.words is None:
        return ranked(lexicon, search, query)
    found = ranked(lexicon, replace(search, limit=max(search.limit, LOOKED_AT)), query)
    ordered = by_resemblance(lexicon, found, weights(words, (*lexicon.table.languages, *asked_in(search.text))))
    return replace(ordered, hits=ordered.hits[: search.limit])


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
