"""Excel's dates: days since 1899-12-30 or 1904-01-01, and how much of the day a cell shows.

A serial number is always a day, even where only a year was meant; what the cell's format shows is what was stated. A
column of bare numbers is read as serials only when all of it can be nothing else, and years (1887) never are.
"""

import re
from collections.abc import Collection

from vestigia.domain.periods import civil, day_number

LAST_SERIAL = 73_050
"""31 December 2099 in the 1900 system: greater numbers are not taken for dates."""

_SERIAL = re.compile(r"\d{2,5}(?:[.,]\d+)?")
_YEARS = range(1000, 2101)
_PHANTOM = 60
"""29 February 1900, a day that only Excel knows."""
_SINCE_1927 = 10_000
_LITERAL = re.compile(r'\[[^\]]*\]|"[^"]*"|\\.|_.|\*.')
_TIME = re.compile(r"h+[^a-z]*m+|m+[^a-z]*s+")


def day_of_serial(serial: int, *, from_1904: bool = False) -> int | None:
    """Return the day number of an Excel serial, or None for one that is no day (0, 29 February 1900)."""
    if from_1904:
        return day_number(1904) + serial if serial >= 0 else None
    if serial < 1 or serial == _PHANTOM:
        return None
    return day_number(1899, 12, 30) + serial + (serial < _PHANTOM)


def is_serial(written: str) -> bool:
    """Whether a cell's text can be a serial from March 1900 to 2099 and cannot be a year."""
    if not _SERIAL.fullmatch(written):
        return False
    return _PHANTOM < whole(written) <= LAST_SERIAL and whole(written) not in _YEARS


def precision_of_column(serials: Collection[int]) -> str:
    """Return how fine a column of distinct serials is read: `day`, `month`, `year`, or nothing if it need not be one.

    One at least must have five digits, as every day since May 1927 has. Where there are three or more and all fall on
    the first of a month, or on 1 January, only the month or the year was known.
    """
    if not any(serial >= _SINCE_1927 for serial in serials):
        return ""
    days = [civil(day_number(1899, 12, 30) + serial) for serial in serials]
    if len(days) < 3 or any(day != 1 for _, _, day in days):
        return "day"
    return "month" if any(month != 1 for _, month, _ in days) else "year"


def whole(written: str) -> int:
    """Return the day of a serial as written: a time of day stands after the decimal mark."""
    return int(re.split("[.,]", written)[0])


def shown(number_format: str) -> str:
    """Return how much of a date a cell's format shows: `year`, `month`, `day`, or nothing for a time alone."""
    code = _LITERAL.sub("", number_format.split(";", maxsplit=1)[0]).casefold()
    if "d" in code or code == "general":
        return "day"
    if "y" not in code and "e" not in code:
        return ""
    return "month" if "m" in _TIME.sub("", code) else "year"


def written_day(number: int, precision: str) -> str:
    """Write a day number as ISO 8601, no finer than its precision: `1987-01-01`, `1987-01`, `1987`."""
    year, month, day = civil(number)
    shorter = {"year": f"{year:04d}", "month": f"{year:04d}-{month:02d}"}
    return shorter.get(precision, f"{year:04d}-{month:02d}-{day:02d}")
