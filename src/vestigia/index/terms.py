"""How a word of a query becomes a query of the engine: its stems in every field, its misreadings beside it."""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from tantivy import Query

from vestigia.domain.effects import Variant
from vestigia.index.analysis import function_words, stem_variants
from vestigia.index.schema import FIELDS, FOLDED, TEXT, schema

FUNCTION_WORD = 0.5
"""What a function word counts: for a question nothing would be better, for a title or a name in full 1 (measured)."""
PAIR = 0.5
"""What two words of a query that stand side by side count beside what they count alone (measured)."""
_PER_DISTANCE = 0.2
"""What a form loses for each step it is away from the word; at 0.5 less was found (measured)."""
_LEAST = 0.5


def weights(words: Iterable[str], languages: Iterable[str]) -> dict[str, float]:
    """Return how much each word of a query counts: once each time it is there, a function word half."""
    light = function_words(languages)
    counted: dict[str, float] = {}
    for word in words:
        counted[word] = counted.get(word, 0.0) + (FUNCTION_WORD if word in light else 1.0)
    return counted


def word_query(
    word: str, weight: float, languages: Iterable[str], variants: Sequence[Query] = (), of_text: float = 1.0
) -> Query:
    """Of the fields that hold a word, its stems in several languages and its variants the best one counts, not all.

    A word of the text counts `of_text` times as much.
    """
    stems = stem_variants(word, languages)
    queries = [
        term(field, stem, boost * weight * (of_text if field == TEXT else 1.0))
        for field, boost in FIELDS.items()
        for stem in stems
    ]
    return Query.disjunction_max_query([*queries, *variants])


def pair_queries(words: Sequence[str], light: frozenset[str]) -> list[Query]:
    """Let words that stand side by side in a query count more where a text has them so: `Neue Rundschau` is a name.

    Each pair counts once, half where one word is `light` (a function word), not at all where both are. Nothing is found
    by a pair that its words do not find.
    """
    pairs = dict.fromkeys(pair for pair in pairwise(words) if not light.issuperset(pair))
    return [
        Query.boost_query(phrase(FOLDED, pair), PAIR * (1.0 if light.isdisjoint(pair) else FUNCTION_WORD))
        for pair in pairs
    ]


def variant_queries(variants: Sequence[Variant], held: int, passages: int, weight: float) -> list[Query]:
    """Let the forms of a word weigh as the word does, less with their distance: a misreading is rare, not telling.

    `held` is how many of all `passages` hold the word itself.
    """
    together = rarity(min(passages, held + sum(variant.passages for variant in variants)), passages)
    return [
        term(
            FOLDED,
            variant.found,
            weight * nearness(variant) * together / rarity(variant.passages, passages),
        )
        for variant in variants
    ]


def nearness(variant: Variant) -> float:
    """What a form counts, 1 for the word itself."""
    return max(_LEAST, 1 - _PER_DISTANCE * variant.distance)


def phrase(field: str, words: Sequence[str], slop: int = 0) -> Query:
    """Words of a field that keeps positions, in that order, at most `slop` others between them."""
    if len(words) == 1:
        return Query.term_query(schema(), field, words[0], "freq")
    return Query.phrase_query(schema(), field, list(words), slop)


def term(field: str, word: str, boost: float = 1.0) -> Query:
    """One word of a field."""
    query = Query.term_query(schema(), field, word, "freq")
    return query if boost == 1.0 else Query.boost_query(query, boost)


def rarity(held: int, passages: int) -> float:
    """The engine's inverse document frequency."""
    return math.log(1 + (passages - held + 0.5) / (held + 0.5))
