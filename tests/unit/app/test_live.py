"""Runs in hand: begun at once, carried out beside the one who asked, stopped, taken up again; nothing twice."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event

import pytest

from fakes.servers import KEY, Call, Server, diligent, serving
from vestigia.app import asking, curating, surveying, works
from vestigia.app.asking import ask, later
from vestigia.app.limits import limited
from vestigia.app.live import NOTE, Live, Standing
from vestigia.app.surveying import Plan
from vestigia.app.workspace import Workspace, open_workspace
from vestigia.domain.errors import ArchiveError, ModelUnavailableError, UsageError
from vestigia.domain.ids import RunId
from vestigia.domain.question import Question
from vestigia.engine import runs
from vestigia.ledger.log import FileLedger

QUESTION = Question("Was geschah mit der Brücke?")


class Gate:
    """A model server that answers a call only when it is let through."""

    def __init__(self) -> None:
        self.asked, self.open, self.calls = Event(), Event(), 0

    def __call__(self, call: Call):
        self.calls += 1
        self.asked.set()
        assert self.open.wait(20)
        return diligent(call)


@contextmanager
def gated(workspace: Workspace, monkeypatch: pytest.MonkeyPatch, behaviour: Callable | None = None) -> Iterator:
    """The archive with a model that waits, and its gate; the gate opens at the end, so that no thread hangs."""
    monkeypatch.setenv("FAKE_KEY", KEY)
    gate = Gate()
    with serving(behaviour or gate) as server:
        try:
            yield configured(workspace, server), gate
        finally:
            gate.open.set()


def configured(workspace: Workspace, server: Server) -> Workspace:
    line = f'fake = {{ model = "compatible/m1", base_url = "{server.address()}", key = "FAKE_KEY", window = 64000 }}'
    (workspace.root / "vestigia.toml").write_text(f'[ask]\nmodel = "fake"\n[models]\n{line}\n', encoding="utf-8")
    return open_workspace(workspace.root)


def asked(live: Live, workspace: Workspace, text: str = QUESTION.text, pause: str = "") -> RunId:
    rules = limited(workspace.settings, pause=pause)
    return live.begin(workspace, "Ada", lambda watch: ask(workspace, Question(text), rules, watch))


def standing(live: Live, workspace: Workspace, run: RunId) -> Standing:
    return live.standing(workspace, run, FileLedger.read(workspace.runs, run).entries())


def settled(live: Live, workspace: Workspace, run: RunId) -> Standing:
    """How a run stands once nobody has it in hand."""
    with live._changed:
        assert live._changed.wait_for(lambda: live._of(workspace.runs / run) is None, 20)
    return standing(live, workspace, run)


def owed(workspace: Workspace, run: RunId) -> bool:
    return (workspace.runs / run / NOTE).exists()


def bodies(workspace: Workspace, run: RunId) -> list:
    """What a record says, without times and pauses."""
    entries = FileLedger.read(workspace.runs, run).entries()[1:]
    said = [(entry.actor, re.sub(r"seconds=[\d.]+", "", repr(entry.body))) for entry in entries]
    return [one for one in said if "Paused(" not in one[1]]


class TestBeginning:
    def test_a_run_is_there_at_once_and_ends_by_itself(self, workspace):
        live = Live()
        run = asked(live, workspace)
        assert run in workspace.run_names()
        assert settled(live, workspace, run) == Standing("finished")
        assert not owed(workspace, run)

    def test_it_is_the_run_that_would_have_been_made_in_one_go(self, workspace):
        live = Live()
        run = asked(live, workspace)
        settled(live, workspace, run)
        assert bodies(workspace, run) == bodies(workspace, ask(workspace, QUESTION).run)

    def test_later_begins_and_does_no_more(self, workspace):
        run = ask(workspace, QUESTION, watch=later).run
        assert len(FileLedger.read(workspace.runs, run).entries()) == 1
        assert standing(Live(), workspace, run) == Standing("interrupted")

    def test_what_is_refused_is_not_begun(self, workspace):
        with pytest.raises(UsageError, match="the question is empty"):
            asked(Live(), workspace, " ")
        assert workspace.run_names() == []

    def test_other_work_is_carried_out_the_same_way(self, workspace):
        live = Live()
        run = live.begin(
            workspace, "Ada", lambda watch: surveying.survey(workspace, Question("Brücke"), Plan("2"), watch)
        )
        assert settled(live, workspace, run).over


class TestQueue:
    def test_more_than_the_limit_wait_their_turn_and_the_place_is_said(self, workspace, monkeypatch):
        with gated(workspace, monkeypatch) as (there, gate):
            live = Live(at_once=1)
            first, second, third = (asked(live, there, text) for text in ("Brücke?", "Alzette?", "Gemeinderat?"))
            assert gate.asked.wait(20)
            assert standing(live, there, first) == Standing("running")
            assert standing(live, there, second) == Standing("queued", place=1)
            assert standing(live, there, third) == Standing("queued", place=2)
            live.stop(there, second, "Ada")
            assert standing(live, there, second) == Standing("interrupted")
            assert not owed(there, second)
            assert standing(live, there, third) == Standing("queued", place=1)
            gate.open.set()
            assert settled(live, there, third) == Standing("finished")

    def test_who_asks_twice_for_the_same_run_gets_it_once(self, workspace, monkeypatch):
        with gated(workspace, monkeypatch) as (there, gate):
            live = Live()
            run = asked(live, there)
            assert gate.asked.wait(20)
            assert live.go_on(there, run, "Eve") == run
            gate.open.set()
            assert settled(live, there, run) == Standing("finished")


class TestStopping:
    def test_a_stop_is_recorded_after_the_step_in_hand_and_nothing_is_asked_again(self, workspace, monkeypatch):
        with gated(workspace, monkeypatch) as (there, gate):
            live = Live()
            run = asked(live, there)
            assert gate.asked.wait(20)
            live.stop(there, run, "Ada")
            assert standing(live, there, run) == Standing("stopping")
            gate.open.set()
            found = settled(live, there, run)
            assert (found.state, found.why) == ("paused", "stopped by Ada.")
            assert not owed(there, run)
            assert live.go_on(there, run, "Eve") == run
            assert settled(live, there, run) == Standing("finished")
            calls = gate.calls
            undisturbed = asked(live, there)
            settled(live, there, undisturbed)
            assert gate.calls == 2 * calls
            assert bodies(there, run) == bodies(there, undisturbed)

    def test_what_is_not_in_hand_cannot_be_stopped(self, workspace):
        with pytest.raises(UsageError, match="not being carried out"):
            Live().stop(workspace, ask(workspace, QUESTION).run, "Ada")

    def test_a_finished_run_does_not_go_on(self, workspace):
        with pytest.raises(UsageError, match="the run is finished"):
            Live().go_on(workspace, ask(workspace, QUESTION).run, "Ada")


class TestWaiting:
    def test_a_run_waits_for_a_person_and_is_let_go_on_in_their_name(self, workspace):
        live = Live()
        run = asked(live, workspace, pause="plan")
        assert settled(live, workspace, run) == Standing("waiting", checkpoint="plan")
        assert not owed(workspace, run)
        live.go_on(workspace, run, "Ada")
        assert settled(live, workspace, run) == Standing("finished")
        assert any("Attended(author='Ada')" in str(body) for _, body in bodies(workspace, run))

    def test_a_set_that_is_curated_is_not_closed_by_the_way(self, workspace):
        run = curating.begin(workspace, ask(workspace, QUESTION).run).run
        with pytest.raises(UsageError, match="goes on by what people decide"):
            Live().go_on(workspace, run, "Ada")
        assert runs.waiting_at(works.read(workspace, run).entries) == "curate"


class TestFailing:
    def test_a_model_that_gives_no_answer_leaves_it_paused_with_the_reason(self, workspace, monkeypatch):
        async def failing(_self, _request, _passages, _prompt):
            raise ModelUnavailableError("the account's quota is used up.", remedy="Top it up.")

        monkeypatch.setattr("vestigia.models.extractive.model.ExtractiveModel.complete", failing)
        live = Live()
        run = asked(live, workspace)
        found = settled(live, workspace, run)
        assert found.state == "paused"
        assert "quota is used up" in found.why

    def test_a_refusal_is_kept_with_its_remedy_until_somebody_lets_it_go_on(self, workspace, monkeypatch):
        def full(*_arguments: object) -> None:
            raise ArchiveError("the disk is full.", where="/data", remedy="Make room.")

        run = ask(workspace, QUESTION, watch=later).run
        with monkeypatch.context() as patch:
            patch.setattr("vestigia.app.asking.carry_on", full)
            live = Live()
            live._take(_task(workspace, run))
            found = settled(live, workspace, run)
        assert found.state == "failed"
        assert found.problem == {"what": "the disk is full.", "where": "/data", "remedy": "Make room."}
        again = Live()
        again.take_up([workspace])
        assert standing(again, workspace, run).state == "failed"
        again.go_on(workspace, run, "Ada")
        assert settled(again, workspace, run) == Standing("finished")

    def test_what_nobody_foresaw_is_logged_and_said_without_its_words(self, workspace, monkeypatch, caplog):
        def broken(*_arguments: object) -> None:
            raise RuntimeError("secret word")

        run = ask(workspace, QUESTION, watch=later).run
        monkeypatch.setattr("vestigia.app.asking.carry_on", broken)
        live = Live()
        live._take(_task(workspace, run))
        assert settled(live, workspace, run).problem["what"] == "something went wrong in Vestigia."
        assert "secret" not in (workspace.runs / run / NOTE).read_text(encoding="utf-8")
        assert "secret word" in caplog.text

    def test_a_run_that_another_program_writes_is_left_to_it(self, workspace):
        run = ask(workspace, QUESTION, watch=later).run
        with FileLedger.open(workspace.runs, run, asking.now):
            live = Live()
            live._take(_task(workspace, run))
            assert settled(live, workspace, run) == Standing("elsewhere")
        assert not owed(workspace, run)


class TestRestart:
    def test_a_server_that_ends_leaves_between_two_steps_and_the_next_one_goes_on(self, workspace, monkeypatch):
        with gated(workspace, monkeypatch) as (there, gate):
            live = Live(at_once=1)
            first, second = asked(live, there), asked(live, there, "Was beschloss der Gemeinderat?")
            assert gate.asked.wait(20)
            live.leave()
            gate.open.set()
            live.close()
            written = len(bodies(there, first))
            assert written
            assert standing(live, there, first) == Standing("interrupted")
            assert owed(there, first)
            assert owed(there, second)
            again = Live(at_once=1)
            again.take_up([there])
            assert settled(again, there, first) == settled(again, there, second) == Standing("finished")
            undisturbed = asked(again, there)
            settled(again, there, undisturbed)
            assert bodies(there, first) == bodies(there, undisturbed)

    @pytest.mark.parametrize("torn", ["", "{", "[]", '{"who": "Ada"}'])
    def test_a_note_that_a_dying_machine_left_torn_leaves_the_run_to_a_person(self, workspace, torn):
        run = ask(workspace, QUESTION, watch=later).run
        (workspace.runs / run / NOTE).write_text(torn, encoding="utf-8")
        live = Live()
        live.take_up([workspace])
        assert standing(live, workspace, run) == Standing("interrupted")

    def test_a_run_of_the_open_part_goes_on_with_the_open_part(self, workspace, monkeypatch):
        run = ask(workspace, QUESTION, watch=later).run
        (workspace.runs / run / NOTE).write_text(json.dumps({"by": "Ada"}), encoding="utf-8")
        seen = []

        def home(one, name):
            seen.append(name)
            return one

        monkeypatch.setattr("vestigia.app.access.home_of", home)
        live = Live()
        live.take_up([workspace])
        assert settled(live, workspace, run) == Standing("finished")
        assert seen == [run]

    def test_an_open_part_that_cannot_be_opened_is_said(self, workspace, monkeypatch):
        run = ask(workspace, QUESTION, watch=later).run
        (workspace.runs / run / NOTE).write_text(json.dumps({"by": "Ada"}), encoding="utf-8")

        def home(*_arguments):
            raise ArchiveError("another program is preparing it.")

        monkeypatch.setattr("vestigia.app.access.home_of", home)
        live = Live()
        live.take_up([workspace])
        assert standing(live, workspace, run).problem["what"] == "another program is preparing it."


def _task(workspace: Workspace, run: RunId):
    from vestigia.app.live import _Task

    return _Task(workspace, run, "Ada")
