"""Searches that a person saves under a name, to be run anew: what is new since is what the list of last time lacked.

`searches/` of the archive has a file for each person, who alone reads it. Of a list it keeps a digest of each document,
so that the file names nothing that somebody else may not see. The words of a search are kept as they were typed.
"""

import json
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from vestigia.app.asking import now
from vestigia.app.questions import legible
from vestigia.app.workspace import Workspace
from vestigia.domain.errors import ArchiveError, UsageError
from vestigia.domain.ids import digest
from vestigia.ledger import durable
from vestigia.ledger.lock import lock

FOLDER = "searches"
LONGEST, MOST = 100, 200
"""Characters of a name, searches of a person."""
_LONGEST_SEARCH = 8000
Fields = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Saved:
    """A search: its fields as an address has them, when it was run last and the time before, and what it found then.

    `found` and `before` are digests of documents; `before_at` is empty until it is run anew.
    """

    number: int
    name: str
    fields: Fields
    saved_at: str
    run_at: str
    found: tuple[str, ...]
    before_at: str = ""
    before: tuple[str, ...] = ()

    def new(self, documents: Iterable[str]) -> list[str]:
        """Which of these documents the list before the last did not have; none until it was run anew."""
        known = set(self.before)
        return [one for one in documents if self.before_at and _sign(one) not in known]


def saved(workspace: Workspace, person: str) -> list[Saved]:
    """The searches of a person, by name. Raises ArchiveError for a file that is none of ours."""
    return sorted(_read(_file(workspace, person)), key=lambda one: one.name.casefold())


def named(workspace: Workspace, person: str, number: int) -> Saved:
    """A search of a person. Raises UsageError where there is none of that number."""
    for one in _read(_file(workspace, person)):
        if one.number == number:
            return one
    raise UsageError("there is no such saved search.", remedy="Search, and save it.")


def save(workspace: Workspace, person: str, name: str, fields: Fields, documents: Sequence[str]) -> Saved:
    """Save a search and what it found. Raises UsageError for a name that is empty, too long or taken."""
    name = " ".join(name.split())
    legible("the name", f"{name}{fields}")
    if not name or len(name) > LONGEST:
        raise UsageError("a saved search needs a name.", remedy=f"Write one of at most {LONGEST} characters.")
    if sum(len(part) for field in fields for part in field) > _LONGEST_SEARCH:
        raise UsageError("the search is too long to be saved.", remedy="Shorten its words.")
    path = _file(workspace, person)
    path.parent.mkdir(exist_ok=True)
    with closing(lock(path.with_suffix(".lock"))):
        there = _read(path)
        if any(one.name.casefold() == name.casefold() for one in there):
            raise UsageError(f"there is a search {name!r} already.", remedy="Choose another name, or delete that one.")
        if len(there) >= MOST:
            raise UsageError(f"there are {MOST} saved searches.", remedy="Delete some first.")
        time = now()
        made = Saved(max((one.number for one in there), default=0) + 1, name, fields, time, time, _signs(documents))
        _write(path, [*there, made])
    return made


def run_anew(workspace: Workspace, person: str, number: int, documents: Sequence[str]) -> Saved:
    """Keep what a search found now; the list of last time is the one before. Raises UsageError."""
    found = named(workspace, person, number)
    path = _file(workspace, person)
    with closing(lock(path.with_suffix(".lock"))):
        there = {one.number: one for one in _read(path)}
        last = there.get(number, found)
        made = replace(last, run_at=now(), found=_signs(documents), before_at=last.run_at, before=last.found)
        _write(path, list({**there, number: made}.values()))
    return made


def delete(workspace: Workspace, person: str, number: int) -> Saved:
    """Delete a search of a person and return it. Raises UsageError where there is none of that number."""
    found = named(workspace, person, number)
    path = _file(workspace, person)
    with closing(lock(path.with_suffix(".lock"))):
        _write(path, [one for one in _read(path) if one.number != number])
    return found


def _file(workspace: Workspace, person: str) -> Path:
    return workspace.root / FOLDER / f"{_sign(person)}.json"


def _sign(name: str) -> str:
    return digest(name).removeprefix("sha256:")[:32]


def _signs(documents: Iterable[str]) -> tuple[str, ...]:
    return tuple(_sign(one) for one in documents)


def _write(path: Path, searches: Sequence[Saved]) -> None:
    written = json.dumps([asdict(one) for one in searches], ensure_ascii=False, indent=1)
    durable.replace(path, written.encode())


def _read(path: Path) -> list[Saved]:
    try:
        return [_saved(one) for one in json.loads(path.read_bytes())]
    except FileNotFoundError:
        return []
    except (ValueError, TypeError, KeyError) as error:
        remedy = "Restore the file from a copy, or remove it."
        raise ArchiveError("it holds no saved searches.", where=str(path), remedy=remedy) from error


def _saved(told: dict[str, Any]) -> Saved:
    fields = tuple((str(name), str(value)) for name, value in told["fields"])
    lists = {part: tuple(map(str, told[part])) for part in ("found", "before")}
    return Saved(**{**told, "fields": fields, **lists})
