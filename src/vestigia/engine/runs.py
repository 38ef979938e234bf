"""The life of a run: begin, resume, replay, fork, decide. Each is a reading or a continuation of one ledger."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from time import monotonic
from typing import TypeVar

from vestigia.domain.commissions import Commission
from vestigia.domain.effects import Attend, Attended, Replied
from vestigia.domain.entries import Answered, Asked, Begun, Body, Entry, Manifest, Recorded
from vestigia.domain.errors import DivergedError, ModelUnavailableError, StoppedError, UsageError
from vestigia.domain.events import HumanAct, Opened, Paused, PlanEdited
from vestigia.domain.ids import RunId
from vestigia.domain.ports import Ledger
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules
from vestigia.engine.journal import CODE, EndOfRecordError, Journal, WaitingError, World, begun, drive
from vestigia.inquiry.curation import objection
from vestigia.inquiry.discover import discover
from vestigia.inquiry.fold import fold
from vestigia.inquiry.interpretation import against_remarking
from vestigia.inquiry.state import State

S = TypeVar("S")
PLANNING = ("plan", "briefs")
"""The checkpoints at which a person may change what is still to be asked."""
Watch = Callable[[Entry], None]


def begin(
    ledger: Ledger, manifest: Manifest, question: Question, rules: Rules, commission: Commission | None = None
) -> None:
    """Write what makes a run; `resume`, or `carry_out` for a commission, then does it. An empty question is refused."""
    if not question.text.strip():
        raise UsageError("the question is empty.", remedy='Ask something: `vestigia ask ARCHIVE "..."`.')
    ledger.append(Begun(manifest, question, rules, commission), CODE)


def discovering(first: Begun) -> Coroutine[object, object, State]:
    """The flow of a run that answers a question."""
    return discover(first.question, first.rules)


def carry_out(
    flow: Callable[[Begun], Coroutine[object, object, S]],
    ledger: Ledger,
    world: World,
    watch: Watch = lambda _entry: None,
    stopwatch: Callable[[], float] = monotonic,
) -> tuple[S, tuple[HumanAct, ...]]:
    """Carry a run on from wherever its ledger ends, to its end; returns what its flow does, and later acts of people.

    `stopwatch` reads seconds. Raises what `drive` raises; the ledger is then still whole, and resuming goes on from
    there. Where a model gave no answer, or `watch` raises StoppedError, the record says so: the run is paused.
    """
    journal = Journal((), ledger, watch, stopwatch)
    try:
        ended = asyncio.run(drive(flow(begun(ledger.entries(), ledger.run)), journal, world))
    except (ModelUnavailableError, StoppedError) as error:
        watch(ledger.append(Recorded(Paused(str(error))), CODE))
        raise
    return ended, _late_acts(journal)


def retrace(
    flow: Callable[[Begun], Coroutine[object, object, S]], entries: Sequence[Entry], run: RunId
) -> tuple[S, tuple[HumanAct, ...]] | None:
    """Decide everything again from the record alone, without model, index or archive; none where it is unfinished.

    Raises DivergedError where the core decides otherwise now.
    """
    journal = Journal(entries)
    try:
        ended = asyncio.run(drive(flow(begun(entries, run)), journal, None))
    except (EndOfRecordError, WaitingError):
        return None
    return ended, _late_acts(journal)


def resume(
    ledger: Ledger, world: World, watch: Watch = lambda _entry: None, stopwatch: Callable[[], float] = monotonic
) -> State:
    """Carry a run that answers a question on to its end (`carry_out`)."""
    state, acts = carry_out(discovering, ledger, world, watch, stopwatch)
    return fold(acts, state)


def replay(entries: Sequence[Entry], run: RunId) -> tuple[State, bool]:
    """Decide a run that answers a question again (`retrace`); returns the state and whether the run is finished."""
    found = retrace(discovering, entries, run)
    if found is None:
        return view_of(entries), False
    state, acts = found
    return fold(acts, state), True


def view_of(entries: Sequence[Entry]) -> State:
    """Fold the facts of a ledger, people's acts at their places: what all views show."""
    return fold(entry.body.event for entry in entries if isinstance(entry.body, Recorded))


def decide(ledger: Ledger, act: HumanAct) -> Entry:
    """Record what a person decides. It outranks the machine at once in every view, and in the run at its next stop.

    Raises UsageError for an act without an author, for a plan when the run does not wait where plans are changed, and
    for an act that a set being curated does not allow.
    """
    if not act.author.strip():
        raise UsageError(
            "every decision has an author.", where=f"run {ledger.run}", remedy="Say who decides: `--as NAME`."
        )
    if isinstance(act, PlanEdited) and waiting_at(ledger.entries()) not in PLANNING:
        raise UsageError(
            "a plan can be replaced only while the run waits for it.",
            where=f"run {ledger.run}",
            remedy="Ask anew and pause at `plan` or `briefs`, or fork this run there.",
        )
    if why := objection(ledger.entries(), act) or against_remarking(ledger.entries(), act):
        raise UsageError(f"{why}.", where=f"run {ledger.run}", remedy="Nothing of it was recorded.")
    return ledger.append(Recorded(act), f"person:{act.author}")


def release(ledger: Ledger, author: str) -> None:
    """Let a run that waits at a checkpoint go on. Raises UsageError when it does not wait."""
    if waiting_at(ledger.entries()) is None:
        raise UsageError("the run does not wait for anybody.", where=f"run {ledger.run}")
    ledger.append(Answered((Attended(author),)), CODE)


def waiting_at(entries: Sequence[Entry]) -> str | None:
    """Name the checkpoint a run waits at, or none."""
    machine = [entry for entry in entries if not entry.actor.startswith("person:")]
    match machine[-1].body if machine else None:
        case Asked((Attend(checkpoint, wait=True),)):
            return checkpoint
        case _:
            return None


def fork(parent: Ledger, at: int, ledger: Ledger, rules: Rules | None = None, manifest: Manifest | None = None) -> None:
    """Begin a new run as a copy of `parent` up to entry `at` (not included), under other rules if given.

    The new run names its parent; `manifest` is what it goes on with, where that is not the parent's. Resuming it
    diverges where other rules would have decided otherwise before `at` (`divergence` says so without beginning it).
    Raises UsageError when `at` is outside the parent's entries.
    """
    first, *bodies = _forked(parent.entries(), at, parent.run, rules)
    made = replace(manifest or first.manifest, parent=parent.run, forked_at=at)
    ledger.append(replace(first, manifest=made), CODE)
    for entry, body in zip(parent.entries()[1:at], bodies, strict=True):
        _keep_texts(parent, ledger, entry.body)
        ledger.append(body, entry.actor, entry.took)


def divergence(entries: Sequence[Entry], at: int, run: RunId, rules: Rules) -> DivergedError | None:
    """Say where a fork at entry `at` under these rules would have decided otherwise before it, or none."""
    bodies = _forked(entries, at, run, rules)
    try:
        retrace(discovering, [replace(entry, body=body) for entry, body in zip(entries, bodies, strict=False)], run)
    except DivergedError as diverged:
        return diverged
    return None


def _forked(entries: Sequence[Entry], at: int, run: RunId, rules: Rules | None) -> tuple[Begun, *tuple[Body, ...]]:
    """The bodies before entry `at`, as they are under other rules if given."""
    first = begun(entries, run)
    if not 1 <= at <= len(entries):
        raise UsageError(f"there is no entry {at} to fork at.", remedy=f"Choose one from 1 to {len(entries)}.")
    rules = rules or first.rules
    opened = (entry.body for entry in entries[1:at])
    return (
        replace(first, rules=rules),
        *(
            Recorded(replace(body.event, rules=rules))
            if isinstance(body, Recorded) and isinstance(body.event, Opened)
            else body
            for body in opened
        ),
    )


def _keep_texts(parent: Ledger, ledger: Ledger, body: Body) -> None:
    """Keep what models were sent beside the new record too: it must be verifiable on its own."""
    for answer in body.answers if isinstance(body, Answered) else ():
        if isinstance(answer, Replied) and answer.prompt:
            ledger.keep(parent.kept(answer.prompt))


def _late_acts(journal: Journal) -> tuple[HumanAct, ...]:
    """Acts of people after the run ended; anything else after the end is a divergence."""
    extra = journal.recall()
    if extra is not None:
        raise DivergedError("the record goes on after the run ended.", where=f"entry {extra.number}")
    return journal.heard()
