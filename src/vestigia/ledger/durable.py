"""Bytes that are on the disk when the call returns, or not there at all."""

import os
import sys
from contextlib import suppress
from pathlib import Path

from vestigia.domain.errors import ArchiveError


def append(descriptor: int, content: bytes, where: Path) -> None:
    """Append `content` to the open file in one write and wait until the disk has it.

    When that fails (the disk is full, the drive is gone) the file is cut back to what it was before and ArchiveError
    is raised: nothing already stored is harmed.
    """
    size = os.fstat(descriptor).st_size
    try:
        rest = memoryview(content)
        while rest:  # a second turn only when the disk took a part of it: it says why
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    except OSError as error:
        with suppress(OSError):  # if even this fails, the next writer finds a torn line and cuts it
            os.ftruncate(descriptor, size)
        raise unwritten(error, where) from error


def replace(path: Path, content: bytes) -> None:
    """Make `path` hold `content`: the old file or the new one is there at any moment, never a part.

    Raises ArchiveError when it cannot be written; the old file then stays.
    """
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        settle(path.parent)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise unwritten(error, path) from error


def settle(folder: Path) -> None:
    """Wait until the disk knows the names in a folder, where the system can tell (Windows cannot)."""
    if sys.platform != "win32":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def unwritten(error: OSError, where: Path) -> ArchiveError:
    """Say that a file could not be written and what to do."""
    return ArchiveError(
        f"it could not be written: {error.strerror or error}.",
        where=str(where),
        remedy="What was stored before is unharmed. Make room or mend access to the disk, then resume the run.",
    )
