"""Signing in at an institution's own door, at a provider on this machine that tells the truth or lies."""

import httpx2
import pytest

from fakes.provider import CLIENT, FOREIGN, SECRET, SYMMETRIC, running
from fakes.site_servers import Clock, Server
from fakes.sites import is_well_made, words_of
from vestigia.app.people.openid import FILE, LASTS, provider_of
from vestigia.app.people.roles import Role
from vestigia.app.workspace import init
from vestigia.domain.errors import SettingsError
from vestigia.web.security import SESSION


@pytest.fixture
def provider():
    with running(Clock().now) as made:
        yield made


@pytest.fixture
def server(tmp_path, provider, monkeypatch):
    monkeypatch.setenv("OIDC_SECRET", SECRET)
    folder = tmp_path / "people"
    folder.mkdir()
    written = f'[oidc]\nissuer = "{provider.issuer}"\nclient = "{CLIENT}"\nkey = "OIDC_SECRET"\nname = "Uni"\n'
    (folder / FILE).write_text(written)
    return Server({"letters": init(tmp_path / "letters")}, folder)


def led_back(site, to="/"):
    """Go to the provider and where it leads from there, without following."""
    asked = site.get("/login/oidc", params={"next": to}, follow_redirects=False)
    assert asked.status_code == 303, asked.text
    return httpx2.get(asked.headers["location"], follow_redirects=False).headers["location"]


def sign_in(site, to="/"):
    back = led_back(site, to)
    return site.get(back, follow_redirects=False)


def test_who_comes_from_the_provider_is_in_and_has_an_account_without_a_role(server):
    site = server.browser()
    page = site.get("/login")
    is_well_made(page.text)
    assert "Sign in with Uni" in words_of(page.text)
    before = site.cookies[SESSION]
    came = sign_in(site, "/account")
    assert (came.status_code, came.headers["location"]) == (303, "/account")
    assert site.cookies.get(SESSION) != before
    assert site.get("/account.json").json()["name"] == "odile"
    assert server.people.accounts.named("odile").roles == ()


def test_the_second_time_it_is_the_same_account_whatever_it_is_called_now(server, provider):
    sign_in(server.browser())
    server.people.accounts.give("odile", "letters", Role.READER)
    provider.claims["preferred_username"] = "renamed"
    site = server.browser()
    sign_in(site)
    assert site.get("/account.json").json()["name"] == "odile"
    assert len(server.people.accounts.all()) == 1


def test_an_account_that_is_there_already_is_not_taken_over(server):
    server.person("odile", letters=Role.ADMIN)
    site = server.browser()
    refused = sign_in(site)
    assert refused.status_code == 400
    assert "there already" in words_of(refused.text)
    assert site.get("/index.json").status_code == 401


def test_a_locked_account_stays_out(server):
    sign_in(server.browser())
    server.people.accounts.disable("odile")
    site = server.browser()
    assert sign_in(site).status_code == 401
    assert site.get("/index.json").status_code == 401


@pytest.mark.parametrize("password", ["", "!", "nobody has this password"])
def test_no_password_fits_an_account_of_a_provider(server, password):
    sign_in(server.browser())
    assert server.people.accounts.proven("odile", password) is None


@pytest.mark.parametrize(
    "lie",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"aud": "another client"},
        {"aud": None},
        {"iss": "https://evil.example"},
        {"exp": int(Clock().now) - 100},
        {"exp": None},
        {"sub": None},
    ],
)
def test_what_is_not_said_by_the_provider_to_us_and_for_this_visit_is_not_believed(server, provider, lie):
    provider.claims.update(lie)
    _is_not_believed(server)


@pytest.mark.parametrize(("key", "algorithm"), [(FOREIGN, "RS256"), (SYMMETRIC, "HS256")])
def test_what_is_not_signed_by_a_key_of_the_provider_is_not_believed(server, provider, key, algorithm):
    provider.key, provider.algorithm = key, algorithm
    _is_not_believed(server)


def _is_not_believed(server):
    site = server.browser()
    refused = sign_in(site)
    assert refused.status_code == 400
    assert "cannot be believed" in words_of(refused.text)
    assert site.get("/index.json").status_code == 401
    assert server.people.accounts.all() == ()


def test_what_was_begun_in_one_browser_does_not_end_in_another(server):
    """Else somebody could be signed in as another without noticing."""
    back = led_back(server.browser())
    victim = server.browser()
    victim.get("/login")
    refused = victim.get(back, follow_redirects=False)
    assert refused.status_code == 400
    assert victim.get("/index.json").status_code == 401


def test_a_way_in_is_good_once(server):
    site = server.browser()
    first = site.get("/login").cookies.get(SESSION) or site.cookies[SESSION]
    back = led_back(site)
    assert site.get(back, follow_redirects=False).status_code == 303
    again = server.browser()
    again.cookies[SESSION] = first
    assert again.get(back, follow_redirects=False).status_code == 400


def test_a_way_in_is_good_for_a_while(server):
    site = server.browser()
    back = led_back(site)
    server.clock.now += LASTS
    assert site.get(back, follow_redirects=False).status_code == 400


@pytest.mark.parametrize("query", ["", "?state=x&code=y", "?error=access_denied", "?code=1"])
def test_a_made_up_way_back_leads_nowhere(server, query):
    site = server.browser()
    site.get("/login")
    assert site.get(f"/login/oidc/back{query}", follow_redirects=False).status_code in {400, 401}
    assert site.get("/index.json").status_code == 401


def test_whom_the_provider_turns_away_is_told_so(server, provider):
    provider.denies = True
    refused = sign_in(server.browser())
    assert refused.status_code == 401
    assert "did not let you in" in words_of(refused.text)


def test_it_leads_to_no_other_site(server):
    assert sign_in(server.browser(), "https://evil.example/").headers["location"] == "/"


def test_a_client_that_does_not_prove_itself_is_refused_by_the_provider(tmp_path, provider, monkeypatch):
    monkeypatch.setenv("OIDC_SECRET", "another")
    (tmp_path / FILE).write_text(f'[oidc]\nissuer = "{provider.issuer}"\nclient = "{CLIENT}"\nkey = "OIDC_SECRET"\n')
    refused = sign_in(Server({}, tmp_path).browser())
    assert refused.status_code == 400
    assert "the provider refused (invalid_client)" in words_of(refused.text).lower()


def test_a_provider_that_calls_itself_otherwise_is_none(server, provider):
    provider.about["issuer"] = "https://evil.example"
    assert server.browser().get("/login/oidc", follow_redirects=False).status_code == 500


def test_a_provider_that_gives_no_answer_is_said(tmp_path):
    (tmp_path / FILE).write_text('[oidc]\nissuer = "http://127.0.0.1:9"\nclient = "x"\n')
    answer = Server({}, tmp_path).browser().get("/login/oidc", follow_redirects=False)
    assert answer.status_code == 409
    assert "gives no answer" in words_of(answer.text)


@pytest.mark.parametrize(
    "written",
    [
        "[oidc]\n",
        '[oidc]\nissuer = "http://login.example"\nclient = "x"\n',
        '[oidc]\nissuer = "ftp://127.0.0.1"\nclient = "x"\n',
        '[oidc]\nissuer = "https://login.example"\nclient = "x"\nsecret = "abc"\n',
        "[other]\n",
        "not toml",
    ],
)
def test_a_file_that_is_wrong_is_said_by_name(tmp_path, written):
    (tmp_path / FILE).write_text(written)
    with pytest.raises(SettingsError, match=r"server\.toml"):
        provider_of(tmp_path)


def test_without_the_package_it_is_said_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "authlib", None)
    (tmp_path / FILE).write_text('[oidc]\nissuer = "https://login.example"\nclient = "x"\n')
    with pytest.raises(SettingsError, match=r"vestigia\[oidc\]"):
        Server({}, tmp_path)


def test_without_a_provider_there_is_no_such_door(tmp_path):
    site = Server({}, tmp_path).browser()
    assert "/login/oidc" not in site.get("/login").text
    assert site.get("/login/oidc", follow_redirects=False).status_code == 404
