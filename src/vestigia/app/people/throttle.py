"""Guessing is slowed down, for the name that is tried and for the address it comes from.

A try is written down before the password is looked at, so that many at once are counted like many in a row. The wait
doubles with each further try and is never longer than a quarter of an hour: whoever guesses can lock nobody out for
good. Names and addresses are kept as digests: a password typed into the wrong field stands nowhere.
"""

import hashlib
import ipaddress
import math
from dataclasses import dataclass

from vestigia.app.people.store import Clock, Store

WINDOW = 15 * 60
"""Seconds that a failed try counts."""
FREE_OF_NAME, FREE_OF_ADDRESS = 5, 30
"""Failed tries within the window that cost no waiting. Many people may share an address."""
STEP = 15
"""Seconds of the first wait."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A try to log in. `wait` is in seconds, 0 where the password may be looked at; `rows` are what is kept of it."""

    wait: int
    rows: tuple[int, ...] = ()


class Throttle:
    """The failed tries in a store."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def attempt(self, name: str, address: str) -> Attempt:
        """Count a try, or say how long to wait until the next one is looked at; then it is not counted."""
        now = self._clock()
        with self._store.writing() as database:
            database.execute("DELETE FROM attempts WHERE at <= ?", [int(now) - WINDOW])
            wait = 0.0
            for key, free in _keys(name, address):
                times = [row[0] for row in database.execute("SELECT at FROM attempts WHERE who = ? ORDER BY at", [key])]
                if len(times) >= free:
                    pause = min(WINDOW, STEP * 2 ** min(len(times) - free, 10))
                    wait = max(wait, times[-1] + pause - now)
            if wait > 0:
                return Attempt(math.ceil(wait))
            added = [
                database.execute("INSERT INTO attempts (who, at) VALUES (?, ?)", [key, math.ceil(now)]).lastrowid
                for key, _ in _keys(name, address)
            ]
        return Attempt(0, tuple(row for row in added if row is not None))

    def forgive(self, name: str, attempt: Attempt) -> None:
        """Take a try back that was right, and all that were made with the name before."""
        with self._store.writing() as database:
            database.executemany("DELETE FROM attempts WHERE id = ?", [(row,) for row in attempt.rows])
            database.execute("DELETE FROM attempts WHERE who = ?", [_digest("name", name)])


def _keys(name: str, address: str) -> tuple[tuple[str, int], ...]:
    return (_digest("name", name), FREE_OF_NAME), (_digest("address", network(address)), FREE_OF_ADDRESS)


def network(address: str) -> str:
    """What of an address counts as one visitor: the whole, or of IPv6 the network that a household is given."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)


def _digest(kind: str, value: str) -> str:
    return hashlib.sha256(f"{kind}\n{value}".encode("utf-8", "replace")).hexdigest()
