"""Excel's serial numbers."""

import pytest

from vestigia.corpus.readers.serials import day_of_serial, is_serial, precision_of_column, shown, whole, written_day
from vestigia.domain.periods import iso


@pytest.mark.parametrize(
    ("serial", "day"),
    [
        (1, "1900-01-01"),
        (59, "1900-02-28"),
        (61, "1900-03-01"),
        (1887, "1905-03-01"),
        (31778, "1987-01-01"),
        (73050, "2099-12-31"),
    ],
)
def test_a_serial_is_a_day_since_1900_with_the_leap_day_that_only_excel_knows(serial: int, day: str):
    number = day_of_serial(serial)
    assert number is not None
    assert iso(number) == day


def test_the_leap_day_that_only_excel_knows_is_no_day():
    assert day_of_serial(60) is None
    assert day_of_serial(0) is None
    assert day_of_serial(-1, from_1904=True) is None


@pytest.mark.parametrize(("serial", "day"), [(0, "1904-01-01"), (1, "1904-01-02"), (30316, "1987-01-01")])
def test_in_the_calendar_of_old_macintosh_workbooks_days_count_from_1904(serial: int, day: str):
    number = day_of_serial(serial, from_1904=True)
    assert number is not None
    assert iso(number) == day


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("31778", True),
        ("31778.5", True),
        ("31778,5", True),
        ("999", True),
        ("61", True),
        ("60", False),
        ("1887", False),
        ("2026", False),
        ("73051", False),
        ("031778", False),
        ("-5", False),
        ("31778 ", False),
        ("18870112", False),
        ("", False),
    ],
)
def test_what_can_be_a_serial_is_no_year_and_no_other_number(written: str, expected: bool):
    assert is_serial(written) is expected


def test_the_time_of_day_is_left_out():
    assert (whole("31778,99"), whole("31778.01"), whole("7")) == (31778, 31778, 7)


@pytest.mark.parametrize(
    ("serials", "precision"),
    [
        ({31778}, "day"),
        ({31778, 31809}, "day"),
        ({31778, 31809, 31837}, "month"),
        ({31778, 32143, 32509}, "year"),
        ({31778, 32143, 32510}, "day"),
        ({999, 300}, ""),
        (set(), ""),
    ],
)
def test_a_column_is_read_no_finer_than_all_of_it_says(serials: set[int], precision: str):
    assert precision_of_column(serials) == precision


@pytest.mark.parametrize(
    ("number_format", "expected"),
    [
        ("yyyy", "year"),
        ('yyyy"d"', "year"),
        ("yyyy\\d", "year"),
        ("yyyy h:mm", "year"),
        ("e", "year"),
        ("mmm-yy", "month"),
        ("[$-407]mmmm yyyy", "month"),
        ("yyyy-mm;@", "month"),
        ("dd/mm/yyyy", "day"),
        ("d.", "day"),
        ("m/d/yy h:mm", "day"),
        ("General", "day"),
        ("h:mm", ""),
        ("mm:ss", ""),
        ("[h]:mm", ""),
    ],
)
def test_a_format_shows_so_much_of_a_date(number_format: str, expected: str):
    assert shown(number_format) == expected


@pytest.mark.parametrize(("precision", "expected"), [("day", "1987-01-01"), ("month", "1987-01"), ("year", "1987")])
def test_a_day_is_written_no_finer_than_it_is_known(precision: str, expected: str):
    assert written_day(day_of_serial(31778) or 0, precision) == expected
