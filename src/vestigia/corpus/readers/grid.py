"""Rows under a header, from a CSV file or a sheet: which column is what, and a document for each row.

Nothing is guessed of a table without a header: the user numbers the columns (`--column 3=text`), or it is refused.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

from vestigia.corpus.readers.day_order import DayOrder
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
    language: str = ""

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
    dates = _DateColumns(table, header)
    yield from dates.notes()
    short: list[int] = []
    for row in table.rows():
        if isinstance(row, Refused):
            yield row
        elif row.number > header.row:
            yield from _read_row(table, header, row, dates)
            if len(row.cells) < len(header.names):
                short.append(row.number)
    if told := dates.order.told():
        yield Refused("", told, kept=True)
    if short and table.ragged:
        yield _ragged(table, short)


def _read_row(table: Table, header: Header, row: Row, dates: "_DateColumns") -> Iterator[Document | Refused]:
    width = len(header.names)
    if any(cell.strip() for cell in row.cells[width:]):
        yield Refused(
            table.place(row.number),
            f"the row has {len(row.cells)} cells but there are {width} columns. Put the text in quotation marks.",
        )
        return
    cells = row.cells[:width] + [""] * (width - len(row.cells))
    converted = {now: (written, "Excel date:") for now, written in row.converted.items()} | dates.rewrite(cells)
    content = digest(json.dumps(row.cells, ensure_ascii=False))
    place = Place(table.name, table.place(row.number), content, table.reader, table.language)
    for read in header.columns.read(dict(zip(header.names, cells, strict=True)), place):
        yield _as_written(read, converted) if isinstance(read, Document) else read


def _as_written(document: Document, converted: Mapping[str, tuple[str, str]]) -> Document:
    """Say of a date that was made of a cell what stood in the cell, and by which rule.

    A rule that ends in a colon goes before the one by which the date was read.
    """
    dates = []
    for one in document.dates:
        written, how = converted.get(one.text, (one.text, ""))
        dates.append(replace(one, text=written, rule=f"{how} {one.rule}" if how.endswith(":") else how or one.rule))
    return replace(document, dates=tuple(dates))


class _DateColumns:
    """The columns of dates, and how their cells are to be read by what stands in all of the table."""

    def __init__(self, table: Table, header: Header) -> None:
        self._table, self._header = table, header
        assigned = header.columns.assign(header.names)
        self._places = [header.names.index(assigned[one]) for one in _DATES if one in assigned]
        self._serials = self._of_serials()
        self.order = self._of_days()

    def notes(self) -> Iterator[Refused]:
        """Say which columns are read as serials of Excel's."""
        for at, precision in self._serials.items():
            yield Refused(
                self._table.place(self._header.row or 1),
                f"the column {self._header.names[at]!r} holds Excel's serial numbers only; they are read as dates "
                f"(31778 is {written_day(self._day('31778'), precision)})",
                kept=True,
            )

    def rewrite(self, cells: list[str]) -> dict[str, tuple[str, str]]:
        """Write dates in ISO 8601 where the table tells how they are meant; return what stood there, and the rule."""
        converted: dict[str, tuple[str, str]] = {}
        for at in self._places:
            written = cells[at].strip()
            if at in self._serials and written:
                cells[at] = written_day(self._day(written), self._serials[at])
                converted[cells[at]] = written, "Excel date:"
            elif settled := self.order.settled(written):
                cells[at] = settled
                converted[settled] = written, "numeric date, order of day and month as in the table"
        return converted

    def _day(self, written: str) -> int:
        return day_of_serial(whole(written), from_1904=self._table.from_1904) or 0

    def _cells(self) -> Iterator[tuple[int, int, str]]:
        """Yield (how many rows came before, column, what stands there) of the dates that are not empty, if any are."""
        found = False
        for count, row in enumerate(self._table.rows()):
            if isinstance(row, Row) and row.number > self._header.row:
                for at in self._places:
                    if at < len(row.cells) and (written := row.cells[at].strip()):
                        found = True
                        yield count, at, written
            if count > _SAMPLE and not found:
                return

    def _of_serials(self) -> dict[int, str]:
        """Return position -> precision of the columns that hold nothing but serials, from beginning to end."""
        seen: dict[int, set[int]] = {at: set() for at in self._places}
        for _, at, written in self._cells():
            if at in seen and not is_serial(written):
                del seen[at]
            elif at in seen:
                seen[at].add(whole(written))
            if not seen:
                break
        found = {at: precision_of_column(serials) for at, serials in seen.items()}
        return {at: precision for at, precision in found.items() if precision}

    def _of_days(self) -> DayOrder:
        order = DayOrder()
        for count, _, written in self._cells():
            order.look(written)
            if (count > _SAMPLE and not order.seen) or (order.day_first and order.month_first):
                break
        return order


def _ragged(table: Table, short: list[int]) -> Refused:
    named = ", ".join(map(str, short[:_NAMED]))
    more = f" and {len(short) - _NAMED} more" if len(short) > _NAMED else ""
    plural = "s" if len(short) > 1 else ""
    return Refused(
        f"{table.unit}{plural} {named}{more}",
        "has fewer cells than there are columns; those left out are taken as empty",
        kept=True,
    )
