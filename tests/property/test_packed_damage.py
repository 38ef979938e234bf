"""Formats whose text lies packed (zip, workbook, Parquet): damage before and after packing is read or refused.

A flipped byte in a packed file mostly meets the check sum. So the parts are damaged, too, and packed anew: then the
reader itself must cope.
"""

import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.parquet import table
from fakes.sources import source
from fakes.workbooks import PARTS, workbook
from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.importing import ImportReport, import_path
from vestigia.corpus.readers.parquet import ParquetReader
from vestigia.corpus.readers.spreadsheet import SpreadsheetReader
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ports import Reader, Refused

SHEET = "xl/worksheets/sheet1.xml"
MEMBERS = {
    "a/1.txt": "Un pont.",
    "a/2.xml": "<TEI><text><body><p>Deux ponts.</p></body></text></TEI>",
    "b.csv": "id,text\n3,Trois ponts.\n",
}
WORDS = ("alpha", "beta", "gamma", "delta")


def flipped(content: bytes, data: st.DataObject) -> bytes:
    """Flip some bytes, then cut."""
    broken = bytearray(content)
    for place in data.draw(st.lists(st.integers(0, len(broken) - 1), max_size=6)):
        broken[place] = data.draw(st.integers(0, 255))
    return bytes(broken[: data.draw(st.one_of(st.just(len(broken)), st.integers(0, len(broken))))])


def outcome(reader: Reader, content: bytes) -> list[Document | Refused]:
    """Read it; a refusal of the whole file is one refusal."""
    try:
        found = reader.read(source(f"a.{reader.name}", content))
        return [one for one in found if isinstance(one, Document | Refused)]
    except SourceRefusedError as error:
        return [Refused(error.where, error.what)]


@given(st.data())
def test_a_workbook_with_a_damaged_part_gives_rows_or_the_reason_why_not(data: st.DataObject):
    part = data.draw(st.sampled_from(sorted(PARTS)))
    found = outcome(SpreadsheetReader(), workbook({part: flipped(PARTS[part].encode(), data)}))
    assert found
    assert all(one.reason if isinstance(one, Refused) else one.text.strip() for one in found)


@given(st.integers(0, len(PARTS[SHEET].encode())))
def test_of_a_sheet_that_was_cut_every_row_goes_in_or_the_loss_is_told(cut: int):
    found = outcome(SpreadsheetReader(), workbook({SHEET: PARTS[SHEET].encode()[:cut]}))
    texts = [one.text for one in found if isinstance(one, Document)]
    assert texts == ["Mon cher ami.", "Oui."] or any(isinstance(one, Refused) and not one.kept for one in found)


@given(st.permutations(WORDS), st.integers(0, 3))
def test_rows_of_a_sheet_in_any_order_all_go_in(words: list[str], blank: int):
    rows = "".join(
        f'<row r="{number + 2}"><c r="A{number + 2}"><v>{number}</v></c>'
        f'<c r="B{number + 2}" t="inlineStr"><is><t>{"" if number == blank else word}</t></is></c></row>'
        for number, word in enumerate(words)
    )
    head = PARTS[SHEET][: PARTS[SHEET].index('<row r="2">')]
    found = outcome(SpreadsheetReader(), workbook({SHEET: f"{head}{rows}</sheetData></worksheet>".encode()}))
    assert [one.text for one in found if isinstance(one, Document)] == [*words[:blank], *words[blank + 1 :]]
    assert [one.place for one in found if isinstance(one, Refused)] == [f"sheet 'Briefe', row {blank + 2}"]


@given(st.data())
def test_a_damaged_parquet_file_gives_rows_or_the_reason_why_not(data: st.DataObject):
    whole = table(id=["1", "2"], text=["Où êtes-vous?", "Ici."], date=["1887-01-12", "1888"])
    found = outcome(ParquetReader(), flipped(whole, data))
    assert found
    assert all(one.reason if isinstance(one, Refused) else one.text.strip() for one in found)


def test_a_parquet_file_of_which_no_row_comes_out_is_refused():
    broken = bytearray(table(id=["1", "2"], text=["Où êtes-vous?", "Ici."], date=["1887-01-12", "1888"]))
    broken[38] = 0  # hypothesis found it: the file is opened, says that it has two rows, and gives none
    (refused,) = outcome(ParquetReader(), bytes(broken))
    assert isinstance(refused, Refused)


def packed(members: dict[str, bytes]) -> bytes:
    saved = io.BytesIO()
    with zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return saved.getvalue()


def added(folder: Path, content: bytes) -> ImportReport:
    """Import an archive into an empty catalogue."""
    path = folder / "p.zip"
    path.write_bytes(content)
    catalogue = Catalogue(Path(":memory:"))
    try:
        return import_path(catalogue, path)
    finally:
        catalogue.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("packed")


@given(data=st.data())
def test_of_a_damaged_zip_archive_each_file_goes_in_or_is_told_or_the_archive_is_refused(
    folder: Path, data: st.DataObject
):
    whole = packed({name: text.encode() for name, text in MEMBERS.items()})
    report = added(folder, flipped(whole, data))
    assert report.files
    for one in report.files:
        assert one.documents or one.failure or one.refused or one.skipped
        assert "Traceback" not in one.failure


@given(name=st.sampled_from(sorted(MEMBERS)), data=st.data())
def test_a_member_that_was_damaged_before_it_was_packed_leaves_its_neighbours_whole(
    folder: Path, name: str, data: st.DataObject
):
    members = {one: text.encode() for one, text in MEMBERS.items()}
    report = added(folder, packed(members | {name: flipped(members[name], data)}))
    told = {one.file.partition("p.zip/")[2]: one for one in report.files}
    assert told.keys() == MEMBERS.keys()
    assert all(told[one].documents == 1 for one in MEMBERS if one != name)
    assert told[name].documents or told[name].failure or told[name].refused


@given(st.permutations(sorted(MEMBERS)))
def test_members_in_any_order_all_go_in_once(folder: Path, order: list[str]):
    report = added(folder, packed({name: MEMBERS[name].encode() for name in order}))
    assert sorted(one.file.partition("p.zip/")[2] for one in report.files) == sorted(MEMBERS)
    assert report.total("documents") == len(MEMBERS)
