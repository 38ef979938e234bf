"""The accounts of a server. An account is never deleted, only disabled: records of runs name people for good."""

import sqlite3
import unicodedata
from dataclasses import dataclass

from vestigia.app.people.passwords import Passwords
from vestigia.app.people.roles import Role, Visitor
from vestigia.app.people.store import Clock, Store
from vestigia.domain.errors import UsageError

LONGEST = 64
"""Characters of a name."""
NO_PASSWORD = "!"  # noqa: S105  it is none
"""In the place of a hash: no password fits."""


@dataclass(frozen=True, slots=True)
class Person:
    """An account. `roles` are pairs of archive and role in the order of archives, `made` is in seconds since 1970."""

    id: int
    name: str
    roles: tuple[tuple[str, Role], ...]
    disabled: bool
    made: int

    @property
    def visitor(self) -> Visitor:
        """The person as one who asks."""
        return Visitor(self.name, self.roles, person=self.id)


class Accounts:
    """The accounts in a store."""

    def __init__(self, store: Store, passwords: Passwords, clock: Clock) -> None:
        self._store, self._passwords, self._clock = store, passwords, clock

    def add(self, name: str, password: str) -> Person:
        """Make an account without a role. Raises UsageError for a name that is taken or none, and a weak password."""
        called = name_of(name)
        hashed = self._passwords.hash(password, called)
        with self._store.writing() as database:
            if database.execute("SELECT 1 FROM people WHERE name = ?", [called]).fetchone():
                raise UsageError(f"there is an account {called!r} already.", remedy="Choose another name.")
            database.execute(
                "INSERT INTO people (name, password, made) VALUES (?, ?, ?)", [called, hashed, int(self._clock())]
            )
        return self.named(called)

    def known_as(self, issuer: str, subject: str, name: str) -> Person | None:
        """The person whom a provider knows by a subject; at the first time a new account of this name, without a role.

        None for an account that is locked. Raises UsageError where the name is taken: no account is taken over.
        """
        with self._store.writing() as database:
            found = database.execute(
                "SELECT person FROM identities WHERE issuer = ? AND subject = ?", [issuer, subject]
            ).fetchone()
            if found is None:
                called = name_of(name)
                if database.execute("SELECT 1 FROM people WHERE name = ?", [called]).fetchone():
                    raise UsageError(
                        f"an account {called!r} is there already, of somebody who came in otherwise.",
                        remedy="Ask whoever administers the server.",
                    )
                number = database.execute(
                    "INSERT INTO people (name, password, made) VALUES (?, ?, ?)",
                    [called, NO_PASSWORD, int(self._clock())],
                ).lastrowid
                found = (number,)
                database.execute("INSERT INTO identities VALUES (?, ?, ?)", [issuer, subject, number])
        return self.numbered(found[0])

    def all(self) -> tuple[Person, ...]:
        """Every account, by name."""
        with self._store.reading() as database:
            return tuple(_person(database, row) for row in database.execute(f"{_ROWS} ORDER BY name").fetchall())

    def find(self, name: str) -> Person | None:
        """The account of a name, or none."""
        with self._store.reading() as database:
            row = database.execute(f"{_ROWS} WHERE name = ?", [_folded(name)]).fetchone()
            return _person(database, row) if row else None

    def numbered(self, number: int) -> Person | None:
        """The account of a number, or none; also none for one that is disabled."""
        with self._store.reading() as database:
            row = database.execute(f"{_ROWS} WHERE id = ? AND NOT disabled", [number]).fetchone()
            return _person(database, row) if row else None

    def named(self, name: str) -> Person:
        """The account of a name. Raises UsageError where there is none."""
        found = self.find(name)
        if found is None:
            raise UsageError(f"there is no account {name!r}.", remedy="`vestigia people list` names them.")
        return found

    def give(self, name: str, archive: str, role: Role | None) -> Person:
        """Give a person a role in an archive in the place of the one they had there, or take it away with None."""
        person = self.named(name)
        if not archive.strip():
            raise UsageError("a role is one in an archive.", remedy="Name the archive, or `*` for all of them.")
        with self._store.writing() as database:
            database.execute("DELETE FROM roles WHERE person = ? AND archive = ?", [person.id, archive])
            if role is not None:
                database.execute("INSERT INTO roles VALUES (?, ?, ?)", [person.id, archive, role])
        return self.named(name)

    def change_password(self, name: str, password: str, keep: str = "") -> None:
        """Set a new password and end every session of the person but the one whose stored secret is `keep`."""
        person = self.named(name)
        hashed = self._passwords.hash(password, person.name)
        with self._store.writing() as database:
            database.execute("UPDATE people SET password = ? WHERE id = ?", [hashed, person.id])
            database.execute("DELETE FROM sessions WHERE person = ? AND secret <> ?", [person.id, keep])

    def disable(self, name: str, *, disabled: bool = True) -> Person:
        """Lock an account, which ends its sessions and revokes its tokens at once; or unlock it, which revives none."""
        person = self.named(name)
        with self._store.writing() as database:
            database.execute("UPDATE people SET disabled = ? WHERE id = ?", [disabled, person.id])
            if disabled:
                database.execute("DELETE FROM sessions WHERE person = ?", [person.id])
                database.execute(
                    "UPDATE tokens SET revoked = ? WHERE person = ? AND revoked IS NULL",
                    [int(self._clock()), person.id],
                )
        return self.named(name)

    def proven(self, name: str, password: str) -> Person | None:
        """The person of a name and password; None for another password, no such name, and a disabled account alike."""
        with self._store.reading() as database:
            row = database.execute(
                "SELECT id, password FROM people WHERE name = ? AND NOT disabled", [_folded(name)]
            ).fetchone()
        if not self._passwords.fits(row[1] if row else None, password):
            return None
        if self._passwords.is_dated(row[1]):
            with self._store.writing() as database:
                database.execute(
                    "UPDATE people SET password = ? WHERE id = ? AND password = ?",
                    [self._passwords.hash(password), row[0], row[1]],
                )
        return self.numbered(row[0])


_ROWS = "SELECT id, name, disabled, made FROM people"


def name_of(written: str) -> str:
    """Return a name as it is kept. Raises UsageError for one that is empty, too long, or holds what cannot be seen."""
    name = _folded(written)
    unseen = any(unicodedata.category(sign) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} for sign in written.strip())
    if not name or len(name) > LONGEST or unseen:
        raise UsageError(
            f"a name has 1 to {LONGEST} letters and no signs that cannot be seen.", remedy="Choose another name."
        )
    return name


def _folded(written: str) -> str:
    """One name, however it is typed: case, width and white space make no other person."""
    return " ".join(unicodedata.normalize("NFKC", written).casefold().split()).encode("utf-8", "replace").decode()


def _person(database: sqlite3.Connection, row: tuple[int, str, int, int]) -> Person:
    given = database.execute("SELECT archive, role FROM roles WHERE person = ? ORDER BY archive", [row[0]]).fetchall()
    return Person(row[0], row[1], tuple((archive, Role(role)) for archive, role in given), bool(row[2]), row[3])
