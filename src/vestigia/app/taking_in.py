"""Files taken in through a browser: laid into the archive's folder under a name that is safe, never over another.

What is sent lies in `uploads` of the archive; a folder of the server is one that the settings allow
(`[import] folders`). What is then done with them are the jobs of `import_jobs`.
"""

import os
import re
from pathlib import Path
from typing import BinaryIO
from unicodedata import category, normalize

from vestigia.app.import_jobs import UPLOADS
from vestigia.app.workspace import Workspace
from vestigia.domain.errors import UsageError

LARGEST, MOST = 2 * 2**30, 2000
"""Bytes of one file, files sent at once."""
_PART = 1 << 20
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


def lay_down(workspace: Workspace, name: str, stream: BinaryIO, *, replace: bool = False) -> Path:
    """Keep a file that was sent. Raises UsageError for one of that name with other bytes, unless it may be replaced."""
    safe = safe_name(name)
    folder = workspace.root / UPLOADS
    folder.mkdir(exist_ok=True)
    part = folder / f".{os.getpid()}-{safe}.part"
    try:
        with part.open("wb") as file:
            size = 0
            while piece := stream.read(_PART):
                size += len(piece)
                if size > LARGEST:
                    raise UsageError("the file is larger than 2 GiB.", remedy="Add it at the terminal: `vestigia add`.")
                file.write(piece)
        path = folder / safe
        if path.exists() and not replace and not _same(path, part):
            raise UsageError(
                "a file of that name was brought before, with another content.",
                remedy="Give it another name, or say that it is a new version.",
            )
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return path


def safe_name(name: str) -> str:
    """The name of a file without folders, signs that cannot be seen, or a meaning to a system. Raises UsageError."""
    last = normalize("NFC", name).replace("\\", "/").rpartition("/")[2]
    kept = "".join("_" if sign in '<>:"|?*' or category(sign).startswith("C") else sign for sign in last).strip(". ")
    stem, dot, ending = kept.rpartition(".")
    kept = f"{stem[:120]}{dot}{ending[:12]}" if stem else ending[:120]
    if not kept or _RESERVED.fullmatch(kept):
        raise UsageError("the file has no name that can be kept.", remedy="Give it another name.")
    return kept


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
