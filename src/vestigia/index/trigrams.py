"""Words by the three letters in a row that they share: which of an archive's words are written like another.

The ends of a word are marked, so that `_br` is a beginning. Every three letters know the words that have them, so that
a word is compared with those alone.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_BITS = 21
"""Of the number of a letter, whatever its script."""


class Trigrams:
    """The words of an archive, each once, with the number of passages that hold it."""

    def __init__(self, held: Sequence[tuple[str, int]]) -> None:
        lengths = np.array([len(word) for word, _ in held], np.int64)
        self._text = "_".join(("", *(word for word, _ in held), ""))
        self._ends = np.cumsum(lengths + 1)  # where the mark behind each word stands
        self._passages = np.array([passages for _, passages in held], np.int64)
        # A word of n letters has n times three letters; the one that begins with its last letter runs into the next.
        owners = np.repeat(np.arange(len(held), dtype=np.int32), lengths + 1)
        own = np.ones(len(owners), bool)
        own[self._ends - 1] = False
        codes, owners = _codes(self._text)[own[:-1]], owners[own]
        order = np.argsort(codes, kind="stable")
        codes, owners = codes[order], owners[order]
        first = np.ones(len(codes), bool)  # of several of the same in one word one counts
        first[1:] = (codes[1:] != codes[:-1]) | (owners[1:] != owners[:-1])
        codes, self._owners = codes[first], owners[first]
        self._codes, self._begins = np.unique(codes, return_index=True)
        self._begins = np.append(self._begins, len(codes))
        self._sizes = np.bincount(self._owners, minlength=len(held))

    def alike(self, word: str, least: float) -> list[tuple[str, float, int]]:
        """Return (word, share, passages) of the others that share so much with a word: Dice's coefficient, 0 to 1."""
        mine = np.unique(_codes(f"_{word}_"))
        shared = np.zeros(len(self._sizes), np.int64)
        left, right = np.searchsorted(self._codes, mine), np.searchsorted(self._codes, mine, side="right")
        for place in left[left < right].tolist():
            shared[self._owners[self._begins[place] : self._begins[place + 1]]] += 1
        share = 2 * shared / (len(mine) + self._sizes)
        near = np.flatnonzero(share >= least)
        found = zip(map(self._word, near.tolist()), share[near].tolist(), self._passages[near].tolist(), strict=True)
        return [one for one in found if one[0] != word]

    def _word(self, number: int) -> str:
        begin = int(self._ends[number - 1]) if number else 0
        return self._text[begin + 1 : int(self._ends[number])]


def _codes(text: str) -> "NDArray[np.uint64]":
    """Every three letters in a row of a text as a number."""
    letters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    return (letters[:-2] << np.uint64(2 * _BITS)) | (letters[1:-1] << np.uint64(_BITS)) | letters[2:]
