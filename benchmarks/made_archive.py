"""A made archive for the benchmarks: the same for the same number, of any size, unlike no real one.

Words are invented syllables, drawn by Zipf's law from 60,000, with forty topics of 300 words each that a document
mixes in; one word in fifty is misread. Dates lie evenly between 1800 and 1990, one document in twenty is undated.
Sub-corpora hold 95, 3 and 2 % of the passages. Documents have five passages of 60 words, titles of three.
"""

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from vestigia.domain.archive import DocumentCard, Passage, Provenance
from vestigia.domain.ids import DocumentId, digest, passage_id
from vestigia.domain.periods import DatePeriod, Precision, day_number

Pair = tuple[Passage, DocumentCard]

WORDS, TOPICS, TOPIC_WORDS = 60_000, 40, 300
PASSAGES, LENGTH = 5, 60
MISREAD = 0.02
SHARES = (("Zeitung", 0.95), ("Protokolle", 0.03), ("Briefe", 0.02))
FIRST, LAST = day_number(1800), day_number(1990, 12, 31)
_ONSETS = (
    "b",
    "bl",
    "br",
    "d",
    "dr",
    "f",
    "fl",
    "g",
    "gr",
    "h",
    "j",
    "k",
    "kl",
    "l",
    "m",
    "n",
    "p",
    "pr",
    "r",
    "s",
    "sch",
    "st",
    "t",
    "tr",
    "v",
    "w",
    "z",
)
_NUCLEI = ("a", "e", "i", "o", "u", "ei", "au", "ie")
_CODAS = ("", "n", "r", "l", "s", "t", "ch", "ng")


@cache
def vocabulary() -> tuple[str, ...]:
    """The words, the most frequent first: the more frequent the shorter."""
    rng = np.random.default_rng(7)
    made: dict[str, None] = {}
    while len(made) < WORDS:
        syllables = 1 + (len(made) > 60) + (len(made) > 4_000) + int(rng.integers(0, 2))
        made["".join(_syllable(rng) for _ in range(syllables))] = None
    return tuple(made)


def _syllable(rng: np.random.Generator) -> str:
    return "".join(_drawn(rng, parts) for parts in (_ONSETS, _NUCLEI, _CODAS))


def _drawn(rng: np.random.Generator, parts: Sequence[str]) -> str:
    """As `rng.choice` draws, without making an array of the parts each time."""
    return parts[int(rng.integers(0, len(parts)))]


def pairs(passages: int, seed: int = 11) -> Iterator[Pair]:
    """Yield so many passages with their documents' cards, document by document."""
    words = vocabulary()
    chance = np.random.default_rng(seed)
    ranks = 1 / np.arange(1, WORDS + 1)
    cumulated = np.cumsum(ranks / ranks.sum())
    topics = chance.integers(500, WORDS, (TOPICS, TOPIC_WORDS))
    for number in range(passages // PASSAGES):
        drawn = np.searchsorted(cumulated, chance.random(PASSAGES * LENGTH))
        topical = chance.random(len(drawn)) < 0.15
        drawn[topical] = topics[number % TOPICS][chance.integers(0, TOPIC_WORDS, int(topical.sum()))]
        misread = chance.random(len(drawn)) < MISREAD
        written = [
            _misread(words[rank], chance) if wrong else words[rank]
            for rank, wrong in zip(drawn.tolist(), misread.tolist(), strict=True)
        ]
        yield from _document(number, written, chance)


def _misread(word: str, chance: np.random.Generator) -> str:
    place = int(chance.integers(0, len(word)))
    return word[:place] + "ecoalitrnumhbfs"[int(chance.integers(0, 15))] + word[place + 1 :]


def _document(number: int, written: list[str], chance: np.random.Generator) -> Iterator[Pair]:
    name = DocumentId(f"{SHARES[_share(number)][0]}/{number:07}")
    first = int(chance.integers(FIRST, LAST))
    period = DatePeriod(first, first, Precision.DAY) if chance.random() > 0.05 else None
    provenance = Provenance("made.jsonl", str(number), digest(name), "made")
    card = DocumentCard(name, SHARES[_share(number)][0], " ".join(written[:3]), "de", period, provenance)
    start = 0
    for begin in range(0, len(written), LENGTH):
        text = " ".join(written[begin : begin + LENGTH]) + "."
        end = start + len(text)
        yield Passage(passage_id(name, start, end), name, start, end, text), card
        start = end + 1


def _share(number: int) -> int:
    place = number % 100
    return 0 if place < 95 else 1 if place < 98 else 2


def queries(number: int, seed: int = 13) -> list[str]:
    """So many queries of two to seven words, as often frequent as rare ones."""
    words, chance = vocabulary(), np.random.default_rng(seed)
    ranks = np.exp(chance.random((number, 7)) * np.log(WORDS / 20)) * 20
    return [" ".join(words[int(rank)] for rank in row[: 2 + n % 6]) for n, row in enumerate(ranks)]
