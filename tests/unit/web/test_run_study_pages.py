"""Looking into a run: silence, audit, comparison, verification; a fork from one of its entries."""

import re

import pytest

from fakes.sites import is_well_made, visiting, words_of
from vestigia.app.asking import ask
from vestigia.app.limits import limited
from vestigia.app.workspace import Workspace
from vestigia.domain.question import Question
from vestigia.ledger.log import FileLedger

QUESTION = Question("Was geschah mit der Brücke?")
RUNS = "/archives/letters/runs"


@pytest.fixture(scope="module")
def run(workspace: Workspace) -> str:
    return ask(workspace, QUESTION).run


@pytest.fixture(scope="module")
def other(workspace: Workspace) -> str:
    return ask(workspace, Question("Was beschließt der Gemeinderat?")).run


@pytest.mark.parametrize("path", ["silence", "audit", "compare", "verify"])
def test_each_page_is_well_made_in_three_languages_and_has_its_twin(site, run, path):
    for language in ("en", "de", "fr"):
        page = site.get(f"{RUNS}/{run}/{path}", params={"lang": language})
        assert page.status_code == 200
        is_well_made(page.text)
    assert site.get(f"{RUNS}/{run}/{path}.json").json()["run"] == run
    assert site.get(f"{RUNS}/2020-01-01-nothing-000000/{path}").status_code == 404


def test_silence_says_what_was_searched_and_what_is_not_held(site, run):
    said = words_of(site.get(f"{RUNS}/{run}/silence").text)
    assert "4 sources were taken." in said
    assert "Held, searched and found, by time" in said
    assert "A word of the question counts in all its inflected forms, in the text or its description." in said
    data = site.get(f"{RUNS}/{run}/silence.json").json()["silence"]
    assert data["documents"]["accepted"] == 4
    assert {one["channel"] for one in data["searches"]} >= {"words", "characters"}


class TestAudit:
    def test_a_sample_is_blind_and_the_same_each_time(self, site, run):
        page = site.get(f"{RUNS}/{run}/audit", params={"size": 3}).text
        rows = re.findall(r'name="document" value="([^"]+)"', page)
        assert len(rows) == 3
        assert rows == re.findall(
            r'name="document" value="([^"]+)"', site.get(f"{RUNS}/{run}/audit", params={"size": 3}).text
        )
        assert not re.search(r"accepted|rejected|badge", page.split("<ol", 1)[1])
        assert "geheimen" not in page

    def test_what_is_judged_is_recorded_with_its_interval(self, workspace):
        run = ask(workspace, QUESTION).run
        site = visiting({"letters": workspace})
        rows = [one["document"] for one in site.get(f"{RUNS}/{run}/audit.json").json()["sample"]]
        answer = site.submit(f"{RUNS}/{run}/audit", {"document": rows, "relevant": ["yes", "no", "", ""]})
        assert answer.status_code == 200
        assert "2 documents judged by" in words_of(answer.text)
        assert site.get(f"{RUNS}/{run}/audit.json").json()["report"]["judged"] == 2

    def test_what_is_no_sample_or_says_nothing_is_refused(self, site, run):
        answer = site.submit(f"{RUNS}/{run}/audit", {"document": ["V9"], "relevant": ["yes"]})
        assert answer.status_code == 400
        rows = [one["document"] for one in site.get(f"{RUNS}/{run}/audit.json").json()["sample"]]
        answer = site.submit(f"{RUNS}/{run}/audit", {"document": rows, "relevant": ["perhaps"] * len(rows)})
        assert "no row is judged" in answer.text.lower()

    def test_a_run_that_is_not_finished_has_no_sample_yet(self, workspace, site):
        waiting = ask(workspace, QUESTION, limited(workspace.settings, pause="plan")).run
        page = site.get(f"{RUNS}/{waiting}/audit")
        assert page.status_code == 400
        assert "The run is not finished." in words_of(page.text)
        assert site.get(f"{RUNS}/{waiting}/audit.json").status_code == 400


class TestComparing:
    def test_two_runs_side_by_side(self, site, run, other):
        data = site.get(f"{RUNS}/{run}/compare.json", params={"with": other}).json()["comparison"]
        assert [one["run"] for one in data["runs"]] == [other, run]
        assert not data["same_question"]
        said = words_of(site.get(f"{RUNS}/{run}/compare", params={"with": other, "top": 2}).text)
        assert "The two do not answer the same question." in said
        assert re.search(r"In both: \d sources?", said)

    def test_a_run_there_is_not_is_said(self, site, run):
        page = site.get(f"{RUNS}/{run}/compare", params={"with": "<script>"})
        assert page.status_code == 400
        assert "<script>" not in page.text


class TestVerifying:
    def test_a_whole_record_decides_the_same_again(self, site, run):
        data = site.get(f"{RUNS}/{run}/verify.json").json()
        assert (data["sound"], data["problem"]) == (True, None)
        assert data["replay"] == {"same": True, "finished": True, "problem": None}

    def test_a_run_at_its_checkpoint_is_the_same_as_far_as_it_goes(self, workspace, site):
        waiting = ask(workspace, QUESTION, limited(workspace.settings, pause="plan")).run
        assert "As far as it goes" in words_of(site.get(f"{RUNS}/{waiting}/verify").text)

    def test_a_version_that_decides_otherwise_says_where(self, site, run, monkeypatch):
        from vestigia.domain.errors import DivergedError

        def otherwise(*_arguments):
            raise DivergedError("the record has Judged, this version decides Acted there.", where="entry 7")

        monkeypatch.setattr("vestigia.web.run_study_pages.replay", otherwise)
        said = words_of(site.get(f"{RUNS}/{run}/verify").text)
        assert "this version decides Acted there. entry 7" in said


class TestForking:
    def test_a_fork_is_a_new_run_that_names_its_parent_and_is_carried_out(self, workspace, run):
        site = visiting({"letters": workspace})
        answer = site.submit(f"{RUNS}/{run}/fork", {"at": "12", "calls": "3", "pause": "none"}, follow_redirects=False)
        assert answer.status_code == 303
        new = answer.headers["location"].rsplit("/", 1)[1]
        site.get(f"{RUNS}/{new}/stream")
        data = site.get(f"{RUNS}/{new}.json").json()
        assert (data["parent"], data["forked_at"]) == (run, 12)
        assert data["standing"]["state"] == "partial"
        compared = site.get(f"{RUNS}/{new}/compare.json").json()
        assert compared["with"] == run
        assert compared["comparison"]["same_question"]
        assert FileLedger.read(workspace.runs, new).entries()[11].body == (
            FileLedger.read(workspace.runs, run).entries()[11].body
        )

    @pytest.mark.parametrize(
        ("fields", "status"),
        [
            ({"at": "9999"}, 400),
            ({"at": "x"}, 422),
            ({"at": "1", "calls": "many"}, 400),
            ({"at": "1", "calls": "1" * 5000}, 400),
            ({"at": "1", "model": "nobody"}, 400),
        ],
    )
    def test_what_cannot_be_forked_is_said_and_begins_nothing(self, workspace, run, fields, status):
        site, before = visiting({"letters": workspace}), workspace.run_names()
        assert site.submit(f"{RUNS}/{run}/fork", fields).status_code == status
        assert workspace.run_names() == before
