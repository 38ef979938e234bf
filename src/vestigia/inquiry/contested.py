"""What people changed in a run, beside what the machine had (principle 4, B14): nothing is overwritten unseen."""

from collections.abc import Sequence
from dataclasses import dataclass

from vestigia.domain.archive import DocumentCard
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import DocumentId
from vestigia.domain.question import SubQuestion
from vestigia.inquiry.state import Edit, State


@dataclass(frozen=True, slots=True)
class Contested:
    """A person's decision about a document beside the machine's, and its place in the list with and without it.

    `machine` is None where the machine decided nothing; `before` is its place in the recorded ranking, None where it
    had none: it was not accepted, or a person took it out before the ranking was made. `after` is its place now.
    """

    card: DocumentCard
    machine: Decision | None
    machine_reason: str
    person: Decision
    reason: str
    author: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Replaced:
    """A sub-question as it was and as a person put it."""

    before: SubQuestion
    after: SubQuestion


@dataclass(frozen=True, slots=True)
class EditedPlan:
    """What a person made of the plan at a checkpoint."""

    author: str
    dropped: tuple[SubQuestion, ...]
    added: tuple[SubQuestion, ...]
    replaced: tuple[Replaced, ...]


def contested(state: State, order: Sequence[DocumentId]) -> tuple[Contested, ...]:
    """Every document a person decided about, in the order of the decisions; `order` is the list as it stands now."""
    ranked = [row.document for row in state.ranking]
    return tuple(
        Contested(
            state.cards[document],
            *machine_said(state, document),
            act.decision,
            act.reason,
            act.author,
            _place(ranked, document),
            _place(order, document),
        )
        for document, act in state.overruled.items()
        if document in state.cards
    )


def machine_said(state: State, document: DocumentId) -> tuple[Decision | None, str]:
    """What the machine decided about a document, whatever people say, and why; None where it decided nothing."""
    if takings := state.accepted.get(document):
        return Decision.ACCEPT, takings[0].verdict.reason
    for verdict in state.rejected.values():
        if verdict.document == document:
            return Decision.REJECT, verdict.reason
    for waiting in state.held.values():
        if waiting.candidate.document == document:
            return Decision.HOLD, waiting.reason
    return None, ""


def edited_plans(edits: Sequence[Edit]) -> tuple[EditedPlan, ...]:
    """What people changed in the plan, checkpoint by checkpoint."""
    return tuple(_edited(edit) for edit in edits)


def _edited(edit: Edit) -> EditedPlan:
    before, after = ({one.id: one for one in plan} for plan in (edit.before, edit.after))
    return EditedPlan(
        edit.author,
        tuple(one for name, one in before.items() if name not in after),
        tuple(one for name, one in after.items() if name not in before),
        tuple(Replaced(before[name], one) for name, one in after.items() if name in before and before[name] != one),
    )


def _place(order: Sequence[DocumentId], document: DocumentId) -> int | None:
    return order.index(document) + 1 if document in order else None
