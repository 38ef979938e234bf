"""A server's people, with a clock that the test turns and hashes that cost nothing."""

from dataclasses import dataclass

import pytest
from argon2 import PasswordHasher

from vestigia.app.people.door import People
from vestigia.app.people.passwords import Passwords

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@dataclass
class Clock:
    """Seconds since 1970, as the test says."""

    now: float = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now

    def turn(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(scope="session")
def passwords():
    return Passwords(CHEAP)


@pytest.fixture
def server(tmp_path, clock, passwords):
    return People(tmp_path / "server", clock, passwords)


GOOD = "ein langer Satz von mir"


@pytest.fixture
def odile(server):
    """A person with an account."""
    return server.accounts.add("Odile", GOOD)
