"""Excel workbooks as openpyxl opens them: cells as text, and what a sheet hides."""

import importlib
import io
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Any, TypeAlias

from lxml import etree

from vestigia.corpus.readers.grid import Row
from vestigia.corpus.readers.serials import shown
from vestigia.corpus.sources import MEGABYTE, WHOLE_FILE, read_whole
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ports import Refused, Source

Workbook: TypeAlias = Any
Sheet: TypeAlias = Any
"""openpyxl is optional and has no type annotations."""

UNPACKED = 2048 * MEGABYTE
"""The largest workbook, in bytes unpacked, that is read. Its table of texts is held in memory: `WHOLE_FILE` at most."""

# What openpyxl raises for parts that are missing, cut off or not what they say; it has no error of its own.
_DAMAGE = (OSError, zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, TypeError, IndexError,
           AttributeError, SyntaxError, OverflowError, NotImplementedError)  # fmt: skip
_OLE = b"\xd0\xcf\x11\xe0"
_LAST_ROW = 1_048_576
_BATCH = 1024
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
_PADDED = re.compile("0{2,}")
_NAMED = 3


@contextmanager
def opened(source: Source) -> Iterator[Workbook]:
    """Open a workbook for reading and close it.

    Raises SourceRefusedError when it is none, is damaged, protected or too large, and when openpyxl is not there.
    """
    try:
        openpyxl = importlib.import_module("openpyxl")
    except ModuleNotFoundError as error:
        raise SourceRefusedError(
            "Excel workbooks need openpyxl, which is not installed.",
            where=source.name,
            remedy='Install it (pip install "vestigia[office]"), or save each sheet as CSV UTF-8 and add that.',
        ) from error
    content = read_whole(source)
    _check(content, source.name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            workbook = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
    except _DAMAGE as error:
        raise _damaged(source.name, error) from error
    try:
        yield workbook
    finally:
        workbook.close()


def _check(content: bytes, name: str) -> None:
    if content.startswith(_OLE):
        raise SourceRefusedError(
            "the workbook is protected by a password, or is of the kind before Excel 2007.",
            where=name,
            remedy="Save it without password as .xlsx and add it again.",
        )
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            sizes = {part.filename.casefold(): part.file_size for part in archive.infolist()}
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise _damaged(name, error) from error
    texts = max((size for part, size in sizes.items() if part.endswith("sharedstrings.xml")), default=0)
    if sum(sizes.values()) > UNPACKED or texts > WHOLE_FILE:
        raise SourceRefusedError(
            f"the workbook holds {sum(sizes.values()) // MEGABYTE} MB unpacked, more than can be read.",
            where=name,
            remedy="Save each sheet as CSV UTF-8 and add that.",
        )


def _damaged(name: str, error: Exception) -> SourceRefusedError:
    return SourceRefusedError(
        f"the workbook is damaged or none at all ({type(error).__name__}: {error}).",
        where=name,
        remedy="Open it in Excel or LibreOffice, save it as .xlsx and add it again.",
    )


def rows_of(sheet: Sheet, name: str) -> Iterator[Row | Refused]:
    """Yield the rows of a sheet that are not blank, and a note for each cell that holds an error of Excel.

    Raises SourceRefusedError where the sheet is damaged.
    """
    for number, row in _numbered(sheet, name):
        texts = [written(cell) for cell in row]
        for cell in row:
            if cell.data_type == "e":
                place = f"sheet {sheet.title!r}, row {number}"
                yield Refused(place, f"the cell {cell.coordinate} holds {cell.value} and counts as empty", kept=True)
        while texts and not texts[-1].strip():
            texts.pop()
        if texts:
            dates = {text: text for text, cell in zip(texts, row, strict=False) if isinstance(cell.value, date)}
            yield Row(number, texts, dates)


def _numbered(sheet: Sheet, name: str) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Yield number and cells of the rows, a batch at a time, up to the last row that Excel knows."""
    cells = sheet.iter_rows()
    for begin in range(1, _LAST_ROW, _BATCH):
        batch: list[tuple[Any, ...]] = []
        damage: SourceRefusedError | None = None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what it warns of is in the report as an error of the cell
                batch.extend(islice(cells, _BATCH))
        except _DAMAGE as error:
            damage = _damaged(f"{name}, sheet {sheet.title!r}, row {begin + len(batch)}", error)
        yield from ((number, row) for number, row in enumerate(batch, begin) if row)
        if damage is not None:
            raise damage
        if len(batch) < _BATCH:
            return


def written(cell: Any) -> str:  # noqa: ANN401 - a cell of openpyxl
    """Return what a cell shows: 1887 and not 1887.0, a date no finer than its format, nothing for an error."""
    value = cell.value
    if value is None or cell.data_type == "e":
        return ""
    if isinstance(value, str):
        unescaped = _ESCAPED.sub(lambda found: chr(int(found.group(1), 16)), value)
        return unescaped.replace("\r\n", "\n").replace("\r", "\n")
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        plain = str(int(value)) if value == int(value) else f"{value:.15g}"
        return plain.zfill(len(cell.number_format)) if _PADDED.fullmatch(cell.number_format) else plain
    return _written_date(value, cell.number_format)


def _written_date(value: date | time | timedelta, number_format: str) -> str:
    if not isinstance(value, date):
        return str(value)
    precision = shown(number_format)
    day = f"{value.year:04d}-{value.month:02d}-{value.day:02d}"
    if precision in {"year", "month"}:
        return day[: 4 if precision == "year" else 7]
    timed = isinstance(value, datetime) and value.time() != time()
    return f"{day}T{value.time().isoformat('seconds')}" if isinstance(value, datetime) and timed else day


def oddities(sheet: Sheet) -> Iterator[Refused]:
    """Yield what a reader of the sheet must know: that it is hidden, merged cells, formulas without a stored value."""
    place = f"sheet {sheet.title!r}"
    if sheet.sheet_state != "visible":
        yield Refused(place, "the sheet is hidden in Excel; it is read all the same", kept=True)
    merged, unvalued = _scan(sheet)
    if merged:
        more = f" and {len(merged) - _NAMED} more" if len(merged) > _NAMED else ""
        reason = f"cells are merged ({', '.join(merged[:_NAMED])}{more}); the value counts for the first of them only"
        yield Refused(place, reason, kept=True)
    if unvalued:
        more = f" and {len(unvalued) - _NAMED} more" if len(unvalued) > _NAMED else ""
        reason = f"formulas without a stored value count as empty ({', '.join(unvalued[:_NAMED])}{more})."
        yield Refused(place, f"{reason} Open the workbook in Excel, save it and add it again.", kept=True)


def _scan(sheet: Sheet) -> tuple[list[str], list[str]]:
    """Return the ranges of merged cells and the cells whose formula has no value: openpyxl passes over both."""
    merged: list[str] = []
    unvalued: list[str] = []
    with sheet._get_source() as stream:  # openpyxl has no public way to the sheet's file
        parts = etree.iterparse(stream, tag=("{*}row", "{*}mergeCell"), resolve_entities=False, no_network=True)
        try:
            for _, element in parts:
                if ref := element.get("ref"):
                    merged.append(ref)
                for cell in element:
                    formula, value = cell.find("{*}f"), cell.find("{*}v")
                    if formula is not None and (value is None or not value.text):
                        unvalued.append(cell.get("r", "?"))
                element.clear()
        except (etree.XMLSyntaxError, *_DAMAGE):
            pass  # the rows are read next, and say so
    return merged, unvalued
