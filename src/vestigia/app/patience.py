"""Writing into the record of a run that others write into as well: whoever comes second waits a moment."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import sleep

from vestigia.app.asking import now
from vestigia.app.workspace import Workspace
from vestigia.domain.errors import BusyError
from vestigia.domain.ids import RunId
from vestigia.ledger.log import FileLedger

PATIENCE = 20
"""How often a record that is held by another writer is tried again."""
WAIT = 0.1
"""Seconds between two tries."""


@contextmanager
def held(workspace: Workspace, run: RunId) -> Iterator[FileLedger]:
    """Hold the record of a run open for writing. Raises BusyError where another writer keeps it for longer."""
    for left in range(PATIENCE, -1, -1):
        try:
            ledger = FileLedger.open(workspace.runs, run, now)
            break
        except BusyError:
            if not left:
                raise
            sleep(WAIT)
    with ledger:
        yield ledger
