"""Other calendars, reckoned here: Julian, French Republican, and the feasts that move with Easter.

Day numbers are those of `vestigia.domain.periods`. Sources: the Julian day count; the decree of 4 frimaire an II and
the autumn equinoxes of Paris by which years I to XIV began; Gauss's Easter in the form of Butcher and Meeus.
"""

from vestigia.domain.periods import day_number

REPUBLICAN_NEW_YEARS = {
    1: (1792, 22),
    2: (1793, 22),
    3: (1794, 22),
    4: (1795, 23),
    5: (1796, 22),
    6: (1797, 22),
    7: (1798, 22),
    8: (1799, 23),
    9: (1800, 23),
    10: (1801, 23),
    11: (1802, 23),
    12: (1803, 24),
    13: (1804, 23),
    14: (1805, 23),
    79: (1870, 23),
}
"""1 vendémiaire of each year: (Gregorian year, day of September). Year 79 is that of the Commune."""

_LAST_REPUBLICAN_DAY = day_number(1805, 12, 31)


def julian_day(year: int, month: int, day: int) -> int:
    """Return the day number of a date of the Julian calendar; years are astronomical.

    Raises ValueError for a day that does not exist in it.
    """
    leap = year % 4 == 0
    longest = 29 if month == 2 and leap else 28 if month == 2 else 30 if month in {4, 6, 9, 11} else 31
    if not 1 <= month <= 12 or not 1 <= day <= longest:
        raise ValueError(f"{year:04d}-{month:02d}-{day:02d} is not a day of the Julian calendar")
    shifted = year - (month <= 2)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return 365 * shifted + shifted // 4 + day_of_year - 719_470


def republican_span(year: int, month: int | None = None, day: int | None = None) -> tuple[int, int]:
    """Return the first and last day number of a Republican day, month (13: complementary days) or year.

    Raises ValueError for a year the calendar did not have, or a day it does not have.
    """
    if year not in REPUBLICAN_NEW_YEARS:
        raise ValueError(f"the Republican calendar has no year {year}: it ran from I to XIV, and for a month in 79")
    gregorian, september = REPUBLICAN_NEW_YEARS[year]
    start = day_number(gregorian, 9, september)
    length = 366 if year in {3, 7, 11} else 365
    if month is None:
        end = start + length - 1
        return start, min(end, _LAST_REPUBLICAN_DAY) if year == 14 else end
    days = 30 if month <= 12 else length - 360
    if not 1 <= month <= 13 or (day is not None and not 1 <= day <= days):
        raise ValueError(f"day {day} of month {month} is not a day of the Republican calendar")
    first = start + 30 * (month - 1)
    return (first, first + days - 1) if day is None else (first + day - 1, first + day - 1)


def easter(year: int) -> int:
    """Return the day number of Easter Sunday: Julian reckoning to 1582, Gregorian from 1583.

    Before 1583 it is the day as written at the time (16 April 1066), like every unmarked date of the Middle Ages.
    """
    if year < 1583:
        epact = (19 * (year % 19) + 15) % 30
        weekday = (2 * (year % 4) + 4 * (year % 7) - epact + 34) % 7
        month, day = divmod(epact + weekday + 114, 31)
        return day_number(year, month, day + 1)
    golden = year % 19
    century, rest = divmod(year, 100)
    moon = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - moon - rest % 4) % 7
    shift = (golden + 11 * moon + 22 * weekday) // 451
    month, day = divmod(moon + weekday - 7 * shift + 114, 31)
    return day_number(year, month, day + 1)


def weekday(number: int) -> int:
    """Return the day of the week of a day number: 1 is Monday, 7 is Sunday."""
    return (number + 3) % 7 + 1
