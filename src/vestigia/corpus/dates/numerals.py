"""Days, ordinals and years as they are written: `1er`, `3ten`, `16th`, `XIXe`, `1731/2`, `44 BC`."""

import re

from vestigia.corpus.dates.scan import Scan, roman

_SUFFIXES = frozenset(
    {"er", "e", "re", "eme", "ieme", "te", "ten", "ter", "tes", "st", "nd", "rd", "th", "d", "°", "º", "ª", "o", "a"}
)
_ROMAN_YEAR = re.compile(r"m{1,2}(?:cm|cd|d?c{0,4})(?:xc|xl|l?x{0,4})(?:ix|iv|v?i{0,4})")
_LETTERS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_ROMAN_SUFFIXES = ("ieme", "eme", "e", "th", "")


def day_at(scan: Scan, at: int) -> tuple[int, int] | None:
    """Return a day of the month (1 to 31) with its suffix or dot, and the token after it."""
    word = scan.word(at, "day")
    if word is not None:
        return int(word[0]), word[1]
    digits = scan.digits(at)
    if not digits or len(digits) > 2 or not 1 <= int(digits) <= 31:
        return None
    return int(digits), scan.past(_after_suffix(scan, at + 1), ".")


def ordinal_at(scan: Scan, at: int) -> tuple[int, int] | None:
    """Return an ordinal from 1 to 39 (`19.`, `19th`, `XIXe`, `neunzehnten`), and the token after it."""
    word = scan.word(at, "nth")
    if word is not None:
        return int(word[0]), word[1]
    digits = scan.digits(at)
    if digits:
        return (int(digits), scan.past(_after_suffix(scan, at + 1), ".")) if len(digits) <= 2 else None
    form = scan.form(at)
    number = next((roman(form.removesuffix(end)) for end in _ROMAN_SUFFIXES if roman(form.removesuffix(end))), 0)
    return (number, scan.past(_after_suffix(scan, at + 1), ".")) if number and scan.written(at)[0].isupper() else None


def _after_suffix(scan: Scan, at: int) -> int:
    return at + 1 if scan.touches(at) and scan.form(at) in _SUFFIXES else at


def _roman_year(form: str) -> str:
    """Return the year of a title page (`MDCCCLXXXVII`) in digits, or nothing; from 1400, in at least four letters."""
    if not 4 <= len(form) <= 16 or not _ROMAN_YEAR.fullmatch(form):
        return ""
    values = [_LETTERS[letter] for letter in form]
    pairs = zip(values, [*values[1:], 0], strict=True)
    year = sum(-value if value < following else value for value, following in pairs)
    return str(year) if 1400 <= year <= 2100 else ""


def year_at(scan: Scan, at: int, *, dated: bool = False) -> tuple[int, int] | None:
    """Return an astronomical year and the token after it.

    A naked year has four digits and lies between 1000 and 2100; after a day, a month or a word for *year* (`dated`)
    three digits are enough (but 150 to 209 may be a letterhead's `189_`); with an era (`44 BC`) any number is.
    `1731/2` after a month is 1732.
    """
    digits = scan.digits(at) or (_roman_year(scan.form(at)) if scan.catalogue else "")
    if not digits or len(digits) > 4 or not int(digits):
        return None
    era = scan.era(scan.past(at + 1, ","), "bce")
    if era is not None:
        return 1 - int(digits), era[1]
    era = scan.era(at + 1, "ce")
    if era is not None:
        return int(digits), era[1]
    year = int(digits)
    if len(digits) == 4 and (1000 <= year <= 2100 or (scan.catalogue and year < 1000)):
        if dated and scan.form(at + 1) == "/" and scan.digits(at + 2) in {str(year + 1)[-1], str(year + 1)[-2:]}:
            return (year + 1, at + 3) if year < 1753 else (year, at + 1)
        return year, at + 1
    return (year, at + 1) if dated and len(digits) == 3 and not 150 <= year <= 209 else None
