"""Files taken in through a browser: laid into the archive's folder under a name that is safe, never over another.

What is sent lies in `uploads` of the archive; a folder of the server is one that the settings allow
(`[import] folders`). What is then done with them are the jobs of `import_jobs`.
"""

import re
from pathlib import Path
from threading import Lock
from typing import BinaryIO
from unicodedata import category, normalize
from uuid import uuid4

from vestigia.app.import_jobs import UPLOADS
from vestigia.app.workspace import Workspace
from vestigia.domain.errors import ArchiveError, UsageError

LARGEST, MOST = 2 * 2**30, 1000
"""Bytes of one file, files sent at once: as many as a form may bring."""
_PART = 1 << 20
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³])\s*(\..*)?")
"""Names of devices, whatever ending they have."""
_LAYING = Lock()


def lay_down(workspace: Workspace, name: str, stream: BinaryIO, *, replace: bool = False) -> Path:
    """Keep a file that was sent, wholly or not at all.

    Raises UsageError for one of that name with other bytes, unless it may be replaced; ArchiveError for a disk that
    takes no more.
    """
    safe = safe_name(name)
    folder = workspace.root / UPLOADS
    part, path = folder / f".{uuid4().hex}.part", folder / safe
    try:
        folder.mkdir(exist_ok=True)
        try:
            with part.open("xb") as file:
                _copy(stream, file, safe)
            with _LAYING:  # of two that come at once under one name the later one is told
                if path.exists() and not replace and not _same(path, part):
                    raise UsageError(
                        "a file of that name was brought before, with another content.",
                        where=safe,
                        remedy="Give it another name, or say that it is a new version.",
                    )
                part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise ArchiveError(
            f"the file cannot be kept: {error.strerror or error}.",
            where=safe,
            remedy="Make room on the disk of the archive, or mend access to its folder.",
        ) from error
    return path


def _copy(stream: BinaryIO, file: BinaryIO, safe: str) -> None:
    size = 0
    while piece := stream.read(_PART):
        size += len(piece)
        if size > LARGEST:
            raise UsageError(
                "the file is larger than 2 GiB.", where=safe, remedy="Add it at the terminal: `vestigia add`."
            )
        file.write(piece)


def safe_name(name: str) -> str:
    """The name of a file without folders, signs that cannot be seen, or a meaning to a system. Raises UsageError.

    It is no longer than the names that systems take, which count bytes, not letters.
    """
    last = normalize("NFC", name).replace("\\", "/").rpartition("/")[2]
    kept = "".join("_" if sign in '<>:"|?*' or category(sign).startswith("C") else sign for sign in last).strip(". ")
    stem, dot, ending = kept.rpartition(".")
    kept = f"{_cut(stem[:120], 240)}{dot}{_cut(ending[:12], 14)}" if stem else _cut(ending[:120], 240)
    kept = kept.strip(". ")
    if not kept or _RESERVED.fullmatch(kept):
        raise UsageError("the file has no name that can be kept.", remedy="Give it another name.")
    return kept


def _cut(text: str, most: int) -> str:
    """The beginning of a text, at most so many bytes."""
    return text.encode()[:most].decode(errors="ignore")


def folders(workspace: Workspace) -> list[str]:
    """The folders of this machine that may be taken in, by the numbers they have in the settings."""
    return [Path(one).name or one for one in workspace.settings.imports.folders]


def folder_of(workspace: Workspace, number: int) -> Path:
    """A folder that the settings allow. Raises UsageError."""
    allowed = workspace.settings.imports.folders
    if not 0 <= number < len(allowed):
        raise UsageError("there is no such folder.", remedy="Name it in the settings: [import] folders.")
    return workspace.root / allowed[number]


def _same(one: Path, other: Path) -> bool:
    return one.stat().st_size == other.stat().st_size and one.read_bytes() == other.read_bytes()
