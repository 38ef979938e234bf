"""Dates as machines write them: ISO 8601, compact, EDTF (level 1, much of level 2), MARC's `19uu`, Excel's time stamps.

Only whole strings are read, so that a number in a sentence is never taken for one of these.
"""

import re

from vestigia.corpus.dates.moments import interval, year_text
from vestigia.domain.periods import (
    FAR_FUTURE,
    FAR_PAST,
    Certainty,
    DatePeriod,
    Precision,
    day_number,
    days_in_month,
)

LATEST_YEAR = 2100
"""A bare four-digit number beyond it is not read as a year."""

_TIME = r"[T ][0-2]?\d:[0-5]\d(?::[0-6]\d(?:[.,]\d{1,9})?)?(?: ?(?:Z|UTC|[+-]\d\d:?(?:\d\d)?))?"
_STAMP = re.compile(rf"(-?\d{{4}}-\d\d-\d\d){_TIME}", re.IGNORECASE)
_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)?(?:T?\d{4}(?:\d\d)?Z?)?")
_SEPARATED = re.compile(r"(\d{4})([/._])(\d\d?)(?:\2(\d\d?))?")
_LOOSE = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)")
_TWO_YEARS = re.compile(r"(\d{4}) ?[/–—-] ?(\d{4}|\d\d)")
_UNKNOWN_DIGITS = re.compile(r"(1\d|20)(\d?)[uUxX_.*-]{1,2}")
_DECADE_DOUBTED = re.compile(r"(?:1[4-9]|20)\d\?")
_CONTINUING = re.compile(r"(\d{4}) ?[-–]")
_PAIR = re.compile(r"(\d{8}) ?[-–/] ?(\d{8})")
_POINT = re.compile(r"(Y-?\d{5,6}|-?[\dX]{4})(?:-([\dX]{2})(?:-([\dX]{2}))?)?")
_SIGNS = str.maketrans("", "", "?~%")
_SEASONS = {
    21: (3, 5),
    22: (6, 8),
    23: (9, 11),
    24: (12, 14),
    25: (3, 5),
    26: (6, 8),
    27: (9, 11),
    28: (12, 14),
    29: (9, 11),
    30: (12, 14),
    31: (3, 5),
    32: (6, 8),
    33: (1, 3),
    34: (4, 6),
    35: (7, 9),
    36: (10, 12),
    37: (1, 4),
    38: (5, 8),
    39: (9, 12),
    40: (1, 6),
    41: (7, 12),
}


def read_encoded(text: str) -> DatePeriod | None:
    """Return the period of an encoded date, or None where it is none; `text` is the whole value."""
    if text.startswith("0000"):  # a database's way to write nothing
        return None
    for read in (_stamp, _compact, _pair, _separated, _two_years, _unknown_digits, _continuing, read_edtf):
        try:
            period = read(text)
        except ValueError:  # the form fits but the day does not exist (18871340): another form may fit
            period = None
        if period is not None and period.first >= FAR_PAST and period.last <= FAR_FUTURE:
            return period
    return None


def read_edtf(text: str) -> DatePeriod | None:
    """Return the period of an EDTF expression. Raises ValueError for a day that does not exist."""
    if (text[:1] + text[-1:]) in {"[]", "{}"}:
        return _one_of(text)
    if "/" not in text:
        return _point(text)
    begin, _, end = text.partition("/")
    first = None if begin in {"", ".."} else _point(begin)
    last = None if end in {"", ".."} else _point(end)
    if (first is None and begin not in {"", ".."}) or (last is None and end not in {"", ".."}) or not (first or last):
        return None
    doubts = [one.certainty for one in (first, last) if one and one.certainty is not Certainty.EXACT]
    sure = doubts[0] if doubts else Certainty.EXACT
    return DatePeriod(
        first.first if first else FAR_PAST,
        last.last if last else FAR_FUTURE,
        Precision.RANGE,
        sure,
        edtf=text,
        rule="EDTF interval",
    )


def _one_of(text: str) -> DatePeriod | None:
    """Read a set such as `[1667,1668,1670..1672]`: one of them (square) or all (curly)."""
    points = [_point(piece) for item in text[1:-1].split(",") for piece in item.strip().split("..") if piece]
    known = [point for point in points if point is not None]
    if len(known) != len(points) or len(known) < 2:
        return None
    open_start, open_end = text[1:3] == "..", text[-3:-1] == ".."
    sure = Certainty.UNCERTAIN if text.startswith("[") else Certainty.EXACT
    return DatePeriod(
        FAR_PAST if open_start else min(one.first for one in known),
        FAR_FUTURE if open_end else max(one.last for one in known),
        Precision.RANGE,
        sure,
        edtf=text,
        rule="EDTF set",
    )


def _point(text: str) -> DatePeriod | None:
    found = _POINT.fullmatch(text.translate(_SIGNS))
    if found is None or found[1] == "XXXX":
        return None
    sure = Certainty.APPROXIMATE if "~" in text else Certainty.EXACT
    if "?" in text or "%" in text:
        sure = Certainty.UNCERTAIN
    year, month, day = found.groups()
    digits = year.removeprefix("Y")
    if not any("X" in part for part in (year, month or "", day or "")):
        if len(digits) == 4 and month is None and int(digits) > LATEST_YEAR:
            return None
        return _exact_point(int(digits), month, day, text, sure)
    negative = digits.startswith("-")
    low, high = int(digits.replace("X", "0")), int(digits.replace("X", "9"))
    (low, high) = (high, low) if negative else (low, high)
    first_month, last_month = _limits(month, 12)
    first_day, _ = _limits(day, 31)
    _, last_day = _limits(day, days_in_month(high, last_month))
    unspecified = digits.count("X") if month is None else 0
    precision = {1: Precision.DECADE, 2: Precision.CENTURY}.get(unspecified, Precision.RANGE)
    if "X" not in digits:
        precision = Precision.YEAR if "X" in (month or "") else Precision.MONTH if day == "XX" else Precision.RANGE
    return DatePeriod(
        day_number(low, first_month, first_day),
        day_number(high, last_month, last_day),
        precision,
        sure,
        edtf=text,
        rule="EDTF with unspecified digits",
    )


def _limits(part: str | None, most: int) -> tuple[int, int]:
    if part is None:
        return 1, most
    return max(1, int(part.replace("X", "0"))), min(most, int(part.replace("X", "9")))


def _exact_point(year: int, month: str | None, day: str | None, text: str, sure: Certainty) -> DatePeriod:
    if month is None or month == "00":
        if day not in {None, "00"}:
            raise ValueError(f"{text} has a day without a month")
        edtf = text if month is None else year_text(year)
        return DatePeriod(day_number(year), day_number(year, 12, 31), Precision.YEAR, sure, edtf=edtf, rule="year")
    number = int(month)
    if number in _SEASONS and day is None:
        first, last = _SEASONS[number]
        end_year, end = (year + 1, last - 12) if last > 12 else (year, last)
        return DatePeriod(
            day_number(year, first),
            day_number(end_year, end, days_in_month(end_year, end)),
            Precision.SEASON,
            sure,
            edtf=text,
            rule="EDTF season",
        )
    if day is None or day == "00":
        first_day = day_number(year, number)
        edtf = text if day is None else text[: -len(day) - 1]
        return DatePeriod(
            first_day,
            day_number(year, number, days_in_month(year, number)),
            Precision.MONTH,
            sure,
            edtf=edtf,
            rule="ISO month",
        )
    exact = day_number(year, number, int(day))
    return DatePeriod(exact, exact, Precision.DAY, sure, edtf=text, rule="ISO date")


def _stamp(text: str) -> DatePeriod | None:
    found = _STAMP.fullmatch(text)
    return read_edtf(found[1]) if found else None


def _compact(text: str) -> DatePeriod | None:
    """Read `18870112` or `188701`: from the year 1400 on, since `120015` may be anything."""
    found = _COMPACT.fullmatch(text)
    if found is None or not 1400 <= int(found[1]) <= LATEST_YEAR:
        return None
    return read_edtf("-".join(part for part in found.groups() if part is not None))


def _pair(text: str) -> DatePeriod | None:
    found = _PAIR.fullmatch(text)
    first, last = (_compact(found[1]), _compact(found[2])) if found else (None, None)
    if first is None or last is None:
        return None
    return DatePeriod(first.first, last.last, Precision.RANGE, edtf=f"{first.edtf}/{last.edtf}", rule="two ISO dates")


def _continuing(text: str) -> DatePeriod | None:
    """Read `1887-`, as catalogues write what still continued."""
    found = _CONTINUING.fullmatch(text)
    if found is None or not 1400 <= int(found[1]) <= LATEST_YEAR:
        return None
    return DatePeriod(day_number(int(found[1])), FAR_FUTURE, Precision.RANGE, edtf=f"{found[1]}/..", rule="continuing")


def _separated(text: str) -> DatePeriod | None:
    """Read `1887/03/12`, `1887.3.12`, `1887_03_12` and `1887-3-2`; a year comes first, so the order is known."""
    loose = _LOOSE.fullmatch(text)
    if loose is not None:
        return read_edtf(f"{loose[1]}-{int(loose[2]):02d}-{int(loose[3]):02d}")
    found = _SEPARATED.fullmatch(text)
    if found is None or (found[4] is None and found[2] == "/"):
        return None
    return read_edtf("-".join([found[1], *(f"{int(part):02d}" for part in found.group(3, 4) if part)]))


def _two_years(text: str) -> DatePeriod | None:
    """Read `1887/1889`, `1887/88`, `1887-88`, `1901–05`; with a hyphen, `1901-05` stays the month of ISO 8601."""
    found = _TWO_YEARS.fullmatch(text)
    if found is None or (len(found[2]) == 2 and "-" in text and 1 <= int(found[2]) <= 12):
        return None
    first, last = int(found[1]), int(found[2])
    if len(found[2]) == 2:
        if "-" in text and (21 <= last <= 24 or (last <= 41 and last <= first % 100)):
            return None  # EDTF's seasons
        last += first // 100 * 100
    if not 0 < first < last <= LATEST_YEAR:
        return None
    days = day_number(first), day_number(last, 12, 31)
    return DatePeriod(*days, Precision.RANGE, edtf=interval(*days), rule="two years")


def _unknown_digits(text: str) -> DatePeriod | None:
    """Read MARC's `19uu` and the catalogues' `18--`, `188-`, `188?` and `18..` as the years they leave open."""
    found = _UNKNOWN_DIGITS.fullmatch(text)
    if found is None or len(text) != 4:
        return _point(f"{text[:3]}X?") if _DECADE_DOUBTED.fullmatch(text) else None
    return _point((found[1] + found[2]).ljust(4, "X"))
