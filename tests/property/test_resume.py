"""A run may be cut anywhere: what it becomes depends on its record alone."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from fakes.runs import RUN, Faltering, Finished, a_ledger, a_world, both, carry_on, finished, lines, started
from vestigia.domain.effects import Found
from vestigia.domain.entries import Answered, Begun, Entry, Recorded
from vestigia.domain.errors import DivergedError, ModelUnavailableError
from vestigia.domain.events import Opened, Paused
from vestigia.domain.ports import Model
from vestigia.domain.rules import Budget, Rules, Switches
from vestigia.engine import runs

MODELS = pytest.mark.parametrize("model", both(), ids=["scripted", "extractive"])
TESTS = Path(__file__).parents[1]


@cache
def whole(name: str) -> Finished:
    """The uninterrupted run of a model, made once."""
    return finished(next(model for model in both() if model.name == name))


def test_scripted_run_uses_every_kind_of_entry_the_core_makes_in_good_weather() -> None:
    run = whole("scripted")
    events = {type(entry.body.event).__name__ for entry in run.entries if isinstance(entry.body, Recorded)}
    assert {
        "Opened",
        "ArchiveSurveyed",
        "QuestionRead",
        "Consulted",
        "Planned",
        "SubQuestionOpened",
        "Searched",
        "HeldUnseen",
        "Acted",
        "Wasted",
        "Judged",
        "Reevaluated",
        "Briefed",
        "Replanned",
        "Consolidated",
        "Closed",
    } == events
    assert run.state.ranking
    assert run.state.closed


@MODELS
def test_a_run_cut_after_any_entry_ends_as_the_uninterrupted_one(model: Model) -> None:
    run = whole(model.name)
    for length in range(1, len(run.entries) + 1):
        again = carry_on(a_ledger(run.entries[:length]), model)
        assert lines(again.entries) == run.lines, f"cut after entry {length - 1}"
        assert again.state == run.state, f"cut after entry {length - 1}"


@MODELS
def test_a_run_is_the_same_every_time_whatever_its_answers_took(model: Model) -> None:
    run, ledger = whole(model.name), started()
    seconds = iter(range(10_000))
    runs.resume(ledger, a_world(ledger, model), stopwatch=lambda: next(seconds) ** 2 / 8)
    slow = ledger.entries()
    assert len({entry.took for entry in slow}) > 5
    assert [(entry.body, entry.actor, entry.time) for entry in slow] == [
        (entry.body, entry.actor, entry.time) for entry in run.entries
    ]


@MODELS
def test_replay_needs_no_world_and_gives_the_same_state(model: Model) -> None:
    run = whole(model.name)
    assert runs.replay(run.entries, RUN) == (run.state, True)
    assert runs.view_of(run.entries) == run.state


@MODELS
def test_replay_of_a_part_shows_the_part_and_says_it_is_not_finished(model: Model) -> None:
    run = whole(model.name)
    for length in range(1, len(run.entries)):
        part = run.entries[:length]
        assert runs.replay(part, RUN) == (runs.view_of(part), False)


@MODELS
def test_a_world_that_fails_at_any_call_leaves_a_run_that_can_be_resumed(model: Model) -> None:
    run = whole(model.name)
    calls = sum(isinstance(entry.body, Answered) and entry.took is not None for entry in run.entries)
    for call in range(1, calls + 1):
        ledger = started()
        with pytest.raises(ModelUnavailableError):
            runs.resume(ledger, Faltering(a_world(ledger, model), call), stopwatch=lambda: 0.0)
        assert 1 < len(ledger.entries()) <= len(run.entries)
        assert ledger.entries()[-1].body == Recorded(Paused("no answer Resume later."))
        again = carry_on(ledger, model)
        assert made(again.entries) == made(run.entries)
        assert again.state == run.state
        assert runs.replay(again.entries, RUN) == (run.state, True)


def made(entries: tuple[Entry, ...]) -> list[tuple[object, str]]:
    """What a run decided and was answered, without where it stood still."""
    bodies = [(entry.body, entry.actor) for entry in entries]
    return [(b, a) for b, a in bodies if not (isinstance(b, Recorded) and isinstance(b.event, Paused))]


def under(entries: tuple[Entry, ...], rules: Rules, *, begun: bool) -> list[Entry]:
    """A record that says it was made by other rules, in `Opened` alone or in the first entry too."""
    changed = []
    for entry in entries:
        match entry.body:
            case Begun() as body if begun:
                changed.append(replace(entry, body=replace(body, rules=rules)))
            case Recorded(Opened() as event):
                changed.append(replace(entry, body=Recorded(replace(event, rules=rules))))
            case _:
                changed.append(entry)
    return changed


@MODELS
def test_rules_changed_in_one_of_their_two_places_are_reported(model: Model) -> None:
    record = under(whole(model.name).entries, Rules(rrf_k=61), begun=False)
    with pytest.raises(DivergedError, match=r"^entry 1: the record has Opened, .*, with another rules\. .*fork"):
        runs.replay(record, RUN)


EFFECTIVE = [
    (Rules(rrf_k=61), "Searched there, with another candidates"),
    (Rules(candidates=2), "Asked(Describe) there, with another documents"),
    (Rules(decay=0.2), "Asked(Search, Search, Search, Search) there, with another decay"),
    (Rules(channel_hits=49), "Asked(Search, Search, Search, Search) there, with another limit"),
    (Rules(review_size=3), "Asked(ReviewRequest) there, with another passages"),
    (Rules(reason_length=50), "Asked(ReviewRequest) there, with another reason_length"),
    (Rules(max_sub_questions=3), "Asked(PlanRequest) there, with another max_sub_questions"),
    (Rules(steps=12), "Asked(StepRequest) there, with another steps_left"),
    (Rules(repeats_to_stop=1), "the record has Asked(StepRequest), this version decides"),
    (Rules(budget=Budget(calls=3)), "BudgetReached there"),
    (Rules(pause=("holds",)), "Asked(Attend) there, with another wait"),
    (Rules(switches=Switches(orientation=False)), "the record has Asked(Search, Search, Search, Search)"),
]


@pytest.mark.parametrize(("rules", "decided"), EFFECTIVE, ids=lambda value: None if isinstance(value, Rules) else value)
def test_a_changed_constant_is_found_where_it_first_matters(rules: Rules, decided: str) -> None:
    record = under(whole("scripted").entries, rules, begun=True)
    with pytest.raises(DivergedError, match=r"^entry \d+: the record has ") as caught:
        runs.replay(record, RUN)
    assert decided in str(caught.value)


def test_a_changed_constant_that_never_mattered_changes_nothing() -> None:
    run = whole("scripted")
    state, closed = runs.replay(under(run.entries, Rules(patience=59, empty_to_warn=4), begun=True), RUN)
    assert closed
    assert state.ranking == run.state.ranking


def swapped(entry: Entry) -> Entry | None:
    """The entry with the first two hits of its first long list exchanged, or none where there is no such list."""
    answers = list(entry.body.answers) if isinstance(entry.body, Answered) else []
    for place, answer in enumerate(answers):
        if isinstance(answer, Found) and len(answer.hits) > 1:
            one, two, *rest = answer.hits
            one, two = (replace(two, rank=one.rank, score=one.score), replace(one, rank=two.rank, score=two.score))
            answers[place] = replace(answer, hits=(one, two, *rest))
            return replace(entry, body=Answered(tuple(answers)))
    return None


@MODELS
def test_two_hits_exchanged_in_any_answer_are_found_at_once_or_did_not_matter(model: Model) -> None:
    """Replay names the fact that no longer follows; nothing follows only where both documents were known before."""
    run = whole(model.name)
    found = 0
    for entry in run.entries:
        other = swapped(entry)
        if other is None:
            continue
        record = [*run.entries[: entry.number], other, *run.entries[entry.number + 1 :]]
        try:
            state, _ = runs.replay(record, RUN)
        except DivergedError as diverged:
            number = int(diverged.where.removeprefix("entry "))
            assert entry.number < number <= entry.number + 3
            found += 1
        else:
            assert state == run.state
    assert found >= 2


ASKS = """
import sys
sys.path.insert(0, {tests!r})
from fakes.runs import both, finished
for model in both():
    sys.stdout.buffer.write(finished(model).lines)
"""


def test_two_hash_seeds_write_the_same_bytes() -> None:
    here = b"".join(whole(model.name).lines for model in both())
    assert written(ASKS, 1) == written(ASKS, 2) == here


DEMO = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from fakes.runs import a_ledger, lines
from vestigia.app import asking
from vestigia.app.demonstration import build, shipped_question
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules
from vestigia.engine import runs
from vestigia.engine.world import LiveWorld
workspace = build(Path({archive!r}))
for name in ("D1", "D4"):
    with asking.opened(workspace) as archive:
        ledger = a_ledger()
        runs.begin(ledger, asking.manifest_of(workspace, archive), Question(shipped_question(name)), Rules())
        runs.resume(ledger, LiveWorld(archive, ledger), stopwatch=lambda: 0.0)
        sys.stdout.buffer.write(lines(ledger.entries()))
"""


@pytest.mark.slow
def test_two_hash_seeds_build_and_ask_the_demo_archive_alike(tmp_path: Path) -> None:
    """The whole program: readers, dates, catalogue, index, encoder, core, ledger."""
    made = []
    for seed in (1, 2):
        made.append(written(DEMO, seed, archive=str(tmp_path / "archive")))  # the same place: sources name their files
        shutil.rmtree(tmp_path / "archive")
    one, two = made
    assert one.count(b"\n") > 200
    assert one == two


def written(script: str, seed: int, **names: str) -> bytes:
    """What a script writes in a process of its own with this hash seed."""
    code = script.format(tests=str(TESTS), **names)
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout
