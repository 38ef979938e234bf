"""Who may what: every route of the site is tried, those that others add tomorrow, too."""

import json
import re
import shutil
from dataclasses import replace
from itertools import product
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from fakes.site_servers import PASSWORD, Server, routes_of
from unit.web.conftest import LETTERS, _without_weights
from vestigia.app import asking
from vestigia.app.access import View, view
from vestigia.app.archive import add
from vestigia.app.people.roles import Role, Scope, Visitor
from vestigia.app.workspace import init, open_workspace
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.ids import DocumentId
from vestigia.domain.question import Question
from vestigia.web.faults import UnknownError
from vestigia.web.security import Limits
from vestigia.web.site import create_app, readmit
from vestigia.web.visitor import Need, needs

ROLES = tuple(Role)
SECRET, TITLE, FILE, PLACE = "Zyklotrimethylen", "Geheimbericht", "verborgen.jsonl", "Verschwiegenheim"
HIDDEN = {"id": "V9", "title": TITLE, "text": f"Die Brücke wurde mit {SECRET} gesprengt, beschließt der Gemeinderat.",
          "date": "1787-03-11", "rights": "closed", "place": PLACE}  # fmt: skip
UNHURRIED = Limits(burst=10**9)
"""Nobody has to wait here: an answer that says so would say nothing of what is closed, and prove nothing."""
CANARIES = (SECRET, SECRET.casefold(), TITLE, FILE, PLACE, "V9", "1787")


@pytest.fixture(scope="module")
def server(tmp_path_factory, encoder):
    """Two archives; `letters` has closed letters, a run that met one and a run that met none."""
    root = tmp_path_factory.mktemp("server")
    with pytest.MonkeyPatch.context() as patch:
        _without_weights(patch, encoder)
        letters, other = init(root / "letters"), init(root / "other")
        for name, records in (("offen.jsonl", LETTERS[1:3]), (FILE, [HIDDEN])):
            (root / name).write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
            add(letters, [root / name], ImportOptions(sub_corpus="Letters", language="de"))
        add(other, [root / "offen.jsonl"], ImportOptions(sub_corpus="Other"))
        made = Server({"letters": letters, "other": other}, root / "people", UNHURRIED)
        made.met = asking.ask(letters, Question(f"Wurde die Brücke mit {SECRET} gesprengt?")).run
        made.plain = asking.ask(view(letters).workspace, Question("Wer beschließt den Bau der Brücke?")).run
    for role in ROLES:
        made.person(role.value, letters=role)
    made.person("stranger", other=Role.ADMIN)
    made.person("roleless")
    made.person("root", everywhere=Role.ADMIN)
    return made


ROUTES = sorted(
    {(route.path, method, route.endpoint) for route in routes_of(create_app({})) for method in route.methods},
    key=lambda one: one[:2],
)
"""Of a site without accounts; the pages of accounts are tried below with those of a site that has them."""


OPEN_TO_ALL = {"/login", "/login/oidc", "/login/oidc/back", "/health", "/ready"}
"""For who is not known yet: the door, and whether the server is well."""


def every(server):
    return sorted(
        {(route.path, method, route.endpoint) for route in routes_of(server.app) for method in route.methods},
        key=lambda one: one[:2],
    )


def need_of(endpoint) -> Need:
    return endpoint.need


def filled(path, server, archive="letters"):
    """An address of a route: its archive, a run where one stands, else something that is not there."""
    values = {"archive": archive, "run": server.plain, "number": "1", "document": "V2", "passage": "V2#0-10"}
    return re.sub(r"{(\w+)(?::\w+)?}", lambda found: values.get(found[1], "1"), path)


@pytest.mark.parametrize(("path", "method", "endpoint"), ROUTES, ids=lambda one: one if isinstance(one, str) else "")
def test_a_route_says_who_may_come(path, method, endpoint):
    """Say it where it is declared: `@pages.page(path, Role.…)`, `@pages.action(path, Role.…)`, or `@needs(…)`."""
    assert isinstance(getattr(endpoint, "need", None), Need), f"{method} {path} does not say who may"


def test_a_change_is_for_more_than_readers_unless_it_is_of_ones_own_account(server):
    own = OPEN_TO_ALL | {"/logout"}
    for path, method, endpoint in every(server):
        if method not in {"GET", "HEAD"} and path not in own and not path.startswith("/account"):
            assert need_of(endpoint).role not in {None, Role.READER}, f"{method} {path}"


def test_nobody_gets_nothing_anywhere(server):
    anonymous = server.browser()
    tried = 0
    for path, method, endpoint in every(server):
        if need_of(endpoint).anyone:
            assert path.removesuffix(".json") in OPEN_TO_ALL, path
            continue
        for archive in ("letters", "nope") if "{archive}" in path else ("",):
            answer = anonymous.request(method, filled(path, server, archive), follow_redirects=False)
            page = method == "GET" and not path.endswith(".json") and not path.startswith("/api/")
            assert answer.status_code == (303 if page else 401), f"{method} {path}: {answer.status_code}"
            assert answer.headers.get("location", "/login?").startswith("/login?")
            assert not any(word in answer.text for word in ("Gemeinderat", "Letters", *CANARIES)), path
            tried += 1
    assert tried > 10


@pytest.mark.parametrize("name", ["stranger", "roleless"])
def test_who_has_no_role_in_an_archive_does_not_learn_that_there_is_one(server, name):
    site = server.browser(name)
    tried = 0
    for path, method, _ in every(server):
        if "{archive}" not in path:
            continue
        there = site.request(method, filled(path, server), follow_redirects=False)
        nowhere = site.request(method, filled(path, server, "nope"), follow_redirects=False)
        assert (there.status_code, nowhere.status_code) == (404, 404), f"{method} {path}: {there.status_code}"
        assert re.sub(r"csrf.*?>", "", there.text).replace("letters", "nope") == re.sub(r"csrf.*?>", "", nowhere.text)
        tried += 1
    assert tried > 5
    assert "letters" not in site.get("/index.json").text


def test_a_role_opens_what_asks_for_it_and_no_more(server):
    """With the role a change gets as far as the check of its form, and not further: nothing is carried out here."""
    browsers = {role: server.browser(role.value) for role in ROLES}
    for (path, method, endpoint), role in product(every(server), ROLES):
        need = need_of(endpoint)
        if "{archive}" not in path or need.role is None:
            continue
        answer = browsers[role].request(method, filled(path, server), follow_redirects=False)
        where = f"{method} {path} as {role}: {answer.status_code}"
        if not role.covers(need.role):
            assert answer.status_code == 403, where
            assert "this takes the role" in answer.text.lower(), where
        elif method == "GET":
            assert answer.status_code not in {401, 403}, where
            assert answer.status_code < 500, where
        else:
            assert answer.status_code == 403, where
            assert "he form is of another session" in answer.text, where


def test_the_server_is_for_who_administers_all_of_it(server):
    admin_here, root = server.browser("admin"), server.browser("root")
    for path, method, endpoint in every(server):
        if "{archive}" not in path and need_of(endpoint).role is not None:
            assert admin_here.request(method, filled(path, server), follow_redirects=False).status_code == 403, path
            if method == "GET":
                assert root.get(filled(path, server)).status_code < 400, path


def test_a_token_never_administers_and_changes_nothing_without_the_scope(server):
    everything, reads = server.program("root", *Scope), server.program("root", Scope.READ)
    for path, method, endpoint in every(server):
        need = need_of(endpoint)
        if need.person:
            assert everything.request(method, filled(path, server)).status_code == 403, path
        elif need.scope is not None or (method != "GET" and not need.anyone):
            assert reads.request(method, filled(path, server)).status_code == 403, f"{method} {path}"
        elif not need.anyone:
            assert reads.request(method, filled(path, server)).status_code not in {401, 403}, path


def addresses(server, path, queries):
    """The ways to ask a route for something closed: its run, its document, the words of its queries."""
    names = [name for name in re.findall(r"{(\w+)(?::\w+)?}", path) if name != "archive"]
    runs, documents, others = [server.met, server.plain, "last"], ["V9", "V2"], ["1", "V9", server.met]
    of = {"run": runs, "parent": runs, "other": runs, "document": documents, "passage": ["V9#0-20", "V2#0-20"]}
    for number, values in enumerate(product(*(of.get(name, others) for name in names))):
        chosen = {"archive": "letters", **dict(zip(names, values, strict=True))}
        address = re.sub(r"{(\w+)(?::\w+)?}", lambda found, chosen=chosen: quote(chosen[found[1]], safe=""), path)
        yield address
        if number < 2:
            asked = ("Brücke", "Brücke 11. März", "zyk*", server.met, "V9", "1700/1900", "1")
            yield from (f"{address}?{query}={quote(value)}" for query in queries for value in asked)


def test_what_is_closed_is_reached_through_no_door(server):
    """Every page and twin, with the runs, documents and queries that could lead there, as a researcher."""
    site, asked, shown = server.browser("researcher"), 0, 0
    for route in routes_of(server.app):
        if "{archive}" not in route.path or need_of(route.endpoint).role not in {Role.READER, Role.RESEARCHER}:
            continue
        queries = [one.alias for one in route.dependant.query_params if one.alias not in ASKED_ONCE]
        for address in addresses(server, route.path, queries) if "GET" in route.methods else ():
            answer = site.get(address, follow_redirects=False)
            _says_nothing(answer, address)
            asked, shown = asked + 1, shown + (answer.status_code == 200)
    assert asked > 20
    assert shown > 60, f"{shown} of {asked}: the others said nothing at all"


NUMBERS = {"page", "fuzzy", "quota", "each", "expand", "part", "zoom", "width", "limit", "after"}
ASKED_ONCE = NUMBERS | {"strict", "closed", "syntax", "any_case", "regex", "cursor"}
"""Fields of queries that hold a number, yes or no, or a place in a list: a word there is refused."""


def _says_nothing(answer, address):
    """What was typed is said back; nothing else may be."""
    assert answer.status_code < 500, address
    assert answer.status_code != 429, address
    typed = {unquote(part) for part in re.split(r"[/?=&]", address)}
    said = answer.text + " ".join(value for name, value in answer.headers.items() if name != "content-length")
    assert [word for word in CANARIES if word in said and not any(word in one for one in typed)] == [], address
    assert not any(word in said for word in (SECRET, TITLE, FILE, PLACE)), address


def test_no_form_brings_what_is_closed_either(server, tmp_path):
    """Every change a researcher may ask for, about the hidden run and about the other, naming what is closed."""
    letters = open_workspace(Path(shutil.copytree(server.archives["letters"].root, tmp_path / "letters")))
    copy = Server({"letters": letters}, tmp_path / "people", UNHURRIED)
    copy.met, copy.plain = server.met, server.plain
    copy.person("researcher", letters=Role.RESEARCHER)
    site, asked = copy.browser("researcher"), 0
    try:
        for route in routes_of(copy.app):
            if (
                "{archive}" not in route.path
                or "GET" in route.methods
                or need_of(route.endpoint).role is not Role.RESEARCHER
            ):
                continue
            fields = [field.alias for field in route.dependant.body_params]
            for address in dict.fromkeys(addresses(copy, route.path, [])):
                for value in ("V9", "V9#0-20", copy.met, "Brücke", "1"):
                    sent = {name: value for name in fields if name not in {"file", "to", "next"}}
                    answer = site.submit(address, sent)
                    _says_nothing(answer, f"{address}?{value}")
                    asked += 1
    finally:
        copy.app.state.live.close(30)
    assert asked > 20
    opened = view(letters).workspace
    for run in opened.run_names():
        record = (opened.runs / run / "ledger.jsonl").read_text(encoding="utf-8")
        assert SECRET not in record, "nobody who may not see it begins a run that reads it"


def test_the_test_can_tell_who_may_see_closed_documents_and_asks_for_them(server):
    curator = server.browser("curator")
    assert TITLE not in curator.get("/archives/letters/search.json?q=Br%C3%BCcke").text, "each time they ask"
    curator.submit("/archives/letters/closed", {"show": "true"})
    shown = curator.get("/archives/letters/search.json?q=Br%C3%BCcke").text
    assert TITLE in shown
    curator.submit("/archives/letters/closed", {"show": "false"})
    assert TITLE not in curator.get("/archives/letters/search.json?q=Br%C3%BCcke").text


def test_whoever_comes_next_at_the_same_browser_asks_for_themselves(server):
    site = server.browser("curator")
    site.submit("/archives/letters/closed", {"show": "true"})
    site.submit("/logout")
    site.submit("/login", {"name": "admin", "password": PASSWORD})
    assert TITLE not in site.get("/archives/letters/search.json?q=Br%C3%BCcke").text


def test_what_is_open_of_an_archive_stays_open_whoever_comes_between(server):
    """The index is dear to open: a curator who sees everything does not make the next reader wait."""
    held = server.app.state.holdings.get("letters")
    whole, part = View(held.workspace, closed=True), view(held.workspace)
    first = held.through(part)
    assert held.through(whole) is held
    assert held.through(part) is first
    later = View(replace(part.workspace, hidden=frozenset({DocumentId("V2")})))
    assert held.through(later) is not first, "what no run may name is asked of the view of now"
    assert held.through(later).workspace.hidden == {"V2"}


def test_asking_for_closed_documents_without_a_right_changes_nothing(server):
    reader = server.browser("researcher")
    assert reader.submit("/archives/letters/closed", {"show": "true"}).status_code == 403
    reader.cookies["vestigia-closed-letters"] = "1"
    assert TITLE not in reader.get("/archives/letters/search.json?q=Br%C3%BCcke").text
    header = {"vestigia-closed": "1"}
    assert TITLE not in reader.get("/archives/letters/search.json?q=Br%C3%BCcke", headers=header).text


def test_a_program_sees_closed_documents_with_the_scope_and_the_header(server):
    header = {"vestigia-closed": "1"}
    address = "/archives/letters/search.json?q=Br%C3%BCcke"
    assert TITLE in server.program("curator", Scope.READ, Scope.CLOSED).get(address, headers=header).text
    assert TITLE not in server.program("curator", Scope.READ, Scope.CLOSED).get(address).text
    assert TITLE not in server.program("curator", Scope.READ).get(address, headers=header).text
    assert TITLE not in server.program("reader", Scope.READ, Scope.CLOSED).get(address, headers=header).text


def test_who_listens_to_a_run_hears_no_more_when_it_may_not_be_seen(server):
    @needs(Role.READER)
    def endpoint():
        """What is listened to."""

    def listening(run):
        scope = {"type": "http", "method": "GET", "headers": [], "app": server.app, "endpoint": endpoint,
                 "path_params": {"archive": "letters", "run": run}}  # fmt: skip
        request = Request(scope)
        request.state.visitor = Visitor("reader", (("letters", Role.READER),))
        return request

    readmit(listening(server.plain))
    with pytest.raises(UnknownError):
        readmit(listening(server.met))


# A route that does not say who may come is for nobody, whatever kind it is.


@pytest.mark.parametrize("name", ["root", "reader", ""])
def test_a_route_that_says_not_who_may_come_is_refused_to_everybody(tmp_path, name):
    server = Server({}, tmp_path)
    server.person("root", everywhere=Role.ADMIN)
    server.person("reader", everywhere=Role.READER)
    server.app.add_api_route("/unsaid", lambda: {"secret": "yes"})
    server.app.router.routes.append(Route("/plain", lambda _request: PlainTextResponse("secret")))
    site = server.browser(name)
    for path in ("/unsaid", "/plain"):
        answer = site.get(path, follow_redirects=False)
        assert answer.status_code == 403, path
        assert "secret" not in answer.text


def test_it_is_refused_on_this_machine_too_so_that_its_author_sees_it(caplog):
    from fakes.sites import ADDRESS, Site

    app = create_app({})
    app.add_api_route("/unsaid", lambda: {"secret": "yes"})
    assert Site(app, base_url=ADDRESS).get("/unsaid").status_code == 403
    assert "/unsaid says not what it needs" in caplog.text


def test_nothing_here_speaks_by_web_socket(tmp_path):
    from starlette.websockets import WebSocketDisconnect

    site = Server({}, tmp_path).browser()
    with pytest.raises(WebSocketDisconnect), site.websocket_connect("/"):
        pass


def test_styles_are_for_everybody(server):
    assert server.browser().get("/static/vestigia.css").status_code == 200
    assert server.browser().get("/static/../site.py").status_code in {303, 401, 404}
