"""The client of notebooks against a server of this machine: every call, portions, streams that break, problems."""

import socket
from threading import Thread

import httpx2
import pytest
import uvicorn

from docs.pages import ROOT, blocks
from fakes.site_servers import Server
from unit.web.conftest import LETTERS, _without_weights, encoder, workspace  # noqa: F401
from vestigia import client
from vestigia.app.people.roles import Role, Scope
from vestigia.client import VestigiaProblem, connect, frame
from vestigia.web.site import Options, create_app


@pytest.fixture(scope="module", autouse=True)
def _light(encoder):  # noqa: F811
    with pytest.MonkeyPatch.context() as patch:
        _without_weights(patch, encoder)
        yield


def _serving(app):
    taken = socket.socket()
    taken.bind(("127.0.0.1", 0))
    taken.listen()
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=2))
    thread = Thread(target=server.run, kwargs={"sockets": [taken]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{taken.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)
    taken.close()


@pytest.fixture(scope="module")
def address(workspace):  # noqa: F811
    """A server on this machine, without accounts."""
    yield from _serving(create_app({"letters": workspace}, Options()))


@pytest.fixture(scope="module")
def letters(address):
    with connect(address) as server:
        yield server.archive("letters")


def test_what_there_is(address, letters):
    with connect(address) as server:
        assert [one["archive"] for one in server.archives()] == ["letters"]
    assert letters.about()["documents"] == 4
    assert [one["document"] for one in letters.sources()] == ["V1", "V2", "V3", "V4"]
    assert list(letters.sources("Nothing")) == []


def test_searching_and_reading(letters):
    hits = letters.search("Brücke", channel="words", between="1887/1891")
    assert {hit["document"] for hit in hits} == {"V1", "V2", "V4"}
    assert len(letters.search("Brücke", limit=1, channel="words")) == 1
    source = letters.source("V1", hits[0]["passage"]["id"] if hits[0]["document"] == "V1" else "")
    assert source["date"] == "1887-03-11"
    assert letters.text("V1") == LETTERS[0]["text"]
    with pytest.raises(VestigiaProblem, match="403: the text is closed and not shown"):
        letters.text("V4")
    assert letters.vocabulary("Brücke")["terms"][0]["last"] == 1891


def test_the_page_on_notebooks_does_what_it_says(address, letters, monkeypatch, capsys):
    (block,) = [one for one in blocks(ROOT / "docs" / "notebook.md") if one.language == "python"]
    monkeypatch.setattr(client, "connect", lambda _address: connect(address))
    names = {}
    exec(compile(block.text, block.page, "exec"), names)
    first, *others = names["ranking"]
    run = letters.run(names["run"].name)
    after = [one["document"] for one in run.result()["ranking"]]
    assert after == [one["document"] for one in others]
    assert f"reject {first['document']}" in [entry["what"] for entry in run.entries()][-1]
    assert "1887-03-11" in capsys.readouterr().out


def test_lists_are_fetched_portion_by_portion(address):
    asked = []

    class Counting(httpx2.HTTPTransport):
        def handle_request(self, request):
            asked.append(str(request.url))
            return super().handle_request(request)

    with connect(address, transport=Counting()) as server:
        rows = list(server.listed("/archives/letters/sources", limit=3))
    assert len(rows) == 4
    assert len(asked) == 2
    assert "cursor=" in asked[1]


def test_a_question_from_asking_to_a_table_of_sources(letters):
    run = letters.ask("Wer beschließt den Bau der Brücke?", calls=60)
    heard = []
    standing = run.wait(lambda entry: heard.append(entry["entry"]))
    assert standing["state"] in {"finished", "partial"}
    assert heard == list(range(len(heard)))
    assert [one["entry"] for one in run.entries()] == heard
    assert run.name in [row["run"] for row in letters.runs("question")]
    assert letters.run("last").name == run.name
    ranking = run.result()["ranking"]
    assert run.decide(ranking[0]["document"], "reject", "not of the council")["decision"] == "reject"
    reply = next(one["entry"] for one in run.entries() if one["what"].startswith("answer: a reply"))
    assert run.calls(reply)[0]["reply"]


def test_a_set_is_gathered(letters):
    run = letters.gather("Brücken und ihr Bau", "1880/1889, 1890/1899", quota=5)
    assert run.wait()["state"] == "finished"
    assert run.name in [row["run"] for row in letters.sets()]
    assert list(letters.curations()) == []
    assert list(letters.dossiers()) == []


def test_what_is_refused_says_what_and_what_to_do(letters):
    with pytest.raises(VestigiaProblem) as caught:
        letters.search("x", between="soon")
    assert (caught.value.status, caught.value.what) == (400, "'soon' cannot be read whole as a period.")
    assert caught.value.remedy
    for refused in (lambda: letters.run("1999"), lambda: letters.source("V99"), lambda: letters.dossier("x")):
        with pytest.raises(VestigiaProblem, match="404"):
            refused()
    run = next(letters.runs())["run"]
    for refused in (letters.run(run).stop, letters.run(run).go_on):
        with pytest.raises(VestigiaProblem, match="400"):
            refused()
    with pytest.raises(VestigiaProblem, match="400"):
        letters.run(run).act("V1", "accept")


def test_a_stream_that_breaks_is_taken_up_where_it_broke():
    asked = []

    def answer(request):
        after = int(request.url.params["after"])
        asked.append(after)
        if after < 0:
            return httpx2.Response(200, stream=_Breaking([b'id: 0\ndata: {"entry": 0}\n\n', b'data: {"ent']))
        return httpx2.Response(200, text=': quiet\n\nid: 1\ndata: {"entry":\ndata: 1}\n\nevent: end\ndata: {}\n\n')

    with connect("http://127.0.0.1:1", transport=httpx2.MockTransport(answer)) as server:
        run = client.Run(server, "/archives/a", "r")
        assert [one["entry"] for one in run.follow()] == [0, 1]
    assert asked == [-1, 0]


def test_a_server_that_is_gone_is_not_asked_for_ever():
    asked = []

    def answer(request):
        asked.append(request)
        raise httpx2.ConnectError("gone")

    transport = httpx2.MockTransport(answer)
    with connect("http://127.0.0.1:1", transport=transport) as server, pytest.raises(httpx2.ConnectError):
        list(client.Run(server, "/archives/a", "r").follow())
    assert len(asked) == 5


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [(502, "<html>", "no answer that can be read"), (200, "[]", "200"), (404, '{"title": "no"}', "404: no")],
)
def test_an_answer_of_something_else_is_a_problem(status, body, words):
    transport = httpx2.MockTransport(lambda _request: httpx2.Response(status, text=body))
    with connect("http://127.0.0.1:1", transport=transport) as server, pytest.raises(VestigiaProblem, match=words):
        server.get("/archives")


def test_a_server_with_accounts_takes_a_token(workspace, tmp_path):  # noqa: F811
    site = Server({"letters": workspace}, tmp_path / "people")
    site.person("ada", letters=Role.RESEARCHER)
    secret = site.people.tokens.make(site.people.accounts.named("ada").id, "t", frozenset({Scope.READ, Scope.ACT}), "*")
    for address in _serving(site.app):
        with connect(address) as nobody, pytest.raises(VestigiaProblem, match="401"):
            list(nobody.archives())
        with connect(address, secret) as server:
            run = server.archive("letters").ask("Was trägt die Brücke?")
            assert run.wait()["state"] in {"finished", "partial"}


def test_rows_become_a_table_where_pandas_is_there(monkeypatch):
    import sys
    from types import SimpleNamespace

    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(json_normalize=lambda rows: ("table", rows)))
    assert frame([{"a": {"b": 1}}]) == ("table", [{"a": {"b": 1}}])
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError):
        frame([])


class _Breaking(httpx2.SyncByteStream):
    def __init__(self, parts):
        self.parts = parts

    def __iter__(self):
        yield from self.parts
        raise httpx2.ReadError("the line broke")
