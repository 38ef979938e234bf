"""Consolidation (TRACE 3.6; T14): documents by the number of sub-questions that accepted them, then by reasons."""

from vestigia.domain.events import Consolidated
from vestigia.domain.evidence import Decision, Ranked
from vestigia.domain.ids import DocumentId
from vestigia.domain.requests import RankRequest
from vestigia.inquiry.consult import consult
from vestigia.inquiry.crossing import record
from vestigia.inquiry.desk import contender, places
from vestigia.inquiry.fold import State
from vestigia.inquiry.replies import RankReply, read_reply


async def consolidate(state: State) -> State:
    """Order what was accepted: one model call inside each group of more than one; a group of one passes."""
    ranking: list[Ranked] = []
    notes: list[str] = []
    for confirmations, group in groups(state):
        ordered = group
        if len(group) > 1:
            state, ordered, note = await _ordered(state, confirmations, group)
            notes += [note] if note else []
        ranking += [Ranked(document, confirmations) for document in ordered]
    return await record(state, Consolidated(tuple(ranking), tuple(notes)))


def groups(state: State) -> list[tuple[int, tuple[DocumentId, ...]]]:
    """The accepted documents by confirmations, most first; inside a group by their best recorded places.

    What a person rejected is left out.
    """
    by_count: dict[int, list[DocumentId]] = {}
    for document, takings in state.accepted.items():
        act = state.overruled.get(document)
        if act is None or act.decision is Decision.ACCEPT:
            by_count.setdefault(len(takings), []).append(document)
    return [
        (count, tuple(sorted(by_count[count], key=lambda d: (_best(state, d), d))))
        for count in sorted(by_count, reverse=True)
    ]


def _best(state: State, document: DocumentId) -> tuple[int, ...]:
    """All places a document was found at, best first: what is recorded orders before any model is asked."""
    return tuple(sorted(place for place in places(state, document) if place))


async def _ordered(
    state: State, confirmations: int, group: tuple[DocumentId, ...]
) -> tuple[State, tuple[DocumentId, ...], str]:
    request = RankRequest(state.reading, tuple(contender(state, d) for d in group), confirmations)
    state, reply = await consult(state, request, lambda text: read_reply(text, RankReply))
    if reply is None:
        return state, group, f"the {len(group)} documents confirmed {confirmations} time(s) stand by recorded places"
    named = dict.fromkeys(DocumentId(name) for name in reply.order)
    ordered = tuple(document for document in named if document in group)
    left = tuple(document for document in group if document not in named)
    note = f"{len(left)} documents the ranking left out follow by recorded places" if left else ""
    return state, (*ordered, *left), note
