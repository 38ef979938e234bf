"""Side by side or one after another: every run is whole, resumable anywhere, the same under any hash seed."""

from dataclasses import replace
from functools import cache

import pytest

from fakes.runs import (
    CONCISE,
    RUN,
    WAVES,
    Faltering,
    Finished,
    a_ledger,
    a_world,
    carry_on,
    finished,
    lines,
    spread,
    started,
)
from property.test_resume import made, written
from vestigia.domain.effects import AskModel, Search
from vestigia.domain.entries import Answered, Asked, Entry, Recorded
from vestigia.domain.errors import ModelUnavailableError
from vestigia.domain.events import Briefed, BudgetReached, Consulted, Judged, SubQuestionOpened
from vestigia.domain.ports import Model
from vestigia.domain.rules import Budget, Rules
from vestigia.engine import runs
from vestigia.models.extractive.model import ExtractiveModel

MODELS = pytest.mark.parametrize("name", ["scripted", "extractive"])


def model(name: str) -> Model:
    return spread() if name == "scripted" else ExtractiveModel()


@cache
def whole(name: str, rules: Rules = WAVES) -> Finished:
    """The uninterrupted run of a model, made once."""
    return finished(model(name), rules)


def events(run: Finished, *kinds: type) -> list[object]:
    facts = [entry.body.event for entry in run.entries if isinstance(entry.body, Recorded)]
    return [fact for fact in facts if isinstance(fact, kinds)]


def crossings(run: Finished, kind: type) -> list[int]:
    """How many effects of a kind each crossing carries."""
    asked = [entry.body.effects for entry in run.entries if isinstance(entry.body, Asked)]
    return [len(effects) for effects in asked if isinstance(effects[0], kind)]


@pytest.mark.parametrize("rules", [WAVES, CONCISE], ids=["waves", "concise"])
@MODELS
def test_a_run_cut_after_any_entry_ends_as_the_uninterrupted_one(name: str, rules: Rules) -> None:
    run = whole(name, rules)
    for length in range(1, len(run.entries) + 1):
        again = carry_on(a_ledger(run.entries[:length]), model(name))
        assert lines(again.entries) == run.lines, f"cut after entry {length - 1}"
        assert again.state == run.state, f"cut after entry {length - 1}"


def test_told_in_few_words_a_run_takes_fewer_calls_and_finds_the_same() -> None:
    long, short = (whole("scripted", rules) for rules in (replace(CONCISE, concise=False), CONCISE))
    assert len(events(short, Consulted)) < 2 / 3 * len(events(long, Consulted))
    assert {row.document for row in short.state.ranking} == {row.document for row in long.state.ranking}
    assert short.state.unreadable == 0


@MODELS
def test_a_world_that_fails_at_any_call_leaves_a_run_that_can_be_resumed(name: str) -> None:
    run = whole(name)
    calls = sum(isinstance(entry.body, Answered) and entry.took is not None for entry in run.entries)
    for call in range(1, calls + 1):
        ledger = started(WAVES)
        with pytest.raises(ModelUnavailableError):
            runs.resume(ledger, Faltering(a_world(ledger, model(name)), call), stopwatch=lambda: 0.0)
        again = carry_on(ledger, model(name))
        assert made(again.entries) == made(run.entries)
        assert again.state == run.state


@MODELS
def test_replay_needs_no_world_and_every_part_can_be_shown(name: str) -> None:
    run = whole(name)
    assert runs.replay(run.entries, RUN) == (run.state, True)
    assert runs.view_of(run.entries) == run.state
    for length in range(1, len(run.entries)):
        part = run.entries[:length]
        assert runs.replay(part, RUN) == (runs.view_of(part), False)


def test_sub_questions_of_a_wave_are_opened_together_and_the_one_that_waits_after_the_brief_it_waits_for() -> None:
    told = [
        (type(e).__name__, e.sub_question if isinstance(e, SubQuestionOpened) else e.brief.sub_question)
        for e in events(whole("scripted"), SubQuestionOpened, Briefed)
    ]
    assert told == [
        *(("SubQuestionOpened", name) for name in ("q1", "q3", "q4")),
        *((kind, name) for kind, name in told[3:6]),
        ("SubQuestionOpened", "q2"),
        ("Briefed", "q2"),
    ]
    assert sorted(told[3:6]) == [("Briefed", "q1"), ("Briefed", "q3"), ("Briefed", "q4")]


def test_the_brief_it_waits_for_lies_on_the_desk_of_the_one_that_waits() -> None:
    asked = [e.body.effects for e in whole("scripted").entries if isinstance(e.body, Asked)]
    desks = [
        e.request.desk for effects in asked for e in effects if isinstance(e, AskModel) and hasattr(e.request, "desk")
    ]
    first = next(desk for desk in desks if desk.sub_question.id == "q1")
    later = [desk.briefs for desk in desks if desk.sub_question.id == "q2"]
    assert later
    assert all({brief.sub_question for brief in briefs} == {"q1", "q3", "q4"} for briefs in later)
    assert not first.briefs


@pytest.mark.parametrize(("name", "share"), [("scripted", 0.6), ("extractive", 0.7)])
def test_calls_go_out_together_and_as_many_are_made(name: str, share: float) -> None:
    waves, alone = whole(name), whole(name, replace(WAVES, parallel=1))
    assert set(crossings(alone, AskModel)) == {1}
    assert len(crossings(waves, AskModel)) <= len(crossings(alone, AskModel)) * share
    assert sum(crossings(waves, AskModel)) == sum(crossings(alone, AskModel))
    assert {row.document for row in waves.state.ranking} == {row.document for row in alone.state.ranking}


def test_without_a_language_model_the_ranking_is_that_of_one_after_another() -> None:
    assert whole("extractive").state.ranking == whole("extractive", replace(WAVES, parallel=1)).state.ranking != ()


def test_searches_of_a_wave_go_out_together() -> None:
    waves, alone = whole("scripted"), whole("scripted", replace(WAVES, parallel=1))
    assert max(crossings(waves, Search)) > max(crossings(alone, Search))
    assert len(crossings(waves, Search)) < len(crossings(alone, Search))


def test_one_at_a_time_is_what_was_before_there_were_waves_but_for_the_rule_itself() -> None:
    def bodies(run: Finished) -> list[object]:
        return [entry.body for entry in run.entries[2:]]  # after Begun and Opened, which hold the rules

    first, one = (whole("scripted", rules) for rules in (Rules(), Rules(parallel=1)))
    assert bodies(one) == bodies(first)


@pytest.mark.parametrize("calls", range(1, 30))
def test_no_run_makes_more_calls_than_its_budget_however_many_go_out_together(calls: int) -> None:
    run = whole("scripted", replace(WAVES, budget=Budget(calls=calls)))
    made = len(events(run, Consulted))
    assert made <= calls
    assert run.state.closed
    if made == calls:
        assert len(events(run, BudgetReached)) == 1
        assert run.state.limit == f"{calls} model calls"


@pytest.mark.parametrize("patience", range(1, 8))
def test_no_sub_question_makes_more_calls_than_its_patience(patience: int) -> None:
    run = whole("scripted", replace(WAVES, patience=patience))
    made = [e.sub_question for e in events(run, Consulted)]
    assert max(made.count(name) for name in ("q1", "q2", "q3", "q4")) <= patience


def test_a_document_taken_by_two_at_once_counts_twice_and_by_two_batches_of_one_once() -> None:
    run = whole("scripted")
    taken: dict[str, set[str]] = {}
    for judged in events(run, Judged):
        for verdict in judged.verdicts:
            if verdict.decision == "accept":
                taken.setdefault(verdict.document, set()).add(judged.sub_question)
    assert any(len(names) > 1 for names in taken.values())
    for row in run.state.ranking:
        promoted = {a.sub_question for a in run.state.accepted[row.document]}
        assert taken.get(row.document, set()) <= promoted
        assert row.confirmations == len(run.state.accepted[row.document]) == len(promoted)


def without_times(entries: tuple[Entry, ...]) -> list[object]:
    return [(entry.body, entry.actor) for entry in entries]


def test_answers_are_recorded_in_asked_order_whatever_order_they_came_in() -> None:
    """The world gathers; here the last asked answers first."""
    ledger = started(WAVES)
    world = a_world(ledger, spread())

    class Backwards:
        async def perform(self, effects: tuple) -> tuple:
            answers = [(await world.perform((effect,)))[0] for effect in reversed(effects)]
            return tuple(reversed(answers))

        def actor(self, effects: tuple) -> str:
            return world.actor(effects)

    runs.resume(ledger, Backwards(), stopwatch=lambda: 0.0)
    assert without_times(ledger.entries()) == without_times(whole("scripted").entries)


ASKS = """
import sys
sys.path.insert(0, {tests!r})
from fakes.runs import WAVES, finished, spread
from vestigia.models.extractive.model import ExtractiveModel
for model in (spread(), ExtractiveModel()):
    sys.stdout.buffer.write(finished(model, WAVES).lines)
"""


def test_two_hash_seeds_write_the_same_bytes() -> None:
    here = b"".join(whole(name).lines for name in ("scripted", "extractive"))
    assert written(ASKS, 1) == written(ASKS, 2) == here
