"""The open part of an archive on the disk: a catalogue and an index without what is closed, in a folder of the archive.

It is made anew where the archive changed or something opened, in a folder of its own, and counts from the moment its
state file names it. While it is made the one before may serve if it shows nothing that is closed now: what was closed a
moment ago is closed.
"""

import json
import logging
import shutil
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from threading import Lock, Thread

from vestigia.app.archive import Tell, bring_up_to_date, quiet
from vestigia.app.workspace import OPEN_PART, Workspace
from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.parts import Closed, closed_of, write_open_part
from vestigia.domain.errors import ArchiveError, BusyError, VestigiaError
from vestigia.domain.ids import DocumentId
from vestigia.index.durable import only_writer, share_files, write_text
from vestigia.index.encode import sweep_vectors

log = logging.getLogger("vestigia")
_GUARD = Lock()
_MAKING: set[Path] = set()
"""Archives whose open part a thread of this process is making."""
_FOUND: dict[tuple[str, str, int | None], frozenset[DocumentId]] = {}
_KEPT = 16
STATE, CATALOGUE, VERSION = "part.json", "catalogue.sqlite", 1


@dataclass(frozen=True, slots=True)
class OpenPart:
    """The open part as it stands: the workspace to work with, and what it leaves out."""

    workspace: Workspace
    closed: frozenset[DocumentId]


@dataclass(frozen=True, slots=True)
class _State:
    """Of which catalogue the open part is, what it leaves out, until which day it holds, and where it lies.

    `folder` is empty where nothing is closed: then the whole archive is the open part.
    """

    corpus: str
    closed: frozenset[DocumentId]
    until: int | None
    folder: str = ""
    version: int = VERSION

    def holds(self, catalogue: Catalogue) -> bool:
        """Whether it is of this catalogue on this day."""
        current = self.corpus == catalogue.fingerprint and self.version == VERSION
        return current and (self.until is None or catalogue.today is None or catalogue.today < self.until)


def open_part(workspace: Workspace, tell: Tell = quiet, *, wait: bool = True) -> OpenPart:
    """The open part of an archive as it is today; it is made where there is none of today.

    Who does not `wait` is given the one before, if it shows nothing that is closed now, while a thread makes the new
    one. Raises BusyError where another program makes it and the one before would show too much.
    """
    home = workspace.root / OPEN_PART
    with closing(workspace.catalogue()) as catalogue:
        state = _read(home)
        if state is None or not state.holds(catalogue):
            before = None if wait else _still_good(state, catalogue, home)
            if before is not None:
                _make_soon(workspace)
            state = before or _renewed(workspace, catalogue, home, tell)
    part = replace(workspace, part=home / state.folder) if state.folder else workspace
    return OpenPart(part, state.closed)


def _renewed(workspace: Workspace, catalogue: Catalogue, home: Path, tell: Tell) -> _State:
    try:
        with only_writer(home, "preparing what everybody may see"):
            state = _read(home)
            if state is not None and state.holds(catalogue):
                return state  # another program was quicker
            with catalogue.reading():
                return _made(workspace, catalogue, home, tell)
    except ArchiveError as error:
        closed = _closed_now(catalogue)
        if not closed:
            # A disk that cannot be written, and nothing that must be.
            return _State(catalogue.fingerprint, frozenset(), None)
        before = _still_good(_read(home), catalogue, home)
        if before is not None:
            return before
        raise BusyError(error.what, where=error.where, remedy=error.remedy) from error


def _still_good(before: _State | None, catalogue: Catalogue, home: Path) -> _State | None:
    """A part that is out of date, if it has none of what is closed now: it lacks something, no more."""
    if before is None or not before.folder:
        return None
    closed, part = _closed_now(catalogue), home / before.folder / CATALOGUE
    return replace(before, closed=closed) if _shows_none(part, closed) else None


@lru_cache(maxsize=_KEPT)
def _shows_none(part: Path, closed: frozenset[DocumentId]) -> bool:
    """Whether a part, which never changes once it is made, has none of these documents."""
    with closing(Catalogue(part)) as opened:
        return not opened.documents(sorted(closed))


def _closed_now(catalogue: Catalogue) -> frozenset[DocumentId]:
    """What is closed in a catalogue, looked up once for each of its states."""
    with catalogue.reading():
        key = (str(catalogue.path), catalogue.fingerprint, catalogue.today)
        if key not in _FOUND:
            _FOUND[key] = frozenset(closed_of(catalogue).documents)
            while len(_FOUND) > _KEPT:
                del _FOUND[next(iter(_FOUND))]
        return _FOUND[key]


def _make_soon(workspace: Workspace) -> None:
    """Make the part anew in a thread, one for each archive."""
    with _GUARD:
        if workspace.root in _MAKING:
            return
        _MAKING.add(workspace.root)
    Thread(target=_make, args=(workspace,), name=f"open part of {workspace.root.name}", daemon=True).start()


def _make(workspace: Workspace) -> None:
    try:
        open_part(workspace)
    except VestigiaError:
        log.exception("the open part of an archive could not be made")
    finally:
        with _GUARD:
            _MAKING.discard(workspace.root)


def _made(workspace: Workspace, catalogue: Catalogue, home: Path, tell: Tell) -> _State:
    """Make the part in a folder of its own, then let it count; the one before stays for its readers."""
    before, closed = _read(home), closed_of(catalogue)
    state = _State(catalogue.fingerprint, frozenset(closed.documents), closed.next_opening)
    if closed.documents:
        state = replace(state, folder=f"{_newest(home) + 1:06d}")
        _fill(replace(workspace, part=home / state.folder), workspace, (catalogue, closed), tell)
    written = asdict(state) | {"closed": sorted(state.closed)}
    write_text(home / STATE, json.dumps(written, ensure_ascii=False, indent=1) + "\n")
    for path in home.iterdir():
        if path.is_dir() and path.name not in {state.folder, before.folder if before else ""}:
            shutil.rmtree(path, ignore_errors=True)
    return state


def _fill(part: Workspace, whole: Workspace, of: tuple[Catalogue, Closed], tell: Tell) -> None:
    """Write catalogue and index of a part; vectors are taken over, as they need not be computed twice."""
    assert part.part is not None  # noqa: S101  it is a part
    write_open_part(*of, part.part / CATALOGUE, lambda done, of: tell("comparing texts", done, of))
    with closing(part.catalogue()) as opened:
        bring_up_to_date(part, opened, tell)
    for folder in sorted((whole.index / "vectors").glob("*/")):
        share_files(folder, part.index / "vectors" / folder.name)
    sweep_vectors(part.index)


def _newest(home: Path) -> int:
    return max((int(path.name) for path in home.iterdir() if path.name.isdigit()), default=0)


def _read(home: Path) -> _State | None:
    """What is kept; none where there is nothing that can be read, so that it is made anew."""
    try:
        seen = (home / STATE).stat()
        return _read_at(home / STATE, seen.st_mtime_ns, seen.st_size, seen.st_ino)
    except (OSError, ValueError, TypeError, KeyError):
        return None


@lru_cache(maxsize=64)
def _read_at(path: Path, *_stamp: int) -> _State:
    found = json.loads(path.read_text(encoding="utf-8"))
    return _State(**{**found, "closed": frozenset(found["closed"])})
