"""A copy of an archive, or of a server's accounts, in one file, made while others work; and the folder made of it.

It is a zip with a manifest of digests at its end. Databases are copied by SQLite itself, records by their whole lines,
the record of a run before the texts it names. What can be made again is left out: locks, the open part and, unless it
is asked for, the index. A folder is made wholly and as it was, or not at all, and never in the place of another.
"""

import hashlib
import json
import os
import re
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import IO, Any

from vestigia.app import settings
from vestigia.app.people import store
from vestigia.app.workspace import OPEN_PART
from vestigia.domain.errors import ArchiveError, UsageError
from vestigia.index.durable import only_writer
from vestigia.ledger.blobs import FOLDER as BLOBS
from vestigia.ledger.chain import LEDGER
from vestigia.ledger.deposit import BROKEN, MANIFEST
from vestigia.ledger.inbox import INBOX

FORMAT, STATEMENT = 1, "backup.json"
INDEX, RUNS = "index", "runs"
_PASSING = re.compile(r"(?:^|.*[/.])lock|.*\.(?:part|unfinished)|.*\.sqlite-(?:wal|shm|journal)")
"""Names of what is there only while somebody works."""
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")
_FOREIGN = r"[\\:\0]" if os.name == "nt" else r"\0"
"""Characters by which a name would lead elsewhere on this system."""
_CHUNK = 1 << 20
_TRIES = 20


@dataclass(frozen=True, slots=True)
class Backup:
    """What a copy holds: of an `archive` or a `server`, made when (UTC) and by which version, how many files and bytes.

    `left_out` names what was not copied because it is a link, no file, or has a name of broken characters.
    """

    kind: str
    made: str
    version: str
    files: int
    size: int
    with_index: bool
    left_out: tuple[str, ...] = ()


def backup(folder: Path, out: Path, *, with_index: bool = False) -> Backup:
    """Copy an archive, or the folder of a server's accounts, into the new file `out`, and read it back.

    Raises UsageError where there is nothing to copy or `out` is there already, ArchiveError where it cannot be read or
    written, or where an index that is wanted is being written.
    """
    kind = _kind(folder)
    if out.exists():
        raise UsageError("the file is there already.", where=str(out), remedy="Choose another name: none is replaced.")
    made = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    said: dict[str, Any] = {
        "format": FORMAT,
        "kind": kind,
        "made": made,
        "vestigia": version("vestigia"),
        "index": with_index,
    }
    unfinished = out.with_name(out.name + ".part")
    try:
        with tempfile.TemporaryDirectory(dir=out.absolute().parent, prefix=".backup-") as beside:
            left_out = _write(folder, unfinished, said, Path(beside))
        checked = _read_through(unfinished, None)
        unfinished.replace(out)
    except (OSError, sqlite3.Error) as error:
        why = getattr(error, "strerror", None) or error
        raise ArchiveError(
            f"the copy cannot be made ({why}).", where=str(out), remedy="Check rights, free space, and the archive."
        ) from error
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
    return Backup(kind, made, said["vestigia"], *checked, with_index, left_out)


def restore(source: Path, folder: Path) -> Backup:
    """Make the new folder `folder` of a copy, every byte compared with its manifest.

    Raises UsageError where the folder is there already or the file is no copy of ours, or of a later format;
    ArchiveError where it was damaged or the folder cannot be made. Then no folder is left.
    """
    if folder.exists() or folder.is_symlink():
        raise UsageError("it is there already.", where=str(folder), remedy="Name a folder that is not there yet.")
    said = _statement(source)
    try:
        folder.absolute().parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.absolute().parent, prefix=f".{folder.name}-") as beside:
            made = Path(beside) / "made"
            made.mkdir(mode=0o700)
            files, size = _read_through(source, made)
            _kind(made)
            made.rename(folder)
    except OSError as error:
        raise ArchiveError(
            f"the folder cannot be made ({error.strerror}).", where=str(folder), remedy="Check rights and free space."
        ) from error
    return Backup(str(said["kind"]), str(said["made"]), str(said["vestigia"]), files, size, bool(said["index"]))


def _kind(folder: Path) -> str:
    if (folder / settings.FILE).is_file():
        return "archive"
    if (folder / store.FILE).is_file():
        return "server"
    raise UsageError(
        "it is neither an archive nor the folder of a server's accounts.",
        where=str(folder),
        remedy=f"An archive has a file {settings.FILE}, the folder of `serve --data` a file {store.FILE}.",
    )


def _write(folder: Path, out: Path, said: Mapping[str, object], beside: Path) -> tuple[str, ...]:
    """Write the zip; returns what was left out."""
    digests: dict[str, str] = {}
    left_out: list[str] = []
    held = only_writer(folder / INDEX, "writing the index") if said["index"] else nullcontext()
    with (
        held,
        os.fdopen(os.open(out, os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600), "w+b") as raw,
    ):
        with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
            digests[STATEMENT] = _put(file, STATEMENT, json.dumps(said, sort_keys=True).encode())
            for name, content in _contents(folder, bool(said["index"]), beside, left_out):
                digests[name] = _put(file, name, content)
            listed = "".join(f"{digest}  {name}\n" for name, digest in digests.items())
            _put(file, MANIFEST, listed.encode())
        raw.flush()
        os.fsync(raw.fileno())
    return tuple(left_out)


def _put(file: zipfile.ZipFile, name: str, content: bytes | Path) -> str:
    """Write a member and return its digest."""
    seen = hashlib.sha256()
    with file.open(name, "w", force_zip64=True) as member:
        if isinstance(content, bytes):
            seen.update(content)
            member.write(content)
        else:
            with content.open("rb") as source:
                while chunk := source.read(_CHUNK):
                    seen.update(chunk)
                    member.write(chunk)
    return seen.hexdigest()


def _contents(folder: Path, with_index: bool, beside: Path, left_out: list[str]) -> Iterator[tuple[str, bytes | Path]]:
    """The files of a copy by their names in it, runs first: what a record names was in the catalogue before it."""
    if (folder / RUNS).is_dir():
        for run in sorted((folder / RUNS).iterdir()):
            if run.is_dir() and not run.is_symlink():
                yield from _of_run(folder, run, left_out)
    kept_out = {RUNS, OPEN_PART} | (set() if with_index else {INDEX})
    for path in _files(folder, folder, left_out, kept_out):
        if path.suffix == ".sqlite":
            copied = beside / "copy.sqlite"
            _copy_database(path, copied)
            yield _name(folder, path), copied
            copied.unlink()
        else:
            yield _name(folder, path), _content(path)


def _of_run(folder: Path, run: Path, left_out: list[str]) -> Iterator[tuple[str, bytes | Path]]:
    """A run that may be written meanwhile: what waits for it and its record of one moment, then what that names."""
    for _ in range(_TRIES):
        with suppress(FileNotFoundError):
            waiting = {path: path.read_bytes() for path in _inbox(run)}
            record = _content(run / LEDGER) if (run / LEDGER).is_file() else None
            if waiting.keys() <= set(_inbox(run)):
                break  # nothing was taken in meanwhile: it would be in neither
    else:
        raise ArchiveError(
            "decisions are taken in all the time.", where=str(run), remedy="Wait until the run rests, and do it again."
        )
    for path in _files(folder, run, left_out, {INBOX, BLOBS}):
        if path != run / LEDGER:
            with suppress(FileNotFoundError):  # the note that a run is owed goes with its end
                yield _name(folder, path), path.read_bytes() if path.suffix != ".jsonl" else _content(path)
    if record is not None:
        yield _name(folder, run / LEDGER), record
    yield from ((_name(folder, path), content) for path, content in waiting.items())
    for path in _files(folder, run / BLOBS, left_out, set()):
        yield _name(folder, path), path


def _inbox(run: Path) -> list[Path]:
    return sorted((run / INBOX).glob("*.json"))


def _content(path: Path) -> bytes | Path:
    """What of a file is copied: of one that grows line by line the whole lines."""
    if path.suffix not in {".jsonl", ".log"}:
        return path
    content = path.read_bytes()
    return content[: content.rfind(b"\n") + 1]


def _files(folder: Path, inside: Path, left_out: list[str], without: set[str]) -> Iterator[Path]:
    """The files in a folder that are worth a copy, in the order of their names."""
    for path in sorted(inside.iterdir()) if inside.is_dir() else ():
        if path.name in without and path.parent == inside:
            continue
        if _cannot_be_named(path) or path.is_symlink() or not (path.is_dir() or path.is_file()):
            left_out.append(_name(folder, path))
        elif path.is_dir():
            yield from _files(folder, path, left_out, set())
        elif not _PASSING.fullmatch(path.name):
            yield path


def _cannot_be_named(path: Path) -> bool:
    """Whether a name is of bytes that are no text."""
    return path.name.encode("utf-8", "replace").decode() != path.name


def _name(folder: Path, path: Path) -> str:
    return path.relative_to(folder).as_posix()


def _copy_database(path: Path, to: Path) -> None:
    """Copy a database as it is at one moment, whoever writes it meanwhile."""
    with (
        closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=10.0)) as source,
        closing(sqlite3.connect(to)) as copied,
    ):
        source.backup(copied)
        copied.execute("PRAGMA journal_mode = DELETE")


def _statement(source: Path) -> Mapping[str, object]:
    """What a copy says of itself. Raises UsageError for what is none of ours or of a later format."""
    try:
        with zipfile.ZipFile(source) as file:
            said = json.loads(file.read(STATEMENT))
    except FileNotFoundError as error:
        raise UsageError("there is no such file.", where=str(source)) from error
    except (*BROKEN, KeyError) as error:
        raise UsageError(
            "it is no copy that `vestigia backup` made, or its end is missing.", where=str(source)
        ) from error
    if not isinstance(said, dict) or not {"format", "kind", "made", "vestigia", "index"} <= said.keys():
        raise UsageError("it is no copy that `vestigia backup` made.", where=str(source))
    if said["format"] != FORMAT:
        raise UsageError(
            f"it was made by Vestigia {said['vestigia']}, in a format that this version does not know.",
            where=str(source),
            remedy="Restore it with that version or a later one.",
        )
    return said


def _read_through(source: Path, into: Path | None) -> tuple[int, int]:
    """Compare every file of a copy with the manifest, and write it where a folder is named.

    Returns how many files and bytes that were. Raises ArchiveError for one that was changed, is missing or was added.
    """
    try:
        with zipfile.ZipFile(source) as file:
            listed = dict(_listed(source, file.read(MANIFEST).decode()))
            infos = [info for info in file.infolist() if info.filename != MANIFEST]
            names = [info.filename for info in infos]
            if sorted(names) != sorted(listed):
                raise _damaged(source, "files are missing, were added or are there twice")
            if into is not None and sum(info.file_size for info in infos) > shutil.disk_usage(into).free:
                raise ArchiveError("the disk has no room for it.", where=str(into.parent.parent), remedy="Make room.")
            for info in infos:
                with file.open(info) as member:
                    to = into if info.filename != STATEMENT else None
                    if _taken(member, _place(source, to, info.filename)) != listed[info.filename]:
                        raise _damaged(source, f"{info.filename} was changed")
    except (*BROKEN, KeyError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise _damaged(source, str(error)) from error
    return len(infos) - 1, sum(info.file_size for info in infos if info.filename != STATEMENT)


def _listed(source: Path, manifest: str) -> Iterator[tuple[str, str]]:
    for line in manifest.split("\n")[:-1]:
        read = _LINE.fullmatch(line)
        if read is None:
            raise _damaged(source, f"{MANIFEST} cannot be read")
        yield read[2], read[1]


def _place(source: Path, into: Path | None, name: str) -> Path | None:
    """Where a file goes: inside the folder, whatever its name says. Raises ArchiveError for a name that leads out."""
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or ".." in parts or "/".join(parts) != name or re.search(_FOREIGN, name):
        raise _damaged(source, f"{name!r} is no name of a file in it")
    return None if into is None else into.joinpath(*parts)


def _taken(member: IO[bytes], place: Path | None) -> str:
    """Read a member to its end, into a new file where a place is named; returns its digest."""
    seen = hashlib.sha256()
    if place is not None:
        place.parent.mkdir(parents=True, exist_ok=True)
    with nullcontext() if place is None else place.open("xb") as file:
        while chunk := member.read(_CHUNK):
            seen.update(chunk)
            if file is not None:
                file.write(chunk)
        if file is not None:
            file.flush()
            os.fsync(file.fileno())
    if place is not None and place.name == store.FILE:
        place.chmod(0o600)
    return seen.hexdigest()


def _damaged(source: Path, why: str) -> ArchiveError:
    return ArchiveError(
        f"the copy is damaged: {why}.", where=str(source), remedy="Nothing was restored. Use another copy."
    )
