"""Runs: their list, what each found and how, its record; streams; deciding, changing the plan, stopping, going on."""

import json
import re

import pytest

from fakes.sites import Site, is_well_made, visiting, words_of
from vestigia.app import surveying
from vestigia.app.asking import ask, later, show
from vestigia.app.deciding import plan_of
from vestigia.app.limits import limited
from vestigia.app.live import NOTE
from vestigia.app.people.roles import EVERYWHERE, Role, Visitor
from vestigia.app.surveying import Plan
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
        assert "It was not at work any more." in words_of(site.submit(f"/archives/letters/runs/{run}/stop").text)
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


EVIL = '"><script>alert(1)</script>'
RUNS = "/archives/letters/runs"
CLOSED = {"vestigia-closed": "1"}


@pytest.fixture
def waiting(workspace: Workspace) -> str:
    """A run that waits for its plan to be read."""
    return ask(workspace, QUESTION, limited(workspace.settings, pause="plan")).run


def titles(page: str) -> list[str]:
    """The sources of a list, by what stands over each."""
    return [words_of(one) for one in re.findall(r"(?s)<h3>(.*?)</h3>", page)]


class TestOneRun:
    def test_a_source_has_its_reason_its_author_and_the_path_to_it(self, site, run):
        page = site.get(f"{RUNS}/{run}").text
        is_well_made(page)
        one = words_of(re.findall(r'(?s)<article class="source">.*?</article>', page)[1])
        assert one.startswith("2 V2 1891-05-02 · Letters")
        assert "accepted 1 of 2 words" in one
        assert "extractive (no language model)" in one
        assert re.search(r"How it was found: 1 step .* Was geschah mit der Brücke\? Letters warm start", one)
        assert re.search(r"words \d", one)

    def test_the_twin_has_what_the_page_says_and_the_whole_list(self, site, workspace, run):
        data = site.get(f"{RUNS}/{run}.json").json()
        assert [row["document"] for row in data["ranking"]] == [
            row.card.id for row in show(workspace, run).result.sources
        ]
        assert (data["kind"], data["finished"], data["standing"]["state"]) == ("question", True, "finished")
        assert data["budget"]["calls"] > 0

    def test_what_is_closed_is_listed_and_not_shown_until_it_is_asked_for(self, site, run):
        for address in (f"{RUNS}/{run}", f"{RUNS}/{run}.json"):
            assert "geheimen" not in site.get(address).text
        assert "geheimen" in site.get(f"{RUNS}/{run}", headers=CLOSED).text

    def test_no_entry_shows_what_is_closed(self, site, workspace, run):
        pages = [f"{RUNS}/{run}/entries/{number}" for number in range(entries(workspace, run))]
        assert any("geheimen" in site.get(page, headers=CLOSED).text for page in pages)
        for page in [*pages, *(f"{one}.json" for one in pages)]:
            assert "geheimen" not in site.get(page).text

    def test_a_run_there_is_not_is_not_found(self, site):
        for path in ("", "/entries", "/entries/1", ".json"):
            assert site.get(f"{RUNS}/2020-01-01-nothing-000000{path}").status_code == 404

    def test_an_entry_is_shown_as_it_is_written_and_one_there_is_not_is_not_found(self, site, workspace, run):
        data = site.get(f"{RUNS}/{run}/entries/0.json", headers=CLOSED).json()
        assert data["entry"]["body"]["question"]["text"] == QUESTION.text
        is_well_made(site.get(f"{RUNS}/{run}/entries/0").text)
        assert site.get(f"{RUNS}/{run}/entries/{entries(workspace, run)}").status_code == 404
        assert site.get(f"{RUNS}/{run}/entries/-1").status_code == 404

    def test_what_answered_by_rules_was_sent_no_words_and_its_reply_is_shown(self, site, run):
        record = site.get(f"{RUNS}/{run}/entries.json").json()["entries"]
        number = next(one["entry"] for one in record if one["what"].startswith("answer: a reply"))
        (call,) = site.get(f"{RUNS}/{run}/entries/{number}.json", headers=CLOSED).json()["entry"]["calls"]
        assert (call["task"], call["prompt"]) == ("plan", None)
        assert json.loads(call["reply"])["sub_questions"]
        said = words_of(site.get(f"{RUNS}/{run}/entries/{number}", headers=CLOSED).text)
        assert "No words were sent: it goes by rules." in said

    def test_the_record_is_paged_and_opens_at_its_end(self, site, workspace, run, monkeypatch):
        monkeypatch.setattr("vestigia.web.runs_pages.LINES", 10)
        last = site.get(f"{RUNS}/{run}/entries.json").json()
        assert last["entries"][-1]["entry"] == entries(workspace, run) - 1
        first = site.get(f"{RUNS}/{run}/entries.json", params={"page": 1}).json()
        assert [one["entry"] for one in first["entries"]] == list(range(10))
        assert site.get(f"{RUNS}/{run}/entries", params={"page": 900}).status_code == 200

    def test_what_was_read_once_is_read_on_from_there_and_anew_where_it_was_changed(self, workspace, waiting):
        site = visiting({"letters": workspace})
        assert site.get(f"{RUNS}/{waiting}.json").json()["standing"]["state"] == "waiting"
        site.submit(f"{RUNS}/{waiting}/go-on")
        site.get(stream(waiting))
        assert site.get(f"{RUNS}/{waiting}.json").json()["standing"]["state"] == "finished"
        ledger = workspace.runs / waiting / "ledger.jsonl"
        ledger.write_bytes(ledger.read_bytes().replace("Brücke".encode(), b"Stange", 1))
        assert site.get(f"{RUNS}/{waiting}").status_code == 500
        assert "was altered" in site.get(f"{RUNS}/{waiting}").text
        page = site.get(RUNS)
        assert page.status_code == 200
        assert "record damaged" in words_of(page.text)
        ledger.parent.rename(workspace.root / f"away-{waiting}")


class TestOtherWork:
    def test_a_survey_has_its_record_here_and_a_page_of_its_own(self, workspace):
        made = surveying.survey(workspace, Question("Brücke"), Plan("2")).run
        site = visiting({"letters": workspace})
        page = site.get(f"{RUNS}/{made}")
        is_well_made(page.text)
        assert f'href="/archives/letters/sets/{made}"' in page.text
        assert site.get(f"/archives/letters/sets/{made}").status_code == 200
        assert site.get(f"{RUNS}/{made}.json").json()["kind"] == "survey"
        for path in ("entries", "entries/0", "verify"):
            assert site.get(f"{RUNS}/{made}/{path}").status_code == 200
        for path in ("silence", "audit"):
            assert site.get(f"{RUNS}/{made}/{path}").status_code == 400
        (row,) = site.get(f"{RUNS}.json", params={"kind": "survey"}).json()["runs"]
        assert row["run"] == made
        (workspace.runs / made).rename(workspace.root / f"away-{made}")


class TestDeciding:
    def test_a_persons_decision_outranks_the_machine_and_is_shown_as_theirs(self, workspace):
        run = ask(workspace, QUESTION).run
        site = visiting({"letters": workspace})
        answer = site.submit(
            f"{RUNS}/{run}/decide", {"document": "V2", "decision": "reject", "reason": f"of another year {EVIL}"}
        )
        said = words_of(answer.text)
        assert "Recorded. Your verdict outranks the machine" in said
        assert "Taken out by people" in said
        assert "<script>" not in answer.text
        data = site.get(f"{RUNS}/{run}.json").json()
        assert "V2" not in [row["document"] for row in data["ranking"]]
        (changed,) = data["changes"]["decisions"]
        assert (changed["machine"], changed["person"], changed["reason"]) == (
            "accept",
            "reject",
            f"of another year {EVIL}",
        )
        assert changed["by"] == site.get("/archives/letters").text.split('class="visitor">')[1].split("<")[0]

    def test_what_was_held_can_be_taken(self, workspace):
        run = ask(workspace, QUESTION).run
        site = visiting({"letters": workspace})
        site.submit(f"{RUNS}/{run}/decide", {"document": "V3", "decision": "hold", "reason": "unsure"})
        page = site.get(f"{RUNS}/{run}")
        is_well_made(page.text)
        assert "On hold: 1 passage" in words_of(page.text)
        held = words_of(page.text.partition('<section id="held"')[2].partition("</section>")[0])
        author = page.text.split('class="visitor">')[1].split("<")[0]
        assert f"unsure {author}" in held, "who held it is said, not which search brought it"
        assert "warm start" not in held
        site.submit(f"{RUNS}/{run}/decide", {"document": "V3", "decision": "accept"})
        assert site.get(f"{RUNS}/{run}.json").json()["held"] == []

    def test_a_document_the_run_has_not_met_is_refused_beside_the_list(self, site, run):
        answer = site.submit(f"{RUNS}/{run}/decide", {"document": EVIL, "decision": "accept"})
        assert answer.status_code == 400
        assert "has not met a document" in answer.text
        assert "<script>" not in answer.text
        assert site.submit(f"{RUNS}/{run}/decide", {"document": "V1", "decision": "maybe"}).status_code == 422

    def test_a_decision_about_a_run_at_work_is_left_to_its_writer_and_not_lost(self, workspace, waiting):
        site = visiting({"letters": workspace})
        with FileLedger.open(workspace.runs, waiting, lambda: "2026-01-01T00:00:00Z"):
            answer = site.submit(f"{RUNS}/{waiting}/decide", {"document": "V3", "decision": "accept", "reason": "x"})
        assert "takes your decision in with its next step" in words_of(answer.text)
        site.submit(f"{RUNS}/{waiting}/go-on")
        site.get(stream(waiting))
        assert "V3" in site.get(f"{RUNS}/{waiting}.json").json()["overruled"]


class TestPlan:
    def test_the_plan_is_claims_that_can_be_put_otherwise_dropped_and_added_to(self, workspace, waiting):
        site = visiting({"letters": workspace})
        page = site.get(f"{RUNS}/{waiting}")
        is_well_made(page.text)
        assert "Each line is a claim" in words_of(page.text)
        fields = {"id": "q1", "text": "Wer baute die Brücke?", "sub_corpus": "Letters"}
        answer = site.submit(
            f"{RUNS}/{waiting}/plan", {**fields, "new_text": f"Was kostete sie? {EVIL}", "new_sub_corpus": "Letters"}
        )
        assert "The plan is kept as you changed it." in words_of(answer.text)
        assert "<script>" not in answer.text
        texts = [one.text for one in plan_of(workspace, waiting).remaining]
        assert texts == ["Wer baute die Brücke?", f"Was kostete sie? {EVIL}"]
        answer = site.submit(
            f"{RUNS}/{waiting}/plan",
            {"id": ["q1", "q2"], "text": texts, "sub_corpus": ["Letters"] * 2, "drop": "q2", "then": "go-on"},
        )
        assert "It goes on." in words_of(answer.text)
        site.get(stream(waiting))
        data = site.get(f"{RUNS}/{waiting}.json").json()
        assert [one["text"] for one in data["plan"]] == ["Wer baute die Brücke?"]
        assert data["finished"]
        assert len(data["changes"]["plan"]) == 2

    def test_a_plan_left_as_it_is_is_no_change(self, workspace, waiting):
        site = visiting({"letters": workspace})
        (one,) = plan_of(workspace, waiting).remaining
        site.submit(f"{RUNS}/{waiting}/plan", {"id": "q1", "text": f"{one.text}\r\n", "sub_corpus": "Letters"})
        assert site.get(f"{RUNS}/{waiting}.json").json()["changes"]["plan"] == []

    @pytest.mark.parametrize(
        ("fields", "what"),
        [
            ({"id": "q1", "text": "x", "sub_corpus": "Akten"}, "no sub-corpus"),
            ({"id": "q9", "text": "x", "sub_corpus": "Letters"}, "no sub-question"),
            ({"id": "q1", "text": "x", "sub_corpus": "Letters", "drop": "q1"}, "nothing would be left"),
            ({"id": ["q1", "q1"], "text": "x", "sub_corpus": "Letters"}, "the form is not whole"),
        ],
    )
    def test_a_plan_that_cannot_be_is_refused_and_nothing_goes_on(self, workspace, waiting, fields, what):
        site = visiting({"letters": workspace})
        answer = site.submit(f"{RUNS}/{waiting}/plan", {**fields, "then": "go-on"})
        assert answer.status_code == 400
        assert what in answer.text.lower()
        assert site.get(f"{RUNS}/{waiting}.json").json()["standing"]["state"] == "waiting"

    def test_a_plan_of_a_run_that_does_not_wait_is_not_edited(self, site, run):
        answer = site.submit(f"{RUNS}/{run}/plan", {"new_text": "Wer?", "new_sub_corpus": "Letters"})
        assert answer.status_code == 400
        assert "only while the run waits" in answer.text


class TestList:
    def test_runs_are_listed_by_state_work_and_words(self, workspace, run, waiting):
        site = visiting({"letters": workspace})
        everything = site.get(f"{RUNS}.json").json()
        assert everything["found"] == everything["all"] == len(workspace.run_names())
        waits = site.get(f"{RUNS}.json", params={"state": "waiting"}).json()["runs"]
        assert waiting in [row["run"] for row in waits]
        assert {row["state"] for row in waits} == {"waiting"}
        finished = site.get(f"{RUNS}.json", params={"state": "finished", "kind": "question"}).json()["runs"]
        assert run in [row["run"] for row in finished]
        assert site.get(f"{RUNS}.json", params={"kind": "survey"}).json()["found"] == 0
        assert site.get(f"{RUNS}.json", params={"q": "BRÜCKE"}).json()["found"] == everything["all"]
        assert site.get(f"{RUNS}.json", params={"q": "Schulhaus"}).json()["found"] == 0
        assert "<script>" not in site.get(RUNS, params={"q": EVIL, "state": EVIL, "kind": EVIL}).text

    def test_a_long_list_is_paged(self, workspace, run, waiting, monkeypatch):
        monkeypatch.setattr("vestigia.web.runs_pages.LISTED", 1)
        site = visiting({"letters": workspace})
        first, second = (site.get(f"{RUNS}.json", params={"page": n}).json()["runs"] for n in (1, 2))
        assert len(first) == len(second) == 1
        assert first != second
        page = site.get(RUNS, params={"q": "Brücke", "page": 2}).text
        assert 'href="?q=Br%C3%BCcke&amp;page=1"' in page

    def test_an_archive_without_a_run_says_so(self, empty):
        assert "Nothing has been asked yet." in words_of(empty.get("/archives/empty/runs").text)
