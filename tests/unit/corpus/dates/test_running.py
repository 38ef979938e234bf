"""Dates in questions, against a table worked out by hand from calendars and grammars (`phrases.tsv`)."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from vestigia.corpus.dates import Grammar, read_dates, read_named_periods
from vestigia.domain.effects import DatesRead, ReadDates
from vestigia.domain.periods import Certainty, Precision, iso

with (Path(__file__).parent / "phrases.tsv").open(encoding="utf-8", newline="") as _file:
    PHRASES = list(csv.DictReader(_file, delimiter="\t", quoting=csv.QUOTE_NONE))


def bounds(text: str, *languages: str) -> str:
    return "; ".join(f"{iso(one.first)}/{iso(one.last)}" for one in read_dates(text, languages))


def test_the_table_is_large_enough_and_covers_five_languages() -> None:
    per_language = Counter(row["lang"] for row in PHRASES)
    assert sum(per_language.values()) >= 150
    assert set(per_language) == {"fr", "de", "en", "it", "es"}
    assert min(per_language.values()) >= 25


@pytest.mark.parametrize("row", PHRASES, ids=lambda row: row["phrase"])
def test_a_phrase_is_read_in_its_language(row: dict[str, str]) -> None:
    assert bounds(row["phrase"], row["lang"]) == (row["expected"] or "")


@pytest.mark.parametrize("row", PHRASES, ids=lambda row: row["phrase"])
def test_a_phrase_is_read_when_the_language_is_unknown(row: dict[str, str]) -> None:
    assert bounds(row["phrase"]) == (row["expected"] or "")


def test_the_text_of_a_period_is_what_was_written() -> None:
    [period] = read_dates("Que disait la presse du 3 au 5 mai 1887 ?")
    assert period.text == "du 3 au 5 mai 1887"
    assert period.edtf == "1887-05-03/1887-05-05"
    assert period.precision is Precision.RANGE


def test_every_reading_names_its_rule_and_its_edtf() -> None:
    for row in PHRASES:
        for period in read_dates(row["phrase"]):
            assert period.rule, row["phrase"]
            assert period.edtf, row["phrase"]


def test_periods_come_in_text_order_and_do_not_overlap_in_the_text() -> None:
    text = "Entre mars et mai 1887, puis en 1889, et de nouveau le 12 janvier 1871"
    written = [one.text for one in read_dates(text)]
    assert written == ["Entre mars et mai 1887", "1889", "12 janvier 1871"]


def test_the_longest_reading_wins() -> None:
    assert [one.text for one in read_dates("fin de la première moitié du XIXe siècle")] == [
        "première moitié du XIXe siècle"
    ]


def test_a_year_is_never_a_day() -> None:
    [period] = read_dates("en 1887")
    assert period.precision is Precision.YEAR
    assert not period.is_one_day


@pytest.mark.parametrize(
    ("text", "certainty"),
    [
        ("um 1890", Certainty.APPROXIMATE),
        ("Anfang September 1890", Certainty.APPROXIMATE),
        ("possibly 1887", Certainty.UNCERTAIN),
        ("am 13. oder 14. April 1894", Certainty.UNCERTAIN),
        ("[1912?]", Certainty.UNCERTAIN),
        ("la lettre [1912] manque", Certainty.CONJECTURE),
        ("on 3/4/1887", Certainty.UNCERTAIN),
        ("mardi 3 janvier 1887", Certainty.UNCERTAIN),
        ("first half of June 1895", Certainty.EXACT),
        ("en 1887", Certainty.EXACT),
    ],
)
def test_doubt_is_kept(text: str, certainty: Certainty) -> None:
    assert [one.certainty for one in read_dates(text)] == [certainty]


def test_a_question_mark_at_the_end_of_a_question_is_not_doubt() -> None:
    assert [one.certainty for one in read_dates("Que s'est-il passé en 1887 ?")] == [Certainty.EXACT]


@pytest.mark.parametrize(
    "text",
    [
        "1200 ouvriers",
        "1200 workers",
        "1500 Arbeiter",
        "in 1200 villages",
        "about 2000 people",
        "les 1500 délégués",
        "between 1200 and 1500 workers",
        "1200-1500 ouvriers",
        "1848 geheime Akten",
        "1848 Gefangene",
        "1848 gedruckte Exemplare",
        "1848 verletzt gemeldete Soldaten",
        "1848 lettres.",
        "voir p. 1887",
        "S. 1848",
        "Nr.1848",
        "no 1848",
        "vol. 1900",
        "§ 1610",
        "#2023",
        "$1500",
        "1500 €",
        "1500 %",
        "1,848 people",
        "1848,50",
        "12-1887",
        "tel. 1887-12345",
        "B1887",
        "1887x",
        "« 1984 »",
        '"1984"',
        "„1984“",
        "3. und 4.",
        "mai",
        "may",
        "18e",
        "à 1 s. la livre",
        "S. XIX",
        "Charles V",
        "an X-ray",
        "than an I",
        "3 April",
        "2 weeks",
    ],
)
def test_numbers_that_are_no_years_are_left_alone(text: str) -> None:
    assert read_dates(text) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1887", "1887-01-01/1887-12-31"),
        ("1887.", "1887-01-01/1887-12-31"),
        ("Streiks (1887)", "1887-01-01/1887-12-31"),
        ("the 2023 report", "2023-01-01/2023-12-31"),
        ("a strike, 1893, at Carmaux", "1893-01-01/1893-12-31"),
        ("In 1887 workers struck", ""),
        ("In 1887 the workers struck", "1887-01-01/1887-12-31"),
        ("Was schrieb 1887 die Presse?", "1887-01-01/1887-12-31"),
        ("Was geschah 1887 beim Hochwasser?", "1887-01-01/1887-12-31"),
        ("Was geschah 1887 während der Flut?", "1887-01-01/1887-12-31"),
        ("Was wurde 1887 gebaut?", "1887-01-01/1887-12-31"),
        ("Welche Brücke wurde 1887 zerstört, welche erneuert?", "1887-01-01/1887-12-31"),
        ("Que se passa-t-il vers la gare 1887 pendant la crue ?", "1887-01-01/1887-12-31"),
        ("la crecida de 1887 tras las lluvias", "1887-01-01/1887-12-31"),
        ("l'alluvione 1887 dopo le piogge", "1887-01-01/1887-12-31"),
    ],
)
def test_a_naked_number_is_a_year_where_the_context_says_so(text: str, expected: str) -> None:
    assert bounds(text) == expected


def test_a_day_that_does_not_exist_does_not_become_its_month() -> None:
    assert read_dates("le 31 février 1887") == ()
    assert read_dates("on February 30, 1888 and in March 1888") == read_dates("on x and in March 1888")


def test_the_languages_asked_for_are_the_ones_read() -> None:
    assert bounds("im Jänner 1887", "de") == "1887-01-01/1887-01-31"
    assert bounds("mai 1887", "en") == "1887-01-01/1887-12-31"
    assert bounds("im Jänner", "en") == ""


def test_long_language_codes_are_understood_and_unknown_ones_mean_all() -> None:
    assert bounds("im Jänner 1887", "ger") == bounds("im Jänner 1887", "deu") == "1887-01-01/1887-01-31"
    assert bounds("im Jänner 1887", "xx") == "1887-01-01/1887-01-31"


def test_a_text_without_a_date_gives_nothing() -> None:
    assert read_dates("") == ()
    assert read_dates("Wer schrieb diesen Brief?") == ()


class TestGrammar:
    """The date reader that the drivers know by the port."""

    def test_it_answers_the_effect(self) -> None:
        answer = Grammar().read(ReadDates("Was geschah im Frühjahr 1921?", ("de",)))
        assert answer == DatesRead(read_dates("Was geschah im Frühjahr 1921?", ("de",)))
        assert [one.edtf for one in answer.periods] == ["1921-21"]

    def test_nothing_read_is_an_answer(self) -> None:
        assert Grammar().read(ReadDates("Wer war das?")) == DatesRead(())

    def test_the_users_named_periods_are_read_and_win(self) -> None:
        own = read_named_periods(
            '[{"name": "Gründerzeit", "edtf": "1871/1873", "forms": ["Gründerzeit"]},'
            ' {"name": "Our Empire", "edtf": "1852/1870", "forms": ["Second Empire"]}]'
        )
        answer = Grammar(own).read(ReadDates("Von der Gründerzeit zum Second Empire"))
        assert [one.rule for one in answer.periods] == ["named period: Gründerzeit", "named period: Our Empire"]
        assert Grammar().read(ReadDates("Gründerzeit")) == DatesRead(())
