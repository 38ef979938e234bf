"""The words of an archive, kept where text recognition damaged it much: which lie within a few letters of a word.

A word's letters leave a mark of 64 bits, one for each letter's number: two words that differ in n letters differ in
at most 2 n bits. That sorts nearly all words out by arithmetic; the rest are compared letter by letter.

Where it is said which letters are confused, a confusion counts half a letter: at twenty errors in a hundred letters
most long words are misread twice or more, and nearly always in ways that are met elsewhere, too.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
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
_ALIKE_BITS, _ALIKE_LONGER = 6, 3
"""With confusions only words are compared whose marks and lengths differ in no more than this: three letters changed.
One in two hundred that all comparisons find is lost (measured)."""
Alike = Sequence[tuple[str, str]]
"""What was meant and what is seen in its place, one or two letters each."""


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
        return [(other, int(apart)) for other, apart in self._within(word, letters, letters, 2 * letters)]

    def alike(self, word: str, letters: float, alike: Alike) -> list[tuple[str, float]]:
        """Return words other in at most so many letters, what is `alike` counting half, and in how many."""
        return self._within(word, letters, _ALIKE_LONGER, _ALIKE_BITS, alike)

    def _within(self, word: str, letters: float, longer: int, bits: int, alike: Alike = ()) -> list[tuple[str, float]]:
        low, high = np.searchsorted(self.lengths, [len(word) - longer, len(word) + longer + 1])
        mark = _marks(np.array([word], f"U{len(word)}"))[0]
        places = np.flatnonzero(np.bitwise_count(self.marks[low:high] ^ mark) <= bits) + low
        found = self.words[places]
        if alike:
            found = found[_begins_alike(word, found, letters, longer, alike)]
        apart = distances(word, found, alike)
        return [(str(found[i]), float(apart[i])) for i in np.flatnonzero((apart <= letters) & (apart > 0)).tolist()]


def distances(word: str, others: "NDArray[np.str_]", alike: Alike = ()) -> "NDArray[np.float32]":
    """Return in how many letters each of the others differs from a word (Levenshtein), up to 50 or so.

    What stands in others where the word has what it is `alike` to counts half a letter, were it two letters for one.
    """
    if not len(others):
        return np.zeros(0, np.float32)
    lengths = np.strings.str_len(others)
    _, row = _last_rows(word, _letters(others)[:, : int(lengths.max())], alike)
    return np.asarray(row[lengths, np.arange(len(others))] / np.float32(2))


def _begins_alike(
    word: str, others: "NDArray[np.str_]", letters: float, longer: int, alike: Alike
) -> "NDArray[np.bool_]":
    """Mark the words that may be so near: their beginnings alone are not too far from half of the word."""
    half = word[: len(word) // 2]
    rows = _last_rows(half, _letters(others)[:, : len(half) + longer], alike)
    return np.asarray(np.minimum(*rows).min(axis=0) <= 2 * letters)


def _last_rows(word: str, others: "NDArray[np.uint32]", alike: Alike) -> "tuple[NDArray[np.int8], NDArray[np.int8]]":
    """Compare a word without its last letter, and the word, with the beginnings of others, in halves of a letter.

    Shape of both (letters of the longest other + 1, others): the beginnings of no letter, of one, and so on.
    """
    letters = np.ascontiguousarray(others.T)
    seen = _by_meant(alike)
    row = np.repeat(2 * np.arange(len(letters) + 1, dtype=np.int8)[:, None], letters.shape[1], axis=1)
    above = row
    for place, letter in enumerate(word, 1):
        before, above, row = above, row, np.empty_like(row)
        row[0] = 2 * place
        cost = np.where(letters == ord(letter), np.int8(0), np.int8(2))
        for other in seen[letter, 1]:
            cost[letters == ord(other)] = 1
        np.minimum(above[:-1] + cost, above[1:] + np.int8(2), out=row[1:])
        for two in seen[letter, 2]:
            _half(row[2:], above[:-2], (letters[:-1] == ord(two[0])) & (letters[1:] == ord(two[1])))
        for other in seen[word[place - 2 : place], 1] if place > 1 else ():
            _half(row[1:], before[:-1], letters == ord(other))
        for column in range(1, len(row)):
            np.minimum(row[column], row[column - 1] + np.int8(2), out=row[column])
    return above, row


def _half(row: "NDArray[np.int8]", before: "NDArray[np.int8]", there: "NDArray[np.bool_]") -> None:
    """Where a confusion is there, what is before it and half a letter may be the least."""
    np.minimum(row, before + np.int8(1), out=row, where=there)


def _by_meant(alike: Alike) -> "defaultdict[tuple[str, int], list[str]]":
    """What is seen, by what was meant and by how many letters are seen."""
    grouped = defaultdict[tuple[str, int], list[str]](list)
    for meant, seen in alike:
        grouped[meant, len(seen)].append(seen)
    return grouped


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
