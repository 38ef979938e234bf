"""One SQLite file: statements carried out under its own words for what can go wrong, and nothing deleted left in it.

Where the disk is full or the folder cannot be written, what is there can still be read.
"""

import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from zlib import error as ZlibError  # noqa: N812  it is no constant

from vestigia.domain.errors import ArchiveError, UsageError

_WAIT = 10.0
"""Seconds to wait for another process that is writing."""

_ROOM = 1 << 20
"""Bytes without which SQLite cannot work beside its file."""
_FULL = ("the disk is full; what was stored before is unharmed.", "Make room and run it again.")
_FAILING = ("the disk reports an error.", "Check the disk; if it is sound, restore the catalogue from a copy.")
_DAMAGED = ("the catalogue is damaged.", "Restore it from a copy, or import anew.")
_CANNOT_WRITE = ("SQLITE_FULL", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_IOERR")
"""Under these names a file may be whole and only not be written."""
_UNWRITTEN = (
    "SQLITE_IOERR_WRITE",
    "SQLITE_IOERR_SHMSIZE",
    "SQLITE_IOERR_SHMOPEN",
    "SQLITE_IOERR_SHMMAP",
    "SQLITE_IOERR_TRUNCATE",
)
"""What SQLite says of a disk, or a quota, that takes no more."""
_TROUBLES = {
    "full": _FULL,
    "locked": ("another process is writing to the catalogue.", "Wait for it to end and run it again."),
    "readonly": ("the catalogue cannot be written to.", "Change its permissions, or copy the archive."),
    "unable to open": ("the catalogue cannot be opened.", "Check that its folder exists and may be written to."),
    "not a database": ("the file is no catalogue.", "Choose another folder, or restore the catalogue from a copy."),
    "malformed": _DAMAGED,
}

Row = tuple[Any, ...]
Value = TypeVar("Value")


class Store:
    """The file at `path`; made when absent. Every method raises ArchiveError when the file cannot be used."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._refusal: ArchiveError | None = None
        """Why the file can be read only."""
        with self.guarded():
            self.connection = _connected(str(path))

    def prepare(self, version: int, schema: str) -> None:
        """Make the tables of an empty file, by statements that set its version; refuse a file of another version.

        A file that is whole and cannot be written is opened for reading.
        """
        try:
            found = self._version()
        except ArchiveError as error:
            if not self._can_only_be_read(error):
                raise
            found, self._refusal = self._version(), error
        with self.guarded():
            foreign = found == 0 and self.read("SELECT 1 FROM sqlite_master") != []
            if foreign or found not in {0, version}:
                raise ArchiveError(
                    "the file is no catalogue of this version.",
                    where=str(self.path),
                    remedy="Open it with the version of Vestigia that made it, or import anew.",
                )
            if self._refusal is not None:
                return
            for setting in ("journal_mode = WAL", "synchronous = NORMAL", "secure_delete = ON"):
                self.connection.execute(f"PRAGMA {setting}")
            if found == 0:
                self.connection.executescript(schema)

    def _version(self) -> int:
        return int(self.read("PRAGMA user_version")[0][0])

    def _can_only_be_read(self, error: ArchiveError) -> bool:
        """Open the file anew for reading, if that is what helps.

        SQLite wants a file beside it even then. Without room for one it must be told that nobody writes here, which is
        so where nobody can; and nothing may wait in the log beside it.
        """
        name = getattr(error.__cause__, "sqlite_errorname", "")
        if not name.startswith(_CANNOT_WRITE) or not self.path.is_file():
            return False
        log = self.path.with_name(f"{self.path.name}-wal")
        ways = ("mode=ro",) if log.exists() and log.stat().st_size else ("mode=ro", "immutable=1")
        for way in ways:
            self.connection.close()
            try:
                self.connection = _connected(f"{self.path.absolute().as_uri()}?{way}")
                self.connection.execute("SELECT 1 FROM sqlite_master").fetchall()
            except sqlite3.Error:
                continue
            return True
        return False

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def read(self, statement: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """Return all rows of a query."""
        with self.guarded():
            return self.connection.execute(statement, parameters).fetchall()

    def stream(self, statement: str, parameters: Sequence[Any] = ()) -> Iterator[Row]:
        """Yield the rows of a query one by one; nothing else may be written meanwhile."""
        with self.guarded():
            yield from self.connection.execute(statement, parameters)

    def write(self, statement: str, rows: Iterable[Sequence[Any]] = ((),)) -> None:
        """Carry out a statement once for each row of parameters."""
        self._may_write()
        with self.guarded():
            self.connection.executemany(statement, rows)

    def fact(self, name: str) -> str:
        """Return one of the single values the file keeps."""
        found = self.read("SELECT value FROM facts WHERE name = ?", [name])
        return self.decoded(lambda rows: str(rows[0][0]), found)

    def decoded(self, read: Callable[[Any], Value], written: object) -> Value:
        """Read a value as it is written in a row. Raises ArchiveError where it cannot be read, as in a damaged file."""
        try:
            return read(written)
        except (ValueError, TypeError, LookupError, AttributeError, ZlibError) as error:
            raise self._trouble(*_DAMAGED) from error

    def set_fact(self, name: str, value: str) -> None:
        """Keep a single value."""
        self.write("INSERT OR REPLACE INTO facts VALUES (?, ?)", [(name, value)])

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write what is written inside at once, or nothing of it when it is left by an error or the process dies."""
        self._may_write()
        with self.guarded():
            self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            with self.guarded():
                self.connection.execute("COMMIT")
        finally:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read what is read inside as it stood at one moment, whatever other processes write meanwhile."""
        with self.guarded():
            self.connection.execute("BEGIN")
        try:
            yield
        finally:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")

    def rewrite(self) -> bool:
        """Write the file anew without a trace of what was deleted; False while another process still reads it.

        Deleted rows are overwritten at once, but a page may hold older copies of a row: only a new file is sure.
        """
        self._may_write()
        with self.guarded():
            self.connection.execute("VACUUM")
            busy = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        return not busy

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Say in our words what SQLite says in its own."""
        try:
            yield
        except sqlite3.Error as error:
            raise self._trouble(*self._told(error)) from error
        except UnicodeEncodeError as error:  # documents come cleaned, so a person typed it
            raise UsageError(
                "what was typed holds broken characters.",
                remedy="Type it in a terminal that is set to UTF-8, or leave these characters out.",
            ) from error

    def _told(self, error: sqlite3.Error) -> tuple[str, str]:
        """Return what is wrong and what to do about it."""
        name = getattr(error, "sqlite_errorname", "")
        if name.startswith("SQLITE_IOERR"):
            full = name in _UNWRITTEN or shutil.disk_usage(self.path.parent).free < _ROOM
            return _FULL if full else _FAILING
        other = (f"the catalogue cannot be used ({error}).", "Restore it from a copy, or import anew.")
        return next((words for sign, words in _TROUBLES.items() if sign in str(error)), other)

    def _trouble(self, what: str, remedy: str) -> ArchiveError:
        return ArchiveError(what, where=str(self.path), remedy=remedy)

    def _may_write(self) -> None:
        if self._refusal is not None:
            raise self._refusal


def _connected(name: str) -> sqlite3.Connection:
    # SQLite serialises access itself; a search may run in another thread than the one that opened it.
    return sqlite3.connect(
        name, timeout=_WAIT, isolation_level=None, check_same_thread=False, uri=name.startswith("file:///")
    )
