"""Parquet."""

import datetime
import decimal
import io
import sys
from pathlib import Path
from typing import Any

import pytest

from fakes.sources import source
from vestigia.corpus.readers.parquet import ParquetReader
from vestigia.corpus.sources import FileSource
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.periods import label
from vestigia.domain.ports import Refused, Source

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

ROWS: dict[str, Any] = {"id": ["1", "2"], "text": ["Où êtes-vous?", "Ici."], "date": ["1887-01-12", None]}


def written(columns: dict[str, Any], **options: Any) -> bytes:
    saved = io.BytesIO()
    parquet.write_table(arrow.table(columns), saved, **options)
    return saved.getvalue()


def table(columns: dict[str, Any]) -> Source:
    return source("letters/brief.parquet", written(columns))


def read(given: Source, reader: Any = None) -> tuple[list[Document], list[Refused]]:
    found = list((reader or ParquetReader()).read(given))
    return [one for one in found if isinstance(one, Document)], [one for one in found if isinstance(one, Refused)]


def details(value: object, kind: Any = None) -> dict[str, str]:
    """The details of a document of which one column holds this value."""
    (document,), _ = read(table({"id": ["1"], "text": ["x"], "other": arrow.array([value], kind)}))
    return dict(document.details)


def test_a_row_is_a_document_and_knows_its_number():
    (one, other), notes = read(table(ROWS))
    assert (one.id, one.text, label(one.dates[0])) == ("1", "Où êtes-vous?", "1887-01-12")
    assert (one.provenance.record, one.provenance.reader) == ("row 1", "parquet")
    assert (other.id, other.dates, notes) == ("2", (), [])


def test_it_is_the_same_from_the_disk(tmp_path: Path):
    (tmp_path / "a.parquet").write_bytes(written(ROWS))
    assert [one.id for one in read(FileSource(tmp_path / "a.parquet", "a.parquet"))[0]] == ["1", "2"]


def test_many_rows_come_in_their_order_over_all_batches():
    rows = {"id": [str(n) for n in range(1000)], "text": [f"Lettre {n}." for n in range(1000)]}
    documents, _ = read(source("a.parquet", written(rows, row_group_size=300)))
    assert [document.id for document in documents] == rows["id"]


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        (1887, None, "1887"),
        (1887.0, None, "1887"),
        (0.5, None, "0.5"),
        (True, None, "true"),
        (datetime.date(1887, 1, 12), None, "1887-01-12"),
        (datetime.time(8, 30), None, "08:30:00"),
        (datetime.timedelta(days=2), None, "2 days, 0:00:00"),
        (decimal.Decimal("1.50"), None, "1.50"),
        (b"\xc3\xa9t\xc3\xa9", None, "été"),
        (["a", "b"], None, "a\n\nb"),
        ([{"n": 1, "d": datetime.date(1887, 1, 12)}], None, '[{"n": 1, "d": "1887-01-12"}]'),
        ([b"\xff\xfe"], None, "(2 bytes)"),
        ([("k", 1)], arrow.map_(arrow.string(), arrow.int64()), '[["k", 1]]'),
    ],
)
def test_values_are_written_as_they_are_and_nested_ones_as_json(value: object, kind: Any, expected: str):
    assert details(value, kind) == {"other": expected}


@pytest.mark.parametrize("value", [None, float("nan"), ""])
def test_a_missing_value_is_missing(value: object):
    assert details(value, arrow.float64() if value != "" else None) == {}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (datetime.date(1887, 1, 12), "1887-01-12"),
        (datetime.datetime(1887, 1, 12, 8), "1887-01-12"),  # noqa: DTZ001
        (1887, "1887"),
        (1887.0, "1887"),
    ],
)
def test_dates_of_every_type_are_read(value: object, expected: str):
    (document,), _ = read(table({"text": ["x"], "date": [value]}))
    assert label(document.dates[0]) == expected


def test_structures_become_columns_named_with_a_point_that_can_be_mapped():
    given = table({"text": ["x"], "letter": [{"sender": "Vautrin", "sent": {"when": "1887"}}]})
    (document,), _ = read(given)
    assert document.details == (("letter.sender", "Vautrin"), ("letter.sent.when", "1887"))
    (document,), _ = read(given, ParquetReader().with_mapping({"letter.sent.when": "date"}))
    assert label(document.dates[0]) == "1887"


def test_a_list_of_texts_is_a_text_of_paragraphs():
    (document,), _ = read(table({"text": [["Un.", "Deux."]]}))
    assert document.text == "Un.\n\nDeux."


def test_texts_kept_as_a_dictionary_or_as_bytes_are_texts():
    coded = arrow.array(["Un.", "Un."]).dictionary_encode()
    assert [one.text for one in read(table({"id": ["1", "2"], "text": coded}))[0]] == ["Un.", "Un."]
    assert read(table({"text": [b"\xc3\xa9t\xc3\xa9"]}))[0][0].text == "été"


def test_bytes_that_are_no_text_are_left_out_and_told():
    documents, notes = read(table({"id": ["1", "2"], "text": ["a", "b"], "image": [b"\xff\xd8", b"\xff\xd9"]}))
    assert [document.details for document in documents] == [(), ()]
    told = "the column 'image' holds bytes that are no text in 2 rows; they are left out"
    assert notes == [Refused("column image", told, kept=True)]


def test_an_empty_text_is_refused_with_its_row_and_the_rest_goes_in():
    documents, (refused,) = read(table({"id": ["1", "2"], "text": [None, "b"]}))
    assert [document.id for document in documents] == ["2"]
    assert (refused.place, refused.kept) == ("row 1", False)


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"id": ["1"], "regest": ["x"]}, "no column holds a text; the columns are: id, regest"),
        ({"text": [[{"n": 1}]]}, "holds list<element: struct<n: int64>>, not text"),
        ({"text": [7]}, "holds int64, not text"),
        ({"text": [{"body": "x"}]}, "no column holds a text; the columns are: text.body"),
    ],
)
def test_without_a_column_of_texts_it_is_refused_with_what_to_do(columns: dict[str, Any], reason: str):
    with pytest.raises(SourceRefusedError) as caught:
        read(table(columns))
    assert reason in caught.value.what
    assert "--column COLUMN=text" in caught.value.remedy
    assert caught.value.where == "letters/brief.parquet"


def test_a_column_the_user_names_and_that_is_not_there_is_told():
    with pytest.raises(SourceRefusedError, match="no column is called 'corps'"):
        read(table(ROWS), ParquetReader().with_mapping({"corps": "text"}))


@pytest.mark.parametrize("content", [b"PAR1", b"PAR1" + b"x" * 99, written(ROWS)[:-9], b"PAR1" + b"\0" * 500 + b"PAR1"])
def test_a_damaged_file_is_refused_with_what_to_do(content: bytes):
    with pytest.raises(SourceRefusedError, match="damaged or no Parquet file") as caught:
        read(source("a.parquet", content))
    assert caught.value.where == "a.parquet"


def test_a_damaged_page_is_refused():
    content = bytearray(written(ROWS, compression="gzip"))
    content[40:60] = b"\xff" * 20
    with pytest.raises(SourceRefusedError, match="damaged or no Parquet file"):
        read(source("a.parquet", bytes(content)))


@pytest.mark.parametrize("module", ["pyarrow", "pyarrow.parquet"])
def test_without_pyarrow_it_is_refused_with_what_to_install(module: str, monkeypatch: pytest.MonkeyPatch):
    given = table(ROWS)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(SourceRefusedError, match="not installed") as caught:
        read(given)
    assert 'pip install "vestigia[parquet]"' in caught.value.remedy


def test_it_says_how_it_understands_the_file():
    (layout,) = ParquetReader().layouts(table(ROWS | {"sender": ["V", "W"]}))
    assert layout.columns == (("id", "id"), ("text", "text"), ("date", "date"), ("sender", "details"))


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("a.parquet", b"", True),
        ("A.PQ", b"", True),
        ("a.bin", b"PAR1", True),
        ("a.csv", b"id,text", False),
    ],
)
def test_its_files_are_told_by_name_or_content(name: str, head: bytes, expected: bool):
    assert ParquetReader().sniff(name, head) is expected
