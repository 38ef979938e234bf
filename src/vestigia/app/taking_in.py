"""Files taken in through a browser: laid into the archive's folder, looked at first, then imported in the background.

What is sent lies in `uploads` of the archive under a name that is safe; a folder of the server is one that the settings
allow (`[import] folders`). A job is looked at or imported in a thread; the archive itself sees to it that one writes at
a time, and an import that is cut short is completed by running it again.
"""

import logging
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import Lock, Thread
from typing import Any, BinaryIO
from unicodedata import category, normalize

from vestigia.app.archive import Added, Tell, add
from vestigia.app.present import file_shown
from vestigia.app.previewing import preview
from vestigia.app.workspace import Workspace
from vestigia.corpus.importing import FileReport, ImportOptions
from vestigia.corpus.previewing import FilePreview
from vestigia.domain.errors import BusyError, UsageError, VestigiaError
from vestigia.domain.periods import label

Plain = dict[str, Any]
UPLOADS = "uploads"
LARGEST, MOST = 2 * 2**30, 2000
"""Bytes of one file, files sent at once."""
_KEPT = 8
"""Jobs remembered for an archive."""
_PART = 1 << 20
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
log = logging.getLogger("vestigia.import")


@dataclass
class Job:
    """Files of an archive on their way in. `state`: looking, looked, taking, taken, failed."""

    number: int
    by: str
    paths: tuple[Path, ...]
    options: ImportOptions
    state: str = "looking"
    progress: tuple[str, int, int] = ("", 0, 0)
    files: list[Plain] = field(default_factory=list)
    told: Plain = field(default_factory=dict)
    problem: Plain | None = None

    @property
    def moving(self) -> bool:
        """Whether something is being done with it."""
        return self.state in {"looking", "taking"}


class Jobs:
    """The jobs of the archives of one process. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._of: dict[Path, list[Job]] = {}
        self._number = 0

    def look(self, workspace: Workspace, paths: Sequence[Path], options: ImportOptions, by: str) -> Job:
        """Look at files without taking them in. Raises BusyError while another job of the archive is at work."""
        with self._lock:
            there = self._of.setdefault(workspace.root, [])
            _require_rest(there)
            self._number += 1
            job = Job(self._number, by, tuple(paths), options)
            there.append(job)
            del there[:-_KEPT]
        self._do(job, lambda tell: _looked(job, preview(workspace.whole, job.paths, options, tell)))
        return job

    def take(self, workspace: Workspace, number: int) -> Job:
        """Take in what was looked at. Raises UsageError for no such job, BusyError while another is at work."""
        with self._lock:
            job = self._named(workspace, number)
            _require_rest(self._of[workspace.root])
            if job.state == "taken":
                raise UsageError("the files are taken in already.", remedy="Bring others.")
            job.state, job.problem = "taking", None
        self._do(job, lambda tell: _taken(job, add(workspace.whole, job.paths, job.options, tell)))
        return job

    def job(self, workspace: Workspace, number: int) -> Job:
        """One job. Raises UsageError where there is none of that number."""
        with self._lock:
            return self._named(workspace, number)

    def all(self, workspace: Workspace) -> list[Job]:
        """The jobs of an archive, the newest first."""
        with self._lock:
            return list(reversed(self._of.get(workspace.root, [])))

    def _named(self, workspace: Workspace, number: int) -> Job:
        found = next((one for one in self._of.get(workspace.root, []) if one.number == number), None)
        if found is None:
            raise UsageError("there is no such import.", remedy="Files that were sent are kept: look at them again.")
        return found

    @staticmethod
    def _do(job: Job, deed: Callable[[Tell], None]) -> None:
        def tell(what: str, done: int, of: int) -> None:
            job.progress = (what, done, of)

        def work() -> None:
            try:
                deed(tell)
            except VestigiaError as error:
                job.problem = {
                    "what": error.what,
                    "where": file_shown(error.where),
                    "remedy": error.remedy,
                    "status": 400,
                }
                job.state = "failed"
            except Exception:  # the edge of a thread: the page says that it failed, the log how
                log.exception("an import failed")
                job.problem = {"what": "something went wrong in Vestigia.", "where": "", "remedy": "", "status": 500}
                job.state = "failed"

        Thread(target=work, daemon=True).start()


def lay_down(workspace: Workspace, name: str, stream: BinaryIO, *, replace: bool = False) -> Path:
    """Keep a file that was sent. Raises UsageError for one of that name with other bytes, unless it may be replaced."""
    safe = safe_name(name)
    folder = workspace.root / UPLOADS
    folder.mkdir(exist_ok=True)
    part = folder / f".{os.getpid()}-{safe}.part"
    try:
        with part.open("wb") as file:
            size = 0
            while piece := stream.read(_PART):
                size += len(piece)
                if size > LARGEST:
                    raise UsageError("the file is larger than 2 GiB.", remedy="Add it at the terminal: `vestigia add`.")
                file.write(piece)
        path = folder / safe
        if path.exists() and not replace and not _same(path, part):
            raise UsageError(
                "a file of that name was brought before, with another content.",
                remedy="Give it another name, or say that it is a new version.",
            )
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return path


def safe_name(name: str) -> str:
    """The name of a file without folders, signs that cannot be seen, or a meaning to a system. Raises UsageError."""
    last = normalize("NFC", name).replace("\\", "/").rpartition("/")[2]
    kept = "".join("_" if sign in '<>:"|?*' or category(sign).startswith("C") else sign for sign in last).strip(". ")
    stem, dot, ending = kept.rpartition(".")
    kept = f"{stem[:120]}{dot}{ending[:12]}" if stem else ending[:120]
    if not kept or _RESERVED.fullmatch(kept):
        raise UsageError("the file has no name that can be kept.", remedy="Give it another name.")
    return kept


def folders(workspace: Workspace) -> list[str]:
    """The folders of this machine that may be taken in, by the numbers they have in the settings."""
    return [Path(one).name or one for one in workspace.settings.imports.folders]


def folder_of(workspace: Workspace, number: int) -> Path:
    """A folder that the settings allow. Raises UsageError."""
    allowed = workspace.settings.imports.folders
    if not 0 <= number < len(allowed):
        raise UsageError("there is no such folder.", remedy="Name it in the settings: [import] folders.")
    return workspace.root / allowed[number]


def plain(job: Job) -> Plain:
    """A job as data; no path of this machine is in it."""
    what, done, of = job.progress
    return {
        "import": job.number, "by": job.by, "state": job.state, "moving": job.moving,
        "names": [path.name for path in job.paths], "progress": {"what": what.split("/")[-1], "done": done, "of": of},
        "files": job.files, "told": job.told or None, "problem": job.problem,
    }  # fmt: skip


def _require_rest(jobs: Sequence[Job]) -> None:
    if any(one.moving for one in jobs):
        raise BusyError("files of this archive are being read.", remedy="Wait until that is done.")


def _same(one: Path, other: Path) -> bool:
    return one.stat().st_size == other.stat().st_size and one.read_bytes() == other.read_bytes()


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
    job.state = "looked"


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
