"""What file names say."""

import pytest

from fakes.sources import source
from vestigia.corpus.readers.naming import date_of_name, name_pattern, read_name
from vestigia.corpus.readers.plain import PlainReader
from vestigia.domain.archive import Document
from vestigia.domain.errors import UsageError
from vestigia.domain.periods import label
from vestigia.domain.ports import Refused

ISSUE = "{title}_{year}-{month}-{day}_{issue}"


def read(name: str, *patterns: str, content: str = "Texte.") -> tuple[Document, list[Refused]]:
    reader = PlainReader().with_name_patterns([name_pattern(one) for one in patterns])
    document, *notes = reader.read(source(name, content))
    assert isinstance(document, Document)
    return document, [note for note in notes if isinstance(note, Refused)]


@pytest.mark.parametrize(
    ("pattern", "name", "found"),
    [
        (
            ISSUE,
            "in/Le_Temps_1887-01-12_9374.txt",
            {"title": "Le_Temps", "year": "1887", "month": "01", "day": "12", "issue": "9374"},
        ),
        ("{title} {date}", "Le Temps 12 janvier 1887.txt", {"title": "Le", "date": "Temps 12 janvier 1887"}),
        ("Le Temps {date}", "Le Temps 12 janvier 1887.txt", {"date": "12 janvier 1887"}),
        (
            "{sub_corpus}/{year}/{month}{day}",
            "x/Le Temps/1887/0112.txt",
            {"sub_corpus": "Le Temps", "year": "1887", "month": "01", "day": "12"},
        ),
        ("*_{year}", "a_b_1887.txt", {"year": "1887"}),
        ("{year}(*)", "1887(b).txt", {"year": "1887"}),
        ("{year}.{month}", "1887.1.txt", {"year": "1887", "month": "1"}),
    ],
)
def test_a_name_that_fits_is_taken_apart(pattern: str, name: str, found: dict[str, str]):
    assert name_pattern(pattern).read(name) == found


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        (ISSUE, "Le_Temps_87-01-12_9374.txt"),
        (ISSUE, "Le_Temps_1887-01-12.txt"),
        (ISSUE, "notes.txt"),
        ("{year}.{month}", "1887x1.txt"),
        ("{folder}/{year}", "1887.txt"),
    ],
)
def test_a_name_that_does_not_fit_says_nothing(pattern: str, name: str):
    assert name_pattern(pattern).read(name) is None


def test_the_first_pattern_that_fits_counts():
    patterns = [name_pattern(ISSUE), name_pattern("{title}_{year}"), name_pattern("{id}")]
    assert read_name(patterns, "Le_Temps_1887.txt") == {"title": "Le_Temps", "year": "1887"}
    assert read_name(patterns[:2], "notes.txt") is None


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("{year", "a brace alone"),
        ("year}", "a brace alone"),
        ("{}", "no name of a field"),
        ("{a b}", "no name of a field"),
        ("{year}-{year}", "has {year} twice"),
        ("temps", "has no field"),
        ("", "has no field"),
        ("{year}-{day}", "has {day} but no {month}"),
        ("{month}", "has {month} but no {year}"),
    ],
)
def test_a_pattern_that_means_nothing_is_refused_with_an_example(pattern: str, reason: str):
    with pytest.raises(UsageError) as caught:
        name_pattern(pattern)
    assert reason in caught.value.what
    assert "{title}_{year}-{month}-{day}_{issue}" in caught.value.remedy


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ({"year": "1887", "month": "01", "day": "12"}, "1887-01-12"),
        ({"year": "1887", "month": "1"}, "1887-01"),
        ({"year": "1887"}, "1887"),
        ({"date": "18870112"}, "1887-01-12"),
        ({"date": "12_janvier_1887"}, "1887-01-12"),
        ({"date": "c. 1890"}, "c. 1890"),
        ({"date": "1887-1889"}, "1887-01-01/1889-12-31"),
    ],
)
def test_the_date_of_a_name_is_no_finer_than_it_says(named: dict[str, str], expected: str):
    period, problem = date_of_name(named)
    assert period is not None
    assert (label(period), problem) == (expected, "")
    assert period.rule.startswith("file name: ")


@pytest.mark.parametrize(
    ("named", "problem"),
    [
        ({"title": "x"}, ""),
        ({"year": "1887", "month": "02", "day": "30"}, "the date 1887-02-30 is impossible"),
        ({"date": "x"}, "the date 'x' cannot be read"),
    ],
)
def test_a_name_without_a_date_or_with_an_impossible_one_gives_none(named: dict[str, str], problem: str):
    assert date_of_name(named) == (None, problem)


def test_a_text_file_is_described_by_its_name():
    document, notes = read("in/Le_Temps_1887-01-12_9374.txt", ISSUE, content="PARIS\nTexte.")
    assert (document.title, document.sub_corpus, document.id) == ("Le_Temps", "in", "in/Le_Temps_1887-01-12_9374")
    assert (label(document.dates[0]), document.details, notes) == ("1887-01-12", (("issue", "9374"),), [])


def test_id_sub_corpus_and_language_can_stand_in_the_path():
    document, _ = read("Le Temps/fr/A7_1887.txt", "{sub_corpus}/{language}/{id}_{year}")
    assert (document.id, document.sub_corpus, document.language) == ("A7", "Le Temps", "fr")
    assert label(document.dates[0]) == "1887"


def test_a_name_that_fits_no_pattern_is_read_as_usual_and_told():
    document, notes = read("in/1887-01-12.txt", ISSUE)
    assert label(document.dates[0]) == "1887-01-12"
    assert notes == [Refused("file name", "it fits none of the name patterns; only a date was sought in it", kept=True)]


def test_without_patterns_nothing_is_told():
    assert read("in/brief.txt")[1] == []


def test_an_impossible_date_is_told_and_no_other_is_taken_from_the_name():
    document, notes = read("in/Temps_1887-02-30_1.txt", ISSUE)
    assert document.dates == ()
    told = "the date 1887-02-30 is impossible; the document goes in undated"
    assert notes == [Refused("file name", told, kept=True)]


def test_the_first_lines_still_contradict_the_name():
    document, (note,) = read("in/Temps_1887-01-12_1.txt", ISSUE, content="Paris, le 9 novembre 1881\nTexte.")
    assert [label(one) for one in document.dates] == ["1887-01-12", "1881-11-09"]
    assert "both dates are kept" in note.reason
