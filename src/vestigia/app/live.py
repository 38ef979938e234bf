"""Runs in hand: carried out in threads of this process, a few at a time, the others in a queue.

A run is begun by writing its first entry. From then on a note beside its ledger says that it is owed: the process that
finds the note after a kill carries the run on, and the ledger sees to it that nothing is repeated. There is no other
state that could be lost.
"""

import json
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Condition, Thread
from time import monotonic
from typing import Any, Protocol

from vestigia.app import access, asking, works
from vestigia.app.asking import Watch, later
from vestigia.app.present import Plain
from vestigia.app.workspace import Workspace
from vestigia.domain.entries import Entry, Recorded
from vestigia.domain.errors import BusyError, StoppedError, UsageError, VestigiaError
from vestigia.domain.events import Closed, HumanAct, Paused
from vestigia.domain.ids import RunId
from vestigia.engine import runs
from vestigia.inquiry.curation import CHECKPOINT as CURATED
from vestigia.ledger import durable
from vestigia.ledger.lock import lock
from vestigia.ledger.log import LOCK
from vestigia.ledger.naming import MARK

NOTE = "owed.json"
AT_ONCE = 2
"""Runs carried out at the same time, whoever asked for them."""
log = logging.getLogger("vestigia.live")


class Begun(Protocol):
    """What begins a run returns something that names it: an `Answer`, a `Work`."""

    @property
    def run(self) -> RunId:
        """The run."""
        ...


@dataclass(frozen=True, slots=True)
class Standing:
    """How a run stands.

    `state` is queued, running, stopping, waiting (for a person, at `checkpoint`), paused (stopped, or its model
    failed), interrupted (nobody carries it on), elsewhere (another program does), failed, finished or partial.
    `place` is that in the queue, from 1; `problem` says why it failed.
    """

    state: str
    place: int = 0
    checkpoint: str = ""
    why: str = ""
    problem: Plain | None = None

    @property
    def moving(self) -> bool:
        """Whether something can change without anybody doing something."""
        return self.state in {"queued", "running", "stopping", "elsewhere"}

    @property
    def over(self) -> bool:
        """Whether it came to its end."""
        return self.state in {"finished", "partial"}


class _LeftError(Exception):
    """This process ends: the run stays owed."""


@dataclass
class _Task:
    workspace: Workspace
    run: RunId
    by: str
    stopped_by: str = ""

    @property
    def folder(self) -> Path:
        return self.workspace.runs / self.run


class Live:
    """The runs in hand of one process. Every method may be called from any thread."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._changed = Condition()
        self._queue: list[_Task] = []
        self._running: dict[Path, _Task] = {}
        self._leaving = False

    def begin(self, workspace: Workspace, by: str, job: Callable[[Watch], Begun]) -> RunId:
        """Begin a run and take it in hand: `job` is given the `watch` to begin it with, which only begins it.

        Raises what `job` raises; then nothing was begun.
        """
        run = job(later).run
        self._take(_Task(workspace, run, by))
        return run

    def go_on(self, workspace: Workspace, name: str, by: str) -> RunId:
        """Take a run in hand again; one that waits for a person is let go on in the name of `by`.

        Raises UsageError where it cannot be carried on, BusyError while another program writes it.
        """
        run = workspace.run(name)
        if self._of(workspace.runs / run) is None:
            home = access.home_of(replace(workspace, part=None, hidden=frozenset()), run)
            if runs.waiting_at(works.read(home, run).entries) == CURATED:
                raise UsageError(
                    "a set that is being curated goes on by what people decide about it.",
                    where=f"run {run}",
                    remedy="Seal it when it is done; `vestigia resume --as NAME` closes it without.",
                )
            with asking.reopened(home, run, by) as (ledger, _):
                if _closed(ledger.entries()):
                    raise UsageError("the run is finished.", where=f"run {run}", remedy="Fork it, or ask anew.")
            self._take(_Task(home, run, by))
        return run

    def stop(self, workspace: Workspace, name: str, by: str) -> RunId:
        """Stop a run: taken out of the queue, or paused after the step in hand, which the record says.

        Raises UsageError where it is not in hand.
        """
        run = workspace.run(name)
        with self._changed:
            task = self._of(workspace.runs / run)
            if task is None:
                raise UsageError("the run is not being carried out here.", where=f"run {run}")
            if task in self._queue:
                self._queue.remove(task)
                (task.folder / NOTE).unlink(missing_ok=True)
            else:
                task.stopped_by = by
        return run

    def standing(self, workspace: Workspace, run: RunId, entries: Sequence[Entry]) -> Standing:
        """How a run stands, by its entries and by who has it in hand."""
        folder = workspace.runs / run
        with self._changed:
            task = self._of(folder)
            if task in self._queue:
                return Standing("queued", place=self._queue.index(task) + 1)
            if task is not None:
                return Standing("stopping" if task.stopped_by else "running")
        return _by_record(folder, entries)

    def take_up(self, workspaces: Iterable[Workspace]) -> None:
        """Take in hand again what an earlier process owed; what had failed waits for a person."""
        for workspace in workspaces:
            for run in workspace.run_names():
                note = _note(workspace.runs / run)
                if note is not None and "problem" not in note:
                    try:
                        self._take(_Task(access.home_of(workspace, run), run, str(note["by"])))
                    except VestigiaError as error:
                        _write(workspace.runs / run, {**note, "problem": _said(error)})

    def leave(self) -> None:
        """Carry no run further than the step in hand: this process ends. Waits for nothing."""
        self._leaving = True

    def close(self, patience: float = 5.0) -> None:
        """Leave, and wait so many seconds for the steps in hand; what is then not written is done again later."""
        self.leave()
        until = monotonic() + patience
        with self._changed:
            while self._running and (left := until - monotonic()) > 0:
                self._changed.wait(left)

    def in_hand(self) -> tuple[int, int]:
        """How many runs are being carried out, and how many wait for their turn."""
        with self._changed:
            return len(self._running), len(self._queue)

    @property
    def leaving(self) -> bool:
        """Whether this process ends."""
        return self._leaving

    def _of(self, folder: Path) -> _Task | None:
        waiting = next((task for task in self._queue if task.folder == folder), None)
        return waiting or self._running.get(folder)

    def _take(self, task: _Task) -> None:
        _write(task.folder, {"by": task.by})
        with self._changed:
            if self._of(task.folder) is None:
                self._queue.append(task)
            self._fill()

    def _fill(self) -> None:
        while self._queue and len(self._running) < self._at_once and not self._leaving:
            task = self._queue.pop(0)
            self._running[task.folder] = task
            Thread(target=self._carried, args=(task,), name=f"run {task.run}", daemon=True).start()

    def _carried(self, task: _Task) -> None:
        try:
            self._carry(task)
        finally:
            with self._changed:
                del self._running[task.folder]
                self._fill()
                self._changed.notify_all()

    def _carry(self, task: _Task) -> None:
        def hear(_entry: Entry) -> None:
            if self._leaving:
                raise _LeftError
            if task.stopped_by:
                who, task.stopped_by = task.stopped_by, ""
                raise StoppedError(f"stopped by {who}.")

        note = {"by": task.by}
        try:
            if works.is_commissioned(task.workspace, task.run):
                works.resume(task.workspace, task.run, hear)
            else:
                asking.resume(task.workspace, task.run, watch=hear)
        except _LeftError:
            return
        except (StoppedError, BusyError):  # the record says so; another program has it in hand
            pass
        except VestigiaError as error:
            _write(task.folder, {**note, "problem": _said(error)})
            return
        except Exception:  # the edge of a thread: the note says that it failed, the log how
            log.exception("run %s failed", task.run, extra={"mark": task.run[-MARK:]})
            unforeseen = {"what": "something went wrong in Vestigia.", "where": f"run {task.run}"}
            remedy = "What was recorded is unharmed. The log of the server has the details."
            _write(task.folder, {**note, "problem": {**unforeseen, "remedy": remedy}})
            return
        (task.folder / NOTE).unlink(missing_ok=True)


def _by_record(folder: Path, entries: Sequence[Entry]) -> Standing:
    """How a run stands that is not in hand."""
    if ended := _closed(entries):
        return Standing("partial" if ended.partial else "finished")
    if checkpoint := runs.waiting_at(entries):
        return Standing("waiting", checkpoint=checkpoint)
    if _is_written(folder):
        return Standing("elsewhere")
    if why := _paused(entries):
        return Standing("paused", why=why)
    note = _note(folder)
    return Standing("failed", problem=note["problem"]) if note and "problem" in note else Standing("interrupted")


def _closed(entries: Sequence[Entry]) -> Closed | None:
    events = (entry.body.event for entry in reversed(entries) if isinstance(entry.body, Recorded))
    return next((event for event in events if isinstance(event, Closed)), None)


def _paused(entries: Sequence[Entry]) -> str:
    for entry in reversed(entries):
        event = entry.body.event if isinstance(entry.body, Recorded) else None
        if not isinstance(event, HumanAct):
            return event.why if isinstance(event, Paused) else ""
    return ""


def _is_written(folder: Path) -> bool:
    try:
        lock(folder / LOCK).close()
    except VestigiaError as error:
        return isinstance(error, BusyError)
    return False


def _note(folder: Path) -> dict[str, Any] | None:
    try:
        found = json.loads((folder / NOTE).read_text(encoding="utf-8"))
    except (OSError, ValueError):  # none, or one that a dying machine left: then a person is asked
        return None
    return found if isinstance(found, dict) and "by" in found else None


def _write(folder: Path, note: dict[str, Any]) -> None:
    durable.replace(folder / NOTE, json.dumps(note, ensure_ascii=False).encode())


def _said(error: VestigiaError) -> Plain:
    return {"what": error.what, "where": error.where, "remedy": error.remedy}
