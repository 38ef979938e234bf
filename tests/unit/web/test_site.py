"""Permalinks, twins, languages and errors: what holds for every page."""

import re

import pytest

from fakes.sites import is_well_made, visiting, words_of
from vestigia.app.workspace import init
from vestigia.domain.errors import BusyError, LedgerError, ModelUnavailableError, StaleIndexError, UsageError
from vestigia.web import faults
from vestigia.web.faults import ForbiddenError, UnknownError, status_of, unknown
from vestigia.web.site import FAMILIES, slugs

PLAIN = {route.path for family in FAMILIES for route in family.routes if "GET" in route.methods}
PAGES = [
    *sorted(path.format(archive="letters") for path in PLAIN if set(re.findall(r"{(.*?)}", path)) <= {"archive"}),
    "/archives/letters/search?q=Br%C3%BCcke",
]
PAGES = [address for address in PAGES if not address.endswith(".json")]
"""Every page that needs no more than an archive; a page that does is checked by the tests of its family."""


class TestPages:
    @pytest.mark.parametrize("address", PAGES)
    def test_a_page_has_a_permalink_and_names_its_twin(self, site, address):
        page = site.get(address)
        assert page.status_code == 200
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        (twin,) = re.findall(r'rel="alternate" type="application/json" href="([^"]+)"', page.text)
        data = site.get(twin.replace("&amp;", "&"))
        assert data.headers["content-type"] == "application/json"
        assert isinstance(data.json(), dict)

    @pytest.mark.parametrize("address", PAGES)
    def test_a_page_can_be_read_without_sight_or_script(self, site, address):
        page = site.get(address).text
        assert '<html lang="en">' in page
        is_well_made(page)

    def test_the_navigation_shows_what_there_is_and_where_one_is(self, site):
        page = site.get("/archives/letters/search").text
        assert '<a href="/archives/letters/search" aria-current="page">Search</a>' in page
        for to in re.findall(r'href="(/archives/letters[^"#]*)"', page):
            assert site.get(to).status_code == 200, to

    def test_archives_of_one_name_have_addresses_of_their_own(self):
        assert slugs(["Zeitung 1887", "zeitung-1887", "Ääh", "***"]) == [
            "zeitung-1887",
            "zeitung-1887-2",
            "h",
            "archive",
        ]


class TestLanguages:
    def test_a_language_is_what_the_browser_prefers_until_one_is_chosen(self, site):
        german = site.get("/archives/letters/search", headers={"accept-language": "pt, de-LU;q=0.9, fr;q=0.8"})
        assert german.headers["content-language"] == "de"
        assert '<html lang="de">' in german.text
        french = site.get("/archives/letters/search?q=pont&lang=fr")
        assert french.headers["content-language"] == "fr"
        assert "Rechercher" in words_of(french.text)
        assert site.get("/", headers={"accept-language": "de"}).headers["content-language"] == "fr"

    def test_the_switch_keeps_what_was_searched(self, site):
        page = site.get("/archives/letters/search?q=Br%C3%BCcke+%26+Bau&lang=fr").text
        assert 'href="?q=Br%C3%BCcke+%26+Bau&amp;lang=de"' in page

    def test_a_language_that_is_none_is_passed_over(self, site):
        assert site.get("/?lang=xx").headers["content-language"] == "en"
        assert site.get("/", headers={"accept-language": "de;q=x, *"}).headers["content-language"] == "en"


class TestErrors:
    @pytest.mark.parametrize(
        ("error", "status"),
        [
            (UnknownError("no"), 404),
            (UsageError("no"), 400),
            (ForbiddenError("no"), 403),
            (BusyError("no"), 409),
            (StaleIndexError("no"), 409),
            (ModelUnavailableError("no"), 503),
            (LedgerError("no"), 500),
        ],
    )
    def test_each_of_our_errors_has_a_status(self, error, status):
        assert status_of(error) == status

    def test_an_unknown_archive_is_said_with_what_to_do(self, site):
        page = site.get("/archives/nope")
        assert page.status_code == 404
        assert "There is no such archive here. Choose one from the list of archives." in words_of(page.text)

    def test_a_twin_answers_with_a_problem(self, site):
        answer = site.get("/archives/nope.json")
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json() == {
            "type": "about:blank",
            "title": "there is no such archive here.",
            "status": 404,
            "detail": "Choose one from the list of archives.",
            "where": None,
            "remedy": "Choose one from the list of archives.",
        }

    @pytest.mark.parametrize(
        "address", ["/nothing", "/archives/letters/nothing", "/static/nothing.css", "/api/v1/nothing"]
    )
    def test_an_address_without_a_page_is_not_repeated(self, site, address):
        answer = site.get(f"{address}-{'<b>'}")
        assert answer.status_code == 404
        assert "nothing" not in words_of(answer.text)

    def test_a_method_a_page_does_not_take_is_refused(self, site):
        assert site.submit("/archives/letters").status_code == 405

    def test_a_field_that_cannot_be_read_is_named_and_what_was_typed_is_not(self, site):
        answer = site.get("/archives/letters/search.json?q=x&fuzzy=%3Cb%3E")
        assert answer.status_code == 422
        assert answer.json()["where"].startswith("fuzzy: ")
        assert "<b>" not in answer.text

    def test_what_nobody_foresaw_is_logged_and_not_shown(self, site, monkeypatch, caplog):
        def broken(*_arguments: object) -> None:
            raise RuntimeError("secret word")

        monkeypatch.setattr("vestigia.web.archive_pages.status", broken)
        answer = site.get("/archives/letters")
        assert answer.status_code == 500
        assert "something went wrong" in answer.text.lower()
        assert "secret" not in answer.text
        assert "secret word" in caplog.text
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert site.get("/archives/letters.json").headers["content-type"] == "application/problem+json"

    def test_what_a_path_names_and_is_not_there_is_not_found(self):
        with pytest.raises(UnknownError, match="there is no run"), unknown():
            raise UsageError("there is no run.")


def test_an_archive_that_cannot_be_opened_does_not_hide_the_others(workspace, tmp_path):
    broken = init(tmp_path / "broken", "Broken")
    (broken.root / "catalogue.sqlite").write_bytes(b"no catalogue at all, but long enough to be read as a page" * 90)
    site = visiting({"broken": broken, "letters": workspace})
    page = words_of(site.get("/").text)
    assert "The file is no catalogue" in page
    assert "Letters & Co" in page
    assert site.get("/archives/broken").status_code == 500
    assert site.get("/index.json").json()["archives"][0]["problem"]["status"] == 500


@pytest.mark.parametrize("harm", ["gone", "settings"])
def test_an_archive_that_goes_while_it_is_served_is_said_and_the_others_stay(workspace, tmp_path, harm):
    made = init(tmp_path / "other", "Other letters")
    site = visiting({"letters": workspace, "other": made})
    assert site.get("/archives/other").status_code == 200
    settings = made.root / "vestigia.toml"
    before = settings.read_text()
    if harm == "gone":
        made.root.rename(tmp_path / "elsewhere")
    else:
        settings.write_text("[archive\n")
    said = "The archive is gone." if harm == "gone" else "vestigia.toml"
    listed = site.get("/")
    assert listed.status_code == 200
    assert "Other letters" in listed.text
    assert said in words_of(listed.text)
    assert site.get("/archives/letters").status_code == 200
    for address in ("/archives/other", "/archives/other/search?q=x", "/archives/other/runs", "/archives/other.json"):
        answer = site.get(address)
        assert answer.status_code == 500
        assert said.casefold() in words_of(answer.text).casefold(), address
    assert not made.root.exists() or harm == "settings", "nothing is made in its place"
    assert site.get("/ready").status_code == 503
    if harm == "gone":
        (tmp_path / "elsewhere").rename(made.root)
    else:
        settings.write_text(before)
    assert site.get("/archives/other").status_code == 200


def test_an_error_that_cannot_be_shown_as_a_page_is_said_without_one(site, monkeypatch, caplog):
    def broken(*_given):
        raise LedgerError("the page breaks, too")

    monkeypatch.setattr(faults, "rendered", broken)
    answer = site.get("/archives/nothing")
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/plain; charset=utf-8")
    assert "there is no such archive here." in answer.text
    assert "the page breaks, too" in caplog.text
