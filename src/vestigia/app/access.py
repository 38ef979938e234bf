"""Who sees what (B11): the one place where it is decided which part of an archive a visitor meets.

Whoever may not see closed documents, and whoever may but did not ask to, is given the *open part* of the archive: a
workspace whose catalogue and index never heard of them. Whatever is done with it (search, vocabulary, counts, reports,
runs) cannot name them. Records of runs are the one thing both parts share: the workspace keeps those from the visitor
that name a closed document (`Workspace.run`).
"""

from contextlib import closing
from dataclasses import dataclass, replace

from vestigia.app.open_part import open_part
from vestigia.app.workspace import Workspace
from vestigia.domain.ids import RunId
from vestigia.engine.journal import begun
from vestigia.ledger.log import FileLedger


@dataclass(frozen=True, slots=True)
class View:
    """What a visitor meets: the workspace to work with.

    With `closed` the texts of closed documents are shown: give it to every function that has a parameter of that name.
    """

    workspace: Workspace
    closed: bool = False


def view(
    workspace: Workspace, *, may_see_closed: bool = False, asks_for_closed: bool = False, wait: bool = True
) -> View:
    """What of an archive a visitor meets: the whole only where they may see what is closed and ask for it.

    Who does not `wait` may meet the open part of a moment ago, never what is closed now. Raises BusyError where that
    part is being made by another program and there is none to show meanwhile.
    """
    if may_see_closed and asks_for_closed:
        return View(workspace, closed=True)
    part = open_part(workspace, wait=wait)
    return View(replace(part.workspace, hidden=part.closed))


def home_of(workspace: Workspace, run: RunId) -> Workspace:
    """The part of an archive that a run was made with, to carry it on: the open part if it is of that state, else all.

    It is for the server, which works for others, not for showing: who may see the run is asked of their own view.
    """
    workspace = workspace.whole
    made = begun(FileLedger.read(workspace.runs, run).entries(), run).manifest.corpus
    with closing(workspace.catalogue()) as catalogue:
        if catalogue.fingerprint == made:  # then no part need be made to look at
            return workspace
    part = open_part(workspace).workspace
    with closing(part.catalogue()) as catalogue:
        return part if catalogue.fingerprint == made else workspace
