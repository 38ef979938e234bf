"""Days as numbers, against `datetime.date` where it reaches, and by hand before the year 1."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vestigia.domain.periods import (
    FAR_FUTURE,
    FAR_PAST,
    Certainty,
    DatePeriod,
    Precision,
    civil,
    common,
    day_number,
    days_in_month,
    distance,
    in_years,
    iso,
    label,
    overlaps,
    usual_years,
    widened,
    windows_of_years,
)

EPOCH = date(1970, 1, 1)
DAYS = st.dates()


def day(number: int, last: int | None = None, certainty: Certainty = Certainty.EXACT) -> DatePeriod:
    return DatePeriod(number, number if last is None else last, Precision.RANGE, certainty)


class TestDayNumber:
    """From a calendar date to a day number."""

    @given(DAYS)
    def test_it_counts_days_since_1970_like_the_standard_library(self, one: date) -> None:
        assert day_number(one.year, one.month, one.day) == (one - EPOCH).days

    def test_month_and_day_default_to_the_first(self) -> None:
        assert day_number(1887) == day_number(1887, 1, 1) == (date(1887, 1, 1) - EPOCH).days

    @pytest.mark.parametrize(
        ("year", "month", "number"),
        [
            (1, 1, (date(1, 1, 1) - EPOCH).days),
            (0, 12, (date(1, 1, 1) - EPOCH).days - 31),
            (0, 1, (date(1, 1, 1) - EPOCH).days - 366),  # year 0 (1 BCE) is a leap year
            (-1, 1, (date(1, 1, 1) - EPOCH).days - 366 - 365),
            (-4, 1, (date(1, 1, 1) - EPOCH).days - 366 - 3 * 365 - 366),
            (-400, 1, (date(1, 1, 1) - EPOCH).days - 366 - 146_097),
        ],
    )
    def test_years_before_the_common_era_are_counted_by_hand(self, year: int, month: int, number: int) -> None:
        assert day_number(year, month) == number

    @pytest.mark.parametrize(
        ("year", "month", "day_of_month"),
        [
            (1887, 2, 29),
            (1900, 2, 29),
            (1887, 4, 31),
            (1887, 13, 1),
            (1887, 0, 1),
            (1887, 1, 0),
            (1887, 1, 32),
            (-1, 2, 29),
        ],
    )
    def test_a_day_that_does_not_exist_is_refused_and_named(self, year: int, month: int, day_of_month: int) -> None:
        with pytest.raises(ValueError, match=f"{month:02d}-{day_of_month:02d}"):
            day_number(year, month, day_of_month)

    @pytest.mark.parametrize(
        ("year", "leap"), [(1888, True), (1900, False), (2000, True), (0, True), (-3, False), (-4, True)]
    )
    def test_leap_years_are_gregorian_before_the_reform_too(self, year: int, leap: bool) -> None:
        assert days_in_month(year, 2) == (29 if leap else 28)
        assert day_number(year + 1) - day_number(year) == (366 if leap else 365)

    @given(st.integers(1, 9999), st.integers(1, 12))
    def test_months_are_as_long_as_in_the_standard_library(self, year: int, month: int) -> None:
        following = date(year + month // 12, month % 12 + 1, 1) if (year, month) != (9999, 12) else date.max
        length = (following - date(year, month, 1)).days + (following == date.max)
        assert days_in_month(year, month) == length


class TestCivil:
    """From a day number back to the calendar."""

    @given(st.integers(-5_000_000, 5_000_000))
    def test_it_is_the_inverse_of_day_number(self, number: int) -> None:
        assert day_number(*civil(number)) == number

    @given(DAYS)
    def test_it_agrees_with_the_standard_library(self, one: date) -> None:
        assert civil((one - EPOCH).days) == (one.year, one.month, one.day)

    @given(st.integers(-3_000_000, 3_000_000))
    def test_the_next_number_is_the_next_day(self, number: int) -> None:
        year, month, day_of_month = civil(number)
        following = civil(number + 1)
        assert following in {(year, month, day_of_month + 1), (year, month + 1, 1), (year + 1, 1, 1)}

    def test_the_day_before_the_common_era(self) -> None:
        assert civil(day_number(1) - 1) == (0, 12, 31)


class TestIso:
    """A day number in writing."""

    @given(DAYS)
    def test_it_writes_what_the_standard_library_writes(self, one: date) -> None:
        assert iso((one - EPOCH).days) == one.isoformat()

    def test_years_before_zero_carry_a_sign_and_four_digits(self) -> None:
        assert iso(day_number(-43, 3, 15)) == "-0043-03-15"
        assert iso(day_number(0, 1, 1)) == "0000-01-01"

    def test_open_ends_are_two_dots(self) -> None:
        assert iso(FAR_PAST) == iso(FAR_FUTURE) == ".."


class TestDatePeriod:
    """A first and a last day."""

    def test_it_cannot_end_before_it_begins(self) -> None:
        with pytest.raises(ValueError, match="cannot end"):
            day(1, 0)

    def test_one_day_is_one_day(self) -> None:
        assert day(5).is_one_day
        assert not day(5, 6).is_one_day

    def test_it_is_frozen(self) -> None:
        with pytest.raises(AttributeError):
            day(5).first = 6  # type: ignore[misc]


SPANS = st.tuples(st.integers(-1000, 1000), st.integers(0, 300)).map(lambda pair: day(pair[0], pair[0] + pair[1]))


class TestOverlap:
    """Which periods share a day, and how far apart others are."""

    @given(SPANS, SPANS)
    def test_two_periods_overlap_when_they_share_a_day(self, one: DatePeriod, other: DatePeriod) -> None:
        shared = set(range(one.first, one.last + 1)) & set(range(other.first, other.last + 1))
        assert overlaps(one, other) == bool(shared) == overlaps(other, one)

    @given(SPANS, SPANS)
    def test_the_distance_is_that_of_the_nearest_days(self, one: DatePeriod, other: DatePeriod) -> None:
        nearest = min(abs(a - b) for a in (one.first, one.last) for b in (other.first, other.last))
        assert distance(one, other) == (0 if overlaps(one, other) else nearest) == distance(other, one)

    @given(SPANS, SPANS)
    def test_what_two_periods_have_in_common_is_the_days_they_share(self, one: DatePeriod, other: DatePeriod) -> None:
        shared = set(range(one.first, one.last + 1)) & set(range(other.first, other.last + 1))
        found = common(one, other)
        assert (found is None) == (not shared)
        assert found is None or (found.first, found.last) == (min(shared), max(shared))

    def test_neighbouring_days_are_one_day_apart(self) -> None:
        assert distance(day(1), day(2)) == 1

    @given(SPANS, st.integers(0, 60))
    def test_widening_adds_days_on_both_sides_and_says_so(self, one: DatePeriod, days: int) -> None:
        wider = widened(one, days)
        assert (wider.first, wider.last) == (one.first - days, one.last + days)
        assert str(days) in wider.rule
        assert overlaps(wider, one)

    def test_widening_keeps_certainty_and_the_words(self) -> None:
        period = DatePeriod(1, 1, Precision.DAY, Certainty.UNCERTAIN, "2 janv. 1970", "1970-01-02", "day")
        wider = widened(period, 3)
        assert (wider.certainty, wider.text, wider.precision) == (Certainty.UNCERTAIN, "2 janv. 1970", Precision.RANGE)


class TestLabel:
    """A period for people, no finer than it is known."""

    @pytest.mark.parametrize(
        ("first", "last", "written"),
        [
            ((1887, 1, 1), (1887, 12, 31), "1887"),
            ((1887, 3, 1), (1887, 3, 31), "1887-03"),
            ((1888, 2, 1), (1888, 2, 29), "1888-02"),
            ((1888, 2, 1), (1888, 2, 28), "1888-02-01/1888-02-28"),
            ((1887, 1, 2), (1887, 1, 2), "1887-01-02"),
            ((1887, 1, 2), (1887, 2, 3), "1887-01-02/1887-02-03"),
            ((1887, 1, 1), (1889, 12, 31), "1887-01-01/1889-12-31"),
            ((-43, 1, 1), (-43, 12, 31), "-0043"),
            ((-43, 3, 1), (-43, 3, 31), "-0043-03"),
        ],
    )
    def test_whole_years_and_months_are_written_as_such(
        self, first: tuple[int, int, int], last: tuple[int, int, int], written: str
    ) -> None:
        assert label(day(day_number(*first), day_number(*last))) == written

    def test_open_ends_are_shown(self) -> None:
        assert label(day(FAR_PAST, day_number(1900) - 1)) == "../1899-12-31"
        assert label(day(day_number(1871), FAR_FUTURE)) == "1871-01-01/.."

    @pytest.mark.parametrize(
        ("certainty", "written"),
        [
            (Certainty.EXACT, "1890"),
            (Certainty.APPROXIMATE, "c. 1890"),
            (Certainty.UNCERTAIN, "1890?"),
            (Certainty.CONJECTURE, "[1890]"),
        ],
    )
    def test_doubt_is_shown(self, certainty: Certainty, written: str) -> None:
        assert label(day(day_number(1890), day_number(1890, 12, 31), certainty)) == written

    @given(DAYS, st.integers(0, 800))
    def test_the_label_of_a_span_names_its_first_day_or_what_begins_with_it(self, one: date, days: int) -> None:
        number = (one - EPOCH).days
        if one <= date.max - timedelta(days=800):
            assert one.isoformat().startswith(label(day(number, number + days)).split("/")[0])


def years(first, last):
    return DatePeriod(day_number(first, 3, 1), day_number(last, 9, 30), Precision.RANGE)


@pytest.mark.parametrize(
    ("first", "last", "usual"),
    [(1887, 1887, 1), (1871, 1900, 1), (1871, 1901, 10), (1701, 2000, 10), (1700, 2000, 100)],
)
def test_a_window_has_a_year_up_to_thirty_ten_up_to_three_hundred_else_a_hundred(first, last, usual):
    assert usual_years(years(first, last)) == usual


def test_windows_are_cut_from_the_calendar_not_from_the_first_date():
    windows = windows_of_years(years(1787, 1803), 10)
    assert [in_years(window) for window in windows] == ["1780–1789", "1790–1799", "1800–1809"]
    assert label(windows[0]) == "1780-01-01/1789-12-31"


def test_every_day_of_the_extent_is_in_exactly_one_window():
    extent = years(-3, 12)
    windows = windows_of_years(extent, 5)
    assert [sum(w.first <= day <= w.last for w in windows) for day in range(extent.first, extent.last + 1)] == (
        [1] * (extent.last - extent.first + 1)
    )


def test_a_window_of_one_year_is_written_as_a_year():
    assert [in_years(window) for window in windows_of_years(years(1887, 1888), 1)] == ["1887", "1888"]


@pytest.mark.parametrize(
    ("extent", "size"),
    [
        (years(1880, 1890), 0),
        (DatePeriod(FAR_PAST, 0, Precision.RANGE), 10),
        (DatePeriod(0, FAR_FUTURE, Precision.RANGE), 10),
    ],
)
def test_there_are_no_windows_of_nothing_nor_over_an_open_end(extent, size):
    with pytest.raises(ValueError, match=f"no windows of {size} years"):
        windows_of_years(extent, size)
