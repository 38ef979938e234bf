"""Streams of runs, and the two actions of every run: stop and go on."""

import json

import pytest

from fakes.sites import Site, visiting
from vestigia.app.asking import ask, later
from vestigia.app.limits import limited
from vestigia.app.live import NOTE
from vestigia.app.people.roles import EVERYWHERE, Role, Visitor
from vestigia.app.workspace import Workspace
from vestigia.domain.question import Question
from vestigia.ledger.log import FileLedger
from vestigia.web.site import Options, create_app

QUESTION = Question("Was geschah mit der Brücke?")


@pytest.fixture(scope="module")
def run(workspace: Workspace) -> str:
    """A finished run."""
    return ask(workspace, QUESTION).run


def entries(workspace: Workspace, run: str) -> int:
    return len(FileLedger.read(workspace.runs, run).entries())


def events(text: str) -> list[dict[str, str]]:
    """The events of a stream, each by its fields."""
    blocks = [block for block in text.split("\n\n") if block.strip()]
    return [dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":")) for block in blocks]


def stream(run: str) -> str:
    return f"/archives/letters/runs/{run}/stream"


class TestStreams:
    def test_a_stream_has_every_entry_with_its_number_and_ends_with_how_the_run_stands(self, site, workspace, run):
        answer = site.get(stream(run))
        assert answer.headers["content-type"].startswith("text/event-stream")
        first, *told, end = events(answer.text)
        assert first == {"retry": "2000"}
        assert [int(one["id"]) for one in told] == list(range(entries(workspace, run)))
        begun = json.loads(told[0]["data"])
        assert (begun["entry"], begun["by"], begun["what"]) == (0, "code", f"begun: {QUESTION.text}")
        assert end == {"event": "end", "data": '{"state": "finished"}'}

    def test_it_is_taken_up_after_what_the_page_or_the_browser_had_last(self, site, workspace, run):
        last = entries(workspace, run) - 1
        said = events(site.get(stream(run), params={"after": last - 1}).text)
        assert [one["id"] for one in said if "id" in one] == [str(last)]
        again = events(site.get(stream(run), params={"after": 1}, headers={"last-event-id": str(last)}).text)
        assert [one for one in again if "id" in one] == []

    def test_a_run_there_is_not_has_none(self, site):
        assert site.get(stream("2020-01-01-nothing-000000")).status_code == 404

    def test_a_record_that_was_altered_is_said_and_the_stream_ends(self, workspace):
        broken = ask(workspace, QUESTION).run
        ledger = workspace.runs / broken / "ledger.jsonl"
        ledger.write_bytes(ledger.read_bytes().replace("Brücke".encode(), b"Stange", 1))
        *_, end = events(visiting({"letters": workspace}).get(stream(broken)).text)
        assert end["event"] == "end"
        assert "was altered" in json.loads(end["data"])["why"]
        ledger.parent.rename(workspace.root / "away")

    def test_a_server_that_ends_ends_its_streams(self, workspace, run):
        site = visiting({"letters": workspace})
        site.app.state.live.leave()
        assert [one for one in events(site.get(stream(run)).text) if "id" in one] == []


class TestActions:
    def test_a_run_that_waits_goes_on_and_the_page_it_was_asked_from_comes_back(self, workspace):
        waiting = ask(workspace, QUESTION, limited(workspace.settings, pause="plan")).run
        site = visiting({"letters": workspace})
        answer = site.submit(
            f"/archives/letters/runs/{waiting}/go-on", {"to": "/archives/letters"}, follow_redirects=False
        )
        assert (answer.status_code, answer.headers["location"]) == (303, "/archives/letters")
        *_, end = events(site.get(stream(waiting)).text)
        assert end["data"] == '{"state": "finished"}'

    def test_nobody_is_led_to_another_site(self, workspace):
        waiting = ask(workspace, QUESTION, watch=later).run
        site = visiting({"letters": workspace})
        answer = site.submit(
            f"/archives/letters/runs/{waiting}/go-on", {"to": "https://elsewhere.example"}, follow_redirects=False
        )
        assert answer.headers["location"] == "/"
        site.get(stream(waiting))

    def test_what_cannot_be_done_is_said(self, site, run):
        assert site.submit(f"/archives/letters/runs/{run}/stop").status_code == 400
        answer = site.submit(f"/archives/letters/runs/{run}/go-on")
        assert answer.status_code == 400
        assert "The run is finished." in answer.text

    def test_a_reader_sees_and_changes_nothing(self, workspace, run):
        options = Options(visitor=lambda _request: Visitor("Eve", ((EVERYWHERE, Role.READER),)))
        site = visiting({"letters": workspace}, options)
        assert site.get(stream(run)).status_code == 200
        for action in ("stop", "go-on"):
            assert site.submit(f"/archives/letters/runs/{run}/{action}").status_code == 403

    def test_who_may_not_read_the_archive_does_not_see_its_runs(self, workspace, run):
        options = Options(visitor=lambda _request: Visitor("Eve"))
        assert visiting({"letters": workspace}, options).get(stream(run)).status_code == 404


def test_a_server_that_starts_takes_up_what_the_one_before_owed(workspace):
    owed = ask(workspace, QUESTION, watch=later).run
    (workspace.runs / owed / NOTE).write_text(json.dumps({"by": "Ada"}), encoding="utf-8")
    with Site(create_app({"letters": workspace}), base_url="http://127.0.0.1:8321") as site:
        *_, end = events(site.get(stream(owed)).text)
    assert end["data"] == '{"state": "finished"}'
