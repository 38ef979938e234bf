"""The REST interface: what the pages do, for programs; its description is true and nothing it is sent breaks it."""

import json
import re

import pytest
from fastapi.routing import APIRoute

from fakes.site_servers import Server
from fakes.sites import visiting, words_of
from unit.web.conftest import EVIL
from vestigia.app import asking
from vestigia.app.access import view
from vestigia.app.people.roles import Role, Scope
from vestigia.domain.question import Question
from vestigia.web import api_shapes
from vestigia.web.api import router

API = "/api/v1"
LETTERS = f"{API}/archives/letters"


@pytest.fixture(scope="module")
def asked(workspace, encoder):
    """A run that answers a question."""
    from unit.web.conftest import _without_weights

    with pytest.MonkeyPatch.context() as patch:
        _without_weights(patch, encoder)
        return asking.ask(view(workspace).workspace, Question("Wer beschließt den Bau der Brücke?")).run


@pytest.fixture
def program(site):
    """A program of the person at this machine."""
    site.headers["x-csrf-token"] = site.get(f"{API}/session").json()["csrf"]
    return site


def follow(site, run):
    """Wait for a run to come to rest; returns what its stream said."""
    return site.get(f"{LETTERS}/runs/{run}/stream").text


class TestLists:
    def test_archives_are_those_of_the_visitor(self, site):
        told = site.get(f"{API}/archives").json()
        assert told == {
            "items": [{"archive": "letters", "name": "Letters & Co", "documents": 4, "sub_corpora": ["Letters"]}],
            "next": None,
        }

    def test_an_archive_says_what_it_covers(self, site):
        told = site.get(LETTERS).json()
        assert (told["documents"], told["undated"]) == (4, 1)
        assert told["sub_corpora"][0]["name"] == "Letters"

    @pytest.mark.parametrize("limit", [1, 2, 3, 200])
    def test_sources_come_in_portions(self, site, limit):
        found, cursor = [], ""
        while cursor is not None:
            told = site.get(f"{LETTERS}/sources", params={"limit": limit, "cursor": cursor}).json()
            assert len(told["items"]) <= limit
            found += told["items"]
            cursor = told["next"]
        assert [one["document"] for one in found] == ["V1", "V2", "V3", "V4"]
        assert [one["withheld"] for one in found] == [None, None, None, "closed"]
        assert "text" not in json.dumps(found)

    def test_sources_of_a_sub_corpus(self, site):
        told = site.get(f"{LETTERS}/sources", params={"sub_corpus": "Letters"}).json()
        assert len(told["items"]) == 4
        assert site.get(f"{LETTERS}/sources", params={"sub_corpus": "Nothing"}).json()["items"] == []

    def test_a_search_is_that_of_the_page_in_portions(self, site):
        fields = {"q": "Brücke", "channel": "words", "limit": 2}
        first = site.get(f"{LETTERS}/search", params=fields).json()
        second = site.get(f"{LETTERS}/search", params={**fields, "cursor": first["next"]}).json()
        page = site.get("/archives/letters/search.json", params={"q": "Brücke", "channel": "words"}).json()
        assert [hit["document"] for hit in first["items"] + second["items"]] == [h["document"] for h in page["hits"]]
        assert second["next"] is None
        assert first["passport"][0]["term"] == "Brücke"
        assert "geheimen" not in json.dumps([first, second], ensure_ascii=False)

    def test_a_word_has_its_passport(self, site):
        (term,) = site.get(f"{LETTERS}/vocabulary", params={"term": "Brücke"}).json()["terms"]
        assert (term["documents"], term["first"], term["last"]) == (3, 1887, 1891)

    def test_a_source_is_that_of_its_page(self, site):
        told = site.get(f"{LETTERS}/source", params={"document": "V1"}).json()
        assert told == site.get("/archives/letters/sources/V1/text.json").json()
        assert site.get(f"{LETTERS}/source", params={"document": "V99"}).status_code == 404


class TestRuns:
    def test_a_question_is_asked_and_carried_out_by_the_server(self, program):
        answer = program.post(f"{LETTERS}/runs", json={"question": f"Wer sprengte die Brücke? {EVIL}", "calls": 50})
        assert answer.status_code == 201
        run = answer.json()["run"]
        assert answer.headers["location"] == answer.json()["href"] == f"{LETTERS}/runs/{run}"
        said = follow(program, run)
        assert said.count("event: end") == 1
        assert re.findall(r"^id: (\d+)$", said, re.MULTILINE)[0] == "0"
        told = program.get(f"{LETTERS}/runs/{run}").json()
        assert told["standing"]["state"] in {"finished", "partial"}
        result = program.get(f"{LETTERS}/runs/{run}/result").json()
        assert result["question"].endswith(EVIL)
        assert {"ranking", "held", "plan", "budget"} <= set(result)

    def test_a_stream_is_taken_up_where_it_broke(self, site, asked):
        whole = site.get(f"{LETTERS}/runs/{asked}/stream").text
        ids = re.findall(r"^id: (\d+)$", whole, re.MULTILINE)
        rest = site.get(f"{LETTERS}/runs/{asked}/stream", headers={"last-event-id": ids[-3]}).text
        assert re.findall(r"^id: (\d+)$", rest, re.MULTILINE) == ids[-2:]

    def test_the_entries_of_a_run_come_in_portions_with_what_models_were_sent(self, site, asked):
        first = site.get(f"{LETTERS}/runs/{asked}/entries", params={"limit": 3}).json()
        then = site.get(f"{LETTERS}/runs/{asked}/entries", params={"limit": 3, "cursor": first["next"]}).json()
        assert [one["entry"] for one in first["items"] + then["items"]] == [0, 1, 2, 3, 4, 5]
        whole = site.get(f"{LETTERS}/runs/{asked}/entries", params={"limit": 200}).json()
        reply = next(one["entry"] for one in whole["items"] if one["what"].startswith("answer: a reply"))
        assert site.get(f"{LETTERS}/runs/{asked}/entries/{reply}").json()["items"][0]["task"]
        assert site.get(f"{LETTERS}/runs/{asked}/entries/0").status_code == 404

    def test_a_person_decides_in_their_own_name(self, program, asked):
        document = program.get(f"{LETTERS}/runs/{asked}/result").json()["ranking"][0]["document"]
        decision = {"document": document, "decision": "reject", "reason": f"not of the council {EVIL}"}
        told = program.post(f"{LETTERS}/runs/{asked}/decisions", json=decision)
        assert told.json() == {"run": asked, "document": document, "decision": "reject", "left": 0}
        result = program.get(f"{LETTERS}/runs/{asked}/result").json()
        (row,) = [one for one in result["changes"]["decisions"] if one["document"] == document]
        assert (row["person"], row["by"]) == ("reject", program.get(f"{API}/session").json()["name"])
        unknown = program.post(f"{LETTERS}/runs/{asked}/decisions", json={**decision, "document": "V99"})
        assert unknown.status_code == 400

    def test_a_set_is_gathered_curated_and_sealed(self, program, workspace):
        from vestigia.app import curating, dossiers

        body = {"description": "Brücken und ihr Bau", "windows": "1880/1889, 1890/1899", "quota": 5}
        run = program.post(f"{LETTERS}/sets", json=body).json()["run"]
        follow(program, run)
        assert run in [one["run"] for one in program.get(f"{LETTERS}/sets").json()["items"]]
        assert program.get(f"{LETTERS}/runs/{run}/result").json()["windows"]
        work = curating.begin(workspace, run)
        assert [one["run"] for one in program.get(f"{LETTERS}/curations").json()["items"]] == [work.run]
        assert program.get(f"{LETTERS}/dossiers").json()["items"] == []
        act = {"document": "V2", "act": "accept", "note": EVIL}
        assert program.post(f"{LETTERS}/curations/{work.run}/acts", json=act).json()["run"] == work.run
        assert program.get(f"{LETTERS}/runs/{work.run}/result").status_code == 200
        wrong = program.post(f"{LETTERS}/curations/{work.run}/acts", json={"document": "V99", "act": "accept"})
        assert wrong.status_code == 400
        dossiers.seal(workspace, work.run, "the council decides", "Ada")
        assert [one["run"] for one in program.get(f"{LETTERS}/dossiers").json()["items"]] == [work.run]
        told = program.get(f"{LETTERS}/dossiers/{work.run}").json()
        assert (told["sealed_by"], told["sources"]) == ("Ada", 1)

    def test_what_is_finished_neither_stops_nor_goes_on(self, program, asked):
        assert program.post(f"{LETTERS}/runs/{asked}/stop").status_code == 400
        assert program.post(f"{LETTERS}/runs/{asked}/go-on").status_code == 400

    def test_a_run_there_is_not(self, program):
        for path in ("", "/result", "/entries", "/entries/3", "/stream"):
            answer = program.get(f"{LETTERS}/runs/1999-01-01-nothing-abcdef{path}")
            assert answer.status_code == 404, path
            assert answer.headers["content-type"] == "application/problem+json"


class TestProblems:
    @pytest.mark.parametrize(
        ("path", "status", "title"),
        [
            ("/archives/nope", 404, "there is no such archive here."),
            ("/archives/letters/search", 422, "a field cannot be read."),
            ("/archives/letters/search?q=x&between=soon", 400, "'soon' cannot be read whole as a period."),
            ("/archives/letters/sources?cursor=abc", 400, "the cursor is of another list."),
            ("/archives/letters/sources?limit=0", 422, "a field cannot be read."),
            ("/archives/letters/vocabulary?term=%20", 400, None),
            ("/nothing", 404, "there is no such page."),
        ],
    )
    def test_a_problem_says_what_and_what_to_do(self, site, path, status, title):
        answer = site.get(API + path)
        assert answer.status_code == status
        assert answer.headers["content-type"] == "application/problem+json"
        told = answer.json()
        assert told["status"] == status
        assert title is None or told["title"] == title
        assert told["detail"]

    def test_a_body_that_cannot_be_read_is_not_repeated(self, program):
        for body in ({"question": 3}, {"question": "x", EVIL: 1}, [], {"question": "x", "calls": -1}):
            answer = program.post(f"{LETTERS}/runs", json=body)
            assert answer.status_code == 422
            assert "script" not in answer.json()["title"]
        torn = program.post(f"{LETTERS}/runs", content=b"\xff{", headers={"content-type": "application/json"})
        assert torn.status_code == 400

    def test_a_change_without_the_token_of_the_session_changes_nothing(self, site, workspace):
        before = len(workspace.run_names())
        answer = site.post(f"{LETTERS}/runs", json={"question": "Wer?"})
        assert answer.status_code == 403
        assert len(workspace.run_names()) == before


class TestPeople:
    def test_a_program_needs_no_session_but_the_right_scope_and_role(self, workspace, tmp_path):
        server = Server({"letters": workspace}, tmp_path / "people")
        for role in (Role.READER, Role.RESEARCHER):
            server.person(role.value, letters=role)
        reads, acts = server.program("researcher", Scope.READ), server.program("researcher", Scope.READ, Scope.ACT)
        body = {"question": "Was trägt die Brücke?"}
        assert reads.get(f"{LETTERS}/sources").status_code == 200
        assert reads.post(f"{LETTERS}/runs", json=body).status_code == 403
        assert server.program("reader", Scope.READ, Scope.ACT).post(f"{LETTERS}/runs", json=body).status_code == 403
        answer = acts.post(f"{LETTERS}/runs", json=body)
        assert answer.status_code == 201
        follow(acts, answer.json()["run"])
        assert server.browser().get(f"{API}/archives").status_code == 401
        assert [one["document"] for one in reads.get(f"{LETTERS}/sources").json()["items"]] == ["V1", "V2", "V3"]
        assert reads.get(f"{API}/session").json()["name"] == "researcher"


class TestDescription:
    def test_it_is_openapi_and_names_every_route(self, site):
        told = site.get(f"{API}/openapi.json").json()
        assert told["openapi"].startswith("3.1")
        named = {(method.upper(), path) for path, one in told["paths"].items() for method in one}
        there = {(m, r.path) for r in router.routes if isinstance(r, APIRoute) for m in r.methods}
        assert named == there
        assert all(one["description"] for path in told["paths"].values() for one in path.values())
        assert all("404" in one["responses"] for path in told["paths"].values() for one in path.values())

    def test_what_comes_is_what_it_says(self, site, asked):
        for path, shape in (
            ("/archives", api_shapes.Portion),
            ("/archives/letters/search?q=Br%C3%BCcke", api_shapes.Found),
            ("/archives/letters/source?document=V1", api_shapes.Source),
            (f"/archives/letters/runs/{asked}", api_shapes.Run),
            (f"/archives/letters/runs/{asked}/entries", api_shapes.Portion),
        ):
            shape.model_validate_json(site.get(API + path).text, strict=True)
        api_shapes.Problem.model_validate_json(site.get(f"{API}/archives/nope").text, strict=True)

    def test_it_is_a_page_too(self, site):
        said = words_of(site.get("/api").text)
        assert "GET /api/v1/archives/{archive}/search" in said
        assert "question * body string" in said
        assert "decision * body accept | reject | hold" in said
        assert site.get("/api.json").json()["routes"][0]["path"].startswith(API)


@pytest.mark.filterwarnings("ignore")
def test_nothing_that_is_sent_breaks_it(workspace, asked):
    """Requests are made up from the description; `scripts/fuzz_api.py` does so for longer."""
    from fakes.fuzzing import fuzz

    site = visiting({"letters": workspace})
    assert fuzz(site, {"archive": "letters", "run": asked}, examples=5, seeded=7) == []
    site.app.state.live.close()
