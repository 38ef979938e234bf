"""Gathering a set that is balanced over time, and what people see of it (H1, H2, H6)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from vestigia.app import works
from vestigia.app.asking import Watch, opened
from vestigia.app.present import Plain, document, withheld
from vestigia.app.questions import checked
from vestigia.app.settings import rules_of
from vestigia.app.windows import windows_of
from vestigia.app.works import Work
from vestigia.app.workspace import Workspace
from vestigia.domain.archive import SubCorpus
from vestigia.domain.commissions import SurveyOrder
from vestigia.domain.effects import EXACT
from vestigia.domain.errors import UsageError
from vestigia.domain.events import Gathered
from vestigia.domain.evidence import Candidate, FusedLane
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.domain.periods import label
from vestigia.domain.question import Question
from vestigia.engine import runs
from vestigia.inquiry.survey import items_of, layers


@dataclass(frozen=True, slots=True)
class Plan:
    """A survey as it is asked for: windows as written, quotas, channels, and words to be searched beside it."""

    windows: str
    quota: int = 20
    undated: int | None = None
    channels: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    expansion: int | None = None
    genre: str = ""


def survey(workspace: Workspace, question: Question, plan: Plan, watch: Watch | None = None) -> Work:
    """Gather a set. Without a number of its own the undated have the quota of a window.

    Raises UsageError for an empty description, unknown sub-corpora, channels or genre, and windows that cannot be read.
    """
    with opened(workspace) as archive:
        parts = archive.corpus.sub_corpora()
        question = _of_genre(checked(question, archive.corpus), plan.genre, parts)
        searched = [s for s in parts if not question.sub_corpora or s.name in question.sub_corpora]
        undated = plan.quota if plan.undated is None else plan.undated
        order = SurveyOrder(
            windows_of(plan.windows, question.period, searched),
            plan.quota,
            0 if question.period else undated,
            _channels(plan.channels, archive.index.channels()),
        )
        rules = rules_of(workspace.settings)
        expansion = rules.expansion if plan.expansion is None else plan.expansion
        hits = max(rules.channel_hits, len(order.windows) * order.quota + order.undated)
        rules = replace(rules, also=plan.also, expansion=expansion, channel_hits=hits)
        return works.begin(workspace, archive, question, rules, order, watch)


def shown(workspace: Workspace, work: Work, *, closed: bool = False) -> Plain:
    """A survey as data: the set by window with each source's layers, what it lacks, and what the balance cost."""
    state = runs.view_of(work.entries)
    gathered = state.gathered or Gathered(())
    today = _Today(workspace, gathered, closed=closed)
    return {
        "run": work.run,
        "kind": "survey",
        "description": state.question.text,
        "finished": state.closed,
        "sources": len(items_of(gathered.lanes)),
        "windows": [_lane(lane, today) for lane in gathered.lanes],
        "layers": _layers(gathered.lanes),
        "prices": [asdict(price) for price in gathered.prices],
        "weights": [{"channel": channel, "weight": weight} for channel, weight in gathered.weights],
        "missing": list(gathered.missing),
        "failures": [f"{failed.channel}: {failed.failure}" for failed in state.failures],
        "notes": list(state.notes),
    }


class _Today:
    """What the archive has today of a set, and may show."""

    def __init__(self, workspace: Workspace, gathered: Gathered, *, closed: bool) -> None:
        self.cards = {card.id: card for card in gathered.cards}
        names = [candidate.passage for lane in gathered.lanes for candidate in lane.candidates]
        catalogue = workspace.catalogue()
        try:
            self._here = {card.id: card for card in catalogue.documents(list(self.cards))}
            self.passages = {passage.id: passage.text for passage in catalogue.passages(names)}
        finally:
            catalogue.close()
        self._closed = closed

    def withheld(self, name: DocumentId, passage: PassageId) -> str:
        """Say why a text is not shown; empty when it is."""
        return withheld(self._here.get(name), there=passage in self.passages, closed=self._closed)


def _lane(lane: FusedLane, today: _Today) -> Plain:
    return {
        "window": label(lane.window) if lane.window else None,
        "short": lane.short,
        "sources": [_source(candidate, today) for candidate in lane.candidates],
    }


def _source(candidate: Candidate, today: _Today) -> Plain:
    withheld = today.withheld(candidate.document, candidate.passage)
    return {
        **document(today.cards[candidate.document], withheld),
        "passage": candidate.passage,
        "text": None if withheld else today.passages[candidate.passage],
        "layers": list(layers(candidate)),
        "found_by": [asdict(standing) for standing in candidate.standings],
    }


def _layers(lanes: Sequence[FusedLane]) -> list[Plain]:
    """How many sources were found by which layers together (H6): the overlap is a figure."""
    once = {candidate.document: layers(candidate) for lane in lanes for candidate in lane.candidates}
    counted = Counter(once.values())
    return [{"layers": list(found), "sources": number} for found, number in sorted(counted.items())]


def _channels(named: Sequence[str], there: Sequence[str]) -> tuple[str, ...]:
    """Channels as a person names them; `meaning` is every encoder."""
    found = []
    for name in named:
        fitting = [channel for channel in there if channel == name or channel.split(":")[0] == name]
        if not fitting:
            known = ", ".join(channel for channel in there if channel != EXACT)
            raise UsageError(f"there is no channel {name!r}.", where="--channel", remedy=f"There are: {known}.")
        found += fitting
    return tuple(dict.fromkeys(found))


def _of_genre(question: Question, genre: str, parts: Sequence[SubCorpus]) -> Question:
    """Keep to the sub-corpora of a genre, as they were described."""
    if not genre:
        return question
    allowed = [s.name for s in parts if s.genre.casefold() == genre.casefold()]
    chosen = tuple(name for name in allowed if not question.sub_corpora or name in question.sub_corpora)
    if not chosen:
        known = ", ".join(sorted({s.genre for s in parts if s.genre})) or "none: `vestigia describe` says it"
        raise UsageError(f"no sub-corpus is of the genre {genre!r}.", where="--genre", remedy=f"There are: {known}.")
    return replace(question, sub_corpora=chosen)
