"""Julian, Republican and Easter reckoning, against dates that every handbook of chronology gives."""

from datetime import date
from itertools import pairwise

import pytest

from vestigia.corpus.dates.calendars import REPUBLICAN_NEW_YEARS, easter, julian_day, republican_span, weekday
from vestigia.domain.periods import day_number, iso


class TestJulian:
    @pytest.mark.parametrize(
        ("julian", "gregorian"),
        [
            ((1582, 10, 4), "1582-10-14"),
            ((1582, 10, 5), "1582-10-15"),
            ((1752, 9, 2), "1752-09-13"),
            ((1917, 10, 25), "1917-11-07"),
            ((1917, 2, 23), "1917-03-08"),
            ((1900, 2, 29), "1900-03-13"),
            ((1066, 10, 14), "1066-10-20"),
            ((200, 3, 1), "0200-03-01"),
            ((-43, 3, 15), "-0043-03-13"),
        ],
    )
    def test_a_julian_day_is_the_gregorian_day_of_handbooks(self, julian: tuple[int, int, int], gregorian: str) -> None:
        assert iso(julian_day(*julian)) == gregorian

    def test_days_follow_each_other_through_a_leap_day(self) -> None:
        assert julian_day(1900, 3, 1) - julian_day(1900, 2, 28) == 2
        assert julian_day(1901, 3, 1) - julian_day(1901, 2, 28) == 1

    @pytest.mark.parametrize("day", [(1901, 2, 29), (1900, 13, 1), (1900, 4, 31), (1900, 1, 0)])
    def test_a_day_it_does_not_have_is_refused(self, day: tuple[int, int, int]) -> None:
        with pytest.raises(ValueError, match="Julian"):
            julian_day(*day)


class TestRepublican:
    @pytest.mark.parametrize(
        ("year", "month", "day", "gregorian"),
        [
            (1, 1, 1, "1792-09-22"),
            (1, 5, 2, "1793-01-21"),
            (2, 11, 9, "1794-07-27"),
            (3, 8, 1, "1795-04-20"),
            (4, 1, 13, "1795-10-05"),
            (5, 12, 18, "1797-09-04"),
            (8, 2, 18, "1799-11-09"),
            (10, 1, 1, "1801-09-23"),
            (12, 8, 28, "1804-05-18"),
            (13, 3, 11, "1804-12-02"),
            (14, 3, 11, "1805-12-02"),
            (14, 4, 10, "1805-12-31"),
            (79, 8, 16, "1871-05-06"),
            (7, 13, 6, "1799-09-22"),
        ],
    )
    def test_famous_days(self, year: int, month: int, day: int, gregorian: str) -> None:
        first, last = republican_span(year, month, day)
        assert first == last
        assert iso(first) == gregorian

    @pytest.mark.parametrize("year", range(1, 14))
    def test_a_year_ends_where_the_next_begins(self, year: int) -> None:
        assert republican_span(year)[1] + 1 == republican_span(year + 1)[0]

    def test_leap_years_were_iii_vii_and_xi(self) -> None:
        long = [year for year in range(1, 14) if republican_span(year)[1] - republican_span(year)[0] == 365]
        assert long == [3, 7, 11]

    @pytest.mark.parametrize("year", range(1, 14))
    def test_months_fill_the_year(self, year: int) -> None:
        spans = [republican_span(year, month) for month in range(1, 14)]
        assert spans[0][0] == republican_span(year)[0]
        assert all(one[1] + 1 == two[0] for one, two in pairwise(spans))
        assert spans[-1][1] == republican_span(year)[1]

    def test_the_last_year_ends_with_1805(self) -> None:
        assert iso(republican_span(14)[1]) == "1805-12-31"

    @pytest.mark.parametrize("parts", [(15,), (0,), (80,), (2, 1, 31), (2, 13, 6), (2, 14), (2, 1, 0)])
    def test_what_the_calendar_did_not_have_is_refused(self, parts: tuple[int, ...]) -> None:
        with pytest.raises(ValueError, match="Republican"):
            republican_span(*parts)

    def test_the_table_of_new_years_holds_september_days(self) -> None:
        assert {day for _, day in REPUBLICAN_NEW_YEARS.values()} == {22, 23, 24}


class TestEaster:
    @pytest.mark.parametrize(
        ("year", "day"),
        [
            (1583, "1583-04-10"),
            (1598, "1598-03-22"),
            (1700, "1700-04-11"),
            (1818, "1818-03-22"),
            (1848, "1848-04-23"),
            (1868, "1868-04-12"),
            (1886, "1886-04-25"),
            (1916, "1916-04-23"),
            (1943, "1943-04-25"),
            (1954, "1954-04-18"),
            (1961, "1961-04-02"),
            (1981, "1981-04-19"),
            (2000, "2000-04-23"),
            (2024, "2024-03-31"),
            (2038, "2038-04-25"),
        ],
    )
    def test_gregorian_easter(self, year: int, day: str) -> None:
        assert iso(easter(year)) == day

    @pytest.mark.parametrize(
        ("year", "day"), [(1066, "1066-04-16"), (1204, "1204-04-25"), (1453, "1453-04-01"), (1492, "1492-04-22")]
    )
    def test_medieval_easter_is_the_day_as_written_then(self, year: int, day: str) -> None:
        assert iso(easter(year)) == day

    @pytest.mark.parametrize("year", range(1583, 2200, 7))
    def test_it_is_a_sunday_between_22_march_and_25_april(self, year: int) -> None:
        assert weekday(easter(year)) == 7
        assert day_number(year, 3, 22) <= easter(year) <= day_number(year, 4, 25)


@pytest.mark.parametrize("day", [date(1970, 1, 1), date(1887, 1, 3), date(1789, 7, 14), date(2024, 2, 29)])
def test_the_day_of_the_week_is_that_of_the_standard_library(day: date) -> None:
    assert weekday((day - date(1970, 1, 1)).days) == day.isoweekday()
