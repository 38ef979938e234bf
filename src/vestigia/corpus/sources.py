"""What readers read: a file with a name as the user gave it, and the names that can be taken from it."""

import io
import os
import posixpath
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ids import DocumentId
from vestigia.domain.ports import Source

MEGABYTE = 1 << 20
WHOLE_FILE = 256 * MEGABYTE
"""The largest file, in bytes, that is read into memory whole. Files of records are read record by record instead."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the user says of all files: the encoding of those that are not Unicode, their language; or nothing."""

    encoding: str = ""
    language: str = ""


UNSAID = Said()


def said_of(source: Source) -> Said:
    """Return what the user says of a source."""
    said: Said = getattr(source, "said", UNSAID)
    return said


@dataclass(frozen=True, slots=True)
class FileSource:
    """A file on disk. `name` is its path as the user gave it, with forward slashes.

    `root` is the folder the user gave: no sibling outside it is reached.
    """

    path: Path
    name: str
    root: Path | None = None
    note: str = ""
    said: Said = UNSAID

    @property
    def key(self) -> str:
        """What tells it from every other file, however it was reached."""
        return os.path.realpath(self.path)

    @property
    def folder(self) -> str:
        """The name of the folder it lies in."""
        return os.path.basename(os.path.dirname(os.path.realpath(self.path)))  # noqa: PTH119, PTH120 - loops are allowed

    @property
    def is_regular(self) -> bool:
        """Whether it is a file: neither a pipe, which would wait for ever, nor a link to nothing."""
        return self.path.is_file()

    @property
    def is_empty(self) -> bool:
        """Whether it has no bytes; so say the files that a system makes up, some of which wait for ever when read."""
        return self.path.stat().st_size == 0

    def open(self) -> BinaryIO:
        """Open it from the beginning. Raises OSError."""
        return self.path.open("rb")

    def sibling(self, path: str) -> "FileSource | None":
        """The file at a path relative to this one, or none; a path that leads out of `root` leads nowhere."""
        root = (self.root or self.path.parent).resolve()
        try:
            found = (self.path.parent / path).resolve()
            inside = found.is_relative_to(root) and found.is_file()
        except (OSError, ValueError, RuntimeError):  # links in a circle, a name that no file can have
            return None
        name = posixpath.normpath(posixpath.join(posixpath.dirname(self.name), path))
        return FileSource(found, name, root, said=self.said) if inside else None


def read_whole(source: Source, limit: int = WHOLE_FILE) -> bytes:
    """Return all bytes of a source. Raises SourceRefusedError when it is empty or larger than `limit` bytes."""
    with source.open() as stream:
        content = stream.read(limit + 1)
    if len(content) > limit:
        raise SourceRefusedError(
            f"the file is larger than {limit // MEGABYTE} MB, too large to be one document.",
            where=source.name,
            remedy="Split it, or convert it to JSON Lines.",
        )
    if not content.strip():
        raise SourceRefusedError("the file is empty.", where=source.name, remedy="Replace it with a complete copy.")
    return content


@contextmanager
def at_any_place(source: Source) -> Iterator[BinaryIO]:
    """Open a source for readers that jump about in it: what is no file on disk is held in memory, if not too large."""
    with source.open() as stream:
        on_disk = isinstance(getattr(stream, "raw", None), io.FileIO)
        yield stream if on_disk else io.BytesIO(read_whole(source))


def stem(name: str) -> str:
    """Return the file's name without folder and ending."""
    return PurePosixPath(name).stem


def folder(name: str) -> str:
    """Return the name of the folder the file lies in, or of the archive; empty when the path as given has none."""
    parent = PurePosixPath(name).parent.name
    return "" if parent == ".." else _unpacked(parent)


def _unpacked(part: str) -> str:
    """Call a zip archive as the folder is called that it unpacks to."""
    return part[:-4] if part.casefold().endswith(".zip") else part


def named_id(name: str, parts: int) -> DocumentId:
    """Name a document by the last `parts` parts of its path, the ending left off."""
    path = PurePosixPath(name)
    known = [_unpacked(part) for part in path.parts[:-1] if part not in {"/", ".", ".."}]
    return DocumentId("/".join([*known, path.stem][-parts:]))


def longer_ids(document: DocumentId, name: str) -> Iterator[DocumentId]:
    """Yield longer and longer names, if `document` is an id that `named_id` made of folder and file of this path.

    Text files have no identifiers of their own, and `txt/page001.txt` is in the folder of more than one issue. An id
    without a folder may be the archive's own, which files are often named after: it is left alone. The last part of
    `document` may name an article in the file.
    """
    whole = named_id(name, len(PurePosixPath(name).parts))
    head, slash, part = document.rpartition("/")
    for named, rest in ((document, ""), (head, slash + part)):
        count = named.count("/") + 1
        if count > 1 and (whole == named or whole.endswith("/" + named)):
            for parts in range(count + 1, whole.count("/") + 2):
                yield DocumentId(named_id(name, parts) + rest)
            return
