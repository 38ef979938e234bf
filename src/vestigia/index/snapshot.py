"""The Index port over a folder: one committed generation and the vectors there were of it, unchanged while open."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from vestigia.domain.effects import (
    CHARACTERS,
    DATE,
    EXACT,
    MEANING,
    SOURCE,
    WORDS,
    Expand,
    Expanded,
    Found,
    Lane,
    Search,
    Weigh,
    Weighed,
)
from vestigia.domain.errors import ArchiveError, StaleIndexError, UsageError
from vestigia.domain.evidence import Hit
from vestigia.domain.ids import Digest, digest
from vestigia.domain.periods import common
from vestigia.domain.ports import Encoder
from vestigia.index.dense import Meaning, open_meaning, search_meaning
from vestigia.index.exact import search_exact
from vestigia.index.lexical import search_characters, search_words, weigh_words
from vestigia.index.nearness import search_dates
from vestigia.index.pooling import empty_lanes
from vestigia.index.ranking import Lexicon, no_panic, open_lexicon
from vestigia.index.rows import RowTable
from vestigia.index.state import State, shortened, usable_state
from vestigia.index.vocabulary import Vocabulary
from vestigia.index.wordvectors import WordVectors, open_vectors

_TRIES = 5
"""A writer may clear the generation away between reading its name and opening it; then there is a newer one."""


class Snapshot:
    """What was committed when it was opened. It can be searched from several threads."""

    def __init__(
        self, state: State, lexicon: Lexicon, meanings: Sequence[Meaning], vectors: WordVectors | None = None
    ) -> None:
        self._state = state
        self._table = lexicon.table
        self._lexicon = lexicon
        self._meanings = {f"{MEANING}:{meaning.encoder.name}": meaning for meaning in meanings}
        self.vocabulary = Vocabulary(lexicon, vectors)

    @classmethod
    def open(cls, folder: Path, encoders: Sequence[Encoder] = ()) -> Self:
        """Open the index in `folder` with a meaning channel for each encoder.

        Raises ArchiveError when there is none or it is damaged, StaleIndexError when another version wrote it.
        """
        for _ in range(_TRIES):
            state = usable_state(folder)
            try:
                table = RowTable.load(state.folder(folder))
                lexicon = open_lexicon(state.folder(folder), table)
            except (OSError, ValueError, KeyError) as failure:
                problem = failure
                continue
            meanings = [open_meaning(folder, encoder, table) for encoder in encoders]
            return cls(state, lexicon, meanings, open_vectors(folder, state.corpus))
        raise ArchiveError(
            f"a file of the index is damaged or gone ({shortened(problem)}).",
            where=str(folder),
            remedy="Run `vestigia add` once more: the index is rebuilt from the catalogue.",
        ) from problem

    @property
    def batch(self) -> int:
        """The catalogue's batch up to which documents are in."""
        return self._state.batch

    @property
    def corpus(self) -> Digest:
        """The catalogue's fingerprint at that batch."""
        return self._state.corpus

    @property
    def fingerprint(self) -> Digest:
        """Digest of the catalogue, the analysis, the encoders and what they have encoded, and of word vectors.

        Passages deleted but still in the word statistics are counted in: they move scores a little.
        """
        searched = {
            "corpus": self._state.corpus,
            "format": self._state.format,
            "analysis": self._state.analysis,
            "engine": self._state.engine,
            "unswept": self._lexicon.unswept,
            "spelling": self._lexicon.spelling.fingerprint,
            "words": self._lexicon.words_kept,
            "meanings": [
                [name, meaning.encoder.fingerprint, meaning.coverage] for name, meaning in self._meanings.items()
            ],
        }
        if self.vocabulary.vectors:
            searched["vocabulary"] = self.vocabulary.vectors.fingerprint
        return digest(json.dumps(searched, sort_keys=True))

    @property
    def documents(self) -> int:
        """How many documents are in."""
        return len(self._table.documents)

    def require(self, corpus: Digest, documents: int | None = None) -> Self:
        """Return itself if it is of this catalogue, and has as many documents where their number is given.

        Raises StaleIndexError when documents came or went since.
        """
        if corpus != self._state.corpus or documents not in {None, self.documents}:
            raise StaleIndexError(
                "the index is older than the catalogue, or of another.",
                remedy="Run `vestigia add` once more to bring it up to date.",
            )
        return self

    def encoded(self) -> dict[str, int]:
        """Return for each encoder, by name, how many passages have vectors."""
        return {meaning.encoder.name: meaning.encoded for meaning in self._meanings.values()}

    def channels(self) -> tuple[str, ...]:
        """Return the channels that can be searched: a meaning channel as soon as one passage is encoded."""
        encoded = [name for name, meaning in self._meanings.items() if meaning.encoded]
        return (WORDS, CHARACTERS, DATE, SOURCE, EXACT, *encoded)

    def search(self, search: Search) -> Found:
        """Search one channel within the scope; the filters come before the cut-off.

        Raises UsageError for an unknown channel, an empty query or a limit below 1, ModelUnavailableError when the
        encoder of a meaning channel fails.
        """
        if search.limit < 1:
            raise UsageError(f"a search for {search.limit} documents finds none.", remedy="Ask for at least 1.")
        if (search.windows or search.each) and search.quota < 1:
            raise UsageError(f"a quota of {search.quota} documents is none.", remedy="Ask for at least 1.")
        if search.channel == DATE:
            with no_panic():
                return search_dates(self._table, search, lambda asked, limit: self._worded(search, asked, limit))
        lexical = {
            WORDS: search_words,
            CHARACTERS: search_characters,
            SOURCE: search_characters,
            EXACT: search_exact,
        }
        if search.channel not in lexical and search.channel not in self._meanings:
            known = ", ".join((*lexical, DATE, *self._meanings))
            raise UsageError(f"there is no channel {search.channel!r}.", remedy=f"There are: {known}.")
        if not search.text.strip() and not (search.channel == EXACT and search.text):
            raise UsageError("the query is empty.", remedy="Give at least one word.")
        if search.channel in lexical:
            with no_panic():
                found = lexical[search.channel](self._lexicon, search)
        else:
            found = search_meaning(self._meanings[search.channel], search)
        return found if found.lanes else replace(found, lanes=empty_lanes(search))

    def _worded(self, search: Search, asked: Lane | None, limit: int) -> tuple[Hit, ...]:
        """What the characters of a date search find among the documents of its period; none without words or period."""
        inside = search.period
        for limiting in (search.scope.period, asked.window if asked else None):
            if inside is not None and limiting is not None:
                inside = common(inside, limiting)
        if inside is None or not search.text.strip():
            return ()
        where = (asked.sub_corpus,) if asked and asked.sub_corpus else search.scope.sub_corpora
        scope = replace(search.scope, period=inside, sub_corpora=where)
        plain = replace(search, channel=CHARACTERS, scope=scope, limit=limit, windows=(), each=())
        return search_characters(self._lexicon, plain).hits

    def weigh(self, weigh: Weigh) -> Weighed:
        """Count the documents that hold each word of a text, function words left out; 0 is not attested."""
        with no_panic():
            return weigh_words(self._lexicon, weigh)

    def expand(self, expand: Expand) -> Expanded:
        """Choose words of the archive that are near those of a text: by word vectors if trained, else by spelling."""
        return self.vocabulary.expand(expand)
