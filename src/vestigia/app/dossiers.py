"""Sealing and reading dossiers (H1)."""

from vestigia.app import works
from vestigia.app.asking import now
from vestigia.app.questions import legible
from vestigia.app.works import Work
from vestigia.app.workspace import Workspace
from vestigia.domain.acts import Sealed
from vestigia.engine import runs
from vestigia.inquiry.dossier import Dossier, read_dossier, to_seal
from vestigia.ledger.log import FileLedger


def seal(workspace: Workspace, name: str, statement: str, author: str) -> Work:
    """Record that a person closes the heuristic phase with what is accepted now.

    Raises UsageError where people do not agree about a source, where nothing is accepted, and for an empty statement.
    """
    legible("the statement", statement)
    legible("the name of who seals", author)
    run = workspace.run(name)
    with FileLedger.open(workspace.runs, run, now) as ledger:
        sources = to_seal(ledger.entries(), run)
        runs.decide(ledger, Sealed(sources, statement.strip(), author.strip()))
    return works.read(workspace, run)


def newest(workspace: Workspace, name: str) -> Dossier:
    """Read the newest dossier of a curation. Raises UsageError where there is none."""
    work = works.read(workspace, name)
    return read_dossier(work.entries, work.run)
