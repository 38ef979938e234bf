"""What a system made of a question, read from the entries and the last state of a run: a value, nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from vestigia.domain.effects import Found, Search
from vestigia.domain.entries import Answered, Asked, Entry
from vestigia.domain.ids import DocumentId
from vestigia.evaluate.systems import Flow
from vestigia.inquiry.fusion import merged
from vestigia.inquiry.state import State
from vestigia.inquiry.view import stages

N = TypeVar("N", int, float)
Lists = tuple[tuple[str, tuple[DocumentId, ...]], ...]
"""The documents that each channel found for the question itself, best first."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The ranking, what happened to what was seen on the way, and what it cost.

    `ranking` is best first. `judged` says whether the system accepts and rejects or only ranks; if so, the ranking is
    what it accepted. `rejected` and `held` are documents that were seen and not accepted. `seconds` is the time of the
    whole question. Unknown tokens and costs (US dollars) are None. With a `failure` there is no outcome, which is not
    an empty one.
    """

    ranking: tuple[DocumentId, ...] = ()
    judged: bool = False
    rejected: tuple[DocumentId, ...] = ()
    held: tuple[DocumentId, ...] = ()
    lists: Lists = ()
    calls: int = 0
    tokens: int | None = 0
    cost: float | None = 0.0
    seconds: float = 0.0
    failure: str = ""
    problems: tuple[str, ...] = ()


def outcome(flow: Flow, entries: Sequence[Entry], state: State, seconds: float) -> Outcome:
    """Read what a run came to. A search of which every channel failed is a failure."""
    problems = tuple(dict.fromkeys([f"{f.channel}: {f.failure}" for f in state.failures] + _gaps(state)))
    failure = problems[0] if state.failures and not state.searches else ""
    costs = stages(state)
    ended = Outcome(
        ranking=tuple(candidate.document for candidate in state.orientation),
        lists=() if flow is Flow.WINDOWS else first_lists(entries),
        calls=state.calls,
        tokens=_sum([count for stage in costs for count in (stage.input_tokens, stage.output_tokens)]),
        cost=_sum([stage.cost for stage in costs]),
        seconds=seconds,
        failure=failure,
        problems=problems,
    )
    return _judged(ended, state) if flow is Flow.ASK else ended


def _judged(ended: Outcome, state: State) -> Outcome:
    held = {w.candidate.document: True for w in state.held.values() if w.candidate.document not in state.accepted}
    rejected = dict.fromkeys(v.document for v in state.rejected.values())
    return replace(
        ended,
        ranking=tuple(row.document for row in state.ranking),
        judged=True,
        rejected=tuple(document for document in rejected if document not in state.accepted and document not in held),
        held=tuple(held),
    )


def first_lists(entries: Sequence[Entry]) -> Lists:
    """Return the lists of the first search of a run, as its channels' answers stand in the record."""
    for asked, answered in pairwise(entries):
        if not isinstance(asked.body, Asked) or not isinstance(answered.body, Answered):
            continue
        pairs = list(zip(asked.body.effects, answered.body.answers, strict=True))
        searches = [(e.channel, a) for e, a in pairs if isinstance(e, Search) and isinstance(a, Found)]
        if searches and len(searches) == len(pairs):
            hits = {channel: [h for c, a in searches if c == channel for h in a.hits] for channel, _ in searches}
            return tuple((channel, tuple(hit.document for hit in merged(hits[channel]))) for channel in hits)
    return ()


def _gaps(state: State) -> list[str]:
    return [gap for search in state.searches for gap in search.missing]


def _sum(counts: Sequence[N | None]) -> N | None:
    """One unknown makes a sum unknown, never 0."""
    total: N = 0
    for count in counts:
        if count is None:
            return None
        total += count
    return total
