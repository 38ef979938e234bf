"""Asking: the reading before anything runs, the limits, beginning; what is typed wrongly is said and kept."""

import re

import pytest

from fakes.sites import is_well_made, visiting, words_of
from vestigia.app.workspace import Workspace
from vestigia.domain.entries import Begun
from vestigia.ledger.log import FileLedger

ASK = "/archives/letters/ask"
QUESTION = {"q": "Was geschah 1887 mit der Brücke über die Alzette?"}


def begun(workspace: Workspace, answer) -> Begun:
    """What made the run that a form led to."""
    run = answer.headers["location"].rsplit("/", 1)[1]
    return FileLedger.read(workspace.runs, workspace.run(run)).entries()[0].body


@pytest.fixture
def asked(workspace):
    """Send the form and return where it leads."""
    site = visiting({"letters": workspace})
    return lambda **fields: site.submit(ASK, {**QUESTION, "chosen": "true", **fields}, follow_redirects=False)


class TestReading:
    def test_before_it_runs_a_question_is_shown_as_it_is_read(self, site, workspace):
        before = workspace.run_names()
        page = site.get(ASK, params={**QUESTION, "from": "1880", "to": "1891", "windows": "2"})
        assert page.status_code == 200
        is_well_made(page.text)
        said = words_of(page.text)
        assert "Brücke is attested in 3 documents, 1887 to 1891." in said
        assert "“1887” = 1887" in said
        assert "Letters (4 documents)" in said
        assert "No model is asked; it costs nothing." in said
        assert workspace.run_names() == before
        assert "„1887“ = 1887" in words_of(site.get(ASK, params={**QUESTION, "lang": "de"}).text)

    def test_the_twin_has_the_claims(self, site):
        read = site.get(f"{ASK}.json", params=QUESTION).json()["reading"]
        assert [term["term"] for term in read["terms"]] == ["geschah", "Brücke", "über", "Alzette"]
        assert read["dates"] == [{"text": "1887", "period": "1887"}]
        assert read["sub_corpora"] == [{"name": "Letters", "documents": 4}]
        assert (read["pauses"], read["estimate"], read["model"]) == (["plan"], None, "extractive (no language model)")

    def test_the_token_of_the_form_stays_in_no_address(self, site):
        led = site.get(ASK, params={"q": "Was geschah 1887?", "csrf": "secret"}, follow_redirects=False)
        assert (led.status_code, led.headers["location"]) == (303, f"{ASK}?q=Was+geschah+1887%3F")

    def test_words_chosen_beside_the_question_are_looked_up_too(self, site):
        read = site.get(f"{ASK}.json", params={**QUESTION, "also": "Gemeinderat, Elektronenhirn"}).json()["reading"]
        assert read["also"] == ["Gemeinderat", "Elektronenhirn"]
        assert {term["term"]: term["documents"] for term in read["terms"]}["Elektronenhirn"] == 0

    @pytest.mark.parametrize(
        ("fields", "what"),
        [
            ({"from": "gestern"}, "no date"),
            ({"calls": "viele"}, "is no number"),
            ({"calls": "1.5"}, "no whole number"),
            ({"minutes": "-1"}, "is no number"),
            ({"windows": "oft"}, "cannot be read as a period"),
            ({"sub_corpus": "Akten"}, "no sub-corpus"),
            ({"model": "gpt"}, "no model"),
            ({"preset": "fast"}, "no rules are called"),
            ({"pause": "never", "chosen": "true"}, "no checkpoint"),
            ({"q": "???"}, "holds no word"),
        ],
    )
    def test_what_is_typed_wrongly_is_said_and_kept(self, site, fields, what):
        page = site.get(ASK, params={**QUESTION, **fields})
        assert page.status_code == 400
        assert what in page.text.lower()
        name, typed = next(iter(fields.items()))
        if name in {"from", "calls", "minutes", "windows", "q"}:
            assert typed in page.text
        answer = site.get(f"{ASK}.json", params={**QUESTION, **fields})
        assert what in answer.json()["title"].lower()

    def test_a_script_in_a_field_is_text(self, site):
        evil = '"><script>alert(1)</script>'
        for name in ("q", "from", "to", "windows", "also", "model", "preset", "calls"):
            page = site.get(ASK, params={**QUESTION, name: f"{evil} Brücke"}).text
            assert "<script>" not in page

    def test_an_empty_archive_has_the_form_and_says_what_is_missing(self, empty):
        assert empty.get("/archives/empty/ask").status_code == 200
        answer = empty.submit("/archives/empty/ask", QUESTION)
        assert answer.status_code == 400
        assert "holds no document" in answer.text


class TestBeginning:
    def test_a_question_begins_a_run_and_leads_to_it(self, workspace, asked):
        made = begun(workspace, asked())
        assert made.question.text == QUESTION["q"]
        assert made.rules.pause == ()

    def test_limits_windows_words_and_checkpoints_are_recorded(self, workspace, asked):
        made = begun(
            workspace,
            asked(
                **{"from": "1880", "to": "1891"},
                sub_corpus="Letters",
                language="de",
                windows="2",
                also="Gemeinderat, Bau",
                strict="true",
                calls="7",
                minutes="1,5",
                pause=["plan", "final"],
                preset="trace-2026",
                model="extractive",
            ),
        )
        assert made.question.sub_corpora == ("Letters",)
        assert made.question.languages == ("de",)
        assert made.question.period is not None
        assert made.rules.also == ("Gemeinderat", "Bau")
        assert made.rules.strict
        assert (made.rules.budget.calls, made.rules.budget.seconds) == (7, 90)
        assert made.rules.pause == ("plan", "final")
        assert made.rules.fusion == "equal"
        assert len(made.rules.windows) == 2
        assert dict(made.manifest.models) == {"": "extractive"}

    def test_who_chose_nothing_is_asked_about_the_plan(self, workspace):
        site = visiting({"letters": workspace})
        assert begun(workspace, site.submit(ASK, QUESTION, follow_redirects=False)).rules.pause == ("plan",)

    def test_what_is_refused_begins_nothing_and_keeps_what_was_typed(self, workspace, asked):
        before = workspace.run_names()
        answer = asked(cost="2")  # a rule has no price, and costs nothing: it is affordable
        assert answer.status_code == 303
        answer = asked(q="Brücke", sub_corpus="Akten", also="Bau")
        assert answer.status_code == 400
        assert 'value="Bau"' in answer.text
        assert len(workspace.run_names()) == len(before) + 1

    def test_the_form_keeps_the_token(self, site):
        (token,) = re.findall(r'name="csrf" value="([^"]+)"', site.get(ASK).text)
        assert token == site.token()
        assert site.post(ASK, data=QUESTION).status_code == 403
