"""The driver: answers from the record while it lasts, then from the world, and everything is written down."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from fakes.runs import MANIFEST, QUESTION, a_ledger
from vestigia.domain.effects import (
    Answer,
    Attend,
    Attended,
    DatesRead,
    Effect,
    Found,
    ReadDates,
    Scope,
    Search,
    Surveyed,
    Weigh,
    Weighed,
)
from vestigia.domain.entries import Answered, Asked, Begun, Body, Entry, Recorded
from vestigia.domain.errors import DivergedError, UsageError
from vestigia.domain.events import BudgetReached, Closed, Overruled, Planned, Wasted
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import DocumentId
from vestigia.domain.rules import Rules
from vestigia.engine.journal import KINDS, EndOfRecordError, Journal, WaitingError, begun, drive
from vestigia.inquiry.crossing import Crossing, Pause, ask_all, ask_one, record
from vestigia.inquiry.state import State

BEGUN = Begun(MANIFEST, QUESTION, Rules())
SEARCHES = (Search("words", "eins", Scope(), 5), Search("words", "zwei", Scope(), 5))
ADA = Overruled(DocumentId("L1"), Decision.REJECT, "a forgery", "Ada")


class Echo:
    """A world whose answers name what was asked; `asked` counts."""

    def __init__(self) -> None:
        self.asked: list[tuple[Effect, ...]] = []

    async def perform(self, effects: tuple[Effect, ...]) -> tuple[Answer, ...]:
        self.asked.append(effects)
        return tuple(Found(missing=e.text) if isinstance(e, Search) else DatesRead() for e in effects)

    def actor(self, effects: tuple[Effect, ...]) -> str:
        return f"model:echo of {len(effects)}"


def run(flow: Any, journal: Journal, world: Any = None) -> State:
    return asyncio.run(drive(flow, journal, world))


def a_journal(*bodies: Body, person: str = "Ada", **options: Any) -> Journal:
    """A journal over a writable ledger that holds these after its first entry; people's acts are by a person."""
    ledger = a_ledger()
    for body in (BEGUN, *bodies):
        by_person = isinstance(body, Recorded) and isinstance(body.event, Overruled)
        ledger.append(body, f"person:{person}" if by_person else "code")
    return Journal((), ledger, **options)


def bodies(journal: Journal) -> list[Body]:
    assert journal.ledger is not None
    return [entry.body for entry in journal.ledger.entries()[1:]]


async def searching() -> State:
    answers = await ask_all(SEARCHES, Found)
    return await record(State(), BudgetReached(" ".join(answer.missing for answer in answers)))


def test_facts_and_effects_are_written_in_order_with_who_answered_and_how_long_it_took() -> None:
    seconds = iter((10.0, 12.5))
    journal, world = a_journal(stopwatch=lambda: next(seconds)), Echo()
    assert run(searching(), journal, world).limit == "eins zwei"
    assert bodies(journal) == [
        Asked(SEARCHES),
        Answered((Found(missing="eins"), Found(missing="zwei"))),
        Recorded(BudgetReached("eins zwei")),
    ]
    entries = journal.ledger.entries()[1:] if journal.ledger else ()
    assert [entry.actor for entry in entries] == ["code", "model:echo of 2", "code"]
    assert [entry.took for entry in entries] == [None, 2.5, None]


def test_what_is_recorded_is_not_asked_again() -> None:
    journal, world = a_journal(), Echo()
    run(searching(), journal, world)
    again = Journal((), journal.ledger)
    assert run(searching(), again, Echo()).limit == "eins zwei"
    assert len(world.asked) == 1
    assert len(bodies(journal)) == 3


def test_whoever_watches_is_told_of_what_is_written_not_of_what_is_read() -> None:
    seen: list[Entry] = []
    journal = a_journal(Asked(SEARCHES), watch=seen.append)
    run(searching(), journal, Echo())
    assert [entry.number for entry in seen] == [2, 3]


def test_a_replay_asks_nobody_and_ends_where_its_record_does() -> None:
    journal = a_journal(Asked(SEARCHES))
    assert journal.ledger is not None
    entries = journal.ledger.entries()
    for length in (1, 2):
        with pytest.raises(EndOfRecordError):
            run(searching(), Journal(entries[:length]))


def test_a_world_is_needed_to_go_on() -> None:
    journal = a_journal()
    with pytest.raises(EndOfRecordError):
        run(searching(), journal, None)


async def _sleeps() -> State:
    await asyncio.sleep(0)
    return State()


async def _sleeps_long() -> State:
    await asyncio.sleep(60)
    return State()


async def _awaits_another() -> State:
    class Other:
        def __await__(self) -> Any:
            yield "a wish"

    await Other()
    return State()


@pytest.mark.parametrize(("flow", "wish"), [(_sleeps, "None"), (_sleeps_long, "Future"), (_awaits_another, "'a wish'")])
def test_the_core_may_await_nothing_but_its_own_crossings(flow: Callable[[], Awaitable[State]], wish: str) -> None:
    with pytest.raises(TypeError, match=rf"may await its own crossings only, not .*{wish}"):
        run(flow(), a_journal(), Echo())


def test_a_flow_is_closed_whatever_happens() -> None:
    left: list[str] = []

    async def flow() -> State:
        try:
            await ask_all(SEARCHES, Found)
        finally:
            left.append("closed")
        return State()

    with pytest.raises(EndOfRecordError):
        run(flow(), a_journal(), None)
    assert left == ["closed"]


def test_asking_nothing_crosses_nothing() -> None:
    async def flow() -> State:
        assert await ask_all((), Found) == ()
        return State()

    journal = a_journal()
    run(flow(), journal, Echo())
    assert bodies(journal) == []


NOW = "this version decides Asked(Search, Search) there"
DIVERGED = [
    (Recorded(Closed()), f"the record has Closed, {NOW}. "),
    (Asked(SEARCHES[:1]), f"the record has Asked(Search), {NOW}. "),
    (
        Asked((SEARCHES[0], replace(SEARCHES[1], text="drei", limit=6))),
        f"the record has Asked(Search, Search), {NOW}, with another text and limit. ",
    ),
    (Answered((Found(),)), f"the record has Answered(Found), {NOW}. "),
    (BEGUN, f"the record has Begun, {NOW}. "),
]


@pytest.mark.parametrize(("recorded", "message"), DIVERGED)
def test_a_record_that_says_otherwise_is_reported_with_its_entry_and_what_to_do(recorded: Body, message: str) -> None:
    with pytest.raises(DivergedError) as caught:
        run(searching(), a_journal(recorded), Echo())
    assert str(caught.value).startswith(f"entry 1: {message}")
    assert caught.value.remedy.endswith("fork it at this entry to go on.")


@pytest.mark.parametrize(
    "answer",
    [
        Recorded(Closed()),
        Answered((Found(),)),
        Answered((Found(), Found(), Found())),
        Answered((Found(), DatesRead())),
        Answered((Attended(),)),
    ],
)
def test_what_stands_for_an_answer_must_be_one_to_what_was_asked(answer: Body) -> None:
    with pytest.raises(DivergedError, match=r"^entry 2: the answers to what was asked before should stand here, not "):
        run(searching(), a_journal(Asked(SEARCHES), answer), Echo())


def test_every_effect_has_a_kind_of_answer_and_no_two_the_same() -> None:
    assert set(KINDS) == set(Effect.__args__)
    assert sorted(kind.__name__ for kind in KINDS.values()) == sorted(kind.__name__ for kind in Answer.__args__)


def test_an_answer_the_core_did_not_want_is_refused_by_the_core() -> None:
    async def flow() -> State:
        await ask_one(ReadDates("1887"), Surveyed)
        return State()

    with pytest.raises(TypeError, match="ReadDates was answered with DatesRead, not Surveyed"):
        run(flow(), a_journal(), Echo())


# People


async def attending(wait: bool = False) -> State:
    state = await record(State(), Planned(()))
    heard = await Pause(Attend("plan", wait))
    return await record(state, BudgetReached(f"heard {[act.author for act in heard]}"))


def test_a_checkpoint_nobody_waits_at_is_passed_at_once() -> None:
    journal = a_journal()
    assert run(attending(), journal).limit == "heard []"
    assert bodies(journal)[1:3] == [Asked((Attend("plan"),)), Answered((Attended(),))]


def test_a_checkpoint_that_must_be_waited_for_lets_nothing_through_but_an_answer_in_the_record() -> None:
    journal = a_journal()
    for _ in range(2):
        with pytest.raises(WaitingError) as caught:
            run(attending(wait=True), Journal((), journal.ledger))
        assert caught.value.checkpoint == "plan"
    assert len(bodies(journal)) == 2
    assert journal.ledger is not None
    journal.ledger.append(Answered((Attended("Ada"),)), "code")
    assert run(attending(wait=True), Journal((), journal.ledger)).limit == "heard []"


def test_people_are_heard_at_the_next_checkpoint_once_in_their_order() -> None:
    grace = replace(ADA, author="Grace")
    journal = a_journal(Recorded(Planned(())), Recorded(ADA), Asked((Attend("plan"),)), Recorded(grace))
    assert run(attending(), journal).limit == "heard ['Ada', 'Grace']"
    assert journal.heard() == ()


def test_an_act_recorded_while_the_run_is_at_work_is_heard_at_its_next_checkpoint_and_replays_alike() -> None:
    """The same process may serve people while the run goes on: one ledger, written by both."""
    journal = a_journal()

    def meddle(entry: Entry) -> None:
        assert journal.ledger is not None
        if entry.number == 1:
            journal.ledger.append(Recorded(ADA), "person:Ada")

    journal.watch = meddle
    assert run(attending(), journal).limit == "heard ['Ada']"
    assert journal.ledger is not None
    assert run(attending(), Journal(journal.ledger.entries())).limit == "heard ['Ada']"


@pytest.mark.parametrize("at", range(1, 6))
def test_an_act_recorded_at_any_moment_replays_as_it_was_heard(at: int) -> None:
    async def twice() -> State:
        await attending()
        return await attending()

    journal = a_journal()

    def meddle(entry: Entry) -> None:
        assert journal.ledger is not None
        if entry.number == at:
            journal.ledger.append(Recorded(ADA), "person:Ada")

    journal.watch = meddle
    live = run(twice(), journal)
    assert journal.ledger is not None
    assert run(twice(), Journal(journal.ledger.entries())) == live


def test_what_people_say_is_no_part_of_what_the_core_decides() -> None:
    journal = a_journal(Recorded(ADA), Asked(SEARCHES), Recorded(ADA))
    assert run(searching(), journal, Echo()).limit == "eins zwei"
    assert journal.heard() == (ADA, ADA)


# The first entry


def test_a_record_begins_with_what_made_it() -> None:
    journal = a_journal()
    assert journal.ledger is not None
    assert begun(journal.ledger.entries(), "r") == BEGUN


def test_a_record_with_nothing_in_it_is_said_to_be_empty() -> None:
    with pytest.raises(UsageError, match=r"^run r: it ended before anything was recorded\. Ask the question anew\."):
        begun((), "r")


def test_a_record_that_begins_in_the_middle_is_refused() -> None:
    ledger = a_ledger()
    ledger.append(Recorded(Wasted("q1", "repeated", "")), "code")  # type: ignore[arg-type]
    with pytest.raises(DivergedError, match=r"^run r, entry 0: its first entry does not say what made it: Wasted\."):
        begun(ledger.entries(), "r")


def test_effects_of_several_kinds_cross_together() -> None:
    async def flow() -> State:
        found, dates, weighed = await Crossing((SEARCHES[0], ReadDates("x"), Weigh("x")))
        assert isinstance(found, Found)
        assert isinstance(dates, DatesRead)
        assert isinstance(weighed, Weighed)
        return State()

    journal = a_journal(Asked((SEARCHES[0], ReadDates("x"), Weigh("x"))), Answered((Found(), DatesRead(), Weighed())))
    run(flow(), journal)
    assert len(bodies(journal)) == 2
