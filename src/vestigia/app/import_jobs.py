"""Imports in the background: looked at first, then taken in; what became of each is kept in the archive's folder.

One is at work in an archive at a time, whichever process asks: a lock of the system says so, and lets go when its
process dies. An import whose note says that it is at work, while nobody holds the lock, was broken off: every file is
one transaction, so doing it again completes it. Only how far it is lives in memory.
"""

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock, Thread
from typing import Any, BinaryIO

from vestigia.app.archive import Added, Tell, add
from vestigia.app.present import file_shown
from vestigia.app.previewing import preview
from vestigia.app.workspace import Workspace
from vestigia.corpus.importing import FileReport, ImportOptions
from vestigia.corpus.previewing import FilePreview
from vestigia.domain.errors import BusyError, UsageError, VestigiaError
from vestigia.domain.periods import label
from vestigia.ledger import durable
from vestigia.ledger.lock import lock

Plain = dict[str, Any]
FOLDER, UPLOADS = "imports", "uploads"
KEPT = 50
"""Imports remembered for an archive; of older ones only what came in is left."""
log = logging.getLogger("vestigia.import")


@dataclass
class Job:
    """Files of an archive on their way in.

    `state` is looking, looked, taking, taken, failed, or broken where the process that was at work ended; `seen` says
    whether somebody could read what would become of the files. `began` is a time in UTC (ISO 8601).
    """

    number: int
    by: str
    began: str
    paths: tuple[Path, ...]
    options: ImportOptions
    state: str = "looking"
    seen: bool = False
    progress: tuple[str, int, int] = ("", 0, 0)
    files: list[Plain] = field(default_factory=list)
    told: Plain = field(default_factory=dict)
    problem: Plain | None = None

    @property
    def moving(self) -> bool:
        """Whether something is being done with it."""
        return self.state in {"looking", "taking"}


class Jobs:
    """The imports of the archives that one process serves. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._moving: dict[Path, Job] = {}

    def look(self, workspace: Workspace, paths: Sequence[Path], options: ImportOptions, by: str) -> Job:
        """Look at files without taking them in. Raises BusyError while another import of the archive is at work."""
        with self._lock:
            held = _held(workspace)
            number = max(_numbers(workspace), default=0) + 1
            began = datetime.now(UTC).isoformat(timespec="seconds")
            return self._begin(workspace, Job(number, by, began, tuple(paths), options), held)

    def go_on(self, workspace: Workspace, number: int) -> Job:
        """Take in what was looked at; what nobody could look at yet is looked at first.

        Raises UsageError for no such import or one that is over, BusyError while another is at work.
        """
        with self._lock:
            held = _held(workspace)
            try:
                job = _noted(workspace, number)
                if job.state == "taken":
                    raise UsageError("the files are taken in already.", remedy="Bring others.")
                _require_allowed(workspace, job.paths)
            except VestigiaError:
                held.close()
                raise
            job.state, job.problem = ("taking" if job.seen else "looking"), None
            return self._begin(workspace, job, held)

    def job(self, workspace: Workspace, number: int) -> Job:
        """One import. Raises UsageError where there is none of that number."""
        with self._lock:
            return self._as_it_stands(workspace, number)

    def all(self, workspace: Workspace) -> list[Job]:
        """The imports of an archive, the newest first; a note that cannot be read is passed over."""
        found = []
        with self._lock:
            for number in sorted(_numbers(workspace), reverse=True):
                try:
                    found.append(self._as_it_stands(workspace, number))
                except UsageError:
                    continue
        return found

    def _as_it_stands(self, workspace: Workspace, number: int) -> Job:
        here = self._moving.get(workspace.root)
        if here is not None and here.number == number:
            return here
        job = _noted(workspace, number)
        if job.moving and (here is not None or _is_at_rest(workspace)):
            job.state = "broken"
        return job

    def _begin(self, workspace: Workspace, job: Job, held: BinaryIO) -> Job:
        try:
            _write(workspace, job)
            for old in sorted(_numbers(workspace))[:-KEPT]:
                _note(workspace, old).unlink(missing_ok=True)
        except VestigiaError:
            held.close()
            raise
        self._moving[workspace.root] = job
        Thread(target=self._work, args=(workspace.whole, job, held), name=f"import {job.number}", daemon=True).start()
        return job

    def _work(self, workspace: Workspace, job: Job, held: BinaryIO) -> None:
        def tell(what: str, done: int, of: int) -> None:
            job.progress = (what, done, of)

        try:
            done = _done(workspace, job, tell)
            _write(workspace, done)
        except Exception:  # the edge of a thread: the note still says that it is at work, so it counts as broken off
            log.exception("what became of an import could not be kept")
        finally:
            with self._lock:
                del self._moving[workspace.root]
                held.close()


def plain(job: Job) -> Plain:
    """An import as data; no path of this machine is in it."""
    what, done, of = job.progress
    return {
        "import": job.number, "by": job.by, "began": job.began, "state": job.state, "moving": job.moving,
        "seen": job.seen, "names": [path.name for path in job.paths],
        "progress": {"what": what.split("/")[-1], "done": done, "of": of},
        "files": job.files, "told": job.told or None, "problem": job.problem,
    }  # fmt: skip


def _done(workspace: Workspace, job: Job, tell: Tell) -> Job:
    """What the import is when its work is done or has failed; `job` itself stays as it was, for who looks meanwhile."""
    begun = Job(job.number, job.by, job.began, job.paths, job.options, seen=job.seen, files=job.files)
    deed: Callable[[], None]
    if job.state == "looking":
        deed = lambda: _looked(begun, preview(workspace, job.paths, job.options, tell))  # noqa: E731
    else:
        deed = lambda: _taken(begun, add(workspace, job.paths, job.options, tell))  # noqa: E731
    try:
        deed()
    except VestigiaError as error:
        where = file_shown(error.where)
        begun.problem = {"what": error.what, "where": where, "remedy": error.remedy, "status": 400}
        begun.state = "failed"
    except Exception:  # the edge of a thread: the page says that it failed, the log how
        log.exception("an import failed")
        begun.problem = {"what": "something went wrong in Vestigia.", "where": "", "remedy": "", "status": 500}
        begun.state = "failed"
    return begun


def _held(workspace: Workspace) -> BinaryIO:
    """The lock of the imports of an archive. Raises BusyError while one is at work."""
    folder = workspace.root / FOLDER
    try:
        folder.mkdir(exist_ok=True)
        return lock(folder / "lock")
    except OSError as error:
        raise durable.unwritten(error, Path(FOLDER)) from error
    except BusyError as error:
        raise BusyError("files of this archive are being read.", remedy="Wait until that is done.") from error


def _is_at_rest(workspace: Workspace) -> bool:
    try:
        _held(workspace).close()
    except BusyError:
        return False
    return True


def _require_allowed(workspace: Workspace, paths: Sequence[Path]) -> None:
    """What a note names is taken in only where it could be chosen today. Raises UsageError."""
    allowed = {workspace.root / one for one in workspace.settings.imports.folders}
    for path in paths:
        if path not in allowed and path.parent != workspace.root / UPLOADS:
            raise UsageError("there is no such folder.", remedy="Name it in the settings: [import] folders.")


def _note(workspace: Workspace, number: int) -> Path:
    return workspace.root / FOLDER / f"{number}.json"


def _numbers(workspace: Workspace) -> list[int]:
    found = (workspace.root / FOLDER).glob("*.json")
    return [int(path.stem) for path in found if path.stem.isascii() and path.stem.isdecimal()]


def _write(workspace: Workspace, job: Job) -> None:
    root = workspace.root
    told: Plain = {name: getattr(job, name) for name in ("by", "began", "state", "seen", "files", "told", "problem")}
    options = {name: value for name, value in asdict(job.options).items() if name != "preview"}
    told |= {"paths": [_within(path, root) for path in job.paths], "options": options}
    durable.replace(_note(workspace, job.number), json.dumps(told, ensure_ascii=False).encode())


def _within(path: Path, root: Path) -> str:
    """A path as seen from the archive's folder, so that a copy of it elsewhere finds its own files."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def _noted(workspace: Workspace, number: int) -> Job:
    """An import by its note. Raises UsageError where there is none, or one that a dying machine left."""
    try:
        told = json.loads(_note(workspace, number).read_text(encoding="utf-8"))
        options = {**told.pop("options")}
        options["name_patterns"] = tuple(options["name_patterns"])
        paths = tuple(workspace.root / one for one in told.pop("paths"))
        return Job(number, paths=paths, options=ImportOptions(**options), **told)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise UsageError(
            "there is no such import.", remedy="Files that were sent are kept: look at them again."
        ) from error


def _looked(job: Job, found: Sequence[FilePreview]) -> None:
    job.files = [
        {
            **_account(one.report),
            "layouts": [{**asdict(each), "columns": [list(pair) for pair in each.columns]} for each in one.layouts],
            "first": [
                {"document": first.id, "title": first.title, "date": label(first.period) if first.period else None,
                 "language": first.language or None, "sub_corpus": first.sub_corpus, "text": first.text[:400]}
                for first in one.first
            ],
        }
        for one in found
    ]  # fmt: skip
    job.state, job.seen = "looked", True


def _taken(job: Job, added: Added) -> None:
    job.files = [_account(one) for report in added.reports for one in report.files]
    counts = ("documents", "passages", "dated", "undated", "unchanged", "updated", "twins")
    job.told = {count: sum(report.total(count) for report in added.reports) for count in counts}
    job.told |= {"indexed": added.indexed, "unencoded": added.unencoded or None}
    job.state = "taken"


def _account(one: FileReport) -> Plain:
    """What became of a file, by its last name: folders of this machine are nobody's business."""
    told = asdict(one)
    records = {
        kind: [{"record": r.place, "reason": r.reason} for r in getattr(one, kind)] for kind in ("warnings", "refused")
    }
    return {**told, **records, "file": file_shown(one.file)}
