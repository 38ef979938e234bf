"""The date histogram of a search: what is drawn is what was counted."""

import re
from xml.etree import ElementTree as Xml

import pytest

from vestigia.web.histogram import WIDTH, histogram

SVG = "{http://www.w3.org/2000/svg}"


def drawn(windows, numbers, height=100):
    whole = Xml.fromstring(str(histogram(windows, numbers, height)))
    (bars,) = (one for one in whole.iter(f"{SVG}path") if one.get("class") == "bars")
    found = re.findall(r"M([\d.]+),\d+v-([\d.]+)h([\d.]+)", bars.get("d"))
    return whole, [tuple(map(float, one)) for one in found]


def texts(whole, anchor):
    return [one.text for one in whole.iter(f"{SVG}text") if one.get("text-anchor") == anchor]


def test_a_bar_is_as_high_as_its_number_and_stands_in_its_place():
    _, bars = drawn(["1887", "1888", "1889", "1890"], [3, 0, 1, 6])
    place = WIDTH / 4
    assert [round(height) for _, height, _ in bars] == [50, 17, 100]
    assert [int(left // place) for left, _, _ in bars] == [0, 2, 3]
    assert all(left // place == (left + wide) // place for left, _, wide in bars)


@pytest.mark.parametrize(
    ("most", "ticks"),
    [
        (1, ["0", "1"]),
        (3, ["0", "1", "2", "3"]),
        (4, ["0", "2", "4"]),
        (7, ["0", "5", "10"]),
        (40, ["0", "20", "40"]),
        (100, ["0", "50", "100"]),
    ],
)
def test_the_axis_counts_in_whole_numbers_up_to_the_highest_bar(most, ticks):
    whole, ((_, height, _),) = drawn(["1887"], [most])
    assert texts(whole, "end") == ticks
    assert height == pytest.approx(100 * most / int(ticks[-1]), abs=0.05)


def test_few_windows_have_their_names_beneath_and_many_as_many_as_there_is_room_for():
    assert texts(drawn(["1887", "1888"], [1, 2])[0], "middle") == ["1887", "1888"]
    years = [str(year) for year in range(1800, 1990)]
    named = [one for one in texts(drawn(years, [1] * 190)[0], "end") if len(one) == 4]
    assert named == years[::5]  # a name takes sixteen pixels, a year less than four


def test_the_plot_is_what_a_brush_measures():
    whole, _ = drawn(["1887", "1888"], [1, 2], 110)
    (plot,) = (one for one in whole.iter(f"{SVG}path") if one.get("class") == "background")
    assert plot.get("d") == f"M0,0h{WIDTH}v110h-{WIDTH}Z"


def test_it_has_the_colours_of_the_sheet_no_style_in_place_and_no_markup_of_others():
    svg = str(histogram(["<script>"], [1]))
    assert "var(--chart-1)" in svg
    assert "currentColor" in svg
    assert "style" not in svg
    assert "<script" not in svg
    assert "&lt;script&gt;" in svg


def test_nothing_is_drawn_of_nothing():
    assert drawn([], [])[1] == []
    assert drawn(["1887"], [0])[1] == []
