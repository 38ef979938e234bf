"""The judges' trial on real letters, as typed: a survey in seven windows, two models and a person, agreement.

Judges are scripted: they count words of the stage, each on a scale of its own. At every step the counts add up.
"""

import csv
import json

import pytest
from typer.testing import CliRunner

from vestigia.app import archive, asking, encoders, models
from vestigia.cli.commands import app
from vestigia.models.encoders.hashing import HashingEncoder
from vestigia.models.scripted import ScriptedModel

pytestmark = pytest.mark.shared
STAGE = ("theater", "stück", "aufführung", "premiere", "bühne", "burg")


def judge(name, lowest, highest):
    def script(request, passages):
        text = passages[request.passage.passage].text
        met = sum(text.casefold().count(word) for word in STAGE)
        argument = f"{request.passage.title}: {met} words of the stage."
        return json.dumps(
            {"argument": argument, "quote": " ".join(text.split()[:6]), "score": min(highest, lowest + met)}
        )

    return lambda: ScriptedModel(script, name)


@pytest.fixture
def typed(tmp_path, monkeypatch):
    encoder = HashingEncoder()
    for module in (archive, encoders):
        monkeypatch.setattr(module, "available", lambda: (encoder,))
        monkeypatch.setattr(module, "encoder", lambda _name: encoder)
    monkeypatch.setattr(asking, "available", lambda: (encoder,))
    made = {"strict": judge("strict", 1, 9), "mild": judge("mild", 5, 9)}
    monkeypatch.setattr(models, "installed", lambda _group: made)
    terminal, root = CliRunner(env={"COLUMNS": "200"}), str(tmp_path / "letters")

    def run(command, *arguments):
        ended = terminal.invoke(app, [command, root, *arguments])
        assert ended.exit_code == 0, ended.output
        return ended.stdout

    return run


def adds_up(found):
    unjudged = sum(one["passages"] for one in found["not_judged"])
    return found["judged"] + unjudged + found["waiting"] == found["passages"] == len(found["sources"])


def test_h3_h4_h5_a_set_of_letters_is_judged_by_two_models_and_a_person_and_they_are_compared(
    typed, shared_data, tmp_path
):
    typed("init")
    typed("add", str(shared_data / "schnitzler-letters-de"))
    survey = json.loads(
        typed("survey", "Aufführung eines Stückes am Theater", "--windows", "7", "--quota", "20", "--json")
    )
    assert len([lane for lane in survey["windows"] if lane["window"]]) == 7
    assert all(len(lane["sources"]) + lane["short"] == 20 for lane in survey["windows"])

    judged = [
        json.loads(typed("judge", survey["run"], "--rubric", "engagement", "--model", name, "--json"))
        for name in ("strict", "mild")
    ]
    for found in judged:
        assert found["passages"] == survey["sources"]
        assert adds_up(found)
        assert {one["quote_check"] for one in found["sources"] if one["score"] is not None} <= {
            "exact",
            "same after folding",
        }

    sheet = tmp_path / "sheet.csv"
    typed("judge", survey["run"], "--rubric", "engagement", "--sheet", str(sheet))
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == survey["sources"]
    assert [row["passage"] for row in rows] != [one["passage"] for one in judged[0]["sources"]]
    for row in rows[:50]:
        row["score"] = str(1 + min(8, sum(row["text"].casefold().count(word) for word in STAGE) // 2))
    with sheet.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    person = json.loads(
        typed("judge", survey["run"], "--rubric", "engagement", "--from", str(sheet), "--as", "Ada", "--json")
    )
    assert (person["judged"], person["not_judged"]) == (50, [{"reason": "left empty", "passages": len(rows) - 50}])
    assert adds_up(person)

    page = tmp_path / "agreement.html"
    trial = json.loads(typed("agreement", survey["run"], "--html", str(page), "--json"))
    pairs = {(pair["one"], pair["other"]): pair for pair in trial["agreement"]["pairs"]}
    assert pairs["strict", "mild"]["correlation"]["spearman"] > 0.9
    assert pairs["strict", "mild"]["within_one"] < 0.5
    assert pairs["strict", "Ada"]["number"] <= 50
    assert len(trial["passages"]) == survey["sources"]
    assert page.read_text(encoding="utf-8").count('<a href="#p') == sum(len(dual["points"]) for dual in trial["duals"])
    for run in (judged[0]["run"], person["run"]):
        assert json.loads(typed("replay", run, "--json"))["same"] is True
        assert json.loads(typed("verify", run, "--json"))["sound"] is True
