"""A document's date: the first of those known counts; without one it is undated, never dated by guess."""

from dataclasses import replace

from fakes.corpus import a_day, a_document


def test_the_date_that_comes_first_counts():
    document = a_document("a", "text", period=a_day(1887, 1, 2))
    assert document.period == a_day(1887, 1, 2)
    assert replace(document, dates=(a_day(1886, 1, 1), a_day(1887, 1, 2))).period == a_day(1886, 1, 1)


def test_a_document_without_dates_is_undated():
    assert a_document("a", "text").period is None
