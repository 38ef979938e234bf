"""The dossier: sources a person chose and sealed, the only thing that can be interpreted (H1; HistoRAG's two phases).

A `Dossier` cannot be made: it is read from a ledger in which a person sealed what people had accepted, all of it,
with no conflict left. Whatever is done to the set later leaves it as it was; sealing again makes a newer one.
"""

from collections.abc import Sequence
from dataclasses import InitVar, dataclass

from vestigia.domain.commissions import InterpretOrder, Item, Origin
from vestigia.domain.entries import Entry
from vestigia.domain.errors import UsageError
from vestigia.domain.ids import Digest, DocumentId, RunId
from vestigia.inquiry.curation import Standing, curation, objection

_READ_FROM_A_LEDGER = object()


@dataclass(frozen=True, slots=True)
class Dossier:
    """Sealed sources: by whom, when, and with which statement. `origin` names the seal itself."""

    origin: Origin
    sources: tuple[Item, ...]
    statement: str
    author: str
    time: str
    made: InitVar[object]

    def __post_init__(self, made: object) -> None:
        """Refuse every other way of making one."""
        if made is not _READ_FROM_A_LEDGER:
            raise TypeError("a dossier is not made, it is read from a ledger in which a person sealed it")


def dossiers(entries: Sequence[Entry], run: RunId) -> tuple[Dossier, ...]:
    """The dossiers that people sealed in a curation, the newest last; a seal that was not allowed is none."""
    found = curation(entries)
    if found is None:
        return ()
    items = {item.document: item for item in found.order.items}
    return tuple(
        Dossier(
            Origin(run, entry.digest),
            tuple(items[document] for document in sealed.sources),
            sealed.statement,
            sealed.author,
            entry.time,
            _READ_FROM_A_LEDGER,
        )
        for entry, sealed in found.seals
        if not objection([one for one in entries if one.number < entry.number], sealed)
    )


def read_dossier(entries: Sequence[Entry], run: RunId, head: Digest | None = None) -> Dossier:
    """Read the newest dossier of a curation, or the one whose seal has this digest. Raises UsageError."""
    found = [one for one in dossiers(entries, run) if head in {None, one.origin.head}]
    if not found:
        raise UsageError(
            "no person has sealed a dossier there." if head is None else "no person has sealed that dossier.",
            where=f"run {run}",
            remedy="Curate the set, then seal it: `vestigia seal`.",
        )
    return found[-1]


def to_seal(entries: Sequence[Entry], run: RunId) -> tuple[DocumentId, ...]:
    """The sources that a seal would hold now. Raises UsageError for a run that is no curation."""
    found = curation(entries)
    if found is None:
        raise UsageError("it is not a set that is being curated.", where=f"run {run}")
    return tuple(source.item.document for source in found.of(Standing.ACCEPTED))


def to_interpret(dossier: Dossier, questions: tuple[str, ...], rubrics: tuple[Digest, ...] = ()) -> InterpretOrder:
    """The commission to interpret a dossier."""
    return InterpretOrder(dossier.origin, dossier.sources, questions, rubrics)
