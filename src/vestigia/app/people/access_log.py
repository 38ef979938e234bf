"""Who asked for what and when: one line of JSON for each request, appended, never rewritten; old files are put away.

It has no words of a search, no text of a document, no password and no token: a path without what follows `?`.
"""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

from vestigia.domain.errors import ArchiveError

FILE = "access.log"
LARGEST = 10_000_000
"""Bytes of a file; then the next is begun."""
FILES = 20
"""Files that are kept beside the one being written; what is older is gone."""
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Visit:
    """One request. `time` is ISO 8601 in UTC, `who` a name or empty, `path` without a query, `seconds` what it took."""

    time: str
    who: str
    address: str
    method: str
    path: str
    archive: str
    status: int
    seconds: float
    by_token: bool = False


class AccessLog:
    """The log in `folder`. Several processes may write it."""

    def __init__(self, folder: Path, largest: int = LARGEST, files: int = FILES) -> None:
        self.path = folder / FILE
        self._largest, self._files = largest, files

    def write(self, visit: Visit) -> None:
        """Append a visit. Raises ArchiveError where it cannot be written: nothing is done unrecorded."""
        said = asdict(visit) | {"path": visit.path.partition("?")[0][:_LONGEST], "seconds": round(visit.seconds, 4)}
        line = (json.dumps(said, ensure_ascii=True, sort_keys=True) + "\n").encode()
        try:
            file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(file, line)  # in one piece: lines of several processes do not mix
                size = os.fstat(file).st_size
            finally:
                os.close(file)
            if size >= self._largest:
                self._put_away()
        except OSError as error:
            raise ArchiveError(
                f"the access log cannot be written ({error.strerror}).",
                where=str(self.path),
                remedy="Make room, or mend the permissions of the folder of --data.",
            ) from error

    def newest(self, number: int = 200) -> tuple[Visit, ...]:
        """The last visits, the newest first; a line that was cut short is left out."""
        found: list[Visit] = []
        for path in (self.path, *self._older()):
            for line in reversed(_lines(path)):
                if len(found) == number:
                    return tuple(found)
                try:
                    found.append(Visit(**json.loads(line)))
                except (ValueError, TypeError):
                    continue
        return tuple(found)

    def _put_away(self) -> None:
        """Give the full file the number 1 and those before it one more, by one process only."""
        with closing(sqlite3.connect(self.path.with_suffix(".lock"), timeout=10.0, isolation_level=None)) as lock:
            lock.execute("BEGIN EXCLUSIVE")  # the operating system lets go of it when the process dies
            if self.path.stat().st_size < self._largest:
                return  # another one was quicker
            for path in sorted(self._older(), key=_number, reverse=True):
                if _number(path) >= self._files:
                    path.unlink()
                else:
                    path.rename(path.with_suffix(f".{_number(path) + 1}"))
            self.path.rename(self.path.with_suffix(".1"))

    def _older(self) -> Iterator[Path]:
        there = [path for path in self.path.parent.glob(f"{self.path.stem}.*") if path.suffix[1:].isdigit()]
        return iter(sorted(there, key=_number))


def _number(path: Path) -> int:
    return int(path.suffix[1:])


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return []
