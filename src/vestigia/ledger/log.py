"""The Ledger port over a folder: `runs/<id>/ledger.jsonl`, append-only, one writer, any number of readers."""

import os
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import rfc8785

from vestigia.domain.entries import Body, Entry
from vestigia.domain.errors import ArchiveError, LedgerError
from vestigia.domain.ids import Digest, RunId, digest
from vestigia.ledger import blobs, durable
from vestigia.ledger.chain import LEDGER, Torn, follow, load
from vestigia.ledger.codec import seal
from vestigia.ledger.lock import lock

LOCK = "lock"
REPAIRS = "repairs.jsonl"
"""Notes on torn lines that were cut. Beside the chain, so that a resumed ledger equals an uninterrupted one."""
Clock = Callable[[], str]
"""Says the time: UTC in ISO 8601."""


class FileLedger:
    """The append-only log of one run. Made by `create`, `open` (both hold the run's lock until `close`) or `read`."""

    def __init__(self, folder: Path, run: RunId, clock: Clock, held: BinaryIO | None) -> None:
        self._folder = folder / run
        self._run = run
        self._clock = clock
        self._held = held
        self._file = -1
        self._size = 0
        self._entries: tuple[Entry, ...] = ()
        self._torn: Torn | None = None
        self._made = False

    @classmethod
    def create(cls, folder: Path, run: RunId, clock: Clock) -> Self:
        """Begin an empty ledger for `run` in the folder of all runs; if it stays empty, closing it removes it.

        Raises ArchiveError when the run exists.
        """
        place = folder / run
        try:
            place.mkdir(parents=True)
        except FileExistsError as error:
            raise ArchiveError("a run of this name exists already.", where=str(place), remedy="Resume it.") from error
        except OSError as error:
            raise durable.unwritten(error, place) from error
        with ExitStack() as undo:
            ledger = cls(folder, run, clock, lock(place / LOCK))
            undo.callback(ledger.close)
            ledger._made = True
            ledger._begin(os.O_CREAT | os.O_EXCL)
            durable.settle(place)
            durable.settle(folder)
            undo.pop_all()
        return ledger

    @classmethod
    def open(cls, folder: Path, run: RunId, clock: Clock) -> Self:
        """Open a run to go on with it. A torn last line is cut, and the cut noted in `repairs.jsonl`.

        Raises ArchiveError when there is no such run or another program writes it, LedgerError when it was altered.
        """
        load(folder / run)  # before the lock, which would make a file where there is no run
        with ExitStack() as undo:
            ledger = cls(folder, run, clock, lock(folder / run / LOCK))
            undo.callback(ledger.close)
            ledger._refresh()
            ledger._begin(0)
            ledger._repair()
            undo.pop_all()
        return ledger

    @classmethod
    def read(cls, folder: Path, run: RunId) -> Self:
        """Open a run to look at it, also while it is being written; `entries` reads it anew each time.

        Raises ArchiveError when there is no such run, LedgerError when it was altered.
        """
        ledger = cls(folder, run, lambda: "", None)
        ledger._refresh()
        return ledger

    @property
    def run(self) -> RunId:
        """The run it records."""
        return self._run

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self._folder

    @property
    def torn(self) -> str:
        """What is wrong with the last line when it was not written to its end; empty when nothing is."""
        return str(self._torn or "")

    def entries(self) -> tuple[Entry, ...]:
        """All entries, verified. Raises LedgerError."""
        if self._held is None:
            self._refresh()
        return self._entries

    def append(self, body: Body, actor: str, took: float | None = None) -> Entry:
        """Write one entry; when this returns, the disk has it. The entry is returned as it will be read back.

        `actor` is code, model:<name> or person:<name>; `took` the seconds an answer took, None where nobody measured.

        Raises ArchiveError when the disk is full or the ledger is open for reading, LedgerError when the body holds
        what no ledger can hold or the file was changed by somebody else. Nothing written before is harmed.
        """
        self._may_write()
        if (size := os.fstat(self._file).st_size) != self._size:
            raise LedgerError(
                f"somebody else changed the file: it has {size} bytes, this writer left {self._size}.",
                where=str(self._folder / LEDGER),
                remedy="Verify the run before going on.",
            )
        previous = self._entries[-1].digest if self._entries else digest(self._run)
        entry, line = seal(Entry(len(self._entries), previous, Digest(""), self._clock(), actor, body, took))
        durable.append(self._file, line, self._folder / LEDGER)
        self._size += len(line)
        self._entries += (entry,)
        return entry

    def keep(self, content: str) -> Digest:
        """Keep a large text beside the log, by digest. Raises ArchiveError."""
        self._may_write()
        return blobs.keep(self._folder, content)

    def kept(self, key: Digest) -> str:
        """Return a kept text. Raises LedgerError when it is gone or altered."""
        return blobs.kept(self._folder, key)

    def close(self) -> None:
        """Let go of the run. What was appended is on the disk already; a run that was given nothing leaves nothing."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
        if self._held:
            self._held.close()
        if self._made and not self._entries:
            self._made = False
            shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _may_write(self) -> None:
        if self._file < 0:
            raise ArchiveError(
                "this ledger is not open for writing.", where=str(self._folder), remedy="Open the run to go on with it."
            )

    def _begin(self, flags: int) -> None:
        path = self._folder / LEDGER
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0) | flags, 0o644)
        except OSError as error:
            raise durable.unwritten(error, path) from error
        self._size = os.fstat(self._file).st_size

    def _refresh(self) -> None:
        lines, self._torn = load(self._folder)
        self._entries = tuple(follow(self._folder, self._run, lines))

    def _repair(self) -> None:
        if self._torn is None:
            return
        note: dict[str, str | int] = {
            "time": self._clock(),
            "entry": self._torn.number,
            "line": self._torn.line,
            "cut": self._torn.content.decode("utf-8", "backslashreplace"),
        }
        path = self._folder / REPAIRS
        with path.open("ab") as file:
            durable.append(file.fileno(), rfc8785.dumps(note) + b"\n", path)
        self._size -= len(self._torn.content)
        os.ftruncate(self._file, self._size)
        os.fsync(self._file)
