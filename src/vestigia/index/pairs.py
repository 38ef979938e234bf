"""Words side by side where much is misread: each of the two in any form it has there.

At twenty errors in a hundred letters hardly a name of two words is left as it is written; each of its words has forms
(`forms`), and two of them that stand side by side are the name.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise, product

from tantivy import Query

from vestigia.domain.effects import Variant
from vestigia.index.ranking import Lexicon
from vestigia.index.schema import FOLDED
from vestigia.index.terms import FUNCTION_WORD, nearness, phrase, rarity, term

_PAIR = 2.0
"""What a pair counts where much is misread, beside its words: two forms together are hardly chance (measured)."""
_FEW = 500
"""A form that more passages hold is taken to stand beside any other: to look where it stands would take longer."""
_Places = frozenset[tuple[int, int]]


def misread_pairs(
    lexicon: Lexicon, words: Sequence[str], light: frozenset[str], variants: Mapping[str, Sequence[Variant]]
) -> list[Query]:
    """Let words that stand side by side in a query count more where a text has them so, in any of their forms.

    Of the forms of a pair that a text has the best one counts, all as rare as they are together. As with pairs as they
    are written a pair counts once, half where one word is `light` (a function word), not at all where both are.
    """
    pairs = dict.fromkeys(pair for pair in pairwise(words) if not light.issuperset(pair))
    forms = {word: _forms(lexicon, word, variants.get(word, ())) for pair in pairs for word in pair}
    where = {form.found: _where(lexicon, form) for some in forms.values() for form in some}
    queries = []
    for one, other in pairs:
        weight = _PAIR * (1.0 if light.isdisjoint((one, other)) else FUNCTION_WORD)
        weight *= _rarity(lexicon, *forms[one]) + _rarity(lexicon, *forms[other])
        phrases = [
            Query.boost_query(
                phrase(FOLDED, (a.found, b.found)),
                weight * nearness(a) * nearness(b) / (_rarity(lexicon, a) + _rarity(lexicon, b)),
            )
            for a, b in product(forms[one], forms[other])
            if _meet(where[a.found], where[b.found])
        ]
        queries += [Query.disjunction_max_query(phrases)] if phrases else []
    return queries


def _forms(lexicon: Lexicon, word: str, variants: Sequence[Variant]) -> list[Variant]:
    """A word and its variants, as far as the archive has them."""
    return [form for form in (Variant(word, word, 0.0, lexicon.held(word)), *variants) if form.passages]


def _where(lexicon: Lexicon, form: Variant) -> _Places | None:
    """Where in the engine the passages lie that hold a form; none where they are many."""
    if form.passages > _FEW:
        return None
    hits = lexicon.searcher.search(term(FOLDED, form.found), form.passages, count=False).hits
    return frozenset((place.segment_ord, place.doc) for _, place in hits)


def _meet(one: _Places | None, other: _Places | None) -> bool:
    return one is None or other is None or not one.isdisjoint(other)


def _rarity(lexicon: Lexicon, *forms: Variant) -> float:
    """How rare a word is in all these forms."""
    return rarity(min(lexicon.passages, sum(form.passages for form in forms)), lexicon.passages)
