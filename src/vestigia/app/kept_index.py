"""Indexes stay open in a process until a file of theirs changes.

To open one reads the table of all passages, and each opening has it in memory once: two runs and the pages of a server
share one. An older one stays readable for who still has it.
"""

from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from vestigia.app.workspace import Workspace
from vestigia.domain.ports import Encoder
from vestigia.index.snapshot import Snapshot

Stamp = tuple[tuple[str, int, int], ...]
_MOST = 8
_OPEN: OrderedDict[object, tuple[object, Snapshot]] = OrderedDict()
_GUARD = Lock()


def opened(workspace: Workspace, encoders: Sequence[Encoder]) -> Snapshot:
    """The index of an archive as its files are now, searched with these encoders. Raises as `Snapshot.open` does."""
    name = (workspace.index, tuple((type(one), one.name, one.fingerprint) for one in encoders))
    state = (stamp(workspace.index), workspace.settings.digest)
    with _GUARD:
        kept = _OPEN.get(name)
        if kept is not None and kept[0] == state:
            _OPEN.move_to_end(name)
            return kept[1]
    found = Snapshot.open(workspace.index, encoders)
    with _GUARD:
        _OPEN[name] = (state, found)
        _OPEN.move_to_end(name)
        while len(_OPEN) > _MOST:
            _OPEN.popitem(last=False)
    return found


def stamp(path: Path) -> Stamp:
    """What changes when a file, or one in a folder, is written anew."""
    found = [path, *sorted(path.rglob("*"))] if path.is_dir() else [path]
    stamps = []
    for one in found:
        try:
            seen = one.stat()
        except OSError:  # cleared away meanwhile
            continue
        stamps.append((str(one), seen.st_mtime_ns, seen.st_size))
    return tuple(stamps)
