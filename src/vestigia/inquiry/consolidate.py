"""Consolidation (TRACE 3.6; T14): documents by the number of sub-questions that accepted them, then by reasons.

Documents that say the same are one witness (B4): a sub-question that accepted two prints of one report confirmed it
once. The first of them stands in the list for all, the others follow it and say whose text they repeat.
"""

from collections.abc import Mapping

from vestigia.domain.events import Consolidated
from vestigia.domain.evidence import Ranked
from vestigia.domain.ids import DocumentId
from vestigia.domain.requests import RankRequest
from vestigia.inquiry.consult import consult
from vestigia.inquiry.crossing import record
from vestigia.inquiry.desk import contender, places
from vestigia.inquiry.replies import RankReply, read_reply
from vestigia.inquiry.state import State
from vestigia.inquiry.witnesses import confirmed_by, counted_as, one_witness

Witnesses = Mapping[DocumentId, tuple[DocumentId, ...]]
"""The documents of each witness, itself the first, by that one."""


async def consolidate(state: State) -> State:
    """Order what was accepted: one model call inside each group of more than one; a group of one passes."""
    ranking: list[Ranked] = []
    notes: list[str] = []
    for confirmations, group in groups(state):
        ordered = tuple(group)
        if len(group) > 1:
            state, ordered, note = await _ordered(state, confirmations, group)
            notes += [note] if note else []
        for first in ordered:
            ranking.append(Ranked(first, confirmations))
            ranking += [Ranked(other, confirmations, repeats=first) for other in group[first][1:]]
    return await record(state, Consolidated(tuple(ranking), tuple(notes)))


def groups(state: State) -> list[tuple[int, Witnesses]]:
    """The accepted witnesses by confirmations, most first; inside a group by their best recorded places.

    What a person rejected is left out.
    """
    by_count: dict[int, dict[DocumentId, tuple[DocumentId, ...]]] = {}
    left = sorted(state.taken, key=lambda d: (_best(state, d), d))
    for witness in one_witness(left, counted_as(state)):
        by_count.setdefault(len(confirmed_by(state, witness)), {})[witness[0]] = witness
    return [(count, by_count[count]) for count in sorted(by_count, reverse=True)]


def _best(state: State, document: DocumentId) -> tuple[int, ...]:
    """All places a document was found at, best first: what is recorded orders before any model is asked."""
    return tuple(sorted(place for place in places(state, document) if place))


async def _ordered(state: State, confirmations: int, group: Witnesses) -> tuple[State, tuple[DocumentId, ...], str]:
    contenders = tuple(contender(state, *witness) for witness in group.values())
    state, reply = await consult(
        state, RankRequest(state.reading, contenders, confirmations), lambda text: read_reply(text, RankReply)
    )
    if reply is None:
        by_places = f"the {len(group)} documents confirmed {confirmations} time(s) stand by recorded places"
        return state, tuple(group), by_places
    named = dict.fromkeys(DocumentId(name) for name in reply.order)
    ordered = tuple(document for document in named if document in group)
    left = tuple(document for document in group if document not in named)
    note = f"{len(left)} documents the ranking left out follow by recorded places" if left else ""
    return state, (*ordered, *left), note
