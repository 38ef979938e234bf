"""The forms of a word that are searched beside it: its misreadings, or every word within so many letters.

Where the archive is read well a form is one that its confusions lead to. Where much is misread (`spelling`) errors come
several to a word and of every kind: there every rare word that differs in at most a quarter of the letters is one, what
is confused in this archive counting half a letter, the nearer the better.
"""

import math
from collections.abc import Collection, Mapping

from vestigia.domain.effects import Search, Variant
from vestigia.index.ranking import Lexicon
from vestigia.index.schema import FOLDED
from vestigia.index.spelling import LEAST_LETTERS, RARER
from vestigia.index.wordlist import WordList

MOST_FORMS = 50
"""Forms of a word that are searched: the nearest, then the most frequent."""
_SHORT_WORD = 5
"""Up to so many letters only one may differ: with two, every short word is near every other."""
_QUARTER, _FEWEST, _MOST = 4, 1.0, 2.5
"""Where much is misread: one letter in so many may differ, but one always and no more than so many (measured)."""


def forms_of(lexicon: Lexicon, search: Search, word: str, left_out: Collection[str]) -> tuple[Variant, ...]:
    """Return the forms of a folded word to search beside it: those within `fuzzy` letters, else its misreadings."""
    if word in left_out or len(word) < LEAST_LETTERS:
        return ()
    if search.fuzzy:
        words = lexicon.words or WordList.of(word for word, _ in lexicon.searcher.terms_with_prefix(FOLDED, ""))
        return _held(lexicon, word, _near(words, word, search.fuzzy), math.inf)
    return () if search.strict else _misreadings(lexicon, word)


def _misreadings(lexicon: Lexicon, word: str) -> tuple[Variant, ...]:
    held = lexicon.held(word)
    distances = lexicon.spelling.forms(word)
    if lexicon.words is not None:
        alike = [(confusion.meant, confusion.seen) for confusion in lexicon.spelling.confusions]
        letters = max(_FEWEST, min(_MOST, len(word) / _QUARTER))
        distances |= dict(lexicon.words.alike(word, letters, alike))
    return _held(lexicon, word, distances, max(1, held // RARER) if held else math.inf)


def _near(words: WordList, word: str, letters: int) -> Mapping[str, float]:
    return dict(words.near(word, 1 if len(word) <= _SHORT_WORD else letters))


def _held(lexicon: Lexicon, word: str, distances: Mapping[str, float], most: float) -> tuple[Variant, ...]:
    """The forms that stand in the archive, in at most so many passages: the nearest, then the most frequent."""
    found = [
        Variant(word, form, round(distances[form], 3), passages)
        for form in lexicon.known.among(distances)
        if 0 < (passages := lexicon.held(form)) <= most
    ]
    found.sort(key=lambda variant: (variant.distance, -variant.passages, variant.found))
    return tuple(found[:MOST_FORMS])
