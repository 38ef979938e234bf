"""Which column is what."""

import pytest

from vestigia.corpus.readers.mapping import Columns, Mappable, Place, written
from vestigia.corpus.readers.records import RecordsReader
from vestigia.corpus.readers.tables import TablesReader
from vestigia.domain.archive import Document
from vestigia.domain.errors import UsageError
from vestigia.domain.ids import digest
from vestigia.domain.periods import iso
from vestigia.domain.ports import Refused

KNOWN = Columns()
PLACE = Place("archive/letters.jsonl", "line 7", digest("line"), "jsonl")


def read(record: dict[str, object], columns: Columns = KNOWN, place: Place = PLACE) -> list[Document | Refused]:
    return list(columns.read(record, place))


def document(record: dict[str, object], columns: Columns = KNOWN, place: Place = PLACE) -> Document:
    (found,) = read(record, columns, place)
    assert isinstance(found, Document)
    return found


def test_the_layout_of_trace_and_historiqa_is_known():
    found = document(
        {
            "collection": "legaulois_1887_v1",
            "id": "18870112",
            "document": "La rentrée.",
            "year": 1887,
            "month": "01",
            "day": 12,
        }
    )
    assert found.id == "legaulois_1887_v1/18870112"
    assert found.sub_corpus == "legaulois_1887_v1"
    assert found.text == "La rentrée."
    assert iso(found.dates[0].first) == iso(found.dates[0].last) == "1887-01-12"
    assert found.details == ()


def test_the_layout_of_a_letter_collection_is_known():
    found = document(
        {
            "id": "L1",
            "source": "Korrespondenz Herzl",
            "title": "Herzl an Schnitzler",
            "date": "1885-05-29",
            "date_from": "1885-05-29",
            "date_to": "1885-05-29",
            "date_text": "29. 5. 1885",
            "sender": "Herzl",
            "date_certainty": "exact",
            "place": "Wien",
            "lang": "de-AT",
            "text": "Lieber Herr Doctor!",
        }
    )
    assert (found.id, found.sub_corpus, found.title) == ("L1", "Korrespondenz Herzl", "Herzl an Schnitzler")
    assert (found.language, found.dates[0].text) == ("de", "29. 5. 1885")
    assert found.details == (("sender", "Herzl"), ("place", "Wien"))


def test_the_layout_of_a_news_collection_is_known():
    found = document(
        {
            "id": "E1",
            "article_id": "A1",
            "source": "The Verge",
            "title": "Apple",
            "author": "Pierce",
            "date": "2023-09-26T17:01:22+00:00",
            "url": "https://example.org/a",
            "lang": "en",
            "text": "Apple.",
        }
    )
    assert found.sub_corpus == "The Verge"
    assert found.provenance.link == "https://example.org/a"
    assert found.details == (("article_id", "A1"), ("author", "Pierce"))


@pytest.mark.parametrize(
    ("column", "field"),
    [
        ("Volltext", "text"),
        ("full-text", "text"),
        ("Full Text", "text"),
        ("Texte", "text"),
        ("OCR_TEXT", "text"),
        ("Signatur", "id"),
        ("Titre", "title"),
        ("Datum", "date"),
        ("Année", "year"),
        ("Zeitung", "sub_corpus"),
        ("Langue", "language"),
        ("Permalink", "link"),
        ("Licence", "rights"),
        ("notBefore", "date_from"),
    ],
)
def test_common_names_are_known_whatever_their_case_and_spaces(column: str, field: str):
    assert Columns().assign([column]) == {field: column}


def test_of_two_columns_that_fit_the_plainer_name_is_taken_and_the_other_is_a_detail():
    found = document({"collection": "Fonds A", "text": "Oui.", "source": "AD Sarthe", "body": "Non."})
    assert (found.text, found.sub_corpus) == ("Oui.", "Fonds A")
    assert found.details == (("source", "AD Sarthe"), ("body", "Non."))


def test_the_users_mapping_wins_over_known_names():
    found = document({"text": "Regest", "Brief": "Lieber Freund!"}, Columns({"Brief": "text", "text": "details"}))
    assert found.text == "Lieber Freund!"
    assert found.details == (("text", "Regest"),)


def test_a_mapping_to_a_field_that_does_not_exist_is_refused_with_the_fields():
    with pytest.raises(UsageError, match="cannot be mapped to 'txt'") as caught:
        Columns({"Brief": "txt"})
    assert "text" in caught.value.remedy


def test_a_record_without_an_id_is_named_by_its_content():
    one = document({"text": "Oui."}, place=Place("a.jsonl", "line 1", digest("one"), "jsonl"))
    other = document({"text": "Oui."}, place=Place("b.jsonl", "line 9", digest("one"), "jsonl"))
    assert one.id == other.id
    assert len(one.id) == 16


def test_a_record_without_a_title_shows_its_id():
    assert document({"id": 7, "text": "Oui."}).title == "7"


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("archive/letters.csv", "letters"),
        ("pec/docs.jsonl", "pec"),
        ("docs.jsonl", ""),
        ("archive/Export.csv", "archive"),
    ],
)
def test_records_that_name_no_sub_corpus_are_called_after_their_file(file: str, expected: str):
    assert document({"text": "Oui."}, place=Place(file, "line 1", digest("x"), "csv")).sub_corpus == expected


def test_a_record_without_a_text_column_is_refused_and_its_columns_named():
    assert read({"id": "1", "note": "x"}) == [
        Refused(
            "line 7", "no column holds a text; the columns are: id, note. Say which one does: --column COLUMN=text."
        )
    ]


def test_a_record_without_the_column_that_was_mapped_is_refused():
    (refused,) = read({"id": "1", "text": "x"}, Columns({"Brief": "text"}))
    assert isinstance(refused, Refused)
    assert refused.reason.startswith("no column 'Brief'")


@pytest.mark.parametrize("text", ["", "  \n", None, []])
def test_a_record_without_text_is_refused(text: object):
    assert read({"id": "1", "text": text}) == [Refused("line 7", "the text (column 'text') is empty.")]


def test_an_impossible_date_leaves_the_document_undated_with_a_warning_that_names_the_line():
    found, warning = read({"id": "1", "text": "Oui.", "date": "1887-02-30"})
    assert isinstance(found, Document)
    assert isinstance(warning, Refused)
    assert found.dates == ()
    assert (warning.place, warning.kept) == ("line 7", True)
    assert warning.reason.endswith("the document goes in undated")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, ""),
        ("a", "a"),
        (["a", "b"], "a\n\nb"),
        (7, "7"),
        (True, "true"),
        ({"a": "é"}, '{"a": "é"}'),
        ([1, 2], "[1, 2]"),
    ],
)
def test_values_are_written_as_text(value: object, expected: str):
    assert written(value) == expected


def test_readers_of_records_can_be_told_a_mapping():
    for reader in (RecordsReader(), TablesReader()):
        assert isinstance(reader, Mappable)
        assert reader.with_mapping({"Brief": "text"}) == type(reader)(Columns({"Brief": "text"}))


def test_of_ten_thousand_columns_the_first_are_named():
    (refused,) = read({f"c{number}": "x" for number in range(10_000)})
    assert isinstance(refused, Refused)
    assert "c29 and 9970 more. Say which one does" in refused.reason
    assert len(refused.reason) < 300
