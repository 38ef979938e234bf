"""The widest honest statement of a record's date."""

import pytest

from vestigia.corpus.readers.dating import Stated, certainty_of, printed_certainty, read_iso, read_stated
from vestigia.domain.periods import FAR_FUTURE, FAR_PAST, Certainty, Precision, iso


def read(stated: Stated) -> tuple[str, str, Certainty]:
    (period, *_), problems = read_stated(stated)
    assert problems == ()
    return iso(period.first), iso(period.last), period.certainty


@pytest.mark.parametrize(
    ("stated", "first", "last"),
    [
        (Stated("1887-01-12"), "1887-01-12", "1887-01-12"),
        (Stated("1887"), "1887-01-01", "1887-12-31"),
        (Stated("1887-02"), "1887-02-01", "1887-02-28"),
        (Stated("2023-09-26T17:01:22+00:00"), "2023-09-26", "2023-09-26"),
        (Stated("2023-09-26 17:01"), "2023-09-26", "2023-09-26"),
        (Stated(year="1887", month="1", day="12"), "1887-01-12", "1887-01-12"),
        (Stated(year="1887.0", month="1.0"), "1887-01-01", "1887-01-31"),
        (Stated(begin="1891-10-07", end="1892-04-30"), "1891-10-07", "1892-04-30"),
        (Stated(begin="1891", end="1892"), "1891-01-01", "1892-12-31"),
        (Stated(printed="12 janvier 1887"), "1887-01-12", "1887-01-12"),
    ],
)
def test_what_is_stated_once_is_taken_as_stated(stated: Stated, first: str, last: str):
    assert read(stated) == (first, last, Certainty.EXACT)


def test_a_year_is_never_its_first_day():
    (period,), _ = read_stated(Stated("1887"))
    assert period.precision is Precision.YEAR
    assert not period.is_one_day


def test_bounds_wider_than_the_date_count():
    assert read(Stated("1892-03-25", "1892-03-21", "1892-03-30"))[:2] == ("1892-03-21", "1892-03-30")


def test_a_date_wider_than_its_bounds_counts():
    assert read(Stated("1892", "1892-03-21", "1892-03-30"))[:2] == ("1892-01-01", "1892-12-31")


def test_dates_beside_each_other_are_covered_together():
    (period,), _ = read_stated(Stated("1918-12-10", "1918-12-16", "1918-12-31"))
    assert (iso(period.first), iso(period.last), period.precision) == ("1918-12-10", "1918-12-31", Precision.RANGE)


def test_the_editors_word_for_certainty_counts():
    assert read(Stated("1892-03-25", certainty="conjecture"))[2] is Certainty.CONJECTURE
    assert read(Stated(begin="1892-03-21", end="1892-03-30", certainty="range-uncertain"))[2] is Certainty.UNCERTAIN
    assert read(Stated("1899-07-31", printed="31. 7. [1899]", certainty="exact"))[2] is Certainty.EXACT


def test_the_printed_date_is_kept_as_text():
    (period,), _ = read_stated(Stated("1887-01-12", printed="12 janvier 1887"))
    assert period.text == "12 janvier 1887"


def test_a_day_where_a_month_was_printed_is_falsely_exact_so_the_month_counts():
    (period, narrower), problems = read_stated(Stated("1899-05-01", printed="[Mai 1899]", certainty="conjecture"), "de")
    assert (iso(period.first), iso(period.last), period.certainty) == ("1899-05-01", "1899-05-31", Certainty.CONJECTURE)
    assert narrower.is_one_day
    assert problems == ()


def test_an_editors_bounds_stand_against_a_rougher_printed_date():
    (period,), _ = read_stated(Stated(begin="1892-11-20", end="1894-03-29", printed="[1892–1894?]"), "de")
    assert (iso(period.first), iso(period.last)) == ("1892-11-20", "1894-03-29")


def test_a_printed_date_that_contradicts_is_kept_and_reported():
    dates, problems = read_stated(Stated("1914-08-15", printed="6 août 1914"), "fr")
    assert [iso(period.first) for period in dates] == ["1914-08-15", "1914-08-06"]
    assert problems == ("the printed date '6 août 1914' contradicts 1914-08-15",)


def test_a_contradiction_of_bounds_names_both_ends():
    _, problems = read_stated(Stated(begin="1914-08-15", end="1914-08-20", printed="6 août 1914"), "fr")
    assert problems == ("the printed date '6 août 1914' contradicts 1914-08-15/1914-08-20",)


def test_one_bound_alone_leaves_the_other_side_open():
    (after,), _ = read_stated(Stated(begin="1891-10-07"))
    (before,), _ = read_stated(Stated(end="1891-10-07"))
    assert (after.last, before.first) == (FAR_FUTURE, FAR_PAST)
    assert (after.edtf, before.edtf) == ("1891-10-07/..", "../1891-10-07")


@pytest.mark.parametrize(
    ("stated", "problem"),
    [
        (Stated("1887-02-30"), "impossible"),
        (Stated(year="1887", month="13"), "impossible"),
        (Stated(year="about 1887"), "impossible"),
        (Stated("on a Tuesday"), "cannot be read"),
        (Stated(printed="on a Tuesday"), "cannot be read"),
        (Stated(begin="1892-03-30", end="1892-03-21"), "ends (1892-03-21) before it begins (1892-03-30)"),
        (Stated(begin="1892-03-30", end="soon"), "cannot be read"),
    ],
)
def test_a_date_that_cannot_be_is_missing_not_invented(stated: Stated, problem: str):
    dates, problems = read_stated(stated)
    assert dates == ()
    assert problem in problems[0]


def test_nothing_stated_is_no_date_and_no_problem():
    assert read_stated(Stated()) == ((), ())


def test_an_unreadable_date_is_reported_even_where_the_printed_one_counts():
    dates, problems = read_stated(Stated("1887-02-30", printed="janvier 1887"), "fr")
    assert iso(dates[0].last) == "1887-01-31"
    assert "impossible" in problems[0]


@pytest.mark.parametrize("text", ["12 janvier 1887", "1887/88", "18870112", ""])
def test_only_iso_dates_are_read_as_such(text: str):
    assert read_iso(text) is None


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("exact", Certainty.EXACT),
        ("range", Certainty.EXACT),
        ("uncertain", Certainty.UNCERTAIN),
        ("low", Certainty.UNCERTAIN),
        ("range-uncertain", Certainty.UNCERTAIN),
        ("conjecture", Certainty.CONJECTURE),
        ("Circa", Certainty.APPROXIMATE),
        ("", None),
        ("external", None),
    ],
)
def test_words_for_certainty(word: str, expected: Certainty | None):
    assert certainty_of(word) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12. 1. 1887", Certainty.EXACT),
        ("[12. 1. 1887]", Certainty.CONJECTURE),
        ("[12. 1. 1887?]", Certainty.UNCERTAIN),
        ("um 1887", Certainty.APPROXIMATE),
        ("c. 1887", Certainty.APPROXIMATE),
        ("Aufgang 1887", Certainty.EXACT),
    ],
)
def test_marks_of_doubt_in_print(text: str, expected: Certainty):
    assert printed_certainty(text) is expected


@pytest.mark.parametrize(
    "written",
    [
        "s.d.",
        "s. d.",
        "[s.d.]",
        "S.D.",
        "n.d.",
        "o. D.",
        "o.J.",
        "sd",
        "undatiert",
        "undated",
        "sans date",
        "sin fecha",
        "senza data",
        "?",
        "-",
        "[unknown]",
    ],
)
def test_what_archives_write_for_no_date_is_no_date_and_no_problem(written: str):
    assert read_stated(Stated(written)) == ((), ())
    assert read_stated(Stated(printed=written)) == ((), ())


@pytest.mark.parametrize("written", ["Montag", "s.d. mais après la crue", "x", "1887-13-45"])
def test_what_is_no_date_and_does_not_say_so_is_a_problem(written: str):
    dates, problems = read_stated(Stated(written))
    assert dates == ()
    assert repr(written) in problems[0]
