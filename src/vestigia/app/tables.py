"""Tables that people fill in, as spreadsheets keep them: CSV, TSV or Excel. None is written over another.

A cell that a spreadsheet would carry out as a formula is written as text; what stands before it then is taken off when
the table comes back.
"""

import csv
import importlib
import io
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vestigia.app.cells import guarded, unguarded
from vestigia.corpus.encodings import decode
from vestigia.corpus.readers import workbooks
from vestigia.corpus.sources import MEGABYTE, FileSource
from vestigia.domain.errors import ArchiveError, SourceRefusedError, UsageError
from vestigia.domain.ports import Refused

WORKBOOK = ".xlsx"
OTHERS = {".xls", ".xlsm", ".xlsb", ".ods", ".numbers"}
LONGEST = 32_767
"""Characters that a cell of Excel holds."""
CUT = " […] (cut: a cell of Excel holds no more)"
_SAVE_AS = "Save the table as .xlsx, or as CSV in UTF-8."
_UNWRITABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_SEPARATOR = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)
"""What Excel reads, and some programs write, before the line that names the columns."""
_ZIP = b"PK\x03\x04"
_WIDTHS = {"title": 40, "text": 90, "argument": 50, "note": 40}


@dataclass(frozen=True, slots=True)
class Line:
    """A row that is not empty: where it stands in the file, and its cells by column, in small letters."""

    place: str
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        """The cell of a column, without space round it; empty where there is none."""
        return self.cells.get(column, "")


def write(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> None:
    """Write a table, as a workbook where the name ends in `.xlsx`, else as CSV (`.tsv`: parted by tabs).

    Raises UsageError where there is a file already, or for another kind; ArchiveError where it cannot be written.
    """
    fresh(path)
    filled = [[guarded(row.get(column, "")) for column in columns] for row in rows]
    content = _workbook(path, columns, filled) if _is_workbook(path) else _csv(path, columns, filled)
    try:
        with path.open("xb") as file:
            file.write(content)
    except FileExistsError:
        fresh(path)
    except OSError as error:
        with suppress(OSError):
            path.unlink()  # half a table is none, and would stand in the way of the next
        remedy = "Check rights and free space."
        raise ArchiveError(
            f"the table cannot be written ({error.strerror}).", where=str(path), remedy=remedy
        ) from error


def fresh(path: Path) -> None:
    """Raise UsageError where a table would be written over a file, or is of a kind that is not written."""
    if path.suffix.casefold() in OTHERS:
        raise UsageError(
            f"tables are not written as {path.suffix}.", where=str(path), remedy="Name one ending in .csv or .xlsx."
        )
    if path.exists():
        raise UsageError("there is a file already.", where=str(path), remedy="Name another, or move it away.")


def read(path: Path, needed: Sequence[str | Sequence[str]], columns: Sequence[str] = ()) -> tuple[Line, ...]:
    """Read a table as spreadsheets write it, in whichever encoding, parted by whatever; of a workbook the first sheet.

    Raises UsageError where it cannot be read, or where a column that is `needed`, or each of several that would do, is
    missing; `columns`, all that it may have, are then named.
    """
    rows = rows_of(path)
    names = [name.strip().casefold() for name in rows[0][1]] if rows else []
    for one in needed:
        column, *others = (one,) if isinstance(one, str) else one
        if not {column, *others} & set(names):
            told = f" Its columns: {', '.join(columns)}." if columns else ""
            remedy = f"The first line names the columns.{told}"
            raise UsageError(f"there is no column {column!r}.", where=str(path), remedy=remedy)
    _certain(str(path), names, rows[1:])
    lines = [
        Line(place, dict(zip(names, map(unguarded, _whole(cells, names)), strict=True))) for place, cells in rows[1:]
    ]
    return tuple(line for line in lines if any(line.cells.values()))


def rows_of(path: Path) -> list[tuple[str, list[str]]]:
    """The rows of a table, the one that names the columns first, each with where it stands in the file.

    Raises UsageError where it cannot be read.
    """
    source = FileSource(path, str(path))
    if not source.is_regular:
        raise UsageError("there is no such file.", where=str(path))
    try:
        return _of_workbook(source) if _is_workbook(path) or _head(path) == _ZIP else _of_text(source)
    except SourceRefusedError as error:
        raise UsageError(f"it cannot be read ({error.what})", where=str(path), remedy=_SAVE_AS) from error
    except (OSError, csv.Error) as error:
        raise UsageError(f"it cannot be read ({error}).", where=str(path), remedy=_SAVE_AS) from error


def unread(rows: Iterable[Line], known: Collection[str]) -> tuple[str, ...]:
    """Say which columns hold something that is not read, if any: a column that was renamed is not lost unseen."""
    held = dict.fromkeys(
        name for row in rows for name, cell in row.cells.items() if name and cell and name not in known
    )
    return (f"Columns that were not read: {', '.join(held)}.",) if held else ()


def _certain(where: str, names: Sequence[str], rows: Iterable[tuple[str, Sequence[str]]]) -> None:
    """Raise UsageError where a cell could belong to two columns, or to none."""
    if twice := [name for name in names if name and names.count(name) > 1]:
        remedy = "Keep the one that counts, and give the other another name."
        raise UsageError(f"two columns are called {twice[0]!r}.", where=where, remedy=remedy)
    for place, cells in rows:
        if any(cell.strip() for cell in cells[len(names) :]):
            raise UsageError(
                f"the row has {len(cells)} cells but there are {len(names)} columns.",
                where=f"{where}, {place}",
                remedy="Put a cell with separators inside into quotation marks.",
            )


def _whole(cells: Sequence[str], names: Sequence[str]) -> list[str]:
    """As many cells as there are columns."""
    return [*cells, *[""] * (len(names) - len(cells))][: len(names)]


def _is_workbook(path: Path) -> bool:
    return path.suffix.casefold() == WORKBOOK


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(len(_ZIP))


def _of_text(source: FileSource) -> list[tuple[str, list[str]]]:
    csv.field_size_limit(64 * MEGABYTE)
    text = decode(source)[0]
    said = _SEPARATOR.match(text)
    head = text.partition("\n")[0]
    separator = said[1] if said else max(",;\t", key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows = [(f"line {reader.line_num}", row) for row in reader]
    return rows[1:] if said else rows


def _of_workbook(source: FileSource) -> list[tuple[str, list[str]]]:
    with workbooks.opened(source) as book:
        found = workbooks.rows_of(book.worksheets[0], source.name)
        rows = []
        for row in found:
            if isinstance(row, Refused):
                remedy = "Write what is meant, or clear the cell."
                raise UsageError(f"{row.reason}.", where=f"{source.name}, {row.place}", remedy=remedy)
            rows.append((f"row {row.number}", list(row.cells)))
        return rows


def _csv(path: Path, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    table = io.StringIO()
    parted = csv.writer(table, lineterminator="\n", delimiter="\t" if path.suffix.casefold() == ".tsv" else ",")
    parted.writerow(columns)
    parted.writerows(rows)
    return table.getvalue().encode("utf-8-sig")


def _workbook(path: Path, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    try:
        openpyxl = importlib.import_module("openpyxl")
    except ModuleNotFoundError as error:
        remedy = 'Install it (pip install "vestigia[office]"), or name a file that ends in .csv.'
        raise UsageError(
            "Excel workbooks need openpyxl, which is not installed.", where=str(path), remedy=remedy
        ) from error
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.freeze_panes = "A2"
    for number, row in enumerate((columns, *rows), 1):
        for place, text in enumerate(row, 1):
            _put(sheet.cell(number, place), text, openpyxl)
    for place, column in enumerate(columns, 1):
        letter = openpyxl.utils.get_column_letter(place)
        sheet.column_dimensions[letter].width = _WIDTHS.get(column, 20)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _put(cell: Any, text: str, openpyxl: Any) -> None:  # noqa: ANN401 - openpyxl has no types
    """Write a text, as text whatever it looks like, so that nothing of it is carried out or made into a date."""
    plain = _UNWRITABLE.sub("", text)
    if not plain:
        return
    cell.value = plain if len(plain) <= LONGEST else plain[: LONGEST - len(CUT)] + CUT
    cell.data_type = "s"
    cell.alignment = openpyxl.styles.Alignment(wrap_text=True, vertical="top")
