"""H8 as typed: a set is laid open, people act on it one by one and in bulk, and every step adds up."""

import json
import os

import pytest
from typer.testing import CliRunner

from vestigia.app import asking, curating, deciding, dossiers, lists, tables, works
from vestigia.app.archive import add
from vestigia.app.depositing.checking import check
from vestigia.app.depositing.making import deposit
from vestigia.cli.commands import app
from vestigia.cli.outcome import MISUSED
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.acts import Act, Curated
from vestigia.domain.errors import UsageError
from vestigia.domain.events import Overruled
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import DocumentId
from vestigia.domain.question import Question

TERMINAL = CliRunner(env={"COLUMNS": "200"})


@pytest.fixture
def typed(workspace):
    def run(command: str, *arguments: str, code: int = 0) -> str:
        ended = TERMINAL.invoke(app, [command, str(workspace.root), *arguments])
        assert ended.exit_code == code, ended.output
        return ended.output

    return run


@pytest.fixture
def survey(typed):
    typed("survey", "Die neue Brücke", "--windows", "1887-01/1887-12", "--quota", "5")
    return typed


def curated(typed, *options):
    return json.loads(typed("curate", *options, "--json"))


def standings(found):
    return {source["document"]: source["standing"] for source in found["sources"]}


def test_h8_the_set_of_a_survey_is_laid_open_and_waits(survey):
    found = curated(survey)

    assert found["kind"] == "curation"
    assert standings(found) == {"V1": "undecided", "V2": "undecided"}
    assert (found["counts"]["found"], found["counts"]["taken"], found["counts"]["undecided"]) == (2, 2, 2)
    assert found["finished"] is False
    assert found["taken_from"] != found["run"]
    assert found["sources"][0]["passage"]["text"].startswith("Die Brücke")


def test_h8_acts_stand_with_author_and_time(survey):
    curated(survey)
    found = curated(
        survey,
        "--accept",
        "V1",
        "--reject",
        "V2",
        "--because",
        "off topic",
        "--note",
        "V1=the map = lost",
        "--tag",
        "V1=toll",
        "--as",
        "Ada",
    )
    first = found["sources"][0]

    assert standings(found) == {"V1": "accepted", "V2": "rejected"}
    assert found["counts"]["rejected"] == [{"reason": "off topic", "sources": 1}]
    assert [(deed["by"], deed["act"], deed["reason"]) for deed in first["decisions"]] == [("Ada", "accept", None)]
    assert [(deed["act"], deed["note"], deed["tag"]) for deed in first["remarks"]] == [
        ("note", "the map = lost", None),
        ("tag", None, "toll"),
    ]
    assert first["decisions"][0]["at"].endswith("Z")


def test_h8_people_who_differ_are_shown_until_one_resolves_it(survey):
    curated(survey, "--accept", "V1", "--as", "Ada")
    page = survey("curate", "--reject", "V1", "--as", "Bo")

    assert "People do not agree about V1." in page
    assert "1 in conflict, 1 undecided" in page
    assert standings(curated(survey, "--accept", "V1", "--as", "Cy", "--resolve"))["V1"] == "accepted"
    assert "accept by Cy, for all" in survey("show")


def test_h8_an_act_is_taken_back_by_its_author_alone(survey):
    found = curated(survey, "--accept", "V1", "--as", "Ada")
    (deed,) = found["sources"][0]["decisions"]

    assert "Bo has no act" in survey("curate", "--undo", str(deed["entry"]), "--as", "Bo", code=MISUSED)
    assert standings(curated(survey, "--undo", str(deed["entry"]), "--as", "Ada"))["V1"] == "undecided"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("acts.csv", 'document,act,reason,note,tag\nV1,accept,,"well, yes",\nV2,Reject,off topic,,\n'),
        ("acts.tsv", "Act\tDocument\treason\nreject\tV2\toff topic\naccept\tV1\t\n\tV1\t\n"),
        ("acts.csv", "document;act;reason\r\n'V1;accept;\r\nV2;reject;off topic\r\n"),
    ],
)
def test_h8_acts_come_in_bulk_from_a_table(survey, tmp_path, name, text):
    (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + text.encode())
    found = curated(survey, "--from", str(tmp_path / name), "--as", "Ada")

    assert standings(found) == {"V1": "accepted", "V2": "rejected"}
    assert found["counts"]["rejected"] == [{"reason": "off topic", "sources": 1}]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("document,act\nV1,burn\n", "line 2: 'burn' is no act"),
        ("source,act\nV1,accept\n", "there is no column 'document'"),
        (
            "document,act,reason\nV1,accept,\nZ9,accept,\nV2,reject,dull\n",
            "the document 'Z9' is not in the set; 'dull' is no reason",
        ),
        ("document,act\nV1,accept\nV1,reject\n", "the document 'V1' is to be both accept and reject"),
        ("document,act,reason\nV1,reject,\nV1,reject,off topic\n", "'V1' has two reasons, '' and 'off topic'"),
        ("document,act\nV1,\n", "no row says an act"),
    ],
)
def test_a_table_with_a_mistake_changes_nothing(survey, tmp_path, text, said):
    curated(survey)
    (tmp_path / "acts.csv").write_text(text, encoding="utf-8")

    assert said in survey("curate", "--from", str(tmp_path / "acts.csv"), "--as", "Ada", code=MISUSED)
    assert set(standings(curated(survey)).values()) == {"undecided"}
    assert "no such file" in survey("curate", "--from", str(tmp_path / "none.csv"), "--as", "Ada", code=MISUSED)


@pytest.mark.parametrize("name", ["set.csv", "set.xlsx"])
def test_h8_a_set_is_written_to_a_table_filled_in_and_read_back(survey, tmp_path, name):
    path = tmp_path / name
    told = survey("curate", "--write", str(path))
    run = curated(survey)["run"]
    lines = {line["document"]: dict(line.cells) for line in tables.read(path, ("document", "act"))}

    assert told.splitlines()[0] == f"2 sources written to {path}: fill in act, and reason, note or tag."
    assert f"vestigia curate {survey_root(told)} {run[-6:]} --from {path} --as NAME" in told
    assert lines["V1"]["text"].startswith("Die Brücke")
    assert (lines["V1"]["standing"], lines["V1"]["act"]) == ("undecided", "")

    acts = {"V1": ("accept", ""), "V2": ("reject", "off topic")}
    rows = [{**row, "act": acts[one][0], "reason": acts[one][1]} for one, row in lines.items()]
    back = tmp_path / f"back-{name}"
    tables.write(back, list(rows[0]), rows)
    assert standings(curated(survey, "--from", str(back), "--as", "Ada")) == {"V1": "accepted", "V2": "rejected"}
    assert "there is a file already" in survey("curate", "--write", str(path), code=MISUSED)


def survey_root(told):
    return told.rpartition("vestigia curate ")[2].split()[0]


def test_h8_of_an_act_the_page_shows_what_it_is_about_and_the_counts(survey):
    whole = survey("curate")
    page = survey("curate", "--accept", "V1", "--as", "Ada")
    (deed,) = curated(survey)["sources"][0]["decisions"]
    undone = survey("curate", "--undo", str(deed["entry"]), "--as", "Ada")

    assert "V1" in whole
    assert "V2" in whole
    for shown in (page, undone):
        assert "V1" in shown
        assert "V2" not in shown
        assert "Found 2:" in shown
    assert "Next: vestigia seal" in page
    assert "Next: vestigia seal" not in undone


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--because", "off topic"), "--because: it says why something is rejected, and nothing is"),
        (("--accept", "V1", "--because", "off topic"), "nothing is"),
        (("--resolve",), "--resolve: nothing is decided"),
        (("--note", "V1=good", "--resolve"), "--resolve: nothing is decided"),
    ],
)
def test_h8_nothing_that_is_typed_is_passed_over(survey, options, said):
    before = curated(survey)
    assert said in survey("curate", *options, "--as", "Ada", code=MISUSED)
    assert curated(survey) == before


def test_h8_who_curates_a_set_anew_is_told_of_the_other_curation(survey):
    taken = curated(survey)
    told = survey("curate", taken["taken_from"])
    assert f"The set is curated already in {taken['run']}; this is another curation, " in told


def test_h8_a_project_adds_reasons_of_its_own(workspace, survey):
    settings = workspace.root / "vestigia.toml"
    settings.write_text(settings.read_text("utf-8") + '\n[curate]\nreasons = ["a later copy"]\n', encoding="utf-8")
    found = curated(survey, "--reject", "V1", "--because", "a later copy", "--as", "Ada")

    assert found["reasons"][-1] == "a later copy"
    assert found["counts"]["rejected"] == [{"reason": "a later copy", "sources": 1}]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--accept", "V1"), "every decision has an author"),
        (("--accept", "Z9", "--as", "Ada"), "not in the set"),
        (("--note", "Z9=x", "--as", "Ada"), "names no document of the set"),
        (("--note", "V1=", "--as", "Ada"), "the note is empty"),
        (("--reject", "V1", "--because", "dull", "--as", "Ada"), "no reason of the project's list"),
        (
            ("--accept", "V1", "--because", "off topic", "--as", "Ada"),
            "it says why something is rejected, and nothing is",
        ),
        (("--resolve", "--as", "Ada"), "nothing is decided"),
        (("--accept", "V1", "--reject", "V1", "--as", "Ada"), "'V1' is to be both accept and reject"),
        (("--judging", "last"), "this one has begun"),
        (("--accept", "V1", "--as", "\u200b"), "every decision has an author"),
        (("--accept", "V1", "--as", "A\x1b[2Jda"), "characters that cannot be seen"),
    ],
)
def test_what_cannot_be_done_is_said(survey, options, said):
    curated(survey)
    assert said in survey("curate", *options, code=MISUSED)


@pytest.mark.parametrize(
    "options",
    [
        ("--accept", "Z9", "--as", "Ada"),
        ("--accept", "V1"),
        ("--note", "Z9=x", "--as", "Ada"),
        ("--undo", "4", "--as", "Ada"),
        ("--from", "none.csv", "--as", "Ada"),
    ],
)
def test_no_curation_is_begun_for_what_cannot_be_done(survey, options):
    before = survey("runs")
    survey("curate", *options, code=MISUSED)
    assert survey("runs") == before


def test_h8_one_person_is_one_however_the_name_is_typed(survey):
    curated(survey, "--accept", "V1", "--as", "Zo\u00eb  B.")
    found = curated(survey, "--reject", "V1", "--as", " Zoe\u0308 B.\u200b")

    assert standings(found)["V1"] == "rejected"
    assert found["conflicts"] == []
    assert [deed["by"] for deed in found["sources"][0]["decisions"]] == ["Zo\u00eb B."]


def test_an_act_that_is_typed_twice_is_recorded_once(survey):
    found = curated(survey, "--note", "V1=so", "--note", "V1=so", "--as", "Ada")
    assert [deed["note"] for deed in found["sources"][0]["remarks"]] == ["so"]


def test_columns_of_a_table_that_are_not_read_are_named(survey, tmp_path):
    (tmp_path / "acts.csv").write_text("document,act,Grund\nV1,reject,off topic\n", encoding="utf-8")
    said = survey("curate", "--from", str(tmp_path / "acts.csv"), "--as", "Ada")

    assert "Columns that were not read: grund." in said


def test_h8_the_sources_and_holds_of_a_question_are_curated(typed):
    ranked = json.loads(typed("ask", "Was geschah mit der Brücke?", "--json"))
    found = curated(typed)

    expected = {row["document"] for row in (*ranked["ranking"], *ranked["held"])}
    assert set(standings(found)) == expected
    assert found["counts"]["found"] >= found["counts"]["taken"] == len(expected)


def test_a_curation_is_resumed_closed_and_replayed(survey):
    run = curated(survey, "--accept", "V1", "--as", "Ada")["run"]

    assert "accepted" in survey("resume")
    assert "not finished" in survey("replay")
    assert json.loads(survey("resume", "--as", "Ada", "--json"))["finished"] is True
    assert standings(curated(survey, "--accept", "V2", "--as", "Bo"))["V2"] == "accepted"
    assert json.loads(survey("replay", run, "--json"))["finished"] is True
    assert "are as they were written" in survey("verify", run)


def test_only_what_is_finished_and_found_something_is_curated(typed):
    typed("ask", "Die Brücke", "--pause", "plan")
    assert "not finished" in typed("curate", code=MISUSED)
    typed("survey", "Zeppelin", "--windows", "1y", "--channel", "words")
    assert "nothing that could be curated" in typed("curate", code=MISUSED)


def test_deciding_about_a_set_is_curating_it(survey):
    curated(survey)
    assert "it is a set that is being curated" in survey("decide", "V1", "accept", "--as", "Ada", code=MISUSED)


def test_where_the_survey_is_gone_the_counts_say_so(survey, workspace):
    import shutil

    found = curated(survey)
    shutil.rmtree(workspace.runs / found["taken_from"])

    assert "is no longer here" in curated(survey, found["run"])["notes"][0]


def test_only_a_curation_is_read_as_one(survey, workspace):
    with pytest.raises(UsageError, match="not a set"):
        curating.read(works.read(workspace, "last"))
    with pytest.raises(UsageError, match="not a set"):
        curating.act(workspace, "last", [Curated(DocumentId("V1"), Act.ACCEPT, "Ada")])


def test_words_of_closed_documents_are_not_shown_unasked(survey, workspace):
    from vestigia.app.care import describe

    describe(workspace, "Letters", {"access": "closed"})
    assert curated(survey)["sources"][0]["passage"]["text"] is None
    assert curated(survey, "--closed")["sources"][0]["passage"]["text"].startswith("Die Brücke")


def test_a_source_with_another_text_now_says_so_in_set_and_dossier(survey, workspace, tmp_path):
    curated(survey, "--accept", "V1", "--as", "Ada")
    survey("seal", "--statement", "so", "--as", "Ada")
    letters = tmp_path / "letters.jsonl"
    letters.write_text(letters.read_text(encoding="utf-8").replace("Die Brücke", "Die Furt"), encoding="utf-8")
    add(workspace, [letters], ImportOptions(sub_corpus="Letters", update=True))

    (first, _) = curated(survey)["sources"]
    assert (first["standing"], first["withheld"], first["passage"]["text"]) == ("accepted", "replaced", None)
    for command in ("curate", "dossier"):
        assert "the archive holds another version of this text now" in survey(command)


# Sealing a dossier


def test_h1_a_dossier_is_sealed_by_a_person_with_a_statement(survey):
    curated(survey, "--accept", "V1", "--as", "Ada")
    found = json.loads(survey("seal", "--statement", "Letters on the bridge.", "--as", "Ada", "--json"))
    (dossier,) = found["dossiers"]

    assert (dossier["sealed_by"], dossier["sources"], dossier["statement"]) == ("Ada", 1, "Letters on the bridge.")
    assert "sealed by Ada" in survey("show")


def test_a_sealed_curation_is_replayed_as_finished_and_one_without_a_seal_is_not(survey):
    curated(survey, "--accept", "V1", "--as", "Ada")
    assert "the run is not finished" in survey("replay")
    survey("seal", "--statement", "Letters on the bridge.", "--as", "Ada")
    assert "reproduced." in survey("replay")
    assert json.loads(survey("replay", "--json"))["finished"] is True


def test_h1_a_newer_seal_leaves_the_older_as_it_was(survey, workspace):
    curated(survey, "--accept", "V1", "--as", "Ada")
    survey("seal", "--statement", "First.", "--as", "Ada")
    older = dossiers.newest(workspace, "last")
    curated(survey, "--accept", "V2", "--as", "Ada")
    survey("seal", "--statement", "Second.", "--as", "Bo")

    assert works.dossier_of(workspace, older.origin) == older
    assert [len(one.sources) for one in (older, dossiers.newest(workspace, "last"))] == [1, 2]


@pytest.mark.parametrize(
    ("acts", "options", "said"),
    [
        ((), ("--statement", "x", "--as", "Ada"), "no source is accepted"),
        (("--accept", "V1"), ("--statement", "x"), "every decision has an author"),
        (("--accept", "V1"), ("--as", "Ada"), "sealed with a statement"),
        (("--flag", "V1"), ("--statement", "x", "--as", "Ada"), "no source is accepted"),
    ],
)
def test_h1_a_seal_that_is_refused_leaves_no_dossier(survey, workspace, acts, options, said):
    curated(survey, *acts, *(("--as", "Ada") if acts else ()))

    assert said in survey("seal", *options, code=MISUSED)
    with pytest.raises(UsageError, match="no person has sealed"):
        dossiers.newest(workspace, "last")


def test_h1_a_conflict_keeps_a_dossier_from_being_sealed_and_is_named(survey):
    curated(survey, "--accept", "V1", "--accept", "V2", "--as", "Ada")
    curated(survey, "--reject", "V2", "--as", "Bo")

    said = survey("seal", "--statement", "x", "--as", "Ada", code=MISUSED)
    assert "people do not agree about V2" in said


def test_h1_neither_a_survey_nor_a_question_is_sealed(survey):
    refused = survey("seal", "--statement", "x", "--as", "Ada", code=MISUSED)
    assert "not a set that is being curated. Begin with `vestigia curate`" in refused
    run, survey_run = curated(survey)["run"], json.loads(survey("curate", "--json"))["taken_from"]
    told = survey("seal", survey_run, "--statement", "x", "--as", "Ada", code=MISUSED)
    assert f"Its set is curated in {run}: name that." in told


def test_h8_a_set_is_sorted_by_judgings_only(survey, workspace):
    run = works.read(workspace, "last").run
    assert "it is not a judging" in survey("curate", run, "--judging", run, code=MISUSED)


def test_h8_what_a_set_was_taken_from_is_read_once_and_anew_when_its_record_changes(survey, workspace, monkeypatch):
    found = curated(survey)
    work = works.read(workspace, found["run"])
    read, up_to = [], curating._up_to
    monkeypatch.setattr(curating, "_up_to", lambda origin, entries: read.append(origin) or up_to(origin, entries))
    curating.act(workspace, work.run, [Curated(DocumentId("V1"), Act.ACCEPT, "Ada")])
    shown = [curating.shown(workspace, works.read(workspace, work.run))["counts"] for _ in range(3)]

    assert read == [], "it was read when the set was laid open"
    assert shown[0] == shown[2]
    assert (shown[0]["found"], shown[0]["accepted"], shown[0]["undecided"]) == (2, 1, 1)
    ledger = workspace.runs / found["taken_from"] / "ledger.jsonl"
    os.utime(ledger, ns=(0, 0))
    assert curating.shown(workspace, works.read(workspace, work.run))["counts"] == shown[0]
    assert len(read) == 1


class TestAdding:
    """A source of the archive that no search brought is laid beside a set."""

    @pytest.fixture
    def run(self, workspace):
        found = asking.ask(workspace, Question("Wer hat die Brücke gesprengt?")).run
        said = {"V1": Decision.ACCEPT, "V2": Decision.REJECT}
        deciding.decide(workspace, found, *(Overruled(DocumentId(n), one, "", "Ada") for n, one in said.items()))
        return curating.begin(workspace, found).run

    @staticmethod
    def shown(workspace, run):
        return curating.shown(workspace, works.read(workspace, run))

    def test_it_is_a_source_of_the_set_with_who_laid_it_there_and_counted_so(self, workspace, run):
        assert [one["document"] for one in self.shown(workspace, run)["sources"]] == ["V1"]
        curating.add(workspace, run, DocumentId("V2"), "Ada", note="found by chance")
        told = self.shown(workspace, run)
        (one,) = [one for one in told["sources"] if one["document"] == "V2"]
        assert (one["standing"], one["added"]["by"], one["added"]["note"]) == ("undecided", "Ada", "found by chance")
        assert "neuen Brücke" in one["passage"]["text"]
        assert (told["counts"]["taken"], told["counts"]["screened"]) == (2, 2)
        curating.act(workspace, run, [Curated(DocumentId("V2"), Act.ACCEPT, "Ada")])
        work = dossiers.seal(workspace, run, "both", "Ada")
        assert [one.document for one in dossiers.newest(workspace, work.run).sources] == ["V2"]
        assert asking.verify_run(workspace, run).sound
        assert works.replay(workspace, run), "it is sealed, and decides as it was recorded"

    @pytest.mark.parametrize(
        ("document", "passage", "why"),
        [("V1", "", "is in the set already"), ("V7", "", "no such source"), ("V2", "V2#0-3", "no such source")],
    )
    def test_what_cannot_be_laid_there_is_refused_and_nothing_is_recorded(self, workspace, run, document, passage, why):
        before = works.read(workspace, run).entries
        with pytest.raises(UsageError, match=why):
            curating.add(workspace, run, DocumentId(document), "Ada", passage)
        assert works.read(workspace, run).entries == before

    def test_it_is_in_the_deposit_and_its_list(self, workspace, run, tmp_path):
        curating.add(workspace, run, DocumentId("V2"), "Ada")
        curating.act(workspace, run, [Curated(DocumentId("V2"), Act.ACCEPT, "Ada")])
        made = deposit(workspace, run, tmp_path / "d.zip")
        assert check(made.file).problems == ()
        (one,) = [one for one in made.record.sources if one["document"] == "V2"]
        assert one["listed"]
        assert [one["passage"] for one in one["passages"]]
        assert [one.document for one in lists.of_run(workspace, run).sources] == ["V2"]
