"""The commands that look after an archive, as typed: what they print, ask, refuse and leave behind."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vestigia.app import archive as filling
from vestigia.app import asking, encoders
from vestigia.cli.commands import app
from vestigia.cli.outcome import MISUSED, UNUSABLE
from vestigia.models.encoders.hashing import HashingEncoder

LETTERS = [
    {"id": "V1", "text": "Die Brücke über die Alzette wurde von Pionieren gesprengt.", "date": "1887-03-11"},
    {"id": "V2", "text": "Der Gemeinderat beschließt den Bau einer neuen Brücke.", "date": "1887-05-02"},
]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Types a command in a folder with the archive `a`; returns what it printed, after checking how it ended."""
    encoder = HashingEncoder()
    for module in (filling, encoders):
        monkeypatch.setattr(module, "available", lambda: (encoder,))
        monkeypatch.setattr(module, "encoder", lambda _name: encoder)
    monkeypatch.setattr(asking, "available", lambda: (encoder,))
    monkeypatch.chdir(tmp_path)
    terminal = CliRunner(env={"COLUMNS": "200"})

    def typed(*arguments: str, code: int = 0, answer: str = "") -> str:
        ended = terminal.invoke(app, list(arguments), input=answer)
        assert ended.exit_code == code, ended.output
        return ended.output

    write("letters.jsonl", LETTERS)
    typed("init", "a", "--name", "Papiers")
    typed("add", "a", "letters.jsonl", "--sub-corpus", "Letters")
    return typed


def write(name: str, records: list[dict[str, str]]) -> None:
    lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records)
    Path(name).write_text(lines, encoding="utf-8")


def data(printed: str):
    return json.loads(printed)


def test_a_description_is_kept_shown_and_taken_back(run):
    printed = run("describe", "a", "Letters", "--genre", "letters", "--language", "de", "--language", "lb")
    assert "genre: letters" in printed
    assert "languages: de, lb" in printed
    assert "rights: not said" in printed
    assert data(run("describe", "a", "Letters", "--genre", "", "--access", "personal", "--json")) == {
        "sub_corpus": "Letters",
        "genre": None,
        "languages": ["de", "lb"],
        "rights": None,
        "source": None,
        "description": None,
        "access": "personal",
    }
    assert data(run("describe", "a", "Letters", "--language", "", "--json"))["languages"] is None


def test_status_shows_what_was_said(run):
    run("describe", "a", "Letters", "--genre", "private letters", "--source", "Stadtarchiv", "--access", "personal")
    assert "Letters: private letters; Stadtarchiv; may be used: personal" in run("status", "a")
    (shown,) = data(run("status", "a", "--json"))["sub_corpora"]
    assert (shown["genre"], shown["source"], shown["access"]) == ("private letters", "Stadtarchiv", "personal")


@pytest.mark.parametrize(
    "arguments",
    [
        ("describe", "a", "Letter", "--genre", "x"),
        ("describe", "a", "Letters", "--access", "shut"),
        ("rename", "a", "Letter", "Briefe"),
        ("rename", "a", "Letters", "Letters"),
        ("delete", "a", "V9", "--yes"),
        ("delete", "a", "--file", "nowhere.jsonl", "--yes"),
        ("delete", "a", "V1", "--json"),
        ("report", "nowhere"),
    ],
)
def test_what_is_put_wrongly_is_refused_with_what_to_do(run, arguments):
    before = data(run("report", "a", "--json"))
    assert run(*arguments, code=MISUSED).strip()
    assert data(run("report", "a", "--json")) == before


def test_a_sub_corpus_is_renamed(run):
    assert "2 documents are now of “Briefe”" in run("rename", "a", "Letters", "Briefe")
    assert data(run("rename", "a", "Briefe", "Letters", "--json")) == {"sub_corpus": "Letters", "documents": 2}


def test_a_deletion_asks_first_and_no_leaves_everything(run):
    printed = run("delete", "a", "V1", "V2", code=1, answer="n\n")
    assert "Delete 2 documents for good" in printed
    assert "V1" in printed
    assert data(run("status", "a", "--json"))["documents"] == 2


def test_a_deletion_that_is_confirmed_is_carried_out(run):
    assert "1 documents deleted" in run("delete", "a", "V1", answer="y\n")
    assert "Nothing was found" in run("search", "a", "Pionieren", "--channel", "words")


@pytest.mark.parametrize("chosen", [("V1", "V2"), ("--file", "letters.jsonl"), ("--sub-corpus", "Letters")])
def test_a_deletion_by_id_file_or_sub_corpus_is_told_as_data(run, chosen):
    assert data(run("delete", "a", *chosen, "--yes", "--json")) == {"documents": ["V1", "V2"], "runs": []}
    assert data(run("status", "a", "--json"))["documents"] == 0


def test_a_deletion_of_nothing_rewrites_the_files_and_asks_nothing(run):
    assert data(run("delete", "a", "--json")) == {"documents": [], "runs": []}
    assert "0 documents deleted" in run("delete", "a")
    assert "V1" in run("search", "a", "Pionieren")


def test_a_deletion_names_the_runs_that_keep_titles_and_quotations(run):
    made = data(run("ask", "a", "Wer hat die Brücke gesprengt?", "--json"))["run"]
    assert data(run("delete", "a", "V1", "--yes", "--json"))["runs"] == [made]
    printed = run("delete", "a", "V2", "--yes")
    assert made in printed
    assert "cannot be altered" in printed
    shown = run("show", "a")
    assert "withdrawn source" in shown
    assert "Pionieren" not in shown
    run("verify", "a")
    run("replay", "a")


def test_a_closed_text_is_printed_by_no_command_unless_asked_for(run):
    run("describe", "a", "Letters", "--access", "closed")
    for command in (("search", "a", "Pionieren Brücke"), ("ask", "a", "Wer hat die Brücke gesprengt?"), ("show", "a")):
        for form in ((), ("--json",)):
            assert "Pionieren" not in run(*command, *form).replace("Pionieren Brücke", "")
        assert "von Pionieren gesprengt" in run(*command, "--closed")
    assert "closed source: --closed shows its text" in run("search", "a", "Brücke")


def test_an_update_is_told(run):
    write("letters.jsonl", [LETTERS[0] | {"text": "Die Brücke steht noch."}, LETTERS[1]])
    assert "--update" in run("add", "a", "letters.jsonl", "--sub-corpus", "Letters")
    assert "1 documents replaced by a new version" in run(
        "add", "a", "letters.jsonl", "--sub-corpus", "Letters", "--update"
    )
    assert data(run("add", "a", "letters.jsonl", "--sub-corpus", "Letters", "--json"))["updated"] == 0


def test_twins_and_copies_are_listed(run):
    long = " ".join(one["text"] for one in LETTERS) + " Der Bürgermeister dankt allen, die geholfen haben, von Herzen."
    write("more.jsonl", [{"id": "N1", "text": long, "date": "1890"}, {"id": "N2", "text": long.upper()}])
    write("twin.jsonl", [{"id": "N1", "text": long.replace("Brücke", "Brückc"), "date": "1890"}])
    run("add", "a", "more.jsonl")
    assert "1 records not taken in" in run("add", "a", "twin.jsonl")
    printed = run("duplicates", "a")
    for words in ("undated", "N1", "N2", "100% recurs", "Not taken in: 1 records", "twin.jsonl:line 1 = N1"):
        assert words in printed
    found = data(run("duplicates", "a", "--json"))
    assert [one["document"] for one in found["clusters"][0]["documents"]] == ["N1", "N2"]
    assert found["clusters"][0]["documents"][1]["date"] is None
    assert (found["twins"][0]["file"], found["twins"][0]["record"]) == ("twin.jsonl", "line 1")


def test_where_nothing_is_held_twice_that_is_said(run):
    assert "No two documents say the same." in run("duplicates", "a")
    assert data(run("duplicates", "a", "--json")) == {"clusters": [], "twins": []}


def test_the_report_is_printed_written_and_given_as_data(run):
    write("bad.jsonl", [{"id": "V1", "text": "Ganz etwas anderes."}])
    run("add", "a", "bad.jsonl", code=1)
    printed = run("report", "a")
    for words in (
        "Papiers: 2 documents, 0 undated",
        "1887",
        "bad.jsonl: 1 records, the first: the id 'V1'",
        "2 files, 1 refused",
        "unknown: 2",
    ):
        assert words in printed
    assert "Written: r.html" in run("report", "a", "--html", "r.html")
    assert Path("r.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    found = data(run("report", "a", "--json"))
    assert (found["windows"], found["sub_corpora"][0]["by_window"], found["files"]) == (["1887"], [2], 2)


def test_a_page_that_cannot_be_written_is_an_error_that_says_where(run):
    assert "nowhere" in run("report", "a", "--html", "nowhere/r.html", code=UNUSABLE)


def test_many_sub_corpora_stand_below_each_other(run):
    for number in range(9):
        record = {"id": f"S{number}", "text": f"Text {number}.", "date": "1887", "sub_corpus": f"Part {number}"}
        write("one.jsonl", [record])
        run("add", "a", "one.jsonl")
    lines = run("report", "a").splitlines()
    (head,) = [line for line in lines if line.startswith("time")]
    assert head.split() == ["time", "1887", "wider", "undated"]
    assert any(line.startswith("Part 8") for line in lines)
