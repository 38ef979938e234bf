"""Acts upon a set from a table: a row a document, as people keep them in a spreadsheet (H8)."""

import csv
from pathlib import Path

from vestigia.corpus.encodings import decode
from vestigia.corpus.sources import FileSource
from vestigia.domain.acts import Act, Curated
from vestigia.domain.errors import UsageError
from vestigia.domain.ids import DocumentId

COLUMNS = ("document", "act", "reason", "note", "tag")
_SEPARATORS = ("\t", ";", ",")


def read_acts(path: Path, author: str) -> list[Curated]:
    """Read a CSV or TSV file with the columns document and act, and reason, note, tag where there are any.

    Raises UsageError naming the row that cannot be read; a row without an act is passed over.
    """
    source = FileSource(path, str(path))
    if not source.is_regular:
        raise UsageError("there is no such file.", where=str(path))
    text = decode(source)[0]
    head = text.partition("\n")[0]
    separator = max(_SEPARATORS, key=head.count)
    table = csv.DictReader(text.splitlines(keepends=True), delimiter=separator)
    names = {name.strip().casefold(): name for name in table.fieldnames or () if name}
    if not {"document", "act"} <= names.keys():
        raise UsageError(
            "the first row does not name the columns `document` and `act`.",
            where=str(path),
            remedy=f"Its columns: {', '.join(COLUMNS)}.",
        )
    found = []
    for number, row in enumerate(table, 2):
        cells = {column: (row.get(names.get(column, "")) or "").strip() for column in COLUMNS}
        if cells["act"]:
            found.append(_act(cells, author, f"{path}, row {number}"))
    return found


def _act(cells: dict[str, str], author: str, where: str) -> Curated:
    if cells["act"].casefold() not in list(Act):
        raise UsageError(f"{cells['act']!r} is no act.", where=where, remedy=f"There are: {', '.join(Act)}.")
    done = Act(cells["act"].casefold())
    return Curated(
        DocumentId(cells["document"].removeprefix("'")), done, author, cells["reason"], cells["note"], cells["tag"]
    )
