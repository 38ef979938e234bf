"""Models that speak to a misbehaving server: time stands still for them, chance is even, and waits are only noted."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from fakes.servers import KEY, Server
from vestigia.models.connected.connection import Connection, Limits
from vestigia.models.connected.language import LanguageModel, Nature
from vestigia.models.connected.wires import ready

WIRES = ("openai", "anthropic", "google")
MODELS = {
    "openai": ("compatible", "m1"),
    "anthropic": ("anthropic", "claude-sonnet-4-5"),
    "google": ("google", "gemini-2.5-flash"),
}
NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)


@dataclass
class Still:
    """Notes what was waited for and waits for nothing; every look at the watch is a second later."""

    waits: list[float] = field(default_factory=list)
    seconds: Iterator[int] = field(default_factory=lambda: iter(range(10**6)))

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    def nature(self) -> Nature:
        return Nature(self.sleep, lambda: 0.5, lambda: float(next(self.seconds)), lambda: NOON)


def connection_to(server: Server, wire: str = "openai", **changed: Any) -> Connection:
    provider, model = MODELS[wire]
    provider = changed.pop("provider", provider)
    limits = Limits(changed.pop("timeout", 20.0), changed.pop("tries", 3), changed.pop("reply", 4096))
    made = {"key": KEY, "key_from": "the environment variable FAKE_KEY", "native": True, "own": True, "limits": limits}
    address = changed.pop("address", server.address(wire))
    connection = Connection("fake", provider, model, address, **{**made, **changed})
    ready(connection)
    return connection


def model_at(server: Server, wire: str = "openai", still: Still | None = None, **changed: Any) -> LanguageModel:
    return LanguageModel(connection_to(server, wire, **changed), (still or Still()).nature())
