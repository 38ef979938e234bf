"""Coming in, leaving, one's own account, the people of a server and their visits, in a browser without JavaScript."""

import re
from urllib.parse import quote

import pytest
from starlette.requests import Request
from starlette.responses import StreamingResponse
from typer.testing import CliRunner

from fakes.site_servers import PASSWORD, Server
from fakes.sites import is_well_made, words_of
from vestigia.app.people.roles import Role, Scope
from vestigia.app.people.sessions import IDLE
from vestigia.app.people.throttle import FREE_OF_NAME, STEP
from vestigia.app.workspace import init
from vestigia.cli.commands import app as terminal
from vestigia.cli.outcome import MISUSED
from vestigia.domain.errors import ArchiveError, UsageError
from vestigia.web import security, serving
from vestigia.web.security import SESSION, Limits, token_of
from vestigia.web.visitor import needs

OTHER = "ein ganz anderer langer Satz"


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    root = tmp_path_factory.mktemp("archives")
    return {"letters": init(root / "letters", "Letters"), "other": init(root / "other", "Other")}


@pytest.fixture
def server(tmp_path, archives):
    made = Server(archives, tmp_path / "people")
    made.person("odile", letters=Role.RESEARCHER)
    made.person("root", everywhere=Role.ADMIN)
    return made


def sign_in(site, name="odile", password=PASSWORD, **more):
    return site.submit("/login", {"name": name, "password": password, **more}, follow_redirects=False)


class TestComingIn:
    def test_who_is_not_known_is_led_to_the_door_and_from_there_back(self, server):
        site = server.browser()
        asked = "/archives/letters/search?q=Br%C3%BCcke&from=1887"
        door = site.get(asked)
        assert door.url.path == "/login"
        is_well_made(door.text)
        assert "Whoever administers this server" in words_of(door.text), "who has no account learns whom to ask"
        came = sign_in(site, next=asked)
        assert (came.status_code, came.headers["location"]) == (303, asked)
        assert "Welcome, odile." in words_of(site.get("/").text)

    @pytest.mark.parametrize(
        "to", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"]
    )
    def test_it_leads_to_no_other_site(self, server, to):
        assert sign_in(server.browser(), next=to).headers["location"] == "/"

    def test_a_name_in_another_writing_is_the_same_person(self, server):
        assert sign_in(server.browser(), " ODILE ").status_code == 303

    @pytest.mark.parametrize(
        ("name", "password"), [("odile", OTHER), ("nobody", PASSWORD), ("\u200b", OTHER), ("odile", "x" * 9999)]
    )
    def test_what_is_wrong_is_not_said(self, server, name, password):
        site = server.browser()
        answer = site.submit("/login", {"name": name, "password": password})
        assert answer.status_code == 401
        assert "The name or the password is wrong" in words_of(answer.text)
        assert site.get("/index.json").status_code == 401
        is_well_made(answer.text)
        assert password not in answer.text

    def test_the_page_is_the_same_for_a_name_that_is_there_and_one_that_is_not(self, server):
        there, nowhere = (sign_in(server.browser(), name, "wrong password").text for name in ("odile", "edilo"))
        mask = r'name="csrf" value="\w+"|odile|edilo'
        assert re.sub(mask, "", there) == re.sub(mask, "", nowhere)

    def test_too_many_tries_wait(self, server):
        site = server.browser()
        for _ in range(FREE_OF_NAME):
            assert sign_in(site, password="wrong").status_code == 401
        refused = sign_in(site)
        assert (refused.status_code, refused.headers.get("retry-after")) == (429, str(STEP))
        server.clock.now += STEP
        assert sign_in(site).status_code == 303

    def test_a_form_of_another_site_signs_nobody_in(self, server):
        site = server.browser()
        site.get("/login")
        fields = {"name": "odile", "password": PASSWORD}
        assert site.post("/login", data=fields).status_code == 403
        assert site.post("/login", data={**fields, "csrf": "0" * 64}).status_code == 403
        token = site.token()
        evil = {"origin": "https://evil.example"}
        assert site.post("/login", data={**fields, "csrf": token}, headers=evil).status_code == 403
        assert site.get("/index.json").status_code == 401

    def test_a_script_in_a_name_or_an_address_is_text(self, server):
        evil = '"><script>alert(1)</script>'
        answer = server.browser().submit("/login", {"name": evil, "password": "x", "next": evil})
        assert "<script>alert" not in answer.text
        assert "<script>alert" not in server.browser().get(f"/login?next={quote(evil)}").text


class TestSessions:
    def test_a_session_that_was_planted_is_left_behind(self, server):
        planted = "a" * 43
        victim = server.browser()
        victim.cookies.set(SESSION, planted, domain="127.0.0.1")
        came = victim.post("/login", data={"csrf": token_of(planted), "name": "odile", "password": PASSWORD})
        assert came.url.path == "/"
        assert victim.get("/index.json").status_code == 200
        assert victim.cookies.get(SESSION, domain="127.0.0.1") != planted
        attacker = server.browser()
        attacker.cookies[SESSION] = planted
        assert attacker.get("/index.json").status_code == 401

    def test_the_token_of_forms_changes_with_the_session(self, server):
        site = server.browser()
        before = site.token("/login")
        sign_in(site)
        assert site.token() != before
        assert site.post("/account/sessions", data={"csrf": before}).status_code == 403

    def test_the_cookie_is_for_the_browser_alone_and_with_https_for_https_alone(self, server):
        def flags(base_url):
            site = server.browser(base_url=base_url)
            cookie = next(one for one in sign_in(site).headers.get_list("set-cookie") if one.startswith(SESSION))
            return {part.strip() for part in cookie.split(";")[1:]}

        assert flags("http://127.0.0.1:8321") == {"HttpOnly", "SameSite=Lax", "Path=/"}
        assert flags("https://127.0.0.1:8321") == {"HttpOnly", "SameSite=Lax", "Path=/", "Secure"}

    def test_with_https_the_browser_is_told_to_stay_with_it(self, server):
        assert "strict-transport-security" not in server.browser().get("/login").headers
        https = server.browser(base_url="https://127.0.0.1:8321")
        assert https.get("/login").headers["strict-transport-security"] == "max-age=31536000"

    def test_leaving_ends_the_session_on_the_server(self, server):
        site = server.browser("odile")
        secret = site.cookies[SESSION]
        site.submit("/logout")
        assert site.get("/index.json").status_code == 401
        thief = server.browser()
        thief.cookies[SESSION] = secret
        assert thief.get("/index.json").status_code == 401

    def test_coming_in_again_ends_the_session_before(self, server):
        site = server.browser("odile")
        secret = site.cookies[SESSION]
        sign_in(site)
        thief = server.browser()
        thief.cookies[SESSION] = secret
        assert thief.get("/index.json").status_code == 401

    def test_a_session_that_nobody_uses_is_over(self, server):
        site = server.browser("odile")
        server.clock.now += IDLE
        assert site.get("/index.json").status_code == 401

    def test_a_locked_account_is_out_with_the_next_request(self, server):
        site = server.browser("odile")
        root = server.browser("root")
        number = server.people.accounts.named("odile").id
        root.submit(f"/people/{number}/lock", {"locked": "true"})
        assert site.get("/index.json").status_code == 401
        assert sign_in(server.browser()).status_code == 401
        root.submit(f"/people/{number}/lock", {"locked": "false"})
        assert sign_in(server.browser()).status_code == 303

    def test_a_role_taken_away_is_gone_with_the_next_request(self, server):
        site = server.browser("odile")
        assert site.get("/archives/letters").status_code == 200
        server.people.accounts.give("odile", "letters", None)
        assert site.get("/archives/letters").status_code == 404

    def test_a_server_that_is_started_anew_knows_who_was_in(self, server, archives):
        site = server.browser("odile")
        again = Server(archives, server.folder, clock=server.clock).browser()
        again.cookies[SESSION] = site.cookies[SESSION]
        assert again.get("/index.json").status_code == 200


class TestAccount:
    def test_it_shows_what_one_may_and_where_one_is_signed_in(self, server):
        server.browser("odile")
        page = server.browser("odile").get("/account")
        is_well_made(page.text)
        said = words_of(page.text)
        assert "letters: researcher" in said
        data = server.browser("odile").get("/account.json").json()
        assert data["roles"] == [{"archive": "letters", "role": "researcher"}]
        assert len(data["sessions"]) == 3

    def test_a_new_password_takes_the_old_one_and_ends_the_other_sessions(self, server):
        here, elsewhere = server.browser("odile"), server.browser("odile")
        wrong = here.submit("/account/password", {"old": "wrong", "new": OTHER})
        assert wrong.status_code == 401
        assert elsewhere.get("/account").url.path == "/account"
        done = here.submit("/account/password", {"old": PASSWORD, "new": OTHER})
        assert "The password is changed" in words_of(done.text)
        assert elsewhere.get("/index.json").status_code == 401
        assert here.get("/index.json").status_code == 200
        assert sign_in(server.browser()).status_code == 401
        assert sign_in(server.browser(), password=OTHER).status_code == 303

    def test_a_weak_password_is_refused_beside_the_form(self, server):
        answer = server.browser("odile").submit("/account/password", {"old": PASSWORD, "new": "short"})
        assert answer.status_code == 400
        assert "12 to 1024 characters" in words_of(answer.text)

    def test_whoever_sits_at_an_open_session_cannot_guess_the_password_there(self, server):
        site = server.browser("odile")
        for _ in range(FREE_OF_NAME):
            site.submit("/account/password", {"old": "wrong", "new": OTHER})
        assert site.submit("/account/password", {"old": PASSWORD, "new": OTHER}).status_code == 429

    def test_other_sessions_are_ended(self, server):
        here, elsewhere = server.browser("odile"), server.browser("odile")
        here.submit("/account/sessions")
        assert elsewhere.get("/index.json").status_code == 401
        assert here.get("/index.json").status_code == 200


class TestTokens:
    def test_a_token_is_shown_once_and_opens_what_it_says(self, server):
        site = server.browser("odile")
        made = site.submit("/account/tokens", {"label": "notebook", "scope": ["read", "act"], "days": "7"})
        (secret,) = re.findall(r"<code>(vestigia_\S+?)</code>", made.text)
        is_well_made(made.text)
        assert secret not in site.get("/account").text
        assert secret not in site.get("/account.json").text
        program = server.browser()
        answer = program.get("/index.json", headers={"authorization": f"Bearer {secret}"})
        assert [one["archive"] for one in answer.json()["archives"]] == ["letters"]

    @pytest.mark.parametrize("fields", [{"label": ""}, {"scope": []}, {"scope": ["everything"]}, {"days": "0"}])
    def test_a_token_without_name_scope_or_end_is_refused_beside_the_form(self, server, fields):
        site = server.browser("odile")
        answer = site.submit("/account/tokens", {"label": "x", "scope": ["read"], "days": "7", **fields})
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text
        assert site.get("/account.json").json()["tokens"] == []

    def test_a_revoked_token_opens_nothing_from_then_on(self, server):
        program = server.program("odile", Scope.READ)
        assert program.get("/index.json").status_code == 200
        server.browser("odile").submit("/account/tokens/1/revoke")
        refused = program.get("/index.json")
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"].startswith("Bearer")
        assert refused.headers["content-type"] == "application/problem+json"

    def test_nobody_revokes_the_token_of_another(self, server):
        program = server.program("odile", Scope.READ)
        assert server.browser("root").submit("/account/tokens/1/revoke").status_code == 400
        assert program.get("/index.json").status_code == 200

    def test_a_token_makes_no_token_and_sees_no_account(self, server):
        program = server.program("root", *Scope)
        assert program.post("/account/tokens", data={"label": "more", "scope": "read"}).status_code == 403
        assert program.get("/account.json").status_code == 403

    def test_a_wrong_token_is_not_helped_by_a_cookie(self, server):
        site = server.browser("odile")
        assert site.get("/index.json", headers={"authorization": "Bearer vestigia_made-up"}).status_code == 401

    def test_what_a_proxy_asks_for_itself_is_not_ours(self, server):
        site = server.browser("odile")
        assert site.get("/index.json", headers={"authorization": "Basic Zm9vOmJhcg=="}).status_code == 200


class TestPeople:
    def test_an_admin_makes_an_account_with_a_role(self, server):
        root = server.browser("root")
        is_well_made(root.get("/people").text)
        fields = {"name": "Tom", "password": OTHER, "role": "reader", "archive": "other"}
        assert "tom has an account" in words_of(root.submit("/people", fields).text)
        site = server.browser()
        assert sign_in(site, "tom", OTHER).status_code == 303
        assert [one["archive"] for one in site.get("/index.json").json()["archives"]] == ["other"]

    @pytest.mark.parametrize(
        "fields", [{"name": "odile"}, {"password": "short"}, {"role": "king"}, {"name": "<b>\x00"}]
    )
    def test_what_cannot_be_is_said_beside_the_form_and_makes_nothing(self, server, fields):
        before = len(server.people.accounts.all())
        asked = {"name": "tom", "password": OTHER, "role": "reader", **fields}
        answer = server.browser("root").submit("/people", asked)
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text
        assert len(server.people.accounts.all()) == before

    def test_a_role_is_given_and_taken_away(self, server):
        root, number = server.browser("root"), server.people.accounts.named("odile").id
        root.submit(f"/people/{number}/role", {"archive": "letters", "role": "curator"})
        assert server.people.accounts.named("odile").roles == (("letters", Role.CURATOR),)
        root.submit(f"/people/{number}/role", {"archive": "letters", "role": "none"})
        assert server.people.accounts.named("odile").roles == ()

    def test_an_admin_sets_a_password_which_ends_the_sessions(self, server):
        site, number = server.browser("odile"), server.people.accounts.named("odile").id
        server.browser("root").submit(f"/people/{number}/password", {"password": OTHER})
        assert site.get("/index.json").status_code == 401
        assert sign_in(server.browser(), password=OTHER).status_code == 303

    @pytest.mark.parametrize(
        ("step", "fields"),
        [("role", {"role": "none"}), ("lock", {"locked": "true"}), ("password", {"password": OTHER})],
    )
    def test_nobody_locks_themselves_out(self, server, step, fields):
        number = server.people.accounts.named("root").id
        assert server.browser("root").submit(f"/people/{number}/{step}", fields).status_code == 403
        assert server.browser("root").submit(f"/people/999/{step}", fields).status_code == 404

    def test_who_administers_an_archive_gives_roles_there_and_nowhere_else(self, server):
        server.person("ada", letters=Role.ADMIN)
        ada = server.browser("ada")
        is_well_made(ada.get("/archives/letters/people").text)
        ada.submit("/archives/letters/people", {"name": "odile", "role": "curator"})
        assert server.people.accounts.named("odile").roles == (("letters", Role.CURATOR),)
        assert ada.submit("/archives/other/people", {"name": "odile", "role": "curator"}).status_code == 404
        assert ada.submit("/archives/letters/people", {"name": "ada", "role": "none"}).status_code == 403
        assert ada.submit("/archives/letters/people", {"name": "nobody", "role": "reader"}).status_code == 400
        assert ada.get("/people").status_code == 403
        assert "root" in words_of(ada.get("/archives/letters/people").text), "who may everything may here, too"

    def test_the_corner_of_a_page_offers_what_one_may(self, server):
        assert 'href="/people"' in server.browser("root").get("/").text
        page = server.browser("odile").get("/").text
        assert 'href="/people"' not in page
        assert 'href="/account"' in page
        assert 'action="/logout"' in page

    def test_where_there_are_no_accounts_there_are_no_such_pages(self, archives):
        from fakes.sites import visiting

        site = visiting(archives)
        for path in ("/login", "/account", "/people", "/archives/letters/people"):
            assert site.get(path).status_code == 404
        assert "/logout" not in site.get("/").text


class TestVisits:
    def test_who_asked_for_what_is_kept_without_what_they_searched_or_typed(self, server):
        site = server.browser("odile")
        site.get("/archives/letters/search?q=Zyklotrimethylen")  # the archive is empty: 400
        server.program("odile", Scope.READ).get("/index.json")
        secret = site.cookies[SESSION]
        sign_in(server.browser(), password="falsches Kennwort")
        kept = server.people.log.path.read_text()
        for word in ("Zyklo", "Kennwort", PASSWORD, secret, "vestigia_"):
            assert word not in kept
        newest = server.people.log.newest()
        assert ("odile", "/archives/letters/search", "letters", 400) in [
            (one.who, one.path, one.archive, one.status) for one in newest
        ]
        assert any(one.by_token for one in newest)
        assert ("odile", "POST", "/login", 303) in [(one.who, one.method, one.path, one.status) for one in newest]
        assert ("POST", "/login", 401) in [(one.method, one.path, one.status) for one in newest]

    def test_an_admin_reads_them(self, server):
        root = server.browser("root")
        page = root.get("/people/visits")
        is_well_made(page.text)
        assert root.get("/people/visits.json").json()["visits"][0]["path"] == "/people/visits"

    def test_where_it_cannot_be_written_the_site_goes_on_and_says_so_in_its_log(self, server, monkeypatch, caplog):
        def full(_self, _visit):
            raise ArchiveError("the access log cannot be written (full).")

        monkeypatch.setattr(type(server.people.log), "write", full)
        assert server.browser().get("/login").status_code == 200
        assert "not written down" in caplog.text


class TestPace:
    def test_who_asks_too_much_too_fast_waits_and_others_do_not(self, tmp_path, archives):
        server = Server(archives, tmp_path, Limits(burst=8, rate=0.01))
        server.person("odile", letters=Role.READER)
        server.person("tom", letters=Role.READER)
        site = server.browser("odile")
        answers = [site.get("/index.json").status_code for _ in range(10)]
        assert answers[0] == 200
        refused = site.get("/index.json")
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) >= 1
        assert site.get("/static/vestigia.css").status_code == 200
        program = server.program("tom", Scope.READ)
        assert program.get("/index.json").status_code == 200


class TestErrors:
    def test_what_goes_wrong_names_no_folder_of_the_server(self, server, archives):
        site = server.browser("odile")
        answer = site.get("/archives/letters/search?q=pont")
        root = str(archives["letters"].root)
        assert answer.status_code >= 400
        assert root not in answer.text
        assert root not in site.get("/archives/letters/search.json?q=pont").text

    def test_accounts_that_cannot_be_read_let_nobody_in(self, server):
        site = server.browser("odile")
        broken = server.folder / "broken.sqlite"
        broken.write_bytes(b"no database at all, and long enough to be one" * 200)
        server.people.accounts._store.path = broken
        answer = site.get("/index.json")
        assert answer.status_code == 500
        assert str(server.folder) not in answer.text


class TestListening:
    """An answer that lasts, such as the stream of a run, ends when its listener may no longer hear it."""

    @pytest.fixture
    def streaming(self, server, monkeypatch):
        """A stream that says `one`, lets something happen, and says `two`; `happen` is set by the test."""
        monkeypatch.setattr(security, "LOOK_AGAIN", 0.0)
        happens = []

        async def said():
            yield b"one "
            happens[0]()
            yield b"two "
            yield b"three"

        @needs(Role.READER)
        def stream(_request: Request):
            return StreamingResponse(said(), media_type="text/plain")

        server.app.add_api_route("/archives/{archive}/listen", stream)

        def listen(happening, site):
            happens[:] = [happening]
            return site.get("/archives/letters/listen").text

        return listen

    def test_it_goes_on_while_nothing_changes(self, server, streaming):
        assert streaming(lambda: None, server.browser("odile")) == "one two three"

    @pytest.mark.parametrize(
        "happening",
        [
            lambda people: people.accounts.disable("odile"),
            lambda people: people.accounts.give("odile", "letters", None),
            lambda people: people.sessions.end_all(people.accounts.named("odile").id),
            lambda people: people.accounts.change_password("odile", OTHER),
        ],
    )
    def test_it_ends_with_the_right_to_it(self, server, streaming, happening, caplog):
        assert streaming(lambda: happening(server.people), server.browser("odile")) == "one "
        assert "failed" not in caplog.text, "that is no trouble"

    def test_it_ends_with_the_token_that_asked(self, server, streaming):
        program = server.program("odile", Scope.READ)
        revoke = lambda: server.people.tokens.revoke(server.people.accounts.named("odile").id, 1)  # noqa: E731
        assert streaming(revoke, program) == "one "

    def test_it_does_not_keep_a_session_alive(self, server, streaming):
        site = server.browser("odile")
        assert streaming(lambda: setattr(server.clock, "now", server.clock.now + IDLE), site) == "one "


class TestServing:
    def test_a_server_wants_an_account_before_it_begins(self, tmp_path):
        init(tmp_path / "one")
        ended = CliRunner().invoke(
            terminal, ["serve", str(tmp_path / "one"), "--host", "0.0.0.0", "--data", str(tmp_path / "people")]
        )
        assert ended.exit_code == MISUSED
        assert "people add" in ended.stderr

    def test_it_answers_under_its_names_and_prepares_what_all_may_see(self, server, tmp_path, monkeypatch):
        served = {}
        monkeypatch.setattr(
            serving, "serve", lambda _a, taken, opened, options, **_: served.update(t=taken, o=opened, p=options)
        )
        monkeypatch.setattr(serving, "is_loopback", lambda _host: False)
        init(tmp_path / "one")
        ended = CliRunner().invoke(
            terminal,
            ["serve", str(tmp_path / "one"), "--port", "0", "--data", str(server.folder), "--name", "Archiv.Example",
             "--proxy", "10.0.0.2"],
        )  # fmt: skip
        assert ended.exit_code == 0, ended.output
        served["t"].close()
        assert served["o"] is None, "no browser is opened on a server"
        assert "archiv.example" in served["p"].limits.hosts
        assert served["p"].proxies == ("10.0.0.2",)
        assert (tmp_path / "one" / "open-part" / "part.json").is_file()

    def test_a_server_for_all_addresses_says_its_name(self, server):
        with pytest.raises(UsageError, match="--name"):
            serving.options_of(serving.Server(server.folder), "0.0.0.0")
        assert serving.options_of(serving.Server(server.folder), "192.168.1.9").limits.hosts[-1] == "192.168.1.9"

    def test_with_accounts_any_address_may_be_taken(self):
        with serving.bound("0.0.0.0", 0, accounts=True) as taken:
            assert taken.getsockname()[1]
