"""The historian's half from end to end (H1-H9): survey, two judges, two people who disagree, dossier, interpretation.

Once on a small made archive, always; once on letters of Schnitzler in seven windows of twenty, where they are there.
Everything is typed as a person would, the models are scripted.
"""

import json
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fakes.interpreting import interpreter
from vestigia.app import archive, asking, encoders, models
from vestigia.cli.commands import app
from vestigia.cli.outcome import MISUSED, NO_MODEL
from vestigia.domain.errors import ModelUnavailableError
from vestigia.domain.ids import digest
from vestigia.domain.requests import JudgeRequest
from vestigia.models.encoders.hashing import HashingEncoder
from vestigia.models.scripted import ScriptedModel

BATCH = 8
QUESTIONS = ("--question", "Wie wird von der Reise erzählt?", "--question", "Wer bleibt zu Hause?")


class Cast:
    """The models of the story. `silent_at` is the call (from 1) at which no answer comes, once."""

    def __init__(self) -> None:
        self.calls = self.silent_at = 0

    def named(self, name):
        return lambda: ScriptedModel(lambda request, passages: self._say(name, request, passages), name)

    def _say(self, name, request, passages):
        self.calls += 1
        if self.calls == self.silent_at:
            raise ModelUnavailableError("no answer", remedy="Resume later.")
        if not isinstance(request, JudgeRequest):
            return interpreter().script(request, passages)
        text = passages[request.passage.passage].text
        score = int(digest(f"{name if name == 'odd' else ''}{text}").removeprefix("sha256:")[:4], 16) % 10 + 1
        quote = " ".join(text.split()[:3])
        return json.dumps({"argument": f"{request.passage.document} says “{quote}”.", "quote": quote, "score": score})


class Desk:
    """An archive at a terminal."""

    def __init__(self, root: Path, cast: Cast, windows: tuple[str, ...], quota: int) -> None:
        self.root, self.cast, self.windows, self.quota = root, cast, windows, quota

    def type(self, command, *words, code=0):
        ended = CliRunner(env={"COLUMNS": "300"}).invoke(app, [command, str(self.root), *map(str, words)])
        assert ended.exit_code == code, ended.output
        return ended.output

    def data(self, command, *words):
        return json.loads(self.type(command, *words, "--json"))


@pytest.fixture(params=["made", pytest.param("schnitzler-letters-de", marks=pytest.mark.shared)])
def desk(request, tmp_path, monkeypatch):
    encoder, cast = HashingEncoder(), Cast()
    for module in (archive, encoders):
        monkeypatch.setattr(module, "available", lambda: (encoder,))
        monkeypatch.setattr(module, "encoder", lambda _name: encoder)
    monkeypatch.setattr(asking, "available", lambda: (encoder,))
    monkeypatch.setattr(models, "installed", lambda _kind: {name: cast.named(name) for name in ("even", "odd", "pen")})
    if request.param == "made":
        source, quota = tmp_path / "letters.jsonl", 2
        source.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in made()), encoding="utf-8")
    else:
        source, quota = request.getfixturevalue("shared_data") / request.param / "docs.jsonl", 20
    found = Desk(tmp_path / "archive", cast, ("--windows", "1y", "--between", "1893/1899"), quota)
    found.type("init")
    with (found.root / "vestigia.toml").open("a", encoding="utf-8") as settings:  # it ends with [rules]
        settings.write(f"review_size = {BATCH}\n")
    found.type("add", source)
    return found


def made():
    """Four letters of each of seven years; one of each year is a reprint of another."""
    for year in range(1893, 1900):
        for number in range(3):
            words = f"Lieber Freund, die Reise {number} im Jahr {year} führte nach Aussee. Wir kamen, {number + 1}."
            yield {"id": f"{year}-{number}", "text": words, "date": f"{year}-05-0{number + 1}"}
        yield {"id": f"{year}-x", "text": f"Von Steuern und Zöllen schrieb man {year} viel.", "date": f"{year}-06-01"}


def adds_up(counts):
    decided = counts["accepted"] + sum(one["sources"] for one in counts["rejected"])
    assert counts["found"] == counts["gone"] + counts["reprints"] + counts["left"] + counts["taken"]
    assert counts["taken"] == counts["withdrawn"] + counts["repeated"] + counts["screened"]
    assert counts["screened"] == decided + counts["flagged"] + counts["conflicting"] + counts["undecided"]
    assert all(one["judged"] + one["not_judged"] == counts["screened"] for one in counts["judged"])
    return counts


def curated_by_two(desk, run, names, table):
    """Ada decides about all, Bo disagrees about one and then resolves it; a seal before that is refused."""
    third = len(names) // 3
    keep = [word for name in names[: 2 * third] for word in ("--accept", name)]
    rows = [f"{name},reject,off topic" for name in names[2 * third :]]
    table.write_text("document,act,reason\n" + "\n".join(rows) + "\n", encoding="utf-8")
    adds_up(desk.data("curate", run, *keep, "--as", "Ada")["counts"])
    adds_up(desk.data("curate", run, "--from", table, "--as", "Ada")["counts"])
    quarrel = desk.data("curate", run, "--reject", names[0], "--because", "outside the period", "--as", "Bo")
    assert adds_up(quarrel["counts"])["conflicting"] == 1
    assert quarrel["conflicts"] == [names[0]]

    assert names[0] in desk.type("seal", run, "--statement", "Reisen.", "--as", "Ada", code=MISUSED)
    asked = ("interpret", run, *QUESTIONS, "--model", "pen")
    assert "no person has sealed a dossier" in desk.type(*asked, code=MISUSED)
    counts = adds_up(desk.data("curate", run, "--accept", names[0], "--resolve", "--as", "Bo")["counts"])
    assert (counts["accepted"], counts["rejected"]) == (2 * third, [{"reason": "off topic", "sources": len(rows)}])
    desk.type("seal", run, "--statement", "Reisen nach Aussee.", "--as", "Ada")
    return 2 * third


def test_h1_h9_from_a_description_to_an_interpretation_by_acts_of_people_alone(desk, tmp_path):
    survey = desk.data("survey", "Eine Reise nach Aussee", *desk.windows, "--quota", desk.quota)
    assert [len(window["sources"]) for window in survey["windows"]] == [desk.quota] * 7
    assert survey["sources"] == 7 * desk.quota

    judge = ("judge", survey["run"], "--rubric", "testimony", "--model")
    judgings = [desk.data(*judge, name)["run"] for name in ("even", "odd")]
    sort = [word for run in judgings for word in ("--judging", run)]
    found = desk.data("curate", survey["run"], *sort)
    run, names = found["run"], [source["document"] for source in found["sources"]]
    counts = adds_up(found["counts"])
    assert counts["taken"] == counts["screened"] == counts["undecided"] == 7 * desk.quota
    assert [one["judged"] for one in counts["judged"]] == [7 * desk.quota] * 2
    best = [min(("keep", "look", "drop").index(one["band"]) for one in s["presorted"]) for s in found["sources"]]
    assert best == sorted(best)
    assert len(set(best)) > 1

    accepted = curated_by_two(desk, run, names, tmp_path / "rest.csv")
    room = desk.data("dossier", run)
    assert sum(len(window["sources"]) for window in room["windows"]) == room["sources"] == accepted
    assert len(room["windows"]) == 7

    (written,) = desk.data("interpret", run, *QUESTIONS, "--model", "pen")["interpretations"]
    assert written["dossier"]["sources"] == accepted
    assert len(written["rubrics"]) == 1
    (version,) = written["rubrics"]
    assert written["label"].endswith(f"rubric: testimony ({version[7:19]})")
    outcomes = Counter(quote["sealed"] for quote in written["chapters"][0]["quotes"])
    assert outcomes[True] == accepted
    assert outcomes[False] == -(-accepted // BATCH)
    unproven = [claim["id"] for chapter in written["chapters"] for claim in chapter["claims"] if not claim["proven"]]
    assert len(unproven) == 4
    assert unproven[0::2] == written["unsigned"]

    out = tmp_path / "reise.md"
    assert "not sealed" in desk.type("interpret", written["run"], "--out", out, code=MISUSED)
    for claim in written["unsigned"]:
        desk.type("contest", written["run"], claim, "--sign", "--because", "gesehen", "--as", "Ada")
    desk.type("interpret", written["run"], "--out", out)
    text = out.read_text(encoding="utf-8")
    assert text.count("Machine-made proposal, not a finding: by pen") == 4
    assert text.count("**unproven**") == 4

    for done in (survey["run"], *judgings, written["run"]):
        assert desk.data("replay", done)["finished"] is True
        assert "are as they were written" in " ".join(desk.type("verify", done).split())
    assert desk.data("resume", run, "--as", "Ada")["finished"] is True
    assert desk.data("replay", run)["finished"] is True


@pytest.mark.parametrize("desk", ["made"], indirect=True)
def test_h9_whatever_call_stays_without_answer_the_interpretation_goes_on_to_the_same_end(desk):
    desk.type("survey", "Eine Reise nach Aussee", *desk.windows, "--quota", 2)
    names = [source["document"] for source in desk.data("curate")["sources"]]
    desk.type("curate", *[word for name in names for word in ("--accept", name)], "--as", "Ada")
    run = desk.data("seal", "--statement", "Reisen.", "--as", "Ada")["run"]
    asked = ("interpret", run, *QUESTIONS, "--model", "pen")
    desk.cast.calls = 0
    (whole,) = desk.data(*asked)["interpretations"]
    calls = desk.cast.calls
    assert calls == 7

    for silent in range(1, calls + 1):
        desk.cast.calls, desk.cast.silent_at = 0, silent
        assert "resume" in desk.type(*asked, code=NO_MODEL)
        assert desk.data("show")["paused"] == "no answer Resume later."
        again = desk.data("resume")
        assert [said(one) for one in again["chapters"]] == [said(one) for one in whole["chapters"]]
        assert again["finished"] is True


def said(chapter):
    """A chapter without when it was written."""
    return {name: value for name, value in chapter.items() if name != "at"}
