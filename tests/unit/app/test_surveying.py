"""A survey as typed: gathered, shown, resumed, replayed; what cannot be is said."""

import json

import pytest
from typer.testing import CliRunner

from vestigia.app.care import describe
from vestigia.cli.commands import app
from vestigia.cli.outcome import MISUSED

TERMINAL = CliRunner(env={"COLUMNS": "200"})


@pytest.fixture
def typed(workspace):
    def run(command: str, *arguments: str, code: int = 0) -> str:
        ended = TERMINAL.invoke(app, [command, str(workspace.root), *arguments])
        assert ended.exit_code == code, ended.output
        return ended.output

    return run


def gathered(typed, *options: str) -> dict:
    return json.loads(
        typed("survey", "Die neue Brücke", "--windows", "1887-01/1887-03, 1887-04/1887-06", *options, "--json")
    )


def test_h2_each_window_with_its_sources_and_what_it_lacks(typed):
    found = gathered(typed, "--quota", "1", "--undated", "0")

    assert [(w["window"], [s["document"] for s in w["sources"]], w["short"]) for w in found["windows"]] == [
        ("1887-01-01/1887-03-31", ["V1"], 0),
        ("1887-04-01/1887-06-30", ["V2"], 0),
    ]
    assert found["sources"] == 2
    assert found["finished"] is True


def test_h6_the_overlap_of_the_layers_is_a_figure(typed):
    found = gathered(typed, "--channel", "words", "--channel", "characters")

    assert sum(one["sources"] for one in found["layers"]) == found["sources"]
    assert all(set(one["layers"]) <= {"words", "characters"} for one in found["layers"])


def test_h2_the_undated_have_a_window_s_quota_unless_said_otherwise(typed):
    assert [(w["window"], w["short"]) for w in gathered(typed, "--quota", "3")["windows"]][-1] == (None, 3)
    assert len(gathered(typed, "--between", "1887")["windows"]) == 2


def test_it_is_shown_replayed_and_resumed_like_any_run(typed, workspace):
    page = typed("survey", "Die neue Brücke", "--windows", "1887-01/1887-12", "--quota", "5")
    again = typed("show")

    assert "1887 2 sources, 3 fewer than asked for" in page
    assert "Found by" in page
    assert page.startswith(again)
    run = json.loads(typed("show", "--json"))["run"][-6:]
    judge, curate = page.removeprefix(again).splitlines()
    assert judge.startswith(f"Next: vestigia judge {workspace.root} {run} --rubric")
    assert curate == f"Next: vestigia curate {workspace.root} {run}"
    assert typed("resume") == again
    assert "reproduced." in typed("replay")
    assert json.loads(typed("replay", "--json")) == {
        "run": json.loads(typed("show", "--json"))["run"],
        "finished": True,
        "same": True,
    }
    assert "Die neue Brücke" in typed("runs")


def test_an_archive_without_undated_documents_lacks_none(typed):
    page = typed("survey", "Die neue Brücke", "--windows", "1887-01/1887-12", "--quota", "1")
    assert page.splitlines()[page.splitlines().index("undated 0 sources") - 1] == ""
    assert "1887 1 source\n" in page


def test_h2_fused_scores_are_of_places_and_are_not_set_side_by_side(typed):
    page = typed("survey", "Die neue Brücke", "--windows", "1887-01/1887-03, 1887-04/1887-06", "--quota", "1")
    prices = {line.split(":")[0]: line for line in page.splitlines() if "the windows brought" in line}
    assert prices["fused"].endswith(" out")
    assert set(prices) >= {"words", "characters", "fused"}


def test_nothing_found_says_so(typed):
    assert "Nothing was found" in typed("survey", "Zeppelin", "--windows", "1887-01/1887-12", "--channel", "words")


def test_words_of_closed_documents_are_not_shown_unasked(typed, workspace):
    describe(workspace, "Letters", {"access": "closed"})
    (window, _) = gathered(typed, "--undated", "0")["windows"]

    assert (window["sources"][0]["text"], window["sources"][0]["withheld"]) == (None, "closed")
    assert gathered(typed, "--closed")["windows"][0]["sources"][0]["text"].startswith("Die Brücke")


def test_h1_a_genre_keeps_to_sub_corpora_described_so(typed, workspace):
    describe(workspace, "Letters", {"genre": "letters"})

    assert gathered(typed, "--genre", "Letters")["sources"] == 2
    assert "no sub-corpus is of the genre 'news'. There are: letters." in typed(
        "survey", "Brücke", "--windows", "1", "--genre", "news", code=MISUSED
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--windows", "1y", "--channel", "smell"), "there is no channel 'smell'"),
        (("--windows", "soon"), "cannot be read as a period"),
        (("--windows", "1y", "-s", "Memoirs"), "Memoirs"),
    ],
)
def test_what_cannot_be_asked_for_is_said(typed, options, said):
    assert said in typed("survey", "Die Brücke", *options, code=MISUSED)


def test_an_empty_description_is_refused(typed):
    assert "empty" in typed("survey", " ", "--windows", "1y", code=MISUSED)
