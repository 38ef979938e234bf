"""The grammar of one moment: day, month, season, year, decade, century, feast, Republican date, named period.

Each rule looks at a bounded number of tokens from one place and answers with a moment and the token after it, or None.
`read_moment` asks all of them and takes the longest reading; the earlier rule wins a tie.
"""

from dataclasses import replace

from vestigia.corpus.dates.calendars import easter, republican_span
from vestigia.corpus.dates.moments import Moment, century
from vestigia.corpus.dates.numerals import day_at, ordinal_at, year_at
from vestigia.corpus.dates.scan import Found, Scan, roman
from vestigia.domain.periods import Certainty, Precision, day_number

ORDER_UNKNOWN = "numeric date, order of day and month unknown"
"""The rule of a date such as 3/4/1887 that holds both readings."""


def read_moment(scan: Scan, at: int) -> Found | None:
    """Return the longest moment that begins at a token, and the token after it."""
    if at not in scan.moments:
        found = [one for one in (rule(scan, at) for rule in _RULES) if one is not None]
        scan.moments[at] = max(found, key=lambda one: one[1]) if found else None
    return scan.moments[at]


def _day_month_year(scan: Scan, at: int) -> Found | None:
    """`samedi 12 janvier 1887`, `den 3ten May 1887`, `16th of April, 1973`; the year may lack."""
    weekday = scan.word(at, "weekday")
    place = scan.after(scan.past(weekday[1], ".,"), "filler", most=2) if weekday else at
    day = day_at(scan, place)
    if day is None:
        return None
    sign = scan.form(day[1]) if scan.form(day[1]) in {"-", "/"} else ""
    month = scan.word(day[1] + 1 if sign else scan.after(day[1], "filler", most=2), "month")
    if month is None:
        return None
    moment = Moment(
        Precision.DAY,
        month=int(month[0]),
        day=day[0],
        rule="day, month, year",
        weekday=int(weekday[0]) if weekday else None,
    )
    if sign:  # 12-JAN-1887
        year = year_at(scan, month[1] + 1) if scan.form(month[1]) == sign else None
        return (replace(moment, year=year[0]), year[1]) if year else None
    return _with_year(scan, moment, month[1])


def _month_day_year(scan: Scan, at: int) -> Found | None:
    """`October 1, 2023`, `Wednesday, March 7, 1804`, `marzo 3 de 1887`; the year may lack."""
    weekday = scan.word(at, "weekday")
    month = scan.word(scan.past(weekday[1], ".,") if weekday else at, "month")
    if month is None:
        return None
    place = scan.past(month[1], ".")
    day = day_at(scan, scan.after(place, "filler"))
    if day is None or scan.form(day[1]) in {":", "%"}:
        return None
    moment = Moment(
        Precision.DAY,
        month=int(month[0]),
        day=day[0],
        rule="month, day, year",
        weekday=int(weekday[0]) if weekday else None,
    )
    return _with_year(scan, moment, day[1])


def _with_year(scan: Scan, moment: Moment, at: int) -> Found:
    """Add the year that follows a month or a day, and the style of the calendar; without one the moment stays open."""
    place = scan.past(scan.past(at, "."), ",")
    year = year_at(scan, scan.after(place, "filler", most=3), dated=True)
    if year is None:
        return moment, at
    moment, at = replace(moment, year=year[0]), year[1]
    style = scan.era(scan.past(scan.past(at, ","), "("), "old style")
    if style is not None and moment.day is not None:
        return replace(moment, julian=True, rule=f"{moment.rule}; Julian calendar"), scan.past(style[1], ".)")
    new = scan.era(scan.past(at, "("), "new style")
    return moment, scan.past(new[1], ".)") if new else at


def _year_first(scan: Scan, at: int) -> Found | None:
    """`1887 Mai 3`, `1887, 12. Mai`, `1887 janvier`: only where the whole text is one date."""
    year = year_at(scan, at) if scan.catalogue else None
    if year is None:
        return None
    place = scan.past(year[1], ",")
    found = _day_month_year(scan, place) or _month_day_year(scan, place) or _month_year(scan, place)
    if found is None or found[0].whole:
        return None
    return replace(found[0], year=year[0], rule=f"year, {found[0].rule.removesuffix(', year')}"), found[1]


def _numeric(scan: Scan, at: int) -> Found | None:
    """`2. 10. 1886`, `08.02.1882`, `12.III.1887`, `3/4/1887`; `21. 1.` without a year stays open.

    With a slash or hyphen and both numbers up to 12, the order is known only for languages that put the day first;
    otherwise the period holds both readings and is uncertain.
    """
    day, sign = scan.digits(at), scan.form(at + 1)
    if not day or len(day) > 2 or sign not in {".", "/", "-"}:
        return None
    month = scan.digits(at + 2) or str(roman(scan.form(at + 2)) or "")
    if not month or len(month) > 2 or not 1 <= int(day) <= 31 or not 1 <= int(month) <= 31:
        return None
    closed = scan.form(at + 3) == sign
    year = year_at(scan, at + 4, dated=True) if closed else None
    if year is None and sign == "." and int(month) <= 12:
        spaced = year_at(scan, at + 3, dated=True) if not closed and scan.catalogue else None
        moment = Moment(Precision.DAY, month=int(month), day=int(day), rule="numeric date")
        if spaced is not None:
            return replace(moment, year=spaced[0]), spaced[1]
        return (moment, at + 4) if closed or scan.catalogue else None
    if year is None:
        return None
    return _ordered(scan, int(day), int(month), year, dotted=sign == ".")


def _iso(scan: Scan, at: int) -> Found | None:
    """`2023-10-05` or `2023/10/05` within a sentence."""
    parts, sign = (scan.digits(at), scan.digits(at + 2), scan.digits(at + 4)), scan.form(at + 1)
    if [len(part) for part in parts] != [4, 2, 2] or sign not in {"-", "/"} or scan.form(at + 3) != sign:
        return None
    year, month, day = (int(part) for part in parts)
    return Moment(Precision.DAY, year, month, day, rule="ISO date"), at + 5


def _ordered(scan: Scan, one: int, two: int, year: tuple[int, int], *, dotted: bool) -> Found | None:
    day_first = dotted or one > 12 or one == two or (two <= 12 and "en" not in scan.lexicon.languages)
    if day_first and two <= 12:
        return Moment(Precision.DAY, year[0], two, one, rule="numeric date"), year[1]
    if two > 12 >= one and not dotted:
        return Moment(Precision.DAY, year[0], one, two, rule="numeric date, month first"), year[1]
    if dotted or one > 12:
        return None
    days = sorted((day_number(year[0], two, one), day_number(year[0], one, two)))
    return Moment(
        Precision.RANGE,
        fixed=(days[0], days[1]),
        certainty=Certainty.UNCERTAIN,
        rule=ORDER_UNKNOWN,
    ), year[1]


def _month_year(scan: Scan, at: int) -> Found | None:
    """`août 1917`, `Sept. 1887`, `enero de 1887`; a month alone stays open."""
    month = scan.word(at, "month")
    if month is None:
        return None
    return _with_year(scan, Moment(Precision.MONTH, month=int(month[0]), rule="month and year"), month[1])


def _season(scan: Scan, at: int) -> Found | None:
    """`Frühjahr 1921`, `été de 1887`, `winter of 1916/17`; a winter with one year is the one beginning in it."""
    season = scan.word(at, "season")
    if season is None:
        return None
    place = scan.after(scan.past(season[1], ","), "filler", most=3)
    year = year_at(scan, place)
    if year is None:
        return Moment(Precision.SEASON, season=int(season[0]), rule="season"), season[1]
    winter = int(season[0]) == 24
    moment = Moment(Precision.SEASON, year[0], season=int(season[0]), rule="season")
    if winter and scan.form(year[1]) in {"/", "-", "–"}:
        following = scan.digits(year[1] + 1)
        if following and len(following) in {2, 4} and int(following) % 100 == (year[0] + 1) % 100:
            return moment, year[1] + 2
    if winter:
        moment = replace(moment, certainty=Certainty.APPROXIMATE, rule="winter beginning in the year")
    return moment, year[1]


def _year(scan: Scan, at: int) -> Found | None:
    """`1887`, `l'année 1887`, `im Jahre 843`, `44 BC`, `AD 98`; a naked number is marked as bare."""
    named = scan.word(at, "year word")
    era = scan.era(at, "ce")
    if era is not None and scan.digits(era[1]) and len(scan.digits(era[1])) <= 4 and int(scan.digits(era[1])):
        return Moment(Precision.YEAR, int(scan.digits(era[1])), rule="year of the era"), era[1] + 1
    if named is not None:
        year = year_at(scan, scan.after(named[1], "filler"), dated=True)
        return (Moment(Precision.YEAR, year[0], rule="year"), year[1]) if year else None
    year = year_at(scan, at)
    if year is None:
        return None
    bare = year[1] == at + 1
    return Moment(Precision.YEAR, year[0], rule="year" if bare else "year of an era", bare=bare), year[1]


def _decade(scan: Scan, at: int) -> Found | None:
    """`les années 1880`, `die 1880er Jahre`, `the 1880s`, `década de 1880`; `1800s` is read as the century."""
    before = scan.word(at, "decade before")
    place = scan.after(before[1], "filler", most=2) if before else at
    digits = scan.digits(place)
    if len(digits) != 4 or digits[3] != "0" or not 1000 <= int(digits) <= 2100:
        return None
    if before:
        return Moment(Precision.DECADE, int(digits), rule="decade"), place + 1
    end = place + 1
    glued = end < len(scan.tokens) and not scan.text[scan.tokens[place].end : scan.tokens[end].start].isspace()
    suffix = scan.word(scan.past(end, "-"), "decade suffix") if glued else None
    if suffix is None:
        return None
    precision = Precision.CENTURY if digits.endswith("00") else Precision.DECADE
    return Moment(precision, int(digits), rule="decade" if precision is Precision.DECADE else "hundreds"), suffix[1]


def _century(scan: Scan, at: int) -> Found | None:
    """`XIXe siècle`, `19. Jahrhundert`, `19th century`, `secolo XIX`, `siglo XIX`, `Ottocento`, each also BCE."""
    name = scan.word(at, "century name")
    if name is not None:
        return century(int(name[0])), name[1]
    before = scan.word(at, "century")
    if before is not None:
        place = scan.past(before[1], ".")
        short = len(scan.form(before[1] - 1)) < 3 and not scan.catalogue  # S. XIX is a page, s. V a name
        number = roman(scan.form(place)) if scan.written(place).isupper() and not short else 0
        end = place + 1
    else:
        found = _ordinal_century(scan, at)
        if found is None:
            return None
        number, end = found
    if not 1 <= number <= 21:
        return None
    bce = scan.era(end, "bce")
    if bce is not None:
        return century(number, bce=True), bce[1]
    ce = scan.era(end, "ce")
    return century(number), ce[1] if ce else end


def _ordinal_century(scan: Scan, at: int) -> tuple[int, int] | None:
    """Return the number in `19th century`, `XIXe s.`; a catalogue's `fin XIXe` may lack the word."""
    ordinal = ordinal_at(scan, at)
    if ordinal is None:
        return None
    word = scan.word(scan.past(ordinal[1], "-"), "century")
    short = scan.form(word[1] - 1) if word else ""
    spoken = word is not None and scan.form(word[1] - 2).isalpha()  # `1 s.` is a shilling
    if word is None or (short in {"s", "c"} and not (spoken and (scan.form(word[1]) == "." or scan.catalogue))):
        bare = scan.catalogue and scan.form(at).endswith("e") and roman(scan.form(at).removesuffix("e")) > 10
        return ordinal if bare else None
    return ordinal[0], scan.past(word[1], ".") if len(short) < 5 else word[1]


def _feast(scan: Scan, at: int) -> Found | None:
    """`Pâques 1848`, `Ostermontag 1848`, `Noël 1887`, `Whit Sunday, 1848`."""
    feast = scan.word(at, "feast")
    if feast is None:
        return None
    year = year_at(scan, scan.after(scan.past(feast[1], ","), "filler", most=2))
    if year is None:
        return None
    if isinstance(feast[0], str):
        month, day = feast[0].split("-")
        return Moment(Precision.DAY, year[0], int(month), int(day), rule="feast"), year[1]
    if year[0] < 326:
        return None
    number = easter(year[0]) + feast[0]
    return Moment(Precision.DAY, fixed=(number, number), rule="feast reckoned from Easter"), year[1]


def _republican(scan: Scan, at: int) -> Found | None:
    """`18 brumaire an VIII`, `frimaire de l'an II`, `l'an VIII`, `18. Brumaire VIII`."""
    day = day_at(scan, at)
    month = scan.word(scan.after(day[1], "filler") if day else at, "republican")
    if month is None and day is not None:
        return None
    place = scan.past(month[1], ",") if month else at
    word = scan.word(place, "republican year")
    year = _republican_year(scan, word[1] if word else place, plain=month is not None)
    if year is None or (month is None and (word is None or not _republican_context(scan, at, year[1]))):
        return None
    try:
        days = republican_span(year[0], int(month[0]) if month else None, day[0] if day else None)
    except ValueError:  # a year or day the calendar did not have: not a Republican date
        return None
    precision = Precision.DAY if day else Precision.MONTH if month else Precision.YEAR
    return Moment(precision, fixed=days, rule="Republican calendar"), year[1]


def _republican_year(scan: Scan, at: int, *, plain: bool) -> tuple[int, int] | None:
    digits = scan.digits(at)
    if digits and len(digits) <= 2 and (plain or scan.catalogue):
        return int(digits), at + 1
    return (roman(scan.form(at)), at + 1) if roman(scan.form(at)) and scan.written(at).isupper() else None


def _republican_context(scan: Scan, at: int, end: int) -> bool:
    """Whether `an X` can be a year: not the English article, not `an X-ray`."""
    if scan.form(end) == "-":
        return False
    french = scan.lexicon.languages == ("fr",) or scan.catalogue or scan.form(at) != "an"
    return french or scan.form(at - 1) in {"l", "en", "de", "d", "du"}


def _named(scan: Scan, at: int) -> Found | None:
    """`Second Empire`, `Kaiserreich`, `sous la Commune`: from the table of named periods."""
    found = scan.names.find(scan.tokens, at, "named")
    if found is None:
        return None
    one = scan.periods[int(found[0])]
    return Moment(
        Precision.RANGE,
        fixed=(one.period.first, one.period.last),
        certainty=one.period.certainty,
        rule=f"named period: {one.name}",
    ), found[1]


def _portion(scan: Scan, at: int) -> Found | None:
    """`Anfang September 1890`, `mi-janvier 1887`, `late 1880s`, `première moitié du XIXe siècle`."""
    part = scan.word(at, "portion") or _counted_part(scan, at)
    if part is None:
        return None
    place = scan.after(scan.past(part[1], "-"), "filler", most=3)
    whole = next((one for one in (_whole(scan, start) for start in dict.fromkeys((place, part[1]))) if one), None)
    if whole is None:
        return None
    if part[0] == "whole":
        return replace(whole[0], rule=f"{whole[0].rule}, some time in"), whole[1]
    vague = part[0] in {"early", "mid", "late"}
    certainty = Certainty.APPROXIMATE if vague else whole[0].certainty
    return replace(
        whole[0],
        portion=str(part[0]),
        certainty=certainty,
        bare=False,
        rule=f"{_PART_NAMES[str(part[0])]} of: {whole[0].rule}",
    ), whole[1]


def _counted_part(scan: Scan, at: int) -> tuple[str, int] | None:
    """`1er trimestre`, `2. Hälfte`, `3rd quarter`."""
    ordinal = ordinal_at(scan, at)
    unit = scan.word(ordinal[1], "part") if ordinal else None
    kind = f"{unit[0]}{ordinal[0]}" if ordinal and unit else ""
    return (kind, unit[1]) if unit and kind in _PART_NAMES else None


def _whole(scan: Scan, at: int) -> Found | None:
    """Return a month, season, year, decade, century or named period."""
    found = [one for one in (rule(scan, at) for rule in _WHOLES) if one is not None]
    return max(found, key=lambda one: one[1]) if found else None


_PART_NAMES = {
    "early": "beginning",
    "mid": "middle",
    "late": "end",
    "half1": "first half",
    "half2": "second half",
    "quarter1": "first quarter",
    "quarter2": "second quarter",
    "quarter3": "third quarter",
    "quarter4": "last quarter",
}
_WHOLES = (_month_year, _season, _year, _decade, _century, _named)
_RULES = (_day_month_year, _numeric, _iso, _year_first, _month_day_year, _republican, _feast, _portion, *_WHOLES)
