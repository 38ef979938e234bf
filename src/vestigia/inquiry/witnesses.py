"""Independent witnesses (B4): what says the same, a reprint or a copy, speaks once, however often it was found.

Which documents say the same is found when they are imported and stands on their cards; nothing is dropped here.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

from vestigia.domain.ids import DocumentId
from vestigia.inquiry.state import Acceptance, State

T = TypeVar("T")


def one_witness(found: Iterable[T], cluster: Callable[[T], str]) -> tuple[tuple[T, ...], ...]:
    """Put together what is of one cluster, each group at the place of its first; an empty cluster is of none."""
    groups: list[list[T]] = []
    known: dict[str, list[T]] = {}
    for one in found:
        name = cluster(one)
        group = known.get(name) if name else None
        if group is None:
            groups.append(group := [])
            known[name] = group
        group.append(one)
    return tuple(tuple(group) for group in groups)


def counted_as(state: State) -> Callable[[DocumentId], str]:
    """Tell of which cluster a document is in the count: of none where the rules count every document by itself."""
    return lambda document: "" if state.rules.switches.every_copy else state.cards[document].cluster


def confirmed_by(state: State, documents: Iterable[DocumentId]) -> tuple[Acceptance, ...]:
    """Return the acceptances of one witness, of each sub-question one: copies confirm nothing twice (T14)."""
    first: dict[str, Acceptance] = {}
    for document in documents:
        for acceptance in state.accepted.get(document, ()):
            first.setdefault(acceptance.sub_question, acceptance)
    return tuple(first.values())
