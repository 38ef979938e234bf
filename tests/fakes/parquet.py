"""A Parquet file, where the library that writes it is there."""

import importlib
import importlib.util
import io


def table(**columns: list[str]) -> bytes:
    """Return a Parquet file of these columns; without pyarrow, what only looks like one."""
    if importlib.util.find_spec("pyarrow") is None:
        return b"PAR1"
    saved = io.BytesIO()
    importlib.import_module("pyarrow.parquet").write_table(importlib.import_module("pyarrow").table(columns), saved)
    return saved.getvalue()
