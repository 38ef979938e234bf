"""Checking what a person wrote against the archive: the document meant, the outcome, the place."""

from pathlib import Path

import pytest

from vestigia.app.care import describe
from vestigia.app.quoting import check_quotes, written
from vestigia.domain.errors import UsageError
from vestigia.domain.quotations import Outcome


@pytest.fixture
def checked(workspace, tmp_path):
    """Checks a Markdown text; returns (outcome, document, why) of each quotation."""

    def check(text: str, **options: bool):
        essay = tmp_path / "essay.md"
        essay.write_text(text, encoding="utf-8")
        return [
            (one.seal.outcome, one.card.id if one.card else None, one.seal.why)
            for one in check_quotes(workspace, essay, **options)
        ]

    return check


def test_a_quotation_is_found_wherever_it_stands(checked):
    assert checked("„Die Brücke über die Alzette wurde gesprengt“, und man beschloß „den Bau einer neuen Brucke“.") == [
        (Outcome.EXACT, "V1", ""),
        (Outcome.ALTERED, "V2", "the source has “Brücke”, not “Brucke”"),
    ]


def test_the_document_named_behind_it_is_the_one_meant(checked):
    assert checked("„Brücke“ (V2), „Bau einer neuen Brücke“ [V1#0-44].") == [
        (Outcome.EXACT, "V2", ""),
        (Outcome.ALTERED, "V1", "nothing like it stands in the source"),
    ]


def test_a_name_behind_the_next_quotation_belongs_to_that(checked):
    (first, second) = checked("„Die Brücke über die Alzette“ und „den Bau einer“ (V2).")

    assert first[:2] == (Outcome.EXACT, "V1")
    assert second[:2] == (Outcome.EXACT, "V2")


def test_what_is_nowhere_or_too_short_cannot_be_checked(checked):
    nowhere, short = checked("„Ein Satz, den niemand schrieb, vom Meer“ und „die Brücke“.")

    assert nowhere == (Outcome.UNCHECKABLE, None, "nothing like it was found in this archive")
    assert short[0] is Outcome.UNCHECKABLE
    assert "fewer than 3 words" in short[2]


def test_the_nearest_of_several_altered_ones_is_shown(checked):
    assert checked("„Die Brücke über die Mosel wurde gesprengt“")[0][1:] == (
        "V1",
        "the source has “Alzette”, not “Mosel”",
    )


def test_words_of_a_closed_document_are_not_shown_unasked(workspace, checked):
    describe(workspace, "Letters", {"access": "closed"})
    text = "„Die Brücke über die Mosel wurde gesprengt“"

    assert checked(text) == [(Outcome.ALTERED, "V1", "")]
    assert checked(text, closed=True)[0][2] != ""


def test_only_texts_are_read(tmp_path: Path):
    with pytest.raises(UsageError, match="no such file"):
        written(tmp_path / "essay.md")
    (tmp_path / "essay.odt").write_bytes(b"x")
    with pytest.raises(UsageError, match=r"\.odt cannot be read for quotations"):
        written(tmp_path / "essay.odt")
