"""Moments, and what one end of a span lends the other."""

from itertools import pairwise

import pytest

from vestigia.corpus.dates.moments import (
    Moment,
    century,
    continue_year,
    interval,
    lend,
    mark,
    span,
    to_period,
    unmarked,
    year_text,
)
from vestigia.domain.periods import FAR_FUTURE, FAR_PAST, Certainty, Precision, day_number, iso

MAY_1887 = Moment(Precision.MONTH, 1887, 5)


def days(moment: Moment) -> tuple[str, str]:
    first, last = span(moment)
    return iso(first), iso(last)


def test_without_a_year_there_is_no_place_in_time() -> None:
    open_moment = Moment(Precision.DAY, month=5, day=3)
    assert not open_moment.whole
    with pytest.raises(ValueError, match="without a year"):
        span(open_moment)


@pytest.mark.parametrize(
    ("portion", "first", "last"),
    [
        ("early", "1887-05-01", "1887-05-10"),
        ("mid", "1887-05-11", "1887-05-20"),
        ("late", "1887-05-21", "1887-05-31"),
        ("half1", "1887-05-01", "1887-05-15"),
        ("half2", "1887-05-16", "1887-05-31"),
        ("", "1887-05-01", "1887-05-31"),
    ],
)
def test_parts_of_a_month(portion: str, first: str, last: str) -> None:
    assert days(Moment(Precision.MONTH, 1887, 5, portion=portion)) == (first, last)


@pytest.mark.parametrize("precision", [Precision.MONTH, Precision.YEAR, Precision.DECADE, Precision.CENTURY])
@pytest.mark.parametrize("parts", [("early", "mid", "late"), ("half1", "half2")])
def test_thirds_and_halves_fill_the_whole_without_a_gap(precision: Precision, parts: tuple[str, ...]) -> None:
    month = 2 if precision is Precision.MONTH else None
    spans = [span(Moment(precision, 1880, month, portion=part)) for part in parts]
    whole = span(Moment(precision, 1880, month))
    assert (spans[0][0], spans[-1][1]) == whole
    assert all(one[1] + 1 == two[0] for one, two in pairwise(spans))


def test_a_winter_runs_into_the_next_year() -> None:
    assert days(Moment(Precision.SEASON, 1887, season=24)) == ("1887-12-01", "1888-02-29")


@pytest.mark.parametrize(
    ("number", "bce", "first", "last"),
    [
        (19, False, "1801-01-01", "1900-12-31"),
        (1, False, "0001-01-01", "0100-12-31"),
        (1, True, "-0099-01-01", "0000-12-31"),
        (5, True, "-0499-01-01", "-0400-12-31"),
    ],
)
def test_centuries_are_counted_as_they_are_taught(number: int, bce: bool, first: str, last: str) -> None:
    assert days(century(number, bce=bce)) == (first, last)


class TestLending:
    def test_a_day_borrows_month_and_year(self) -> None:
        lent = lend(Moment(Precision.DAY, day=3), Moment(Precision.DAY, 1887, 5, 5))
        assert (lent.year, lent.month, lent.day) == (1887, 5, 3)

    def test_a_month_borrows_the_year(self) -> None:
        assert lend(Moment(Precision.MONTH, month=3), MAY_1887).year == 1887

    def test_a_later_month_belongs_to_the_year_before(self) -> None:
        assert lend(Moment(Precision.MONTH, month=11), MAY_1887).year == 1886

    def test_an_ordinal_before_a_century_is_a_century(self) -> None:
        assert lend(Moment(Precision.DAY, day=18), century(19)).year == 1701
        assert lend(Moment(Precision.DAY, day=6), century(5, bce=True)).year == -599

    def test_nothing_is_borrowed_from_a_year_or_a_named_period(self) -> None:
        assert lend(Moment(Precision.MONTH, month=3), Moment(Precision.YEAR, 1887)).year is None
        assert lend(Moment(Precision.MONTH, month=3), Moment(Precision.RANGE, fixed=(1, 2))).year is None

    def test_the_second_end_goes_on_from_the_first(self) -> None:
        first = Moment(Precision.DAY, 2023, 10, 2)
        assert continue_year(first, Moment(Precision.DAY, month=10, day=5)).year == 2023
        assert continue_year(first, Moment(Precision.DAY, month=1, day=5)).year == 2024
        assert continue_year(first, Moment(Precision.DAY, day=5)).month == 10
        assert continue_year(Moment(Precision.DAY, day=2), Moment(Precision.DAY, day=5)).year is None


class TestEdtf:
    @pytest.mark.parametrize(
        ("year", "text"),
        [(1887, "1887"), (843, "0843"), (0, "0000"), (-43, "-0043"), (12_000, "Y12000"), (-12_000, "Y-12000")],
    )
    def test_years(self, year: int, text: str) -> None:
        assert year_text(year) == text

    @pytest.mark.parametrize(
        ("first", "last", "text"),
        [
            (day_number(1887, 5, 3), day_number(1887, 5, 3), "1887-05-03"),
            (day_number(1887), day_number(1887, 12, 31), "1887"),
            (day_number(1887), day_number(1889, 12, 31), "1887/1889"),
            (day_number(1887, 5), day_number(1887, 5, 31), "1887-05"),
            (day_number(1887, 5), day_number(1888, 2, 29), "1887-05/1888-02"),
            (day_number(1887, 5, 2), day_number(1887, 5, 31), "1887-05-02/1887-05-31"),
            (FAR_PAST, day_number(1899, 12, 31), "../1899"),
            (day_number(1887, 5, 2), FAR_FUTURE, "1887-05-02/.."),
            (day_number(12_000), day_number(12_000, 1, 3), "Y12000-01-01/Y12000-01-03"),
        ],
    )
    def test_an_interval_is_as_short_as_it_can_be(self, first: int, last: int, text: str) -> None:
        assert interval(first, last) == text

    def test_doubt_is_marked_at_both_ends_but_not_at_open_ones(self) -> None:
        assert mark("1887/1889", Certainty.UNCERTAIN) == "1887?/1889?"
        assert mark("1887/..", Certainty.APPROXIMATE) == "1887~/.."
        assert mark("[1887,1889]", Certainty.UNCERTAIN) == "[1887,1889]"
        assert mark("1887", Certainty.CONJECTURE) == "1887"
        assert unmarked("1887?/1889~") == "1887/1889"

    def test_a_period_keeps_rule_and_doubt(self) -> None:
        period = to_period(Moment(Precision.YEAR, 1887, certainty=Certainty.APPROXIMATE, rule="year"))
        assert (period.edtf, period.rule, period.certainty) == ("1887~", "year", Certainty.APPROXIMATE)
        assert to_period(MAY_1887, Certainty.UNCERTAIN).edtf == "1887-05?"
