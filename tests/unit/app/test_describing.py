"""What a citation says of a document: the archive's own words, no date too exact, no name cut by guess."""

from dataclasses import replace

import pytest

from fakes.exports import DATES, TITLES, dated, letter
from vestigia.app.describing import names_of, reference, when
from vestigia.app.references import Kind, Listing, Reference, When, line, lines, note_lines
from vestigia.domain.archive import Provenance, SubCorpus
from vestigia.domain.ids import DocumentId, digest
from vestigia.domain.periods import FAR_PAST, Certainty, DatePeriod, Precision, day_number


@pytest.mark.parametrize("name", DATES)
def test_a_date_keeps_its_words_and_has_parts_only_where_it_is_sure(name):
    written, parts = DATES[name]
    found = when(dated(written))
    assert found.parts == parts
    assert found.written == written
    assert bool(found.edtf) is (written != "undated")


def test_a_date_that_is_undated_or_uncertain_is_never_a_day():
    assert when(None) == When("undated", "", ())
    assert not when(None).is_known
    guess = DatePeriod(day_number(1912), day_number(1912), Precision.DAY, Certainty.CONJECTURE)
    assert when(guess) == When("[1912-01-01]", "1912-01-01?", ())
    about = DatePeriod(day_number(1912), day_number(1914, 12, 31), Precision.RANGE, Certainty.APPROXIMATE)
    assert when(about) == When("c. 1912-01-01–1914-12-31", "1912-01-01~/1914-12-31~", ())
    before = DatePeriod(FAR_PAST, day_number(1912, 12, 31), Precision.RANGE)
    assert when(before) == When("..–1912-12-31", "../1912-12-31", ())


@pytest.mark.parametrize(
    ("period", "parts"),
    [
        (DatePeriod(day_number(1887, 3), day_number(1887, 3, 31), Precision.MONTH, text="mars 1887"), ((1887, 3),)),
        (DatePeriod(day_number(1870), day_number(1870, 12, 31), Precision.YEAR, text="Sommer 1870"), ()),
        (DatePeriod(day_number(-43, 3, 15), day_number(-43, 3, 15), Precision.DAY), ()),
        (DatePeriod(day_number(1886), day_number(1887, 5, 2), Precision.RANGE), ((1886, 1, 1), (1887, 5, 2))),
    ],
)
def test_what_the_reading_left_out_of_the_words_is_not_lost(period, parts):
    assert when(period).parts == parts


@pytest.mark.parametrize(
    ("details", "genre", "kind"),
    [
        ({"type": "Brief"}, "", Kind.LETTER),
        ({"genre": "newspaper"}, "letters", Kind.NEWSPAPER),
        ({}, "Zeitung", Kind.NEWSPAPER),
        ({}, "parliamentary debates", Kind.DEBATE),
        ({}, "diary", Kind.MANUSCRIPT),
        ({"kind": "Livre"}, "", Kind.BOOK),
        ({"recipient": "Vautrin, Élise"}, "", Kind.LETTER),
        ({"absender": "Colby, Harriet"}, "", Kind.LETTER),
        ({"issue": "Grenzbote, 1882-03-02"}, "", Kind.NEWSPAPER),
        ({"author": "Meier"}, "files", Kind.DOCUMENT),
    ],
)
def test_what_a_document_is_follows_from_its_words_and_its_record(details, genre, kind):
    part = SubCorpus("Papers of Élise", 1, 1, 1, genre=genre)
    assert reference(letter(**details), {part.name: part}).kind is kind


def test_a_speech_of_hansard_is_a_debate():
    card = letter()
    assert reference(replace(card, provenance=replace(card.provenance, reader="hansard"))).kind is Kind.DEBATE


def test_the_fields_are_the_archive_s_own_words():
    people = {"Verfasser": "Meier, Karl", "Empfänger": "Huber"}
    papers = {"Signatur": "A 1", "Archiv": "StA", "Ort": "Köln", "Verlag": "Müller", "number": "7"}
    card = letter("V1", "Ein  Brief\n", "1887", **people, **papers)
    place = Provenance("a.csv", "2", digest("x"), "csv", "https://example.org/1", "CC-BY")
    found = reference(replace(card, provenance=place, language="de"))

    assert (found.title, found.shelfmark, found.archive, found.place) == ("Ein Brief", "A 1", "StA", "Köln")
    assert (found.publisher, found.issue, found.language) == ("Müller", "7", "de")
    assert (found.link, found.rights, found.container) == ("https://example.org/1", "CC-BY", "Papers of Élise")
    assert [name.written for name in (*found.authors, *found.recipients)] == ["Meier, Karl", "Huber"]
    assert found.mark == "A 1"
    assert reference(letter("V7")).mark == "V7"


def test_what_was_said_of_the_sub_corpus_stands_in_for_what_a_record_does_not_say():
    part = SubCorpus("Papers of Élise", 1, 1, 1, rights="in copyright", source="Archives municipales")
    found = reference(letter(), {part.name: part})
    assert (found.archive, found.rights) == ("Archives municipales", "in copyright")
    assert reference(letter(repository="BnF"), {part.name: part}).archive == "BnF"


def test_names_are_parted_by_semicolons():
    assert [name.natural for name in names_of("Meier, Karl; ; Foreign Office ;")] == ["Karl Meier", "Foreign Office"]
    assert names_of("") == ()


def test_no_title_leaves_the_identifier():
    assert reference(letter("V1", " \n")).title == "V1"


@pytest.mark.parametrize("name", TITLES)
def test_a_line_holds_nothing_that_a_form_cannot_carry(name):
    found = line(TITLES[name])
    assert found == line(found)
    assert not any(sign in found for sign in "\x00\x07\x1b\n\t\u2028\ud800\ufffe")
    assert lines("a\r\nb\rc\x00") == "a\nb\nc"


def test_the_note_names_document_date_decisions_and_list():
    known = Reference(
        DocumentId("V1"), Kind.LETTER, "A letter", when(dated("[1912?]")), rights="CC-BY", withheld="closed"
    )
    told = note_lines(known, Listing("survey", "run-1", "?", (known,)), 1)
    assert told[0] == "Vestigia document: V1"
    assert told[1] == "Date: [1912?] (EDTF 1912?)"
    assert told[-2:] == [
        "Text withheld: closed",
        "List: place 1 in survey of run run-1, 1 source; the texts of 1 are withheld (1 closed)",
    ]


def test_an_identifier_is_a_line_too():
    assert reference(letter("a\nb\x00c")).document == "a bc"
