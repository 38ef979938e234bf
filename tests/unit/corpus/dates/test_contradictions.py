"""Printed against encoded dates."""

import pytest

from vestigia.corpus.dates import contradiction, read_date


@pytest.mark.parametrize(
    ("printed", "encoded", "language"),
    [
        ("16 octobre 1918", "1916-10-16", "fr"),
        ("Wednesday, 21st August, 1889.", "1887-08-21", "en"),
        ("Friday, July 5.", "1805-06-05", "en"),
        ("1887", "1888", ""),
        ("mars 1887", "1887-04-01", "fr"),
    ],
)
def test_a_disagreement_is_told_with_both_dates(printed: str, encoded: str, language: str) -> None:
    period = read_date(encoded)
    assert period is not None
    said = contradiction(printed, period, language)
    assert printed in said
    assert encoded in said


@pytest.mark.parametrize(
    ("printed", "encoded", "language"),
    [
        ("16 octobre 1918", "1918-10-16", "fr"),
        ("Août 1917", "1917-08-10", "fr"),
        ("1887", "1887-03-01", ""),
        ("Wednesday, March 13.", "1805-03-13", "en"),
        ("[vor dem 17. 8. 1895]", "1895-08-16", "de"),
        ("s.d.", "1887", "fr"),
        ("", "1887", ""),
        ("unbekannt", "1887-01-01", "de"),
    ],
)
def test_dates_that_share_a_day_or_cannot_be_compared_agree(printed: str, encoded: str, language: str) -> None:
    period = read_date(encoded)
    assert period is not None
    assert contradiction(printed, period, language) == ""
