"""Whatever a catalogue holds, an export says it and nothing else: titles, names and dates of any signs come back."""

import csv
import io
import json
from html.parser import HTMLParser

import rispy
from hypothesis import given
from hypothesis import strategies as st

from fakes.exports import filled, letter
from vestigia.app.cells import unguarded
from vestigia.app.citations import Style, citation
from vestigia.app.describing import names_of
from vestigia.app.exporting import FORMS
from vestigia.app.references import Listing, Reference, line

ODD = st.text(st.sampled_from("\\{}\"'<>&%#$_^~=+-@;,|*[]()\n\r\x00\u202e\u05d0é a1 "), max_size=30)
ELEMENTS = {"html", "head", "meta", "title", "style", "body", "h1", "p", "ol", "li", "dl", "dt", "dd"}
ELEMENTS |= {"figure", "figcaption", "blockquote"}
TITLES = st.one_of(ODD, st.text(max_size=30))


def written(form: str, title: str) -> tuple[Reference, bytes]:
    found = filled(letter("V1", title, author=title))
    return found, FORMS[form].render(Listing("sources", "run-1", title, (found,)), Style.CHICAGO)


@given(TITLES)
def test_ris_and_csl_json_give_a_title_back(title):
    found, ris = written("ris", title)
    assert [record["title"] for record in rispy.loads(ris.decode())] == [found.title]
    assert [item["title"] for item in json.loads(written("csl-json", title)[1])] == [found.title]


@given(TITLES)
def test_a_table_gives_a_title_back_and_has_no_formula(title):
    found, table = written("csv", title)
    rows = list(csv.DictReader(io.StringIO(table.decode("utf-8-sig"), newline="")))
    assert [unguarded(row["title"]) for row in rows] == [found.title]
    assert not [cell for cell in rows[0].values() if cell[:1] in {"=", "+", "-", "@", "\t", "\r"}]


@given(TITLES)
def test_the_braces_of_bibtex_match_wherever_one_stops_counting_backslashes(title):
    text = written("bibtex", title)[1].decode()
    depths = [0]
    for sign in text:
        depths.append(depths[-1] + (sign == "{") - (sign == "}"))
    assert (min(depths), depths[-1]) == (0, 0)
    assert text.count("@misc{") == 1


@given(TITLES)
def test_a_page_shows_a_title_and_makes_no_element_of_it(title):
    found, page = written("html", title)
    words: list[str] = []
    tags: list[str] = []
    parser = HTMLParser()
    parser.handle_data = words.append
    parser.handle_starttag = lambda tag, _: tags.append(tag)
    parser.feed(page.decode())
    assert found.title in "".join(words)
    assert set(tags) <= ELEMENTS


@given(TITLES, st.sampled_from(list(Style)))
def test_a_citation_is_one_line_that_holds_the_title(title, style):
    found = filled(letter("V1", title, author=title))
    cited = citation(found, style)
    assert found.title.removesuffix(".") in cited
    assert cited == line(cited)


@given(TITLES)
def test_no_letter_of_a_name_is_lost(title):
    for name in names_of(line(title)):
        assert sorted(name.natural) == sorted(name.written) or name.family
        assert all(part in name.written for part in (name.family, name.given, name.particle))
