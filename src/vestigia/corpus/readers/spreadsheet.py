"""Excel workbooks: each sheet a table, dates no finer than their cells show them, numbers as they are written.

Reading them needs openpyxl (`pip install "vestigia[office]"`); without it a workbook is refused and says so. Formulas
count by the value that was stored with them; nothing is computed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NoReturn

from vestigia.corpus.readers.grid import Table, find_header, read_table
from vestigia.corpus.readers.layout import Layout
from vestigia.corpus.readers.mapping import Columns
from vestigia.corpus.readers.workbooks import Sheet, Workbook, oddities, opened, rows_of
from vestigia.corpus.sources import said_of
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ids import DocumentId
from vestigia.domain.ports import Reader, Refused, Source

_WORKBOOKS = (".xlsx", ".xlsm", ".xltx", ".xltm")
_OTHERS = (".xls", ".xlsb", ".ods", ".numbers")
_HEADER_WITHIN = 10


@dataclass(frozen=True, slots=True)
class SpreadsheetReader:
    """Reads `.xlsx` and its kin, every sheet; other kinds of workbook are refused with what to do."""

    columns: Columns = field(default_factory=Columns)

    @property
    def name(self) -> str:
        """`xlsx`."""
        return "xlsx"

    def with_mapping(self, mapping: Mapping[str, str]) -> Reader:
        """Return the reader with the user's mapping of column names to fields."""
        return SpreadsheetReader(Columns(mapping))

    def sniff(self, name: str, head: bytes) -> bool:  # noqa: ARG002 - what is no workbook is refused when it is read
        """Whether the name ends as a workbook's does."""
        return name.casefold().endswith((*_WORKBOOKS, *_OTHERS))

    def read(self, source: Source) -> Iterator[Document | Refused]:
        """Read every sheet that is a table. Raises SourceRefusedError when none is, or openpyxl is not there."""
        _check_kind(source.name)
        with opened(source) as workbook:
            tables = [(sheet, self._table(source, workbook, sheet)) for sheet in workbook.worksheets]
            if not self._layouts(tables):
                self._refuse(source, [table for _, table in tables])
            taken: dict[DocumentId, str] = {}
            for sheet, table in tables:
                if next(table.rows(), None) is None:
                    yield Refused(f"sheet {sheet.title!r}", "the sheet is empty and is passed over", kept=True)
                    continue
                yield from oddities(sheet)
                yield from self._read_sheet(str(sheet.title), table, taken)

    def layouts(self, source: Source) -> tuple[Layout, ...]:
        """Return the columns of every sheet that is a table. Raises SourceRefusedError when none is."""
        _check_kind(source.name)
        with opened(source) as workbook:
            tables = [(sheet, self._table(source, workbook, sheet)) for sheet in workbook.worksheets]
            return self._layouts(tables) or self._refuse(source, [table for _, table in tables])

    def _table(self, source: Source, workbook: Workbook, sheet: Sheet) -> Table:
        sheet.reset_dimensions()  # a wrong one, as some programs write it, would hide rows
        return Table(
            source.name,
            self.name,
            partial(rows_of, sheet, source.name),
            f"sheet {sheet.title!r}, row",
            _HEADER_WITHIN,
            ragged=False,
            from_1904=workbook.epoch.year == 1904,
            language=said_of(source).language,
        )

    def _layouts(self, tables: list[tuple[Sheet, Table]]) -> tuple[Layout, ...]:
        found: list[Layout] = []
        for sheet, table in tables:
            try:
                found.append(Layout(f"sheet {sheet.title!r}", columns=find_header(table, self.columns).fields))
            except SourceRefusedError:
                continue  # the sheet says so itself when it is read
        return tuple(found)

    def _refuse(self, source: Source, tables: list[Table]) -> NoReturn:
        """Refuse a workbook without a table of texts, with the reason of its first sheet that is not empty."""
        for table in tables:
            if next(table.rows(), None) is not None:
                find_header(table, self.columns)
        raise SourceRefusedError("all sheets are empty.", where=source.name, remedy="Replace it with a complete copy.")

    def _read_sheet(self, title: str, table: Table, taken: dict[DocumentId, str]) -> Iterator[Document | Refused]:
        """Read a sheet; an id that a sheet before it has already gets the name of this one before it."""
        again = ""
        try:
            for read in read_table(table, self.columns):
                if isinstance(read, Document) and taken.setdefault(read.id, title) != title:
                    again = again or read.id
                    yield replace(read, id=DocumentId(f"{title}/{read.id}"))
                else:
                    yield read
        except SourceRefusedError as error:
            yield Refused(f"sheet {title!r}", f"{error.what} {error.remedy}")
        if again:
            told = f"has ids of a sheet before it, such as {again!r}; here they are called {f'{title}/{again}'!r}"
            yield Refused(f"sheet {title!r}", told, kept=True)


def _check_kind(name: str) -> None:
    if not name.casefold().endswith(_WORKBOOKS):
        raise SourceRefusedError(
            "workbooks of this kind are not read.",
            where=name,
            remedy="Save it as .xlsx (Excel workbook) or as CSV UTF-8 and add that.",
        )
