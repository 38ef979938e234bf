"""Who sees what (B11): the one place where it is decided which part of an archive a visitor meets.

Whoever may not see closed documents, and whoever may but did not ask to, is given the *open part* of the archive: a
workspace whose catalogue and index never heard of them. Whatever is done with it (search, vocabulary, counts, reports,
runs) cannot name them. Records of runs are the one thing both parts share; `View.run` is their door.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from vestigia.app.open_part import open_part
from vestigia.app.workspace import Workspace
from vestigia.domain.errors import UsageError
from vestigia.domain.ids import DocumentId, RunId
from vestigia.ledger.chain import LEDGER
from vestigia.ledger.naming import runs as runs_in
from vestigia.ledger.projection import RunRow, list_runs

_RUN = re.compile(r"\d{4}-\d{2}-\d{2}-\S+-[0-9a-f]{6}")


@dataclass(frozen=True, slots=True)
class View:
    """What a visitor meets. `workspace` is the part of the archive to work with, `hidden` what no run shown may name.

    With `closed` the texts of closed documents are shown: give it to every function that has a parameter of that name.
    """

    workspace: Workspace
    closed: bool = False
    hidden: frozenset[DocumentId] = frozenset()

    def runs(self) -> tuple[RunRow, ...]:
        """The runs that may be seen, the one opened last first."""
        return tuple(row for row in list_runs(self.workspace.runs) if not self._is_hidden(row.run))

    def run(self, name: str) -> RunId:
        """Return a run by its whole name if it may be seen. Raises UsageError, the same for both kinds of no."""
        if name in runs_in(self.workspace.runs) and not self._is_hidden(RunId(name)):
            return RunId(name)
        raise UsageError("there is no such run, or it may not be shown.", remedy="Choose one of the list of runs.")

    def _is_hidden(self, run: RunId) -> bool:
        return bool(self.hidden) and names_any(self.workspace.runs, run, self.hidden)


def view(workspace: Workspace, *, may_see_closed: bool = False, asks_for_closed: bool = False) -> View:
    """What of an archive a visitor meets: the whole only where they may see what is closed and ask for it."""
    if may_see_closed and asks_for_closed:
        return View(workspace, closed=True)
    part = open_part(workspace)
    return View(part.workspace, hidden=frozenset() if may_see_closed else part.closed)


def names_any(folder: Path, run: RunId, documents: frozenset[DocumentId]) -> bool:
    """Whether the record of a run, or of a run that it names, names one of the documents or a passage of one.

    Every word of the record counts, whatever entry it stands in. A record that cannot be read counts as one that does.
    """
    there = frozenset(runs_in(folder))
    seen, waiting = set[str](), [str(run)]
    while waiting:
        one = waiting.pop()
        seen.add(one)
        try:
            stamp = (folder / one / LEDGER).stat()
            named = _named(folder / one / LEDGER, stamp.st_size, stamp.st_mtime_ns, documents)
        except (OSError, ValueError):
            return True
        if named is None:
            return True
        waiting += sorted((named & there) - seen)
    return False


@lru_cache(maxsize=4096)
def _named(path: Path, _size: int, _changed: int, documents: frozenset[DocumentId]) -> frozenset[str] | None:
    """The runs that a record names, or None where it names one of the documents."""
    *lines, torn = path.read_bytes().split(b"\n")
    if torn:
        with suppress(ValueError):  # a line that is being written
            json.loads(torn)
            lines.append(torn)
    found = set[str]()
    for line in lines:
        words = set(_strings(json.loads(line)))
        if not documents.isdisjoint(words):
            return None
        found.update(word for word in words if _RUN.fullmatch(word))
    return frozenset(found)


def _strings(value: Any) -> Iterator[str]:  # noqa: ANN401  any JSON
    """Every string in a value, and of what could be a passage the document."""
    if isinstance(value, str):
        yield value
        if "#" in value:
            yield value.rpartition("#")[0]
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            yield name
            yield from _strings(one)
