"""One SQLite file: statements carried out under its own words for what can go wrong, and nothing deleted left in it."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from vestigia.domain.errors import ArchiveError

_WAIT = 10.0
"""Seconds to wait for another process that is writing."""

_TROUBLES = {
    "full": ("the disk is full; what was stored before is unharmed.", "Make room and run it again."),
    "locked": ("another process is writing to the catalogue.", "Wait for it to end and run it again."),
    "readonly": ("the catalogue cannot be written to.", "Change its permissions, or copy the archive."),
    "unable to open": ("the catalogue cannot be opened.", "Check that its folder exists and may be written to."),
    "not a database": ("the file is no catalogue.", "Choose another folder, or restore the catalogue from a copy."),
    "malformed": ("the catalogue is damaged.", "Restore it from a copy, or import anew."),
}

Row = tuple[Any, ...]


class Store:
    """The file at `path`; made when absent. Every method raises ArchiveError when the file cannot be used."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self.guarded():
            # SQLite serialises access itself; a search may run in another thread than the one that opened it.
            self.connection = sqlite3.connect(path, timeout=_WAIT, isolation_level=None, check_same_thread=False)

    def prepare(self, version: int, schema: str) -> None:
        """Make the tables of an empty file, by statements that set its version; refuse a file of another version."""
        with self.guarded():
            found = int(self.read("PRAGMA user_version")[0][0])
            foreign = found == 0 and self.read("SELECT 1 FROM sqlite_master") != []
            if foreign or found not in {0, version}:
                raise ArchiveError("the file is no catalogue of this version.", where=str(self.path),
                                   remedy="Open it with the version of Vestigia that made it, or import anew.")
            for setting in ("journal_mode = WAL", "synchronous = NORMAL", "secure_delete = ON"):
                self.connection.execute(f"PRAGMA {setting}")
            if found == 0:
                self.connection.executescript(schema)

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
        with self.guarded():
            self.connection.executemany(statement, rows)

    def fact(self, name: str) -> str:
        """Return one of the single values the file keeps."""
        return str(self.read("SELECT value FROM facts WHERE name = ?", [name])[0][0])

    def set_fact(self, name: str, value: str) -> None:
        """Keep a single value."""
        self.write("INSERT OR REPLACE INTO facts VALUES (?, ?)", [(name, value)])

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write what is written inside at once, or nothing of it when it is left by an error or the process dies."""
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
            what, remedy = next((words for sign, words in _TROUBLES.items() if sign in str(error)),
                                (f"the catalogue cannot be used ({error}).", "Restore it from a copy, or import anew."))
            raise ArchiveError(what, where=str(self.path), remedy=remedy) from error
