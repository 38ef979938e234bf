"""The vocabulary passport (B5, H7): is a word attested, since when, how often in each window, what stood in its place.

It says what the archive's texts hold, not what a period said: a gap may be the archive's own.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from vestigia.app.archive import Tell, quiet
from vestigia.app.asking import Opening, open_index
from vestigia.app.present import Plain
from vestigia.app.workspace import Workspace
from vestigia.corpus.catalogue import Catalogue
from vestigia.domain.effects import Neighbour
from vestigia.domain.errors import UsageError
from vestigia.domain.periods import DatePeriod, civil, common, in_years, usual_years, windows_of_years
from vestigia.index.attestation import Attested
from vestigia.index.snapshot import Snapshot
from vestigia.index.vocabulary import Vocabulary
from vestigia.index.wordvectors import Trained, train

NEAR = 8
"""Neighbours of each kind that are shown."""
MOST_WINDOWS = 400


@dataclass(frozen=True, slots=True)
class Near:
    """A neighbour of a term, and what is attested of it."""

    neighbour: Neighbour
    attested: Attested


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of a term. `warning` says that it cannot be expected in the period asked for, or anywhere."""

    attested: Attested
    near: tuple[Near, ...]
    warning: str = ""

    def instead(self, window: int, most: int = 3) -> tuple[Near, ...]:
        """What stood in its place in a window (by its number) where it is not attested: the nearest attested there."""
        if self.attested.counts[window]:
            return ()
        there = [near for near in self.near if near.attested.counts[window]]
        return tuple(sorted(there, key=lambda near: -near.neighbour.similarity)[:most])


@dataclass(frozen=True, slots=True)
class Passport:
    """The terms by window. `documents` are all documents of each window, `vectors` says whether there are any."""

    windows: tuple[DatePeriod, ...]
    documents: tuple[int, ...]
    entries: tuple[Entry, ...]
    vectors: bool


def passport(
    workspace: Workspace,
    terms: Sequence[str],
    window: str = "",
    between: DatePeriod | None = None,
    opening: Opening = open_index,
) -> Passport:
    """Look terms up, by windows such as `10y` (by the span where nothing is said), within a period if one is given.

    Raises UsageError for a window that cannot be read, too many windows, a term without a word.
    """
    with _opened(workspace, opening) as (snapshot, _):
        words = snapshot.vocabulary
        windows = windows_of(between or words.extent, window)
        if between is not None:
            windows = tuple(common(one, between) or one for one in windows)
        entries = tuple(_entry(words, term, windows, between) for term in terms)
        return Passport(windows, words.documents(windows), entries, words.vectors is not None)


def plain(found: Passport) -> Plain:
    """A passport as data."""
    names = [in_years(window) for window in found.windows]
    return {
        "windows": [{"window": n, "documents": c} for n, c in zip(names, found.documents, strict=True)],
        "vectors": found.vectors,
        "terms": [_term(entry, found.windows) for entry in found.entries],
    }


def _term(entry: Entry, windows: Sequence[DatePeriod]) -> Plain:
    one = entry.attested
    return {
        "term": one.term,
        "passages": one.passages,
        "documents": one.documents,
        "first": one.first,
        "last": one.last,
        "undated": one.undated,
        "warning": entry.warning or None,
        "windows": [
            {
                "window": in_years(window),
                "documents": one.counts[at],
                "early": one.first is not None and civil(window.last)[0] < one.first,
                "instead": [{"word": n.attested.term, "documents": n.attested.counts[at]} for n in entry.instead(at)],
            }
            for at, window in enumerate(windows)
        ],
        "neighbours": [_near(near) for near in entry.near],
    }


def _near(near: Near) -> Plain:
    one = near.attested
    return {
        "word": one.term, "by": near.neighbour.by, "similarity": near.neighbour.similarity, "passages": one.passages,
        "documents": one.documents, "first": one.first, "last": one.last,
    }  # fmt: skip


def train_vectors(workspace: Workspace, tell: Tell = quiet) -> Trained:
    """Train word vectors on the texts of the archive; what was there before is replaced. Raises UsageError."""
    with _opened(workspace) as (_, catalogue):
        tell("training word vectors", 0, 0)
        return train(workspace.index, (passage.text for passage, _ in catalogue.pairs()))


def windows_of(extent: DatePeriod | None, window: str = "") -> tuple[DatePeriod, ...]:
    """Cut an extent into windows of the length written, such as `10y`; none where nothing is dated.

    Raises UsageError for a length that cannot be read or makes too many windows.
    """
    written = re.fullmatch(r"\s*(\d{1,4})\s*(?:y|years?)?\s*", window) if window else None
    if window and (written is None or not int(written[1])):
        raise UsageError(f"{window!r} is no length of a window.", where="--windows", remedy="Write it like 5y or 10y.")
    if extent is None:
        return ()
    years = int(written[1]) if written else usual_years(extent)
    span = civil(extent.last)[0] - civil(extent.first)[0] + 1
    if span > MOST_WINDOWS * years:
        raise UsageError(
            f"{span // years} windows are too many to be read.",
            where="--windows",
            remedy=f"Make them longer, or keep to a period: at most {MOST_WINDOWS} are shown.",
        )
    return windows_of_years(extent, years)


def _entry(words: Vocabulary, term: str, windows: Sequence[DatePeriod], between: DatePeriod | None) -> Entry:
    found = words.attested(term, windows)
    near = tuple(Near(one, words.attested(one.found, windows)) for one in words.neighbours(term, NEAR))
    return Entry(found, near, _warning(found, between))


def _warning(found: Attested, between: DatePeriod | None) -> str:
    if not found.passages:
        return f"“{found.term}” stands nowhere in the texts."
    if between is None or found.first is None or found.last is None or any(found.counts):
        return ""
    if civil(between.last)[0] < found.first:
        return f"“{found.term}” is first attested in {found.first}: it cannot be expected in {in_years(between)}."
    if civil(between.first)[0] > found.last:
        return f"“{found.term}” is last attested in {found.last}: it cannot be expected in {in_years(between)}."
    return f"“{found.term}” is not attested in {in_years(between)}."


@contextmanager
def _opened(workspace: Workspace, opening: Opening = open_index) -> Iterator[tuple[Snapshot, Catalogue]]:
    catalogue = workspace.catalogue()
    try:
        yield opening(workspace, catalogue), catalogue
    finally:
        catalogue.close()
