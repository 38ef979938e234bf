"""The silence report of a run (B1): where it searched, with what, and what was not there to be found.

"Nothing found" is a finding only of a run that ended whole and whose searches did not fail; else the report says what
stands against it. Everything here is counted from the record and from the archive's own account; nothing is judged.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vestigia.domain.archive import DocumentCard
from vestigia.domain.effects import DATE, Found, Neighbour, Search
from vestigia.domain.events import Outcome
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import DocumentId
from vestigia.domain.periods import DatePeriod, overlaps
from vestigia.inquiry.state import State
from vestigia.inquiry.view import result


@dataclass(frozen=True, slots=True)
class Holding:
    """What the archive has of a sub-corpus: spans of days with how many documents, how many are undated, its pages."""

    sub_corpus: str
    spans: tuple[tuple[int, int, int], ...]
    undated: int
    pages: int = 0


@dataclass(frozen=True, slots=True)
class Cell:
    """One window (None: the undated) in one sub-corpus.

    `holds` documents lie there; so many `searches` reached it, and brought so many `found` documents to be judged, of
    which so many were `accepted`. A document whose date lies across windows counts in each.
    """

    window: DatePeriod | None
    sub_corpus: str
    holds: int
    searches: int
    found: int
    accepted: int


@dataclass(frozen=True, slots=True)
class Tried:
    """A word that was searched, and how many documents have it (0: attested nowhere); `beside` which word, if any."""

    word: str
    documents: int
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Sought:
    """One search: channel, text, where, when, and how many documents its list had; or why it failed."""

    channel: str
    text: str
    sub_corpora: tuple[str, ...]
    period: DatePeriod | None
    hits: int
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Silence:
    """The report. `against` says what stands against taking a silence as a finding; `nothing` whether all is silent."""

    cells: tuple[Cell, ...]
    tried: tuple[Tried, ...]
    dates: tuple[DatePeriod, ...]
    searches: tuple[Sought, ...]
    found: int
    accepted: int
    rejected: int
    held: int
    undated: int
    pages: int
    silent_pages: int
    nothing: bool
    against: tuple[str, ...]

    @property
    def gaps(self) -> tuple[Cell, ...]:
        """The windows of sub-corpora in which the archive holds nothing: no search could find anything there."""
        return tuple(cell for cell in self.cells if cell.window and not cell.holds)

    @property
    def unsearched(self) -> tuple[Cell, ...]:
        """What the archive holds and no search reached."""
        return tuple(cell for cell in self.cells if cell.holds and not cell.searches)


def silence(
    state: State,
    searches: Iterable[tuple[Search, Found]],
    holdings: Sequence[Holding],
    windows: Sequence[DatePeriod],
    silent_pages: int = 0,
) -> Silence:
    """Report on a run: `searches` are those of its record with their answers, `holdings` of all it could search."""
    asked = tuple(searches)
    taken = tuple(state.taken)
    by_hand = [d for d, act in state.overruled.items() if act.decision is Decision.ACCEPT and d not in state.accepted]
    accepted = {*taken, *(d for d in by_hand if d in state.cards)}
    candidates = {candidate.document for search in state.searches for candidate in search.candidates}
    rejected = {verdict.document for verdict in state.rejected.values()}
    rejected |= {d for d, act in state.overruled.items() if act.decision is Decision.REJECT and d in state.cards}
    sought = [_sought(search, found) for search, found in asked]
    cells = tuple(
        Cell(
            window,
            holding.sub_corpus,
            _holds(holding, window),
            sum(_reaches(search, holding.sub_corpus, window) for search, found in asked if not found.failure),
            _within(state, candidates, holding.sub_corpus, window),
            _within(state, accepted, holding.sub_corpus, window),
        )
        for holding in holdings
        for window in (*windows, None)
    )
    return Silence(
        cells=cells,
        tried=tried(state),
        dates=tuple(dict.fromkeys(_dates(state, asked))),
        searches=tuple(dict.fromkeys(sought)),
        found=len(candidates),
        accepted=len(accepted),
        rejected=len(rejected - accepted),
        held=len({row.card.id for row in result(state).held}),
        undated=sum(holding.undated for holding in holdings),
        pages=sum(holding.pages for holding in holdings),
        silent_pages=silent_pages,
        nothing=not accepted,
        against=against(state),
    )


def tried(state: State) -> tuple[Tried, ...]:
    """Every word of the questions, and what was searched beside them, each once."""
    words = [Tried(term.word, term.documents) for reading in state.readings.values() for term in reading.terms]
    words += [Tried(near.found, near.passages, near.word) for near in _neighbours(state)]
    words += [Tried(form.found, form.passages, form.word) for s in state.searches for form in s.variants]
    first: dict[str, Tried] = {}
    for one in words:
        first.setdefault(one.word, one)
    return tuple(first.values())


def against(state: State) -> tuple[str, ...]:
    """What stands against taking a silence of this run as a finding."""
    held = result(state).held
    unread = sum(consulted.outcome is not Outcome.READ for consulted in state.consultations)
    said = (
        ("the run is not finished", not state.closed),
        (f"it is partial: the budget of {state.limit} was reached", bool(state.limit)),
        (f"{len(state.failures)} searches failed", bool(state.failures)),
        (f"{len(held)} passages are on hold, decided by nobody", bool(held)),
        (f"{unread} model calls gave nothing that could be used", bool(unread)),
    )
    gaps = dict.fromkeys(gap for search in state.searches for gap in search.missing)
    return (*(words for words, holds in said if holds), *gaps)


def _sought(search: Search, found: Found) -> Sought:
    hits = {hit.document for part in (found.hits, *(lane.hits for lane in found.lanes)) for hit in part}
    when = search.period if search.channel == DATE else search.scope.period
    return Sought(search.channel, search.text, search.scope.sub_corpora, when, len(hits), found.failure)


def _dates(state: State, asked: Sequence[tuple[Search, Found]]) -> Iterable[DatePeriod]:
    yield from (period for reading in state.readings.values() for period in reading.periods)
    yield from (search.period for search, _ in asked if search.channel == DATE and search.period)


def _neighbours(state: State) -> Iterable[Neighbour]:
    return (near for neighbours in state.expansions.values() for near in neighbours)


def _reaches(search: Search, sub_corpus: str, window: DatePeriod | None) -> bool:
    """Whether a search could have found a document of a window in a sub-corpus."""
    scope = search.scope
    there = not scope.sub_corpora or sub_corpus in scope.sub_corpora
    dated = search.channel != DATE or window is not None
    return there and dated and (scope.period is None or (window is not None and overlaps(scope.period, window)))


def _holds(holding: Holding, window: DatePeriod | None) -> int:
    if window is None:
        return holding.undated
    return sum(number for first, last, number in holding.spans if first <= window.last and window.first <= last)


def _within(state: State, documents: Iterable[DocumentId], sub_corpus: str, window: DatePeriod | None) -> int:
    cards = (state.cards[document] for document in documents)
    return sum(card.sub_corpus == sub_corpus and _stands(card, window) for card in cards)


def _stands(card: DocumentCard, window: DatePeriod | None) -> bool:
    if card.period is None or window is None:
        return card.period is None and window is None
    return overlaps(card.period, window)
