"""How alike two texts are although each was misread in its own way (B4).

A text becomes its folded letters and digits in a row, so that line breaks, hyphens, spaces and case do not count; then
every ten letters in a row become a number, a *shingle*. Two things are asked of them:

- *Who could be alike?* The 64 smallest numbers of a text are its sketch (bottom-k MinHash, Broder 1997): two texts
  share numbers in their sketches as often as they share shingles.
- *How alike are they?* Each text is cut into stretches, and the share of the stretches that recur in the other one is
  counted, on both sides, and the smaller counts. Two letters under one letterhead share many shingles, but all in one
  place; a reprint shares some in every place. Measured: unlike letters of one letterhead come to 0.75 at most, the
  reprints of the demo to 0.88 and more, and with one letter in thirty misread on both sides 98 of 100 texts to 0.8.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from vestigia.domain.text import words

Numbers = NDArray[np.uint64]

SHINGLE = 10
"""Letters in a shingle."""
SKETCH = 64
"""Numbers in a sketch."""
ENOUGH = 150
"""Letters a text needs: shorter ones are alike by their formulas alone."""
ALIKE = 0.8
"""Share of a text that must recur in the other one."""
_SHARED = 5
"""Numbers two sketches must share before their texts are compared."""
_CROWD = 16
"""In larger groups that share a number only neighbours are compared: enough for a text that is copied that often."""
_AT_ONCE = 1_000_000
"""Numbers sorted at a time, which bounds the memory."""
_COUNTERS = 33_554_393
"""A prime, so that the pairs spread over all counters."""
_MANY = 1 << 31
_STRETCH, _FEWEST, _MOST, _RECURS = 80, 8, 64, 0.15
_STEP, _MIX, _MIX_AGAIN = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


def letters(text: str) -> str:
    """Return the folded letters and digits of a text in a row."""
    return "".join(words(text))


def shingles(found: str) -> Numbers:
    """Return the numbers of every ten letters in a row, in their order; none where there are fewer than ten."""
    codes = np.frombuffer(found.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    count = len(codes) - SHINGLE + 1
    if count < 1:
        return np.zeros(0, np.uint64)
    numbers = np.zeros(count, np.uint64)
    for place in range(SHINGLE):
        numbers = numbers * _STEP + codes[place : place + count]
    for shift, factor in ((31, _MIX), (27, _MIX_AGAIN)):
        numbers = (numbers ^ (numbers >> np.uint64(shift))) * factor
    return numbers ^ (numbers >> np.uint64(31))


def sketch(found: str) -> Numbers:
    """Return the sketch of a text's letters, ascending; none for a text that is too short to be compared."""
    return np.unique(shingles(found))[:SKETCH] if len(found) >= ENOUGH else np.zeros(0, np.uint64)


def similarity(one: Numbers, other: Numbers) -> float:
    """Return which part of two texts recurs in the other one, 0 to 1, by their shingles in order; the smaller part."""
    return min(_recurring(one, other), _recurring(other, one))


def _recurring(one: Numbers, other: Numbers) -> float:
    if not len(one):
        return 0.0
    number = min(_MOST, max(_FEWEST, len(one) // _STRETCH), len(one))
    shared = np.array_split(np.isin(one, other), number)
    return float(np.mean([part.mean() >= _RECURS for part in shared]))


def candidates(numbers: Numbers, owners: "NDArray[np.int32]") -> list[tuple[int, int]]:
    """Return the pairs (i < j) of texts whose sketches share enough numbers, in order.

    `numbers` holds all sketches and `owners`, of the same length, whose each number is. The memory is bounded: meetings
    are first only counted, many pairs to a counter, and only those of a full counter are kept and counted apart.
    """
    counters = np.zeros(_COUNTERS, np.uint16)
    for met in _meetings(numbers, owners):
        np.add.at(counters, met % _COUNTERS, np.uint16(1))  # of its own type: 200 times as fast
    kept = [np.zeros(0, np.int64), *(met[counters[met % _COUNTERS] >= _SHARED] for met in _meetings(numbers, owners))]
    pairs, counts = np.unique(np.concatenate(kept), return_counts=True)
    return [divmod(pair, _MANY) for pair in pairs[counts >= _SHARED].tolist()]


def _meetings(numbers: Numbers, owners: "NDArray[np.int32]") -> Iterator["NDArray[np.int64]"]:
    """Yield the pairs that share a number, once for each number they share."""
    slices = -(-len(numbers) // _AT_ONCE)
    for part in range(slices):
        chosen = _chosen(numbers, slices, part)
        here, whose = numbers[chosen], owners[chosen].astype(np.int64)
        order = np.lexsort((whose, here))
        here, whose = here[order], whose[order]
        sizes = np.unique(here, return_counts=True)[1]
        ends, crowd = np.repeat(np.cumsum(sizes), sizes), np.repeat(sizes > _CROWD, sizes)
        places = np.arange(len(here))
        for ahead in range(1, _CROWD):
            first = places[(places + ahead < ends) & (~crowd | (ahead == 1))]
            yield whose[first] * _MANY + whose[first + ahead]


def _chosen(numbers: Numbers, slices: int, part: int) -> "NDArray[np.int64]":
    """Return the places of the numbers in one slice; the rest is looked at bit by bit, as there are very many."""
    found = (
        np.flatnonzero(numbers[begin : begin + _AT_ONCE] % np.uint64(slices) == part) + begin
        for begin in range(0, len(numbers), _AT_ONCE)
    )
    return np.concatenate(list(found))
