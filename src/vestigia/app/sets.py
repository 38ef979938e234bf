"""Sets of sources: what a survey or a question found, and the runs that took it over to judge or curate it (H1)."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from vestigia.app import works
from vestigia.app.works import Work
from vestigia.app.workspace import Workspace
from vestigia.domain.archive import DocumentCard
from vestigia.domain.commissions import CurateOrder, Item, JudgeOrder, SurveyOrder
from vestigia.domain.effects import MEANING
from vestigia.domain.errors import UsageError, VestigiaError
from vestigia.domain.evidence import Candidate
from vestigia.domain.ids import DocumentId, PassageId, RunId
from vestigia.engine import runs
from vestigia.inquiry.handing_over import handed_over
from vestigia.inquiry.state import State
from vestigia.ledger.chain import LEDGER


@dataclass(frozen=True, slots=True)
class SourceSet:
    """A finished set: its items in order, their cards, and how like the description each is by the channel `by`."""

    work: Work
    items: tuple[Item, ...]
    cards: Mapping[DocumentId, DocumentCard]
    similarity: Mapping[PassageId, float]
    by: str = ""


def set_of(workspace: Workspace, name: str) -> SourceSet:
    """Return the set of a survey or a question, or the one that a judging or a curation took over.

    Raises UsageError for what is no set, and for one that is not finished.
    """
    work = works.read(workspace, name)
    if isinstance(work.first.commission, JudgeOrder | CurateOrder):
        work = works.read(workspace, work.first.commission.origin.run)
    if not isinstance(work.first.commission, SurveyOrder | None):
        remedy = 'Gather one: `vestigia survey ARCHIVE "..." --windows 10y`.'
        raise UsageError("it is no set of sources.", where=f"run {work.run}", remedy=remedy)
    state = runs.view_of(work.entries)
    if not state.closed:
        raise UsageError(
            "the set is not gathered to its end.", where=f"run {work.run}", remedy="Resume it: `vestigia resume`."
        )
    items, candidates = handed_over(state), _candidates(state)
    kept = {item.passage: candidates[item.passage] for item in items if item.passage in candidates}
    by = _channel(kept)
    return SourceSet(work, items, state.cards, _similarity(kept, by), by)


def taken_over(workspace: Workspace, origin: RunId) -> tuple[list[Work], list[str]]:
    """The runs that took a set over, in the order in which they were begun, and what could not be read."""
    found, problems = [], []
    for run in workspace.run_names():
        with (workspace.runs / run / LEDGER).open("rb") as file:
            first = file.readline()
        if b'"judge_order"' not in first and b'"curate_order"' not in first:
            continue
        try:
            work = works.read(workspace, run)
        except VestigiaError as error:
            problems.append(f"{run} cannot be read: {error}")
            continue
        order = work.first.commission
        if isinstance(order, JudgeOrder | CurateOrder) and order.origin.run == origin:
            found.append(work)
    return sorted(found, key=lambda work: (work.entries[0].time, work.run)), problems


def curations_of(workspace: Workspace, work: Work) -> list[RunId]:
    """The curations of the set that a run is, or took over, in the order in which they were begun."""
    order = work.first.commission
    origin = order.origin.run if isinstance(order, JudgeOrder | CurateOrder) else work.run
    found, _ = taken_over(workspace, origin)
    return [one.run for one in found if isinstance(one.first.commission, CurateOrder)]


def _candidates(state: State) -> dict[PassageId, Candidate]:
    """What was found, by passage: of several searches what the first found."""
    lists = [search.candidates for search in reversed(state.searches)]
    lists += [lane.candidates for lane in state.gathered.lanes] if state.gathered else []
    return {candidate.passage: candidate for found in lists for candidate in found}


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
