"""Files that are either wholly there or not at all, and one writer at a time: what makes a kill harmless."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from vestigia.domain.errors import ArchiveError

REWRITTEN = (".json",)
"""Files of tantivy's that it replaces; all others never change once written, so they may be shared between folders."""


def write_file(path: Path, write: Callable[[Path], None]) -> None:
    """Let `write` fill a file beside `path`, bring it to the disk, then give it its name in one step."""
    unfinished = path.with_name(path.name + ".unfinished")
    write(unfinished)
    with unfinished.open("rb+") as file:
        os.fsync(file.fileno())
    unfinished.replace(path)
    _sync_folder(path.parent)


def write_text(path: Path, text: str) -> None:
    """Write a small text file in one step, as UTF-8."""
    write_file(path, lambda unfinished: _write_utf8(unfinished, text))


def share_files(old: Path, new: Path) -> None:
    """Make the folder `new` hold the files of `old`: by link where the disk can, by copy where it cannot.

    What is removed in the one stays in the other, so a writer works in `new` while readers keep `old`.
    """
    new.mkdir(parents=True)
    for file in sorted(old.iterdir()):
        if file.name.endswith(".lock"):
            continue
        if file.name.endswith(REWRITTEN):
            shutil.copyfile(file, new / file.name)
            continue
        try:
            (new / file.name).hardlink_to(file)
        except OSError:
            shutil.copyfile(file, new / file.name)


@contextmanager
def only_writer(folder: Path, task: str) -> Iterator[None]:
    """Hold the folder for writing. The lock is the operating system's: it ends with the process, however it ends.

    Raises ArchiveError when another program holds it, or when nothing can be written there.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = sqlite3.connect(folder / "writer.lock", timeout=0, isolation_level=None)
    except (OSError, sqlite3.OperationalError) as problem:
        raise _unwritable(folder, problem) from problem
    with closing(lock):
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as problem:
            if "locked" not in str(problem):
                raise _unwritable(folder, problem) from problem
            raise ArchiveError(
                f"another program is {task} here ({problem}).",
                where=str(folder),
                remedy="Wait until it has finished and run this again: what was imported is kept.",
            ) from problem
        yield


def _unwritable(folder: Path, problem: Exception) -> ArchiveError:
    return ArchiveError(
        f"nothing can be written here ({problem}).",
        where=str(folder),
        remedy="Make room, or change the permissions, and run this again: what was imported is kept.",
    )


def _write_utf8(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":  # elsewhere a folder cannot be opened, and a rename is durable without it
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
