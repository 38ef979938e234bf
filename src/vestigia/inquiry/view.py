"""What people are shown of a run: the ranked sources, each with why it was taken and by which steps (T19).

A reading of the state, never a second truth. A person's decision outranks the machine's wherever both speak.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from vestigia.domain.archive import DocumentCard
from vestigia.domain.events import Outcome, Searched
from vestigia.domain.evidence import Decision, Standing
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.domain.question import SubQuestion
from vestigia.inquiry.consolidate import groups
from vestigia.inquiry.contested import Contested, EditedPlan, contested, edited_plans
from vestigia.inquiry.state import Acceptance, State
from vestigia.inquiry.witnesses import confirmed_by, counted_as, one_witness

N = TypeVar("N", int, float)


@dataclass(frozen=True, slots=True)
class Step:
    """One way to a source: the sub-question, the search that found it, its places there, the verdict and its author."""

    sub_question: str
    sub_corpus: str
    search: str
    standings: tuple[Standing, ...]
    passage: PassageId | None
    decision: Decision
    reason: str
    quote: str
    author: str


@dataclass(frozen=True, slots=True)
class Source:
    """A row of the list. `confirmations` is the number of sub-questions that accepted it (T14) or what it repeats.

    `repeats` is an earlier row whose text it has: a reprint or a copy, no witness of its own (B4).
    """

    card: DocumentCard
    confirmations: int
    steps: tuple[Step, ...]
    repeats: DocumentId | None = None


@dataclass(frozen=True, slots=True)
class OnHold:
    """A passage that waits for a decision, with the search that found it and why it waits.

    `repeats` is a source of the list whose text its document has.
    """

    card: DocumentCard
    passage: PassageId
    search: str
    why: str
    repeats: DocumentId | None = None


@dataclass(frozen=True, slots=True)
class StageCost:
    """Calls and tokens of one stage (T16). None is unknown."""

    task: str
    calls: int
    unreadable: int
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    model: str = ""
    cached_tokens: int | None = None
    seconds: float | None = None
    """Time the model took; None where no model has said."""
    refused: int = 0
    """Calls it would not answer, and requests too long for its window."""


@dataclass(frozen=True, slots=True)
class Result:
    """A run as people see it. `limit` names the bound that made it partial; `failures` are searches that failed."""

    question: str
    model: str
    sources: tuple[Source, ...]
    held: tuple[OnHold, ...]
    removed: tuple[Source, ...]
    plan: tuple[SubQuestion, ...]
    stages: tuple[StageCost, ...]
    searched: tuple[tuple[str, int], ...]
    """Every search in words, with the number of candidates it brought: what "nothing found" rests on (B1)."""
    failures: tuple[str, ...]
    missing: tuple[str, ...]
    notes: tuple[str, ...]
    limit: str
    finished: bool
    paused: str = ""
    contested: tuple[Contested, ...] = ()
    """What people decided about documents, beside what the machine had."""
    plans: tuple[EditedPlan, ...] = ()
    """What people changed in the plan."""


def result(state: State) -> Result:
    """Read a run's state for people; total, also in the middle of a run."""
    order = _order(state)
    sources = _sources(state, order)
    listed = {card.cluster: card.id for card in (row.card for row in reversed(sources)) if card.cluster}
    held = [replace(row, repeats=listed.get(row.card.cluster)) for row in (*_held(state), *_held_by_people(state))]
    return Result(
        question=state.question.text,
        model=", ".join(dict.fromkeys(consulted.model for consulted in state.consultations)),
        sources=sources,
        held=tuple(held),
        removed=tuple(
            _source(state, d)
            for d, act in state.overruled.items()
            if act.decision is Decision.REJECT and d in state.cards
        ),
        plan=state.plan,
        stages=stages(state),
        searched=tuple((_searched(state, s), len(s.candidates)) for s in state.searches),
        failures=tuple(f"{f.by}, {f.channel}: {f.failure}" for f in state.failures),
        missing=tuple(dict.fromkeys(gap for search in state.searches for gap in search.missing)),
        notes=state.notes,
        limit=state.limit,
        finished=state.closed,
        paused=state.paused,
        contested=contested(state, order),
        plans=edited_plans(state.edits),
    )


def stages(state: State) -> tuple[StageCost, ...]:
    """Sum up the model calls by stage and model; one unknown makes a sum unknown, never 0."""
    kinds = dict.fromkeys((consulted.task, consulted.model) for consulted in state.consultations)
    return tuple(_stage(state, task, model) for task, model in kinds)


def _stage(state: State, task: str, model: str) -> StageCost:
    mine = [consulted for consulted in state.consultations if (consulted.task, consulted.model) == (task, model)]
    outcomes = [consulted.outcome for consulted in mine]
    return StageCost(
        task,
        len(mine),
        outcomes.count(Outcome.UNREADABLE),
        _sum(consulted.usage.input_tokens for consulted in mine),
        _sum(consulted.usage.output_tokens for consulted in mine),
        _sum(consulted.usage.cost for consulted in mine),
        model,
        _sum(consulted.usage.cached_tokens for consulted in mine),
        _sum(consulted.usage.seconds for consulted in mine),
        outcomes.count(Outcome.REFUSED) + outcomes.count(Outcome.TOO_LONG),
    )


def _sum(counts: Iterable[N | None]) -> N | None:
    total: N | None = None
    for count in counts:
        if count is None:
            return None
        total = count if total is None else total + count
    return total


def _order(state: State) -> tuple[DocumentId, ...]:
    """What only a person took, then the recorded ranking; before there is one, the order by recorded places."""
    ranked = [row.document for row in state.ranking] or [
        document for _, group in groups(state) for witness in group.values() for document in witness
    ]
    chosen = [d for d, act in state.overruled.items() if act.decision is Decision.ACCEPT and d in state.cards]
    order = dict.fromkeys([*(document for document in chosen if document not in ranked), *ranked])
    return tuple(document for document in order if not _overruled_away(state, document))


def _overruled_away(state: State, document: DocumentId) -> bool:
    act = state.overruled.get(document)
    return act is not None and act.decision is not Decision.ACCEPT


def _sources(state: State, order: tuple[DocumentId, ...]) -> tuple[Source, ...]:
    """The rows of the list: what says the same shares its confirmations, and the first of it stands for it."""
    rows: dict[DocumentId, Source] = {}
    for witness in one_witness(order, counted_as(state)):
        confirmations = len(confirmed_by(state, witness))
        for document in witness:
            repeats = None if document == witness[0] else witness[0]
            rows[document] = replace(_source(state, document), confirmations=confirmations, repeats=repeats)
    return tuple(rows[document] for document in order)


def _source(state: State, document: DocumentId) -> Source:
    takings = state.accepted.get(document, ())
    steps = [_step(state, taking) for taking in takings]
    act = state.overruled.get(document)
    if act is not None:
        steps.append(Step("", state.cards[document].sub_corpus, "", (), None, act.decision, act.reason, "", act.author))
    return Source(state.cards[document], len(takings), tuple(steps))


def _step(state: State, taking: Acceptance) -> Step:
    verdict = taking.verdict
    asked = next((s for s in state.plan if s.id == taking.sub_question), None)
    return Step(
        asked.text if asked else taking.sub_question,
        asked.sub_corpus if asked else "",
        taking.by,
        taking.standings,
        verdict.passage,
        verdict.decision,
        verdict.reason,
        verdict.quote,
        taking.author,
    )


def _held(state: State) -> tuple[OnHold, ...]:
    """The held passages of documents that nobody has taken, and no person has rejected."""
    taken = dict.fromkeys(state.accepted, Decision.ACCEPT)
    decided = {**taken, **{document: act.decision for document, act in state.overruled.items()}}
    return tuple(
        OnHold(state.cards[w.candidate.document], w.candidate.passage, w.by, w.reason)
        for w in state.held.values()
        if decided.get(w.candidate.document, Decision.HOLD) is Decision.HOLD
    )


def _held_by_people(state: State) -> tuple[OnHold, ...]:
    """What a person put on hold, by the passage that was accepted or else found first."""
    rows = []
    machine = {waiting.candidate.document for waiting in state.held.values()}
    for document, act in state.overruled.items():
        places = [(taking.verdict.passage, taking.by) for taking in state.accepted.get(document, ())]
        places += [(c.passage, s.by) for s in state.searches for c in s.candidates if c.document == document]
        if act.decision is Decision.HOLD and places and document not in machine:
            rows.append(OnHold(state.cards[document], *places[0], act.reason))
    return tuple(rows)


def _searched(state: State, search: Searched) -> str:
    target = next((s.sub_corpus for s in state.plan if s.id == search.sub_question), "")
    windows = ", ".join(f"{window}: {number}" for window, number in search.by_window)
    shared = f"; by window {windows}" if windows else ""
    return (f"{search.by} ({target})" if target else search.by) + shared
