"""A document's date and rights: the first date known counts, what is not known is not guessed, what is closed stays."""

from dataclasses import replace

import pytest

from fakes.corpus import a_day, a_document
from vestigia.domain.archive import Access
from vestigia.domain.ports import server_of


def test_the_date_that_comes_first_counts():
    document = a_document("a", "text", period=a_day(1887, 1, 2))
    assert document.period == a_day(1887, 1, 2)
    assert replace(document, dates=(a_day(1886, 1, 1), a_day(1887, 1, 2))).period == a_day(1886, 1, 1)


def test_a_document_without_dates_is_undated():
    assert a_document("a", "text").period is None


@pytest.mark.parametrize(
    ("access", "leaves"),
    [("", True), ("open", True), ("personal", False), ("no-third-party-model", False), ("closed", False)],
)
def test_a_text_may_leave_this_machine_unless_its_rights_are_known_to_forbid_it(access, leaves):
    assert Access(access).may_leave is leaves


def test_an_encoder_says_where_it_sends_texts_or_nothing():
    assert server_of(object()) == ""
    assert server_of(type("Far", (), {"server": "https://example.org"})()) == "https://example.org"
