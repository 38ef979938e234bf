"""The list of runs in SQLite: read off the ledgers, never the other way round; delete it at will."""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from vestigia.domain.commissions import CurateOrder, InterpretOrder, JudgeOrder, SurveyOrder
from vestigia.domain.entries import Begun, Recorded
from vestigia.domain.errors import ArchiveError
from vestigia.domain.events import Closed, HumanAct, Judged, Overruled, Paused, Reevaluated
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import Digest, DocumentId, RunId, digest
from vestigia.ledger.chain import LEDGER, load, sound
from vestigia.ledger.naming import runs

FILE = "runs.sqlite"
_KINDS: dict[type, str] = {
    type(None): "question",
    SurveyOrder: "survey",
    JudgeOrder: "judging",
    CurateOrder: "curation",
    InterpretOrder: "interpretation",
}
_VERSION = 3


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run in the list. `kind` is question, survey, judging, curation or interpretation; empty where none is said.

    `state` is open, paused, closed, partial or broken; `problem` says why a broken one is.

    `opened_at` is UTC in ISO 8601; of a broken run, what stands before the first problem is shown. `accepted` counts
    documents, a person's decision outranking the machine's. `torn` is whether the last line has no end.
    """

    run: RunId
    kind: str
    state: str
    question: str
    opened_at: str
    model: str
    accepted: int
    entries: int
    head: Digest
    torn: bool
    problem: str


def list_runs(folder: Path) -> tuple[RunRow, ...]:
    """Return every run in the folder, the one opened last first; ledgers that changed since are read anew.

    A list that is damaged or of another version is made again; where none can be kept, the ledgers are read instead.
    """
    names = runs(folder)
    if not names:
        return ()
    try:
        return _listed(folder, names)
    except sqlite3.OperationalError:  # a folder that can only be read, or a list that another program is making
        rows = [row(folder, run) for run in names]
        return tuple(sorted(rows, key=lambda row: (row.opened_at, row.run), reverse=True))
    except sqlite3.DatabaseError:
        _delete(folder / FILE)
        return _listed(folder, names)


def rebuild(folder: Path) -> tuple[RunRow, ...]:
    """Throw the list away and read it off the ledgers again."""
    _delete(folder / FILE)
    return list_runs(folder)


def row(folder: Path, run: RunId) -> RunRow:
    """Read the row of one run off its ledger; one that cannot be read is broken."""
    try:
        lines, torn = load(folder / run)
    except ArchiveError as error:
        return RunRow(run, "", "broken", "", "", "", 0, 0, digest(run), torn=False, problem=str(error))
    entries, problem = sound(folder / run, run, lines)
    begun = [entry.body for entry in entries if isinstance(entry.body, Begun)]
    events = [entry.body.event for entry in entries if isinstance(entry.body, Recorded)]
    closed = [event for event in events if isinstance(event, Closed)]
    machine = [event for event in events if not isinstance(event, HumanAct)]
    paused = bool(machine) and isinstance(machine[-1], Paused)
    state = ("partial" if closed[-1].partial else "closed") if closed else "paused" if paused else "open"
    return RunRow(
        run=run,
        kind=_KINDS[type(begun[0].commission)] if begun else "",
        state="broken" if problem else state,
        question=begun[0].question.text if begun else "",
        opened_at=entries[0].time if entries else "",
        model=begun[0].manifest.model if begun else "",
        accepted=len(_accepted(events)),
        entries=len(entries),
        head=entries[-1].digest if entries else digest(run),
        torn=torn is not None,
        problem=problem,
    )


def _accepted(events: Iterable[object]) -> list[DocumentId]:
    machine: dict[DocumentId, bool] = {}
    person: dict[DocumentId, bool] = {}
    for event in events:
        if isinstance(event, Judged | Reevaluated):
            verdicts = event.verdicts if isinstance(event, Judged) else event.promoted
            # A rejection is of a passage, never of its document.
            machine |= {verdict.document: True for verdict in verdicts if verdict.decision is Decision.ACCEPT}
        elif isinstance(event, Overruled):
            person[event.document] = event.decision is Decision.ACCEPT
    return [document for document, taken in (machine | person).items() if taken]


_COLUMNS = [field.name for field in fields(RunRow)]


def _row(values: Sequence[object]) -> RunRow:
    named = dict(zip(_COLUMNS, values, strict=True))
    return RunRow(**{**named, "torn": bool(named["torn"])})  # type: ignore[arg-type]


def _stamp(folder: Path, run: RunId) -> tuple[int, int]:
    state = (folder / run / LEDGER).stat()
    return state.st_size, state.st_mtime_ns


def _listed(folder: Path, names: list[RunId]) -> tuple[RunRow, ...]:
    with closing(sqlite3.connect(folder / FILE, timeout=30)) as store, store:
        store.execute("PRAGMA journal_mode = WAL")
        if store.execute("PRAGMA user_version").fetchone()[0] not in {0, _VERSION}:
            raise sqlite3.DatabaseError("another version of Vestigia made this list")
        store.execute(f"CREATE TABLE IF NOT EXISTS runs ({', '.join(_COLUMNS)}, size, changed, PRIMARY KEY (run))")
        store.execute(f"PRAGMA user_version = {_VERSION}")
        seen = {run: (size, changed) for run, size, changed in store.execute("SELECT run, size, changed FROM runs")}
        store.executemany("DELETE FROM runs WHERE run = ?", [(run,) for run in sorted(seen.keys() - set(names))])
        marks = ", ".join("?" * (len(_COLUMNS) + 2))
        for run in names:
            stamp = _stamp(folder, run)
            if seen.get(run) != stamp:
                store.execute(f"REPLACE INTO runs VALUES ({marks})", (*astuple(row(folder, run)), *stamp))  # noqa: S608
        found = store.execute(f"SELECT {', '.join(_COLUMNS)} FROM runs ORDER BY opened_at DESC, run DESC")  # noqa: S608
        return tuple(_row(values) for values in found)


def _delete(path: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
