"""Day or month first: what a table shows of itself, and nothing where it shows nothing."""

import pytest

from fakes.sources import source
from vestigia.corpus.readers.day_order import DayOrder
from vestigia.corpus.readers.tables import TablesReader
from vestigia.domain.archive import Document
from vestigia.domain.periods import label
from vestigia.domain.ports import Refused


def order(*dates: str) -> DayOrder:
    found = DayOrder()
    for one in dates:
        found.look(one)
    return found


@pytest.mark.parametrize(
    ("dates", "settled"),
    [
        (("25/12/1904",), "1904-03-12"),
        (("12/25/1904",), "1904-12-03"),
        (("25-12-1904", "1/2/1903"), "1904-03-12"),
        (("25/12/1904", "12/25/1904"), ""),
        (("1/2/1903",), ""),
        (("1904-12-25", "25. 12. 1904", "s.d.", ""), ""),
        (("45/12/1904", "25/13/1904", "25/12-1904"), ""),
        ((), ""),
    ],
)
def test_a_date_is_settled_by_those_that_can_be_read_in_one_way_only(dates: tuple[str, ...], settled: str):
    assert order(*dates).settled("12/03/1904") == settled


@pytest.mark.parametrize("written", ["3/3/1904", "25/12/1904", "13/14/1904", "0/3/1904", "1904", "12. 3. 1904", ""])
def test_a_date_that_has_one_reading_or_none_is_left_alone(written: str):
    found = order("25/12/1904")
    assert found.settled(written) == ""
    assert found.told() == ""


def read(*dates: str) -> tuple[list[Document], list[str]]:
    rows = "".join(f"{number};{date};Ein Brief.\n" for number, date in enumerate(dates, 1))
    found = list(TablesReader().read(source("a.csv", f"id;date;text\n{rows}")))
    return [one for one in found if isinstance(one, Document)], [
        one.reason for one in found if isinstance(one, Refused)
    ]


def test_in_a_table_the_other_dates_decide_and_the_decision_is_told():
    documents, told = read("12/03/1904", "25/12/1904", "1/2/1905", "[um 1905]")
    assert [label(one.dates[0]) for one in documents] == ["1904-03-12", "1904-12-25", "1905-02-01", "c. 1905"]
    assert documents[0].dates[0].text == "12/03/1904"
    assert documents[0].dates[0].rule == "numeric date, order of day and month as in the table"
    assert told == [
        "2 dates such as '12/03/1904' may be read in two ways; the day is taken to stand first, as in '25/12/1904'"
    ]


def test_in_a_table_of_american_dates_the_month_stands_first():
    documents, told = read("12/03/1904", "12/25/1904")
    assert label(documents[0].dates[0]) == "1904-12-03"
    assert told == [
        "the date '12/03/1904' may be read in two ways; the month is taken to stand first, as in '12/25/1904'"
    ]


@pytest.mark.parametrize("others", [("1/2/1905",), ("12/25/1904", "25/12/1904")])
def test_where_a_table_shows_neither_way_or_both_the_span_of_both_readings_stands(others: tuple[str, ...]):
    documents, told = read("12/03/1904", *others)
    assert label(documents[0].dates[0]) == "1904-03-12/1904-12-03?"
    assert told == []


def test_the_date_that_decides_may_stand_at_the_end_of_a_long_table():
    documents, _ = read(*["12/03/1904"] * 500, "25/12/1904")
    assert {label(one.dates[0]) for one in documents[:500]} == {"1904-03-12"}
