"""The rubrics of an archive: ours, and files in its folder `rubrics`, which stand before ours of the same name (H3)."""

import re
from importlib.resources import files
from pathlib import Path

from vestigia.app.workspace import Workspace
from vestigia.domain.commissions import Rubric
from vestigia.domain.errors import SettingsError, UsageError
from vestigia.inquiry.rubrics import parse

_OURS = files("vestigia.prompts") / "rubrics"
_NAME = re.compile(r"[\w-]+")


def names(workspace: Workspace) -> tuple[str, ...]:
    """Name the rubrics there are."""
    ours = [one.name for one in _OURS.iterdir()]
    own = [one.name for one in _folder(workspace).glob("*.md")]
    return tuple(sorted({name.removesuffix(".md") for name in (*ours, *own)}))


def is_own(workspace: Workspace, name: str) -> bool:
    """Whether the archive has a rubric of this name of its own."""
    return (_folder(workspace) / f"{name}.md").exists()


def source(workspace: Workspace, name: str) -> str:
    """Return a rubric's file. Raises UsageError where there is none, SettingsError where it cannot be read."""
    if not _NAME.fullmatch(name) or name not in names(workspace):
        raise UsageError(f"there is no rubric {name!r}.", remedy=f"There are: {', '.join(names(workspace))}.")
    if not is_own(workspace, name):
        return (_OURS / f"{name}.md").read_text(encoding="utf-8")
    own = _folder(workspace) / f"{name}.md"
    try:
        return own.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"the rubric cannot be read ({error}).", where=str(own), remedy="Save it as a text file in UTF-8."
        ) from error


def rubric(workspace: Workspace, name: str) -> Rubric:
    """Read a rubric. Raises what `source` raises, and SettingsError naming the line where the file is wrong."""
    return parse(name, source(workspace, name))


def _folder(workspace: Workspace) -> Path:
    return workspace.root / "rubrics"
