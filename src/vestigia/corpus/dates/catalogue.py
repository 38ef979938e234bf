"""One catalogue date as it was printed or encoded: `c. 1890`, `[1912?]`, `18870112`, `[zwischen 3. und 15. 7. 1893]`.

Brackets say that an editor supplied the date (conjecture), a question mark that it is uncertain, *c.* that it is
approximate; the strongest doubt is kept, and the bounds stay those of the words. A date misread by OCR or typed with I
for 1 is repaired (`5 Février I9I6`, `No v embre`) and then counts as uncertain.
"""

import re
from dataclasses import replace

from vestigia.corpus.dates.encoded import read_encoded
from vestigia.corpus.dates.guards import follows_number_word
from vestigia.corpus.dates.lexicon import lexicon
from vestigia.corpus.dates.moments import Moment, interval, mark, to_period, unmarked
from vestigia.corpus.dates.named import built_in, names_lexicon
from vestigia.corpus.dates.scan import Scan
from vestigia.corpus.dates.spans import Reading, read_span
from vestigia.corpus.dates.tokens import tokenize
from vestigia.domain.periods import FAR_FUTURE, FAR_PAST, Certainty, DatePeriod, Precision, day_number

LONGEST = 200
"""Longer values (characters) are not one date."""

_YEAR_TO_DAY = "span: year / day"
"""How `1887-13` is read in a catalogue, where a month that does not exist is passed over."""
_DOUBT = str.maketrans("", "", "[]?<>{}")
_DIGIT_LIKE = str.maketrans("IlOo|", "11001")
_MIXED = re.compile(r"\b(?=[IlOo|\d]*\d)[IlOo|\d]{2,8}\b")
_TIME_OF_DAY = re.compile(
    r",? (?:at |um )?\d\d?:\d\d(?::\d\d)?(?: ?(?:[ap]\.?m\.?|uhr|utc|gmt|z|[+-]\d{4})\b)?", re.IGNORECASE
)
_BRACKETED = re.compile(r"\[[^\]]*\]")
_LETTER_DAY = re.compile(r"^(?:I|l|II|Il|lI|ll)(?=(?:er)?\s+[A-Za-zÀ-ÿ]{3})")


def read_date(text: str, language: str = "") -> DatePeriod | None:
    """Return the period of one catalogue date, or None where the value is no date (`s.d.`, nothing, a name).

    `language` is a two-letter code, or nothing if unknown. The period keeps `text` as it was written, its EDTF, the
    rule that read it and its certainty. A day that does not exist (31 February) is no date.
    """
    stripped = text.strip()
    if not stripped or len(stripped) > LONGEST:
        return None
    encoded = read_encoded(stripped) or read_encoded(stripped.rstrip(" .;,"))
    if encoded is not None:
        return replace(encoded, text=text)
    period = _read_plain(_TIME_OF_DAY.sub(" ", stripped), language)
    if period is None:
        return None
    doubt = _doubt(stripped)
    if doubt is Certainty.CONJECTURE:
        outside = _read_plain(_BRACKETED.sub(" ", stripped), language)
        if outside is not None and (outside.first, outside.last) == (period.first, period.last):
            doubt = Certainty.EXACT  # `5. 5. 1891 [Poststempel]`: the date itself is printed
    return _doubted(period, doubt, text)


def read_whole(text: str, language: str = "") -> DatePeriod | None:
    """Return the period that a text is and nothing besides; None where a word or number of it would be passed over.

    So a person limits a search: `1887-13` or `1914 nonsense` must not pass for a year.
    """
    stripped = text.strip()
    if not stripped or len(stripped) > LONGEST:
        return None
    plain = _plain(stripped)
    encoded = read_encoded(stripped) or read_encoded(plain)
    period = encoded or _read_all(_scan(plain, language))
    if period is None or period.rule == _YEAR_TO_DAY:
        return None
    return replace(encoded, text=text) if encoded else _doubted(period, _doubt(stripped), text)


def _read_plain(text: str, language: str) -> DatePeriod | None:
    plain = _plain(text)
    return read_encoded(plain) or _read_words(plain, language) or _repaired(plain, language)


def _plain(text: str) -> str:
    return " ".join(text.translate(_DOUBT).split()).strip(" .;,:()")


def from_parts(year: int, month: int | None = None, day: int | None = None) -> DatePeriod:
    """Return the year, month or day of these numbers; the year is astronomical (0 is 1 BCE).

    Raises ValueError naming the date that does not exist.
    """
    if month is None and day is not None:
        raise ValueError(f"day {day} of year {year} has no month: give the month too, or only the year")
    if not FAR_PAST < day_number(year) < FAR_FUTURE - 366:
        raise ValueError(f"the year {year} lies beyond the reckoning of dates")
    sign = "-" if year < 0 else ""
    text = f"{sign}{abs(year):04d}" + "".join(f"-{part:02d}" for part in (month, day) if part is not None)
    if month is not None and not 1 <= month <= 12:
        raise ValueError(f"{text}: there is no month {month}")
    return _from_parts(year, month, day, text)


def _from_parts(year: int, month: int | None, day: int | None, text: str) -> DatePeriod:
    precision = Precision.YEAR if month is None else Precision.MONTH if day is None else Precision.DAY
    return replace(to_period(Moment(precision, year, month, day, rule="parts")), text=text)


def _doubt(text: str) -> Certainty:
    if "?" in text:
        return Certainty.UNCERTAIN
    return Certainty.CONJECTURE if "[" in text or "<" in text else Certainty.EXACT


def _doubted(period: DatePeriod, doubt: Certainty, text: str) -> DatePeriod:
    order = (Certainty.UNCERTAIN, Certainty.APPROXIMATE, Certainty.CONJECTURE, Certainty.EXACT)
    sure = min(period.certainty, doubt, key=order.index)
    edtf = period.edtf if sure is period.certainty else mark(unmarked(period.edtf), sure)
    if sure is Certainty.UNCERTAIN and period.certainty is Certainty.APPROXIMATE:
        edtf = edtf.replace("?", "%")
    return replace(period, certainty=sure, edtf=edtf, text=text)


def _scan(text: str, language: str) -> Scan:
    named, words = built_in(), lexicon((language,) if language else ())
    return Scan(text, tokenize(text), words, names_lexicon(named), named, catalogue=True)


def _read_words(text: str, language: str) -> DatePeriod | None:
    """Read the whole value, or else the dates in it if what is left holds no number (`Wien, 3. 5. 1891`)."""
    scan = _scan(text, language)
    return _read_all(scan) or _dates_within(scan)


def _read_all(scan: Scan) -> DatePeriod | None:
    """Read every word and number as one date."""
    start = scan.after(0, "filler", "support", most=3)
    for at in dict.fromkeys((0, start)):
        reading = read_span(scan, at)
        if reading is not None and not any(token.is_word or token.is_number for token in scan.tokens[reading.end :]):
            return reading.period
    return None


def _dates_within(scan: Scan) -> DatePeriod | None:
    readings: list[Reading] = []
    at = 0
    while at < len(scan.tokens):
        reading = read_span(scan, at)
        if reading is None and scan.digits(at):
            return None
        if reading is not None:
            readings.append(reading)
        at = reading.end if reading else at + 1
    if not readings or any(one.bare_start and follows_number_word(scan, one.begin) for one in readings):
        return None
    first, last = max(one.period.first for one in readings), min(one.period.last for one in readings)
    if first <= last:  # one date said twice: `18 brumaire an VIII (9 novembre 1799)`
        return min((one.period for one in readings), key=lambda period: period.last - period.first)
    days = min(one.period.first for one in readings), max(one.period.last for one in readings)
    return DatePeriod(
        *days,
        Precision.RANGE,
        Certainty.UNCERTAIN,
        edtf=mark(interval(*days), Certainty.UNCERTAIN),
        rule="several dates, from the first to the last",
    )


def _repaired(text: str, language: str) -> DatePeriod | None:
    """Read again with letters taken for digits and stray spaces closed, as OCR and typewriters leave them."""
    digits = _MIXED.sub(lambda found: found.group().translate(_DIGIT_LIKE), text)
    digits = _LETTER_DAY.sub(lambda found: found.group().translate(_DIGIT_LIKE), digits)
    closed = digits.replace(" ", "") if any(sign.isalpha() for sign in digits) else digits
    for candidate in (digits, closed):
        period = _read_words(candidate, language) if candidate != text else None
        if period is not None:
            return _doubted(replace(period, rule=f"{period.rule}; misread signs repaired"), Certainty.UNCERTAIN, text)
    return None
