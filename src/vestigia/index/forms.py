"""The forms of a word that are searched beside it: its misreadings, or every word within so many letters."""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from vestigia.domain.effects import Search, Variant
from vestigia.index.ranking import Lexicon
from vestigia.index.schema import FOLDED
from vestigia.index.spelling import LEAST_LETTERS

MOST_FORMS = 50
"""Forms within a distance that are searched: the nearest, then the most frequent."""
_SHORT_WORD = 5
"""Up to so many letters only one may differ: with two, every short word is near every other."""


def forms_of(lexicon: Lexicon, search: Search, word: str, left_out: Collection[str]) -> tuple[Variant, ...]:
    """Return the forms of a folded word to search beside it: those within `fuzzy` letters, else its misreadings."""
    if word in left_out:
        return ()
    if search.fuzzy:
        return within_distance(lexicon, word, search.fuzzy)
    return () if search.strict else lexicon.spelling.variants(word, lexicon.held(word), lexicon.held)


def within_distance(lexicon: Lexicon, word: str, letters: int) -> tuple[Variant, ...]:
    """Return the words of the archive in which at most so many letters are other, more or fewer; not the word itself.

    A word of less than four letters has none, one of less than six those with one letter.
    """
    if len(word) < LEAST_LETTERS:
        return ()
    most = min(letters, 1) if len(word) <= _SHORT_WORD else letters
    terms = [(other, held) for other, held in lexicon.searcher.terms_with_prefix(FOLDED, "")
             if abs(len(other) - len(word)) <= most]
    apart = distances(word, [other for other, _ in terms])
    found = [Variant(word, *terms[place][:1], float(apart[place]), terms[place][1])
             for place in np.flatnonzero((apart <= most) & (apart > 0)).tolist()]
    found.sort(key=lambda variant: (variant.distance, -variant.passages, variant.found))
    return tuple(found[:MOST_FORMS])


def distances(word: str, others: list[str]) -> NDArray[np.int16]:
    """Return the number of letters to change, add or take out to make each of the others of a word (Levenshtein)."""
    if not others:
        return np.zeros(0, np.int16)
    longest = max(map(len, others))
    letters = np.array(others, f"U{longest}").view(np.uint32).reshape(len(others), longest)
    lengths = np.array([len(other) for other in others])
    row = np.repeat(np.arange(longest + 1, dtype=np.int16)[:, None], len(others), axis=1)
    for place, letter in enumerate(word, 1):
        above = row
        row = np.empty_like(above)
        row[0] = place
        for column in range(1, longest + 1):
            changed = above[column - 1] + (letters[:, column - 1] != ord(letter))
            np.minimum(np.minimum(above[column] + 1, row[column - 1] + 1), changed, out=row[column])
    result: NDArray[np.int16] = row[lengths, np.arange(len(others))]
    return result
