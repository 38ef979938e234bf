"""Sets of sources: what a survey gathered, taken over by those who judge it (H1)."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from vestigia.app import works
from vestigia.app.works import Work
from vestigia.app.workspace import Workspace
from vestigia.domain.archive import DocumentCard
from vestigia.domain.commissions import CurateOrder, Item, JudgeOrder, SurveyOrder
from vestigia.domain.effects import MEANING
from vestigia.domain.errors import UsageError
from vestigia.domain.evidence import Candidate
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.engine import runs
from vestigia.inquiry.survey import items_of


@dataclass(frozen=True, slots=True)
class SourceSet:
    """A finished set: its items in order, their cards, and how like the description each is by the channel `by`."""

    work: Work
    items: tuple[Item, ...]
    cards: Mapping[DocumentId, DocumentCard]
    similarity: Mapping[PassageId, float]
    by: str = ""


def set_of(workspace: Workspace, name: str) -> SourceSet:
    """Return the set of a survey, or the one that a judging or a curation took over. Raises UsageError for no set."""
    work = works.read(workspace, name)
    if isinstance(work.first.commission, JudgeOrder | CurateOrder):
        work = works.read(workspace, work.first.commission.origin.run)
    if not isinstance(work.first.commission, SurveyOrder):
        remedy = 'Gather one: `vestigia survey ARCHIVE "..." --windows 10y`.'
        raise UsageError("it is no set of sources.", where=f"run {work.run}", remedy=remedy)
    state = runs.view_of(work.entries)
    if not state.closed:
        raise UsageError(
            "the set is not gathered to its end.", where=f"run {work.run}", remedy="Resume it: `vestigia resume`."
        )
    lanes = state.gathered.lanes if state.gathered else ()
    candidates = {candidate.passage: candidate for lane in lanes for candidate in lane.candidates}
    items = items_of(lanes)
    kept = {item.passage: candidates[item.passage] for item in items}
    by = _channel(kept)
    return SourceSet(work, items, state.cards, _similarity(kept, by), by)


def _channel(candidates: Mapping[PassageId, Candidate]) -> str:
    """The encoder that found most of the set; none where nothing was searched by meaning."""
    channels = Counter(
        standing.channel
        for candidate in candidates.values()
        for standing in candidate.standings
        if standing.channel.split(":")[0] == MEANING
    )
    return min(channels, key=lambda channel: (-channels[channel], channel), default="")


def _similarity(candidates: Mapping[PassageId, Candidate], by: str) -> dict[PassageId, float]:
    """How near each is by an encoder; without one the fused score, which orders but does not measure."""
    if not by:
        return {passage: candidate.score for passage, candidate in candidates.items()}
    return {
        passage: standing.score
        for passage, candidate in candidates.items()
        for standing in candidate.standings
        if standing.channel == by
    }
