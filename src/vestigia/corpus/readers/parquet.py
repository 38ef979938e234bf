"""Parquet: tables as data scientists keep them, a batch of rows at a time.

Reading them needs pyarrow (`pip install "vestigia[parquet]"`); without it a file is refused and says so. Nested columns
are named with a point (`letter.sender`); lists of texts are paragraphs, whatever else is nested is written as JSON.
"""

import importlib
import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from vestigia.corpus.readers.layout import Layout
from vestigia.corpus.readers.mapping import Columns, Place
from vestigia.corpus.sources import at_any_place, said_of
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ids import digest
from vestigia.domain.ports import Reader, Refused, Source

_BATCH = 256
_MAGIC = b"PAR1"
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class ParquetReader:
    """Reads `.parquet` and `.pq`; the schema names the columns."""

    columns: Columns = field(default_factory=Columns)

    @property
    def name(self) -> str:
        """`parquet`."""
        return "parquet"

    def with_mapping(self, mapping: Mapping[str, str]) -> Reader:
        """Return the reader with the user's mapping of column names to fields."""
        return ParquetReader(Columns(mapping))

    def sniff(self, name: str, head: bytes) -> bool:
        """Whether it begins as Parquet does, or is named so."""
        return head.startswith(_MAGIC) or name.casefold().endswith((".parquet", ".pq"))

    def read(self, source: Source) -> Iterator[Document | Refused]:
        """Read it all, a row at a time.

        Raises SourceRefusedError when no column holds a text, the file is damaged, or pyarrow is not there.
        """
        binary: dict[str, int] = {}
        language = said_of(source).language
        with _opened(source) as (parquet, arrow):
            self._check(_schema(parquet), source.name, arrow)
            number = 0
            for number, record in enumerate(_records(parquet, arrow, source.name), 1):
                plain = {column: _plain(value) for column, value in record.items()}
                for column, value in plain.items():
                    if isinstance(value, bytes):
                        plain[column] = None
                        binary[column] = binary.get(column, 0) + 1
                content = digest(json.dumps(plain, ensure_ascii=False))
                yield from self.columns.read(plain, Place(source.name, f"row {number}", content, self.name, language))
            said = int(parquet.metadata.num_rows)
        if not number:
            raise SourceRefusedError("there is no row in it.", where=source.name,
                                     remedy="Take the original file again, or write it anew.")  # fmt: skip
        if number < said:
            yield Refused(f"row {number + 1}", f"the file says that it has {said} rows, and {number} came out of it")
        for column, rows in binary.items():
            told = f"the column {column!r} holds bytes that are no text in {rows} rows; they are left out"
            yield Refused(f"column {column}", told, kept=True)

    def layouts(self, source: Source) -> tuple[Layout, ...]:
        """Return which column is what. Raises SourceRefusedError as `read` does."""
        with _opened(source) as (parquet, arrow):
            schema = _schema(parquet)
            self._check(schema, source.name, arrow)
            assigned = {column: chosen for chosen, column in self.columns.assign(schema.names).items()}
            return (Layout(columns=tuple((name, assigned.get(name, "details")) for name in schema.names)),)

    def _check(self, schema: Any, name: str, arrow: Any) -> None:  # noqa: ANN401 - pyarrow is optional and untyped
        told = [column for column, chosen in self.columns.given.items() if chosen == "text"]
        column = told[0] if told else self.columns.assign(schema.names).get("text")
        if column not in schema.names:
            what = f"no column is called {column!r}" if column else "no column holds a text"
            raise SourceRefusedError(f"{what}; the columns are: {', '.join(schema.names)}.", where=name,
                                     remedy="Say which one does: --column COLUMN=text.")  # fmt: skip
        kind = schema.field(column).type
        if not _holds_text(kind, arrow.types):
            raise SourceRefusedError(f"the column {column!r} holds {kind}, not text.", where=name,
                                     remedy="Say which one does: --column COLUMN=text, or write its text into a "
                                     "column of strings.")  # fmt: skip


@contextmanager
def _opened(source: Source) -> Iterator[tuple[Any, Any]]:
    """Open a file with pyarrow; gives the file and the library."""
    try:
        arrow = importlib.import_module("pyarrow")
        library = importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError as error:
        raise SourceRefusedError("Parquet files need pyarrow, which is not installed.", where=source.name,
                                 remedy='Install it (pip install "vestigia[parquet]"), or save the table as JSON Lines '
                                 "or CSV and add that.") from error  # fmt: skip
    with at_any_place(source) as stream:
        try:
            parquet = library.ParquetFile(stream, pre_buffer=False)
        except (arrow.ArrowException, OSError, ValueError) as error:
            raise _damaged(source.name, error) from error
        try:
            yield parquet, arrow
        finally:
            parquet.close()


def _damaged(name: str, error: Exception) -> SourceRefusedError:
    first = next(iter(str(error).splitlines()), type(error).__name__)
    return SourceRefusedError(
        f"the file is damaged or no Parquet file ({first}).",
        where=name,
        remedy="Take the original file again, or write it anew.",
    )


def _schema(parquet: Any) -> Any:  # noqa: ANN401
    """Return the schema with the columns of structures side by side, as `_records` names them."""
    schema = parquet.schema_arrow.remove_metadata()
    empty = schema.empty_table()
    for _ in range(_DEEPEST):
        empty = empty.flatten()
    return empty.schema


def _records(parquet: Any, arrow: Any, name: str) -> Iterator[Mapping[str, object]]:  # noqa: ANN401
    batches = parquet.iter_batches(_BATCH)
    while True:
        try:
            batch = next(batches, None)
            if batch is None:
                return
            table = arrow.Table.from_batches([batch])
            for _ in range(_DEEPEST):
                table = table.flatten()
            records = table.to_pylist()
        except (arrow.ArrowException, OSError, ValueError, OverflowError, TypeError) as error:
            raise _damaged(name, error) from error
        yield from records


def _holds_text(kind: Any, types: Any) -> bool:  # noqa: ANN401
    """Whether a column of this type is a text or a list of paragraphs."""
    if types.is_dictionary(kind):
        return _holds_text(kind.value_type, types)
    if types.is_list(kind) or types.is_large_list(kind):
        return bool(types.is_string(kind.value_type) or types.is_large_string(kind.value_type))
    text = types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)
    return bool(text or types.is_binary(kind) or types.is_large_binary(kind))


def _plain(value: object) -> object:
    """Return a value as JSON could hold it: dates as ISO 8601, 1887.0 as 1887, bytes as text if they are UTF-8."""
    if isinstance(value, dict):
        return {str(key): _nested(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_nested(one) for one in value]
    return _plain_scalar(value)


def _plain_scalar(value: object) -> object:
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            return value
    if isinstance(value, float):
        return None if math.isnan(value) else int(value) if value.is_integer() else value
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal | timedelta) else value


def _nested(value: object) -> object:
    plain = _plain(value)
    return f"({len(plain)} bytes)" if isinstance(plain, bytes) else plain
