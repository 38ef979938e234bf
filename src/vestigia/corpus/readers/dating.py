"""The date of a record from what its columns or attributes state: the widest honest statement.

A field `date` may be a single day only because programs want one, where the source prints a month: the printed date
counts then. Bounds are an editor's own statement of doubt and stand. What contradicts the period that counts is kept as
a further date and reported. A date that cannot be read leaves the document undated.
"""

import re
from dataclasses import dataclass, replace

from vestigia.corpus.dates import from_parts, read_date
from vestigia.domain.periods import FAR_FUTURE, FAR_PAST, Certainty, DatePeriod, Precision, iso, overlaps

_ISO = re.compile(r"\s*(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?:[T ]\d{2}:?\d{2}.*)?\s*", re.DOTALL)
_UNDATED = re.compile(
    r"[\[(]?\s*(?:[sno]\. ?[dafj]\.?|[sno]\.?d\.?|sans date|sin fecha|senza data|ohne datum|"
    r"undatiert|undated|not dated|no date|date inconnue|unbekannt|unknown|[-–—?]+)\s*[\])]?",
    re.IGNORECASE,
)
"""What archives write where there is no date: it is read, and says so."""

_CERTAINTIES = (
    ("conject", Certainty.CONJECTURE),
    ("uncertain", Certainty.UNCERTAIN),
    ("unsure", Certainty.UNCERTAIN),
    ("low", Certainty.UNCERTAIN),
    ("medium", Certainty.UNCERTAIN),
    ("approx", Certainty.APPROXIMATE),
    ("circa", Certainty.APPROXIMATE),
    ("internal", Certainty.CONJECTURE),
)
_DOUBT = (Certainty.EXACT, Certainty.APPROXIMATE, Certainty.CONJECTURE, Certainty.UNCERTAIN)


@dataclass(frozen=True, slots=True)
class Stated:
    """What a record says about its date, as written; empty where it says nothing.

    `printed` is the date as the source prints it, `certainty` the editor's own word for how sure it is.
    """

    date: str = ""
    begin: str = ""
    end: str = ""
    printed: str = ""
    certainty: str = ""
    year: str = ""
    month: str = ""
    day: str = ""


def read_stated(stated: Stated, language: str = "") -> tuple[tuple[DatePeriod, ...], tuple[str, ...]]:
    """Return (dates, problems): the period that counts first, none when nothing could be read; problems in words."""
    problems: list[str] = []
    parts = _read_parts(stated, problems)
    claims = [_read(text, language, problems) for text in (stated.date, stated.begin, stated.end)]
    date, begin, end = claims
    bounds = _between(begin, end, bool(stated.begin), bool(stated.end), problems)
    named = [period for period in (date, parts, bounds) if period is not None]
    printed = read_date(stated.printed, language) if stated.printed else None
    if not named:
        if printed is None and not problems and stated.printed and not _UNDATED.fullmatch(stated.printed.strip()):
            problems.append(f"the date {stated.printed!r} cannot be read")
        return (() if printed is None else (_sure(printed, stated),)), tuple(problems)
    counts = _union(named)
    others: list[DatePeriod] = []
    if printed is not None and not overlaps(printed, counts):
        others.append(printed)
        problems.append(f"the printed date {stated.printed!r} contradicts {_span(counts)}")
    elif printed is not None and counts.is_one_day and printed.first <= counts.first <= printed.last:
        others = [] if printed.is_one_day else [counts]
        counts = less_sure(printed, counts.certainty)
    text = stated.printed or counts.text
    return (_sure(replace(counts, text=text), stated), *others), tuple(problems)


def read_iso(text: str) -> DatePeriod | None:
    """Read a date of ISO 8601: year, month or day; a time stamp is its day. None when it is not one.

    Raises ValueError for a day that is not in the calendar.
    """
    match = _ISO.fullmatch(text)
    if match is None:
        return None
    year, month, day = (int(part) if part else None for part in match.groups())
    return replace(from_parts(year or 0, month, day), text=text.strip())


def certainty_of(word: str) -> Certainty | None:
    """Return how sure an editor's word says a date is (`range-uncertain`, `circa`, `low`); None for another word."""
    folded = word.casefold()
    if folded in {"exact", "certain", "high", "range"}:
        return Certainty.EXACT
    return next((certainty for sign, certainty in _CERTAINTIES if sign in folded), None)


def printed_certainty(text: str) -> Certainty:
    """Return how sure a printed date is by its marks: `?`, square brackets (conjectured), `um` or `c.` (about)."""
    if "?" in text:
        return Certainty.UNCERTAIN
    if "[" in text:
        return Certainty.CONJECTURE
    about = re.search(r"\b(?:ca?|circa|um|etwa|vers|environ|about)\b", text)
    return Certainty.APPROXIMATE if about else Certainty.EXACT


def less_sure(period: DatePeriod, certainty: Certainty) -> DatePeriod:
    """Return the period with the less sure of its own certainty and the one given."""
    return replace(period, certainty=max(period.certainty, certainty, key=_DOUBT.index))


def _read(text: str, language: str, problems: list[str]) -> DatePeriod | None:
    if not text.strip() or _UNDATED.fullmatch(text.strip()):
        return None
    try:
        period = read_iso(text) or read_date(text, language)
    except ValueError as error:
        problems.append(f"the date {text!r} is impossible ({error})")
        return None
    if period is None:
        problems.append(f"the date {text!r} cannot be read")
    return period


def _read_parts(stated: Stated, problems: list[str]) -> DatePeriod | None:
    if not stated.year:
        return None
    parts = [part for part in (stated.year, stated.month, stated.day) if part]
    written = "-".join(parts)
    try:
        year, month, day = (int(float(part)) if part else None for part in (stated.year, stated.month, stated.day))
        period = from_parts(year or 0, month, day)
    except (ValueError, OverflowError):
        problems.append(f"the date {written} is impossible")
        return None
    return replace(period, text=written)


def _between(
    begin: DatePeriod | None, end: DatePeriod | None, begun: bool, ended: bool, problems: list[str]
) -> DatePeriod | None:
    if (begun and begin is None) or (ended and end is None) or not (begun or ended):
        return None
    first = begin.first if begin else FAR_PAST
    last = end.last if end else FAR_FUTURE
    if first > last:
        problems.append(f"the date ends ({iso(last)}) before it begins ({iso(first)})")
        return None
    known = [period for period in (begin, end) if period is not None]
    certainty = max((period.certainty for period in known), key=_DOUBT.index)
    for period in known:
        if (period.first, period.last) == (first, last):
            return replace(period, certainty=certainty)
    ends = (begin.edtf or iso(first) if begin else "..", end.edtf or iso(last) if end else "..")
    text = "/".join(period.text for period in known)
    return DatePeriod(first, last, Precision.RANGE, certainty, text, "/".join(ends), "stated bounds")


def _union(periods: list[DatePeriod]) -> DatePeriod:
    """Return the narrowest period that covers all of them; the first that does so itself, if one does."""
    first, last = min(period.first for period in periods), max(period.last for period in periods)
    certainty = max((period.certainty for period in periods), key=_DOUBT.index)
    for period in periods:
        if (period.first, period.last) == (first, last):
            return replace(period, certainty=certainty)
    edtf = f"{iso(first)}/{iso(last)}"
    return DatePeriod(first, last, Precision.RANGE, certainty, periods[0].text, edtf, "widest of the stated dates")


def _sure(period: DatePeriod, stated: Stated) -> DatePeriod:
    said = certainty_of(stated.certainty)
    return period if said is None else replace(period, certainty=said)


def _span(period: DatePeriod) -> str:
    first, last = iso(period.first), iso(period.last)
    return first if first == last else f"{first}/{last}"
