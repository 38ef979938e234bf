"""The words of an archive, kept where text recognition damaged it much: which lie within one or two letters of a word.

A word's letters leave a mark of 64 bits, one for each letter's number: two words that differ in n letters differ in
at most 2 n bits. That sorts nearly all words out by arithmetic; the rest are compared letter by letter.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vestigia.index.durable import write_file

LONGEST = 20
"""Letters of the words that are kept."""
_FILES = ("wordlist.npy", "wordlist-marks.npy")
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class WordList:
    """Words by length, and their marks: arrays of the same length, of dtype U20 and uint64."""

    words: "NDArray[np.str_]"
    marks: "NDArray[np.uint64]"
    lengths: "NDArray[np.int64]"

    @classmethod
    def of(cls, words: Iterable[str]) -> "WordList":
        """Keep the words of three to twenty letters."""
        kept = sorted((word for word in words if _SHORTEST <= len(word) <= LONGEST), key=lambda word: (len(word), word))
        array = np.array(kept, f"U{LONGEST}")
        return cls(array, _marks(array), np.strings.str_len(array))

    @classmethod
    def load(cls, folder: Path) -> "WordList | None":
        """Map the list of a generation; none where there is none. Raises ValueError for a damaged one."""
        if not (folder / _FILES[0]).exists():
            return None
        words: NDArray[np.str_] = np.load(folder / _FILES[0], mmap_mode="r", allow_pickle=False)
        marks: NDArray[np.uint64] = np.load(folder / _FILES[1], allow_pickle=False)
        return cls(words, marks, np.strings.str_len(words))

    def save(self, folder: Path) -> None:
        """Write the list into a generation's folder."""
        write_file(folder / _FILES[0], lambda path: _save(path, self.words))
        write_file(folder / _FILES[1], lambda path: _save(path, self.marks))

    def near(self, word: str, letters: int) -> list[tuple[str, int]]:
        """Return the words other in at most so many letters (changed, added or left out), and in how many."""
        low, high = np.searchsorted(self.lengths, [len(word) - letters, len(word) + letters + 1])
        mark = _marks(np.array([word], f"U{len(word)}"))[0]
        places = np.flatnonzero(np.bitwise_count(self.marks[low:high] ^ mark) <= 2 * letters) + low
        found = self.words[places]
        apart = distances(word, found)
        return [(str(found[i]), int(apart[i])) for i in np.flatnonzero((apart <= letters) & (apart > 0)).tolist()]


def distances(word: str, others: "NDArray[np.str_]") -> "NDArray[np.int8]":
    """Return in how many letters each of the others differs from a word (Levenshtein), up to 100 or so."""
    if not len(others):
        return np.zeros(0, np.int8)
    longest = int(np.strings.str_len(others).max())
    letters = np.ascontiguousarray(_letters(others)[:, :longest].T)
    row = np.repeat(np.arange(longest + 1, dtype=np.int8)[:, None], len(others), axis=1)
    for place, letter in enumerate(word, 1):
        above, row = row, np.empty_like(row)
        row[0] = place
        changed = above[:-1] + (letters != ord(letter))
        np.minimum(changed, above[1:] + 1, out=row[1:])
        for column in range(1, longest + 1):
            np.minimum(row[column], row[column - 1] + 1, out=row[column])
    result: NDArray[np.int8] = row[np.strings.str_len(others), np.arange(len(others))]
    return result


def _marks(words: "NDArray[np.str_]") -> "NDArray[np.uint64]":
    marks = np.zeros(len(words), np.uint64)
    for column in _letters(words).T:
        marks |= np.where(column > 0, np.uint64(1) << (column % np.uint32(64)).astype(np.uint64), np.uint64(0))
    return marks


def _letters(words: "NDArray[np.str_]") -> "NDArray[np.uint32]":
    """The numbers of the letters, shape (words, longest), 0 after the end of a word."""
    flat = np.ascontiguousarray(words).view(np.uint32)
    return flat.reshape(len(words), -1) if len(words) else np.zeros((0, 1), np.uint32)


def _save(path: Path, array: "NDArray[Any]") -> None:
    with path.open("wb") as file:
        np.save(file, array, allow_pickle=False)
