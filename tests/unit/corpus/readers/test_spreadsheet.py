"""Excel workbooks."""

import datetime
import io
import re
import sys
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.sources import source
from fakes.workbooks import PARTS
from fakes.workbooks import workbook as small
from vestigia.corpus.readers.spreadsheet import SpreadsheetReader
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.periods import label
from vestigia.domain.ports import Refused, Source

openpyxl = pytest.importorskip("openpyxl")

HEADER = ("id", "Titel", "Datum", "Volltext")
ROWS = (("1", "Brücke", "1887-03-11", "Über die Straße."), ("2", "Öl", "", "Früh."))


def workbook(*sheets: tuple[str, list[tuple[object, ...]]], change: Callable[[Any], None] | None = None) -> bytes:
    """A workbook of these sheets (title, rows), changed by `change` before it is saved."""
    made = openpyxl.Workbook()
    made.remove(made.active)
    for title, rows in sheets:
        sheet = made.create_sheet(title)
        for row in rows:
            sheet.append(row)
    if change:
        change(made)
    saved = io.BytesIO()
    made.save(saved)
    return saved.getvalue()


def table(*rows: tuple[object, ...], change: Callable[[Any], None] | None = None) -> Source:
    return source("letters/brief.xlsx", workbook(("Briefe", [HEADER, *rows]), change=change))


def read(given: Source, reader: Any = None) -> tuple[list[Document], list[Refused]]:
    found = list((reader or SpreadsheetReader()).read(given))
    return [one for one in found if isinstance(one, Document)], [one for one in found if isinstance(one, Refused)]


def dated(value: object, number_format: str, epoch: datetime.datetime | None = None) -> Document:
    """The document of a row whose date cell holds this value in this format."""

    def change(made: Any) -> None:
        made.worksheets[0]["C2"].number_format = number_format
        made.epoch = epoch or made.epoch

    (document,), notes = read(table(("1", "T", value, "Text."), change=change))
    assert notes == []
    return document


def test_a_row_is_a_document_and_names_its_sheet_and_row():
    (one, other), notes = read(table(*ROWS))
    assert (one.id, one.title, one.text, label(one.dates[0])) == ("1", "Brücke", "Über die Straße.", "1887-03-11")
    assert (one.provenance.record, one.provenance.reader) == ("sheet 'Briefe', row 2", "xlsx")
    assert (other.id, other.dates, notes) == ("2", (), [])


@pytest.mark.parametrize(("number_format", "expected"), [
    ("dd.mm.yyyy", "1987-05-04"), ("mmm yy", "1987-05"), ("[$-407]mmmm yyyy", "1987-05"), ("yyyy", "1987"),
    ("yyyy-mm-dd h:mm", "1987-05-04"), ('yyyy" n. Chr."', "1987"),
])  # fmt: skip
def test_a_date_cell_is_no_finer_than_its_format_shows(number_format: str, expected: str):
    date = dated(datetime.datetime(1987, 5, 4), number_format).dates[0]  # noqa: DTZ001 - Excel has no time zones
    assert label(date) == expected
    assert date.rule.startswith("Excel date: ")


def test_dates_typed_as_text_are_settled_by_the_others_of_the_sheet():
    documents, notes = read(table(("1", "T", "12/03/1904", "Ja."), ("2", "T", "25/12/1904", "Nein.")))
    assert [label(one.dates[0]) for one in documents] == ["1904-03-12", "1904-12-25"]
    assert ["the day is taken to stand first" in one.reason for one in notes] == [True]


def test_a_time_of_day_does_not_harm_the_day():
    document = dated(datetime.datetime(1987, 5, 4, 15, 30), "dd.mm.yyyy hh:mm")  # noqa: DTZ001
    assert label(document.dates[0]) == "1987-05-04"


def test_the_calendar_of_old_macintosh_workbooks_is_respected():
    day = datetime.datetime(1987, 5, 4)  # noqa: DTZ001
    assert label(dated(day, "dd.mm.yyyy", openpyxl.utils.datetime.MAC_EPOCH).dates[0]) == "1987-05-04"


def test_a_date_before_1900_is_a_text_in_excel_and_read_as_one():
    (document,), _ = read(table(("1", "T", "12. Januar 1887", "Text.")))
    assert label(document.dates[0]) == "1887-01-12"


@pytest.mark.parametrize("value", [1887, 1887.0, "1887"])
def test_a_year_as_a_number_is_a_year(value: object):
    (document,), _ = read(table(("1", "T", value, "Text.")))
    assert label(document.dates[0]) == "1887"


@pytest.mark.parametrize(("value", "number_format", "expected"), [
    (1887, "General", "1887"), (1887.0, "General", "1887"), (0.1 + 0.2, "General", "0.3"), (7, "0000", "0007"),
    (True, "General", "TRUE"), (-3, "General", "-3"), (1.5e20, "General", "150000000000000000000"),
    (datetime.time(8, 30), "h:mm", "08:30:00"), ("=SUM(", "@", "=SUM("),
])  # fmt: skip
def test_numbers_stand_as_they_are_written(value: object, number_format: str, expected: str):
    def change(made: Any) -> None:
        cell = made.worksheets[0]["B2"]
        cell.value, cell.number_format = value, number_format
        if isinstance(value, str):
            cell.data_type = "s"

    (document,), _ = read(table(("1", "", "", "Text."), change=change))
    assert document.title == expected


def test_a_column_of_bare_serials_is_read_as_dates_and_reported():
    (one, other), notes = read(table(("1", "a", 31778, "Text."), ("2", "b", 31800, "Text.")))
    assert [label(one.dates[0]), label(other.dates[0])] == ["1987-01-01", "1987-01-23"]
    assert (one.dates[0].text, one.dates[0].rule) == ("31778", "Excel date: parts")
    assert [note.place for note in notes] == ["sheet 'Briefe', row 1"]
    assert "Excel's serial numbers" in notes[0].reason


def test_bare_serials_of_a_macintosh_workbook_count_from_1904():
    def change(made: Any) -> None:
        made.epoch = openpyxl.utils.datetime.MAC_EPOCH

    (one,), _ = read(table(("1", "a", 30316, "Text."), change=change))
    assert label(one.dates[0]) == "1987-01-01"


def test_line_breaks_and_escaped_characters_in_cells_are_kept():
    (document,), _ = read(table(("1", "T", "", "Lieber_x000D_\nFreund,\r\nja_x005F_ja")))
    assert document.text == "Lieber\nFreund,\nja_ja"


def test_every_sheet_is_read_and_ids_that_begin_anew_are_told_apart_by_the_sheet():
    content = workbook(
        ("1887", [HEADER, *ROWS]), ("1888", [HEADER, ("1", "Tor", "1888", "Das Tor."), ("3", "", "", "x")])
    )
    documents, (note,) = read(source("a.xlsx", content))
    assert [document.id for document in documents] == ["1", "2", "1888/1", "3"]
    assert note == Refused(
        "sheet '1888'", "has ids of a sheet before it, such as '1'; here they are called '1888/1'", kept=True
    )


def test_empty_sheets_and_sheets_without_texts_are_told_and_the_others_go_in():
    content = workbook(("Leer", []), ("Orte", [("Ort", "Land"), ("Metz", "F")]), ("Briefe", [HEADER, *ROWS]))
    documents, (empty, other) = read(source("a.xlsx", content))
    assert len(documents) == 2
    assert empty == Refused("sheet 'Leer'", "the sheet is empty and is passed over", kept=True)
    assert (other.place, other.kept) == ("sheet 'Orte'", False)
    assert "the columns are: Ort, Land" in other.reason
    assert "--column" in other.reason


def test_lines_above_the_header_are_passed_over_and_told():
    content = workbook(("A", [("Verzeichnis der Briefe",), (), HEADER, *ROWS]))
    documents, (note,) = read(source("a.xlsx", content))
    assert [document.provenance.record for document in documents] == ["sheet 'A', row 4", "sheet 'A', row 5"]
    assert note == Refused(
        "sheet 'A', row 1", "stands above the header and is passed over: 'Verzeichnis der Briefe'", kept=True
    )


def test_a_hidden_sheet_is_read_and_told():
    def change(made: Any) -> None:
        made.worksheets[1].sheet_state = "hidden"

    documents, (note,) = read(
        source("a.xlsx", workbook(("A", [HEADER, ROWS[0]]), ("B", [HEADER, ROWS[1]]), change=change))
    )
    assert len(documents) == 2
    assert (note.place, note.reason) == ("sheet 'B'", "the sheet is hidden in Excel; it is read all the same")


def test_merged_cells_are_reported():
    def change(made: Any) -> None:
        for first in range(2, 7):
            made.worksheets[0].merge_cells(f"A{first}:B{first}")

    (document,), (note,) = read(table(("1", "", "", "Text."), change=change))
    assert document.text == "Text."
    assert re.search(r"cells are merged \(A\d:B\d, A\d:B\d, A\d:B\d and 2 more\); the value counts", note.reason)


def test_a_formula_without_a_stored_value_is_reported_and_counts_as_empty():
    (document,), (note,) = read(table(("1", '="Brief "&A2', "", "Text.")))
    assert document.title == "1"
    assert "formulas without a stored value count as empty (B2)" in note.reason


def rewritten(content: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    """The workbook with one part changed."""
    saved = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(saved, "w") as new:
        for name in old.namelist():
            new.writestr(name, change(old.read(name)) if name == part else old.read(name))
    return saved.getvalue()


SHEET = "xl/worksheets/sheet1.xml"


def test_a_formula_counts_by_its_stored_value():
    content = workbook(("A", [HEADER, ("1", "=1+1", "", "Text.")]))
    valued = rewritten(content, SHEET, lambda old: old.replace(b"<f>1+1</f><v></v>", b"<f>1+1</f><v>2</v>").replace(
        b"<f>1+1</f><v/>", b"<f>1+1</f><v>2</v>"))  # fmt: skip
    (document,), notes = read(source("a.xlsx", valued))
    assert (document.title, notes) == ("2", [])


def test_an_error_of_excel_counts_as_empty_and_is_reported():
    def change(made: Any) -> None:
        made.worksheets[0]["D2"].value, made.worksheets[0]["D2"].data_type = "#N/A", "e"

    documents, (note, refused) = read(table(("1", "a", "", "x"), change=change))
    assert documents == []
    assert (note.place, note.reason) == ("sheet 'Briefe', row 2", "the cell D2 holds #N/A and counts as empty")
    assert "is empty" in refused.reason


def test_a_date_cell_beyond_all_dates_is_reported():
    def change(made: Any) -> None:
        made.worksheets[0]["C2"].number_format = "dd.mm.yyyy"

    (document,), (note,) = read(table(("1", "a", 99999999, "Text."), change=change))
    assert document.dates == ()
    assert "the cell C2 holds #VALUE! and counts as empty" in note.reason


def test_a_wrong_dimension_hides_no_row():
    content = rewritten(workbook(("A", [HEADER, *ROWS])), SHEET,
                        lambda old: re.sub(rb'<dimension ref="[^"]*"', b'<dimension ref="A1"', old))  # fmt: skip
    assert len(read(source("a.xlsx", content))[0]) == 2


@pytest.mark.parametrize(("content", "reason"), [
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 99, "protected by a password"),
    (b"id,text\n1,x\n", "damaged or none at all"), (b"PK\x03\x04" + b"\0" * 99, "damaged or none at all"),
    (workbook(("A", [HEADER, *ROWS]))[:-200], "damaged or none at all"),
    (rewritten(workbook(("A", [HEADER, *ROWS])), SHEET, lambda old: old[:-99]), "damaged or none at all"),
    (rewritten(workbook(("A", [HEADER, *ROWS])), SHEET, lambda old: old[:300]), "damaged or none at all"),
    (workbook(("A", []), ("B", [])), "all sheets are empty"),
    (workbook(("A", []), ("B", [("Ort",), ("Metz",)])), "no column holds a text; the columns are: Ort"),
])  # fmt: skip
def test_what_is_no_workbook_or_holds_no_texts_is_refused_with_what_to_do(content: bytes, reason: str):
    with pytest.raises(SourceRefusedError, match=reason) as caught:
        read(source("folder/a.xlsx", content))
    assert "folder/a.xlsx" in caught.value.where
    assert caught.value.remedy


def test_a_row_number_beyond_excel_does_not_make_it_count_for_ever():
    content = rewritten(workbook(("A", [HEADER, ROWS[0], ROWS[1]])), SHEET,
                        lambda old: old.replace(b'<row r="3"', b'<row r="999999999999"'))  # fmt: skip
    documents, _ = read(source("a.xlsx", content))
    assert [document.id for document in documents] == ["1"]


def test_without_openpyxl_it_is_refused_with_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(SourceRefusedError, match="not installed") as caught:
        read(table())
    assert 'pip install "vestigia[office]"' in caught.value.remedy
    assert "CSV" in caught.value.remedy


@pytest.mark.parametrize("name", ["a.xls", "a.ods", "a.XLSB", "a.numbers"])
def test_other_kinds_of_workbook_are_recognised_and_refused_with_what_to_do(name: str):
    assert SpreadsheetReader().sniff(name, b"")
    with pytest.raises(SourceRefusedError, match="not read") as caught:
        read(source(name, b"x"))
    assert ".xlsx" in caught.value.remedy


def test_the_users_mapping_counts():
    given = source("a.xlsx", workbook(("A", [("Nr", "Brief"), (1, "Lieber Freund")])))
    (document,), _ = read(given, SpreadsheetReader().with_mapping({"Nr": "id", "Brief": "text"}))
    assert (document.id, document.text) == ("1", "Lieber Freund")


def test_it_says_how_it_understands_each_sheet():
    content = workbook(("Leer", []), ("A", [(*HEADER, "Ort"), (*ROWS[0], "Metz")]))
    (layout,) = SpreadsheetReader().layouts(source("a.xlsx", content))
    assert layout.part == "sheet 'A'"
    assert layout.columns == (
        ("id", "id"),
        ("Titel", "title"),
        ("Datum", "date"),
        ("Volltext", "text"),
        ("Ort", "details"),
    )


@given(data=st.data())
def test_a_workbook_with_damaged_parts_is_read_or_refused(data: st.DataObject):
    part = data.draw(st.sampled_from(sorted(PARTS)))
    content = bytearray(PARTS[part].encode())
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=4)):
        content[place] = data.draw(st.integers(32, 126))
    end = data.draw(st.sampled_from([len(content), len(content) // 2]))
    try:
        documents, refused = read(source("a.xlsx", small({part: bytes(content[:end])})))
        told = bool(documents or refused)
    except SourceRefusedError as error:
        told = "a.xlsx" in error.where and bool(error.remedy)
    assert told
