"""Sessions live on the server: a browser holds a random word, the server its digest, and what is ended ends at once."""

from dataclasses import dataclass

from vestigia.app.people import secrets
from vestigia.app.people.store import Clock, Store

IDLE = 8 * 3600
"""Seconds after which a session that nobody uses is over."""
LONGEST = 7 * 86400
"""Seconds after which a session is over however much it is used."""
_TOUCH = 60
"""Seconds between two notes that a session is in use: not every page is a write."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session of a person. `key` is its digest, which opens nothing; times are in seconds since 1970."""

    key: str
    person: int
    begun: int
    seen: int


class Sessions:
    """The sessions in a store."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def begin(self, person: int) -> str:
        """Begin a session and return its secret: always a new one, whatever the browser came with."""
        secret, now = secrets.make(), int(self._clock())
        with self._store.writing() as database:
            database.execute("DELETE FROM sessions WHERE begun <= ? OR seen <= ?", [now - LONGEST, now - IDLE])
            database.execute("INSERT INTO sessions VALUES (?, ?, ?, ?)", [secrets.kept(secret), person, now, now])
        return secret

    def find(self, secret: str, *, used: bool = True) -> Session | None:
        """The session of a secret, noted as in use if it is; None where it was ended, is over, or never was."""
        key, now = secrets.kept(secret), int(self._clock())
        with self._store.reading() as database:
            row = database.execute(
                "SELECT person, begun, seen FROM sessions WHERE secret = ? AND begun > ? AND seen > ?",
                [key, now - LONGEST, now - IDLE],
            ).fetchone()
        if row is None:
            return None
        if used and now - row[2] >= _TOUCH:
            with self._store.writing() as database:
                database.execute("UPDATE sessions SET seen = ? WHERE secret = ?", [now, key])
        return Session(key, *row)

    def of(self, person: int) -> tuple[Session, ...]:
        """The sessions of a person that are not over, the newest first."""
        now = int(self._clock())
        with self._store.reading() as database:
            rows = database.execute(
                "SELECT secret, person, begun, seen FROM sessions WHERE person = ? AND begun > ? AND seen > ? "
                "ORDER BY begun DESC, secret",
                [person, now - LONGEST, now - IDLE],
            ).fetchall()
        return tuple(Session(*row) for row in rows)

    def end(self, key: str) -> None:
        """End a session by its key."""
        with self._store.writing() as database:
            database.execute("DELETE FROM sessions WHERE secret = ?", [key])

    def end_all(self, person: int, but: str = "") -> None:
        """End every session of a person but the one with this key."""
        with self._store.writing() as database:
            database.execute("DELETE FROM sessions WHERE person = ? AND secret <> ?", [person, but])
