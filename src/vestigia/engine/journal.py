"""Driving the core: answer from the ledger while it lasts, then from the world, and write everything down.

Resuming, replaying and verifying are this one loop with more or less of a ledger before it (`design.md`, The core).
"""

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from time import monotonic
from typing import Protocol, TypeVar

from vestigia.domain.effects import (
    Answer,
    AskModel,
    Attend,
    Attended,
    CheckQuotes,
    DatesRead,
    Describe,
    Described,
    DossierRead,
    Effect,
    Expand,
    Expanded,
    Found,
    QuotesChecked,
    ReadDates,
    ReadDossier,
    Replied,
    Search,
    Survey,
    Surveyed,
    Weigh,
    Weighed,
)
from vestigia.domain.entries import Answered, Asked, Begun, Body, Entry, Recorded
from vestigia.domain.errors import DivergedError, UsageError
from vestigia.domain.events import HumanAct, Paused
from vestigia.domain.ports import Ledger
from vestigia.inquiry.crossing import Crossing, Fact, LookRound, Pause, UnderWay

S = TypeVar("S")
CODE = "code"
FORK = "The run was made by other code, prompts or rules: fork it at this entry to go on."
KINDS: dict[type, type] = {
    AskModel: Replied,
    Attend: Attended,
    CheckQuotes: QuotesChecked,
    Describe: Described,
    Expand: Expanded,
    ReadDates: DatesRead,
    ReadDossier: DossierRead,
    Search: Found,
    Survey: Surveyed,
    Weigh: Weighed,
}
"""Which kind of answer belongs to which effect."""


class World(Protocol):
    """Carries out effects."""

    async def perform(self, effects: tuple[Effect, ...]) -> tuple[Answer, ...]:
        """Carry them out together; the answers stand in the order asked."""
        ...

    def actor(self, effects: tuple[Effect, ...]) -> str:
        """Name who answers them in the ledger."""
        ...


class EndOfRecordError(Exception):
    """The ledger ends before the run does."""


class WaitingError(Exception):
    """The run waits for a person at a checkpoint."""

    def __init__(self, checkpoint: str) -> None:
        super().__init__(checkpoint)
        self.checkpoint = checkpoint


@dataclass
class Journal:
    """A ledger being read, then written. Entries by people are set apart until the flow asks for them.

    Without a `ledger` nothing is written: a replay of `entries`. With one, its own entries are read, also those that
    people add while the run is at work. `watch` is told of every entry written, `stopwatch` reads seconds.
    """

    entries: Sequence[Entry]
    ledger: Ledger | None = None
    watch: Callable[[Entry], None] = field(default=lambda _entry: None)
    stopwatch: Callable[[], float] = monotonic
    at: int = 1
    acts: list[HumanAct] = field(default_factory=list)

    def recall(self) -> Entry | None:
        """Return the next entry of the machine, or none when the ledger is used up."""
        entries = self.ledger.entries() if self.ledger else self.entries
        while self.at < len(entries):
            entry = entries[self.at]
            self.at += 1
            event = entry.body.event if isinstance(entry.body, Recorded) else None
            person = entry.actor.startswith("person:")
            if person and isinstance(event, HumanAct):
                self.acts.append(event)
            elif not person and not isinstance(event, Paused):
                return entry
        return None

    def settle(self, body: Body, actor: str = CODE) -> None:
        """Compare with the record, or write: what the core says now must be what it said then."""
        entry = self.recall()
        if entry is None:
            self.write(body, actor)
        elif entry.body != body:
            raise DivergedError(
                f"the record has {_name(entry.body)}, this version decides {_name(body)} there"
                f"{_difference(entry.body, body)}.",
                where=f"entry {entry.number}",
                remedy=FORK,
            )

    def write(self, body: Body, actor: str, took: float | None = None) -> None:
        """Append an entry; a replay has nowhere to write and ends here."""
        if self.ledger is None:
            raise EndOfRecordError
        self.watch(self.ledger.append(body, actor, took))
        self.recall()  # our own entry, and before it what people decided meanwhile: a replay meets them in this order

    def heard(self) -> tuple[HumanAct, ...]:
        """Hand over the acts of people since the last time."""
        acts, self.acts = tuple(self.acts), []
        return acts


async def drive(flow: Coroutine[object, object, S], journal: Journal, world: World | None) -> S:
    """Run the core to its end and return what it returns.

    Raises DivergedError when the record and the core disagree, EndOfRecordError when a replay's record is unfinished,
    WaitingError at a checkpoint that a person has not passed, ModelUnavailableError when a model gave no answer.
    """
    sent: object = None
    try:
        while True:
            wish = flow.send(sent)
            match wish:
                case Fact(event):
                    journal.settle(Recorded(event))
                    sent = ()
                case LookRound():
                    sent = UnderWay()
                case Pause():
                    sent = _attend(wish, journal)
                case Crossing(effects):
                    sent = await _cross(effects, journal, world)
                case _:
                    raise TypeError(f"the core may await its own crossings only, not {wish!r}")
    except StopIteration as end:
        finished: S = end.value
        return finished
    finally:
        flow.close()


async def _cross(effects: tuple[Effect, ...], journal: Journal, world: World | None) -> tuple[Answer, ...]:
    journal.settle(Asked(effects))
    entry = journal.recall()
    if entry is not None:
        return _answers(entry, effects)
    if world is None:
        raise EndOfRecordError
    began = journal.stopwatch()
    answers = await world.perform(effects)
    journal.write(Answered(answers), world.actor(effects), round(journal.stopwatch() - began, 6))
    return answers


def _answers(entry: Entry, effects: tuple[Effect, ...]) -> tuple[Answer, ...]:
    """Take the answers an entry holds, if they are answers to these effects."""
    wanted = [KINDS[type(effect)] for effect in effects]
    if not isinstance(entry.body, Answered) or [type(answer) for answer in entry.body.answers] != wanted:
        raise DivergedError(
            f"the answers to what was asked before should stand here, not {_name(entry.body)}.",
            where=f"entry {entry.number}",
            remedy=FORK,
        )
    return entry.body.answers


def _attend(pause: Pause, journal: Journal) -> tuple[HumanAct, ...]:
    """Let a person be heard. A checkpoint that must be waited for is passed only by an answer in the ledger."""
    journal.settle(Asked((pause.effect,)))
    entry = journal.recall()
    if entry is None and pause.effect.wait:
        raise WaitingError(pause.effect.checkpoint)
    if entry is None:
        journal.write(Answered((Attended(),)), CODE)
    else:
        _answers(entry, (pause.effect,))
    return journal.heard()


def begun(entries: Sequence[Entry], run: str) -> Begun:
    """Return the first entry's statement of what made the run.

    Raises UsageError when nothing was recorded, as when a process ends before its first entry.
    """
    if not entries:
        raise UsageError("it ended before anything was recorded.", where=f"run {run}", remedy="Ask the question anew.")
    if not isinstance(entries[0].body, Begun):
        raise DivergedError(
            f"its first entry does not say what made it: {_name(entries[0].body)}.",
            where=f"run {run}, entry 0",
            remedy="It was not written by Vestigia, or entries before it were removed.",
        )
    return entries[0].body


def _name(body: Body) -> str:
    match body:
        case Recorded(event):
            return type(event).__name__
        case Asked() | Answered():
            return f"{type(body).__name__}({', '.join(type(part).__name__ for part in _parts(body))})"
        case Begun():
            return "Begun"


def _parts(body: Body) -> tuple[object, ...]:
    match body:
        case Recorded(event):
            return (event,)
        case Asked(effects):
            return tuple(effect.request if isinstance(effect, AskModel) else effect for effect in effects)
        case Answered(answers):
            return answers
        case Begun():
            return ()


def _difference(recorded: Body, now: Body) -> str:
    """Name the fields in which the first two parts of a kind differ; their content may be long."""
    for then, today in zip(_parts(recorded), _parts(now), strict=False):
        if type(then) is type(today) and then != today and is_dataclass(today):
            names = [f.name for f in fields(today) if getattr(then, f.name) != getattr(today, f.name)]
            return f", with another {' and '.join(names)}"
    return ""
