"""B1: the silence report of an archive's run, as data and on the page."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vestigia.app import asking
from vestigia.app.archive import add
from vestigia.app.deciding import decide
from vestigia.app.silence import silence_of
from vestigia.app.workspace import Workspace
from vestigia.cli.commands import app
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.errors import UsageError
from vestigia.domain.events import Overruled
from vestigia.domain.evidence import Decision
from vestigia.domain.question import Question
from vestigia.domain.rules import Budget, preset

QUESTION = Question("Wer hat im Jahr 1887 das Radar an der Brücke gesprengt?")


def typed(*arguments: str) -> str:
    ended = CliRunner(env={"COLUMNS": "300"}).invoke(app, list(arguments))
    assert ended.exit_code == 0, ended.output
    return " ".join(ended.output.split())


@pytest.fixture
def filled(workspace: Workspace, tmp_path: Path) -> Workspace:
    """The two letters of 1887, one of 1889 and one without a date."""
    more = [{"id": "W1", "text": "Der Zoll.", "date": "1889-02-01"}, {"id": "W2", "text": "Ein Brief."}]
    (tmp_path / "more.jsonl").write_text("\n".join(map(json.dumps, more)), encoding="utf-8")
    add(workspace, [tmp_path / "more.jsonl"], ImportOptions(sub_corpus="Briefe"))
    return workspace


def test_b1_the_report_counts_windows_words_dates_searches_and_gaps(filled: Workspace):
    run = asking.ask(filled, QUESTION).run
    found = silence_of(filled, run)
    words = {one["word"]: one["documents"] for one in found["words"]}
    assert words["radar"] == 0
    assert words["brucke"] == 2
    assert {one["period"] for one in found["dates"]} == {"1887"}
    gaps = [(row["window"], row["sub_corpus"]) for row in found["gaps"]]
    assert ("1888", "Letters") in gaps
    assert ("1887", "Letters") not in gaps
    holds = {(row["window"], row["sub_corpus"]): row["holds"] for row in found["windows"]}
    assert holds["1887", "Letters"] == 2
    assert holds["1889", "Briefe"] == holds[None, "Briefe"] == 1
    assert found["undated"] == 1
    assert found["share_without_text"] is None
    assert {one["channel"] for one in found["searches"]} >= {"words", "characters"}
    assert json.loads(json.dumps(found)) == json.loads(
        CliRunner().invoke(app, ["silence", str(filled.root), run, "--json"]).output
    )


def test_b1_nothing_found_is_said_with_what_stands_against_it(filled: Workspace):
    asking.ask(filled, QUESTION, replace(preset("default"), budget=Budget(calls=0)))
    page, shown = typed("silence", str(filled.root)), typed("show", str(filled.root))
    for one in (page, shown):
        assert "Nothing was accepted: this does not show that there is nothing." in one
        assert "it is partial: the budget of 0 model calls was reached" in one
        assert "Words that are attested nowhere" in one
        assert "Windows in which the archive holds nothing" in one
        assert "1 documents are undated." in one
    assert "Windows by sub-corpus" in page
    assert "Windows by sub-corpus" not in shown


def test_where_nothing_stands_against_it_a_silence_is_a_finding(filled: Workspace):
    shown = asking.ask(filled, Question("Radar?", ("Briefe",))).result
    rows = (*shown.sources, *shown.held)
    decide(filled, "last", *(Overruled(row.card.id, Decision.REJECT, "", "Ada") for row in rows))
    found = silence_of(filled, "last")
    assert (found["nothing_found"], found["against"]) == (True, [])
    assert {row["sub_corpus"] for row in found["windows"]} == {"Briefe"}
    assert "Nothing was accepted: a finding of what was searched." in typed("silence", str(filled.root))


def test_the_windows_of_the_run_are_those_of_the_report(filled: Workspace):
    asking.ask(filled, QUESTION, windows="2y")
    assert list(dict.fromkeys(row["window"] for row in silence_of(filled, "last")["windows"]))[-1] is None
    assert len({row["window"] for row in silence_of(filled, "last")["windows"]}) == 3


def test_an_archive_without_dates_has_no_windows_and_one_that_changed_says_so(
    workspace: Workspace, filled: Workspace, tmp_path: Path
):
    asking.ask(filled, QUESTION)
    (tmp_path / "n.jsonl").write_text('{"id": "N", "text": "Ohne Datum."}', encoding="utf-8")
    add(filled, [tmp_path / "n.jsonl"], ImportOptions(sub_corpus="Ohne"))
    assert "the archive has changed since the run" in silence_of(filled, "last")["against"]
    asking.ask(filled, Question("Datum?", ("Ohne",)))
    assert [row["window"] for row in silence_of(filled, "last")["windows"]] == [None]


def test_a_survey_has_no_silence_report(filled: Workspace):
    typed("survey", str(filled.root), "Brücken", "--windows", "1y")
    with pytest.raises(UsageError, match="it answers no question"):
        silence_of(filled, "last")
