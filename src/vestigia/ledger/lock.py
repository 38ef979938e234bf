"""One writer per run: a lock of the operating system, which lets go when the process dies, however it dies."""

import sys
from pathlib import Path
from typing import BinaryIO

from vestigia.domain.errors import BusyError
from vestigia.ledger.durable import unwritten

if sys.platform == "win32":
    import msvcrt

    def _take(file: BinaryIO) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock(path: Path) -> BinaryIO:
    """Take the lock at `path` and return the open file that holds it; closing it lets go.

    Raises BusyError when another process, or another ledger of this one, holds it.
    """
    try:
        file = path.open("ab")
    except OSError as error:
        raise unwritten(error, path) from error
    try:
        _take(file)
    except OSError as error:
        file.close()
        raise BusyError(
            "another program is writing this run.",
            where=str(path.parent),
            remedy="Wait until it ends, or end it; the run can be read meanwhile.",
        ) from error
    return file
