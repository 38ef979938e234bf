"""A person measures the search on questions they judged themselves, at the terminal (T18, B15)."""

import json
import re
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from vestigia.app import models
from vestigia.app.evaluating import Options, reference
from vestigia.cli.commands import app
from vestigia.domain.errors import ModelUnavailableError, UsageError
from vestigia.models.scripted import ScriptedModel

LETTERS = [
    ("D1", "1887-03-11", "Die Brücke über den Fluss ist am Montag eröffnet worden."),
    ("D2", "1888-05-02", "Die Brücke über den Fluss ist am Montag gesperrt worden."),
    ("D3", "1889-07-01", "Marie schreibt aus Wien über das Theater und den Winter."),
    ("D4", "1890-01-15", "Das Bürgermeifteramt verkauft Holz aus dem Stadtwald."),
    ("D5", "1891-02-20", "Der Zoll an der Grenze bleibt bestehen, sagt der Rat."),
    ("D6", "", "Ein Blatt ohne Datum über die Ernte und den Markt."),
]
QUERIES = [
    ("q1", "year", "Brücke 1888", ["D2"]),
    ("q2", "name", "Marie Theater", ["D3"]),
    ("q3", "name", "Bürgermeisteramt", ["D4"]),
    ("q4", "year", "Zoll Grenze", ["D5"]),
    ("q5", "none", "Mondfahrt", []),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A collection of six letters, five questions and four judgments."""
    root = tmp_path_factory.mktemp("work")
    letters = root / "letters"
    letters.mkdir()
    docs = [{"id": name, "title": f"Brief {name}", "date": date, "text": text} for name, date, text in LETTERS]
    queries = [{"id": name, "kind": kind, "query": text} for name, kind, text, _ in QUERIES]
    for name, records in (("docs.jsonl", docs), ("queries.jsonl", queries)):
        lines = (json.dumps(record, ensure_ascii=False) for record in records)
        (letters / name).write_text("\n".join(lines), encoding="utf-8")
    gold = [f"{name}\t0\t{document}\t1" for name, _, _, found in QUERIES for document in found]
    (letters / "qrels.tsv").write_text("\n".join(gold), encoding="utf-8")
    return root


def said(*arguments, code=0):
    ended = CliRunner().invoke(app, ["evaluate", *map(str, arguments)])
    assert ended.exit_code == code, ended.stderr
    return ended


@pytest.fixture(scope="module")
def measured(folder):
    """The whole report of the default systems and some channels, in all the forms it has."""
    systems = "words,characters,bm25,dense,hybrid,hybrid+date,equal,extractive,extractive-orientation,trace-2026,"
    ended = said(
        folder / "letters",
        "--archive",
        folder / "cache",
        "--systems",
        f"{systems}historag-2026,ask",
        "--repeat",
        2,
        "--json",
        folder / "report.json",
        "--html",
        folder / "report.html",
        "--runs",
        folder / "runs",
    )
    return ended.stdout, json.loads((folder / "report.json").read_text(encoding="utf-8"))


def ranking(folder, system, query):
    lines = (folder / "runs" / f"letters.{system}.run").read_text(encoding="utf-8").splitlines()
    return [line.split()[2] for line in lines if line.split()[0] == query]


def test_the_archive_is_built_once_and_searched(folder, measured):
    (collection,) = measured[1]["collections"]
    assert collection["archive"]["documents"] == 6
    assert collection["archive"]["dated"] == 5
    assert "meaning:universal" in collection["archive"]["channels"]
    assert (folder / "cache" / "letters" / "vestigia.toml").exists()
    assert not list((folder / "cache" / "letters").glob("runs/*"))


def test_the_table_at_the_terminal_has_every_system_and_kind(measured):
    text, report = measured
    names = list(report["systems"])
    assert all(f"| {name} " in text for name in names)
    assert re.search(r"\| all \(4\) +\| words", text)
    assert re.search(r"\| name \(2\) +\| words", text)
    assert "RR-all" in text


def test_systems_differ_as_they_should(folder, measured):
    assert ranking(folder, "bm25", "q4") == ranking(folder, "words", "q4")
    assert ranking(folder, "bm25", "q3") == []
    assert ranking(folder, "characters", "q3")[0] == "D4"
    assert ranking(folder, "hybrid", "q3")[0] == "D4"
    assert ranking(folder, "hybrid+date", "q1")[0] == "D2"
    assert set(ranking(folder, "dense", "q2")) == {name for name, _, _ in LETTERS}
    assert set(ranking(folder, "historag-2026", "q2")) == {name for name, date, _ in LETTERS if date}
    assert ranking(folder, "hybrid+date", "q2") == ranking(folder, "hybrid", "q2")
    assert ranking(folder, "extractive", "q2")[0] == "D3"


def test_only_runs_accept_and_their_sets_are_measured(measured):
    (collection,) = measured[1]["collections"]
    measures = {
        system: {r["measure"] for r in collection["reached"] if r["system"] == system}
        for system in ("hybrid", "extractive", "trace-2026")
    }
    assert "set P" not in measures["hybrid"]
    assert {"set P", "set R"} <= measures["extractive"] & measures["trace-2026"]
    assert {row["system"] for row in collection["unanswered"]} == {
        "extractive",
        "extractive-orientation",
        "trace-2026",
        "ask",
    }
    assert {row["group"] for row in collection["unanswered"]} == {"none"}


def test_asking_twice_gives_the_same_rankings_and_says_so(folder, measured):
    (collection,) = measured[1]["collections"]
    assert {row["same"] for row in collection["repeated"]} == {True}
    first = (folder / "runs" / "letters.extractive.run").read_text(encoding="utf-8")
    again = (folder / "runs" / "letters.extractive.2.run").read_text(encoding="utf-8")
    assert again.replace("extractive.2", "extractive") == first


def test_the_archive_s_own_settings_are_a_system_too(folder, measured):
    assert ranking(folder, "ask", "q1") == ranking(folder, "extractive", "q1")


def test_the_page_is_written(folder, measured):
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_measuring_again_on_what_was_built_prints_data(folder, measured):
    report = json.loads(
        said(
            folder / "letters",
            "--archive",
            folder / "cache",
            "--systems",
            "bm25,hybrid",
            "--half",
            1,
            "--against",
            "bm25",
            "--json",
            "-",
        ).stdout
    )
    (collection,) = report["collections"]
    assert collection["sizes"]["all"] == 2
    assert {test["against"] for test in collection["tests"]} == {"bm25"}
    assert report["half"] == 1


def test_one_s_own_judged_questions_on_one_s_own_archive(folder, measured):
    (folder / "mine.csv").write_text("question,document\nMarie Theater,D3\nMond,D9\n", encoding="utf-8")
    text = said(folder / "mine.csv", "--archive", folder / "cache" / "letters", "--systems", "bm25,extractive").stdout
    assert "1 judged documents are not in the archive and count as missed." in text
    assert re.search(r"\| all \(2\) +\| bm25 +\| \.500", text)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["absent"], "no such file or folder"),
        (["mine.csv"], "no documents of its own"),
        (["letters", "letters"], "two collections have the same name"),
        (["letters", "--systems", "magic"], "there is no system 'magic'"),
        (["letters", "--systems", "bm25", "--against", "dense"], "the system 'dense' is not measured"),
        (["letters", "--systems", ","], "no system is named"),
        (["letters", "--systems", "ask:absent"], "there is no model 'absent'"),
        (["letters", "--systems", "bm25,bm25"], "is named twice"),
    ],
)
def test_what_cannot_be_measured_is_refused(folder, measured, monkeypatch, arguments, words):
    monkeypatch.chdir(folder)
    (folder / "mine.csv").write_text("question,document\nMarie Theater,D3\n", encoding="utf-8")
    assert words in said(*arguments, "--archive", folder / "cache", code=2).stderr


def test_a_report_that_cannot_be_written_is_told(folder, measured):
    blocked = folder / "mine.csv" / "x"
    (folder / "mine.csv").write_text("question,document\nMarie Theater,D3\n", encoding="utf-8")
    arguments = (folder / "letters", "--archive", folder / "cache", "--systems", "bm25")
    for option in ("--html", "--json", "--runs"):
        assert "cannot be written" in said(*arguments, option, blocked, code=3).stderr


def test_a_model_that_gives_no_answer_fails_that_question_and_no_other(folder, measured, monkeypatch):
    def script(request, passages):
        raise ModelUnavailableError("the server is gone.")

    monkeypatch.setattr(models, "installed", lambda group: {"mute": lambda: ScriptedModel(script, "mute")})
    report = json.loads(
        said(folder / "letters", "--archive", folder / "cache", "--systems", "bm25,ask:mute", "--json", "-").stdout
    )
    (collection,) = report["collections"]
    assert collection["failed"] == [{"system": "ask:mute", "questions": 5, "example": "the server is gone."}]
    assert {row["system"] for row in collection["reached"]} == {"bm25"}


def test_an_archive_is_encoded_with_a_further_encoder_where_that_is_asked(folder, measured):
    arguments = ("--archive", folder / "cache", "--systems", "meaning:universal", "--every", 4)
    assert "| meaning:universal " in said(folder / "letters", *arguments, "--encode", "universal").stdout
    assert "there is no encoder 'other'" in said(folder / "letters", *arguments, "--encode", "other", code=2).stderr


def test_a_channel_that_finds_nothing_for_a_question_without_a_date_ranks_nothing(folder, measured):
    arguments = ("--archive", folder / "cache", "--systems", "date,hybrid", "--runs", folder / "dates")
    said(folder / "letters", *arguments)
    lines = (folder / "dates" / "letters.date.run").read_text(encoding="utf-8").splitlines()
    assert {line.split()[0] for line in lines} == {"q1"}
    assert lines[0].split()[2] == "D2"


def test_the_reference_is_hybrid_if_measured_else_the_first():
    assert reference(Options(("bm25", "hybrid"))) == "hybrid"
    assert reference(Options(("dense", "bm25"))) == "dense"
    with pytest.raises(UsageError):
        reference(replace(Options(("bm25",)), against="hybrid"))


def test_a_simulated_reviewer_is_measured_with_and_without_the_mechanisms_of_a_run(folder):
    systems = "bm25,simulated,trace-2026:simulated"
    ended = said(folder / "letters", "--archive", folder / "cache", "--systems", systems, "--ablate", "--json", "-")
    (collection,) = json.loads(ended.stdout)["collections"]
    costs = {cost["system"]: cost for cost in collection["costs"]}
    ours = [f"simulated{off}" for off in (*ABLATED, "-second_look", "-orientation", "-witnesses", "")]
    runs = [*ours, *(f"trace-2026:simulated{off}" for off in (*ABLATED, ""))]
    assert list(costs) == ["bm25", *runs]
    assert all(costs[run]["tokens"] > 0 for run in runs)
    assert costs["bm25"]["tokens"] == 0
    assert costs["simulated-holds-warm_start-memory-decomposition"]["calls"] < costs["simulated"]["calls"]


ABLATED = ("-holds-warm_start-memory-decomposition", "-holds-warm_start-memory", "-holds-warm_start", "-holds")
