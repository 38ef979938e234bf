"""What lies under a path: files, and the members of zip archives as if they lay in folders."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from vestigia.corpus.archives import MemberSource, Shelf, Unread, is_archive, members_of
from vestigia.corpus.sources import UNSAID, FileSource, Said
from vestigia.domain.errors import UsageError
from vestigia.domain.ports import Reader

Found: TypeAlias = FileSource | MemberSource
"""What can be handed to a reader."""

HEAD = 64 * 1024
"""Bytes of a file that readers are shown when they are asked whether it is theirs."""


def find_files(path: Path, shelf: Shelf, said: Said = UNSAID) -> Iterator[Found | Unread]:
    """Yield the files under a path by name, hidden ones left out; a folder that links reach twice is read once.

    `said` is what the user says of them.

    Raises UsageError when there is nothing at the path.
    """
    try:
        there, is_folder = path.exists(), path.is_dir()
    except (OSError, ValueError):  # a name that no file can have
        there = is_folder = False
    if not there:
        raise UsageError("there is no such file or folder.", where=str(path), remedy="Check the path.")
    for source in _walk(path, set()) if is_folder else [_source(path)]:
        if is_archive(source.name) and source.is_regular:
            for member in members_of(source.path, source.name, shelf):
                yield member if isinstance(member, Unread) else replace(member, said=said)
        else:
            yield replace(source, root=path if is_folder else None, said=said)


def _walk(folder: Path, seen: set[Path]) -> Iterator[FileSource]:
    seen.add(folder.resolve())
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        yield _source(folder)  # cannot be opened either, so the report names it
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if not entry.is_dir():
            yield _source(entry)
        elif entry.resolve() not in seen:
            yield from _walk(entry, seen)


def _source(path: Path) -> FileSource:
    name, note = name_of(path)
    return FileSource(path, name, note=note)


def name_of(path: Path) -> tuple[str, str]:
    """Return (its name, a note on it): bytes that are no UTF-8 are written out, so that each name stays its own."""
    written = path.as_posix()
    name = written.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return name, "" if name == written else "the name is not UTF-8; the bytes that are not are written out"


def leading(sources: Sequence[Found | Unread], readers: tuple[Reader, ...]) -> Iterator[Found]:
    """Yield the files of readers that claim others, which must be read first."""
    leaders = [reader for reader in readers if getattr(reader, "leads", False)]
    for source in sources if leaders else ():
        if isinstance(source, Unread) or not source.is_regular:
            continue  # a pipe would wait for ever
        try:
            if source.is_empty:
                continue
            with source.open() as stream:
                head = stream.read(HEAD)
        except OSError:
            continue  # it is reported in its turn
        if any(reader.sniff(source.name, head) for reader in leaders):
            yield source
