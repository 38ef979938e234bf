"""Reading dates never fails, never invents a day, and costs what the length of the text costs."""

import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vestigia.corpus.dates import contradiction, from_parts, read_date, read_dates
from vestigia.corpus.dates.lexicon import Lexicon
from vestigia.domain.periods import FAR_FUTURE, FAR_PAST, Certainty, DatePeriod, civil, day_number, label

EPOCH = date(1970, 1, 1)
PIECES = st.sampled_from(
    [
        "1887",
        "3",
        "31",
        ".",
        "/",
        "-",
        "–",
        "?",
        "[",
        "]",
        "c.",
        " ",
        "  ",
        "mai",
        "mars",
        "Mai",
        "May",
        "le",
        "du",
        "au",
        "to",
        "between",
        "and",
        "zwischen",
        "und",
        "bis",
        "von",
        "from",
        "entre",
        "et",
        "XIXe",
        "siècle",
        "an",
        "VIII",
        "brumaire",
        "fin",
        "Ende",
        "early",
        "années",
        "1880",
        "s",
        "er",
        "BC",
        "av. J.-C.",
        "Pâques",
        "Winter",
        "88",
        "avant",
        "vor",
        "nach",
        "O.S.",
        "18uu",
        "~",
        "%",
        "Second Empire",
        "0",
        "Y",
        "X",
        ",",
        "n°",
        "«",
        "»",
        "'",
        "\u0130",
        "ß",
        "²",
        "٣",
        "\x00",
    ]
)
MIXED = st.lists(PIECES, max_size=14).map(" ".join) | st.lists(PIECES, max_size=14).map("".join)
DAYS = st.dates(min_value=date(1000, 1, 1), max_value=date(2100, 12, 31))
MONTHS = (
    "janvier",
    "février",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
)


def sound(period: DatePeriod) -> bool:
    return FAR_PAST <= period.first <= period.last <= FAR_FUTURE and bool(period.rule) and bool(period.edtf)


@given(st.text(max_size=120) | MIXED)
@settings(max_examples=600)
def test_any_text_is_read_without_an_error(text: str) -> None:
    read = read_dates(text)
    assert all(sound(one) for one in read)
    place = 0
    for one in read:
        place = text.index(one.text, place) + len(one.text)
    single = read_date(text)
    assert single is None or (sound(single) and single.text == text)


@given(MIXED, st.sampled_from(["", "fr", "de", "en", "it", "es", "la"]))
@settings(max_examples=300)
def test_reading_twice_gives_the_same(text: str, language: str) -> None:
    assert read_date(text, language) == read_date(text, language)
    assert read_dates(text, (language,)) == read_dates(text, (language,))


@given(MIXED)
@settings(max_examples=600)
def test_the_edtf_of_a_reading_says_the_same_days(text: str) -> None:
    period = read_date(text)
    if period is not None and not period.edtf.startswith(("[", "{")):
        again = read_date(period.edtf)
        assert again is not None, period
        assert (again.first, again.last) == (period.first, period.last), period


@given(DAYS)
def test_a_day_is_the_same_however_it_is_written(one: date) -> None:
    number = (one - EPOCH).days
    written = (
        one.isoformat(),
        one.strftime("%Y%m%d"),
        f"{one.day}. {one.month}. {one.year}",
        f"{one.day} {MONTHS[one.month - 1]} {one.year}",
        f"le {one.day} {MONTHS[one.month - 1]} {one.year}",
    )
    for text in written if one.year >= 1400 else written[:1] + written[2:]:
        period = read_date(text)
        assert period is not None, text
        assert (period.first, period.last, period.certainty) == (number, number, Certainty.EXACT), text


@given(DAYS)
def test_a_day_in_a_sentence_is_found(one: date) -> None:
    number = (one - EPOCH).days
    [period] = read_dates(f"Was geschah am {one.day}. {one.month}. {one.year} in Wien?", ("de",))
    assert (period.first, period.last) == (number, number)


@given(DAYS, DAYS)
def test_a_span_is_from_its_first_to_its_last_day(one: date, other: date) -> None:
    first, last = sorted((one, other))
    begin, end = (f"{day.day}. {day.month}. {day.year}" for day in (first, last))
    period = read_date(f"[zwischen {begin} und {end}]", "de")
    assert period is not None
    assert (period.first, period.last) == ((first - EPOCH).days, (last - EPOCH).days)


@given(st.integers(-9999, 2100), st.integers(1, 12))
def test_parts_label_and_edtf_go_round(year: int, month: int) -> None:
    for period in (from_parts(year), from_parts(year, month), from_parts(year, month, 1)):
        assert period.edtf == label(period)
        if year != 0:
            again = read_date(label(period))
            assert again is not None
            assert (again.first, again.last, again.precision) == (period.first, period.last, period.precision)


@given(st.integers(1000, 2100), st.integers(0, 13), st.integers(0, 32))
def test_no_day_is_invented(year: int, month: int, day: int) -> None:
    text = f"{year}-{month:02d}-{day:02d}"
    period = read_date(text)
    if period is not None and period.is_one_day:
        assert civil(period.first) == (year, month, day)
    if period is None:
        assert month == 0 or month > 12 or day > 28


@given(st.integers(1000, 2100))
def test_a_year_is_the_whole_year(year: int) -> None:
    for text in (str(year), f"c. {year}", f"[{year}?]", f"en {year}"):
        period = read_date(text)
        assert period is not None
        assert (period.first, period.last) == (day_number(year), day_number(year, 12, 31))


@given(MIXED, DAYS)
def test_comparing_with_any_encoding_never_fails(text: str, one: date) -> None:
    number = from_parts(one.year, one.month, one.day)
    assert isinstance(contradiction(text, number), str)


HOSTILE = [
    "1",
    "1. ",
    "1887 ",
    "1887-",
    "[",
    "[1887",
    "?",
    "mai ",
    "du 3 au ",
    "between 1 and ",
    "de la ",
    "an ",
    "XIX",
    "x",
    "1/",
    "c. ",
    "fin de la ",
    "«1984» ",
    "von 1887 bis ",
    "3. und ",
    "\u0300",
    "²",
    "s.",
    "'",
    "mars avril ",
    "18. ",
    "1887/88/",
]


def looks(monkeypatch: pytest.MonkeyPatch, text: str) -> int:
    """Count how often the words of a text are looked up: the work of reading it, whatever the machine."""
    count = 0
    find = Lexicon.find

    def counted(self: Lexicon, *where: object) -> object:
        nonlocal count
        count += 1
        return find(self, *where)

    with monkeypatch.context() as patch:
        patch.setattr(Lexicon, "find", counted)
        read_dates(text)
    return count


@pytest.mark.parametrize("piece", HOSTILE)
def test_ten_times_the_text_is_ten_times_the_work(monkeypatch: pytest.MonkeyPatch, piece: str) -> None:
    small, large = (looks(monkeypatch, (piece * size)[:size]) for size in (600, 6_000))
    assert large <= 12 * small + 500
    assert large <= 400 * 6_000


@pytest.mark.slow
def test_100_kilobytes_of_hostile_text_take_time_in_proportion() -> None:
    def seconds(size: int) -> float:
        text = ("".join(HOSTILE) * (size // 10))[:size]
        begin = time.perf_counter()
        read_dates(text)
        read_date(text)
        return time.perf_counter() - begin

    read_dates("".join(HOSTILE))
    small, large = seconds(10_000), seconds(100_000)
    assert large < 40 * small + 1.0
