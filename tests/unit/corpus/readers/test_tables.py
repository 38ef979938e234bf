"""CSV and TSV."""

import pytest

from fakes.sources import source
from vestigia.corpus.readers.tables import TablesReader
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ports import Reader, Refused

READER = TablesReader()
ROWS = (("id", "Titel", "Datum", "Volltext"),
        ("1", "Brücke", "1887", "Über die Straße; schnell, ja."),
        ("2", "Öl", "", "Früh."))


def table(delimiter: str) -> str:
    return "".join(delimiter.join(f'"{cell}"' if delimiter in cell else cell for cell in row) + "\n" for row in ROWS)


def read(name: str, content: str | bytes, reader: Reader = READER) -> list[Document | Refused]:
    return list(reader.read(source(name, content)))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "mac_roman"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_spreadsheet_goes_in_whatever_its_encoding_and_delimiter(delimiter: str, encoding: str):
    one, other = (found for found in read("a.csv", table(delimiter).encode(encoding)) if isinstance(found, Document))
    assert isinstance(one, Document)
    assert isinstance(other, Document)
    assert (one.id, one.title, one.text) == ("1", "Brücke", "Über die Straße; schnell, ja.")
    assert (other.id, other.dates) == ("2", ())


def test_an_encoding_that_was_guessed_is_reported():
    warning, *_ = read("letters.csv", table(";").encode("cp1252"))
    assert warning == Refused("line 1", "the table is not UTF-8; it was read as cp1252", kept=True)


def test_a_line_break_inside_a_cell_is_kept_and_rows_are_named_by_their_first_line():
    one, other = read("a.csv", 'id,text\n1,"Lieber\nFreund"\n2,Ja\n')
    assert isinstance(one, Document)
    assert isinstance(other, Document)
    assert (one.text, one.provenance.record, other.provenance.record) == ("Lieber\nFreund", "line 2", "line 4")


def test_doubled_quotation_marks_are_one():
    (one,) = read("a.csv", 'id,text\n1,"Er sagte ""ja""."\n')
    assert isinstance(one, Document)
    assert one.text == 'Er sagte "ja".'


def test_a_short_row_has_empty_cells():
    (one,) = read("a.csv", "text,title,date\nOui.\n")
    assert isinstance(one, Document)
    assert one.dates == ()


def test_a_row_with_too_many_cells_is_refused_because_its_text_was_torn():
    refused, after = read("a.csv", "id,text\n1,Ja, aber nein\n2,Ja\n")
    assert refused == Refused("line 2", "the row has 3 cells but there are 2 columns. Put the text in quotation marks.")
    assert isinstance(after, Document)


def test_a_quotation_mark_that_is_never_closed_is_reported_not_swallowed():
    before, refused = read("a.csv", 'id,text\n1,Ja\n2,"Nein\n3,Doch\n')
    assert isinstance(before, Document)
    assert isinstance(refused, Refused)
    assert refused.place == "line 3"
    assert "quotation mark" in refused.reason


def test_blank_rows_are_passed_over():
    assert len(read("a.csv", "id,text\n\n , \n1,Ja\n")) == 1


def test_a_table_without_a_text_column_is_refused_and_its_columns_named():
    with pytest.raises(SourceRefusedError, match="the columns are: id, Regest") as caught:
        read("folder/a.csv", "id,Regest\n1,x\n")
    assert (caught.value.where, caught.value.remedy) == ("folder/a.csv", "Map one, as in COLUMN=text.")


def test_with_a_mapping_that_column_is_the_text():
    (one,) = read("a.csv", "id,Regest\n1,x\n", TablesReader().with_mapping({"Regest": "text"}))
    assert isinstance(one, Document)
    assert one.text == "x"


def test_two_columns_of_one_name_are_refused():
    with pytest.raises(SourceRefusedError, match="two columns are called 'text'"):
        read("a.csv", "text,text\na,b\n")


def test_columns_without_a_name_are_numbered():
    (one,) = read("a.csv", "text,,\nOui.,x,y\n")
    assert isinstance(one, Document)
    assert one.details == (("column 2", "x"), ("column 3", "y"))


def test_a_cell_may_hold_a_whole_book():
    (one,) = read("a.csv", f"id,text\n1,{'wort ' * 100_000}\n")
    assert isinstance(one, Document)
    assert len(one.text) == 500_000


def test_an_empty_table_is_refused():
    with pytest.raises(SourceRefusedError, match="empty"):
        read("a.csv", "\n\n")


def test_an_undecodable_table_is_refused():
    with pytest.raises(SourceRefusedError, match="without doubt"):
        read("a.csv", b"id,text\n1,freedom\xa1Xand\n")


@pytest.mark.parametrize(("name", "head", "expected"), [
    ("a.csv", b"id,text", True), ("A.TSV", b"", True), ("a.tab", b"", True), ("a.txt", b"id,text", False),
    ("a.csv", b"<html>", False),
])
def test_its_files_are_told_by_name(name: str, head: bytes, expected: bool):
    assert TablesReader().sniff(name, head) is expected
