"""Records of runs as pages read them: what was read and checked once is not read again, only what came since."""

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from vestigia.app.asking import Answer, answer_of
from vestigia.app.workspace import Workspace
from vestigia.domain.entries import Begun, Entry
from vestigia.domain.ids import RunId
from vestigia.engine import runs
from vestigia.engine.journal import begun
from vestigia.inquiry.state import State
from vestigia.ledger.chain import LEDGER, follow
from vestigia.ledger.shapes import tag
from vestigia.ledger.tail import Tail

KEPT = 16


@dataclass(frozen=True, slots=True)
class Record:
    """A run as far as it was written when it was read."""

    run: RunId
    entries: tuple[Entry, ...]
    state: State
    answer: Answer

    @property
    def first(self) -> Begun:
        """What made it."""
        return begun(self.entries, self.run)


def kind_of(first: Begun) -> str:
    """What a run was begun for: question, survey, judge, curate, interpret."""
    return "question" if first.commission is None else tag(type(first.commission)).removesuffix("_order")


@dataclass
class _Kept:
    tail: Tail
    changed: int
    record: Record


class Records:
    """The records read last. A file that was changed otherwise than by adding to it is read anew."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Path, _Kept] = OrderedDict()
        self._kinds: dict[Path, str] = {}
        self._lock = Lock()

    def read(self, workspace: Workspace, name: str) -> Record:
        """The record of a run. Raises UsageError for one that may not be seen or holds nothing, LedgerError."""
        run = workspace.run(name)
        folder = workspace.runs / run
        stamp = (folder / LEDGER).stat()
        with self._lock:
            kept = self._kept.pop(folder, None)
            if kept is None or not self._is_added_to(kept, stamp.st_size, stamp.st_mtime_ns):
                kept = None
            tail = kept.tail if kept else Tail(workspace.runs, run)
            before = kept.record.entries if kept else ()
            fresh = tail.fresh()
            record = kept.record if kept and not fresh else _record(run, (*before, *fresh))
            self._kept[folder] = _Kept(tail, stamp.st_mtime_ns, record)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return record

    def kind(self, workspace: Workspace, run: RunId) -> str:
        """What a run was begun for, read off its first entry and remembered: it never changes."""
        folder = workspace.runs / run
        with self._lock:
            known = self._kinds.get(folder)
        if known is None:
            with (folder / LEDGER).open("rb") as file:
                line = file.readline()
            known = kind_of(begun(tuple(follow(folder, run, [line])), run))
            with self._lock:
                self._kinds[folder] = known
        return known

    @staticmethod
    def _is_added_to(kept: _Kept, size: int, changed: int) -> bool:
        return size > kept.tail.read or (size == kept.tail.read and changed == kept.changed)


def _record(run: RunId, entries: tuple[Entry, ...]) -> Record:
    begun(entries, run)  # says so where there is none
    state = runs.view_of(entries)
    return Record(run, entries, state, answer_of(run, entries, state))
