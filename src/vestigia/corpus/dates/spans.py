"""Spans between two moments and open ends: `du 3 au 5 mai 1887`, `zwischen A und B`, `before 1900`, `depuis 1887`.

What one end leaves unwritten it takes from the other. Where a catalogue says *before* or *after* a day or month, the
period ends with the year it names, as the editors of the letters in the test data do in all such rows; in running text,
and for a mere year, the other end stays open.
"""

from dataclasses import dataclass, replace

from vestigia.corpus.dates.calendars import weekday
from vestigia.corpus.dates.grammar import read_moment
from vestigia.corpus.dates.moments import (
    Moment,
    continue_year,
    interval,
    lend,
    mark,
    span,
    to_period,
    turning_point,
    unmarked,
)
from vestigia.corpus.dates.numerals import ordinal_at
from vestigia.corpus.dates.scan import Found, Scan
from vestigia.domain.periods import FAR_FUTURE, FAR_PAST, Certainty, DatePeriod, Precision, civil, day_number

_DASHES = frozenset("-–")
_EITHER = frozenset({"ou", "oder", "or", "o", "od", "bzw"})
_ONWARD = frozenset({"an", "on", "onward", "onwards"})
_TURNING = frozenset({Precision.MONTH, Precision.YEAR})
_NOT = frozenset({"nicht", "not", "non", "pas", "no"})


@dataclass(frozen=True, slots=True)
class Reading:
    """A period with the tokens it was read from: first, and the one after the last.

    `bare_start` and `bare_end`: whether the reading begins or ends with a naked year, which context may refuse.
    """

    period: DatePeriod
    begin: int
    end: int
    bare_start: bool = False
    bare_end: bool = False


def read_span(scan: Scan, at: int) -> Reading | None:
    """Return the longest reading that begins at a token."""
    readings = [one for one in (_about(scan, at), *_plain(scan, at)) if one is not None]
    return max(readings, key=lambda one: one.end) if readings else None


def _plain(scan: Scan, at: int) -> tuple[Reading | None, ...]:
    return _enclosed(scan, at), _joined(scan, at, at), _open(scan, at), _onward(scan, at), _single(scan, at)


def _about(scan: Scan, at: int) -> Reading | None:
    """`c. 1890`, `um 1890`, `vers la fin de 1890`; value 2 in the tables is a guess (`wohl 1890`)."""
    circa = scan.word(at, "circa")
    if circa is None:
        return None
    place = scan.after(scan.past(circa[1], ".,"), "filler", most=2)
    inner = [one for one in _plain(scan, place) if one is not None]
    if not inner:
        return None
    reading = max(inner, key=lambda one: one.end)
    sure = Certainty.APPROXIMATE if circa[0] == 1 else Certainty.UNCERTAIN
    period = replace(
        reading.period,
        certainty=sure,
        edtf=mark(unmarked(reading.period.edtf), sure),
        rule=f"about: {reading.period.rule}",
    )
    return replace(reading, period=period, begin=at)


def _single(scan: Scan, at: int) -> Reading | None:
    found = read_moment(scan, at)
    if found is None or not found[0].whole:
        return None
    try:
        period = to_period(found[0])
    except ValueError:  # 31 February: not a date
        return None
    if found[0].weekday is not None and period.is_one_day and weekday(period.first) != found[0].weekday:
        period = replace(
            period,
            certainty=Certainty.UNCERTAIN,
            edtf=mark(unmarked(period.edtf), Certainty.UNCERTAIN),
            rule=f"{period.rule}; the day of the week disagrees",
        )
    return Reading(period, at, found[1], found[0].bare, found[0].bare)


def _endpoint(scan: Scan, at: int) -> Found | None:
    """Return a moment, whole or open, or a mere day or ordinal; articles before it are passed over."""
    passed = [scan.after(at, "filler", "circa", "weekday", most=count) for count in range(4)]
    for place in dict.fromkeys(passed):
        found = read_moment(scan, place)
        if found is not None:
            return found
        ordinal = ordinal_at(scan, place)
        if ordinal is not None and 1 <= ordinal[0] <= 31:
            return Moment(Precision.DAY, day=ordinal[0], rule="day"), ordinal[1]
    return None


def _enclosed(scan: Scan, at: int) -> Reading | None:
    """`between A and B`, `from A to B`, in the five languages."""
    for opener in ("between", "from"):
        word = scan.word(at, opener)
        if word is not None:
            joined = _joined(scan, at, word[1], opener)
            if joined is not None:
                return joined
    return None


def _joined(scan: Scan, begin: int, at: int, opener: str = "") -> Reading | None:
    """`A – B`, `A bis B`, `A oder B`, `28./29. 12. 1893`, `1887/88`, `mars et avril 1887`."""
    first = _endpoint(scan, at) if opener else read_moment(scan, at) or _mere_day(scan, at)
    if first is None:
        return None
    joiner = _joiner(scan, scan.past(scan.past(first[1], "."), ","), opener, first[0])
    if joiner is None:
        return None
    kind, place = joiner
    last = _short_year(scan, place, first[0]) or _endpoint(scan, place)
    if last is None:
        return None
    one, two = lend(first[0], last[0]), last[0]
    if not two.whole:
        two = continue_year(one, two)
    if two.bare and one.precision is Precision.DECADE and two.year is not None and two.year % 10 == 0:
        two = replace(two, precision=Precision.DECADE)
    return _spanned(one, two, kind, (begin, last[1]))


def _mere_day(scan: Scan, at: int) -> Found | None:
    ordinal = ordinal_at(scan, at)
    if (
        ordinal is None
        or not 1 <= ordinal[0] <= 31
        or (
            not scan.digits(at)
            and not scan.word(at, "nth")
            and not scan.written(at).isupper()
            and len(scan.form(at)) < 3
        )
    ):
        return None
    return Moment(Precision.DAY, day=ordinal[0], rule="day"), ordinal[1]


def _joiner(scan: Scan, at: int, opener: str, first: Moment) -> tuple[str, int] | None:
    form = scan.form(at)
    if form in _DASHES:
        return "span", at + 1
    if form == "/" and (not first.whole or first.bare or first.day is not None):
        return "span", at + 1
    if form in _EITHER:
        return "either", at + 1
    word = scan.word(at, "to")
    if word is not None and (opener != "between" or form != "a"):
        return "span", word[1]
    word = scan.word(at, "and")
    decades = first.precision is Precision.DECADE and scan.digits(word[1] if word else at)[3:] == "0"
    if word is not None and (opener == "between" or not first.whole or decades):
        return "span", word[1]
    return None


def _short_year(scan: Scan, at: int, first: Moment) -> Found | None:
    """Complete `88` in `1887/88` or `1887 bis 88`; also one digit after a slash or dash (`1887/8`)."""
    digits = scan.digits(at)
    if not first.bare or first.year is None or len(digits) not in {1, 2}:
        return None
    if scan.form(at + 1) == "." or scan.word(at + 1, "month") or (len(digits) == 1 and not scan.touches(at)):
        return None
    size = 10 ** len(digits)
    year = first.year // size * size + int(digits)
    return (Moment(Precision.YEAR, year, rule="year", bare=first.bare), at + 1) if year > first.year else None


def _spanned(one: Moment, two: Moment, kind: str, tokens: tuple[int, int]) -> Reading | None:
    if not one.whole or not two.whole:
        return None
    try:
        first = turning_point(one, opening=True) if one.portion == "mid" else span(one)[0]
        last = turning_point(two, opening=False) if two.portion == "mid" else span(two)[1]
    except ValueError:  # a day that does not exist: not a date
        return None
    if first > last:
        return None
    sure = Certainty.UNCERTAIN if kind == "either" else _weaker(one.certainty, two.certainty)
    rule = f"{'one or the other' if kind == 'either' else 'span'}: {one.rule} / {two.rule}"
    period = DatePeriod(first, last, Precision.RANGE, sure, edtf=mark(interval(first, last), sure), rule=rule)
    return Reading(period, *tokens, one.bare, two.bare)


def _weaker(one: Certainty, two: Certainty) -> Certainty:
    order = (Certainty.UNCERTAIN, Certainty.APPROXIMATE, Certainty.CONJECTURE, Certainty.EXACT)
    return min(one, two, key=order.index)


def _open(scan: Scan, at: int) -> Reading | None:
    """`before 1900`, `nach dem 20. 3. 1897`, `depuis 1887`, `bis Ende 1887`, `von 1887 an`, `not before 1890`."""
    for kind in ("before", "after", "since", "until"):
        word = scan.word(at, kind)
        found = _endpoint(scan, scan.past(word[1], ".")) if word else None
        if word is None or found is None or not found[0].whole:
            continue
        if word[0] == 3 and scan.form(found[1]) not in _ONWARD:
            continue
        end = found[1] + (word[0] == 3)
        meant = {"before": "since", "after": "until"}.get(kind, kind) if scan.form(at - 1) in _NOT else kind
        try:
            period = _opened(scan, meant, found[0])
        except ValueError:  # a day that does not exist: not a date
            return None
        return Reading(period, at, end, found[0].bare, found[0].bare)
    return None


def _onward(scan: Scan, at: int) -> Reading | None:
    """`1890 or later`, `1887 ff.`, `1890 oder früher`."""
    found = read_moment(scan, at)
    word = scan.word(found[1], "onward") if found else None
    if found is None or word is None or not found[0].whole:
        return None
    try:
        period = _opened(scan, str(word[0]), found[0])
    except ValueError:  # a day that does not exist: not a date
        return None
    return Reading(period, at, scan.past(word[1], "."), found[0].bare, found[0].bare)


def _opened(scan: Scan, kind: str, moment: Moment) -> DatePeriod:
    first, last = span(moment)
    middle = moment.portion == "mid"
    limit = {
        "before": (turning_point(moment, opening=True) if middle else first) - 1,
        "until": turning_point(moment, opening=False) if middle else last,
        "since": turning_point(moment, opening=True) if middle else first,
        "after": turning_point(moment, opening=True) if middle and moment.precision in _TURNING else last + 1,
    }[kind]
    framed = scan.catalogue and moment.precision in {Precision.DAY, Precision.MONTH} and kind in {"before", "after"}
    year = civil(limit)[0]
    if kind in {"before", "until"}:
        days = (day_number(year) if framed else FAR_PAST, limit)
    else:
        days = (limit, day_number(year, 12, 31) if framed else FAR_FUTURE)
    sure = Certainty.APPROXIMATE if framed else moment.certainty
    note = ", within the year named" if framed else ""
    rule = f"{kind}{note}: {moment.rule}"
    return DatePeriod(*days, Precision.RANGE, sure, edtf=mark(interval(*days), sure), rule=rule)
