"""Saved searches in the browser: saved from a result, found again, run anew with what is new since, deleted."""

import json
import re
from html import unescape

import pytest

from fakes.site_servers import Server
from fakes.sites import is_well_made, visiting, words_of
from unit.web.conftest import EVIL
from vestigia.app.archive import add
from vestigia.app.people.roles import Role
from vestigia.app.workspace import init
from vestigia.corpus.importing import ImportOptions

HERE = "/archives/letters"
ASKED = {"q": "Brücke", "channel": "words", "sub_corpus": "Letters", "from": "1880", "to": "1900", "windows": "10y"}


@pytest.fixture
def growing(tmp_path):
    """An archive of one letter, and a way to add others."""
    made = init(tmp_path / "letters")

    def grow(*names, rights=""):
        lines = [{"id": n, "text": f"Die Brücke {n} ist neu.", "date": "1887", "rights": rights} for n in names]
        (tmp_path / f"{names[0]}.jsonl").write_text("\n".join(map(json.dumps, lines)))
        add(made, [tmp_path / f"{names[0]}.jsonl"], ImportOptions(sub_corpus="Letters", language="de"))

    grow("A")
    return made, grow


def save(site, name="Brücken", **asked):
    """Save a search by the form that stands on its page."""
    page = site.get(f"{HERE}/search", params={**ASKED, **asked}).text
    (search,) = re.findall(r'name="search" value="([^"]*)"', page)
    return site.submit(f"{HERE}/searches", {"name": name, "search": unescape(search)})


def forms(page):
    return re.findall(r'action="([^"]+/searches/[^"]+)"', page)


def new(site, address):
    return site.get(address.path + ".json?" + address.query.decode()).json()["saved"]


def test_a_search_is_saved_with_all_it_asks_and_found_again_on_the_search_page(growing):
    site = visiting({"letters": growing[0]})
    page = save(site)
    is_well_made(page.text)
    assert "The search “Brücken” is saved." in words_of(page.text)
    assert "1 saved search" in words_of(site.get(f"{HERE}/search").text)
    (one,) = site.get(f"{HERE}/searches.json").json()["searches"]
    assert dict(one["fields"]) == ASKED
    (to,) = re.findall(r'<a href="([^"]+)">Brücken</a>', site.get(f"{HERE}/searches").text)
    assert [hit["document"] for hit in site.get(unescape(to).replace("search?", "search.json?")).json()["hits"]] == [
        "A"
    ]
    is_well_made(site.get(f"{HERE}/searches").text)


def test_run_anew_it_says_what_the_list_of_last_time_lacked(growing):
    made, grow = growing
    first = visiting({"letters": made})
    assert "run anew, it says what is new since" in words_of(save(first).text)
    grow("B", "C")
    site = visiting({"letters": made})
    run, _ = forms(site.get(f"{HERE}/search").text)
    page = site.submit(run)
    assert re.search(r"“Brücken”: 2 sources that were not in the list of \d{4}-\d\d-\d\d", words_of(page.text))
    assert page.text.count('<span class="badge">new</span>') == 2
    assert sorted(new(site, page.url)["new"]) == ["B", "C"]
    again = site.submit(run)
    assert "“Brücken”: nothing new since" in words_of(again.text)


def test_another_search_under_its_number_is_not_taken_for_it(growing):
    site = visiting({"letters": growing[0]})
    save(site)
    data = site.get(f"{HERE}/search.json", params={**ASKED, "q": "neu", "saved": "1"}).json()
    assert "saved" not in data
    assert "saved" not in site.get(f"{HERE}/search.json", params={**ASKED, "saved": "7"}).json()


def test_a_deleted_one_is_gone(growing):
    site = visiting({"letters": growing[0]})
    save(site)
    _, gone = forms(site.get(f"{HERE}/searches").text)
    assert "The search “Brücken” is deleted." in words_of(site.submit(gone).text)
    assert site.get(f"{HERE}/searches.json").json() == {"searches": []}
    assert site.submit(gone).status_code == 404
    assert "No search is saved yet." in words_of(site.get(f"{HERE}/searches").text)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"name": "x", "search": ""}, "nothing is searched."),
        ({"name": "x", "search": "q=Br%C3%BCcke&quota=viele"}, "'viele' is no number"),
        ({"name": "x", "search": "q=Br%C3%BCcke&windows=soon"}, "soon"),
        ({"name": " ", "search": "q=Br%C3%BCcke"}, "a saved search needs a name."),
    ],
)
def test_what_cannot_be_saved_is_said(growing, fields, told):
    site = visiting({"letters": growing[0]})
    answer = site.submit(f"{HERE}/searches", fields)
    assert told.casefold() in words_of(answer.text).casefold()
    assert site.get(f"{HERE}/searches.json").json() == {"searches": []}


def test_a_script_in_its_name_or_words_is_text(growing):
    site = visiting({"letters": growing[0]})
    page = save(site, EVIL, q=f"Brücke {EVIL}").text + site.get(f"{HERE}/searches").text
    assert EVIL not in page
    assert "&lt;script&gt;" in page


def test_each_has_their_own_and_who_only_reads_saves_none(growing, tmp_path):
    server = Server({"letters": growing[0]}, tmp_path / "people")
    for name, role in (("ada", Role.RESEARCHER), ("bo", Role.ADMIN), ("cy", Role.READER)):
        server.person(name, letters=role)
    ada, bo, cy = (server.browser(name) for name in ("ada", "bo", "cy"))
    save(ada, "Geheimname")
    assert "Geheimname" in ada.get(f"{HERE}/search").text
    for site in (bo, cy):
        assert "Geheimname" not in site.get(f"{HERE}/search").text
        assert "saved" not in site.get(f"{HERE}/search.json", params={**ASKED, "saved": "1"}).json()
        for deed in ("run", "delete"):
            assert site.submit(f"{HERE}/searches/1/{deed}").status_code == (404 if site is bo else 403)
    assert "Geheimname" not in bo.get(f"{HERE}/searches").text
    assert "Save this search" not in cy.get(f"{HERE}/search", params=ASKED).text
    assert ada.get(f"{HERE}/searches.json").json()["searches"][0]["name"] == "Geheimname"


def test_what_is_closed_counts_in_no_list_of_who_may_not_see_it(growing, tmp_path):
    made, grow = growing
    server = Server({"letters": made}, tmp_path / "people")
    server.person("curator", letters=Role.CURATOR)
    site = server.browser("curator")
    save(site)
    grow("Z", rights="closed")
    site.app.state.holdings.get("letters")
    assert new(site, site.submit(f"{HERE}/searches/1/run").url)["new"] == []
    site.submit(f"{HERE}/closed", {"show": "true"})
    assert new(site, site.submit(f"{HERE}/searches/1/run").url)["new"] == ["Z"]
