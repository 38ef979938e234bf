"""The archive's own words: which are near a word, in use or in spelling, and how often each stands there (H7, B5).

On archives of a few million words vectors find variants of a word rather than synonyms (measured: research), and so
does plain spelling. So spelling always answers, vectors only where they were trained, and each neighbour says which
of the two it comes from; none is searched unless it is asked for and recorded.
"""

from collections.abc import Sequence
from functools import cached_property

from vestigia.domain.effects import WORDS, Expand, Expanded, Neighbour, Scope, Search
from vestigia.domain.ids import DocumentId
from vestigia.domain.languages import asked_in
from vestigia.domain.periods import DatePeriod
from vestigia.index.analysis import function_words, searchable_words, stem_variants
from vestigia.index.attestation import (
    Attested,
    Days,
    attested,
    documents_holding,
    ends,
    extent,
    one_row_each,
    overlapping,
)
from vestigia.index.forms import forms_of
from vestigia.index.ranking import Lexicon
from vestigia.index.schema import FOLDED
from vestigia.index.trigrams import Trigrams
from vestigia.index.wordvectors import WordVectors

VECTORS, SPELLING, MISREADING = "vectors", "spelling", "misreading"
_LEAST_LETTERS = 4
"""A shorter word is written like too many others."""
_LEAST_ALIKE = 0.4
"""Below this share of common trigrams two words are not written alike."""
_LEAST_CHOSEN = 0.6
"""Below this a neighbour is shown but not chosen to be searched."""
_DECIMALS = 3


class Vocabulary:
    """The words of one snapshot, with the vectors there are of them."""

    def __init__(self, lexicon: Lexicon, vectors: WordVectors | None = None) -> None:
        self._lexicon = lexicon
        self.vectors = vectors

    @cached_property
    def extent(self) -> DatePeriod | None:
        """From the first to the last day of what is dated; none where nothing is."""
        return extent(self._lexicon.table)

    def make_ready(self) -> None:
        """Lay out words and dates now, which the first passport would have to wait for."""
        self._trigrams, self._ends  # noqa: B018  made once, when they are asked for

    def attested(self, term: str, windows: Sequence[DatePeriod] = ()) -> Attested:
        """Count a term in the texts, by window. Raises UsageError where it holds no word."""
        return attested(self._lexicon, term, windows)

    def holding(self, term: str) -> tuple[DocumentId, ...]:
        """Name the documents whose text holds a term. Raises UsageError where it holds no word."""
        return documents_holding(self._lexicon, term)

    def documents(self, windows: Sequence[DatePeriod]) -> tuple[int, ...]:
        """Count all documents by window."""
        return overlapping(*self._ends, windows)

    def neighbours(self, word: str, number: int) -> tuple[Neighbour, ...]:
        """Return what is near a word: at most `number` of each kind, misreadings first, then spelling, then vectors.

        A word found in two ways is named once, by the first. Only a single word has neighbours.
        """
        folded = searchable_words(word)
        if len(folded) != 1:
            return ()
        found: dict[str, Neighbour] = {}
        for search in (self._misread, self._alike, self._used):
            for near in search(folded[0], number):
                found.setdefault(near.found, near)
        return tuple(found.values())

    def expand(self, expand: Expand) -> Expanded:
        """Choose for each content word the nearest words that are not found with it anyway: no misreading, no stem.

        By vectors where there are any, else by spelling; only what is near enough is chosen.
        """
        languages = (*(expand.languages or self._lexicon.table.languages), *asked_in(expand.text))
        left_out = function_words(languages)
        asked = [word for word in dict.fromkeys(searchable_words(expand.text)) if word not in left_out]
        known = {stem for word in asked for stem in stem_variants(word, languages)}
        chosen = [near for word in asked for near in self._chosen(word, expand.limit, known, languages)]
        return Expanded(tuple(near for near in chosen if near.found not in left_out))

    def _chosen(self, word: str, limit: int, known: set[str], languages: Sequence[str]) -> list[Neighbour]:
        misread = {near.found for near in self._misread(word, limit)}
        room = limit + len(misread) + 10
        near = self._used(word, room) if self.vectors else self._alike(word, room)
        return [
            one
            for one in near
            if one.similarity >= _LEAST_CHOSEN
            and one.found not in misread
            and known.isdisjoint(stem_variants(one.found, languages))
        ][:limit]

    def _misread(self, word: str, number: int) -> list[Neighbour]:
        forms = forms_of(self._lexicon, Search(WORDS, word, Scope(), 1), word, ())
        return [
            Neighbour(word, form.found, round(1 / (1 + form.distance), _DECIMALS), form.passages, MISREADING)
            for form in forms[:number]
        ]

    def _alike(self, word: str, number: int) -> list[Neighbour]:
        """Words that share most trigrams with a word (Dice's coefficient), the more frequent first where they tie."""
        if len(word) < _LEAST_LETTERS:
            return []
        scored = [
            Neighbour(word, other, round(alike, _DECIMALS), passages, SPELLING)
            for other, alike, passages in self._trigrams.alike(word, _LEAST_ALIKE)
        ]
        scored.sort(key=lambda near: (-near.similarity, -near.passages, near.found))
        return scored[:number]

    def _used(self, word: str, number: int) -> list[Neighbour]:
        if self.vectors is None:
            return []
        return [
            Neighbour(word, found, round(cosine, _DECIMALS), self._lexicon.held(found), VECTORS)
            for found, cosine in self.vectors.neighbours(word, number)
        ]

    @cached_property
    def _ends(self) -> tuple[Days, Days]:
        return ends(self._lexicon.table, one_row_each(self._lexicon.table))

    @cached_property
    def _trigrams(self) -> Trigrams:
        return Trigrams(self._lexicon.searcher.terms_with_prefix(FOLDED, ""))
