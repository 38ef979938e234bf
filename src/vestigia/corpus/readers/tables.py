"""Spreadsheets saved as text: CSV and TSV, delimiter and encoding found out, line breaks inside cells kept.

Excel's *Unicode text* is a table under the name of a text file: it is known by its header.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, pairwise

from vestigia.corpus.encodings import GUESSED, begin_of, detect
from vestigia.corpus.readers.grid import Row, Table, find_header, read_table
from vestigia.corpus.readers.layout import Layout
from vestigia.corpus.readers.mapping import Columns
from vestigia.corpus.sources import MEGABYTE, said_of
from vestigia.domain.archive import Document
from vestigia.domain.ports import Reader, Refused, Source

_DELIMITERS = (",", ";", "\t", "|")
_SAMPLE = 256 * 1024
_SAMPLE_ROWS = 50
_LONGEST_CELL = 64 * MEGABYTE
_TOO_LARGE = f"a cell of the row holds more than {_LONGEST_CELL // MEGABYTE} MB. Split its text."
_OPEN = "A quotation mark is open or stands inside a cell: double those inside, close those around it."
_SAVED = "what stands there was not read."
_HINT = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TablesReader:
    """Reads `.csv`, `.tsv` and `.tab`, and `.txt` with a header between tabs; the first row names the columns."""

    columns: Columns = field(default_factory=Columns)

    @property
    def name(self) -> str:
        """`csv`."""
        return "csv"

    def with_mapping(self, mapping: Mapping[str, str]) -> Reader:
        """Return the reader with the user's mapping of column names to fields."""
        return TablesReader(Columns(mapping))

    def sniff(self, name: str, head: bytes) -> bool:
        """Whether the name ends as a table's does, or as a text's whose first line is a header between tabs."""
        if name.casefold().endswith((".csv", ".tsv", ".tab")):
            return not head.lstrip().startswith(b"<")
        return name.casefold().endswith(".txt") and b"\t" in head and self._is_headed(begin_of(head))

    def _is_headed(self, text: str) -> bool:
        try:
            rows = list(islice(csv.reader(io.StringIO(text, newline=""), delimiter="\t"), 2))
        except csv.Error:
            return False
        return len(rows) == 2 and len(rows[0]) == len(rows[1]) and {"text", "id"} <= self.columns.assign(rows[0]).keys()

    def read(self, source: Source) -> Iterator[Document | Refused]:
        """Read it all, a row at a time. Raises SourceRefusedError when it has no column that holds a text."""
        encoding, delimiter, skipped = self._shape(source)
        if encoding in GUESSED:
            yield Refused("line 1", f"the table is not UTF-8; it was read as {encoding}", kept=True)
        yield from read_table(self._table(source, encoding, delimiter, skipped), self.columns)

    def layouts(self, source: Source) -> tuple[Layout, ...]:
        """Return encoding, delimiter and columns. Raises SourceRefusedError when no column holds a text."""
        encoding, delimiter, skipped = self._shape(source)
        header = find_header(self._table(source, encoding, delimiter, skipped), self.columns)
        return (Layout("", encoding, delimiter, header.fields),)

    def _shape(self, source: Source) -> tuple[str, str, int]:
        """Return encoding, delimiter, and how many lines stand before the header: Excel's `sep=;` may."""
        csv.field_size_limit(_LONGEST_CELL)
        encoding = detect(source)
        with source.open() as raw, io.TextIOWrapper(raw, encoding=_without_mark(encoding), newline="") as lines:
            sample = lines.read(_SAMPLE)
        hint = _HINT.match(sample)
        return encoding, hint.group(1) if hint else self._delimiter(sample), 1 if hint else 0

    def _delimiter(self, sample: str) -> str:
        """Return the delimiter under which most columns are known; then rows of one width, then the most columns."""

        def fitness(delimiter: str) -> tuple[int, bool, int]:
            rows = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter)
            try:
                first = list(islice(rows, _SAMPLE_ROWS))
            except csv.Error:
                first = []
            if len(sample) == _SAMPLE and len(first) < _SAMPLE_ROWS:
                first = first[:-1]  # the sample ends within it
            first = [row for row in first if row]
            header = first[0] if first else []
            even = all(len(one) == len(other) for one, other in pairwise(first))
            return len(self.columns.assign(header)), even and len(header) > 1, len(header)

        return max(_DELIMITERS, key=fitness)

    def _table(self, source: Source, encoding: str, delimiter: str, skipped: int) -> Table:
        def rows() -> Iterator[Row | Refused]:
            with source.open() as raw, io.TextIOWrapper(raw, encoding=_without_mark(encoding), newline="") as lines:
                for line, row in _rows(lines, delimiter):
                    if isinstance(row, str):
                        yield Refused(f"line {line}", row)
                    elif line > skipped:
                        yield Row(line, row)

        return Table(source.name, self.name, rows, language=said_of(source).language)


def _without_mark(encoding: str) -> str:
    return "utf-8-sig" if encoding == "utf-8" else encoding


def _rows(lines: io.TextIOWrapper, delimiter: str) -> Iterator[tuple[int, list[str] | str]]:
    """Yield (line where the row begins, its cells or why it cannot be read), blank rows left out."""
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        begins = rows.line_num + 1
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            large = "larger than field limit" in str(error)
            more = rows.line_num - begins
            swallowed = f" {more} further line{'s' if more > 1 else ''} went with it: {_SAVED}" if more > 0 else ""
            yield begins, _TOO_LARGE if large else f"the row cannot be read ({error}). {_OPEN}{swallowed}"
        else:
            if any(cell.strip() for cell in row):
                yield begins, row
