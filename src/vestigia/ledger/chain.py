"""Reading a ledger file: every entry follows from the one before, or the reading stops and says where.

Three things can be wrong and are told apart. *Torn*: the last line has no line feed, as a process or a machine leaves
it that dies while writing; all before it stands. A last line that has one was written whole, so if it cannot be read
it is not torn: to cut it would let anybody remove the last decision unseen. *Altered*: a line's digest is not that of
its content. *Gap*: the line is whole but not the next one: lines were removed, repeated or moved.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from vestigia.domain.entries import Entry
from vestigia.domain.errors import ArchiveError, LedgerError
from vestigia.domain.ids import RunId, digest
from vestigia.ledger.codec import UNTRUSTED, decode

LEDGER = "ledger.jsonl"
Decode = Callable[[bytes, str], Entry]
"""Reads one line; the text names file, line and entry in errors."""


@dataclass(frozen=True, slots=True)
class Torn:
    """What is left of the last line: the number its entry would have had, its line (from 1) and its bytes."""

    number: int
    line: int
    content: bytes

    def __str__(self) -> str:
        return (
            f"the last line, line {self.line}, is torn: entry {self.number} was not written to its end "
            f"({len(self.content)} bytes are there)"
        )


def load(folder: Path) -> tuple[list[bytes], Torn | None]:
    """Return the whole lines of a run's ledger, line feeds included, and the torn one, if any.

    Raises ArchiveError when there is no ledger that could be read.
    """
    path = folder / LEDGER
    try:
        lines = _lines(path.read_bytes())
    except OSError as error:
        raise ArchiveError(
            f"there is no ledger to read: {error.strerror}.",
            where=str(path),
            remedy="`vestigia runs` lists the runs of this archive.",
        ) from error
    if lines and not lines[-1].endswith(b"\n"):
        return lines[:-1], Torn(len(lines) - 1, len(lines), lines[-1])
    return lines, None


def follow(
    folder: Path, run: RunId, lines: list[bytes], read: Decode = decode, after: Entry | None = None
) -> Iterator[Entry]:
    """Yield the entries of whole lines, each verified. Raises LedgerError at the first that does not follow.

    `after` is the entry before the first line, where that is not the beginning.
    """
    previous = after.digest if after else digest(run)
    for number, line in enumerate(lines, after.number + 1 if after else 0):
        where = f"{folder / LEDGER}, line {number + 1}, entry {number}"
        entry = read(line, where)
        if entry.number != number or entry.previous != previous:
            raise _gap(entry, number, where)
        previous = entry.digest
        yield entry


def sound(folder: Path, run: RunId, lines: list[bytes], read: Decode = decode) -> tuple[list[Entry], str]:
    """Return the entries before the first problem, and that problem in words, empty when there is none.

    A ledger without an entry is a problem: one that was emptied looks like one whose program died before the first.
    """
    entries: list[Entry] = []
    if not lines:
        return entries, str(
            LedgerError(
                "no entry is there: it was emptied, or its program died before the first.",
                where=str(folder / LEDGER),
                remedy="Restore it from a copy, or delete the folder of the run and ask anew.",
            )
        )
    try:
        for entry in follow(folder, run, lines, read):
            entries.append(entry)  # noqa: PERF402  those before the error are wanted
    except LedgerError as error:
        return entries, str(error)
    return entries, ""


def _lines(content: bytes) -> list[bytes]:
    # Only a line feed ends a line: texts may hold every other separator.
    parts = content.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _gap(entry: Entry, number: int, where: str) -> LedgerError:
    if entry.number != number:
        what = f"entry {number} should stand here but entry {entry.number} does: lines were removed, repeated or moved."
    elif number == 0:
        what = "the ledger does not begin with the name of this run: it belongs to another run, or was renamed."
    else:
        what = f"this entry does not follow entry {number - 1}: one of the two was exchanged."
    return LedgerError(what, where=where, remedy=UNTRUSTED)
