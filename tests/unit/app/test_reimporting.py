"""Lists that come back as typed: each act once, as the person's; what is not known is named, the rest goes on."""

import csv
import json
import shutil

import pytest

from fakes.prepared import LETTERS, archive_of, typist, without_weights
from vestigia.app.curating import REASONS
from vestigia.app.workspace import open_workspace
from vestigia.cli.outcome import FAILED, MISUSED

PAPER = {"id": "P1", "text": "Die Brücke steht.", "date": "1887-06", "signatur": "AM 5", "url": "https://e.example/1"}
ELSEWHERE = {"id": "P9", "text": "Ganz anderes."}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """The archive and a curation of all but one of its sources."""
    with without_weights():
        parts = {"Letters": LETTERS, "Papers": [PAPER], "Other": [ELSEWHERE]}
        made = archive_of(tmp_path_factory.mktemp("prepared"), parts)
        period, within = ("--windows", "1887-01/1887-12"), ("-s", "Letters", "-s", "Papers")
        typist(made)("survey", "Die Brücke", *period, *within)
        typist(made)("curate", "--as", "Ada")
        yield made.root


@pytest.fixture
def typed(prepared, tmp_path):
    return typist(open_workspace(shutil.copytree(prepared, tmp_path / "archive")))


@pytest.fixture
def curation(typed):
    """With a curation as the last run."""
    return typed


def standings(typed) -> dict[str, str]:
    return {source["document"]: source["standing"] for source in json.loads(typed("curate", "--json"))["sources"]}


def filled_in(path, **decisions: dict[str, str]) -> None:
    """Write into a table of our own what a person would."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    rows = [row | decisions.get(row["document"], {}) for row in rows]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], delimiter=";")
        writer.writeheader()
        writer.writerows(rows)


def back(typed, path, *options: object, code: int = 0) -> dict[str, object]:
    ended = typed("reimport", "last", path, "--as", "Ada", *options, "--json", code=code)
    return json.loads(ended[: ended.rindex("}") + 1])


@pytest.mark.parametrize("ending", ["csv", "xlsx", "ris", "tropy.csv"])
def test_an_untouched_list_changes_nothing(curation, tmp_path, ending):
    curation("curate", "--accept", "V1", "--tag", "V1=bridge", "--note", "V1=look again", "--as", "Bo")
    curation("export", "last", tmp_path / f"a.{ending}", "--all")
    told = back(curation, tmp_path / f"a.{ending}")

    assert (told["rows"], told["known"], told["recorded"], told["problems"]) == (3, 3, 0, [])
    assert standings(curation) == {"V1": "accepted", "V2": "undecided", "P1": "undecided"}


def test_what_was_written_into_the_table_is_recorded_once(curation, tmp_path):
    table = tmp_path / "a.csv"
    curation("export", "last", table, "--all")
    said = {"decision": "Reject", "reason": "off topic", "note": "=not a formula", "tag": "war; bridge"}
    filled_in(table, V1={"decision": "accept"}, V2=said, P1={"decision": "hold", "reason": "who wrote it?"})
    told = back(curation, table)

    assert (told["recorded"], told["before"], told["problems"]) == (7, 0, [])
    assert standings(curation) == {"V1": "accepted", "V2": "rejected", "P1": "flagged"}
    found = {one["document"]: one for one in json.loads(curation("curate", "--json"))["sources"]}
    assert found["V2"]["reason"] == "off topic"
    assert [(d["by"], d["note"] or d["tag"]) for d in found["V2"]["remarks"]] == [
        ("Ada", "=not a formula"), ("Ada", "war"), ("Ada", "bridge"),
    ]  # fmt: skip
    assert [d["note"] for d in found["P1"]["remarks"]] == ["who wrote it?"]

    again = back(curation, table)
    assert (again["recorded"], again["before"]) == (0, 7)


def test_tags_and_notes_of_zotero_come_back_as_a_person_s(curation, tmp_path):
    path = tmp_path / "a.ris"
    curation("export", "last", path, "--all")
    written = path.read_bytes().decode()
    record = next(one for one in written.split("\r\n\r\n") if "CN  - V2" in one)
    mine = record.replace("ER  - ", "N1  - <p>Mine</p>\r\nKW  - war\r\nKW  - vestigia:reject=off topic\r\nER  - ")
    path.write_bytes(written.replace(record, mine).encode())

    assert back(curation, path)["recorded"] == 3
    assert standings(curation) == {"V1": "undecided", "V2": "rejected", "P1": "undecided"}
    assert back(curation, path)["recorded"] == 0


def test_a_list_that_was_lost_is_there_again(curation, tmp_path):
    (tmp_path / "mine.csv").write_text("title,url\nOld copy,https://e.example/1\n", encoding="utf-8")
    assert back(curation, tmp_path / "mine.csv", "--listed", "accept")["recorded"] == 1
    (tmp_path / "mine.csv").write_text("identifier,decision\nV1,\nV2,reject\n", encoding="utf-8")
    assert back(curation, tmp_path / "mine.csv", "--listed", "accept")["recorded"] == 2
    assert standings(curation) == {"V1": "accepted", "V2": "rejected", "P1": "accepted"}
    (tmp_path / "mine.csv").write_text("shelfmark,decision\nAM 5,hold\n", encoding="utf-8")
    assert back(curation, tmp_path / "mine.csv")["recorded"] == 1


def test_what_cannot_be_taken_back_is_named_by_line_and_the_rest_goes_on(curation, tmp_path):
    table = tmp_path / "a.csv"
    rows = [
        "document,title,decision,reason",
        "V1,,accept,",
        "Z9,Lost,accept,",
        "P9,,accept,",
        "V1,,reject,",
        "P1,,burn,",
    ]
    table.write_text("\n".join([*rows, "V2,,reject,dull", ",,accept,"]), encoding="utf-8")
    told = back(curation, table)

    assert told["recorded"] == 1
    assert [problem.removeprefix(f"{table}, ") for problem in told["problems"]] == [
        "line 5: V1 stands there twice; this row was passed over",
        "line 3: Lost: the archive does not know it",
        "line 4: P9: P9 is in the archive, but not in this run",
        "line 8: a row that names nothing: the archive does not know it",
        "line 6: 'burn' is no decision; write accept, reject or hold",
        f"line 7: 'dull' is no reason of the project's list ({'; '.join(REASONS)})",
    ]
    assert standings(curation) == {"V1": "accepted", "V2": "undecided", "P1": "undecided"}


def test_a_row_whose_cells_name_two_documents_decides_about_neither(curation, tmp_path):
    """As when one column of a table was sorted and the others were not."""
    (tmp_path / "a.csv").write_text(
        "document,passages,decision\nV1,V2#0-9,accept\nP1,P1#0-9,accept\n", encoding="utf-8"
    )
    told = back(curation, tmp_path / "a.csv")
    assert told["problems"] == [
        f"{tmp_path / 'a.csv'}, line 2: it names V2 and V1; say which, this row was passed over"
    ]
    assert standings(curation) == {"V1": "undecided", "V2": "undecided", "P1": "accepted"}


def test_a_shelf_mark_that_is_the_identifier_of_another_source_is_no_second_name(tmp_path):
    """As in a box whose pieces are numbered like the lines of the register."""
    register = [
        {"id": "1", "text": "Die Brücke steht.", "date": "1887-06", "signatur": "2"},
        {"id": "2", "text": "Die Brücke hält noch.", "date": "1887-07", "signatur": "1"},
    ]
    with without_weights():
        typed = typist(archive_of(tmp_path, {"Papers": register}))
        typed("survey", "Die Brücke", "--windows", "1887-01/1887-12")
    typed("curate", "--as", "Ada")
    (tmp_path / "a.csv").write_text("document,shelfmark,decision\n1,2,accept\n2,1,reject\n", encoding="utf-8")
    assert back(typed, tmp_path / "a.csv")["problems"] == []
    assert standings(typed) == {"1": "accepted", "2": "rejected"}


@pytest.mark.parametrize("content", ["document,Entscheidung\nV1,accept\n", "document,decision\n"])
def test_a_file_that_says_nothing_is_told_where_decisions_stand(curation, tmp_path, content):
    (tmp_path / "a.csv").write_text(content, encoding="utf-8")
    said = curation("reimport", "last", tmp_path / "a.csv", "--as", "Ada")
    assert "No row says anything: decisions stand in a column `decision`" in said


def test_a_file_that_says_something_is_not_told_so(curation, tmp_path):
    (tmp_path / "a.csv").write_text("document,decision\nV1,accept\n", encoding="utf-8")
    assert "No row says anything" not in curation("reimport", "last", tmp_path / "a.csv", "--as", "Ada")


def test_a_file_of_which_nothing_is_known_fails(curation, tmp_path):
    (tmp_path / "a.csv").write_text("document\nZ9\n", encoding="utf-8")
    said = curation("reimport", "last", tmp_path / "a.csv", "--as", "Ada", code=FAILED)
    assert "0 of 1 rows are of documents of" in said
    assert "line 2: Z9: the archive does not know it" in said


def test_decisions_come_back_into_the_run_of_a_question(typed, tmp_path):
    typed("ask", "Wer hat die Brücke über die Alzette gesprengt?")
    table = tmp_path / "a.csv"
    typed("export", "last", table, "--all")
    filled_in(table, V1={"decision": "reject", "reason": "dull"}, V2={"decision": "accept", "note": "good"})
    told = back(typed, table)

    assert (told["recorded"], told["before"]) == (2, 0)
    assert ["notes and tags are kept by a curation" in problem for problem in told["problems"]] == [True]
    shown = json.loads(typed("show", "--json"))
    assert [(row["document"], row["reasons"][-1]) for row in shown["removed"]] == [
        ("V1", {"reason": "dull", "by": "Ada", "decision": "reject"})
    ]
    assert back(typed, table)["before"] == 2


@pytest.mark.parametrize(
    ("options", "said"), [((), "every decision has an author"), (("--as", " "), "every decision has an author")]
)
def test_nothing_comes_back_from_nobody(curation, tmp_path, options, said):
    (tmp_path / "a.csv").write_text("document,decision\nV1,accept\n", encoding="utf-8")
    assert said in curation("reimport", "last", tmp_path / "a.csv", *options, code=MISUSED)
    assert set(standings(curation).values()) == {"undecided"}


def test_what_is_decided_of_all_that_is_listed_is_a_decision(curation, tmp_path):
    (tmp_path / "a.csv").write_text("document,decision\nV1,accept\nV2,\n", encoding="utf-8")
    options = ("--as", "Ada", "--listed", "maybe")
    said = curation("reimport", "last", tmp_path / "a.csv", *options, code=MISUSED)
    assert "--listed: 'maybe' is no decision. Say accept, reject or hold." in said
    assert set(standings(curation).values()) == {"undecided"}


def test_a_survey_is_curated_first(typed, tmp_path):
    typed("survey", "Die Brücke", "--windows", "1887-01/1887-12")
    (tmp_path / "a.csv").write_text("document,decision\nV1,accept\n", encoding="utf-8")
    assert "Curate it first" in typed("reimport", "last", tmp_path / "a.csv", "--as", "Ada", code=MISUSED)
