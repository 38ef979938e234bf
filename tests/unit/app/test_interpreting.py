"""H9, H1 as typed: a sealed dossier is interpreted, contested, signed for and exported; nothing else is."""

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from fakes.interpreting import interpreter
from vestigia.app import curating, dossiers, interpreting, models, reading_room, works
from vestigia.app.asking import opened
from vestigia.app.care import describe
from vestigia.app.models import Answering
from vestigia.app.settings import rules_of
from vestigia.cli.commands import app
from vestigia.cli.outcome import MISUSED
from vestigia.domain.commissions import InterpretOrder, Origin
from vestigia.domain.errors import StaleIndexError, UsageError
from vestigia.domain.ids import digest
from vestigia.domain.question import Question
from vestigia.engine import runs
from vestigia.engine.world import no_dossier

TERMINAL = CliRunner(env={"COLUMNS": "220"})
MODELS = {name: (lambda name=name: interpreter(name)) for name in ("reader", "other")}


@pytest.fixture
def typed(workspace, monkeypatch):
    monkeypatch.setattr(models, "installed", lambda _kind: MODELS)

    def run(command: str, *arguments: str, code: int = 0) -> str:
        ended = TERMINAL.invoke(app, [command, str(workspace.root), *arguments])
        assert ended.exit_code == code, ended.output
        return ended.output

    return run


@pytest.fixture
def sealed(typed):
    """The two letters, curated by Ada and sealed."""
    typed(
        "survey", "Die neue Brücke", "--windows", "1887-01/1887-03, 1887-04/1887-06", "--quota", "5", "--undated", "0"
    )
    typed("curate", "--accept", "V1", "--accept", "V2", "--as", "Ada")
    typed("seal", "--statement", "All letters on the bridge.", "--as", "Ada")
    return typed


def interpreted(typed, *options):
    asked = ("--question", "What became of the bridge?", "--model", "reader", *options)
    return json.loads(typed("interpret", *asked, "--json"))["interpretations"]


def test_h9_quotations_first_each_checked_then_claims_that_name_them(sealed):
    (found,) = interpreted(sealed)
    (chapter,) = found["chapters"]

    assert [(q["number"], q["document"], q["outcome"]) for q in chapter["quotes"]] == [
        (1, "V1", "exact"),
        (2, "V2", "exact"),
        (3, "V1", "altered"),
    ]
    assert chapter["quotes"][0]["spans"] == [[0, 43]]
    assert [(c["id"], c["quotes"], c["proven"]) for c in chapter["claims"]] == [
        ("1.1", [1], True),
        ("1.2", [2], True),
        ("1.3", [1], False),
        ("1.4", [], False),
    ]
    assert chapter["silence"] == "what became of it"
    assert found["unsigned"] == ["1.3"]
    assert found["budget"]["calls"] == 2


def test_h9_it_is_labelled_as_a_proposal_with_model_date_dossier_and_rubric(sealed):
    (found,) = interpreted(sealed)

    assert found["label"].startswith("Machine-made proposal, not a finding: by reader, ")
    assert f"dossier of 2 sources, sealed by Ada on {found['dossier']['sealed_at'][:10]}" in found["label"]
    assert found["label"].endswith("rubric: none")
    assert found["label"] in sealed("show")


def test_h9_several_models_write_side_by_side_and_several_questions_together(sealed):
    found = interpreted(sealed, "--model", "other", "--question", "Who paid?")
    page = sealed("show", found[1]["run"])

    assert [one["model"] for one in found] == ["reader", "other"]
    assert [[c["number"] for c in one["chapters"]] for one in found] == [[1, 2, 0]] * 2
    assert "All questions together" in page
    assert "all.1 Both say so." in page


def test_h9_people_contest_note_and_sign(sealed):
    interpreted(sealed)
    sealed("contest", "last", "1.1", "--because", "it was in May", "--as", "Bo")
    sealed("contest", "last", "1.2", "--note", "--because", "compare the minutes", "--as", "Bo")
    page = sealed("contest", "last", "1.3", "--sign", "--because", "seen in the original", "--as", "Ada")

    assert "contest by Bo: it was in May" in page
    assert "note by Bo: compare the minutes" in page
    assert "sign by Ada: seen in the original" in page
    assert json.loads(sealed("show", "--json"))["unsigned"] == []


def test_h9_a_new_question_after_an_interpretation_goes_to_the_same_dossier(sealed):
    (first,) = interpreted(sealed)
    (second,) = interpreted(sealed, "--question", "Who paid?")

    assert second["run"] != first["run"]
    assert second["questions"] == ["What became of the bridge?", "Who paid?"]
    assert second["dossier"] == first["dossier"]
    page = sealed("interpret", "last")
    assert f"run {second['run']}" in page
    assert f"Next: vestigia contest {page.rpartition('vestigia contest ')[2].split()[0]} {second['run'][-6:]}" in page
    assert "shown as it was written" in sealed("interpret", "last", "--model", "other", code=MISUSED)
    assert json.loads(sealed("dossier", "--json"))["run"] == first["dossier"]["run"]


def test_b8_what_may_not_leave_yet_is_shown_all_the_same(sealed, tmp_path):
    told = sealed(
        "interpret", "--question", "What?", "--model", "reader", "--out", str(tmp_path / "x.md"), code=MISUSED
    )
    run = json.loads(sealed("show", "--json"))["run"]
    assert "1.3 It is said that “nobody ever wrote this down”." in told
    assert f"vestigia contest ARCHIVE {run} CLAIM --sign" in told
    assert f"vestigia interpret ARCHIVE {run} --out FILE" in told
    assert not (tmp_path / "x.md").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("9.9", "--because", "x", "--as", "Bo"), "there is no claim '9.9'"),
        (("1.1", "--because", "x"), "every decision has an author"),
        (("1.1", "--sign", "--as", "Bo"), "nothing to sign for"),
        (("1.1", "--as", "Bo"), "says why"),
    ],
)
def test_what_cannot_be_said_of_a_claim_is_refused(sealed, options, said):
    interpreted(sealed)
    assert said in sealed("contest", "last", *options, code=MISUSED)


def test_b8_an_export_with_a_quotation_that_is_not_sealed_waits_for_a_signature(sealed, tmp_path):
    interpreted(sealed)
    out = tmp_path / "bridge.md"
    refused = sealed("interpret", "last", "--out", str(out), code=MISUSED)

    assert "claim 1.3: “nobody ever wrote this down”" in refused
    assert not out.exists()
    sealed("contest", "last", "1.3", "--sign", "--as", "Ada")
    sealed("interpret", "last", "--out", str(out))
    text = out.read_text(encoding="utf-8")
    assert text.count("Machine-made proposal, not a finding") == 2
    assert "1.4 Everybody agreed. (**unproven**)" in text
    assert "[q1] (**unproven**; not sealed: nobody ever wrote this down; **signed for by Ada**)" in text
    assert "**signed for by Ada**" in text
    assert "- [q1] “Die Brücke über die Alzette wurde gesprengt.”" in text
    assert "characters 0-43; exact" in text
    assert "- [q3] not sealed: altered; the record has it (V1\\#0-44)" in text
    assert "never Die Brücke" not in text


def test_an_export_takes_no_sign_of_a_text_for_markdown(sealed, tmp_path):
    interpreted(sealed)
    sealed("contest", "last", "1.3", "--sign", "--because", "see *here* [x]", "--as", "A_da")
    sealed("interpret", "last", "--out", str(tmp_path / "x.md"))

    assert "signed for by A\\_da**: see \\*here\\* \\[x\\]" in (tmp_path / "x.md").read_text(encoding="utf-8")


def test_b11_of_what_may_not_be_shown_neither_quotation_nor_words_are_given(sealed, workspace, tmp_path):
    interpreted(sealed)
    sealed("contest", "last", "1.3", "--sign", "--as", "Ada")
    describe(workspace, "Letters", {"access": "closed"})
    found = json.loads(sealed("show", "--json"))
    sealed("interpret", "last", "--out", str(tmp_path / "x.md"))

    assert {q["text"] for q in found["chapters"][0]["quotes"]} == {None}
    assert found["chapters"][0]["claims"][2]["text"] == "It is said that “…”."
    assert "gesprengt" not in (tmp_path / "x.md").read_text(encoding="utf-8")
    assert json.loads(sealed("show", "--closed", "--json"))["chapters"][0]["quotes"][0]["text"].startswith("Die Brücke")


def test_b11_what_its_rights_keep_from_a_model_of_others_is_not_read(sealed, workspace):
    describe(workspace, "Letters", {"access": "personal"})
    (found,) = interpreted(sealed)

    assert found["dossier"]["withheld"] == ["V1", "V2"]
    assert found["budget"]["calls"] == 0
    assert "the rights of V1 keep it from the model" in sealed("show")


def test_a_budget_leaves_a_partial_result_and_it_is_resumed_replayed_and_verified(sealed):
    (found,) = interpreted(sealed, "--max-calls", "1")

    assert found["partial"] == "1 model calls"
    assert found["finished"] is True
    assert json.loads(sealed("replay", "--json"))["finished"] is True
    assert "Partial" in sealed("resume")
    assert "are as they were written" in sealed("verify")


# Nothing but a sealed dossier


def test_h1_without_a_seal_nothing_is_interpreted(typed, workspace):
    typed("survey", "Die neue Brücke", "--windows", "1y")
    ask = ("--question", "What?", "--model", "reader")

    assert "no person has sealed a dossier" in typed("interpret", *ask, code=MISUSED)
    typed("curate", "--accept", "V1", "--as", "Ada")
    assert "no person has sealed a dossier" in typed("interpret", *ask, code=MISUSED)
    assert "no person has sealed a dossier" in typed("dossier", code=MISUSED)
    with pytest.raises(UsageError, match="no person has sealed a dossier"):
        interpreting.interpret(workspace, "last", ["What?"], Answering(interpreter()))


def test_h1_an_order_made_by_hand_begins_no_run(sealed, workspace):
    curation = works.read(workspace, "last")
    items = curating.read(curation).order.items
    before = sorted(workspace.runs.iterdir())
    for origin in (Origin(curation.run, digest("made up")), Origin(curation.run, curation.entries[2].digest)):
        order, rules = InterpretOrder(origin, items, ("What?",)), rules_of(workspace.settings)
        with opened(workspace, Answering(interpreter())) as archive, pytest.raises(UsageError, match="sealed that"):
            works.begin(workspace, archive, Question("What?"), rules, order)
    assert sorted(workspace.runs.iterdir()) == before


def test_h1_an_order_written_past_the_app_gets_no_dossier_from_the_archive():
    with pytest.raises(UsageError, match="no person has sealed that dossier"):
        no_dossier(Origin("curation", digest("x")))


def test_h1_a_seal_that_is_no_longer_there_stops_a_run_before_anything_is_read(sealed, workspace):
    from fakes.ledger import MemoryLedger
    from fakes.runs import MANIFEST, RUN, a_world
    from fakes.samples import ticking

    dossier = dossiers.newest(workspace, "last")
    ledger = MemoryLedger(RUN, ticking(), ())
    order = InterpretOrder(replace(dossier.origin, head=digest("x")), dossier.sources, ("What?",))
    runs.begin(ledger, MANIFEST, Question("What?"), rules_of(workspace.settings), order)
    with pytest.raises(UsageError, match="sealed that dossier"):
        runs.carry_out(works.flow_of, ledger, a_world(ledger, interpreter()))
    assert [type(entry.body).__name__ for entry in ledger.entries()] == ["Begun", "Recorded", "Asked"]


def test_no_rule_interprets(sealed):
    said = sealed("interpret", "--question", "What?", code=MISUSED)
    assert "no language model is set, and a rule does not interpret" in said
    assert "vestigia dossier" in said


@pytest.mark.parametrize("options", [(), ("--question", " ")])
def test_a_dossier_is_not_interpreted_without_a_question(sealed, options):
    assert "no question" in sealed("interpret", "--model", "reader", *options, code=MISUSED)


def test_where_no_file_can_be_written_no_model_is_asked(sealed, tmp_path):
    before = sealed("runs")
    for place in (tmp_path, tmp_path / "none" / "text.md"):
        said = sealed("interpret", "last", "--question", "Wer?", "--out", str(place), code=MISUSED)
        assert "no file can be written there" in said
    assert sealed("runs") == before


def test_a_claim_is_signed_for_or_noted_on(sealed):
    interpreted(sealed)
    said = sealed("contest", "last", "1.1", "--sign", "--note", "--because", "so", "--as", "Ada", code=MISUSED)
    assert "signed for or noted on" in said


def test_only_an_interpretation_is_contested(sealed, workspace):
    refused = sealed("contest", "last", "1.1", "--because", "x", "--as", "Bo", code=MISUSED)
    assert "a set that is being curated" in refused
    sealed("survey", "Die neue Brücke", "--windows", "1y")
    assert "not an interpretation" in sealed("contest", "last", "1.1", "--because", "x", "--as", "Bo", code=MISUSED)
    with pytest.raises(UsageError, match="not an interpretation"):
        interpreting.read(works.read(workspace, "last"))


# Without a model


def test_b13_a_dossier_is_read_by_window_with_sentences_chosen_by_rule(sealed):
    found = json.loads(sealed("dossier", "--json"))
    page = sealed("dossier")

    assert [(w["window"], [s["document"] for s in w["sources"]]) for w in found["windows"]] == [
        ("1887-01-01/1887-03-31", ["V1"]),
        ("1887-04-01/1887-06-30", ["V2"]),
    ]
    assert found["windows"][1]["sources"][0]["key_sentences"].startswith("Der Gemeinderat")
    assert "Sentences chosen by rule" in page
    assert "All letters on the bridge." in page


def test_b13_a_dossier_is_cut_within_the_period_of_its_survey(typed):
    typed("survey", "Die neue Brücke", "--windows", "1y", "--between", "1887-03/1887-04")
    typed("curate", "--accept", "V1", "--as", "Ada")
    typed("seal", "--statement", "x", "--as", "Ada")
    found = json.loads(typed("dossier", "--windows", "1", "--json"))
    assert [w["window"] for w in found["windows"]] == ["1887-03-11/1887-04-30"]


def test_b13_without_an_index_the_words_of_the_description_count_alike(sealed, workspace, monkeypatch):
    def stale(*_):
        raise StaleIndexError("the index is older than the catalogue.")

    monkeypatch.setattr(reading_room, "open_index", stale)
    found = reading_room.laid_out(workspace, "last")
    assert found["windows"][1]["sources"][0]["key_sentences"].startswith("Der Gemeinderat")


def test_b13_a_dossier_is_read_in_other_windows_and_what_is_in_none_is_shown(sealed, workspace):
    found = json.loads(sealed("dossier", "--windows", "1887-05/1887-06", "--json"))
    assert [(w["window"], len(w["sources"])) for w in found["windows"]] == [("1887-05-01/1887-06-30", 1), (None, 1)]
    describe(workspace, "Letters", {"access": "closed"})
    assert "closed source" in sealed("dossier")
    assert "gesprengt" in sealed("dossier", "--closed")


def test_b13_the_dossier_of_a_question_has_no_windows(typed):
    typed("ask", "Was geschah mit der Brücke?")
    typed("curate", "--accept", "V1", "--as", "Ada")
    typed("seal", "--statement", "x", "--as", "Ada")

    assert [w["window"] for w in json.loads(typed("dossier", "--json"))["windows"]] == [None]
