"""Sealing and reading dossiers (H1)."""

from vestigia.app import works
from vestigia.app.patience import held
from vestigia.app.questions import legible, signed
from vestigia.app.sets import curations_of
from vestigia.app.works import Work
from vestigia.app.workspace import Workspace
from vestigia.domain.acts import Sealed
from vestigia.domain.commissions import CurateOrder, InterpretOrder
from vestigia.domain.errors import UsageError
from vestigia.engine import runs
from vestigia.inquiry.dossier import Dossier, read_dossier, to_seal


def curation_of(workspace: Workspace, name: str, lacking: str = "it is not a set that is being curated.") -> Work:
    """The curation of that name; of an interpretation the one whose dossier it reads.

    Raises UsageError, saying what is `lacking`, for another run; the newest curation of its set is named.
    """
    work = works.read(workspace, name)
    order = work.first.commission
    if isinstance(order, InterpretOrder):
        return works.read(workspace, order.dossier.run)
    if not isinstance(order, CurateOrder):
        curations = curations_of(workspace, work)
        known = f"Its set is curated in {curations[-1]}: name that." if curations else "Begin with `vestigia curate`."
        raise UsageError(lacking, where=f"run {work.run}", remedy=known)
    return work


def seal(workspace: Workspace, name: str, statement: str, author: str) -> Work:
    """Record that a person closes the heuristic phase with what is accepted now.

    Raises UsageError where people do not agree about a source, where nothing is accepted, and for an empty statement.
    """
    legible("the statement", statement)
    run = curation_of(workspace, name).run
    with held(workspace, run) as ledger:
        sources = to_seal(ledger.entries(), run)
        runs.decide(ledger, Sealed(sources, statement.strip(), signed(author)))
    return works.read(workspace, run)


def newest(workspace: Workspace, name: str) -> Dossier:
    """Read the newest dossier of a curation, or of the one an interpretation reads. Raises UsageError without one."""
    work = curation_of(workspace, name, "no person has sealed a dossier there.")
    return read_dossier(work.entries, work.run)
