"""A language model behind the Model port: one request, one reply, with patience for what passes and words for the rest.

What passes (rate limits, failing servers, broken connections) is tried again within limits, what does not ends as
ModelUnavailableError and the run is paused. A refusal and a request that does not fit are answers of their own.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from time import monotonic

from vestigia.domain.archive import Passage
from vestigia.domain.effects import Replied, Stop, Usage
from vestigia.domain.ids import Digest, PassageId, digest
from vestigia.domain.requests import Request
from vestigia.models.connected.connection import Connection
from vestigia.models.connected.facts import PATIENCE, facts_of
from vestigia.models.connected.faults import EXPECTED, Course, fault_of
from vestigia.models.connected.prices import cost
from vestigia.models.connected.schemas import Schema, schema_of
from vestigia.models.connected.wires import Received, send

BYTES_A_TOKEN = 3
"""Of text in UTF-8, on the safe side: damaged text and small vocabularies need more tokens than clean English."""
BYTES_READ = 10
"""No vocabulary takes more bytes in a token, on average: fewer tokens counted than that, and the prompt was cut."""
LONGEST = 200_000
"""Characters of a reply that are kept."""
FIRST_WAIT, LONGEST_WAIT = 1.0, 30.0


def estimated(words: str) -> int:
    """Estimate the tokens of a prompt."""
    return len(words.encode("utf-8", "replace")) // BYTES_A_TOKEN + 1


@dataclass(frozen=True, slots=True)
class Nature:
    """Time and chance, handed in."""

    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random
    stopwatch: Callable[[], float] = monotonic
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))


@dataclass(slots=True)
class LanguageModel:
    """One configured model."""

    connection: Connection
    nature: Nature = Nature()
    _plain: bool = False
    """Whether the server was found to take no schema."""
    _asked: bool = False
    """Whether the server was asked how many tokens it takes."""

    @property
    def name(self) -> str:
        """Provider and model."""
        return self.connection.title

    @property
    def takes_schemas(self) -> bool:
        """Whether the server has not refused a schema so far."""
        return not self._plain

    @property
    def at_once(self) -> int:
        """How many calls it bears at the same time."""
        return self.connection.concurrency

    @property
    def fingerprint(self) -> Digest:
        """Digest of what fixes its replies."""
        return self.connection.fingerprint

    async def complete(
        self,
        request: Request,
        passages: Mapping[PassageId, Passage],  # noqa: ARG002  the prompt holds their words
        prompt: Callable[[], str],
    ) -> Replied:
        """Answer one request. Raises ModelUnavailableError."""
        words = prompt()
        replied = await self.answer(words, schema_of(request) if self.connection.native else None)
        return replace(replied, prompt=digest(words))

    async def answer(self, words: str, schema: Schema | None) -> Replied:
        """Send words, wait and try again where that may help. Raises ModelUnavailableError."""
        await self._learn_window()
        connection, need = self.connection, estimated(words)
        if connection.window and need + connection.room > connection.window:
            why = (
                f"about {need} tokens and {connection.room} for the reply do not fit its window of {connection.window}"
            )
            return Replied(why, self.name, usage=Usage(0, 0, 0, 0.0, 0.0), stop=Stop.TOO_LONG)
        began = self.nature.stopwatch()
        replied = await self._tried(words, schema)
        seconds = round(self.nature.stopwatch() - began, 3)
        return replace(replied, usage=replace(replied.usage, seconds=seconds))

    async def _learn_window(self) -> None:
        """Ask a server of one's own how many tokens it takes, once, where the settings do not say."""
        if self._asked or self.connection.window or not self.connection.own:
            return
        self._asked = True
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                window, _ = await facts_of(self.connection)
                self.connection = replace(self.connection, window=window or 0)

    async def _tried(self, words: str, schema: Schema | None) -> Replied:
        connection, tries = self.connection, 0
        notes: list[str] = []
        while True:
            asked = None if self._plain else schema
            try:
                received = await send(connection, words, asked)
            except EXPECTED as error:
                fault = fault_of(error, connection)
            else:
                return self._replied(received, words, notes)
            said = connection.without_key(fault.what)
            if fault.course is Course.PLAIN and asked is not None:
                self._plain = True
                notes.append(f"{said}: asked without a schema")
                continue
            if fault.course in {Course.LESS, Course.REFUSED}:
                stop = Stop.TOO_LONG if fault.course is Course.LESS else Stop.REFUSED
                usage = Usage(0, 0, 0, 0.0) if stop is Stop.TOO_LONG else Usage()
                return Replied(said, self.name, usage=usage, stop=stop, notes=tuple(notes))
            tries += 1
            wait = self._wait(tries, fault.wait)
            if (
                fault.course is not Course.AGAIN
                or tries >= connection.limits.tries
                or wait > connection.limits.patience
            ):
                raise fault.error(connection) from None
            notes.append(f"{said}; tried again after {wait:.1f} s")
            await self.nature.sleep(wait)

    def _wait(self, tries: int, asked: float | None) -> float:
        """Seconds before the next try: what the server asks for and a little more, else doubled each time, jittered."""
        if asked is not None:
            return asked + self.nature.chance()
        doubled: float = min(LONGEST_WAIT, FIRST_WAIT * 2 ** (tries - 1))
        return doubled * (0.5 + self.nature.chance())

    def _replied(self, received: Received, words: str, notes: list[str]) -> Replied:
        connection, usage = self.connection, received.usage
        usage = replace(usage, cost=cost(connection, usage, self.nature.now()))
        stops = {"length": Stop.LENGTH, "content_filter": Stop.REFUSED}
        text, stop = received.text, stops.get(received.ended, Stop.ENDED)
        if stop is Stop.REFUSED:
            text = received.refusal or text or "a content filter stopped it"
        if len(text) > LONGEST:
            notes = [*notes, f"the reply had {len(text)} characters; the first {LONGEST} are kept"]
            text, stop = text[:LONGEST], Stop.LENGTH
        if not text.strip() and received.thought:
            notes = [*notes, f"it thought aloud ({received.thought} characters) and said nothing"]
        read = usage.input_tokens
        if read is not None and read + (usage.cached_tokens or 0) < len(words.encode()) // BYTES_READ:
            cut = f"the server counted {read} tokens of about {estimated(words)}: it may have cut the prompt"
            notes = [*notes, cut]
        served = received.served.rpartition("/")[2] if received.served.startswith("/") else received.served
        served = served if served != connection.model else ""
        return Replied(connection.without_key(text), self.name, None, usage, stop, served, tuple(notes))
