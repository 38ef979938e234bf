"""Judges on trial as typed: every judging of a set, compared; what people decided since, held against it."""

import json

import pytest
from typer.testing import CliRunner

from fakes.judging import Judges, filled
from vestigia.app import models
from vestigia.cli.commands import app
from vestigia.cli.outcome import MISUSED

TERMINAL = CliRunner(env={"COLUMNS": "200"})


@pytest.fixture
def typed(workspace, monkeypatch):
    judges = Judges()
    made = {name: judges.made(name) for name in judges.scores}
    monkeypatch.setattr(models, "installed", lambda _group: made)

    def run(command: str, *arguments: str, code: int = 0) -> str:
        ended = TERMINAL.invoke(app, [command, str(workspace.root), *arguments])
        assert ended.exit_code == code, ended.output
        return ended.output

    run("survey", "Die neue Brücke", "--windows", "1887-01/1887-12", "--quota", "5")
    return run


def judge(typed, model, rubric="attitudes"):
    typed("judge", "last", "--rubric", rubric, "--model", model)


def compare(typed, *options):
    return json.loads(typed("agreement", "last", *options, "--json"))


def test_h4_models_and_people_stand_in_one_table(typed, tmp_path):
    judge(typed, "wise")
    judge(typed, "flat")
    sheet = tmp_path / "sheet.csv"
    typed("judge", "--rubric", "attitudes", "--sheet", str(sheet))
    typed("judge", "--rubric", "attitudes", "--from", str(filled(sheet, {"V1": "2"})), "--as", "Ada")
    found = compare(typed)

    assert [(s["judge"], s["person"], s["judged"], s["constant"]) for s in found["spreads"]] == [
        ("wise", False, 2, False),
        ("flat", False, 2, True),
        ("Ada", True, 1, False),
    ]
    assert found["spreads"][2]["unjudged"] == [["left empty", 1]]
    assert [(pair["one"], pair["other"], pair["number"]) for pair in found["agreement"]["pairs"]] == [
        ("wise", "flat", 2),
        ("wise", "Ada", 1),
        ("flat", "Ada", 1),
    ]
    assert found["bands"][0] == {"judge": "wise", "keep": 1, "look": 1, "drop": 0}
    assert found["similarity"].startswith("meaning:")
    assert len(found["duals"][0]["points"]) == 2


def test_a_judge_who_judged_twice_is_numbered(typed):
    judge(typed, "wise")
    judge(typed, "wise")

    assert [one["judge"] for one in compare(typed)["judgings"]] == ["wise", "wise (2)"]
    assert "| wise, wise (2) | 2 " in typed("agreement")


def test_h3_judgings_by_another_rubric_are_not_mixed_in(typed):
    judge(typed, "wise")
    judge(typed, "flat")
    judge(typed, "wise", "testimony")

    found = compare(typed)
    assert found["rubric"].startswith("attitudes (1-10, sha256:")
    assert found["notes"] == ["Judgings by other rubrics, or other versions of it, that are not compared here: 1."]
    assert compare(typed, "--rubric", "testimony")["rubric"].startswith("testimony")
    assert "nobody has judged the set by the rubric 'engagement'" in typed(
        "agreement", "--rubric", "engagement", code=MISUSED
    )


def test_h4_a_rubric_without_bands_presorts_nothing(typed, workspace):
    (workspace.root / "rubrics").mkdir()
    own = "---\nname: love\nscale: 1-10\n---\n## Criteria\nIs the bridge loved?\n"
    (workspace.root / "rubrics" / "love.md").write_text(own, encoding="utf-8")
    judge(typed, "wise", "love")

    found = compare(typed)
    assert (found["bands"], found["overrides"]) == ([], [])


def test_b6_what_people_decided_is_held_against_the_judge(typed):
    survey = json.loads(typed("show", "--json"))["run"]
    judge(typed, "wise")
    typed("curate", survey, "--reject", "V1", "--because", "off topic", "--as", "Ada")

    assert compare(typed)["overrides"] == [{"judge": "wise", "sub_corpus": "Letters", "decided": 1, "overridden": 1}]


def test_a_set_that_nobody_judged_says_so(typed):
    assert "nobody has judged the set yet" in typed("agreement", code=MISUSED)


def test_a_record_that_cannot_be_read_is_named_and_the_others_compared(typed, workspace):
    survey = json.loads(typed("show", "--json"))["run"]
    judge(typed, "wise")
    judge(typed, "flat")
    broken = json.loads(typed("show", "--json"))["run"]
    ledger = workspace.runs / broken / "ledger.jsonl"
    lines = ledger.read_bytes().splitlines(keepends=True)
    ledger.write_bytes(b"".join([*lines[:2], *lines[3:]]))

    found = json.loads(typed("agreement", survey, "--json"))
    assert [one["judge"] for one in found["judgings"]] == ["wise"]
    assert found["notes"][0].startswith(f"{broken} cannot be read: ")


def test_h5_the_page_has_heat_map_plots_and_arguments(typed, tmp_path):
    judge(typed, "wise")
    judge(typed, "flat")
    typed("agreement", "--html", str(tmp_path / "page.html"))

    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Below the diagonal rank correlation" in page
    assert "against the score of wise" in page
    assert "It says “Die Brücke”." in page
