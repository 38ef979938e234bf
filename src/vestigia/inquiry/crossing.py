"""The two ways out of the core: ask the world for effects, or record a fact (`design.md`, The core).

`await` here has no event loop behind it. A coroutine of the core yields a `Crossing` or a `Fact` to whoever drives
it and is sent the answers; the driver in `engine` takes them from the ledger while it lasts, then from the world.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from vestigia.domain.effects import Answer, Attend, Effect
from vestigia.domain.events import Event, HumanAct
from vestigia.inquiry.fold import State, evolve

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Crossing:
    """Effects to be carried out together; the answers come back in the order asked."""

    effects: tuple[Effect, ...]

    def __await__(self) -> Generator["Crossing", tuple[Answer, ...], tuple[Answer, ...]]:
        answers = yield self
        return answers


@dataclass(frozen=True, slots=True)
class Fact:
    """An event to be written down."""

    event: Event

    def __await__(self) -> Generator["Fact", None, None]:
        yield self


@dataclass(frozen=True, slots=True)
class Pause:
    """Hear people at a checkpoint; what they decided since the last one comes back, in their order."""

    effect: Attend

    def __await__(self) -> Generator["Pause", tuple[HumanAct, ...], tuple[HumanAct, ...]]:
        acts = yield self
        return acts


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
    """Write a fact down and return the state it leads to."""
    await Fact(event)
    return evolve(state, event)


async def attend(state: State, checkpoint: str) -> State:
    """Hear what people decided, and wait for them if the rules say so (TRACE's future work; `historag.md`, end)."""
    for act in await Pause(Attend(checkpoint, wait=checkpoint in state.rules.pause)):
        state = evolve(state, act)
    return state
