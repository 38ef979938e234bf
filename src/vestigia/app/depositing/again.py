"""Deciding deposited runs again: by the core from what the world answered, with no model, index, archive or network.

Where texts are withheld, a mark stands for each in the answers that the core is given, and wherever the record lacks a
text any text is as good: the core must still ask the same, decide the same and list the same. Where it cannot, as when
it looks into a text to decide, the record is folded only: the list is then what the recorded decisions make of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from vestigia.app.depositing.record import DepositedRun
from vestigia.app.depositing.texts import changed
from vestigia.app.depositing.withholding import MARK
from vestigia.app.works import flow_of
from vestigia.domain.archive import DocumentCard
from vestigia.domain.commissions import CurateOrder, InterpretOrder, JudgeOrder
from vestigia.domain.entries import Answered, Begun, Entry
from vestigia.domain.errors import DivergedError
from vestigia.domain.events import Scored
from vestigia.domain.ids import DocumentId
from vestigia.engine import runs
from vestigia.inquiry.curation import Standing, curation
from vestigia.inquiry.dossier import dossiers
from vestigia.inquiry.fold import fold
from vestigia.inquiry.handing_over import handed_over
from vestigia.inquiry.view import result


@dataclass(frozen=True, slots=True)
class Again:
    """A run decided again. `decided` is whether the core did, else the record was only folded, and `why` says why.

    A curation that was sealed is `finished`, though it stays open to later acts.
    """

    run: DepositedRun
    finished: bool
    decided: bool
    why: str = ""


class _AnyText(str):
    """Stands where a text is withheld: equal to every text."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str)

    def __ne__(self, other: object) -> bool:
        return not isinstance(other, str)

    __hash__ = str.__hash__


def decided_again(run: DepositedRun) -> Again:
    """Decide a run again. Raises DivergedError where this version decides otherwise than a record that is whole."""
    recorded = run.state
    entries = tuple(_comparable(entry) for entry in run.entries) if run.incomplete else run.entries
    try:
        found = runs.retrace(flow_of, entries, run.run)
    except DivergedError as error:
        if not run.incomplete:
            raise
        return Again(run, recorded.closed, decided=False, why=str(error))
    if found is None:
        return Again(run, finished=bool(dossiers(run.entries, run.run)), decided=True)
    state, acts = found
    state = fold(acts, state)
    if state.ranking != recorded.ranking:
        raise DivergedError("the sources are ranked otherwise than the record has it.", where=f"run {run.run}")
    return Again(run, finished=True, decided=True)


def _comparable(entry: Entry) -> Entry:
    """An entry as the core's decisions are compared with it; answers and acts of people are given to it as they are."""
    if isinstance(entry.body, Answered | Begun) or entry.actor.startswith("person:"):
        return entry
    return replace(entry, body=changed(entry.body, lambda _kind, _name, text: _AnyText(text) if MARK.fullmatch(text)
                   else text))  # fmt: skip


def listed(run: DepositedRun) -> tuple[DocumentId, ...]:
    """The sources a run came to, in its order: ranked, gathered, judged (the best first), accepted, or interpreted.

    Of a curation that was sealed they are those of the newest seal, whatever was decided after it.
    """
    order, state = run.first.commission, run.state
    match order:
        case JudgeOrder():
            given = {item: state.judgements.get(item.passage) for item in order.items}
            scores = {item: one.score if isinstance(one, Scored) else None for item, one in given.items()}
            ranked = sorted(scores, key=lambda item: (scores[item] is None, -(scores[item] or 0)))
            return tuple(dict.fromkeys(item.document for item in ranked))
        case CurateOrder():
            if sealed := dossiers(run.entries, run.run):
                return tuple(item.document for item in sealed[-1].sources)
            found = curation(run.entries)
            return tuple(one.item.document for one in found.of(Standing.ACCEPTED)) if found else ()
        case InterpretOrder():
            return tuple(item.document for item in order.items)
        case None:
            return tuple(source.card.id for source in result(state).sources)
        case _:
            return tuple(item.document for item in handed_over(state))


def cards_of(some: Sequence[DepositedRun]) -> Mapping[DocumentId, DocumentCard]:
    """The documents that runs describe, as they were recorded last."""
    return {name: card for run in some for name, card in run.state.cards.items()}
