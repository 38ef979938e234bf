"""Exports as typed: what is in the list of each kind of run, and that nothing leaves that may not (B11)."""

import json
import re
import shutil

import pytest

from fakes.interpreting import interpreter
from fakes.prepared import LETTERS, archive_of, typist, without_weights
from vestigia.app import asking, care, corrections, lists, models
from vestigia.app.archive import add
from vestigia.app.exporting import FORMS, write
from vestigia.app.workspace import open_workspace
from vestigia.cli.outcome import MISUSED
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.ids import DocumentId, PassageId

ON_BRIDGE = "Die Brücke über die Alzette"
PAPERS = [
    {"id": "P1", "title": "Colby to Vautrin", "text": "The bridge over the Alzette is gone; geheimnis one."}
    | {"date": "c. 1887", "sender": "Colby, Harriet", "recipient": "Vautrin, Élise"}
    | {"signatur": "AM 5/3", "rights": "CC-BY"},
    {
        "id": "P2",
        "title": "A closed file",
        "text": f"{ON_BRIDGE}: geheimnis two.",
        "date": "1887-04",
        "rights": "closed",
    },
    {"id": "P3", "title": "A private diary", "text": f"{ON_BRIDGE}: geheimnis three.", "date": "1887-06-01"}
    | {"rights": "personal use only"},
]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """The archive, its sources beside it, and a survey of it."""
    with without_weights():
        made = archive_of(tmp_path_factory.mktemp("prepared"), {"Letters": LETTERS, "Papers": PAPERS})
        typist(made)("survey", ON_BRIDGE, "--windows", "1887-01/1887-12", "--quota", "9")
        yield made.root


@pytest.fixture
def workspace(prepared, tmp_path):
    return open_workspace(shutil.copytree(prepared, tmp_path / "archive"))


@pytest.fixture
def typed(workspace):
    return typist(workspace)


@pytest.fixture
def survey(typed):
    """With a survey as the last run."""
    return typed


def exported(typed, tmp_path, *options: object, name: str = "list.jsonl") -> dict[str, dict[str, object]]:
    path = tmp_path / name
    typed("export", "last", path, "--replace", *options)
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return {row["document"]: row for row in rows}


def test_the_set_of_a_survey_leaves_without_its_closed_source(survey, tmp_path):
    rows = exported(survey, tmp_path)
    assert set(rows) == {"V1", "V2", "P1", "P3"}
    assert rows["P1"]["list"].startswith("survey of run ")
    assert rows["P1"]["list"].endswith(
        "4 sources; the texts of 1 are withheld (1 for personal use); closed sources left out: 1"
    )
    assert (rows["P1"]["kind"], rows["P1"]["shelfmark"], rows["P1"]["rights"]) == ("letter", "AM 5/3", "CC-BY")
    assert rows["P1"]["date"] == {"written": "c. 1887", "edtf": "1887~", "parts": []}
    assert rows["P1"]["extracts"][0]["text"] == PAPERS[0]["text"]
    assert re.fullmatch(r"(\w+(:\w+)? #\d+(, )?)+", rows["P1"]["said"][0]["reason"])
    assert rows["P1"]["citation"] == "Harriet Colby to Élise Vautrin, c. 1887, Papers, AM 5/3."


def test_no_form_holds_a_word_of_a_closed_or_personal_text(survey, workspace, tmp_path):
    run = workspace.run("last")
    described, usual = lists.of_run(workspace, run, closed=True), lists.of_run(workspace, run)
    for name, form in FORMS.items():
        path = tmp_path / f"list{form.endings[0]}"
        write(path, described, form)
        written = _unpacked(path)
        assert not re.search(r"geheimnis (two|three)", written), name
        assert "closed file" in written or name.startswith("trec"), name
        told = "the texts of 2 are withheld (1 closed, 1 for personal use)" in written.replace("\\", "")
        assert told or name in {"trec-run", "trec-qrels", "tropy"}, name

        write(path, usual, form, replace=True)
        assert "closed file" not in _unpacked(path), name


def _unpacked(path) -> str:
    """The words of a file, out of whatever it is packed in."""
    if path.suffix in {".xlsx", ".docx"}:
        import zipfile

        with zipfile.ZipFile(path) as parts:
            return " ".join(parts.read(name).decode() for name in parts.namelist() if name.endswith(".xml"))
    if path.suffix == ".pdf":
        import pypdfium2

        text = "".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(path))
        return " ".join(text.split())
    return path.read_text("utf-8-sig")


def test_a_question_s_list_is_what_was_accepted_with_reason_and_quotation(typed, tmp_path):
    typed("ask", "Wer hat die Brücke über die Alzette gesprengt?")
    shown = json.loads(typed("show", "--json"))
    rows = exported(typed, tmp_path)
    listed = [row["document"] for row in shown["ranking"] if row["document"] != "P2"]

    assert list(rows) == listed
    assert {row["standing"] for row in rows.values()} == {"accepted"}
    first = shown["ranking"][0]
    assert rows[first["document"]]["said"][0]["author"] == "extractive (no language model)"
    assert rows["V1"]["extracts"][0]["quote"] == "Die Brücke über die Alzette wurde gesprengt."


def test_all_of_a_question_has_what_is_held_and_what_people_took_out(typed, tmp_path):
    typed("ask", "Wer hat die Brücke über die Alzette gesprengt?", "--max-steps", "1")
    typed("decide", "V1", "reject", "--reason", "off “Die Brücke”", "--as", "Ada")
    rows = exported(typed, tmp_path, "--all", "--closed")
    held = {row["document"] for row in json.loads(typed("show", "--json"))["held"]}

    assert rows["V1"]["standing"] == "rejected"
    assert rows["V1"]["said"][-1] == {"act": "reject", "reason": "off “Die Brücke”", "author": "Ada", "at": ""}
    assert {name for name, row in rows.items() if row["standing"] == "held"} == held
    typed("export", "last", tmp_path / "judged.qrels")
    graded = dict(line.split()[2:] for line in (tmp_path / "judged.qrels").read_text("utf-8").splitlines())
    assert graded["V1"] == "0"
    assert {name: rows[name]["standing"] for name, grade in graded.items() if grade == "1"}.keys() == {
        name for name, row in rows.items() if row["standing"] == "accepted" and name != "P2"
    }


def test_a_curation_s_list_has_who_decided_and_its_tags(survey, tmp_path):
    survey("curate", "--accept", "V1", "--accept", "P1", "--reject", "V2", "--because", "off topic", "--as", "Ada")
    survey("curate", "--tag", "P1=bridge", "--note", "P1=see “The bridge”", "--as", "Bo")
    rows = exported(survey, tmp_path)

    assert set(rows) == {"V1", "P1"}
    assert rows["P1"]["tags"] == ["bridge"]
    assert [(said["act"], said["author"]) for said in rows["P1"]["said"]] == [("accept", "Ada"), ("note", "Bo")]
    assert re.match(r"\d{4}-\d\d-\d\dT", rows["P1"]["said"][0]["at"])
    every = exported(survey, tmp_path, "--all")
    assert {name: row["standing"] for name, row in every.items()} == {
        "V1": "accepted", "P1": "accepted", "V2": "rejected", "P3": "undecided",
    }  # fmt: skip
    assert every["V2"]["said"][0]["reason"] == "off topic"


def test_a_dossier_stays_what_was_sealed(survey, tmp_path):
    survey("curate", "--accept", "V1", "--as", "Ada")
    survey("seal", "--statement", "On the bridge.", "--as", "Ada")
    survey("curate", "--reject", "V1", "--because", "off topic", "--accept", "V2", "--as", "Ada")

    assert set(exported(survey, tmp_path)) == {"V2"}
    assert set(exported(survey, tmp_path, "--dossier")) == {"V1"}
    survey("export", "last", tmp_path / "d.md", "--dossier", "--style", "german")
    written = (tmp_path / "d.md").read_text("utf-8").replace("\\", "")
    assert re.search(r"Sealed by Ada on \d{4}-\d\d-\d\d: On the bridge\.", written)
    assert "V1, in: Letters, 11. März 1887." in written
    assert "off topic" not in written


def test_without_a_seal_there_is_no_dossier(survey, tmp_path):
    survey("curate", "--accept", "V1", "--as", "Ada")
    assert "no person has sealed" in survey("export", "last", tmp_path / "x.md", "--dossier", code=MISUSED)
    assert not (tmp_path / "x.md").exists()


def test_a_judging_leaves_with_scores_and_what_is_not_judged(survey, tmp_path):
    sheet = tmp_path / "sheet.csv"
    survey("judge", "--rubric", "attitudes", "--sheet", sheet)
    rows = [line.split(",") for line in sheet.read_text("utf-8-sig").splitlines()]
    place = rows[0].index("score")
    written = [",".join([*row[:place], "7" if row[0].startswith("V1#") else "", *row[place + 1 :]]) for row in rows[1:]]
    sheet.write_text("\n".join([",".join(rows[0]), *written]), encoding="utf-8")
    survey("judge", "--rubric", "attitudes", "--from", sheet, "--as", "Ada")
    found = exported(survey, tmp_path)

    assert (found["V1"]["said"][0]["act"], found["V1"]["said"][0]["author"]) == ("scored 7", "Ada")
    assert found["V2"]["said"][0]["act"] == "not judged"


def test_who_put_a_source_on_hold_is_told(typed, tmp_path):
    typed("ask", "Wer hat die Brücke über die Alzette gesprengt?")
    typed("decide", "V1", "hold", "--reason", "which bridge?", "--as", "Ada")
    rows = exported(typed, tmp_path, "--all")
    held = [said for said in rows["V1"]["said"] if said["act"] == "hold"]
    assert held == [{"act": "hold", "reason": "which bridge?", "author": "Ada", "at": ""}]


def test_a_reprint_says_whose_text_it_repeats(typed, workspace, tmp_path):
    text = "Gestern wurde die Brücke über die Alzette gesprengt, " * 3 + " ".join(f"Wort{n}" for n in range(80))
    reprints = [{"id": name, "text": text, "date": f"1887-03-1{n}"} for n, name in enumerate(("W1", "W2"), 2)]
    again = tmp_path / "again.jsonl"
    again.write_text("".join(json.dumps(one) + "\n" for one in reprints), encoding="utf-8")
    add(workspace, [again], ImportOptions(sub_corpus="Letters"))
    typed("ask", "Wer hat die Brücke über die Alzette gesprengt?")
    repeats = {row["document"]: row["repeats"] for row in json.loads(typed("show", "--json"))["ranking"]}
    rows = exported(typed, tmp_path)
    (copy,) = [name for name, of in repeats.items() if of]
    assert rows[copy]["said"][-1] == {
        "act": "repeats", "reason": f"the text of {repeats[copy]}", "author": "code", "at": "",
    }  # fmt: skip


def test_an_interpretation_s_list_is_the_dossier_it_was_made_of(survey, monkeypatch, tmp_path):
    monkeypatch.setattr(models, "installed", lambda _kind: {"reader": lambda: interpreter("reader")})
    survey("curate", "--accept", "V1", "--accept", "P1", "--as", "Ada")
    survey("seal", "--statement", "On the bridge.", "--as", "Ada")
    survey("interpret", "--question", "What became of it?", "--model", "reader")
    rows = exported(survey, tmp_path)
    assert set(rows) == {"V1", "P1"}
    assert rows["V1"]["list"].startswith("dossier of run ")
    survey("export", "last", tmp_path / "d.md")
    assert "Sealed by Ada: On the bridge." in (tmp_path / "d.md").read_text("utf-8").replace("\\", "")


def test_what_readers_correct_stands_beside_the_words_as_they_came(survey, workspace, tmp_path):
    corrections.correct(workspace, PassageId("V1#0-44"), ("gesprengt", "gesperrt"), "Ada", "misread")
    corrections.correct(workspace, PassageId(f"P3#0-{len(PAPERS[2]['text'])}"), ("geheimnis", "secret"), "Ada")
    undone = corrections.correct(workspace, PassageId("V1#0-44"), ("Brücke", "Lücke"), "Bo")
    corrections.take_back(workspace, DocumentId("V1"), undone.number, "Bo")
    rows = exported(survey, tmp_path)

    assert rows["V1"]["extracts"][0]["text"] == "Die Brücke über die Alzette wurde gesprengt."
    said = [one for one in rows["V1"]["said"] if one["act"] == "correct"]
    assert [(one["reason"], one["author"]) for one in said] == [
        ("“gesprengt” is to be read “gesperrt” (misread)", "Ada")
    ]
    assert not [one for one in rows["P3"]["said"] if one["act"] == "correct"]


def test_a_search_leaves_by_out(typed, tmp_path):
    said = typed("search", "Brücke Alzette", "--out", tmp_path / "found.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "found.jsonl").read_text("utf-8").splitlines()]
    assert "search, 4 sources; the texts of 1 are withheld" in said
    assert {row["document"] for row in rows} == {"V1", "V2", "P1", "P3"}
    assert rows[0]["said"][0]["author"] == "search"
    assert json.loads(typed("search", "Brücke", "--out", tmp_path / "f.csv", "--closed", "--json"))["withheld"] == {
        "closed": 1, "for personal use": 1,
    }  # fmt: skip
    assert "nothing was found" in typed(
        "search", "xyzzy", "--channel", "words", "--out", tmp_path / "n.csv", code=MISUSED
    )


def test_what_was_deleted_or_replaced_since_leaves_no_word(survey, workspace, prepared, tmp_path):
    letters = prepared.parent / "Letters.jsonl"
    letters.write_text(letters.read_text("utf-8").replace("gesprengt", "neu gebaut"), encoding="utf-8")
    add(workspace, [letters], ImportOptions(sub_corpus="Letters", update=True))
    care.delete(workspace, [DocumentId("P1")])
    rows = exported(survey, tmp_path)

    assert (rows["V1"]["withheld"], rows["P1"]["withheld"]) == ("replaced", "withdrawn")
    assert all(extract["text"] is None for name in ("V1", "P1") for extract in rows[name]["extracts"])
    assert "(1 for personal use, 1 replaced, 1 withdrawn)" in rows["V1"]["list"]


def test_an_export_that_would_be_empty_is_refused_with_what_to_do(survey, workspace, tmp_path):
    survey("curate", "--as", "Ada")
    said = survey("export", "last", tmp_path / "x.ris", code=MISUSED)
    assert "no source of it is accepted" in said
    assert "--all" in said
    survey("curate", "--accept", "P2", "--as", "Ada")
    assert "all its sources are closed" in survey("export", "last", tmp_path / "x.ris", code=MISUSED)
    assert "ends as that of no form" in survey("export", "last", tmp_path / "x.txt", code=MISUSED)
    assert "no run" in survey("export", "nosuchrun", tmp_path / "x.ris", code=MISUSED)
    assert not list(tmp_path.glob("*x.ris*"))


def test_a_reason_quotes_nothing_of_a_text_that_may_not_leave(typed, workspace):
    run = asking.ask(
        workspace, asking.checked(asking.Question("Die Brücke über die Alzette"), workspace.catalogue())
    ).run
    found = {one.document: one for one in lists.of_run(workspace, run, everything=True, closed=True).sources}
    for name in ("P2", "P3"):
        assert not any("geheimnis" in said.reason for said in found[name].said)
        assert all(extract.quote is None and extract.text is None for extract in found[name].extracts)
