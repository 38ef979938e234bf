"""The report as Markdown and as a page: complete, escaped, without anything from elsewhere."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from fakes.trials import a_query, ranked
from vestigia.evaluate.collection import Collection
from vestigia.evaluate.measures import MEANINGS, RANKED
from vestigia.evaluate.page import page
from vestigia.evaluate.plots import Bar, Dot, bars, groups, intervals
from vestigia.evaluate.report import Archive, Report, examine
from vestigia.evaluate.statistics import Estimate
from vestigia.evaluate.tables import interval, markdown, share, tables

NASTY = '<script>alert("x & y")</script>'
QUERIES = tuple(a_query(f"{number:02d}", "a", kind=f"kind {number % 2}", half=number % 2) for number in range(20))
COLLECTION = Collection(NASTY, QUERIES, (a_query("null", kind="null"),))


def trial(*ranking, **more):
    return {query.id: ranked(*ranking, **more) for query in (*QUERIES, *COLLECTION.unjudged)}


@pytest.fixture(scope="module")
def report():
    lists = (("words", ("a",)), ("date", ("b",)))
    trials = {
        "good": [trial("a", lists=lists, seconds=0.25, problems=(NASTY,))] * 2,
        "bad|worse": [trial("x", "a", judged=True, tokens=None, cost=None) | {"00": ranked(failure=NASTY)}] * 2,
    }
    found = examine(COLLECTION, Archive(2, 2, 1, ("words",), 3), trials, "good", None)
    return Report("1.0", {"good": "it is good", "bad|worse": NASTY}, "good", 2, None, 2, (found,))


def rows(text, title):
    """The cells of the table under a heading."""
    lines = text.split(f"### {title}\n")[1].split("\n#")[0].splitlines()
    return [[cell.strip() for cell in line[2:-2].split(" | ")] for line in lines if line.startswith("| ")]


def test_markdown_has_a_row_for_each_group_and_system(report):
    results = rows(markdown(report), "Results")
    assert results[0] == ["questions", "system", *RANKED[1:]]
    assert [row[0] for row in results[1::2]] == [
        "all (20)",
        "kind 0 (10)",
        "kind 1 (10)",
        "half 0 (10)",
        "half 1 (10)",
    ]
    assert results[1][2:4] == ["1.000 (1.000–1.000)", "1.000 (1.000–1.000)"]


def test_a_significant_difference_is_marked_with_its_direction_and_no_other(report):
    results = rows(markdown(report), "Results")
    marked = dict(zip(results[0], results[2], strict=True))
    assert marked["RR"] == ".500 (.500–.500) ▼"
    assert marked["R@10"] == "1.000 (1.000–1.000)"
    assert "▲" not in str(results)


def test_where_a_system_answered_no_question_of_a_group_a_dash_stands_and_never_a_zero():
    mute = {query.id: ranked(failure="no answer") for query in (*QUERIES, *COLLECTION.unjudged)}
    trials = {"good": [trial("a")], "some": [trial("a") | {q.id: mute[q.id] for q in QUERIES if q.half}]}
    examined = examine(COLLECTION, Archive(2, 2, 1, ("words",), 0), trials, "good", None)
    results = rows(markdown(Report("1.0", {}, "good", 1, None, 1, (examined,))), "Results")
    assert [row[2] for row in results if row[1] == "some"] == [
        "1.000 (1.000–1.000)",
        "1.000 (1.000–1.000)",
        "-",
        "1.000 (1.000–1.000)",
        "-",
    ]


def test_markdown_says_what_was_measured_how_and_what_could_not_be(report):
    text = markdown(report)
    assert "the reference is good, one question in 2, each asked 2 times" in text
    assert "2 documents (1 dated), 2 passages, 20 judged questions; channels: words." in text
    assert "3 judged documents are not in the archive and count as missed." in text
    assert all(meaning in text for name, meaning in MEANINGS.items() if name != "R@3")
    assert rows(text, "Failures")[1][:2] == ["bad/worse", "1"]
    assert rows(text, "Cost")[2][-2:] == ["unknown", "unknown"]
    assert rows(text, "Cost")[1][1] == "250"
    assert rows(text, "Without a known source")[1][2:] == ["1", "2.0", ".000"]
    assert rows(text, "Repeats")[1] == ["good", "2", "yes", "1.000", "1.000"]


def test_every_row_of_a_markdown_table_has_as_many_cells_as_its_head(report):
    for block in re.findall(r"(?:^\|.*\n)+", markdown(report), re.MULTILINE):
        assert len({line.count(" | ") for line in block.splitlines() if not line.startswith("|-")}) == 1


def test_a_table_without_a_row_is_left_out(report):
    (examined,) = report.collections
    titles = [table.title for table in tables(replace(examined, failed=(), repeated=(), unanswered=()), "good")]
    assert titles == ["Results", "Accepted sets", "Misses", "Channels", "Overlap of channels", "Cost"]


@pytest.mark.parametrize(
    ("number", "written"), [(0.8764, ".876"), (1.0, "1.000"), (0.0, ".000"), (-0.05, "-.050"), (0.0004, ".000")]
)
def test_shares_have_three_places(number, written):
    assert share(number) == written


def test_a_mean_without_an_interval_stands_alone():
    assert interval(Estimate(0.5, None, None, 1)) == ".500"
    assert interval(Estimate(0.5, 0.25, 0.75, 9)) == ".500 (.250–.750)"


def test_the_page_is_one_well_formed_document_that_asks_for_nothing(report):
    text = page(report)
    body = text[text.index("<body>") : text.index("</html>")]
    ElementTree.fromstring(body)  # raises where a tag is left open or a sign is not escaped
    assert not re.search(r"<script|<link|<img|\bsrc=|\bhref=|url\(|@import|https?:", text)
    assert "prefers-color-scheme: dark" in text


def test_names_from_files_are_words_on_the_page_and_never_mark_up(report):
    text = page(report)
    assert NASTY not in text
    assert "&lt;script&gt;alert(&quot;x &amp; y&quot;)&lt;/script&gt;" in text


def test_the_page_has_every_table_and_every_plot_stands_beside_one(report):
    body = ElementTree.fromstring(page(report)[page(report).index("<body>") :].removesuffix("</html>\n"))
    headings = [heading.text for heading in body.iter("h3")]
    assert headings[:3] == ["Systems", "Measures", "Results"]
    assert len(list(body.iter("table"))) == len(headings)
    assert [figure.find("figcaption").text.split()[0] for figure in body.iter("figure")] == [
        "R@10",
        "nDCG@10",
        "R@10",
        "Relevant",
        "Milliseconds",
    ]
    half = replace(report, every=1, half=1)
    assert "the reference is good, half 1 of the questions only, each asked 2 times." in page(half)
    assert "half 1 of the questions only" in markdown(half)


def drawn(text):
    return list(ElementTree.fromstring(f"<div>{text}</div>").iter())


def test_an_interval_is_drawn_from_its_low_to_its_high_end_and_the_reference_as_a_line():
    dots = [Dot(NASTY, Estimate(0.5, 0.0, 1.0, 9)), Dot("b", Estimate(0.25, None, None, 1), reference=True)]
    plot = drawn(intervals(dots, "t"))
    (line,) = [e for e in plot if e.get("class") == "interval"]
    (reference,) = [e for e in plot if e.get("class") == "reference"]
    first, second = [float(e.get("cx")) for e in plot if e.get("class") == "mean"]
    assert (float(line.get("x1")) + float(line.get("x2"))) / 2 == pytest.approx(first)
    assert float(reference.get("x1")) == second < first


def test_equal_dots_of_a_row_are_all_seen():
    plot = drawn(groups([("all", [("a", 0.5), ("b", 0.5)]), ("some", [("b", 1.0)])], "t"))
    dots = [e for e in plot if e.tag == "circle" and e.get("cx") != "6"]
    assert len({(e.get("cx"), e.get("cy")) for e in dots}) == 3
    assert [e.get("class") for e in dots] == ["c0", "c1", "c1"]
    assert [e.text or e[0].tail for e in plot if e.tag == "li"] == ["a", "b"]


def test_bars_are_as_long_as_their_parts_and_none_is_negative():
    plot = drawn(bars([Bar("a", (("x", 3.0), ("y", 1.0))), Bar("b", (("x", 0.0), ("y", 2.0)))], "t"))
    widths = [float(e.get("width")) for e in plot if e.tag == "rect"]
    assert widths[0] == pytest.approx(3 * widths[1], abs=0.2)
    assert widths[3] == pytest.approx(2 * widths[1], abs=0.2)
    assert widths[2] == 0.0


def test_plots_of_nothing_are_drawn_empty():
    assert [e.tag for e in drawn(bars([Bar("a", (("x", 0.0),))], "t")) if e.tag == "rect"] == ["rect"]
    assert [e for e in drawn(intervals([], "t")) if e.tag == "circle"] == []
