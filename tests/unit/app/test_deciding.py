"""B14: decisions from another terminal, while the run sleeps, is at work, or is over."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vestigia.app import asking, deciding
from vestigia.app.deciding import decide, edit_plan, held, plan_of
from vestigia.app.workspace import Workspace
from vestigia.cli.commands import app
from vestigia.domain.entries import Recorded
from vestigia.domain.errors import UsageError
from vestigia.domain.events import Overruled, Searched
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import DocumentId
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules, preset
from vestigia.inquiry.planning import Change
from vestigia.ledger.inbox import INBOX
from vestigia.ledger.log import FileLedger

QUESTION = Question("Wer hat die Brücke gesprengt?")
V1 = DocumentId("V1")
OUT = Overruled(V1, Decision.REJECT, "a copy", "Ada")


def typed(*arguments: str, code: int = 0) -> str:
    ended = CliRunner(env={"COLUMNS": "300"}).invoke(app, list(arguments))
    assert ended.exit_code == code, ended.output
    return " ".join(ended.output.split())


def waiting(workspace: Workspace, *at: str) -> str:
    answer = asking.ask(workspace, QUESTION, replace(preset("default"), pause=at))
    assert answer.waits_at == at[0]
    return answer.run


class TestWhileAtWork:
    """The writer holds the run; an act is left to it."""

    def test_an_act_is_recorded_with_the_next_entry_and_heeded_at_the_next_stop(
        self, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(deciding, "PATIENCE", 1)
        left = []

        def other_terminal(entry):
            found = isinstance(entry.body, Recorded) and isinstance(entry.body.event, Searched)
            if found and not left and V1 in [c.document for c in entry.body.event.candidates]:
                left.append(decide(workspace, "last", OUT).left)

        answer = asking.ask(workspace, QUESTION, watch=other_terminal)
        assert left == [1]
        assert V1 not in [row.card.id for row in answer.result.sources]
        assert [row.card.id for row in answer.result.removed] == [V1]
        assert asking.replay(workspace, answer.run).finished
        assert not list((workspace.runs / answer.run / INBOX).iterdir())
        entries = FileLedger.read(workspace.runs, answer.run).entries()
        (at,) = [entry.number for entry in entries if entry.actor == "person:Ada"]
        assert at < len(entries) - 10

    def test_what_is_left_when_the_writer_has_gone_is_taken_in_by_whoever_comes_next(
        self, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
    ):
        run = asking.ask(workspace, QUESTION).run
        monkeypatch.setattr(deciding, "WAIT", 0)
        monkeypatch.setattr(deciding, "PATIENCE", 2)
        with FileLedger.open(workspace.runs, run, asking.now):
            decided = decide(workspace, run, OUT)
        assert decided.left == 1
        assert decided.answer.result.removed == ()
        again = decide(workspace, run, replace(OUT, decision=Decision.ACCEPT))
        assert again.left == 0
        (row,) = again.answer.result.contested
        assert (row.person, row.machine) == (Decision.ACCEPT, Decision.ACCEPT)
        assert [e.body.event.decision for e in FileLedger.read(workspace.runs, run).entries()[-2:]] == [
            Decision.REJECT,
            Decision.ACCEPT,
        ]

    def test_a_writer_that_ends_meanwhile_leaves_the_act_to_be_recorded_at_once(
        self, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
    ):
        run = asking.ask(workspace, QUESTION).run
        writer = FileLedger.open(workspace.runs, run, asking.now)
        monkeypatch.setattr(deciding, "sleep", lambda _: writer.close())
        assert decide(workspace, run, OUT).answer.result.removed[0].card.id == V1


class TestInBulk:
    """What is on hold, decided about at once or one by one in a table."""

    def test_all_that_is_held_is_decided_about_at_once(self, workspace: Workspace):
        asking.ask(workspace, QUESTION, Rules(budget=replace(Rules().budget, calls=0)))
        names = [row["document"] for row in held(workspace, "last")]
        assert sorted(names) == ["V1", "V2"]
        root = str(workspace.root)
        printed = typed("decide", root, "--all-held", "accept", "--as", "Ada", "--reason", "read")
        assert all(f"Ada: accept {name}." in printed for name in names)
        assert held(workspace, "last") == ()
        assert "nothing is on hold" in typed("decide", root, "--all-held", "accept", "--as", "Ada", code=2)
        shown = typed("show", root)
        assert "Changed by people Ada: accept V" in shown
        assert "the machine held it “not reviewed: no sub-question got to it”; not listed → place 1" in shown

    def test_a_table_is_written_filled_in_and_read(self, workspace: Workspace, tmp_path: Path):
        asking.ask(workspace, QUESTION, Rules(budget=replace(Rules().budget, calls=0)))
        table, root = tmp_path / "held.csv", str(workspace.root)
        assert "2 document(s) on hold written" in typed("decide", root, "--write", str(table))
        with table.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
        assert [row["decision"] for row in rows] == ["", ""]
        rows[0] |= {"decision": "Reject", "reason": "no"}
        with table.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, deciding.COLUMNS)
            writer.writeheader()
            writer.writerows(rows)
        typed("decide", root, "--from", str(table), "--as", "Ada", "--json")
        assert [row.card.id for row in asking.show(workspace, "last").result.removed] == [rows[0]["document"]]

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            ("document\nV1\n", "there is no column 'decision'"),
            ("decision\naccept\n", "there is no column 'document'"),
            ("document,decision\nV1,maybe\n", "line 2: 'maybe' is no decision. Write accept, reject or hold."),
            ("document,decision\nV1,\n", "no row says a decision"),
            ("document,decision\nV9,hold\n", "the run has not met a document 'V9'"),
        ],
    )
    def test_a_table_that_cannot_be_used_records_nothing(
        self, workspace: Workspace, tmp_path: Path, content: str, said: str
    ):
        asking.ask(workspace, QUESTION)
        (tmp_path / "t.csv").write_text(content, encoding="utf-8")
        before = FileLedger.read(workspace.runs, asking.show(workspace, "last").run).entries()
        assert said in typed("decide", str(workspace.root), "--from", str(tmp_path / "t.csv"), "--as", "Ada", code=2)
        assert FileLedger.read(workspace.runs, asking.show(workspace, "last").run).entries() == before

    @pytest.mark.parametrize(
        ("at", "said"),
        [
            ("plan", "`vestigia plan` changes what is asked."),
            ("holds", "`vestigia decide` decides about what is on hold."),
            ("briefs", "`vestigia plan` changes what is still to be asked."),
            ("final", "`vestigia decide` takes sources out or in."),
        ],
    )
    def test_a_run_that_waits_says_what_can_be_done(self, workspace: Workspace, at: str, said: str):
        waiting(workspace, at)
        assert f"checkpoint “{at}”." in typed("show", str(workspace.root))
        assert f"{said} It goes on with: vestigia resume" in typed("show", str(workspace.root))

    def test_a_decision_is_put_in_one_way_and_has_an_author(self, workspace: Workspace):
        asking.ask(workspace, QUESTION)
        root = str(workspace.root)
        for words in ([], ["V1"], ["V1", "accept", "--all-held", "hold"]):
            assert "say what is decided in one way" in typed("decide", root, *words, "--as", "Ada", code=2)
        assert "every decision has an author" in typed("decide", root, "V1", "accept", code=2)


class TestPlan:
    """`vestigia plan`: read and changed while the run waits."""

    def test_b14_a_plan_is_changed_from_a_terminal_and_the_run_goes_by_it(self, workspace: Workspace):
        run, root = waiting(workspace, "plan", "briefs"), str(workspace.root)
        assert f"q1 → Letters: {QUESTION.text}" in typed("plan", root)
        changed = typed(
            "plan", root, run, "--reword", "q1=Wer baute sie?", "--add", "Wann?", "--in", "Letters", "--as", "Ada"
        )
        assert "q1 → Letters: Wer baute sie? q2 → Letters: Wann?" in changed
        answer = asking.resume(workspace, run, "Ada")
        assert answer.waits_at in {"briefs", ""}
        while answer.waits_at:
            answer = asking.resume(workspace, run, "Ada")
        assert [one.text for one in answer.result.plan] == ["Wer baute sie?", "Wann?"]
        assert answer.result.finished
        shown = typed("show", root)
        assert f"Ada changed q1 “{QUESTION.text}” → Letters to q1 “Wer baute sie?” → Letters" in shown
        assert "Ada added q2 “Wann?” → Letters" in shown
        assert asking.replay(workspace, run).finished

    def test_b14_what_remains_is_changed_after_a_brief(self, workspace: Workspace):
        run, root = waiting(workspace, "briefs"), str(workspace.root)
        assert [one.id for one in plan_of(workspace, run).begun] == ["q1"]
        page = typed("plan", root, "--add", "Wann?", "--in", "Letters", "--as", "Ada")
        assert "(begun) q2 → Letters: Wann? The run waits at “briefs”" in page
        answer = asking.resume(workspace, run, "Ada")
        assert [one.id for one in plan_of(workspace, run).begun] == ["q1", "q2"]
        assert answer.waits_at == "briefs"
        assert "Nothing remains to be asked." in typed("plan", root)

    def test_a_plan_goes_out_as_data_and_comes_back_changed(self, workspace: Workspace, tmp_path: Path):
        waiting(workspace, "plan")
        root, file = str(workspace.root), tmp_path / "plan.json"
        found = json.loads(CliRunner().invoke(app, ["plan", root, "--json"]).output)
        found["remaining"].append({"text": "Wann?", "sub_corpus": "Letters", "after": ["q1"]})
        file.write_text(json.dumps(found), encoding="utf-8")
        assert "q2 → Letters, after q1: Wann?" in typed("plan", root, "--from", str(file), "--as", "Ada")
        file.write_text(json.dumps(found["remaining"][1:]), encoding="utf-8")
        edit_plan(workspace, "last", file, "Ada")
        assert [one.text for one in plan_of(workspace, "last").remaining] == ["Wann?"]

    @pytest.mark.parametrize("content", ["", "{}", '[{"text": 1}]', '[{"text": "x", "sub_corpus": "L", "more": 1}]'])
    def test_a_file_that_is_no_plan_says_what_one_is(self, workspace: Workspace, tmp_path: Path, content: str):
        waiting(workspace, "plan")
        (tmp_path / "p.json").write_text(content, encoding="utf-8")
        with pytest.raises(UsageError, match=r"it cannot be read as a plan.*plan ARCHIVE RUN --json"):
            edit_plan(workspace, "last", tmp_path / "p.json", "Ada")

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["--add", "Wann?"], "each --add needs the sub-corpus"),
            (["--retarget", "q1"], "'q1' names no sub-question"),
            (["--drop", "q1", "--from", "x.json"], "a plan is changed in one way"),
            (["--drop", "q1"], "nothing would be left to ask"),
            (["--retarget", "q1=Letters"], "every decision has an author"),
        ],
    )
    def test_a_change_put_wrongly_changes_nothing(self, workspace: Workspace, words: list[str], said: str):
        waiting(workspace, "plan")
        before = plan_of(workspace, "last")
        assert said in typed("plan", str(workspace.root), *words, code=2)
        assert plan_of(workspace, "last") == before

    def test_while_the_run_does_not_wait_the_plan_is_only_shown(self, workspace: Workspace):
        asking.ask(workspace, QUESTION)
        assert "(begun)" in typed("plan", str(workspace.root))
        with pytest.raises(UsageError, match="only while the run waits for it"):
            edit_plan(workspace, "last", Change(add=(("Wann?", "Letters"),)), "Ada")
