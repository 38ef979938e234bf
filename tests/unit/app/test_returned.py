"""Rows as they come back from a spreadsheet, Zotero and Tropy: what names the document, what is said of it."""

import io
from dataclasses import replace

import openpyxl
import pytest

from fakes.exports import TITLES, filled, hostile, letter
from vestigia.app.citations import Style
from vestigia.app.exporting import FORMS
from vestigia.app.references import Listing, line
from vestigia.app.returned import Row, read_rows
from vestigia.domain.errors import UsageError, VestigiaError


def read(tmp_path, name: str, content: str | bytes) -> list[Row]:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_rows(path)


@pytest.mark.parametrize("form", ["csv", "xlsx", "ris", "tropy"])
def test_a_hostile_list_is_known_again_and_says_nothing_of_its_own(tmp_path, form):
    listing = hostile()
    rows = read(tmp_path, f"list{FORMS[form].endings[0]}", FORMS[form].render(listing, Style.CHICAGO))

    assert [row.names[0] for row in rows] == [source.document for source in listing.sources]
    assert not [row for row in rows if row.decision or row.reason or row.notes]
    odd = {"long"} if form in {"csv", "ris"} else {"long", "guarded"}  # what Excel cuts; an apostrophe of its own
    titles = {row.names[0]: row.title for row in rows if row.names[0] in TITLES.keys() - odd}
    assert titles == {name: line(title) for name, title in TITLES.items() if name not in odd}
    assert all(row.tags == ("bridge", "50 % & more") for row in rows[:-1])


COMMAS = """\ufeffdocument,decision,reason,note,tag
V1,Accept,,"see
below",bridge; war

'=V2,reject,off topic,,
"""
SEMICOLONS = """Document;ACT;Reason;Note;Tag
V1;accept;;"see
below";bridge;;
;;;;
'=V2;reject;off topic;;
"""


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", COMMAS.replace("\n", "\r\n")),
        ("a.csv", SEMICOLONS),
        ("a.tsv", SEMICOLONS.replace(";", "\t")),
    ],
)
def test_a_table_names_each_row_by_the_line_it_ends_on(tmp_path, name, content):
    first, second = read(tmp_path, name, content)
    assert first.where == f"{tmp_path / name}, line 3"
    assert (first.names, first.decision, first.notes) == (("V1",), "accept", ("see below",))
    assert first.tags[:1] == ("bridge",)
    assert second.where == f"{tmp_path / name}, line 5"
    assert (second.names, second.decision, second.reason) == (("=V2",), "reject", "off topic")


def test_zotero_s_own_table_is_known_by_call_number_and_link(tmp_path):
    row = read(
        tmp_path,
        "Library.csv",
        '"Key","Title","Url","Archive Location","Call Number","Notes","Manual Tags"\n'
        '"ABCD","A letter","https://e.example/1","AM 5","V1","<p>My own &amp; note</p>",'
        '"bridge; vestigia:reject=off topic"\n',
    )[0]
    assert row.names == ("https://e.example/1", "AM 5", "V1")
    assert (row.title, row.decision, row.reason) == ("A letter", "reject", "off topic")
    assert (row.notes, row.tags) == (("My own & note",), ("bridge",))


@pytest.mark.parametrize(
    "content",
    ["TY  - GEN\nCN  - V1\nER  - \nTY  - GEN\nCN  - V2\nKW  - vest", "\n\n\nTY  - GEN\nTY  - GEN\nCN  - V2\nER  - \n"],
)
def test_a_ris_of_which_a_record_has_no_end_is_refused_with_its_line(tmp_path, content):
    with pytest.raises(UsageError, match=r"a\.ris, line 4: the record that begins there has no end"):
        read(tmp_path, "a.ris", content)


def test_zotero_s_own_ris_is_read_with_its_mark_up(tmp_path):
    rows = read(
        tmp_path,
        "zotero.ris",
        "TY  - PCOMM\r\nTI  - A letter\r\nAU  - Colby, Harriet\r\nUR  - https://e.example/1\r\nCN  - V1\r\n"
        "N1  - <p>Vestigia document: V1<br/>Date: c. 1890</p>\r\nN1  - <p>Mine &amp; yours</p>\r\n<p>second</p>\r\n"
        "KW  - bridge\r\nKW  - vestigia:accepted\r\nKW  - vestigia:accept\r\nER  - \r\n\r\n"
        "TY  - BOOK\r\nTI  - Another\r\nKW  - war\r\npeace\r\nER  -\r\n",
    )
    assert rows[0].names == ("V1", "https://e.example/1")
    assert (rows[0].decision, rows[0].tags, rows[0].notes) == ("accept", ("bridge",), ("Mine & yours second",))
    assert rows[1] == Row(f"{tmp_path / 'zotero.ris'}, line 14", (), "Another", tags=("war", "peace"))


@pytest.mark.parametrize(
    ("tag", "decision", "reason", "kept"),
    [
        ("vestigia:accept", "accept", "", ()),
        ("Vestigia:Reject=off topic", "reject", "off topic", ()),
        ("vestigia:flag", "flag", "", ()),
        ("vestigia:hold", "hold", "", ()),
        ("vestigia:accepted", "", "", ()),
        ("vestigia:undecided", "", "", ()),
        ("my vestigia:accept", "", "", ("my vestigia:accept",)),
    ],
)
def test_a_tag_decides_only_when_it_is_an_order(tmp_path, tag, decision, reason, kept):
    row = read(tmp_path, "a.ris", f"TY  - GEN\nCN  - V1\nKW  - {tag}\nER  - \n")[0]
    assert (row.decision, row.reason, row.tags) == (decision, reason, kept)


def test_the_identifier_in_our_note_is_enough(tmp_path):
    written = FORMS["ris"].render(Listing("survey", "r", "?", (filled(letter("a; b", "T")),)), Style.CHICAGO).decode()
    row = read(tmp_path, "a.ris", written.replace("CN  - a; b\r\n", ""))[0]
    assert row.names == ("a; b",)


def test_a_workbook_that_was_saved_by_excel_holds_numbers_and_empty_cells(tmp_path):
    book = openpyxl.Workbook()
    for row in (["document", "decision", "note"], [17, "accept", None], [None, None, None], ["V1", None, 3.5]):
        book.active.append(row)
    saved = io.BytesIO()
    book.save(saved)
    first, second = read(tmp_path, "a.xlsx", saved.getvalue())
    assert (first.names, first.decision, first.where) == (("17",), "accept", f"{tmp_path / 'a.xlsx'}, row 2")
    assert (second.names, second.notes, second.where) == (("V1",), ("3.5",), f"{tmp_path / 'a.xlsx'}, row 4")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.csv", "name,act\nV1,accept\n", "names no column `document`"),
        ("a.csv", "", "the file is empty"),
        ("a.bib", "@misc{V1}", "none of CSV, TSV, XLSX and RIS"),
        ("a.xlsx", b"PK\x03\x04 broken", "the workbook is damaged or none at all"),
    ],
)
def test_a_file_that_is_no_such_list_is_refused(tmp_path, name, content, said):
    with pytest.raises(VestigiaError, match=said):
        read(tmp_path, name, content)
    with pytest.raises(UsageError, match="no such file"):
        read_rows(tmp_path / "none.csv")
    assert read(tmp_path, "empty.ris", "nothing of a record\n\n") == []


def test_a_tag_may_hold_what_parts_tags_elsewhere(tmp_path):
    found = replace(filled(letter("V1")), tags=("Paris, Texas", "war; peace"))
    for form in ("csv", "xlsx", "ris"):
        written = FORMS[form].render(Listing("survey", "r", "?", (found,)), Style.CHICAGO)
        assert read(tmp_path, f"a.{form}", written)[0].tags == ("Paris, Texas", "war; peace")
    assert read(tmp_path, "b.csv", 'id,tag\nV1,"Paris, Texas; war"\n')[0].tags == ("Paris, Texas", "war")


def test_an_identifier_that_excel_rewrote_is_known_by_its_passage(tmp_path):
    written = (
        FORMS["csv"].render(Listing("survey", "r", "?", (filled(letter("0012")),)), Style.CHICAGO).decode("utf-8-sig")
    )
    assert "\r\n0012," in written
    row = read(tmp_path, "a.csv", written.replace("\r\n0012,", "\r\n12,"))[0]
    assert row.names[:2] == ("0012", "12")
