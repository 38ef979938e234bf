"""Spreadsheets saved as text: CSV and TSV, delimiter and encoding found out, line breaks inside cells kept."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TextIO

from vestigia.corpus.encodings import GUESSED, detect
from vestigia.corpus.readers.mapping import Columns, Place
from vestigia.corpus.sources import MEGABYTE
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ids import digest
from vestigia.domain.ports import Reader, Refused, Source

_DELIMITERS = (",", ";", "\t", "|")
_SAMPLE = 256 * 1024
_LONGEST_CELL = 64 * MEGABYTE


@dataclass(frozen=True, slots=True)
class TablesReader:
    """Reads `.csv`, `.tsv` and `.tab`; the first row names the columns."""

    columns: Columns = field(default_factory=Columns)

    @property
    def name(self) -> str:
        """`csv`."""
        return "csv"

    def with_mapping(self, mapping: Mapping[str, str]) -> Reader:
        """Return the reader with the user's mapping of column names to fields."""
        return TablesReader(Columns(mapping))

    def sniff(self, name: str, head: bytes) -> bool:
        """Whether the name ends as a table's does; the content of a table looks like any text."""
        return name.casefold().endswith((".csv", ".tsv", ".tab")) and not head.lstrip().startswith(b"<")

    def read(self, source: Source) -> Iterator[Document | Refused]:
        """Read it all, a row at a time. Raises SourceRefusedError when it has no column that holds a text."""
        csv.field_size_limit(_LONGEST_CELL)
        encoding = detect(source)
        if encoding in GUESSED:
            yield Refused("line 1", f"the table is not UTF-8; it was read as {encoding}", kept=True)
        encoding = "utf-8-sig" if encoding == "utf-8" else encoding
        with source.open() as raw, io.TextIOWrapper(raw, encoding=encoding, newline="") as lines:
            delimiter = self._delimiter(lines.read(_SAMPLE))
            lines.seek(0)
            yield from self._read_rows(lines, delimiter, source.name)

    def _delimiter(self, sample: str) -> str:
        """Return the delimiter under which most columns of the header are known; the most columns decide a tie."""
        def fitness(delimiter: str) -> tuple[int, int]:
            try:
                header = next(csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter), [])
            except csv.Error:
                return 0, 0
            return len(self.columns.assign(header)), len(header)

        return max(_DELIMITERS, key=fitness)

    def _read_rows(self, lines: TextIO, delimiter: str, name: str) -> Iterator[Document | Refused]:
        rows = _rows(lines, delimiter)
        header: list[str] | None = None
        for line, row in rows:
            place = Place(name, f"line {line}", digest(json.dumps(row, ensure_ascii=False)), self.name)
            if isinstance(row, str):
                yield Refused(place.record, row)
            elif header is None:
                header = self._header(row, name)
            elif len(row) > len(header):
                yield Refused(place.record, f"the row has {len(row)} cells but there are {len(header)} columns. "
                              "Put the text in quotation marks.")
            else:
                cells = row + [""] * (len(header) - len(row))
                yield from self.columns.read(dict(zip(header, cells, strict=True)), place)
        if header is None:
            raise SourceRefusedError("the table is empty.", where=name, remedy="Replace it with a complete copy.")

    def _header(self, row: list[str], name: str) -> list[str]:
        header = [column.strip() or f"column {number}" for number, column in enumerate(row, 1)]
        repeated = sorted({column for column in header if header.count(column) > 1})
        if repeated:
            raise SourceRefusedError(f"two columns are called {repeated[0]!r}.", where=name,
                                     remedy="Give each column a name of its own.")
        if "text" not in self.columns.assign(header):
            raise SourceRefusedError(f"no column holds a text; the columns are: {', '.join(header)}.", where=name,
                                     remedy="Map one, as in COLUMN=text.")
        return header


def _rows(lines: TextIO, delimiter: str) -> Iterator[tuple[int, list[str] | str]]:
    """Yield (line where the row begins, its cells or why it cannot be read), blank rows left out."""
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        begins = rows.line_num + 1
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield begins, (f"the row cannot be read ({error}). A quotation mark is open or stands inside a cell: "
                           "double those inside, close those around it.")
        else:
            if any(cell.strip() for cell in row):
                yield begins, row
