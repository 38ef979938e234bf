"""Zip archives: what lies in them is read as if it lay in a folder, and nothing is ever unpacked to the disk.

A member that would lead out of the archive, hides behind a link or a password, or unpacks to very much more than it is,
is refused with its reason; the others go in.
"""

import errno
import io
import posixpath
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISLNK
from typing import IO, BinaryIO

from vestigia.corpus.sources import MEGABYTE, UNSAID, Said

_ENCRYPTED = 0x1
_NAMED_IN_UTF8 = 0x800
_DRIVE = re.compile("[A-Za-z]:")
_TAIL = 70_000
_SYSTEM = "__MACOSX"
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, struct.error)


@dataclass(frozen=True, slots=True)
class Limits:
    """Beyond which an archive or a member of it is taken for a bomb. Sizes are bytes, `ratio` unpacked to packed."""

    members: int = 200_000
    directory: int = 32 * MEGABYTE
    ratio: int = 200
    harmless: int = 64 * MEGABYTE
    total: int = 256 * 1024 * MEGABYTE


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that is named in the report and not read, and why."""

    name: str
    reason: str


class Shelf:
    """Keeps the archive last read from open, so that its directory is read once and not for each member."""

    def __init__(self) -> None:
        self._path: Path | None = None
        self._zip: zipfile.ZipFile | None = None

    def __enter__(self) -> "Shelf":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close what is open; it is opened again when it is needed."""
        if self._zip is not None:
            self._zip.close()
        self._path = self._zip = None

    def opened(self, path: Path) -> zipfile.ZipFile:
        """Return the archive at a path. Raises OSError, and what zipfile raises for a damaged one."""
        if self._zip is None or path != self._path:
            self.close()
            self._zip, self._path = zipfile.ZipFile(path), path
        return self._zip


@dataclass(frozen=True, slots=True)
class Archive:
    """A zip archive on disk: `name` as the user gave it, and its members by their paths inside it."""

    path: Path
    name: str
    shelf: Shelf
    members: dict[str, zipfile.ZipInfo]


@dataclass(frozen=True, slots=True)
class MemberSource:
    """A file inside a zip archive. `note` says what is odd about its name."""

    archive: Archive
    member: str
    note: str = ""
    said: Said = UNSAID

    @property
    def name(self) -> str:
        """Its path: that of the archive and the one inside it."""
        return f"{self.archive.name}/{self.member}"

    @property
    def key(self) -> str:
        """What tells it from every other file, however it was reached."""
        return f"{self.archive.path.resolve()}/{self.member}"

    @property
    def folder(self) -> str:
        """The name of the folder it lies in: inside the archive, else the archive's without its ending."""
        return posixpath.basename(posixpath.dirname(self.member)) or self.archive.path.resolve().stem

    @property
    def is_regular(self) -> bool:
        """Whether it can be opened: a member always can."""
        return True

    @property
    def is_empty(self) -> bool:
        """Whether it has no bytes."""
        return self.archive.members[self.member].file_size == 0

    def open(self) -> BinaryIO:
        """Open it from the beginning; it is unpacked while it is read. Raises OSError."""
        try:
            stream = self.archive.shelf.opened(self.archive.path).open(self.archive.members[self.member])
        except _DAMAGE as error:
            raise OSError(errno.EIO, f"it is damaged in the archive: {error}") from error
        return io.BufferedReader(_Unpacked(stream), 128 * 1024)

    def sibling(self, path: str) -> "MemberSource | None":
        """The member at a path relative to this one, or none; never one outside the archive."""
        found = posixpath.normpath(posixpath.join(posixpath.dirname(self.member), path))
        return MemberSource(self.archive, found, said=self.said) if found in self.archive.members else None


class _Unpacked(io.RawIOBase):
    """The bytes of a member; damage is an OSError, as readers expect of a file."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._stream.seekable()

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            portion = self._stream.read(len(buffer))
        except _DAMAGE as error:
            raise OSError(errno.EIO, f"it is damaged in the archive: {error}") from error
        buffer[: len(portion)] = portion
        return len(portion)

    def seek(self, offset: int, whence: int = 0) -> int:
        try:
            return self._stream.seek(offset, whence)
        except _DAMAGE as error:
            raise OSError(errno.EIO, f"it is damaged in the archive: {error}") from error

    def tell(self) -> int:
        return self._stream.tell()

    def close(self) -> None:
        self._stream.close()
        super().close()


def is_archive(name: str) -> bool:
    """Whether a file of this name is opened as a zip archive; workbooks and others that are zip inside are not."""
    return name.casefold().endswith(".zip")


def members_of(path: Path, name: str, shelf: Shelf, limits: Limits = Limits()) -> Iterator[MemberSource | Unread]:
    """Yield the files in a zip archive by name, and those that are not read; hidden ones are passed over.

    An archive that cannot be opened, or is a bomb as a whole, is one `Unread`.
    """
    try:
        with path.open("rb") as stream:
            size = _directory_size(stream)
        if size > limits.directory:
            yield Unread(name, f"the archive names too many files ({_size(size)} of names). Unpack it first.")
            return
        entries = [one for one in shelf.opened(path).infolist() if not one.filename.endswith("/")]
        packed = path.stat().st_size
    except OSError as error:
        yield Unread(name, f"the archive cannot be read ({error.strerror or error}). Check its permissions.")
        return
    except _DAMAGE as error:
        yield Unread(name, f"the zip archive is damaged or none at all ({error}). Take the original file again.")
        return
    if trouble := _bomb(entries, packed, limits):
        yield Unread(name, trouble)
        return
    yield from _members(Archive(path, name, shelf, {}), entries, limits)


def _bomb(entries: list[zipfile.ZipInfo], packed: int, limits: Limits) -> str:
    unpacked = sum(one.file_size for one in entries)
    if len(entries) > limits.members:
        return f"the archive holds {len(entries)} files, more than {limits.members}. Unpack it and add the folder."
    if unpacked > limits.total or unpacked > max(limits.harmless, limits.ratio * packed):
        return _of_bomb("the archive", packed, unpacked)
    return "" if entries else "the archive is empty."


def _members(archive: Archive, entries: list[zipfile.ZipInfo], limits: Limits) -> Iterator[MemberSource | Unread]:
    found: list[MemberSource | Unread] = []
    names: set[str] = set()
    for entry in entries:
        inside, note = _path(entry)
        trouble = _trouble(entry, inside, limits)
        member = posixpath.normpath(inside.replace("\0", ""))
        if not trouble and any(part.startswith(".") or part == _SYSTEM for part in member.split("/")):
            continue
        name = inside if trouble else member
        while name in names:
            trouble = trouble or "the archive holds a file of this name before it; that one counts."
            name += " (again)"
        names.add(name)
        if trouble:
            found.append(Unread(f"{archive.name}/{name}", trouble))
        else:
            archive.members[member] = entry
            found.append(MemberSource(archive, member, note))
    yield from sorted(found, key=lambda one: one.name)


def _path(entry: zipfile.ZipInfo) -> tuple[str, str]:
    """Return (path inside the archive, what is odd about it): many programs write UTF-8 and do not say so."""
    written = entry.orig_filename
    if entry.flag_bits & _NAMED_IN_UTF8 or written.isascii():
        return written, ""
    try:
        return written.encode("cp437").decode("utf-8"), ""
    except UnicodeError:
        return written, "the archive does not say how the name is encoded; it was read as DOS wrote it (cp437)"


def _trouble(entry: zipfile.ZipInfo, inside: str, limits: Limits) -> str:
    """Return why a member is not read, or nothing."""
    packed, unpacked = entry.compress_size, entry.file_size
    troubles = (
        (not inside, "it has no name. Pack it anew under a plain name."),
        ("\0" in inside or "\\" in inside,
         "its name holds a NUL character or a backslash. Pack it anew under a plain name."),
        (inside.startswith("/") or bool(_DRIVE.match(inside)) or ".." in inside.split("/"),
         "its name leads out of the archive. Pack it anew under a plain name."),
        (S_ISLNK(entry.external_attr >> 16), "it is a link. Put the file itself into the archive."),
        (bool(entry.flag_bits & _ENCRYPTED), "it is protected by a password. Unpack it and add the files."),
        (is_archive(inside), "an archive inside an archive is not opened. Unpack it and add the folder."),
        (unpacked > max(limits.harmless, limits.ratio * packed), _of_bomb("it", packed, unpacked)),
    )  # fmt: skip
    return next((words for applies, words in troubles if applies), "")


def _of_bomb(what: str, packed: int, unpacked: int) -> str:
    return f"{what} would unpack from {_size(packed)} to {_size(unpacked)}, as bombs do. If you trust it, unpack it."


def _size(count: int) -> str:
    return f"{count / MEGABYTE:.1f} MB" if count >= MEGABYTE // 10 else f"{count} bytes"


def _directory_size(stream: BinaryIO) -> int:
    """Return the size in bytes of the list of members, as the archive's end states it; 0 if there is no such end."""
    stream.seek(max(0, stream.seek(0, io.SEEK_END) - _TAIL))
    tail = stream.read(_TAIL)
    end, end64 = tail.rfind(b"PK\5\6"), tail.rfind(b"PK\6\6")
    stated = struct.unpack_from("<L", tail, end + 12)[0] if 0 <= end <= len(tail) - 22 else 0
    stated64 = struct.unpack_from("<Q", tail, end64 + 40)[0] if 0 <= end64 <= len(tail) - 56 else 0
    return int(stated64 if stated == 0xFFFF_FFFF else stated)
