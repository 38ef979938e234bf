"""The two ways out of the core: ask the world for effects, or record a fact (`design.md`, The core).

`await` here has no event loop behind it. A coroutine of the core yields a `Crossing` or a `Fact` to whoever drives
it and is sent the answers; the driver in `engine` takes them from the ledger while it lasts, then from the world.
Where several coroutines run side by side (`abreast`), each is told at its next fact what the others recorded before.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from vestigia.domain.effects import Answer, Attend, Effect
from vestigia.domain.events import Event
from vestigia.domain.ids import SubQuestionId
from vestigia.inquiry.fold import evolve, fold
from vestigia.inquiry.state import State

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Crossing:
    """Effects to be carried out together; the answers come back in the order asked."""

    effects: tuple[Effect, ...]

    def __await__(self) -> Generator["Crossing", tuple[Answer, ...], tuple[Answer, ...]]:
        answers = yield self
        return answers


Missed = tuple[Event, ...]
"""What others recorded since this coroutine heard last, in the order of the ledger; alone it misses nothing."""


@dataclass(frozen=True, slots=True)
class Fact:
    """An event to be written down; what was missed before it comes back."""

    event: Event

    def __await__(self) -> Generator["Fact", Missed, Missed]:
        missed = yield self
        return missed


@dataclass(frozen=True, slots=True)
class Pause:
    """Hear people at a checkpoint; what was missed comes back, and what they decided, in their order."""

    effect: Attend

    def __await__(self) -> Generator["Pause", Missed, Missed]:
        heard = yield self
        return heard


@dataclass(frozen=True, slots=True)
class UnderWay:
    """Model calls that others have asked for and not yet recorded: a budget must count them. By sub-question."""

    missed: Missed = ()
    calls: tuple[SubQuestionId | None, ...] = ()


@dataclass(frozen=True, slots=True)
class LookRound:
    """Catch up with what others do; nothing is written."""

    def __await__(self) -> Generator["LookRound", UnderWay, UnderWay]:
        seen = yield self
        return seen


async def ask_all(effects: Sequence[Effect], kind: type[A]) -> tuple[A, ...]:
    """Ask the world for effects whose answers are all a `kind`; none asks nothing."""
    answers = await Crossing(tuple(effects)) if effects else ()
    for effect, answer in zip(effects, answers, strict=True):
        if not isinstance(answer, kind):
            raise TypeError(f"{type(effect).__name__} was answered with {type(answer).__name__}, not {kind.__name__}")
    return answers  # type: ignore[return-value]


async def ask_one(effect: Effect, kind: type[A]) -> A:
    """Ask the world for one effect whose answer is a `kind`."""
    (answer,) = await ask_all((effect,), kind)
    return answer


async def record(state: State, event: Event) -> State:
    """Write a fact down and return the state it leads to, with what others recorded before."""
    return evolve(fold(await Fact(event), state), event)


async def attend(state: State, checkpoint: str) -> State:
    """Hear what people decided, and wait for them if the rules say so (TRACE's future work; `historag.md`, end)."""
    return fold(await Pause(Attend(checkpoint, wait=checkpoint in state.rules.pause)), state)


async def look_round(state: State) -> tuple[State, tuple[SubQuestionId | None, ...]]:
    """Catch up; returns for which sub-questions model calls of others are under way."""
    seen = await LookRound()
    return fold(seen.missed, state), seen.calls
