"""The list of archives and an archive: counts, chart with table, sub-corpora, refused files; nothing runs as script."""

from fakes.sites import words_of

EVIL = '<script>alert("x")</script>'


def test_the_list_names_each_archive_with_its_size(site):
    page = site.get("/").text
    assert '<a href="/archives/letters">Letters &amp; Co</a>' in page
    assert "4 documents · 1 sub-corpus Letters" in words_of(page)
    (listed,) = site.get("/index.json").json()["archives"]
    assert listed == {
        "archive": "letters",
        "name": "Letters & Co",
        "documents": 4,
        "sub_corpora": ["Letters"],
        "problem": None,
    }


def test_an_archive_says_what_it_covers_in_a_chart_and_in_a_table(site):
    page = site.get("/archives/letters").text
    assert "4 documents · 4 passages · 1 sub-corpus · 1 undated" in words_of(page)
    assert page.count("<svg") == 1
    assert "1887 1 1888 0 1889 0 1890 1 1891 1" in words_of(page[page.index("As a table") :])
    assert "undated 1" in words_of(page)


def test_what_an_archive_can_be_searched_by_is_said_in_the_language_of_the_reader(site):
    assert "Can be searched by words, characters, date" in words_of(site.get("/archives/letters?lang=en").text)
    assert "Durchsuchbar nach Wörter, Zeichen, Datum" in words_of(site.get("/archives/letters?lang=de").text)


def test_the_twin_has_the_same_numbers(site):
    data = site.get("/archives/letters.json").json()
    (part,) = data["sub_corpora"]
    assert dict(zip(data["windows"], part["by_window"], strict=True)) == {
        "1887": 1, "1888": 0, "1889": 0, "1890": 1, "1891": 1,
    }  # fmt: skip
    assert (part["undated"], part["genre"]) == (1, "letter")
    assert data["status"]["passages"] == 4


def test_what_was_refused_is_named_with_its_place_and_reason(site):
    page = words_of(site.get("/archives/letters").text)
    assert "Files 1 Refused in whole or in part 1" in page
    assert "letters.jsonl 1 record refused" in page


def test_a_description_shows_as_the_text_it_is(site):
    page = site.get("/archives/letters").text
    assert "Letters to the council &lt;script&gt;alert" in page
    assert EVIL not in page


def test_an_empty_archive_says_how_to_fill_it(empty):
    page = empty.get("/archives/empty")
    assert page.status_code == 200
    assert "The archive is empty" in page.text
    assert "<svg" not in page.text
    search = empty.get("/archives/empty/search?q=Brücke")
    assert search.status_code == 400
    assert "the archive holds no document" in search.text.lower()
