"""The open part of an archive on the disk: a catalogue and an index without what is closed, in a folder of the archive.

It is made anew where the archive changed or something opened, in a folder of its own, and counts from the moment its
state file names it. While it is made the one before may serve if it shows nothing that is closed now: what was closed a
moment ago is closed.
"""

import json
import shutil
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path

from vestigia.app.archive import Tell, bring_up_to_date, quiet
from vestigia.app.workspace import OPEN_PART, Workspace
from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.parts import Closed, closed_of, write_open_part
from vestigia.domain.errors import ArchiveError, BusyError
from vestigia.domain.ids import DocumentId
from vestigia.index.durable import only_writer, share_files, write_text
from vestigia.index.encode import sweep_vectors

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


def open_part(workspace: Workspace, tell: Tell = quiet) -> OpenPart:
    """The open part of an archive as it is today. Raises ArchiveError while another program makes it."""
    home = workspace.root / OPEN_PART
    with closing(workspace.catalogue()) as catalogue:
        state = _read(home)
        if state is None or not state.holds(catalogue):
            state = _renewed(workspace, catalogue, home, tell)
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
        with catalogue.reading():
            corpus, closed = catalogue.fingerprint, closed_of(catalogue)
        if not closed.documents:
            return _State(corpus, frozenset(), None)  # a disk that cannot be written, and nothing that must be
        before = _read(home)
        if before is not None and before.folder and _shows_none(home / before.folder / CATALOGUE, closed):
            # While the new one is made: it lacks something, and shows nothing that is closed now.
            return replace(before, closed=frozenset(closed.documents))
        raise BusyError(error.what, where=error.where, remedy=error.remedy) from error


def _shows_none(part: Path, closed: Closed) -> bool:
    """Whether a part that is out of date has none of what is closed now."""
    with closing(Catalogue(part)) as catalogue:
        return not catalogue.documents(closed.documents)


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
