"""The one SQLite file of a server's people. It stands apart from every archive, so that a copy of an archive has none.

Each piece of work opens the file, does what it does in one transaction, and closes it: threads and processes share
nothing else, and what one of them ends (a session, a role) is ended for all of them at once.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from weakref import finalize

from vestigia.domain.errors import ArchiveError

FILE = "people.sqlite"
VERSION = 2
_WAIT = 10.0
"""Seconds to wait for another process that is writing."""
_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS people (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, password TEXT NOT NULL,
    disabled INTEGER NOT NULL DEFAULT 0, made INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS roles (
    person INTEGER NOT NULL, archive TEXT NOT NULL, role TEXT NOT NULL, PRIMARY KEY (person, archive)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sessions (
    secret TEXT PRIMARY KEY, person INTEGER NOT NULL, begun INTEGER NOT NULL, seen INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS of_person ON sessions (person);
CREATE TABLE IF NOT EXISTS tokens (
    id INTEGER PRIMARY KEY AUTOINCREMENT, person INTEGER NOT NULL, label TEXT NOT NULL, secret TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL, archive TEXT NOT NULL, made INTEGER NOT NULL, expires INTEGER NOT NULL, used INTEGER,
    revoked INTEGER);
CREATE TABLE IF NOT EXISTS identities (
    issuer TEXT NOT NULL, subject TEXT NOT NULL, person INTEGER NOT NULL, PRIMARY KEY (issuer, subject)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS flows (
    state TEXT PRIMARY KEY, session TEXT NOT NULL, nonce TEXT NOT NULL, verifier TEXT NOT NULL, going TEXT NOT NULL,
    at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS attempts (id INTEGER PRIMARY KEY, who TEXT NOT NULL, at INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS by_who ON attempts (who, at);
PRAGMA user_version = {VERSION};
COMMIT;
"""

Clock = Callable[[], float]
"""Seconds since 1970."""


class Store:
    """The file in `folder`; made when absent, readable by its owner only.

    Everything raises ArchiveError where the file cannot be used or is of another version.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.path.touch(mode=0o600)
        except OSError as error:
            raise ArchiveError(
                f"the people of the server cannot be kept here ({error.strerror}).",
                where=str(self.path),
                remedy="Name another folder with --data, or mend the permissions of this one.",
            ) from error
        with self._connected() as database:
            found = database.execute("PRAGMA user_version").fetchone()[0]
            if not 0 <= found <= VERSION:
                raise ArchiveError(
                    "the people of the server were written by another version of Vestigia.",
                    where=str(self.path),
                    remedy="Use that version, or restore the file from a copy.",
                )
            if found < VERSION:  # each version has only added tables
                database.execute("PRAGMA journal_mode = WAL")
                database.executescript(_SCHEMA)
            # While one connection stands, SQLite need not begin and end its log with each of the others.
            standing = sqlite3.connect(self.path, check_same_thread=False)
            finalize(self, standing.close)
            standing.execute("SELECT 1 FROM people LIMIT 1").fetchall()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Read what is read inside."""
        with self._connected() as database:
            yield database

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Write what is written inside at once, or nothing of it when it is left by an error."""
        with self._connected() as database:
            database.execute("BEGIN IMMEDIATE")
            yield database
            database.execute("COMMIT")

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.path, timeout=_WAIT, isolation_level=None)) as database:
                database.execute("PRAGMA secure_delete = ON")
                yield database
        except sqlite3.Error as error:
            raise ArchiveError(
                f"the people of the server cannot be read or written ({error}).",
                where=str(self.path),
                remedy="Check the disk and its free space; restore the file from a copy where it is damaged.",
            ) from error
