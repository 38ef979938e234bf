"""Tokens for programs: shown once, kept as a digest, narrowed by scopes and an archive, for some days, revocable."""

from dataclasses import dataclass

from vestigia.app.people import secrets
from vestigia.app.people.roles import EVERYWHERE, Role, Scope, Visitor
from vestigia.app.people.store import Clock, Store
from vestigia.domain.errors import UsageError

PREFIX = "vestigia_"
"""So that a token that lies about is known for what it is, and found by who looks for leaked secrets."""
DAYS, MOST_DAYS = 90, 366


@dataclass(frozen=True, slots=True)
class Token:
    """A token without its secret. Times are in seconds since 1970, None for never."""

    id: int
    label: str
    scopes: frozenset[Scope]
    archive: str
    made: int
    expires: int
    used: int | None
    revoked: int | None


class Tokens:
    """The tokens in a store."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def make(
        self, person: int, label: str, scopes: frozenset[Scope], archive: str = EVERYWHERE, days: int = DAYS
    ) -> str:
        """Make a token and return its secret, which is shown once. Raises UsageError for no name, scope or end."""
        called = " ".join(label.split())
        if not called or len(called) > 100:
            raise UsageError("a token has a name of 1 to 100 letters.", remedy="Say what it is for.")
        if not 1 <= days <= MOST_DAYS:
            raise UsageError(f"a token lasts 1 to {MOST_DAYS} days, not {days}.", remedy="Make a new one in time.")
        if not scopes:
            raise UsageError("a token without a scope is of no use.", remedy=f"There are: {', '.join(Scope)}.")
        secret, now = PREFIX + secrets.make(), int(self._clock())
        said = ",".join(sorted(scopes))
        row = (person, called, secrets.kept(secret), said, archive or EVERYWHERE, now, now + days * 86400)
        with self._store.writing() as database:
            database.execute(
                "INSERT INTO tokens (person, label, secret, scopes, archive, made, expires)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                row,
            )
        return secret

    def of(self, person: int) -> tuple[Token, ...]:
        """The tokens of a person, the newest first, with those that are over or revoked."""
        with self._store.reading() as database:
            rows = database.execute(
                "SELECT id, label, scopes, archive, made, expires, used, revoked FROM tokens WHERE person = ? "
                "ORDER BY id DESC",
                [person],
            ).fetchall()
        return tuple(Token(row[0], row[1], _scopes(row[2]), *row[3:]) for row in rows)

    def revoke(self, person: int, number: int) -> None:
        """Revoke a token of a person. Raises UsageError where the person has no such token."""
        with self._store.writing() as database:
            changed = database.execute(
                "UPDATE tokens SET revoked = coalesce(revoked, ?) WHERE id = ? AND person = ?",
                [int(self._clock()), number, person],
            ).rowcount
        if not changed:
            raise UsageError(
                f"there is no token {number} of this person.", remedy="List the tokens to see their numbers."
            )

    def visitor(self, secret: str) -> Visitor | None:
        """Who asks with a token: its person, in the archives and for what it was made; None where it opens nothing."""
        now = int(self._clock())
        with self._store.reading() as database:
            row = database.execute(
                "SELECT t.id, t.scopes, t.archive, t.used, p.id, p.name FROM tokens t JOIN people p ON p.id = t.person "
                "WHERE t.secret = ? AND t.revoked IS NULL AND t.expires > ? AND NOT p.disabled",
                [secrets.kept(secret), now],
            ).fetchone()
            if row is None:
                return None
            number, scopes, archive, used, person, name = row
            given = database.execute("SELECT archive, role FROM roles WHERE person = ?", [person]).fetchall()
        if used is None or now - used >= 60:
            with self._store.writing() as database:
                database.execute("UPDATE tokens SET used = ? WHERE id = ?", [now, number])
        whole = Visitor(name, tuple((where, Role(role)) for where, role in given), _scopes(scopes), person)
        return whole if archive == EVERYWHERE else _within(whole, archive)


def _within(visitor: Visitor, archive: str) -> Visitor:
    role = visitor.role_in(archive)
    return Visitor(visitor.name, ((archive, role),) if role else (), visitor.scopes, visitor.person)


def _scopes(written: str) -> frozenset[Scope]:
    return frozenset(Scope(one) for one in written.split(","))
