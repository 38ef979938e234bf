"""The rubrics of an archive: ours, and files in its folder `rubrics`, which stand before ours of the same name (H3).

A version that is replaced stays in the folder `versions` beside them, under its digest.
"""

import re
from importlib.resources import files
from pathlib import Path
from unicodedata import normalize

from vestigia.app.questions import legible
from vestigia.app.workspace import Workspace
from vestigia.domain.commissions import Rubric
from vestigia.domain.errors import BusyError, SettingsError, UsageError
from vestigia.domain.ids import Digest, digest
from vestigia.inquiry.rubrics import parse
from vestigia.ledger.lock import lock

_OURS = files("vestigia.prompts") / "rubrics"
VERSIONS = "versions"
_NAME = re.compile(r"[^\W_](?:[\w .-]{0,58}[^\W_])?")


def names(workspace: Workspace) -> tuple[str, ...]:
    """Name the rubrics there are."""
    ours = [one.name.removesuffix(".md") for one in _OURS.iterdir()]
    return tuple(sorted({*ours, *_own(workspace)}))


def is_own(workspace: Workspace, name: str) -> bool:
    """Whether the archive has a rubric of this name of its own."""
    return normalize("NFC", name) in _own(workspace)


def source(workspace: Workspace, name: str) -> str:
    """Return a rubric's file. Raises UsageError where there is none, SettingsError where it cannot be read."""
    known, name = names(workspace), normalize("NFC", name)
    if name not in known:
        raise UsageError(f"there is no rubric {name!r}.", remedy=f"There are: {', '.join(known)}.")
    own = _own(workspace).get(name)
    if own is None:
        return (_OURS / f"{name}.md").read_text(encoding="utf-8")
    try:
        return own.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"the rubric cannot be read ({error}).", where=str(own), remedy="Save it as a text file in UTF-8."
        ) from error


def rubric(workspace: Workspace, name: str) -> Rubric:
    """Read a rubric. Raises what `source` raises, and SettingsError naming the line where the file is wrong."""
    return parse(normalize("NFC", name), source(workspace, name))


def save(workspace: Workspace, name: str, text: str, base: str = "") -> Rubric:
    """Save a rubric of the archive's own, or a new version of one; the version it replaces is kept.

    `base` is the digest of the version that was changed, empty for a new rubric. Raises SettingsError naming the line
    where the text is wrong, UsageError for a name no file should have, BusyError where another version was saved since.
    """
    name, text = normalize("NFC", name.strip()), "\n".join(text.splitlines()).strip() + "\n"
    legible("the rubric", text)
    if not _NAME.fullmatch(name):
        remedy = "Use letters and digits, with spaces, dots or hyphens between them, at most 60."
        raise UsageError(f"{name!r} is no name of a rubric.", where="name", remedy=remedy)
    read = parse(name, text)
    folder = workspace.root / "rubrics"
    folder.mkdir(exist_ok=True)
    with lock(folder / ".lock"):
        there = digest(source(workspace, name)) if name in names(workspace) else ""
        if there == read.digest:
            return read
        if there != base:
            raise BusyError(
                "another version was saved meanwhile." if there else "there is no rubric of this name any more.",
                where=f"rubric {name}",
                remedy="Copy your text, open the rubric anew, and put in what you changed.",
            )
        if own := _own(workspace).get(name):
            _keep(folder / VERSIONS / name, own.read_text(encoding="utf-8"))
        written = folder / f".{digest(name).removeprefix('sha256:')[:12]}.new"
        written.write_text(text, encoding="utf-8", newline="\n")
        written.replace(_own(workspace).get(name, folder / f"{name}.md"))
    return read


def versions(workspace: Workspace, name: str) -> tuple[tuple[Digest, str], ...]:
    """The earlier versions of a rubric with their texts, the newest first."""
    folder = workspace.root / "rubrics" / VERSIONS / normalize("NFC", name)
    if not _NAME.fullmatch(normalize("NFC", name)) or not folder.is_dir():
        return ()
    kept = sorted(folder.glob("*.md"), key=lambda one: (one.stat().st_mtime_ns, one.name), reverse=True)
    texts = [one.read_text(encoding="utf-8") for one in kept]
    return tuple((digest(text), text) for text in texts)


def _keep(folder: Path, text: str) -> None:
    """Keep a version under its digest; one that is kept already is the same."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / f"{digest(text).removeprefix('sha256:')}.md"
    if not kept.exists():
        kept.write_text(text, encoding="utf-8", newline="\n")


def _own(workspace: Workspace) -> dict[str, Path]:
    """The archive's own files by name, accents as they are typed; hidden ones are those of an operating system."""
    found = sorted((workspace.root / "rubrics").glob("*.md"))
    return {normalize("NFC", one.stem): one for one in found if not one.name.startswith(".")}
