"""A moment: a date as far as it was written, and the days it may mean.

*1887* is a moment with a year only, *12 janvier* one without a year that a neighbour may lend (`du 12 janvier au
3 mai 1887`). Nothing is filled in that nobody wrote.

What a part of a period means (day of month; month; year of the decade; year of the century):
early 1-10; January-April; 0-3; 1-33. mid 11-20; May-August; 4-6; 34-66. late 21-end; September-December; 7-9; 67-100.
A century is counted as it is taught (the 19th: 1801-1900); `1800s` and `18uu` are 1800-1899.
"""

from dataclasses import dataclass, replace

from vestigia.corpus.dates.calendars import julian_day
from vestigia.domain.periods import (
    FAR_FUTURE,
    FAR_PAST,
    Certainty,
    DatePeriod,
    Precision,
    civil,
    day_number,
    days_in_month,
    iso,
)

_SEASON_MONTHS = {21: 3, 22: 6, 23: 9, 24: 12}
_DAYS_OF_MONTH: dict[str, tuple[int, int | None]] = {
    "early": (0, 9),
    "mid": (10, 19),
    "late": (20, None),
    "half1": (0, 14),
    "half2": (15, None),
    "quarter1": (0, 7),
    "quarter2": (8, 14),
    "quarter3": (15, 22),
    "quarter4": (23, None),
}
_MONTHS_OF_YEAR = {
    "early": (1, 4),
    "mid": (5, 8),
    "late": (9, 12),
    "half1": (1, 6),
    "half2": (7, 12),
    "quarter1": (1, 3),
    "quarter2": (4, 6),
    "quarter3": (7, 9),
    "quarter4": (10, 12),
}
_YEARS_OF_DECADE = {
    "early": (0, 3),
    "mid": (4, 6),
    "late": (7, 9),
    "half1": (0, 4),
    "half2": (5, 9),
    "quarter1": (0, 2),
    "quarter2": (2, 4),
    "quarter3": (5, 7),
    "quarter4": (7, 9),
}
_YEARS_OF_CENTURY = {
    "early": (0, 32),
    "mid": (33, 65),
    "late": (66, 99),
    "half1": (0, 49),
    "half2": (50, 99),
    "quarter1": (0, 24),
    "quarter2": (25, 49),
    "quarter3": (50, 74),
    "quarter4": (75, 99),
}
_MARKS = {Certainty.APPROXIMATE: "~", Certainty.UNCERTAIN: "?"}


@dataclass(frozen=True, slots=True)
class Moment:
    """A date as far as it was written; None where nothing was written.

    `year` is astronomical, of a decade or century its first year; `season` is EDTF's 21 to 24; `portion` a part such as
    `early`; `fixed` the first and last day number of a named period; `bare` says that it is a naked year number.
    """

    precision: Precision
    year: int | None = None
    month: int | None = None
    day: int | None = None
    season: int | None = None
    portion: str = ""
    fixed: tuple[int, int] | None = None
    certainty: Certainty = Certainty.EXACT
    rule: str = ""
    bare: bool = False
    julian: bool = False
    weekday: int | None = None

    @property
    def whole(self) -> bool:
        """Whether it stands on its own, without a neighbour's year."""
        return self.fixed is not None or self.year is not None


def written(number: int) -> str:
    """Write a day number as EDTF."""
    text = iso(number)
    return text if len(text.lstrip("-").split("-")[0]) == 4 or text == ".." else f"Y{text}"


def year_text(year: int) -> str:
    """Write an astronomical year as EDTF: four digits, a minus sign before year 0, `Y` beyond 9999."""
    sign = "-" if year < 0 else ""
    return f"{'Y' if abs(year) > 9999 else ''}{sign}{abs(year):04d}"


def span(moment: Moment) -> tuple[int, int]:
    """Return the first and last day number. Raises ValueError for a day that does not exist or a missing year."""
    first, last = _whole_span(moment)
    return _part(moment, first, last) if moment.portion not in {"", "whole"} else (first, last)


def _whole_span(moment: Moment) -> tuple[int, int]:
    if moment.fixed is not None:
        return moment.fixed
    year, month = moment.year, moment.month
    if year is None:
        raise ValueError("a date without a year has no place in time")
    if moment.season is not None:
        return _season_span(year, moment.season)
    if month is None:
        more = {Precision.DECADE: 9, Precision.CENTURY: 99}.get(moment.precision, 0)
        return day_number(year), day_number(year + more, 12, 31)
    if moment.day is None:
        return day_number(year, month), day_number(year, month, days_in_month(year, month))
    number = (julian_day if moment.julian else day_number)(year, month, moment.day)
    return number, number


def _season_span(year: int, season: int) -> tuple[int, int]:
    begin = _SEASON_MONTHS[season]
    end_year, end = (year + 1, 2) if begin == 12 else (year, begin + 2)
    return day_number(year, begin), day_number(end_year, end, days_in_month(end_year, end))


def _part(moment: Moment, first: int, last: int) -> tuple[int, int]:
    kind, year = moment.portion, moment.year
    if moment.precision is Precision.MONTH:
        begin, end = _DAYS_OF_MONTH[kind]
        return first + begin, last if end is None else first + end
    if moment.precision is Precision.YEAR and year is not None:
        begin, close = _MONTHS_OF_YEAR[kind]
        return day_number(year, begin), day_number(year, close, days_in_month(year, close))
    if moment.precision in {Precision.DECADE, Precision.CENTURY} and year is not None:
        begin, close = (_YEARS_OF_DECADE if moment.precision is Precision.DECADE else _YEARS_OF_CENTURY)[kind]
        return day_number(year + begin), day_number(year + close, 12, 31)
    return _share(kind, first, last)


def _share(kind: str, first: int, last: int) -> tuple[int, int]:
    """Cut a season or a named period into parts of equal length in days."""
    parts = {
        "early": (0, 3),
        "mid": (1, 3),
        "late": (2, 3),
        "half1": (0, 2),
        "half2": (1, 2),
        "quarter1": (0, 4),
        "quarter2": (1, 4),
        "quarter3": (2, 4),
        "quarter4": (3, 4),
    }
    place, count = parts[kind]
    length = last - first + 1
    return first + place * length // count, max(first + (place + 1) * length // count - 1, first)


def turning_point(moment: Moment, *, opening: bool) -> int:
    """Return the day at which a middle, taken as the end of a span, is reached (`bis Mitte 1893`: 30 June).

    `opening` asks for the first day of what follows (`ab Mitte 1893`: 1 July; `nach Mitte Oktober`: the 15th).
    """
    first, last = _whole_span(moment)
    if moment.precision is Precision.MONTH:
        return first + 14
    if moment.precision is Precision.YEAR and moment.year is not None:
        return day_number(moment.year, 7, 1) if opening else day_number(moment.year, 6, 30)
    begin, end = _part(moment, first, last)
    return begin if opening else end


def to_period(moment: Moment, certainty: Certainty = Certainty.EXACT) -> DatePeriod:
    """Return the period of a moment, its EDTF and rule; `certainty` is what the context adds.

    Raises ValueError for a day that does not exist.
    """
    first, last = span(moment)
    sure = certainty if certainty is not Certainty.EXACT else moment.certainty
    precision = Precision.RANGE if moment.portion not in {"", "whole"} else moment.precision
    edtf = mark(_edtf(moment, first, last), sure)
    return DatePeriod(first, last, precision, sure, edtf=edtf, rule=moment.rule)


def _edtf(moment: Moment, first: int, last: int) -> str:
    year = moment.year
    if moment.fixed is None and year is not None and moment.portion in {"", "whole"} and not moment.julian:
        if moment.precision is Precision.DECADE and 0 <= year <= 9999:
            return f"{year:04d}"[:3] + "X"
        if moment.precision is Precision.CENTURY and year % 100 == 0 and 0 <= year <= 9999:
            return f"{year:04d}"[:2] + "XX"
        if moment.season is not None:
            return f"{year_text(year)}-{moment.season}"
        if moment.precision is Precision.YEAR:
            return year_text(year)
        if moment.precision is Precision.MONTH:
            return f"{year_text(year)}-{moment.month:02d}"
    return interval(first, last)


def interval(first: int, last: int) -> str:
    """Write two day numbers as the shortest EDTF that says exactly them."""
    if first == last:
        return written(first)
    if first == FAR_PAST or last == FAR_FUTURE:
        return f"{_end(first, opening=True)}/{_end(last, opening=False)}"
    (year, month, day), (end_year, end_month, end_day) = civil(first), civil(last)
    if (month, day, end_month, end_day) == (1, 1, 12, 31):
        return f"{year_text(year)}/{year_text(end_year)}" if year != end_year else year_text(year)
    if day == 1 and end_day == days_in_month(end_year, end_month):
        begin, end = f"{year_text(year)}-{month:02d}", f"{year_text(end_year)}-{end_month:02d}"
        return begin if begin == end else f"{begin}/{end}"
    return f"{written(first)}/{written(last)}"


def _end(number: int, *, opening: bool) -> str:
    if number in {FAR_PAST, FAR_FUTURE}:
        return ".."
    year, month, day = civil(number)
    if (month, day) == ((1, 1) if opening else (12, 31)):
        return year_text(year)
    return written(number)


def mark(edtf: str, certainty: Certainty) -> str:
    """Add EDTF's `~` or `?` to a date, or to both ends of an interval."""
    sign = _MARKS.get(certainty, "")
    if not sign or edtf.startswith(("[", "{")):
        return edtf
    return "/".join(end if end in {"..", ""} else end + sign for end in edtf.split("/"))


def unmarked(edtf: str) -> str:
    """Return EDTF without its `~` and `?`."""
    return edtf.replace("~", "").replace("?", "").replace("%", "")


def lend(one: Moment, other: Moment) -> Moment:
    """Return the first moment of a span with what it left unwritten taken from the second (`3. bis 5. Mai 1887`)."""
    if one.whole or not other.whole or other.fixed is not None:
        return one
    if one.precision is Precision.DAY and one.month is None:
        if other.precision is Precision.CENTURY and other.year is not None and one.day is not None:
            return replace(other, year=_century_like(other.year, one.day), day=None)
        one = replace(one, month=other.month)
    if other.precision not in {Precision.DAY, Precision.MONTH, Precision.SEASON}:
        return one
    earlier = (one.month or 0) > (other.month or 0) > 0
    return replace(one, year=(other.year or 0) - earlier)


def continue_year(one: Moment, other: Moment) -> Moment:
    """Return the second moment with the first one's year (`from October 2, 2023 to October 5`)."""
    if other.whole or one.year is None or one.fixed is not None:
        return other
    if other.month is None and other.day is not None:
        other = replace(other, month=one.month)
    return replace(other, year=one.year + ((other.month or 13) < (one.month or 0)))


def century(number: int, *, bce: bool = False) -> Moment:
    """Return the century of that ordinal: the 19th is 1801-1900, the 5th BCE is -499 to -400 (500-401 BCE)."""
    first = 1 - 100 * number if bce else 100 * (number - 1) + 1
    return Moment(Precision.CENTURY, first, rule="century")


def _century_like(year: int, ordinal: int) -> int:
    return 1 - 100 * ordinal if year < 0 else 100 * (ordinal - 1) + 1
