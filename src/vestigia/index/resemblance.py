"""Where much is misread: what the n-grams found is ordered by how nearly each text has the words of the query.

The n-grams of a word may lie scattered over a text that has nothing like it, the more so the more is misread. So the
stretch that is most like each word is looked for in the text itself, letter by letter and across blanks, for words are
also torn and run together (`rapidfuzz.fuzz.partial_ratio`). What is half like a word is no more than chance.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import tantivy
from rapidfuzz.fuzz import partial_ratio
from tantivy import Occur, Query

from vestigia.domain.effects import Found
from vestigia.domain.evidence import Hit
from vestigia.domain.ids import PassageId
from vestigia.index.analysis import searchable_words, stem_variants
from vestigia.index.ranking import DECIMALS, Lexicon, rows_at
from vestigia.index.schema import FIELDS, RAW_TRIGRAMS, TEXT, schema
from vestigia.index.terms import rarity, term

_CHANCE = 50
"""Up to here, in hundredths, likeness is chance: any text has a stretch half like any word."""
_POWER = 2
"""With 1 and 3 a little less was found (measured)."""
LOOKED_AT = 50
"""Documents put in order at least, were fewer wanted."""


def by_resemblance(lexicon: Lexicon, found: Found, words: Mapping[str, float]) -> Found:
    """Put each list of `found` into the order of score times likeness squared; equals stay in their order.

    `words` are folded, with what each counts; a rare one counts more. A word that the description of a document has is
    as good as in its text.
    """
    telling = {word: counted * rarity(lexicon.held(word), lexicon.passages) for word, counted in words.items()}
    shares = _shares(lexicon, {hit.passage for hits in _lists(found) for hit in hits}, telling)
    lanes = tuple(replace(lane, hits=_ordered(lane.hits, shares)) for lane in found.lanes)
    return replace(found, hits=_ordered(found.hits, shares), lanes=lanes)


def likeness(word: str, text: str) -> float:
    """Return how like a word a stretch of a text most like it is: 1 if it is there, 0 if by no more than chance.

    Likeness is twice the letters that both have in this order, as a share of the letters of both.
    """
    hundredths = partial_ratio(word, text.ljust(len(word)), score_cutoff=_CHANCE)
    return max(0.0, hundredths - _CHANCE) / (100 - _CHANCE)


def _lists(found: Found) -> list[tuple[Hit, ...]]:
    return [found.hits, *(lane.hits for lane in found.lanes)]


def _ordered(hits: Sequence[Hit], shares: Mapping[PassageId, float]) -> tuple[Hit, ...]:
    scored = [replace(hit, score=round(hit.score * shares[hit.passage] ** _POWER, DECIMALS)) for hit in hits]
    scored.sort(key=lambda hit: -hit.score)
    return tuple(replace(hit, rank=rank) for rank, hit in enumerate(scored, 1))


def _shares(lexicon: Lexicon, passages: Collection[PassageId], words: Mapping[str, float]) -> dict[PassageId, float]:
    """Return how nearly each passage has the words, by their weights, 0 to 1."""
    table, search = lexicon.table, lexicon.searcher.search
    keys = table.data["key"][table.of_passages(passages)].tolist()
    if not keys:
        return {}
    among = Query.const_score_query(Query.term_set_query(schema(), "key", keys), 0.0)

    def places(query: Query) -> list[tantivy.DocAddress]:
        both = Query.boolean_query([(Occur.Must, among), (Occur.Must, query)])
        return [place for _, place in search(both, len(keys), count=False).hits]

    described = {word: frozenset(map(_at, places(_in_description(lexicon, word)))) for word in words}
    together = sum(words.values())
    shares = {}
    found = places(Query.all_query())
    for place, row in zip(found, rows_at(lexicon, found).tolist(), strict=True):
        text = " ".join(searchable_words(str(lexicon.searcher.doc(place)[RAW_TRIGRAMS][0])))
        alike = sum(
            weight * (1.0 if _at(place) in described[word] else likeness(word, text)) for word, weight in words.items()
        )
        shares[table.passage(row)] = alike / together
    return shares


def _in_description(lexicon: Lexicon, word: str) -> Query:
    stems = stem_variants(word, lexicon.table.languages)
    return Query.disjunction_max_query([term(field, stem) for field in FIELDS if field != TEXT for stem in stems])


def _at(place: tantivy.DocAddress) -> tuple[int, int]:
    return place.segment_ord, place.doc
