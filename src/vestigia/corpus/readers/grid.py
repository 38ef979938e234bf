"""Rows under a header, from a CSV file or a sheet: which column is what, and a document for each row.

Nothing is guessed of a table without a header: the user numbers the columns (`--column 3=text`), or it is refused.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

from vestigia.corpus.readers.mapping import Columns, Place
from vestigia.corpus.readers.serials import day_of_serial, is_serial, precision_of_column, whole, written_day
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ids import digest
from vestigia.domain.ports import Refused

_DATES = ("date", "date_from", "date_to")
_SAMPLE = 200
_NAMED = 5
_SHOWN = 30
_MOST_COLUMNS = 16_384


@dataclass(frozen=True, slots=True)
class Row:
    """A row and its number. `converted` gives for a date that was made of a cell what stood in the cell."""

    number: int
    cells: list[str]
    converted: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Table:
    """A table to be read: `rows` begins anew at each call, blank rows left out.

    `unit` names a row in the report (`line`, `sheet 'A', row`); the header is sought among the first `header_within`
    rows. `ragged` says that a row with too few cells is odd, as it is in CSV; sheets leave out empty cells.
    """

    name: str
    reader: str
    rows: Callable[[], Iterator[Row | Refused]]
    unit: str = "line"
    header_within: int = 1
    ragged: bool = True
    from_1904: bool = False

    def place(self, number: int) -> str:
        """Name a row of the table."""
        return f"{self.unit} {number}"


@dataclass(frozen=True, slots=True)
class Header:
    """The names of the columns, the number of the row they stand in (0: none does), and which column is what."""

    names: list[str]
    row: int
    columns: Columns
    notes: tuple[Refused, ...] = ()

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """Pairs of column and field; a column that is nothing else is a detail."""
        assigned = {column: chosen for chosen, column in self.columns.assign(self.names).items()}
        return tuple((name, assigned.get(name, "details")) for name in self.names)


def find_header(table: Table, columns: Columns) -> Header:
    """Find the row that names the columns. Raises SourceRefusedError when the table is empty or none holds a text."""
    first = list(islice((row for row in table.rows() if isinstance(row, Row)), table.header_within))
    if not first:
        raise SourceRefusedError("the table is empty.", where=table.name, remedy="Replace it with a complete copy.")
    numbered = _numbered(first, columns)
    if numbered is not None:
        return numbered
    row = next((one for one in first if _holds_text(_names(one), columns)), first[0])
    names = _names(row)
    if not _holds_text(names, columns):
        told = [column for column, chosen in columns.given.items() if chosen == "text"]
        raise SourceRefusedError(
            f"{f'no column is called {told[0]!r}' if told else 'no column holds a text'}; the columns are: "
            f"{', '.join(names[:_SHOWN])}{' ...' if len(names) > _SHOWN else ''}.",
            where=table.name,
            remedy="Say which one does: --column COLUMN=text. Where the first row is no header, number the columns: "
            "--column 3=text.",
        )
    repeated = sorted({column for column in names if names.count(column) > 1})
    if repeated:
        raise SourceRefusedError(
            f"two columns are called {repeated[0]!r}.", where=table.name, remedy="Give each column a name of its own."
        )
    return Header(names, row.number, columns, tuple(_header_notes(table, first, row, columns)))


def _header_notes(table: Table, first: list[Row], row: Row, columns: Columns) -> Iterator[Refused]:
    for above in first[: first.index(row)]:
        shown = repr(" ".join(" ".join(above.cells).split())[:60])
        yield Refused(table.place(above.number), f"stands above the header and is passed over: {shown}", kept=True)
    for column in columns.given:
        if column not in _names(row):
            yield Refused(table.place(row.number), f"there is no column {column!r}, which --column names", kept=True)


def _holds_text(names: list[str], columns: Columns) -> bool:
    """Whether a column holds a text: the one the user names, if the user names one."""
    told = [column for column, chosen in columns.given.items() if chosen == "text"]
    return all(column in names for column in told) and "text" in columns.assign(names)


def _numbered(first: list[Row], columns: Columns) -> Header | None:
    """Return a header of numbers, if the user numbers the columns and they are not called by these numbers."""
    given = columns.given
    numbers = [int(name) for name in given if name.isdecimal() and 0 < int(name) <= _MOST_COLUMNS]
    if not given or len(numbers) < len(given) or set(given) <= set(_names(first[0])):
        return None
    width = max(len(first[0].cells), *numbers)
    named = {f"column {int(name)}": chosen for name, chosen in given.items()}
    return Header([f"column {number}" for number in range(1, width + 1)], 0, Columns(named))


def _names(row: Row) -> list[str]:
    return [" ".join(name.split()) or f"column {number}" for number, name in enumerate(row.cells, 1)]


def read_table(table: Table, columns: Columns) -> Iterator[Document | Refused]:
    """Yield a document a row, and what is odd about it. Raises SourceRefusedError as `find_header` does."""
    header = find_header(table, columns)
    yield from header.notes
    serials = _serial_columns(table, header)
    for at, precision in serials.items():
        yield Refused(
            table.place(header.row or 1),
            f"the column {header.names[at]!r} holds Excel's serial numbers only; they are read as dates "
            f"(31778 is {written_day(_day('31778', table), precision)})",
            kept=True,
        )
    short: list[int] = []
    for row in table.rows():
        if isinstance(row, Refused):
            yield row
        elif row.number > header.row:
            yield from _read_row(table, header, row, serials)
            if len(row.cells) < len(header.names):
                short.append(row.number)
    if short and table.ragged:
        yield _ragged(table, short)


def _read_row(table: Table, header: Header, row: Row, serials: Mapping[int, str]) -> Iterator[Document | Refused]:
    width = len(header.names)
    if any(cell.strip() for cell in row.cells[width:]):
        yield Refused(
            table.place(row.number),
            f"the row has {len(row.cells)} cells but there are {width} columns. Put the text in quotation marks.",
        )
        return
    cells = row.cells[:width] + [""] * (width - len(row.cells))
    converted = dict(row.converted)
    for at, precision in serials.items():
        if written := cells[at].strip():
            cells[at] = written_day(_day(written, table), precision)
            converted[cells[at]] = written
    place = Place(table.name, table.place(row.number), digest(json.dumps(row.cells, ensure_ascii=False)), table.reader)
    for read in header.columns.read(dict(zip(header.names, cells, strict=True)), place):
        yield _as_written(read, converted) if isinstance(read, Document) else read


def _as_written(document: Document, converted: Mapping[str, str]) -> Document:
    """Say of a date that was made of a cell what stood in the cell."""
    dates = tuple(
        replace(one, text=converted[one.text], rule=f"Excel date: {one.rule}") if one.text in converted else one
        for one in document.dates
    )
    return replace(document, dates=dates)


def _day(written: str, table: Table) -> int:
    return day_of_serial(whole(written), from_1904=table.from_1904) or 0


def _serial_columns(table: Table, header: Header) -> dict[int, str]:
    """Return position -> precision of the columns of dates that hold nothing but serials, from beginning to end."""
    assigned = header.columns.assign(header.names)
    seen: dict[int, set[int]] = {header.names.index(assigned[one]): set() for one in _DATES if one in assigned}
    for count, row in enumerate(table.rows()):
        if not seen or (count > _SAMPLE and not any(seen.values())):
            break
        if isinstance(row, Row) and row.number > header.row:
            for at in list(seen):
                written = row.cells[at].strip() if at < len(row.cells) else ""
                if written and not is_serial(written):
                    del seen[at]
                elif written:
                    seen[at].add(whole(written))
    found = {at: precision_of_column(serials) for at, serials in seen.items()}
    return {at: precision for at, precision in found.items() if precision}


def _ragged(table: Table, short: list[int]) -> Refused:
    named = ", ".join(map(str, short[:_NAMED]))
    more = f" and {len(short) - _NAMED} more" if len(short) > _NAMED else ""
    plural = "s" if len(short) > 1 else ""
    return Refused(
        f"{table.unit}{plural} {named}{more}",
        "has fewer cells than there are columns; those left out are taken as empty",
        kept=True,
    )
