"""Tables that people fill in: what every spreadsheet writes is read, nothing is written over, nothing is a formula."""

import re
import sys
from pathlib import Path

import openpyxl
import pytest

from vestigia.app import tables
from vestigia.domain.errors import ArchiveError, UsageError

COLUMNS = ("document", "text", "score")
ROWS = (
    {"document": "V1", "text": "Die Fähre, „gesprengt“;\nsagt er.", "score": ""},
    {"document": "-2", "text": "=1+1", "score": "7"},
)
CELLS = ("=1+1", "+1", "-1", "@x", "'=1", "Die", "'s Gravenhage", "1.2.1893", "007")


def told(path, *needed, columns=()):
    return [(line.place, dict(line.cells)) for line in tables.read(path, needed, columns)]


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("t.csv", ["line 3", "line 4"]),
        ("t.tsv", ["line 3", "line 4"]),
        ("t.xlsx", ["row 2", "row 3"]),
        ("T.XLSX", ["row 2", "row 3"]),
    ],
)
def test_what_was_written_comes_back_with_its_place(tmp_path, name, places):
    tables.write(tmp_path / name, COLUMNS, ROWS)
    assert told(tmp_path / name, "document") == list(zip(places, ROWS, strict=True))


@pytest.mark.parametrize("name", ["t.csv", "t.xlsx"])
def test_no_cell_is_carried_out_or_made_into_a_date_and_each_comes_back(tmp_path, name):
    tables.write(tmp_path / name, ("a",), [{"a": cell} for cell in CELLS])
    assert [line["a"] for line in tables.read(tmp_path / name, ("a",))] == list(CELLS)
    if name.endswith("xlsx"):
        written = [cell for (cell,) in openpyxl.load_workbook(tmp_path / name).active.iter_rows(min_row=2)]
        assert [cell.data_type for cell in written] == ["s"] * len(CELLS)
    else:
        assert not re.search(r"^[=+\-@]", (tmp_path / name).read_text(encoding="utf-8-sig"), re.MULTILINE)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("parted", [",", ";", "\t"])
def test_every_way_in_which_spreadsheets_save_text_is_read(tmp_path, encoding, parted):
    rows = [("Document", "Score "), ("Müller größer", "3"), ("", ""), ("Zürich", "")]
    text = "\r\n".join(parted.join(row) for row in rows)
    (tmp_path / "t.csv").write_bytes(text.encode(encoding))

    found = [("line 2", {"document": "Müller größer", "score": "3"}), ("line 4", {"document": "Zürich", "score": ""})]
    assert told(tmp_path / "t.csv", "document", "score") == found


def test_a_number_that_excel_made_of_a_score_is_the_score(tmp_path):
    book = openpyxl.Workbook()
    for row in (["document", "score"], [1887, 7.0], [None, None], ["V2", 3]):
        book.active.append(row)
    book.create_sheet("notes").append(["something else"])
    book.save(tmp_path / "t.xlsx")

    found = [("row 2", {"document": "1887", "score": "7"}), ("row 4", {"document": "V2", "score": "3"})]
    assert told(tmp_path / "t.xlsx", "score") == found


def test_a_workbook_under_another_name_is_read_as_one(tmp_path):
    tables.write(tmp_path / "t.xlsx", COLUMNS, ROWS)
    (tmp_path / "t.xlsx").rename(tmp_path / "t.csv")
    assert [line["document"] for line in tables.read(tmp_path / "t.csv", ("document",))] == ["V1", "-2"]


@pytest.mark.parametrize("name", ["t.csv", "t.xlsx"])
def test_a_file_that_is_there_is_left_as_it_is(tmp_path, name):
    (tmp_path / name).write_text("judged for three weeks", encoding="utf-8")
    with pytest.raises(UsageError, match="there is a file already"):
        tables.write(tmp_path / name, COLUMNS, ROWS)
    assert (tmp_path / name).read_text(encoding="utf-8") == "judged for three weeks"


@pytest.mark.parametrize("ending", [".ods", ".XLS", ".numbers"])
def test_no_file_is_written_that_its_name_says_it_is_not(tmp_path, ending):
    with pytest.raises(UsageError, match="not written as"):
        tables.write(tmp_path / f"t{ending}", COLUMNS, ROWS)
    assert not list(tmp_path.iterdir())


def test_a_text_longer_than_a_cell_of_excel_says_that_it_was_cut(tmp_path):
    tables.write(tmp_path / "t.xlsx", ("text",), [{"text": "x" * 40_000}, {"text": "bell\x07"}])
    cut, cleaned = (line["text"] for line in tables.read(tmp_path / "t.xlsx", ("text",)))
    assert (len(cut), cut.endswith("holds no more)"), cleaned) == (32_767, True, "bell")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "cannot be read"),
        (b"PK\x03\x04 but no workbook", "cannot be read"),
        (b"\x00\x01\x02\x03" * 9, "cannot be read"),
        (b"a,b\n1,2\n", "there is no column 'document'"),
    ],
)
def test_what_is_no_table_is_said(tmp_path, content, said):
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(UsageError, match=said) as caught:
        tables.read(tmp_path / "t.csv", ("document",), COLUMNS)
    assert caught.value.where == str(tmp_path / "t.csv")
    assert caught.value.remedy
    with pytest.raises(UsageError, match="no such file"):
        tables.read(tmp_path / "none.csv", ())


def test_of_columns_that_mean_the_same_one_will_do(tmp_path):
    (tmp_path / "t.csv").write_text("id,score\nV1,3\n", encoding="utf-8")
    assert [line["id"] for line in tables.read(tmp_path / "t.csv", (("document", "id"), "score"))] == ["V1"]
    with pytest.raises(UsageError, match="no column 'passage'"):
        tables.read(tmp_path / "t.csv", (("passage", "name"),))


def test_where_nothing_can_be_written_it_is_said(tmp_path):
    with pytest.raises(ArchiveError, match="the table cannot be written"):
        tables.write(tmp_path / "no" / "t.csv", COLUMNS, ROWS)


def test_without_openpyxl_a_workbook_is_refused_with_what_to_do(tmp_path, monkeypatch):
    tables.write(tmp_path / "there.xlsx", COLUMNS, ROWS)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(UsageError, match="openpyxl") as caught:
        tables.write(tmp_path / "t.xlsx", COLUMNS, ROWS)
    assert ".csv" in caught.value.remedy
    with pytest.raises(UsageError, match="openpyxl"):
        tables.read(tmp_path / "there.xlsx", ())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id,act,ID\n1,accept,2\n", "two columns are called 'id'"),
        ("id,act\n1,accept,so\n", "line 2: the row has 3 cells but there are 2 columns"),
        ('id,act\n"1,accept\n2,reject\n', "it cannot be read"),
    ],
)
def test_what_could_stand_in_two_places_is_refused(tmp_path, text, said):
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        tables.read(tmp_path / "t.csv", ("id",))


def test_a_cell_of_any_length_is_read(tmp_path):
    (tmp_path / "t.csv").write_text(f"id\n{'x' * 200_000}\n", encoding="utf-8")
    assert tables.read(tmp_path / "t.csv", ("id",))[0]["id"] == "x" * 200_000


@pytest.mark.parametrize("parted", [";", "|", "\t"])
def test_a_line_that_names_the_separator_is_no_row(tmp_path, parted):
    (tmp_path / "t.csv").write_text(f"sep={parted}\nid{parted}act\n1{parted}a, b, c\n", encoding="utf-8")
    (line,) = tables.read(tmp_path / "t.csv", ("id", "act"))
    assert (line["id"], line["act"], line.place) == ("1", "a, b, c", "line 3")


def test_an_error_of_excel_is_no_empty_cell(tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["id", "score"])
    book.active.append(["1", "#N/A"])
    book.active["B2"].data_type = "e"
    book.save(tmp_path / "t.xlsx")
    with pytest.raises(UsageError, match="B2 holds #N/A"):
        tables.read(tmp_path / "t.xlsx", ("id",))


def test_half_a_table_does_not_stay(tmp_path, monkeypatch):
    opened = Path.open

    def full(path, mode="r", *rest, **more):
        if mode != "xb":
            return opened(path, mode, *rest, **more)
        opened(path, mode).close()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(ArchiveError, match="No space left"):
        tables.write(tmp_path / "t.csv", COLUMNS, ROWS)
    assert list(tmp_path.iterdir()) == []


def test_columns_that_hold_something_and_are_not_read_are_named(tmp_path):
    (tmp_path / "t.csv").write_text("id,Grund,leer\n1,so,\n", encoding="utf-8")
    rows = tables.read(tmp_path / "t.csv", ("id",))
    assert tables.unread(rows, ("id",)) == ("Columns that were not read: grund.",)
    assert tables.unread(rows, ("id", "grund")) == ()
