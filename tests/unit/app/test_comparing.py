"""B10: two runs of an archive compared from the terminal."""

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from vestigia.app import asking, forking
from vestigia.app.deciding import decide
from vestigia.app.workspace import Workspace
from vestigia.cli.commands import app
from vestigia.domain.events import Overruled
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import DocumentId
from vestigia.domain.question import Question
from vestigia.domain.rules import Budget, preset

QUESTION = Question("Wer hat die Brücke gesprengt?")


@pytest.fixture
def runs(workspace: Workspace) -> tuple[str, str]:
    """A whole run and one that was ended before anything was judged."""
    whole = asking.ask(workspace, QUESTION).run
    return whole, asking.ask(workspace, QUESTION, replace(preset("default"), budget=Budget(calls=0))).run


def typed(workspace: Workspace, *arguments: str, code: int = 0) -> str:
    ended = CliRunner(env={"COLUMNS": "300"}).invoke(app, ["compare", str(workspace.root), *arguments])
    assert ended.exit_code == code, ended.output
    return ended.output


def test_b10_a_partial_run_is_compared_with_a_whole_one(workspace: Workspace, runs: tuple[str, str]):
    found = json.loads(typed(workspace, *runs, "--json"))
    assert [(run["run"], run["partial"]) for run in found["runs"]] == [(runs[0], None), (runs[1], "0 model calls")]
    assert found["rules"] == [{"rule": "budget.calls", "values": [400, 0]}]
    assert found["both"] == found["only_second"] == []
    assert found["same_question"]
    row = found["only_first"][0]
    assert (row["place"], row["why"], row["reason"]) == (1, "held", "not reviewed: no sub-question got to it")
    assert found["runs"][0]["sources"] == len(found["only_first"])


def test_b10_the_page_says_the_same_in_words(workspace: Workspace, runs: tuple[str, str]):
    page = " ".join(typed(workspace, *runs).split())
    assert f"1: {runs[0]} {QUESTION.text}" in page
    assert "partial: 0 model calls" in page
    assert "rule budget.calls: 400 | 0" in page
    assert "In both: 0" in page
    assert "in 2 held “not reviewed: no sub-question got to it”" in page
    assert "Only in 2: 0" in page


def test_a_run_beside_itself_has_all_in_both(workspace: Workspace, runs: tuple[str, str]):
    page = " ".join(typed(workspace, runs[0], runs[0], "--top", "1").split())
    assert "In both: 1 1 | 1 " in page
    assert "not asked the same" not in page


def test_other_questions_are_compared_and_said_to_be_others(workspace: Workspace, runs: tuple[str, str]):
    asking.ask(workspace, Question("Wann?"))
    assert "The runs were not asked the same." in typed(workspace, runs[0], "last")


def test_of_a_closed_document_the_reason_quotes_nothing(workspace: Workspace, runs: tuple[str, str]):
    decide(workspace, runs[1], Overruled(DocumentId("V1"), Decision.REJECT, "he writes “gesprengt”", "Ada"))
    CliRunner().invoke(app, ["describe", str(workspace.root), "Letters", "--access", "closed"])
    reasons = []
    for more in ([], ["--closed"]):
        rows = json.loads(typed(workspace, *runs, *more, "--json"))["only_first"]
        reasons += [row["reason"] for row in rows if row["document"] == "V1"]
    assert reasons == ["Ada: he writes “…”", "Ada: he writes “gesprengt”"]


def test_a_fork_alone_is_compared_with_its_parent(workspace: Workspace, runs: tuple[str, str]):
    child = forking.fork(workspace, runs[0], 4, lambda rules: replace(rules, budget=Budget(calls=0))).run
    found = json.loads(typed(workspace, "last", "--json"))
    assert [run["run"] for run in found["runs"]] == [runs[0], child]
    assert "it is no fork of another run. Name the run" in typed(workspace, runs[0], code=2)


def test_a_survey_is_not_compared(workspace: Workspace, runs: tuple[str, str]):
    CliRunner().invoke(app, ["survey", str(workspace.root), "Brücken", "--windows", "1y"])
    assert "it answers no question" in typed(workspace, runs[0], "last", code=2)
