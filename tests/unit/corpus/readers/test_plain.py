"""Text files."""

from pathlib import Path

import pytest

from fakes.sources import source
from vestigia.corpus.readers.plain import PlainReader, date_in_name
from vestigia.corpus.sources import FileSource, Said
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.periods import iso
from vestigia.domain.ports import Refused


def read(name: str, content: str | bytes) -> tuple[Document, list[Refused]]:
    document, *warnings = PlainReader().read(source(name, content))
    assert isinstance(document, Document)
    return document, [one for one in warnings if isinstance(one, Refused)]


def spans(document: Document) -> list[str]:
    return [f"{iso(period.first)}/{iso(period.last)}" for period in document.dates]


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("1881-11-10", "1881-11-10", "1881-11-10"),
        ("18870112", "1887-01-12", "1887-01-12"),
        ("figaro_1881_11_10_p3", "1881-11-10", "1881-11-10"),
        ("temps-18870112-1", "1887-01-12", "1887-01-12"),
        ("1789-Washington", "1789-01-01", "1789-12-31"),
        ("1848-02", "1848-02-01", "1848-02-29"),
        ("rapport 1900", "1900-01-01", "1900-12-31"),
    ],
)
def test_the_date_in_a_file_name_is_read_no_finer_than_it_is_written(name: str, first: str, last: str):
    period, problem = date_in_name(name)
    assert period is not None
    assert (iso(period.first), iso(period.last), problem) == (first, last, "")
    assert period.rule.startswith("file name: ")


@pytest.mark.parametrize("name", ["lettre", "page001", "0123456789", "00012345", "12", "99999999", "18870230"])
def test_numbers_that_are_no_dates_are_not_read_as_dates(name: str):
    assert date_in_name(name) == (None, "")


def test_an_impossible_date_in_a_file_name_is_a_warning_and_no_date():
    document, warnings = read("a/1887-02-30.txt", "Paris.")
    assert document.dates == ()
    assert warnings == [
        Refused(
            "file name", "the date 1887-02-30 in the file name is impossible; the document goes in undated", kept=True
        )
    ]


def test_without_a_date_in_the_name_the_first_lines_are_read():
    document, _ = read("a/lettre.txt", "Paris, le 12 janvier 1887\n\nMon cher ami,\n" + "Et puis. " * 50)
    assert spans(document) == ["1887-01-12/1887-01-12"]
    assert document.dates[0].rule.startswith("first lines: ")


def test_a_day_in_the_first_lines_is_kept_beside_the_date_of_the_name_and_told():
    document, warnings = read("a/1881-11-10.txt", "Le Temps\nParis, le 9 novembre 1881\n")
    assert spans(document) == ["1881-11-10/1881-11-10", "1881-11-09/1881-11-09"]
    assert warnings == [
        Refused(
            "file name",
            "the file name says 1881-11-10, the first lines say '9 novembre 1881'; "
            "both dates are kept, that of the file name counts",
            kept=True,
        )
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Séance du mercredi 9 novembre 1881",
        "Séancedumercredi 9 novembre 1881",
        "Sitzung vom 9. November 1881",
        "Sitting of 9th November 1881",
    ],
)
def test_the_day_of_a_sitting_counts_before_the_day_its_report_was_printed(line: str):
    document, [warning] = read("a/1881-11-10.txt", f"CHAMBRE DES DÉPUTÉS\n{line}\n")
    assert spans(document) == ["1881-11-09/1881-11-09", "1881-11-10/1881-11-10"]
    assert document.dates[0].rule.startswith("first lines: ")
    assert warning.kept
    assert warning.reason.endswith("the day of the sitting counts")


def test_a_session_year_does_not_come_before_the_day_of_the_name():
    document, warnings = read("a/1881-11-10.txt", "Séances de la session de 1881\n")
    assert spans(document) == ["1881-11-10/1881-11-10"]
    assert warnings == []


def test_a_day_inside_the_year_of_the_name_says_it_more_exactly_and_counts():
    document, warnings = read("a/1789-Washington.txt", "New York, April 30, 1789\n")
    assert spans(document) == ["1789-04-30/1789-04-30"]
    assert warnings == []


@pytest.mark.parametrize(
    ("name", "line", "counts"),
    [
        ("1887", "Lyon, le 14 mars 1887", "1887-03-14/1887-03-14"),
        ("1887", "mars 1887", "1887-03-01/1887-03-31"),
        ("1887-03", "Wien, 14. März 1887", "1887-03-14/1887-03-14"),
        ("1887-1889", "London, May 3, 1888", "1888-05-03/1888-05-03"),
        ("1887-03-14", "mars 1887", "1887-03-14/1887-03-14"),
    ],
)
def test_the_finer_of_two_dates_that_agree_counts(name: str, line: str, counts: str):
    document, warnings = read(f"a/{name}.txt", f"{line}\n\nMon cher ami.\n")
    assert spans(document)[0] == counts
    assert warnings == []


@pytest.mark.parametrize(("name", "line"), [("1887", "Lyon, le 14 mars 1888"), ("1887-03", "Lyon, le 1er avril 1887")])
def test_a_day_outside_the_span_of_the_name_is_a_contradiction_that_is_kept_and_told(name: str, line: str):
    document, (warning,) = read(f"a/{name}.txt", f"{line}\n\nMon cher ami.\n")
    assert len(spans(document)) == 2
    assert spans(document)[0].startswith(name)
    assert warning.reason.endswith("both dates are kept, that of the file name counts")


@pytest.mark.parametrize(
    ("name", "span"),
    [
        ("12.03.1904 Protokoll", "1904-03-12/1904-03-12"),
        ("Brief_vom_3._Mai_1921", "1921-05-03/1921-05-03"),
        ("Lettre du 12 mars 1887", "1887-03-12/1887-03-12"),
        ("25_12_1904", "1904-12-25/1904-12-25"),
        ("1887-1889 Briefe", "1887-01-01/1889-12-31"),
        ("L0001_1904-1905", "1904-01-01/1905-12-31"),
        ("Rapport 1905-1904", "1905-01-01/1905-12-31"),
        ("um 1900", "1900-01-01/1900-12-31"),
        ("12-03-1904", "1904-03-12/1904-12-03"),
    ],
)
def test_a_date_in_a_file_name_may_be_written_as_people_write_it(name: str, span: str):
    assert spans(read(f"a/{name}.txt", "Text.")[0]) == [span]


@pytest.mark.parametrize(("language", "span"), [("fr", "1904-03-12/1904-03-12"), ("en", "1904-03-12/1904-12-03")])
def test_the_language_the_user_says_tells_which_of_day_and_month_stands_first(tmp_path: Path, language: str, span: str):
    path = tmp_path / "12-03-1904.txt"
    path.write_text("Text.", encoding="utf-8")
    document, *_ = PlainReader().read(FileSource(path, "a/12-03-1904.txt", said=Said(language=language)))
    assert isinstance(document, Document)
    assert spans(document) == [span]


@pytest.mark.shared
def test_the_debates_of_1881_are_those_of_the_ninth_printed_on_the_tenth(shared_data: Path):
    path = shared_data / "debats-1881-txt-fr" / "1881-11-10.txt"
    document, [warning] = read(path.as_posix(), path.read_bytes())
    assert spans(document) == ["1881-11-09/1881-11-09", "1881-11-10/1881-11-10"]
    assert "1881-11-10" in warning.reason


def test_a_date_that_name_and_first_lines_share_is_kept_once():
    document, _ = read("a/1887-01-12.txt", "Paris, le 12 janvier 1887\n\nMon cher ami,\n")
    assert spans(document) == ["1887-01-12/1887-01-12"]


def test_a_year_in_running_text_is_not_the_date_of_the_text():
    document, _ = read("a/rede.txt", "Fellow citizens, since the revolution of 1776 we have " + "lived and " * 30)
    assert document.dates == ()


def test_the_title_is_a_short_first_line_else_the_file_name():
    assert read("a/1881-11-10.txt", "Une séance\n\nParis.")[0].title == "Une séance"
    assert read("a/1789-Washington.txt", "Fellow citizens " * 20)[0].title == "1789-Washington"
    assert read("a/p3.txt", "* * *\nParis.")[0].title == "p3"


def test_the_folder_is_the_sub_corpus_and_part_of_the_id():
    document, _ = read("archive/Le Temps/1881-11-10.txt", "Paris.")
    assert (document.sub_corpus, document.id) == ("Le Temps", "Le Temps/1881-11-10")


def test_the_language_is_not_guessed():
    assert read("a/b.txt", "Wir sind hier.")[0].language == ""


def test_text_in_an_old_encoding_goes_in_with_a_warning():
    document, warnings = read("a/b.txt", "L'été, déjà.".encode("cp1252"))
    assert document.text == "L'été, déjà."
    assert warnings == [Refused("", "the file is not UTF-8; it was read as cp1252", kept=True)]


def test_text_in_a_doubtful_encoding_is_refused():
    with pytest.raises(SourceRefusedError, match="without doubt"):
        read("a/b.txt", b"freedom\xa1Xand")


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("a.txt", b"Paris", True),
        ("A.TEXT", b"", True),
        ("notes.md", b"# a", True),
        ("page001", b"Paris", True),
        ("a.csv", b"a,b", False),
        ("a.txt", b"\xef\xbb\xbf<?xml version='1.0'?>", False),
        ("a.jpg", b"\xff\xd8", False),
    ],
)
def test_its_files_are_told_by_name_and_content(name: str, head: bytes, expected: bool):
    assert PlainReader().sniff(name, head) is expected
