"""Lists that come back from a spreadsheet, from Zotero or from Tropy: rows with what names a document and what is said.

Read are CSV and TSV, workbooks of Excel and RIS: our own exports, those of Zotero and of Tropy. A decision is a word in
the column `decision`, or a tag `vestigia:accept`, `vestigia:reject=why`, `vestigia:flag`; what our own export wrote
about a source (`vestigia:accepted`, its note) is no one's decision and is passed over.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from vestigia.app import tables
from vestigia.app.cells import unguarded
from vestigia.app.references import NAMED, OURS, line
from vestigia.corpus.encodings import decode
from vestigia.corpus.sources import FileSource
from vestigia.domain.errors import UsageError

_DC, _TROPY_TAG = "http://purl.org/dc/elements/1.1/", "https://tropy.org/v1/tropy#tag"
_COLUMNS = {
    "names": ("document", "id", "identifier", f"{_DC}identifier", "call number", "link", "url", "shelfmark",
              "archive location", "loc. in archive"),
    "passages": ("passages", "passage"),
    "title": ("title", f"{_DC}title"),
    "decision": ("decision", "act"),
    "reason": ("reason",),
    "notes": ("note", "notes"),
    "tags": ("tag", "tags", "manual tags", _TROPY_TAG),
}  # fmt: skip
"""Columns in our tables, in Zotero's and in Tropy's, by what they tell."""
_PARTED = {"tags": "\n", _TROPY_TAG: "[,\n]"}
"""What parts the tags of a cell, by the column; else a semicolon."""
_TAGGED = {"names": ("CN", "UR", "AN", "ID"), "title": ("TI", "T1"), "notes": ("N1",), "tags": ("KW",)}
_RIS = re.compile(r"([A-Z][A-Z0-9]) {1,2}- ?(.*)")
_OWN_NOTE = re.compile(rf"{NAMED}(.+?)(?:; Date: |\n|$)")


@dataclass(frozen=True, slots=True)
class Row:
    """A row: where it stands, what may name its document, and what is said of it."""

    where: str
    names: tuple[str, ...]
    title: str = ""
    decision: str = ""
    reason: str = ""
    notes: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


def read_rows(path: Path) -> list[Row]:
    """Read a file by its ending. Raises UsageError where it cannot be read as such, or names no documents."""
    kind = path.suffix.casefold()
    if kind == ".ris":
        return list(_ris(path))
    if kind not in {".csv", ".tsv", ".txt", tables.WORKBOOK}:
        raise UsageError("it is none of CSV, TSV, XLSX and RIS.", where=str(path), remedy="Save it as one of these.")
    (_, header), *found = tables.rows_of(path) or [("", [])]
    names = [" ".join(name.casefold().split()) for name in header]
    if not {_said(name) for name in names} & {"names", "passages"}:
        raise UsageError(
            "the first row names no column `document`.",
            where=str(path),
            remedy="Begin with a file of `vestigia export`; identifier, call number and link will do, too.",
        )
    return [_row(f"{path}, {place}", names, cells) for place, cells in found if any(map(str.strip, cells))]


def _said(name: str) -> str:
    return next((said for said, names in _COLUMNS.items() if name in names), "")


def _row(where: str, columns: Sequence[str], cells: Sequence[str]) -> Row:
    found: dict[str, list[str]] = {}
    tags: list[str] = []
    for column, written in zip(columns, cells, strict=False):
        cell, said = unguarded(written), _said(column)
        if cell and said == "tags":
            tags += re.split(_PARTED.get(column, "[;\n]"), cell)
        elif cell and said:
            found.setdefault(said, []).append(cell)
    # Excel takes 0012 for 12 and 1912-03 for a day; what names a passage it leaves alone.
    passages = [name.rpartition("#")[0] for cell in found.get("passages", ()) for name in cell.split("\n")]
    names = [*filter(None, passages), *found.get("names", ())]
    row = _made(where, names, found.get("notes", ()), tags, found.get("title", ()))
    decision, reason = ("".join(found.get(part, ())[:1]) for part in ("decision", "reason"))
    return row if not decision else Row(where, row.names, row.title, decision.casefold(), reason, row.notes, row.tags)


def _made(where: str, names: Iterable[str], notes: Iterable[str], tags: Iterable[str], titles: Iterable[str]) -> Row:
    """A row of which our own notes name the document, and our own tags decide."""
    known, told, kept = [line(name) for name in names], [], []
    decision = reason = ""
    for note in map(_plain, notes):
        own = _OWN_NOTE.match(note)
        if own:
            known.insert(0, line(own[1]))
        elif note:
            told.append(line(note))
    for tag in filter(None, map(line, tags)):
        if not tag.casefold().startswith(OURS):
            kept.append(tag)
            continue
        order, _, why = tag[len(OURS) :].partition("=")
        if order.casefold() in {"accept", "reject", "flag", "hold"}:
            decision, reason = order.casefold(), why.strip()
    title = next(iter(titles), "")
    return Row(where, tuple(dict.fromkeys(known)), line(title), decision, reason, tuple(told), tuple(kept))


def _plain(note: str) -> str:
    """A note without the mark-up that Zotero puts round it."""
    if not re.search(r"</?(?:p|div|br|span|em|strong)\b", note):
        return note.strip()
    return unescape(re.sub(r"<[^>]+>", "", re.sub(r"<br */?>|</p>", "\n", note))).strip()


def _ris(path: Path) -> Iterator[Row]:
    """The records of a RIS file, each where it begins; a line without a tag goes on with the one before it."""
    fields: dict[str, list[str]] = {}
    begins, last = 0, ""
    source = FileSource(path, str(path))
    if not source.is_regular:
        raise UsageError("there is no such file.", where=str(path))
    for number, written in enumerate(decode(source)[0].removeprefix("\ufeff").splitlines(), 1):
        found = _RIS.fullmatch(written.rstrip())
        if found is None:
            if last and written.strip():
                fields[last][-1] += f"\n{written.strip()}"
            continue
        last, value = found.groups()
        if last == "TY":
            if "TY" in fields:
                raise _endless(path, begins)
            fields, begins = {}, number
        elif last == "ER":
            yield _record(f"{path}, line {begins}", fields)
            fields, last = {}, ""
            continue
        fields.setdefault(last, []).append(value)
    if "TY" in fields:
        raise _endless(path, begins)


def _endless(path: Path, line: int) -> UsageError:
    return UsageError("the record that begins there has no end (`ER  -`).", where=f"{path}, line {line}",
                      remedy="The file is not whole: export it again.")  # fmt: skip


def _record(where: str, fields: Mapping[str, Sequence[str]]) -> Row:
    said = {name: [one for tag in tags for one in fields.get(tag, ())] for name, tags in _TAGGED.items()}
    tags = [one for tag in said["tags"] for one in tag.split("\n")]
    return _made(where, said["names"], said["notes"], tags, said["title"])
