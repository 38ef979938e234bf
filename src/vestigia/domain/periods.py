"""Dates as periods: "1887" is a year, never 1 January (`beyond.md`, B3; rule 11).

A day number counts days since 1970-01-01 in the proleptic Gregorian calendar with astronomical years
(year 0 is 1 BCE), so that every date of an archive is an integer and every comparison is arithmetic.
"""

from dataclasses import dataclass
from enum import StrEnum

FAR_PAST = -10_000_000
FAR_FUTURE = 10_000_000
"""Day numbers that stand for an open beginning or end."""


class Precision(StrEnum):
    """How fine a date was written."""

    DAY = "day"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"
    DECADE = "decade"
    CENTURY = "century"
    RANGE = "range"


class Certainty(StrEnum):
    """How sure the writer or the editor was."""

    EXACT = "exact"
    APPROXIMATE = "approximate"
    UNCERTAIN = "uncertain"
    CONJECTURE = "conjecture"


@dataclass(frozen=True, slots=True)
class DatePeriod:
    """A first and a last day, and how they were known.

    `first` and `last` are day numbers, both inclusive. `text` is what was written, `edtf` its reading in the
    Extended Date/Time Format, `rule` the name of the reading rule, so that a reading can be contested.
    """

    first: int
    last: int
    precision: Precision
    certainty: Certainty = Certainty.EXACT
    text: str = ""
    edtf: str = ""
    rule: str = ""

    def __post_init__(self) -> None:
        if self.first > self.last:
            raise ValueError(f"a period cannot end (day {self.last}) before it begins (day {self.first})")

    @property
    def is_one_day(self) -> bool:
        """Whether the period is a single day."""
        return self.first == self.last


def day_number(year: int, month: int = 1, day: int = 1) -> int:
    """Return the day number of a proleptic Gregorian date; years are astronomical.

    Raises ValueError for a day that does not exist.
    """
    if not 1 <= month <= 12 or not 1 <= day <= days_in_month(year, month):
        raise ValueError(f"{year:04d}-{month:02d}-{day:02d} is not a day of the calendar")
    shifted = year - (month <= 2)
    era, year_of_era = divmod(shifted, 400)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    day_of_era = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
    return era * 146_097 + day_of_era - 719_468


def civil(number: int) -> tuple[int, int, int]:
    """Return (year, month, day) of a day number: the inverse of `day_number`."""
    era, day_of_era = divmod(number + 719_468, 146_097)
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted_month = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * shifted_month + 2) // 5 + 1
    month = shifted_month + 3 if shifted_month < 10 else shifted_month - 9
    return year_of_era + era * 400 + (month <= 2), month, day


def days_in_month(year: int, month: int) -> int:
    """Return the length of a month in days."""
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in {4, 6, 9, 11} else 31


def iso(number: int) -> str:
    """Write a day number as an ISO 8601 date; an open end is written `..`."""
    if number in {FAR_PAST, FAR_FUTURE}:
        return ".."
    year, month, day = civil(number)
    sign, size = ("-", -year) if year < 0 else ("", year)
    return f"{sign}{size:04d}-{month:02d}-{day:02d}"


def overlaps(one: DatePeriod, other: DatePeriod) -> bool:
    """Whether two periods share a day."""
    return one.first <= other.last and other.first <= one.last


def common(one: DatePeriod, other: DatePeriod) -> DatePeriod | None:
    """The days two periods share, or none."""
    if not overlaps(one, other):
        return None
    return DatePeriod(max(one.first, other.first), min(one.last, other.last), Precision.RANGE)


def distance(one: DatePeriod, other: DatePeriod) -> int:
    """Return the days between two periods; 0 when they share a day."""
    return max(0, one.first - other.last, other.first - one.last)


def widened(period: DatePeriod, days: int) -> DatePeriod:
    """Return the period with `days` more on both sides (T10)."""
    return DatePeriod(
        max(FAR_PAST, period.first - days),
        min(FAR_FUTURE, period.last + days),
        Precision.RANGE,
        period.certainty,
        period.text,
        rule=f"{period.rule} widened by {days} days on both sides".strip(),
    )


_USUAL = ((30, 1), (300, 10))
"""Windows are of one year up to a span of 30 years, of ten up to 300, else of a hundred."""


def usual_years(extent: DatePeriod) -> int:
    """Return how many years a window has where nothing else is said: it goes by the span."""
    span = civil(extent.last)[0] - civil(extent.first)[0] + 1
    return next((years for most, years in _USUAL if span <= most), 100)


def windows_of_years(extent: DatePeriod, years: int) -> tuple[DatePeriod, ...]:
    """Cut the calendar into windows of so many years, those that `extent` touches: of ten years 1880 to 1889.

    Raises ValueError for less than one year and for an extent with an open end.
    """
    if years < 1 or extent.first == FAR_PAST or extent.last == FAR_FUTURE:
        raise ValueError(f"there are no windows of {years} years over {label(extent)}")
    first, last = civil(extent.first)[0], civil(extent.last)[0]
    starts = range(first - first % years, last + 1, years)
    return tuple(DatePeriod(day_number(y), day_number(y + years - 1, 12, 31), Precision.RANGE) for y in starts)


def in_years(window: DatePeriod) -> str:
    """Write a period by its years only: `1887`, `1880–1889`."""
    first, last = civil(window.first)[0], civil(window.last)[0]
    return str(first) if first == last else f"{first}–{last}"


def label(period: DatePeriod) -> str:
    """Write a period for people, no finer than it is known: `1887`, `1887-03`, `c. 1890`, `1887-01-02/1887-02-03`."""
    first, last = iso(period.first), iso(period.last)
    year, month, _ = civil(period.first) if first != ".." else (0, 0, 0)
    written = f"{first}/{last}"
    if period.is_one_day:
        written = first
    elif first != ".." and last != "..":
        if (period.first, period.last) == (day_number(year), day_number(year, 12, 31)):
            written = first[:-6]
        elif (period.first, period.last) == (
            day_number(year, month),
            day_number(year, month, days_in_month(year, month)),
        ):
            written = first[:-3]
    marks = {Certainty.APPROXIMATE: "c. {}", Certainty.UNCERTAIN: "{}?", Certainty.CONJECTURE: "[{}]"}
    return marks.get(period.certainty, "{}").format(written)
