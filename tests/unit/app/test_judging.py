"""Judging as typed: by a model, by a person in a blind sheet; shown, resumed, replayed; what cannot be is said."""

import csv
import json

import openpyxl
import pytest
from typer.testing import CliRunner

from fakes.judging import SCORES, Judges, filled
from vestigia.app import judging, models, works
from vestigia.app.care import describe
from vestigia.app.workspace import open_workspace
from vestigia.cli.commands import app
from vestigia.cli.outcome import MISUSED, NO_MODEL
from vestigia.engine import runs
from vestigia.inquiry.judge import SHEET

TERMINAL = CliRunner(env={"COLUMNS": "200"})


@pytest.fixture
def judges(monkeypatch):
    judges = Judges()
    made = {name: judges.made(name) for name in judges.scores}
    monkeypatch.setattr(models, "installed", lambda _group: made)
    return judges


@pytest.fixture
def typed(workspace, judges):
    def run(command: str, *arguments: str, code: int = 0) -> str:
        ended = TERMINAL.invoke(app, [command, str(workspace.root), *arguments])
        assert ended.exit_code == code, ended.output
        return ended.output

    run("survey", "Die neue Brücke", "--windows", "1887-01/1887-12", "--quota", "5")
    return run


def judged(typed, *options: str, model: str = "wise") -> dict:
    return json.loads(typed("judge", "--rubric", "attitudes", "--model", model, *options, "--json"))


def test_h3_each_source_has_argument_checked_quotation_and_score(typed):
    found = judged(typed)

    assert [(one["document"], one["score"], one["quote_check"]) for one in found["sources"]] == [
        ("V1", 9, "exact"),
        ("V2", 3, "exact"),
    ]
    assert found["sources"][0]["argument"] == "It says “Die Brücke”."
    assert [one["percentile"] for one in found["sources"]] == [75.0, 25.0]
    assert (found["judge"], found["person"], found["rubric"]["name"]) == ("wise", False, "attitudes")
    assert (found["passages"], found["judged"], found["not_judged"], found["waiting"]) == (2, 2, [], 0)
    assert (found["mean"], found["spread"], found["constant"]) == (6.0, 3.0, False)
    assert found["budget"]["calls"] == 2


def test_h1_the_judging_names_the_set_as_it_was_taken_over(typed, workspace):
    survey = json.loads(typed("show", "--json"))["run"]
    work = works.read(workspace, judged(typed)["run"])

    assert work.commission.origin == works.read(workspace, survey).origin
    assert [item.document for item in work.commission.items] == ["V1", "V2"]


def test_it_is_shown_replayed_resumed_and_judged_again_from_the_last_run(typed):
    page = typed("judge", "--rubric", "attitudes", "--model", "wise")

    assert "  9  V1" in page
    assert "percentile 75 of this judge's scores" in page
    assert "2 passages: 2 judged. Mean 6.00, spread 3.00." in page
    again, steps = page[: page.index("Next: ")], page[page.index("Next: ") :]
    assert typed("show") == typed("resume") == again
    assert [line.split()[2] for line in steps.splitlines()] == ["agreement", "curate"]
    assert "reproduced." in typed("replay")
    assert judged(typed)["set"] == judged(typed)["set"]


def test_h4_a_constant_judge_is_told(typed):
    assert judged(typed, model="flat")["constant"] is True
    assert "All scores are the same" in typed("judge", "--rubric", "attitudes", "--model", "flat", "last")


def test_a_score_beside_the_scale_is_not_judged_and_counted(typed, judges):
    judges.scores["wise"] = {"V1": 11, "V2": 3}
    found = judged(typed)

    assert found["not_judged"] == [{"reason": "score out of range", "passages": 1}]
    assert found["sources"][-1]["score"] is None
    assert found["sources"][-1]["not_judged"]["why"] == "11 is no score from 1 to 10"
    assert "2 passages: 1 judged; 1 score out of range." in typed("show")
    assert "not judged: score out of range: 11 is no score" in typed("show")


def test_a_judge_that_falls_silent_pauses_the_run_and_it_goes_on(typed, judges):
    judges.silent_at = 2
    said = typed("judge", "--rubric", "attitudes", "--model", "wise", code=NO_MODEL)

    assert "goes on where it stood" in said
    assert json.loads(typed("show", "--json"))["waiting"] == 2
    found = json.loads(typed("resume", "--json"))
    assert (found["judged"], found["judge"], found["finished"]) == (2, "wise", True)


def test_b11_what_is_closed_is_withheld_from_another_s_model_and_its_words_from_the_page(typed, workspace):
    judged(typed)
    describe(workspace, "Letters", {"access": "closed"})
    found = judged(typed)

    assert found["not_judged"] == [{"reason": "withheld by rights", "passages": 2}]
    older = json.loads(typed("runs", "--json"))[1]["run"]
    first = json.loads(typed("show", older, "--json"))["sources"][0]
    assert (first["quote"], first["argument"], first["withheld"]) == (None, "It says “…”.", "closed")
    assert json.loads(typed("show", older, "--closed", "--json"))["sources"][0]["quote"] == "Die Brücke"


def test_t16_a_limit_that_was_set_holds_and_the_rest_is_not_judged(typed, workspace):
    with (workspace.root / "vestigia.toml").open("a", encoding="utf-8") as file:
        file.write("[rules.budget]\ncalls = 1\n")
    found = judged(typed)

    assert found["partial"] == "1 model calls"
    assert found["not_judged"] == [{"reason": "limit reached", "passages": 1}]
    assert "1 model calls" in typed("show")


def test_what_was_taken_out_since_is_shown_without_its_words(typed):
    run = judged(typed)["run"]
    typed("delete", "V1", "--yes")
    first = json.loads(typed("show", run, "--json"))["sources"][0]

    assert (first["document"], first["withheld"], first["quote"], first["score"]) == ("V1", "withdrawn", None, 9)
    assert first["argument"] == "It says “…”."


def test_h3_without_a_language_model_nobody_judges(typed):
    said = typed("judge", "--rubric", "attitudes", code=MISUSED)

    assert "Without a language model nothing is read, and what is not read cannot be judged." in said
    assert "--presort" in said


def test_h3_the_order_by_similarity_says_that_it_is_none(typed):
    found = json.loads(typed("judge", "--presort", "--json"))

    assert found["note"] == "Ordered by similarity to the description. Nobody has judged this."
    assert found["by"].startswith("meaning:")
    assert {one["document"] for one in found["sources"]} == {"V1", "V2"}
    assert found["sources"][0]["similarity"] > found["sources"][1]["similarity"]
    assert all("score" not in one for one in found["sources"])
    assert "Nobody has judged this." in typed("judge", "--presort")


def test_a_set_without_meaning_is_ordered_by_the_fused_search(typed):
    typed("survey", "Die neue Brücke", "--windows", "1887-01/1887-12", "--channel", "words")

    assert json.loads(typed("judge", "--presort", "--json"))["by"] == "fused search"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "no criteria are named"),
        (("--rubric", "hope"), "there is no rubric 'hope'"),
        (("nowhere", "--rubric", "attitudes"), "no run is called 'nowhere'"),
    ],
)
def test_what_cannot_be_judged_is_said(typed, options, said):
    assert said in typed("judge", *options, "--model", "wise", code=MISUSED)


def test_what_a_question_found_is_a_set_too(typed):
    asked = json.loads(typed("ask", "Wer sprengte die Brücke?", "--json"))
    found = judged(typed)

    rows = [*asked["ranking"], *asked["held"]]
    assert {one["document"] for one in found["sources"]} == {row["document"] for row in rows}
    assert found["set"] == asked["run"]


def test_a_run_that_is_not_finished_is_no_set_yet(typed):
    typed("ask", "Wer sprengte die Brücke?", "--pause", "final")

    assert "the set is not gathered to its end" in typed(
        "judge", "--rubric", "attitudes", "--model", "wise", code=MISUSED
    )


def test_what_was_taken_out_of_the_archive_since_is_said(typed, workspace):
    typed("delete", "V1", "--yes")

    assert "1 passages of the set are no longer in the archive" in typed(
        "judge", "--rubric", "attitudes", "--model", "wise", code=3
    )


@pytest.fixture
def sheet(typed, tmp_path):
    path = tmp_path / "sheet.csv"
    assert "2 rows written to" in typed("judge", "--rubric", "attitudes", "--sheet", str(path))
    return path


def read_back(typed, path, *options, code=0):
    return typed("judge", "--rubric", "attitudes", "--from", str(path), "--as", "Ada", *options, code=code)


def test_h4_a_sheet_is_blind(sheet, typed):
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))

    assert list(rows[0]) == ["passage", "title", "date", "sub_corpus", "text", "score", "argument", "rubric"]
    assert {row["text"] for row in rows} == {
        "Die Brücke über die Alzette wurde gesprengt.",
        "Der Gemeinderat beschließt den Bau einer neuen Brücke.",
    }
    assert {row["score"] for row in rows} == {""}
    assert rows[0]["rubric"].startswith("attitudes ")


def test_h3_a_sheet_that_comes_back_is_that_person_s_judging(sheet, typed, workspace, judges):
    found = json.loads(read_back(typed, filled(sheet, {"V1": "7", "V2": "2,0"}, argument="So."), "--json"))

    assert [(one["document"], one["score"], one["argument"]) for one in found["sources"]] == [
        ("V1", 7, "So."),
        ("V2", 2, "So."),
    ]
    assert (found["judge"], found["person"], found["finished"]) == ("Ada", True, True)
    assert judges.asked == 0
    entries = works.read(workspace, found["run"]).entries
    assert [entry.actor for entry in entries if "Scored" in type(getattr(entry.body, "event", None)).__name__] == [
        "person:Ada"
    ] * 2
    assert "reproduced." in typed("replay")


def test_h4_empty_cells_are_not_judged_and_named_by_line(sheet, typed):
    said = read_back(typed, filled(sheet, {"V1": "7"}))

    assert "2 passages: 1 judged; 1 left empty." in said
    assert "was left empty" in said
    assert "V2#0-" in said


def test_rows_that_were_taken_out_are_not_judged_either(sheet, typed):
    lines = filled(sheet, SCORES).read_text(encoding="utf-8-sig").splitlines()
    sheet.write_text("\n".join(lines[:2]) + "\n", encoding="utf-8")
    said = read_back(typed, sheet)

    assert "2 passages: 1 judged; 1 left empty." in said
    assert "is not in the sheet" in said


def test_a_sheet_without_a_score_is_no_judging(sheet, typed):
    before = typed("runs")

    assert "no row has a score" in read_back(typed, sheet, code=MISUSED)
    assert typed("runs") == before


def test_a_renamed_column_is_not_lost_unseen(sheet, typed):
    text = filled(sheet, SCORES).read_text(encoding="utf-8").replace("text", "Wortlaut", 1)
    sheet.write_text(text, encoding="utf-8")

    assert "Columns that were not read: wortlaut." in read_back(typed, sheet)


def test_a_sheet_that_is_there_may_be_filled_in_and_stays(sheet, typed):
    before = filled(sheet, SCORES).read_bytes()

    assert "there is a file already" in typed("judge", "--rubric", "attitudes", "--sheet", str(sheet), code=MISUSED)
    assert sheet.read_bytes() == before


@pytest.mark.parametrize(
    ("cell", "said"),
    [("11", "line 2: '11' is no whole number from 1 to 10"), ("7.5", "'7.5' is no whole"), ("good", "'good' is no")],
)
def test_mistakes_are_named_by_line_and_nothing_is_recorded(sheet, typed, cell, said):
    before = typed("runs")
    told = read_back(typed, filled(sheet, {"V1": cell, "V2": cell}), code=MISUSED)

    assert said in told
    assert "Nothing was recorded: mend these lines." in told
    assert typed("runs") == before


def test_unknown_and_double_rows_and_another_version_of_the_rubric_are_mistakes(sheet, typed, workspace):
    filled(sheet, {"V1": "7", "V2": "3"})
    lines = sheet.read_text(encoding="utf-8").splitlines()
    sheet.write_text("\n".join([*lines, lines[1], "Z9#0-4;;;;;7;;"]) + "\n", encoding="utf-8")
    told = read_back(typed, sheet, code=MISUSED)
    assert "stands there twice" in told
    assert "line 5: the set has no passage 'Z9#0-4'" in told

    sheet.write_text("\n".join(lines) + "\n", encoding="utf-8")
    (workspace.root / "rubrics").mkdir()
    own = "---\nname: attitudes\nscale: 1-10\n---\n## Criteria\nLove?\n"
    (workspace.root / "rubrics" / "attitudes.md").write_text(own, encoding="utf-8")
    assert "it is for the rubric 'attitudes " in read_back(typed, sheet, code=MISUSED)


def test_a_table_that_is_none_is_said(typed, tmp_path):
    path = tmp_path / "sheet.csv"
    assert "there is no such file" in read_back(typed, path, code=MISUSED)
    path.write_text("passage,points\nV1,3\n", encoding="utf-8")
    assert "there is no column 'score'" in read_back(typed, path, code=MISUSED)


def test_a_judging_has_an_author(sheet, typed):
    said = typed("judge", "--rubric", "attitudes", "--from", str(sheet), code=MISUSED)
    assert "every judgement has an author" in said


def test_a_sheet_that_cannot_be_written_is_said(typed, tmp_path):
    said = typed("judge", "--rubric", "attitudes", "--sheet", str(tmp_path / "no" / "sheet.csv"), code=3)
    assert "the table cannot be written" in said


def test_closed_texts_stand_in_a_sheet_only_when_asked_for(typed, workspace, tmp_path):
    describe(workspace, "Letters", {"access": "closed"})
    path = tmp_path / "closed.csv"

    typed("judge", "--rubric", "attitudes", "--sheet", str(path), "--json")
    assert "(closed)" in path.read_text(encoding="utf-8")
    path.unlink()
    typed("judge", "--rubric", "attitudes", "--sheet", str(path), "--closed")
    assert "gesprengt" in path.read_text(encoding="utf-8")


def test_a_source_that_is_gone_is_not_said_to_be_closed(typed, workspace, tmp_path):
    TERMINAL.invoke(app, ["delete", str(workspace.root), "V1", "--yes"])
    path = tmp_path / "gone.csv"
    typed("judge", "--rubric", "attitudes", "--sheet", str(path))

    assert path.read_text(encoding="utf-8").count("(withdrawn)") == 1
    assert "(closed)" not in path.read_text(encoding="utf-8")


def test_a_person_s_judging_that_was_cut_short_waits_and_is_not_taken_for_done(sheet, typed, workspace, monkeypatch):
    def full(*_):
        raise OSError("no space left")

    with monkeypatch.context() as cut:
        cut.setattr(runs, "decide", full)
        typed("judge", "--rubric", "attitudes", "--from", str(filled(sheet, SCORES)), "--as", "Ada", code=3)
    found = json.loads(typed("show", "--json"))

    assert (found["finished"], found["judged"], found["waiting"]) == (False, 0, 2)
    assert runs.waiting_at(works.read(workspace, "last").entries) == SHEET
    assert json.loads(typed("resume", "--json"))["finished"] is False
    assert "it waits for a sheet" in typed("resume", "--as", "Ada", code=MISUSED)


def test_a_sheet_that_was_cut_short_is_completed_when_it_is_handed_in_again(sheet, typed, workspace, monkeypatch):
    filled(sheet, SCORES)
    decide, done = runs.decide, []

    def once(ledger, act):
        if done:
            raise OSError("no space left")
        done.append(decide(ledger, act))

    with monkeypatch.context() as cut:
        cut.setattr(runs, "decide", once)
        read_back(typed, sheet, code=3)
    run = works.read(workspace, "last").run
    said = read_back(typed, sheet)

    assert "2 passages: 2 judged." in said
    assert run in said
    assert judging.shown(open_workspace(workspace.root), works.read(workspace, run))["judged"] == 2


def test_the_same_sheet_is_not_counted_twice(sheet, typed):
    read_back(typed, filled(sheet, SCORES))
    before = typed("runs")

    assert "this sheet is recorded already" in read_back(typed, sheet, code=MISUSED)
    assert typed("runs") == before
    text = sheet.read_text(encoding="utf-8-sig")
    sheet.write_text(text.replace(f";{SCORES['V1']};", ";1;"), encoding="utf-8")
    assert "2 passages: 2 judged." in read_back(typed, sheet)


@pytest.mark.parametrize("name", ["sheet.csv", "sheet.xlsx"])
def test_a_sheet_that_somebody_fills_in_is_never_written_over(typed, tmp_path, name):
    path = tmp_path / name
    typed("judge", "--rubric", "attitudes", "--sheet", str(path))
    before = path.read_bytes()

    assert "there is a file already" in typed("judge", "--rubric", "attitudes", "--sheet", str(path), code=MISUSED)
    assert path.read_bytes() == before


def test_a_judging_is_not_curated_but_says_which_set_is(sheet, typed):
    typed("judge", "--rubric", "attitudes", "--from", str(filled(sheet, SCORES)), "--as", "Ada")
    judging = json.loads(typed("show", "--json"))

    refused = typed("curate", code=MISUSED)
    assert f"vestigia curate ARCHIVE {judging['set']} --judging {judging['run']}" in refused
    curation = json.loads(typed("curate", judging["set"], "--judging", judging["run"][-6:], "--json"))["run"]
    assert f"Its set is curated in {curation}: name that." in typed("curate", judging["run"], code=MISUSED)
    late = typed("curate", curation, "--judging", judging["run"], code=MISUSED)
    assert "sorts a set when its curation begins" in late


def test_what_comes_next_can_be_copied(sheet, typed, workspace):
    page = typed("judge", "--rubric", "attitudes", "--from", str(filled(sheet, SCORES)), "--as", "Ada")
    found = json.loads(typed("show", "--json"))
    assert f"Next: vestigia agreement {workspace.root} {found['set'][-6:]}\n" in page
    assert f"Next: vestigia curate {workspace.root} {found['set'][-6:]} --judging {found['run'][-6:]}\n" in page


def test_people_judge_in_a_workbook(typed, tmp_path):
    path = tmp_path / "sheet.xlsx"
    typed("judge", "--rubric", "attitudes", "--sheet", str(path))
    book = openpyxl.load_workbook(path)
    column = [cell.value for cell in book.active[1]].index("score") + 1
    for row, score in ((2, 3), (3, 8)):
        book.active.cell(row, column, score)
    book.save(path)
    typed("judge", "--rubric", "attitudes", "--from", str(path), "--as", "Ada")

    found = json.loads(typed("show", "--json"))
    assert (found["judge"], found["judged"], found["not_judged"]) == ("Ada", 2, [])
    assert sorted(one["score"] for one in found["sources"]) == [3, 8]


def test_what_is_no_judging_is_not_shown_as_one(typed, workspace):
    survey = works.read(workspace, "last")
    with pytest.raises(Exception, match="it is no judging"):
        judging.shown(open_workspace(workspace.root), survey)
