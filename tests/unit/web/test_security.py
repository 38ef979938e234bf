"""What stands before every page: hosts, origins, sizes, forms, and what a browser may do with the answer."""

from typing import Annotated

import pytest
from fastapi import Form
from starlette.requests import Request
from starlette.responses import Response

from fakes.site_servers import Server
from fakes.sites import visiting, words_of
from vestigia.app.people.roles import Role, Scope, Visitor
from vestigia.web import site as sites
from vestigia.web.pages import Pages
from vestigia.web.security import SESSION, Limits, is_loopback, policy, token_of
from vestigia.web.site import Options
from vestigia.web.templating import redirect
from vestigia.web.visitor import local_name, local_person, require

ACTIONS = Pages()
FORM = "application/x-www-form-urlencoded"


@ACTIONS.action("/archives/{archive}/note", Role.RESEARCHER)
async def _note(request: Request) -> Response:
    form = await request.form()
    return redirect("/archives/letters", "archive.documents", n=len(str(form["note"])))


@ACTIONS.action("/archives/{archive}/typed", Role.RESEARCHER)
def _typed(note: Annotated[str, Form()]) -> Response:
    return redirect("/archives/letters", "archive.documents", n=len(note))


@ACTIONS.action("/archives/{archive}/away", Role.RESEARCHER)
def _away(request: Request) -> Response:
    require(request, "admin", request.path_params["archive"])
    return redirect("//elsewhere.example/")


@pytest.fixture
def site(workspace, monkeypatch):
    monkeypatch.setattr(sites, "FAMILIES", (*sites.FAMILIES, ACTIONS))
    return visiting({"letters": workspace})


class TestForms:
    def test_a_form_of_a_page_is_carried_out_and_what_it_did_is_said_once(self, site):
        done = site.submit("/archives/letters/note", {"note": "12345"})
        assert done.url.path == "/archives/letters"
        assert '<p class="flash done" role="status">5 documents</p>' in done.text
        assert 'class="flash done"' not in site.get("/archives/letters").text

    @pytest.mark.parametrize("token", ["", "0" * 64, "é"])
    def test_a_form_without_the_token_changes_nothing(self, site, token):
        site.get("/")
        refused = site.post("/archives/letters/note", data={"csrf": token, "note": "x"})
        assert refused.status_code == 403
        assert "nothing was changed" in refused.text

    def test_fields_are_read_in_a_thread_and_checked_as_well(self, site):
        assert "3 documents" in site.submit("/archives/letters/typed", {"note": "abc"}).text
        assert site.post("/archives/letters/typed", data={"note": "abc"}).status_code == 403
        assert site.submit("/archives/letters/typed", {"nothing": "abc"}).status_code == 422

    def test_a_token_of_another_session_is_none(self, site, workspace):
        other = visiting({"letters": workspace})
        assert other.post("/archives/letters/note", data={"csrf": site.token(), "note": "x"}).status_code == 403

    def test_a_module_sends_the_token_in_a_header(self, site):
        answer = site.post("/archives/letters/note", data={"note": "ab"}, headers={"x-csrf-token": site.token()})
        assert "2 documents" in answer.text

    def test_a_body_that_is_no_form_has_no_token(self, site):
        assert site.post("/archives/letters/note", json={"csrf": site.token()}).status_code == 403

    def test_a_form_that_brings_a_file_is_checked_too(self, site):
        files = {"note": ("x.txt", b"abc")}
        assert site.post("/archives/letters/note", files=files).status_code == 403
        fields = {"csrf": site.token(), "note": "abc"}
        assert site.post("/archives/letters/note", data=fields, files={"other": ("x", b"")}).status_code == 200

    def test_a_request_proven_by_a_token_needs_no_form(self, workspace, monkeypatch):
        monkeypatch.setattr(sites, "FAMILIES", (*sites.FAMILIES, ACTIONS))
        program = Options(visitor=lambda _request: Visitor("program", (("*", Role.CURATOR),), frozenset(Scope)))
        site = visiting({"letters": workspace}, program)
        assert site.post("/archives/letters/note", data={"note": "x"}).status_code == 200
        assert site.post("/archives/letters/away").status_code == 403

    def test_an_action_leads_to_no_other_site(self, site):
        answer = site.submit("/archives/letters/away", follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, "/")

    @pytest.mark.parametrize("cookie", ["nonsense", "W10=", "WyJkb25lIiwgIm5vLmtleSIsIHt9XQ=="])
    def test_a_cookie_that_is_not_ours_says_nothing(self, site, cookie):
        site.cookies["vestigia-said"] = cookie
        assert 'class="flash' not in site.get("/").text

    def test_a_session_is_a_name_only_the_browser_and_we_know(self, site):
        cookie = site.get("/").headers["set-cookie"]
        assert cookie.startswith(f"{SESSION}=")
        assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= {part.strip() for part in cookie.split(";")}
        assert "set-cookie" not in site.get("/").headers
        assert token_of(site.cookies[SESSION]) not in cookie
        site.cookies.clear()
        assert "set-cookie" in site.get("/", cookies=None).headers


class TestRequests:
    @pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:8321", ""])
    def test_another_host_name_is_refused_so_that_no_name_can_be_bound_to_this_machine(self, site, host):
        refused = site.get("/", headers={"host": host})
        assert refused.status_code == 403
        assert "Letters" not in refused.text

    @pytest.mark.parametrize("host", ["localhost:8321", "LOCALHOST", "[::1]:8321", "127.0.0.1"])
    def test_the_names_of_this_machine_are_answered(self, site, host):
        assert site.get("/", headers={"host": host}).status_code == 200

    @pytest.mark.parametrize(
        "host",
        ["127.0.0.1:[", "127.0.0.1:80@evil.example", "localhost:1/static/", "localhost:1?x=.json", "localhost:", "[::1",
         "localhost:123456", "localhost:é", "localhost:8321 ", "[localhost]"],
    )  # fmt: skip
    def test_a_host_that_is_no_name_and_port_is_refused_as_addresses_are_made_of_it(self, site, host):
        assert site.get("/", headers={"host": host.encode("latin-1")}).status_code == 403

    @pytest.mark.parametrize(
        "origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "http://[", "127.0.0.1:8321", "http://℀"]
    )
    def test_a_change_from_another_origin_is_refused_even_with_the_token(self, site, origin):
        refused = site.submit("/archives/letters/note", {"note": "x"}, headers={"origin": origin.encode()})
        assert refused.status_code == 403
        assert "another site" in refused.text

    def test_our_own_origin_is_none_other(self, site):
        sent = site.submit("/archives/letters/note", {"note": "x"}, headers={"origin": "http://127.0.0.1:8321"})
        assert sent.status_code == 200

    def test_more_than_is_taken_is_refused_whether_its_length_was_said_or_not(self, workspace, monkeypatch):
        monkeypatch.setattr(sites, "FAMILIES", (*sites.FAMILIES, ACTIONS))
        site = visiting({"letters": workspace}, Options(limits=Limits(body=1000)))
        assert site.submit("/archives/letters/note", {"note": "x" * 2000}).status_code == 413
        unsaid = (part for part in [b"csrf=", b"x" * 600, b"x" * 600])
        kind = {"content-type": "application/x-www-form-urlencoded"}
        assert site.post("/archives/letters/note", content=unsaid, headers=kind).status_code == 413
        assert site.submit("/archives/letters/note", {"note": "x" * 200}).status_code == 200

    @pytest.mark.parametrize("said", [True, False])
    def test_what_is_read_as_a_whole_may_bring_less_than_files(self, workspace, said):
        """Twenty million empty lists held a server for half a minute, and whoever asked needed no account."""
        site = visiting({"letters": workspace}, Options(limits=Limits(words=1000)))
        body = b'{"question": "' + b"x" * 2000 + b'"}'
        sent = {"content-type": "application/json", "x-csrf-token": site.token()}
        answer = site.post("/api/v1/archives/letters/runs", content=body if said else iter([body]), headers=sent)
        assert answer.status_code == 413
        assert answer.headers["content-type"] == "application/problem+json"
        taken = site.submit(
            "/archives/letters/import", files=[("file", ("a.txt", b"x" * 2000))], follow_redirects=False
        )
        assert taken.status_code == 303

    @pytest.mark.parametrize(
        ("kind", "said"),
        [("application/json", True), ("multipart/form-data", True), (FORM, True), (FORM, False)],
    )
    def test_nobody_brings_more_than_a_name_and_a_password(self, tmp_path, kind, said):
        """It is refused before it is read: the token that is lacking would be told as 403."""
        server = Server({}, tmp_path)
        server.person("Ada")
        body = b"a=" + b"x" * 70_000
        kinds = {"content-type": f"{kind}; boundary=x"}
        answer = server.browser().post("/login", content=body if said else iter([body]), headers=kinds)
        assert answer.status_code == 401
        assert server.browser("Ada").post("/login", content=body, headers=kinds).status_code in {400, 403}

    @pytest.mark.parametrize("length", ["9" * 5000, "9" * 20])
    def test_a_length_that_nobody_can_count_is_too_large(self, site, length):
        answer = site.post("/archives/letters/note", headers={"content-length": length})
        assert answer.status_code == 413

    def test_what_cannot_be_read_is_said_with_its_reason(self, site):
        kinds = {"content-type": "multipart/form-data; boundary=x", "x-csrf-token": site.token()}
        answer = site.post("/archives/letters/typed", content=b"no part", headers=kinds)
        assert answer.status_code == 400
        assert "What was sent cannot be read. Invalid multipart data." in words_of(answer.text)


class TestAnswers:
    @pytest.mark.parametrize("address", ["/", "/nothing", "/index.json", "/static/vestigia.css", "/archives/letters"])
    def test_nothing_in_place_and_nothing_from_elsewhere_is_allowed(self, site, address):
        headers = site.get(address).headers
        said = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
        assert said["default-src"] == "'self'"
        assert said["frame-ancestors"] == said["object-src"] == said["base-uri"] == "'none'"
        assert said["form-action"] == "'self'"
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"

    def test_pages_are_not_kept_by_others_and_styles_may_be(self, site):
        assert site.get("/").headers["cache-control"] == "no-store"
        style = site.get("/static/vestigia.css")
        assert style.headers["cache-control"] == "no-cache", "kept, and asked after: a new version shows at once"
        again = site.get("/static/vestigia.css", headers={"if-none-match": style.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")

    def test_images_come_from_hosts_only_where_they_are_allowed(self):
        assert "img-src 'self';" in policy()
        assert "img-src 'self' https://iiif.example;" in policy(("https://iiif.example",))


class TestVisitor:
    def test_a_role_holds_for_those_beneath_it_and_in_its_archive(self):
        visitor = Visitor("Ada", (("letters", Role.RESEARCHER), ("*", Role.READER)))
        assert visitor.may(Role.READER, "letters")
        assert visitor.may(Role.RESEARCHER, "letters")
        assert not visitor.may(Role.CURATOR, "letters")
        assert visitor.may(Role.READER, "other")
        assert not visitor.may(Role.RESEARCHER, "other")
        assert not Visitor("Nobody").may(Role.READER, "letters")

    def test_at_this_machine_there_is_one_person_who_may_all(self, monkeypatch):
        monkeypatch.setattr("vestigia.web.visitor.getuser", lambda: "ada")
        visitor = local_person(Request({"type": "http"}))
        assert visitor.name == "ada"
        assert visitor.may(Role.ADMIN, "any")

    def test_a_system_without_a_user_has_a_person_all_the_same(self, monkeypatch):
        def nobody() -> str:
            raise OSError("no such user")

        monkeypatch.setattr("vestigia.web.visitor.getuser", nobody)
        assert local_name() == "local"


@pytest.mark.parametrize(
    ("host", "here"), [("127.0.0.1", True), ("127.1.2.3", True), ("localhost", True), ("::1", True), ("0.0.0.0", False),
                       ("127.evil.example", False), ("192.168.1.5", False)]
)  # fmt: skip
def test_loopback_is_this_machine_alone(host, here):
    assert is_loopback(host) is here
