"""The rubrics of an archive: ours, and files in its folder `rubrics`, which stand before ours of the same name (H3)."""

from importlib.resources import files
from pathlib import Path
from unicodedata import normalize

from vestigia.app.workspace import Workspace
from vestigia.domain.commissions import Rubric
from vestigia.domain.errors import SettingsError, UsageError
from vestigia.inquiry.rubrics import parse

_OURS = files("vestigia.prompts") / "rubrics"


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


def _own(workspace: Workspace) -> dict[str, Path]:
    """The archive's own files by name, accents as they are typed; hidden ones are those of an operating system."""
    found = sorted((workspace.root / "rubrics").glob("*.md"))
    return {normalize("NFC", one.stem): one for one in found if not one.name.startswith(".")}
