"""Experiments as tables and as a page: every number that was counted is there, and nothing of a text is mark-up."""

import re
from xml.etree import ElementTree

import pytest

from fakes.pairs import year
from vestigia.domain.ids import DocumentId
from vestigia.domain.periods import windows_of_years
from vestigia.evaluate.experiment_report import drawings, markdown, page, tables
from vestigia.evaluate.experiments import Drift, Layers, Placed, Price, Stratum, dual_score, exchange, timeline
from vestigia.evaluate.timelines import Rising, scatter, shares

DECADES = windows_of_years(year(1950, 1979), 10)


def placed(name, when=None, score=0.5):
    return Placed(DocumentId(name), when and year(when), score)


def drift():
    sets = {"1950s": [placed("a", 1951), placed("b", 1952)], "1950s in windows": [placed("a", 1951), placed("c", 1972)]}
    held = [year(1951), year(1952), year(1965), year(1972), None]
    return Drift((("1950s", "Elektronenhirn"),), "meaning:x", 2, (timeline(DECADES, held, sets),))


def price():
    ranked = [placed("a", 1951, 0.9), placed("b", 1952, 0.8), placed("<b>", 1972, 0.1)]
    traded = exchange(ranked, [[ranked[0]], [], [ranked[2]]])
    line = timeline(DECADES, [year(1951), year(1972)], {"without windows": ranked[:2], "with windows": [ranked[0]]})
    return Price("Wer < rechnet?", "words", 1, (0, 1, 0), traded, line)


def layers():
    return Layers(
        ("Computer",),
        "Angst",
        "meaning:x",
        Stratum("all", 21, 142, 113),
        (Stratum("1950–1959", 1, 2, 3), Stratum("1960–1969", 0, 0, 0)),
        (Stratum("7 to 10", 16, 0, 26),),
    )


DUAL = dual_score([("p & q", 0.1, 2.0), ("r", 0.2, 9.0), ("s", 0.3, None)])
ALL = [drift(), price(), DUAL, layers()]
IDS = ["drift", "price", "dual score", "layers"]


def table(result, title):
    return next(one for one in tables(result) if one.title.startswith(title)).rows


def test_a_drift_is_counted_by_window_with_shares_and_the_undated_apart():
    assert table(drift(), "Documents by windows") == (
        ("1950–1959", "2 (50%)", "2 (100%)", "1 (50%)"),
        ("1960–1969", "1 (25%)", "0 (0%)", "0 (0%)"),
        ("1970–1979", "1 (25%)", "0 (0%)", "1 (50%)"),
        ("undated", "1", "0", "0"),
    )


def test_ratios_say_how_far_from_even_each_window_is():
    assert table(drift(), "Retrieval-to-corpus") == (
        ("1950–1959", "2.00", "1.00"),
        ("1960–1969", "0.00", "0.00"),
        ("1970–1979", "0.00", "2.00"),
    )


def test_what_was_searched_for_is_told():
    assert table(drift(), "Vocabularies") == (("1950s", "Elektronenhirn"),)
    assert "first 2 documents by meaning:x" in markdown(drift())


def test_the_price_of_windows_with_what_came_in_and_what_went_out():
    assert table(price(), "The price") == (
        ("in both lists", "1", ""),
        ("surfaced by windows", "1", "0.100"),
        ("displaced by windows", "1", "0.800"),
        ("places windows could not fill", "1", ""),
    )
    assert table(price(), "Surfaced") == (("<b>", "0.100"),)
    assert table(price(), "Displaced") == (("b", "0.800"),)


def test_without_an_exchange_there_is_no_mean():
    one = placed("a", 1951)
    none = Price("", "words", 1, (0,), exchange([one], [[one]]), timeline(DECADES, [year(1951)], {}))
    assert [row[2] for row in table(none, "The price")][1:3] == ["-", "-"]
    assert [one.title for one in tables(none)][-1].startswith("Retrieval")


def test_correlations_and_how_many_were_not_judged():
    assert table(DUAL, "Correlation") == (("Spearman", "1.000"), ("Pearson", "1.000"))
    assert markdown(DUAL).startswith("2 judged, 1 without a score from 1 to 10.")


def test_the_overlap_of_layers_leaves_out_empty_strata():
    assert table(layers(), "Overlap") == (("all", "21", "142", "113"),)
    assert table(layers(), "By time") == (("1950–1959", "1", "2", "3"),)
    assert table(layers(), "By the judge") == (("7 to 10", "16", "0", "26"),)
    assert "21 of 276 are in both" in markdown(layers())


@pytest.mark.parametrize("result", ALL, ids=IDS)
def test_a_page_needs_nothing_else_and_every_drawing_is_well_formed(result):
    written = page(result)
    assert not re.search(r"<script|https?://(?!www\.w3\.org)", written)
    assert "<b>" not in written
    assert "< rechnet" not in written
    for drawn in re.findall(r"<svg.*?</svg>", written):
        ElementTree.fromstring(drawn)


@pytest.mark.parametrize(("result", "number"), list(zip(ALL, [2, 1, 1, 0], strict=True)), ids=IDS)
def test_what_can_be_seen_is_drawn(result, number):
    assert len(drawings(result)) == number


def test_a_drift_is_drawn_once_as_it_is_and_once_in_windows():
    plain, windowed = drawings(drift())
    assert "1950s, 1950–1959: 100.0%" in plain
    assert "1950s, 1950–1959: 50.0%" in windowed
    assert "archive, 1950–1959: 50.0%" in plain
    assert "searched in windows" in windowed


def test_the_grid_reaches_the_highest_share_in_round_steps():
    assert re.findall(r">(\d+%)<", shares(["1950"], ("archive", [0.1]), [("x", [0.47])], "t")) == [
        "0%",
        "15%",
        "30%",
        "45%",
        "60%",
    ]


def test_of_many_windows_not_all_are_named():
    windows = [str(year) for year in range(1800, 1900)]
    drawn = shares(windows, ("archive", [0.01] * 100), [("x", [0.01] * 100)], "t")
    assert re.findall(r'anchor="middle">(\d+)<', drawn) == windows[::5]


@pytest.mark.parametrize(
    ("number", "named", "at"),
    [(4, "1800–1809", 44 + 666 / 8), (20, "1800", 44.0)],
)
def test_a_window_is_named_in_full_where_there_is_room_else_by_the_year_at_its_beginning(number, named, at):
    windows = [f"{year}–{year + 9}" for year in range(1800, 1800 + 10 * number, 10)]
    drawn = shares(windows, ("archive", [0.1] * number), [("x", [0.1] * number)], "t")
    first = re.search(r'x="([\d.]+)" y="226" text-anchor="middle">([^<]+)<', drawn)
    assert (float(first[1]), first[2]) == (pytest.approx(at, abs=0.1), named)


def test_equal_shares_of_several_sets_stand_beside_each_other():
    drawn = shares(["1950"], ("archive", [0.1]), [("x", [0.2]), ("y", [0.2]), ("z", [0.2])], "t")
    places = [float(x) for x in re.findall(r'<circle class="c\d" cx="([\d.]+)" cy="[\d.]+" r="3.5"', drawn)]
    assert places == [368.0, 377.0, 386.0]


def test_nothing_can_be_drawn_too():
    ElementTree.fromstring(scatter([], "similarity", Rising("score"), "t"))
    ElementTree.fromstring(shares([], ("archive", []), [], "t").split("<ul")[0])


def test_points_lie_between_the_lowest_and_the_highest():
    drawn = scatter([("a", 0.1, 1.0), ("b", 0.3, 9.0), ("c", 0.2, 5.0)], "similarity", Rising("score"), "t")
    assert re.findall(r'class="point" cx="([\d.]+)" cy="([\d.]+)"', drawn) == [
        ("44.0", "210.0"),
        ("710.0", "12.0"),
        ("377.0", "111.0"),
    ]
    assert "a: 0.100, 1" in drawn
