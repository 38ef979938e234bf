"""Corrections by readers: laid over a text, never in it (B7).

`corrections.jsonl` of the archive grows by a line for each act: words of a document that are to be read otherwise, by
whom and when, or the taking back of one. A correction holds as long as the words it corrects stand where they stood.
What an index or a model reads is the source as it came.
"""

import json
from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from vestigia.app.asking import now
from vestigia.app.places import find_quote
from vestigia.app.questions import legible
from vestigia.app.workspace import Workspace
from vestigia.domain.errors import ArchiveError, UsageError
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.ledger import durable
from vestigia.ledger.lock import lock

Plain = dict[str, Any]
FILE, _LOCK = "corrections.jsonl", ".corrections.lock"
LONGEST = 2000
"""Characters of a correction."""


@dataclass(frozen=True, slots=True)
class Correction:
    """`text[start:end]` of a document, which is `was`, is to be read as `now`; `undone_by` took it back."""

    number: int
    document: DocumentId
    start: int
    end: int
    was: str
    now: str
    note: str
    author: str
    time: str
    undone_by: str = ""


def correct(
    workspace: Workspace, passage: PassageId, words: tuple[str, str], author: str, note: str = ""
) -> Correction:
    """Lay a correction over a passage: `words` are those that stand there, once, and those to be read instead.

    Raises UsageError where they do not stand there, or more than once, or where nothing would change.
    """
    was, said = (one.strip() for one in words)
    legible("the name of who corrects", author)
    legible("the correction", f"{was}{said}{note}")
    catalogue = workspace.catalogue()
    try:
        found = catalogue.passages([passage])
        cards = catalogue.documents([found[0].document]) if found else ()
    finally:
        catalogue.close()
    if not found or not cards:
        raise UsageError("there is no such passage.", remedy="Open the source anew; its text may have changed.")
    if not was or was == said or max(len(was), len(said), len(note)) > LONGEST:
        raise UsageError(
            "a correction needs the words as they stand and others.", remedy=f"Write at most {LONGEST} characters."
        )
    span = find_quote(was, found[0].text)
    if span is None:
        raise UsageError("these words do not stand in the passage.", remedy="Copy them from it as they are.")
    if find_quote(was, found[0].text[span[1] :]) is not None:
        raise UsageError("these words stand in the passage more than once.", remedy="Give some of those beside them.")
    start, end = found[0].start + span[0], found[0].start + span[1]
    document, stands = found[0].document, found[0].text[slice(*span)]
    made = Correction(0, document, start, end, stands, said, note.strip(), author.strip(), now())
    told = {name: value for name, value in asdict(made).items() if name != "undone_by"}
    return replace(made, number=_append(workspace, told))


def take_back(workspace: Workspace, document: DocumentId, number: int, author: str) -> Correction:
    """Take a correction back; it stays in the record. Raises UsageError where there is none that stands."""
    legible("the name of who takes back", author)
    found = next((one for one in corrections_of(workspace, document) if one.number == number), None)
    if found is None or found.undone_by:
        raise UsageError("there is no such correction that stands.", remedy="Open the source anew.")
    _append(workspace, {"undoes": number, "document": document, "author": author.strip(), "time": now()})
    return replace(found, undone_by=author.strip())


def corrections_of(workspace: Workspace, document: DocumentId) -> list[Correction]:
    """The corrections of a document in the order they were made, those taken back, too. Raises ArchiveError."""
    return [one for one in _all(workspace) if one.document == document]


def corrected(workspace: Workspace) -> dict[DocumentId, list[Correction]]:
    """The corrections that nobody took back, of each document that has some. Raises ArchiveError."""
    found: dict[DocumentId, list[Correction]] = {}
    for one in _all(workspace):
        if not one.undone_by:
            found.setdefault(one.document, []).append(one)
    return found


def _all(workspace: Workspace) -> list[Correction]:
    """Every correction in the order they were made."""
    found: dict[int, Correction] = {}
    for line in _lines(workspace.root / FILE):
        if "undoes" not in line:
            found[line["number"]] = Correction(**line)
        elif line["undoes"] in found:
            found[line["undoes"]] = replace(found[line["undoes"]], undone_by=line["author"])
    return list(found.values())


def standing(text: str, corrections: Sequence[Correction]) -> list[Correction]:
    """Those that hold of a text as it is now, by place: their words stand where they stood; of two the newer counts."""
    kept: list[Correction] = []
    for one in reversed(corrections):
        holds = not one.undone_by and text[one.start : one.end] == one.was
        if holds and not any(one.start < other.end and other.start < one.end for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)


def forget(workspace: Workspace, documents: Collection[DocumentId]) -> None:
    """Leave nothing of what was said of documents that were deleted: it quotes them. Raises BusyError, ArchiveError."""
    path = workspace.root / FILE
    if not path.exists():
        return
    with closing(lock(workspace.root / _LOCK)):
        kept = [line for line in _lines(path) if line["document"] not in documents]
        durable.replace(path, b"".join(_written(line) for line in kept))


def _append(workspace: Workspace, act: Plain) -> int:
    """Write an act down as the next line, one writer at a time, and wait until the disk has it; returns its number."""
    path = workspace.root / FILE
    with closing(lock(workspace.root / _LOCK)):
        number = max((line["number"] for line in _lines(path)), default=0) + 1
        with path.open("a+b") as file:
            file.seek(0)
            whole = file.read().rfind(b"\n") + 1
            file.truncate(whole)  # a line that a kill left without its end
            durable.append(file.fileno(), _written({**act, "number": number}), path)
    return number


def _written(act: Plain) -> bytes:
    return json.dumps(act, ensure_ascii=False, sort_keys=True).encode() + b"\n"


def _lines(path: Path) -> list[Plain]:
    """What was written, a last line without its end left out. Raises ArchiveError for a line that is none of ours."""
    try:
        *lines, _torn = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    return [_read(line, at, path) for at, line in enumerate(lines, 1)]


def _read(line: bytes, at: int, path: Path) -> Plain:
    try:
        act: Plain = json.loads(line)
        sound = isinstance(act["number"], int) and isinstance(act["document"], str)
        if "undoes" not in act:
            Correction(**act)
    except (ValueError, TypeError, KeyError):
        sound = False
    if not sound:
        remedy = "Restore the file from a copy, or take that line out."
        raise ArchiveError(f"line {at} is no correction.", where=str(path), remedy=remedy)
    return act
