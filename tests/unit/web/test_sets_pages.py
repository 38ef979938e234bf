"""Gathering a set in the browser, and what is shown of it: windows, shortfalls, layers, the price of the balance."""

import re

import pytest

from fakes.sites import is_well_made, visiting, words_of
from vestigia.app import asking, encoders
from vestigia.app.asking import ask
from vestigia.app.people.roles import Role, Visitor
from vestigia.domain.question import Question
from vestigia.web.site import Options
from vestigia.web.templating import years

SETS, SURVEY = "/archives/letters/sets", "/archives/letters/survey"
TYPED = {"description": "Die neue Brücke", "windows": "1887/1888, 1889/1892", "quota": "2", "undated": "1"}


def finished(site, address):
    """Wait for the run of a page to its end."""
    run = address.rstrip("/").rpartition("/")[2]
    site.get(f"/archives/letters/runs/{run}/stream")
    return site.get(address)


@pytest.fixture(scope="module")
def found(workspace, encoder):
    """The address of a set that was gathered through the form."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (asking, encoders):
            patch.setattr(module, "available", lambda: (encoder,))
        patch.setattr(encoders, "encoder", lambda _name: encoder)
        site = visiting({"letters": workspace})
        answer = site.submit(SURVEY, TYPED)
        assert answer.status_code == 200, words_of(answer.text)
        finished(site, answer.url.path)
    return answer.url.path


def test_h2_a_set_is_gathered_window_by_window_with_what_each_lacks(site, found):
    view = site.get(f"{found}.json").json()
    assert view["finished"] is True
    assert [(one["window"], [s["document"] for s in one["sources"]], one["short"]) for one in view["windows"]] == [
        ("1887-01-01/1888-12-31", ["V1"], 1),
        (
            "1889-01-01/1892-12-31",
            [view["windows"][1]["sources"][0]["document"], view["windows"][1]["sources"][1]["document"]],
            0,
        ),
        (None, ["V3"], 0),
    ]
    assert (view["quota"], view["undated"]) == (2, 1)
    assert {one["channel"] for one in view["prices"]} >= {"words"}


def test_h2_the_page_says_it_in_words_a_chart_and_a_table(site, found):
    page = site.get(found).text
    is_well_made(page)
    said = words_of(page)
    assert "4 sources gathered. Asked for: 2 of each window." in said
    assert "1887–1888 1 source · 1 fewer than asked for" in said
    assert page.count("<svg") == 1
    assert "1887–1888 1 1" in said
    assert "What the windows cost in each channel" in said


def test_a_script_in_a_title_or_text_is_text_and_a_closed_text_is_not_shown(site, found):
    page = site.get(found).text
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "geheimen" not in page
    assert "The text is closed and not shown." in words_of(page)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"description": " "}, "The question is empty"),
        ({"windows": "now and then"}, "cannot be read as a period"),
        ({"quota": "many"}, "is no number from 0 to 1000"),
        ({"quota": "1" * 5000}, "is no number from 0 to 1000"),
        ({"sub_corpus": "Diaries"}, "There is no sub-corpus"),
        ({"channel": "smell"}, "There is no channel"),
        ({"between": "soon"}, "cannot be read whole as a period"),
    ],
)
def test_what_cannot_be_gathered_is_said_beside_what_was_typed(site, workspace, change, told):
    before = len(workspace.run_names())
    page = site.submit(SURVEY, {**TYPED, "also": "Steg <b>", **change})
    assert page.status_code == 400
    assert told in words_of(page.text)
    assert 'value="Steg &lt;b&gt;"' in page.text
    is_well_made(page.text)
    assert len(workspace.run_names()) == before


def test_what_is_ticked_and_typed_is_searched_and_stays_ticked(site):
    page = site.submit(SURVEY, {**TYPED, "quota": "x", "sub_corpus": "Letters", "channel": "words"}).text
    assert re.search(r'name="sub_corpus" value="Letters" checked', page)
    assert re.search(r'name="channel" value="words" checked', page)


def test_the_form_offers_what_the_archive_has(site):
    offered = site.get(f"{SURVEY}.json").json()
    assert offered["sub_corpora"] == [{"name": "Letters", "documents": 4}]
    assert "words" in offered["channels"]
    assert offered["genres"] == ["letter"]


def test_an_empty_archive_has_a_form_and_says_why_nothing_can_be_gathered(empty):
    assert empty.get("/archives/empty/survey").status_code == 200
    none = empty.get("/archives/empty/sets").text
    assert "ask a question: what it finds becomes a set" in words_of(none)
    assert '<a href="/archives/empty/ask">Ask</a></p>' in none
    page = empty.submit("/archives/empty/survey", TYPED)
    assert page.status_code == 400
    assert "The archive holds no document" in words_of(page.text)


def test_surveys_and_questions_are_listed_and_a_question_is_a_set_too(site, workspace, found):
    asked = ask(workspace, Question("Was geschah mit der Brücke?")).run
    listed = {one["run"]: one["kind"] for one in site.get(f"{SETS}.json").json()["sets"]}
    assert listed[found.rpartition("/")[2]] == "survey"
    assert listed[asked] == "question"
    assert f'href="{SETS}/{asked}"' in site.get(f"/archives/letters/runs/{asked}").text
    page = site.get(f"{SETS}/{asked}")
    is_well_made(page.text)
    view = site.get(f"{SETS}/{asked}.json").json()
    assert "gathered: accepted or on hold in the run." in words_of(page.text)
    assert view["sources"] == sum(len(one["sources"]) for one in view["windows"])


def test_the_record_of_a_survey_leads_to_its_page(site, found):
    record = site.get(found.replace("/sets/", "/runs/"))
    assert record.status_code == 200
    assert f'href="{found}"' in record.text


def test_a_run_of_another_kind_is_no_set(site, found):
    curated = site.submit("/archives/letters/curate", {"run": found.rpartition("/")[2], "anew": "true"})
    assert site.get(f"{SETS}/{curated.url.path.rpartition('/')[2]}").status_code == 404
    assert site.get(f"{SETS}/nothing").status_code == 404
    assert curated.url.path in site.get(found).text
    record = site.get(curated.url.path.replace("/curate/", "/runs/")).text
    assert f'href="{curated.url.path}"' in record
    assert 'id="go-on"' not in record, "a curation is not closed by the way"
    desk = site.submit(
        "/archives/letters/judgings", {"run": found.rpartition("/")[2], "rubric": "attitudes", "how": "hand"}
    )
    judging = desk.url.path.removesuffix("/desk")
    assert f'href="{judging}"' in site.get(judging.replace("/judgings/", "/runs/")).text


def test_who_may_only_read_is_offered_nothing_to_begin(workspace, found):
    site = visiting({"letters": workspace}, Options(visitor=lambda _r: Visitor("Rea", (("*", Role.READER),))))
    page = site.get(found).text
    assert "Curate this set" not in page
    assert "Judge myself" not in page
    assert site.submit(SURVEY, TYPED).status_code == 403


@pytest.mark.parametrize(
    ("window", "told"),
    [
        ("1887-01-01/1890-12-31", "1887–1890"),
        ("1887-01-01/1887-12-31", "1887"),
        ("1887-01-01/1887-06-30", "1887-01-01/1887-06-30"),
        ("1887", "1887"),
    ],
)
def test_a_window_of_whole_years_is_told_by_its_years(window, told):
    assert years(window) == told
