"""An index over passages in memory: the rules of the Index port in their plainest form, without any engine."""

import math
from collections.abc import Callable, Iterable

from vestigia.domain.archive import DocumentCard, Passage
from vestigia.domain.effects import (
    CHARACTERS,
    DATE,
    EXACT,
    SOURCE,
    WORDS,
    Expand,
    Expanded,
    Found,
    Lane,
    Neighbour,
    Scope,
    Search,
    Weigh,
    Weighed,
)
from vestigia.domain.errors import UsageError
from vestigia.domain.evidence import Hit
from vestigia.domain.ids import Digest, digest
from vestigia.domain.periods import distance, overlaps
from vestigia.domain.question import Term
from vestigia.domain.text import fold, words

Pair = tuple[Passage, DocumentCard]
FUNCTION_WORDS = frozenset(
    (
        "the",
        "a",
        "an",
        "of",
        "and",
        "in",
        "to",
        "is",
        "was",
        "der",
        "die",
        "das",
        "und",
        "ist",
        "war",
        "le",
        "la",
        "les",
        "de",
        "des",
        "et",
        "un",
        "une",
        "est",
    )
)


class MemoryIndex:
    """Implements the Index port over (Passage, DocumentCard) pairs; scores are sums of word weights."""

    def __init__(self, pairs: Iterable[Pair] = ()) -> None:
        self.pairs = tuple(pairs)
        self._vocabulary = [(card.id, frozenset(words(f"{card.title} {passage.text}"))) for passage, card in self.pairs]
        self._documents = len({card.id for _, card in self.pairs})

    @property
    def fingerprint(self) -> Digest:
        """Digest over the passages."""
        return digest("\n".join(sorted(f"{passage.id} {digest(passage.text)}" for passage, _ in self.pairs)))

    def channels(self) -> tuple[str, ...]:
        """Five channels, no meaning."""
        return (WORDS, CHARACTERS, DATE, SOURCE, EXACT)

    def search(self, search: Search) -> Found:
        """Score every passage in scope, keep each document's best, sort, cut."""
        scorers: dict[str, Callable[[Search, int], float]] = {
            WORDS: self._by_words,
            CHARACTERS: self._by_characters,
            DATE: self._by_date,
            SOURCE: self._by_characters,
            EXACT: self._by_text,
        }
        if search.channel not in scorers:
            raise UsageError(f"there is no channel {search.channel!r}", remedy=f"Use one of {', '.join(scorers)}.")
        if search.channel == DATE and search.period is None:
            raise UsageError("a date search needs a period")
        if search.channel != DATE and not search.text.strip():
            raise UsageError("the query is empty")
        if search.channel in {WORDS, CHARACTERS, SOURCE} and not words(search.text):
            return Found(missing=f"{search.text!r} holds no word that can be searched")
        best: dict[str, tuple[float, str, int, Passage]] = {}
        for number, (passage, card) in enumerate(self.pairs):
            score = scorers[search.channel](search, number)
            if score > 0 and in_scope(search.scope, passage, card):
                entry = (-score, card.id, passage.start, passage)
                best[card.id] = min(best.get(card.id, entry), entry, key=lambda e: e[:3])
        ordered = sorted(best.values(), key=lambda e: e[:3])
        return Found(_hits(ordered[: search.limit]), lanes=tuple(self._lane(lane, ordered) for lane in _asked(search)))

    def _lane(self, lane: Lane, ordered: list[tuple[float, str, int, Passage]]) -> Lane:
        cards = {card.id: card for _, card in self.pairs}
        mine = [entry for entry in ordered if _in_lane(cards[entry[3].document], lane)]
        return Lane(lane.window, _hits(mine[: lane.short]), max(0, lane.short - len(mine)), lane.sub_corpus)

    def weigh(self, weigh: Weigh) -> Weighed:
        """Count the documents that hold each word."""
        ordered = dict.fromkeys(word for word in words(weigh.text) if word not in FUNCTION_WORDS)
        return Weighed(tuple(Term(word, self._holding(word), self._weight(word)) for word in ordered))

    def expand(self, expand: Expand) -> Expanded:
        """Words that share the first four letters, half as similar as the word itself."""
        held = sorted({word for _, holds in self._vocabulary for word in holds})
        near = []
        for word in dict.fromkeys(word for word in words(expand.text) if word not in FUNCTION_WORDS):
            found = [other for other in held if other[:4] == word[:4] and other != word][: expand.limit]
            near += [Neighbour(word, other, 0.5, self._holding(other), "spelling") for other in found]
        return Expanded(tuple(near))

    def _holding(self, word: str) -> int:
        return len({document for document, held in self._vocabulary if word in held})

    def _weight(self, word: str) -> float:
        n = self._holding(word)
        return math.log(1 + (self._documents - n + 0.5) / (n + 0.5))

    def _by_words(self, search: Search, number: int) -> float:
        asked = dict.fromkeys(words(search.text.replace('"', " ")))
        return math.fsum(self._weight(word) for word in asked if word in self._vocabulary[number][1])

    def _by_characters(self, search: Search, number: int) -> float:
        here, asked = _trigrams(self.pairs[number][0].text), _trigrams(search.text)
        return len(here & asked) / max(1, len(asked))

    def _by_date(self, search: Search, number: int) -> float:
        period = self.pairs[number][1].period
        if period is None or search.period is None:
            return 0.0
        return math.exp(-search.decay * distance(period, search.period))

    def _by_text(self, search: Search, number: int) -> float:
        return float(self.pairs[number][0].text.count(search.text))


def _hits(ordered: list[tuple[float, str, int, Passage]]) -> tuple[Hit, ...]:
    return tuple(Hit(p.id, p.document, rank, -score) for rank, (score, _, _, p) in enumerate(ordered, 1))


def _asked(search: Search) -> list[Lane]:
    """The lists of windows, empty; lists of sub-corpora are not for the fake."""
    undated = [Lane(None, (), search.undated)] if search.windows and search.undated else []
    return [*(Lane(window, (), search.quota) for window in search.windows), *undated]


def _in_lane(card: DocumentCard, lane: Lane) -> bool:
    if lane.window is None:
        return card.period is None
    return card.period is not None and overlaps(card.period, lane.window)


def in_scope(scope: Scope, passage: Passage, card: DocumentCard) -> bool:
    """Whether a passage passes every filter: the plain reading of Scope that real indexes are compared with."""
    return (
        (not scope.sub_corpora or card.sub_corpus in scope.sub_corpora)
        and (not scope.languages or card.language in scope.languages)
        and (not scope.documents or card.id in scope.documents)
        and passage.id not in scope.without
        and (scope.period is None or (card.period is not None and overlaps(card.period, scope.period)))
    )


def _trigrams(text: str) -> frozenset[str]:
    folded = fold(text)
    return frozenset(folded[i : i + 3] for i in range(len(folded) - 2))
