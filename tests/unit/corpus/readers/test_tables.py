"""CSV and TSV."""

import re

import pytest

from fakes.sources import source
from vestigia.corpus.readers.tables import TablesReader
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.periods import label
from vestigia.domain.ports import Reader, Refused

READER = TablesReader()
ROWS = (
    ("id", "Titel", "Datum", "Volltext"),
    ("1", "Brücke", "1887", "Über die Straße; schnell, ja."),
    ("2", "Öl", "", "Früh."),
)


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


def test_a_short_row_has_empty_cells_and_short_rows_are_named_by_line():
    one, *_, ragged = read("a.csv", "text,title,date\nOui.\n" + "Non.,Titre,1887\n" + "Si.,T\n" * 6)
    assert isinstance(one, Document)
    assert one.dates == ()
    assert ragged == Refused(
        "lines 2, 4, 5, 6, 7 and 2 more",
        "has fewer cells than there are columns; those left out are taken as empty",
        kept=True,
    )


def test_empty_cells_beyond_the_header_as_excel_leaves_them_do_no_harm():
    (one,) = read("a.csv", "id;text\n1;Ja;;;\n")
    assert isinstance(one, Document)
    assert one.text == "Ja"


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
    assert refused.reason.endswith("1 further line went with it: what stands there was not read.")


def test_a_quotation_mark_that_is_open_says_how_many_lines_it_swallowed():
    before, refused, after = read("a.csv", 'id,text\n1,Ja\n2,"Nein\n3,Doch\n4,"Ach"\n5,So\n')
    assert (before.text, after.text) == ("Ja", "So")
    assert refused.place == "line 3"
    assert "2 further lines went with it" in refused.reason


def test_blank_rows_are_passed_over():
    assert len(read("a.csv", "id,text\n\n , \n1,Ja\n")) == 1


def test_a_table_without_a_text_column_is_refused_and_its_columns_named():
    with pytest.raises(SourceRefusedError, match="the columns are: id, Regest") as caught:
        read("folder/a.csv", "id,Regest\n1,x\n")
    assert caught.value.where == "folder/a.csv"
    assert "--column COLUMN=text" in caught.value.remedy
    assert "--column 3=text" in caught.value.remedy


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


def test_of_a_column_the_user_names_as_text_and_that_is_not_there_the_table_is_refused():
    with pytest.raises(SourceRefusedError, match="no column is called 'corps'; the columns are: id, text"):
        read("a.csv", "id,text\n1,x\n", TablesReader().with_mapping({"corps": "text"}))


def test_another_column_the_user_names_and_that_is_not_there_is_told():
    note, one = read("a.csv", "id,text\n1,x\n", TablesReader().with_mapping({"Datm": "date"}))
    assert note == Refused("line 1", "there is no column 'Datm', which --column names", kept=True)
    assert isinstance(one, Document)


def test_without_a_header_nothing_is_guessed_and_the_user_may_number_the_columns():
    content = "1;11.03.1887;Lieber Freund, ja, ja\n2;12.03.1887;Nein\n"
    with pytest.raises(SourceRefusedError, match=re.escape("the columns are: 1, 11.03.1887, Lieber Freund, ja, ja")):
        read("a.csv", content)
    one, other = read("a.csv", content, TablesReader().with_mapping({"1": "id", "2": "date", "3": "text"}))
    assert isinstance(one, Document)
    assert isinstance(other, Document)
    assert (one.id, label(one.dates[0]), one.text) == ("1", "1887-03-11", "Lieber Freund, ja, ja")
    assert one.provenance.record == "line 1"


def test_a_column_that_is_called_by_a_number_is_no_numbered_column():
    (one,) = read("a.csv", "1,2\na,Oui.\n", TablesReader().with_mapping({"2": "text", "1": "id"}))
    assert isinstance(one, Document)
    assert (one.id, one.text) == ("a", "Oui.")


@pytest.mark.parametrize("number", ["0", "99999", "-1", "²"])
def test_a_number_that_no_table_has_is_no_numbered_column(number: str):
    with pytest.raises(SourceRefusedError, match="no column is called"):
        read("a.csv", "a,b\n", TablesReader().with_mapping({number: "text"}))


def test_a_numbered_column_that_no_row_has_makes_every_row_empty_and_says_so():
    refused, _ = read("a.csv", "a,b\n", TablesReader().with_mapping({"7": "text"}))
    assert isinstance(refused, Refused)
    assert "'column 7') is empty" in refused.reason


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", [True, False])
def test_every_kind_of_line_end_is_read(end: str, last: bool):
    content = end.join(["id;text", "1;Ja", '2;"Zwei', 'Zeilen"']) + end * last
    one, other = read("a.csv", content.encode())
    assert isinstance(one, Document)
    assert isinstance(other, Document)
    assert (one.text, other.text.split()) == ("Ja", ["Zwei", "Zeilen"])


@pytest.mark.parametrize("cell", ["=1+1", "+33 1 42", "-", "- nein", "@lle", "=cmd|' /C calc'!A0", "'ja"])
def test_a_cell_is_kept_as_text_whatever_it_begins_with(cell: str):
    (one,) = read("a.csv", f"id\ttext\ttitle\n1\tJa\t{cell}\n")
    assert isinstance(one, Document)
    assert one.title == cell


def test_decimal_commas_do_not_make_the_comma_the_delimiter():
    (one,) = read("a.csv", "id;Breite;Höhe;text\n1;2,5;3,75;Ja, ja, ja, ja\n")
    assert isinstance(one, Document)
    assert one.details == (("Breite", "2,5"), ("Höhe", "3,75"))


def test_the_delimiter_of_unknown_columns_is_the_one_that_gives_rows_of_one_width():
    mapped = TablesReader().with_mapping({"1": "id", "2": "text"})
    (_, one) = read("a.csv", "7;Brief, von wem\n8;Lieber, lieber, Freund\n", mapped)
    assert isinstance(one, Document)
    assert one.text == "Lieber, lieber, Freund"


def test_the_line_in_which_excel_names_the_delimiter_is_heeded():
    (one,) = read("a.csv", "sep=;\r\nid;text\r\n1;a,b\r\n")
    assert isinstance(one, Document)
    assert (one.text, one.provenance.record) == ("a,b", "line 3")


def test_excels_unicode_text_is_a_table_under_the_name_of_a_text():
    content = table("\t").encode("utf-16")
    assert READER.sniff("letters.txt", content)
    assert [one.id for one in read("letters.txt", content) if isinstance(one, Document)] == ["1", "2"]


def test_unicode_text_is_a_table_when_its_first_cell_has_a_line_break_too():
    content = 'id\tVolltext\n1\t"Lieber\nFreund"\n'.encode("utf-16")
    assert READER.sniff("letters.txt", content)
    assert [one.text for one in read("letters.txt", content) if isinstance(one, Document)] == ["Lieber\nFreund"]


@pytest.mark.parametrize("price", ["12 €", "€ 12", "in €", "(€)", "12€", "£ 5"])
def test_a_price_does_not_cast_doubt_on_a_table_from_windows(price: str):
    note, row = read("a.csv", f"id;text;Preis\n1;Ein Haus;{price}\n".encode("cp1252"))
    assert note == Refused("line 1", "the table is not UTF-8; it was read as cp1252", kept=True)
    assert isinstance(row, Document)
    assert row.details == (("Preis", price),)


def test_utf16_without_a_mark_is_read_and_reported():
    note, *rows = read("a.csv", table(";").encode("utf-16-le"))
    assert note == Refused("line 1", "the table is not UTF-8; it was read as utf-16-le", kept=True)
    assert [one.title for one in rows if isinstance(one, Document)] == ["Brücke", "Öl"]


@pytest.mark.parametrize(
    ("dates", "labels"),
    [
        (("31778", "31800", ""), ["1987-01-01", "1987-01-23"]),
        (("31778.5", "31800,25", "9999"), ["1987-01-01", "1987-01-23", "1927-05-17"]),
        (("31778", "31809", "31837"), ["1987-01", "1987-02", "1987-03"]),
        (("31778", "32143", "32509"), ["1987", "1988", "1989"]),
    ],
)
def test_a_column_of_nothing_but_serials_is_read_as_dates_no_finer_than_all_of_them_say(
    dates: tuple[str, ...], labels: list[str]
):
    note, *rows = read("a.csv", "id;Datum;text\n" + "".join(f"{n};{date};x\n" for n, date in enumerate(dates)))
    assert isinstance(note, Refused)
    assert note.place == "line 1"
    assert "'Datum' holds Excel's serial numbers only" in note.reason
    found = [one.dates[0] for one in rows if isinstance(one, Document) and one.dates]
    assert [label(one) for one in found] == labels
    assert [one.text for one in found] == [date for date in dates if date]


@pytest.mark.parametrize("other", ["1887", "1987-01-01", "5. Mai 1887", "99999", "12"])
def test_a_column_with_one_other_value_is_not_read_as_serials(other: str):
    one, warning, *_ = read("a.csv", f"id,date,text\n1,31778,x\n2,{other},y\n")
    assert isinstance(one, Document)
    assert one.dates == ()
    assert warning == Refused("line 2", "the date '31778' cannot be read; the document goes in undated", kept=True)


def test_the_whole_column_counts_not_only_its_beginning():
    rows = "".join(f"{n},31778,x\n" for n in range(1000))
    read_all = read("a.csv", f"id,date,text\n{rows}1000,1887,y\n")
    assert [label(one.dates[0]) for one in read_all if isinstance(one, Document) and one.dates] == ["1887"]


@pytest.mark.parametrize("years", [("1887", "1888"), ("2026", "1999")])
def test_years_are_years(years: tuple[str, ...]):
    rows = read("a.csv", "id,date,text\n" + "".join(f"{n},{year},x\n" for n, year in enumerate(years)))
    assert [label(one.dates[0]) for one in rows if isinstance(one, Document)] == list(years)


def test_a_number_in_another_column_is_no_date():
    (one,) = read("a.csv", "id,number,text\n1,31778,x\n")
    assert isinstance(one, Document)
    assert (one.dates, one.details) == ((), (("number", "31778"),))


def test_a_table_that_breaks_off_inside_a_character_is_refused():
    with pytest.raises(SourceRefusedError, match="breaks off inside a character"):
        read("a.csv", "id,text\n1,déjà\n2,où".encode()[:-1])
    with pytest.raises(SourceRefusedError, match="breaks off inside a character"):
        read("a.csv", "id,text\n1,ja\n".encode("utf-16")[:-1])


def test_it_says_how_it_understands_the_file():
    (layout,) = READER.layouts(source("a.csv", "Cote;Texte;Ort\n1;Ja;Metz\n".encode("utf-8-sig")))
    assert (layout.part, layout.encoding, layout.delimiter) == ("", "utf-8-sig", ";")
    assert layout.columns == (("Cote", "id"), ("Texte", "text"), ("Ort", "details"))


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("a.txt", b"id\ttext\n1\tOui.", True),
        ("a.txt", b"id\ttext\n1", False),
        ("a.txt", b"un\tdeux\n1\t2", False),
        ("a.csv", b"id,text", True),
        ("A.TSV", b"", True),
        ("a.tab", b"", True),
        ("a.txt", b"id,text", False),
        ("a.csv", b"<html>", False),
    ],
)
def test_its_files_are_told_by_name(name: str, head: bytes, expected: bool):
    assert TablesReader().sniff(name, head) is expected
