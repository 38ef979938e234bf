"""Acts upon a set from a table: a row a document, as people keep them in a spreadsheet (H8)."""

from pathlib import Path

from vestigia.app import tables
from vestigia.app.present import Plain
from vestigia.app.tables import Line
from vestigia.domain.acts import Act, Curated
from vestigia.domain.errors import UsageError
from vestigia.domain.ids import DocumentId

COLUMNS = ("document", "act", "reason", "note", "tag")
_SHOWN = ("document", "title", "date", "sub_corpus", "text", "standing", "sorted", *COLUMNS[1:])
"""Of a table that is written; what is to be filled in stands last."""


def read_acts(path: Path, author: str) -> tuple[list[Curated], tuple[str, ...]]:
    """Read a table with the columns document and act, and reason, note, tag where there are any.

    Returns the acts, and in words which columns were not read; a row without an act is passed over. Raises UsageError
    naming the row that cannot be read, and for a table without any act.
    """
    lines = tables.read(path, ("document", "act"), COLUMNS)
    acts = [_act(line, author, f"{path}, {line.place}") for line in lines if line["act"]]
    if not acts:
        raise UsageError("no row says an act.", where=str(path), remedy=f"There are: {', '.join(Act)}.")
    return acts, tables.unread(lines, _SHOWN)


def write_acts(path: Path, found: Plain) -> int:
    """Write a curation, as `curating.shown` has it, to a table to be filled in; returns the number of its rows.

    A text that may not be shown is told to be so. Raises what `tables.write` raises.
    """
    rows = [
        {
            "document": source["document"],
            "title": source.get("title") or "",
            "date": source.get("date") or "",
            "sub_corpus": source.get("sub_corpus") or "",
            "text": source["passage"]["text"] or f"({source['passage']['withheld']})",
            "standing": source["standing"],
            "sorted": "; ".join(f"{one['judge']}: {one['band'] or 'no band'}" for one in source["presorted"]),
        }
        for source in found["sources"]
    ]
    tables.write(path, _SHOWN, rows)
    return len(rows)


def _act(line: Line, author: str, where: str) -> Curated:
    if line["act"].casefold() not in list(Act):
        raise UsageError(f"{line['act']!r} is no act.", where=where, remedy=f"There are: {', '.join(Act)}.")
    done = Act(line["act"].casefold())
    return Curated(
        DocumentId(line["document"].removeprefix("'")), done, author, line["reason"], line["note"], line["tag"]
    )
