"""Search: an address is a search; results, facets, time, passport; what is closed or hostile stays so."""

import re

import pytest

from fakes.sites import words_of

SEARCH = "/archives/letters/search"


def test_before_anything_is_searched_there_is_the_form_and_help(site):
    page = site.get(SEARCH).text
    assert 'name="q"' in page
    assert "How queries are written" in page
    assert 'class="found"' not in page
    assert site.get(f"{SEARCH}.json").json() == {"query": "", "hits": []}


def test_a_result_says_what_it_is_where_it_stands_in_each_channel_and_how_it_is_cited(site):
    page = site.get(SEARCH, params={"q": "Alzette", "channel": "words"}).text
    (hit,) = re.findall(r'(?s)<article class="source">.*?</article>', page)
    said = words_of(hit)
    assert said.startswith('1 Brief <script>alert("x")</script> 1887-03-11 · Letters')
    assert "Die Brücke über die Alzette wurde gesprengt." in said
    assert "<mark>Alzette</mark>" in hit
    assert "words 1" in said
    assert "letters.jsonl" in said


def test_a_list_of_all_channels_says_that_it_is_ranked_and_not_sifted(site):
    ranked = "Ranked, not sifted: the best match first; further down also sources without these words."
    assert ranked in words_of(site.get(SEARCH, params={"q": "Alzette"}).text)
    for sifted in ({"channel": "words"}, {"way": "syntax"}):
        assert ranked not in words_of(site.get(SEARCH, params={"q": "Alzette", **sifted}).text)


def test_a_script_in_title_text_or_query_is_text(site):
    evil = '"><script>alert(1)</script>'
    for query in ("Brücke", "Gemeinderat", evil):
        page = site.get(SEARCH, params={"q": f"{query} Gemeinderat", "from": evil}).text
        page += site.get(SEARCH, params={"q": f"{query} Gemeinderat"}).text
        assert not re.search(r"<script>", page)
        assert "&lt;script&gt;" in page


def test_what_is_closed_is_found_and_not_shown(site):
    page = site.get(SEARCH, params={"q": "geheimen Akte"}).text
    assert "Gesperrt" in page
    assert "The text is closed and not shown." in page
    assert "der geheimen" not in page
    assert "der geheimen" not in site.get(f"{SEARCH}.json", params={"q": "geheimen Akte"}).text


def test_the_twin_has_the_whole_list_with_its_passport_and_counts(site):
    data = site.get(f"{SEARCH}.json", params={"q": "Brücke", "channel": "words"}).json()
    assert {hit["date"] for hit in data["hits"]} == {"1887-03-11", "1890", "1891-05-02"}
    assert data["by_sub_corpus"] == {"Letters": 3}
    assert [(one["window"], one["found"]) for one in data["over_time"] if one["found"]] == [
        ("1887", 1),
        ("1890", 1),
        ("1891", 1),
    ]
    (term,) = data["passport"]
    assert (term["term"], term["documents"], term["first"], term["last"]) == ("Brücke", 3, 1887, 1891)


def test_the_page_draws_time_with_fields_beneath_the_brush(site):
    page = site.get(SEARCH, params={"q": "Brücke", "channel": "words"}).text
    assert page.count("<svg") == 1
    assert 'data-from="1887" data-to="1891"' in page
    assert 'data-starts="1887 1888 1889 1890 1891"' in page
    assert 'id="f-from" name="from"' in page


def test_a_word_nobody_wrote_is_said_to_be_unattested_instead_of_nothing(site):
    page = words_of(site.get(SEARCH, params={"q": "Elektronenhirn", "channel": "words"}).text)
    assert "0 documents found" in page
    assert "Elektronenhirn stands nowhere in the texts." in page
    assert "Nothing was found." in page


@pytest.mark.parametrize(
    ("since", "until", "found"),
    [("1890", "", {"1890", "1891-05-02"}), ("", "1887", {"1887-03-11"}), ("1891-05", "1891-06", {"1891-05-02"})],
)
def test_a_period_has_one_end_or_two(site, since, until, found):
    fields = {"q": "Brücke", "channel": "words", "from": since, "to": until}
    hits = site.get(f"{SEARCH}.json", params=fields).json()["hits"]
    assert {hit["date"] for hit in hits} == found


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"from": "soon"}, "'soon' is no date."),
        ({"channel": "nix"}, "there is no channel 'nix' now."),
        ({"quota": "-3"}, "'-3' is no number from 0 to 1000."),
        ({"quota": "1" * 5000}, "is no number from 0 to 1000."),
        ({"sub_corpus": "Nope"}, "there is no sub-corpus 'Nope'."),
        ({"windows": "often"}, "often"),
        ({"way": "regex", "channel": "words"}, "does not read a query that way"),
    ],
)
def test_what_cannot_be_searched_is_said_beside_what_was_typed(site, fields, words):
    answer = site.get(SEARCH, params={"q": "Brücke", **fields})
    assert answer.status_code == 400
    assert 'value="Brücke"' in answer.text
    assert words.lower() in words_of(answer.text).lower()
    problem = site.get(f"{SEARCH}.json", params={"q": "Brücke", **fields})
    assert (problem.status_code, problem.headers["content-type"]) == (400, "application/problem+json")


def test_every_field_is_kept_in_the_form_and_in_the_links(site):
    fields = {"q": "Brücke", "from": "1887", "to": "1891", "windows": "2y", "quota": "1", "language": "de",
              "expand": "2", "sub_corpus": "Letters", "strict": "true"}  # fmt: skip
    page = site.get(SEARCH, params=fields).text
    assert 'name="windows" type="text" value="2y"' in page
    assert 'name="sub_corpus" value="Letters" checked' in page
    assert 'name="strict" value="true" checked' in page
    assert "Documents by window" in page
    near = re.findall(r'<a href="\?([^"]+)">', page[page.index('class="passport') :].split("</p>")[0])
    assert all("windows=2y" in one and "sub_corpus=Letters" in one for one in near)


def test_the_query_language_and_a_pattern_are_ways_to_read_a_query(site):
    syntax = {"q": "Brücke AND Bau*", "way": "syntax"}
    assert [h["date"] for h in site.get(f"{SEARCH}.json", params=syntax).json()["hits"]] == ["1891-05-02"]
    assert {term["term"] for term in site.get(f"{SEARCH}.json", params=syntax).json()["passport"]} == {"Brücke"}
    pattern = site.get(f"{SEARCH}.json", params={"q": "Br.cke", "way": "regex"}).json()
    assert len(pattern["hits"]) == 3
    assert pattern["passport"] == []


def test_pages_of_a_list_have_addresses(site, monkeypatch):
    monkeypatch.setattr("vestigia.web.search_pages.SHOWN", 2)
    first = site.get(SEARCH, params={"q": "Brücke", "channel": "words"}).text
    assert "Page 1 of 2" in words_of(first)
    (to,) = re.findall(r'rel="next" href="([^"]+)"', first)
    second = site.get(SEARCH + to.replace("&amp;", "&")).text
    assert "Page 2 of 2" in words_of(second)
    for page, numbers in ((first, ["1", "2"]), (second, ["3"])):
        assert "3 documents found" in words_of(page)
        assert re.findall(r'class="place">(\d+)<', page) == numbers
    assert len(site.get(f"{SEARCH}.json", params={"q": "Brücke", "channel": "words"}).json()["hits"]) == 3
    assert second.count('<article class="source">') == 1
    monkeypatch.setattr("vestigia.web.search_pages.DEEP", 2)
    cut = words_of(site.get(SEARCH, params={"q": "Brücke", "channel": "words"}).text)
    assert "The first 2 documents" in cut
    assert "2 documents found" not in cut, "a list that was cut does not say that it is all"
    assert '<span class="place">3</span>' in second
