"""What our program wrote is said in the reader's language; what a model or a person wrote, and the record, stay."""

import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from string import Formatter

import pytest

from fakes.sites import words_of
from vestigia.app import asking, curating, entries, judging_by_hand, surveying, works
from vestigia.app.deciding import decide
from vestigia.app.search_view import question_of
from vestigia.app.settings import rules_of
from vestigia.app.surveying import Plan
from vestigia.domain.events import Overruled
from vestigia.domain.ids import DocumentId
from vestigia.domain.question import Question
from vestigia.web.messages import LANGUAGES, catalogue
from vestigia.web.phrases import PHRASE, STEP, measured, said

OTHERS = sorted(set(LANGUAGES) - {"en"})
OWN = {path for path in Path(str(files("vestigia"))).rglob("*.py") if path.name != "phrases.py"}
WRITTEN = re.sub(r'"\s*\n\s*f?"', "", "".join(path.read_text(encoding="utf-8") for path in sorted(OWN)))
"""All our source, strings that are broken over lines joined."""


@pytest.fixture(scope="module")
def run(workspace):
    return asking.ask(workspace, Question("Wer baute 1891 die neue Brücke über die Alzette?")).run


@pytest.fixture(scope="module")
def others(workspace):
    rules = replace(rules_of(workspace.settings), pause=("plan",))
    waiting = asking.ask(workspace, Question("Die neue Brücke?"), rules).run
    survey = surveying.survey(workspace, question_of("Die neue Brücke", [], "", []), Plan("1887/1891", 5, 5)).run
    desk = judging_by_hand.begin(workspace, survey, "attitudes", "Ada").run
    few = surveying.survey(workspace, question_of("Die neue Brücke", [], "", []), Plan("1887", 1, 0)).run
    lacking = curating.begin(workspace, few).run
    there = {source.item.document for source in curating.read(works.read(workspace, lacking)).sources}
    curating.add(workspace, lacking, next(DocumentId(f"V{n}") for n in (1, 2, 3) if f"V{n}" not in there), "Ada")
    return [waiting, survey, desk, curating.begin(workspace, survey).run, lacking]


@pytest.mark.parametrize("language", OTHERS)
def test_every_step_of_every_kind_of_run_is_said_in_each_language(workspace, run, others, language):
    told = {one["what"] for name in (run, *others) for one in entries.listed(workspace, name)}
    assert len(told) > 20
    assert {what for what in told if said(language, what, STEP)[1]} == set()
    assert {what for what in told if said(language, what, STEP)[0] == what} <= {"orientation"}


@pytest.mark.parametrize("language", OTHERS)
def test_every_reason_without_a_language_model_is_said_and_its_quotation_stays(workspace, run, language):
    state = asking.answer_of(run, works.read(workspace, run).entries)
    reasons = {step.reason for row in state.result.sources for step in row.steps}
    assert reasons
    for reason in reasons:
        assert re.match(r"\d+ of \d+ words", reason)
        found = measured(language, reason)
        assert not re.match(r"\d+ of \d+ words", found)
        assert found.partition("“")[2] == reason.partition("“")[2]


@pytest.mark.parametrize("family", [PHRASE, STEP, "measure"])
def test_each_sentence_is_one_that_the_program_writes(family):
    """A sentence whose words changed in the program would be said in English again: here it is seen."""
    lost = []
    for key, message in catalogue("en").items():
        form = message["other"] if isinstance(message, dict) else message
        for text, *_ in Formatter().parse(form):
            words = text.strip(" :,;")
            if family == key.partition(".")[0] and len(words) > 5 and words not in WRITTEN.replace("_", " "):
                lost.append((key, words))
    composed = {"step.ended-partial", "step.finish"}
    assert [one for one in lost if one[0] not in composed and not one[0].startswith("step.kind-")] == []


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("1 passages are on hold, decided by nobody", "1 Stelle ist zurückgestellt und von niemandem entschieden"),
        ("2 passages are on hold, decided by nobody", "2 Stellen sind zurückgestellt und von niemandem entschieden"),
        (
            "it is partial: the budget of 40 model calls was reached",
            "er ist unvollständig: Die Grenze von 40 Modellaufrufen wurde erreicht",
        ),
        ("not reviewed: 13 steps were used", "nicht geprüft: 13 Schritte wurden verbraucht"),
        (
            "words: 'x' holds no word that can be searched",
            "Wörter: 'x' enthält kein Wort, nach dem gesucht werden kann",
        ),
    ],
)
def test_sentences_with_numbers_and_sentences_within(english, german):
    assert said("de", english) == (german, "")


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("asks for words “a, b”, 2 × a model: review", "fragt nach: Wörter „a, b“, 2 × ein Modell: Prüfung"),
        ("asks for people at plan, waiting", "fragt nach: Menschen (plan), und wartet"),
        ("plan by Ada: q1, q2", "Plan von Ada: q1, q2"),
        ("plan by pen: too long", "Plan durch pen: zu lang"),
        ("Ada: reject V1", "Ada: abgelehnt V1"),
        ("warm start", "erste Suche der Teilfrage"),
    ],
)
def test_steps_with_lists_names_and_quotations(english, german):
    assert said("de", english, STEP) == (german, "")


def test_what_no_catalogue_has_stays_and_is_marked_as_english():
    assert said("de", "A sentence of tomorrow.") == ("A sentence of tomorrow.", "en")
    assert said("en", "A sentence of tomorrow.") == ("A sentence of tomorrow.", "")
    assert said("de", "") == ("", "")


@pytest.mark.parametrize(
    "words", ["It tells of the bridge.", "date fits the question", "3 of 4 words; but no date: “x”"]
)
def test_what_a_model_wrote_stays(words):
    assert measured("de", words) == words


def test_pages_say_it_and_the_record_does_not_change(site, workspace, run):
    page = site.get(f"/archives/letters/runs/{run}?lang=de").text
    shown = words_of(page)
    assert re.search(r"\d+ von \d+ Wörter", shown)
    assert not re.search(r"\d+ of \d+ words", shown)
    twin = site.get(f"/archives/letters/runs/{run}.json").json()
    assert re.match(r"\d+ of \d+ words", twin["ranking"][0]["reasons"][0]["reason"])
    steps = site.get(f"/archives/letters/runs/{run}/entries?lang=fr").text
    assert "demande : " in words_of(steps)
    assert "asks for" not in steps


def test_a_persons_reason_that_reads_like_ours_stays(site, workspace):
    run = asking.ask(workspace, Question("Die neue Brücke?")).run
    first = asking.show(workspace, run).result.sources[0].card.id
    decide(workspace, run, Overruled(first, "accept", "date fits", "Ada"))
    assert "date fits Ada" in words_of(site.get(f"/archives/letters/runs/{run}?lang=de").text).replace(" · ", " ")


def test_an_error_is_said_in_the_readers_language(site):
    page = site.get("/archives/letters/sources/none/text?lang=fr")
    assert page.status_code == 404
    assert "Cette source n’existe pas." in words_of(page.text)
