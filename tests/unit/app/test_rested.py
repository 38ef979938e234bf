"""B7: verdicts that rest on text corrected since are named, and go back to hold by acts that are recorded."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fakes.prepared import without_weights
from vestigia.app import asking, curating, judging_by_hand, works
from vestigia.app.archive import add
from vestigia.app.corrections import correct, take_back
from vestigia.app.curating import act
from vestigia.app.deciding import decide
from vestigia.app.putting_back import put_back, put_back_everywhere
from vestigia.app.rested import rested, shown
from vestigia.app.workspace import init, open_workspace
from vestigia.cli.commands import app
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.acts import Act, Curated
from vestigia.domain.errors import UsageError
from vestigia.domain.events import Overruled
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.domain.question import Question
from vestigia.ledger.chain import LEDGER

C, D = DocumentId("C"), DocumentId("D")
TEXTS = {"C": "Der Gemeinderat beschließt die Brücke.", "D": "Die Brücke wird vom Gemeinderat bezahlt."}


@pytest.fixture(scope="module", autouse=True)
def _light():
    """An encoder that needs no weights."""
    with without_weights():
        yield


@pytest.fixture(scope="module")
def asked(tmp_path_factory, _light):
    """An archive of two letters, and a question that took both."""
    root = tmp_path_factory.mktemp("rested")
    made = init(root / "council")
    lines = (json.dumps({"id": name, "text": text}) for name, text in TEXTS.items())
    (root / "council.jsonl").write_text("\n".join(lines))
    add(made, [root / "council.jsonl"], ImportOptions(language="de"))
    found = asking.ask(made, Question("Wer beschließt die Brücke?"))
    assert {row.card.id for row in found.result.sources} == {C, D}
    return made, found.run


@pytest.fixture
def council(asked, tmp_path):
    """A copy of it."""
    return open_workspace(Path(shutil.copytree(asked[0].root, tmp_path / "council")))


@pytest.fixture
def run(asked):
    """The question."""
    return asked[1]


def passage(name):
    return PassageId(f"{name}#0-{len(TEXTS[name])}")


def corrects(council, name="C", was="Gemeinderat", said="Gemeindebote"):
    return correct(council, passage(name), (was, said), "Reader")


def of(council, run):
    return rested(council, works.read(council, run).entries)


def ledger(council, run):
    return (council.runs / run / LEDGER).read_bytes()


def standing(council, run):
    return [(row.card.id, row.why) for row in asking.show(council, run).result.held]


def test_nothing_rests_on_corrected_text_before_anything_is_corrected(council, run):
    assert of(council, run) == ()
    assert shown(council, works.read(council, run).entries) == []


def test_a_verdict_of_the_machine_rests_on_the_passage_that_was_corrected_after_it(council, run):
    corrects(council)
    (one,) = of(council, run)
    assert (one.document, one.verdict, one.by, one.passages) == (C, "accept", "", (passage("C"),))
    assert [(said.was, said.now) for said in one.corrections] == [("Gemeinderat", "Gemeindebote")]
    entry = works.read(council, run).entries[one.entry]
    assert (entry.number, entry.time) == (one.entry, one.time)


def test_a_verdict_given_after_the_correction_does_not(council):
    corrects(council)
    run = asking.ask(council, Question("Wer beschließt die Brücke?")).run
    assert of(council, run) == ()


def test_nor_does_one_whose_correction_was_taken_back(council, run):
    take_back(council, C, corrects(council).number, "Reader")
    assert of(council, run) == ()


def test_what_was_judged_is_shown_with_the_words_around_it(council, run):
    corrects(council)
    (row,) = shown(council, works.read(council, run).entries)
    (said,) = row["corrections"]
    told = (said["before"], said["was"], said["now"], said["after"])
    assert told == ("Der ", "Gemeinderat", "Gemeindebote", " beschließt die Brücke.")
    assert (row["by"], row["withheld"], row["passages"]) == (None, None, [passage("C")])


def test_of_a_text_that_is_closed_now_no_word_is_shown(council, run):
    from vestigia.app.care import describe

    corrects(council)
    describe(council, council.catalogue().sub_corpora()[0].name, {"access": "closed"})
    (row,) = shown(council, works.read(council, run).entries)
    assert row["withheld"] == "closed"
    assert "Gemeinde" not in json.dumps(row)
    (row,) = shown(council, works.read(council, run).entries, closed=True)
    assert row["corrections"][0]["was"] == "Gemeinderat"


def test_it_goes_back_to_hold_by_an_act_and_the_old_record_stays_as_it_was(council, run):
    corrects(council)
    before = ledger(council, run)
    assert put_back(council, run, "Ada") == ([C], 0)
    assert ledger(council, run).startswith(before)
    assert standing(council, run) == [
        (C, "the text was corrected since: “Gemeinderat” → “Gemeindebote” (correction 1)")
    ]
    assert [row.card.id for row in asking.show(council, run).result.sources] == [D]
    assert of(council, run) == (), "what is on hold rests on nothing"
    assert asking.verify_run(council, run).sound


def test_a_person_s_decision_rests_on_the_text_too_until_one_decides_anew(council, run):
    decide(council, run, Overruled(C, Decision.REJECT, "", "Bo"))
    corrects(council)
    (one,) = of(council, run)
    assert (one.verdict, one.by) == ("reject", "Bo")
    decide(council, run, Overruled(C, Decision.REJECT, "still", "Bo"))
    assert of(council, run) == ()
    corrects(council, was="Brücke", said="Lücke")
    assert [said.number for said in of(council, run)[0].corrections] == [2]


def test_only_what_is_chosen_goes_back(council, run):
    corrects(council)
    corrects(council, "D")
    assert put_back(council, run, "Ada", [D]) == ([D], 0)
    assert [one.document for one in of(council, run)] == [C]
    with pytest.raises(UsageError, match="no verdict rests"):
        put_back(council, run, "Ada", [D])


def test_many_corrections_are_named_in_part_and_long_ones_shortened(council, run):
    for was in ("Der", "Gemeinderat", "beschließt", "die"):
        corrects(council, was=was, said=f"{was} {'x' * 80}")
    put_back(council, run, "Ada")
    ((_, why),) = standing(council, run)
    assert why.count("→") == 3
    assert why.endswith("(correction 3) and 1 more")
    assert "x" * 61 not in why


def test_a_decision_of_a_curation_is_flagged_for_all_who_decided(council, run):
    work = curating.begin(council, run)
    act(council, work.run, [Curated(C, Act.ACCEPT, "Ada"), Curated(C, Act.ACCEPT, "Bo"), Curated(D, Act.FLAG, "Bo")])
    corrects(council)
    corrects(council, "D")
    assert [(one.document, one.by) for one in of(council, work.run)] == [(C, "Ada"), (C, "Bo")]
    assert put_back(council, work.run, "Cy") == ([C], 0)
    found = {one.item.document: one for one in curating.read(works.read(council, work.run)).sources}
    assert found[C].standing == "flagged"
    assert found[C].decisions[0].act.note.startswith("the text was corrected since: “Gemeinderat”")
    assert curating.shown(council, works.read(council, work.run))["corrected"] == []


def test_a_score_rests_on_it_and_is_judged_anew_not_held(council, run):
    judged = judging_by_hand.begin(council, run, "engagement", "Ada").run
    judging_by_hand.score(council, judged, passage("C"), 3, "It says so.", "Ada")
    corrects(council)
    (one,) = of(council, judged)
    assert (one.verdict, one.score, one.by) == ("score", 3, "Ada")
    with pytest.raises(UsageError, match="scores are not put on hold"):
        put_back(council, judged, "Ada")


def test_everywhere_passes_over_what_may_not_be_curated_and_what_does_not_rest_on_it(council, run):
    work = curating.begin(council, run)
    act(council, work.run, [Curated(C, Act.ACCEPT, "Ada")])
    corrects(council)
    later = asking.ask(council, Question("Wer beschließt die Brücke?")).run
    assert put_back_everywhere(council, C, [run, work.run, later], "Bo", curates=False) == 1
    assert [one.by for one in of(council, work.run)] == ["Ada"]
    assert put_back_everywhere(council, C, [run, work.run, later], "Bo", curates=True) == 1
    assert of(council, work.run) == ()


def typed(*arguments, code=0):
    ended = CliRunner(env={"COLUMNS": "300"}).invoke(app, [str(one) for one in arguments])
    assert ended.exit_code == code, ended.output
    return " ".join(ended.output.split())


def test_the_terminal_shows_it_and_puts_it_back(council, run):
    corrects(council)
    page = typed("show", council.root, run)
    assert "Text corrected since C (C): accept by the machine on" in page
    assert "since then “Gemeinderat” → “Gemeindebote”" in page
    assert [one["document"] for one in json.loads(typed("show", council.root, run, "--json"))["corrected"]] == ["C"]
    told = typed("decide", council.root, "--all-corrected", "--as", "Ada", "--run", run)
    assert told == "C waits for a new verdict: its text was corrected since."
    assert "no verdict rests" in typed("decide", council.root, "--all-corrected", "--as", "Ada", code=2)
    assert "Text corrected since" not in typed("show", council.root, run)


def test_it_is_put_back_in_one_way_at_a_time(council, run):
    corrects(council)
    typed("decide", council.root, "C", "accept", "--all-corrected", "--as", "Ada", code=2)
    assert [one.document for one in of(council, run)] == [C]
    assert json.loads(typed("decide", council.root, "--all-corrected", "--as", "Ada", "--json")) == {
        "run": run, "on_hold": ["C"], "left": 0,
    }  # fmt: skip
