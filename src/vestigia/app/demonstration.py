"""The demo: a small fictional archive shipped with the package, built where the user says."""

import json
import shutil
from importlib.resources import as_file, files
from pathlib import Path

from vestigia.app.archive import Tell, add, quiet
from vestigia.app.settings import FILE
from vestigia.app.workspace import Workspace, init, open_workspace
from vestigia.corpus.importing import ImportOptions

FOLDER = "vestigia-demo"
QUESTION = "D1"
"""The shipped question that is asked when the user asks none."""


def build(folder: Path, tell: Tell = quiet) -> Workspace:
    """Make the demo archive, its sources beside it to be looked at, or bring the one that is there up to date."""
    workspace = (
        open_workspace(folder) if (folder / FILE).is_file() else init(folder, "Lorvange / Lörwingen (fictional)")
    )
    sources = folder / "sources"
    with as_file(files("vestigia.app") / "demo") as shipped:
        shutil.copytree(shipped, sources, dirs_exist_ok=True)
    parts = [sources / "council.jsonl", sources / "Grenzbote", sources / "Correspondance_Vautrin"]
    add(workspace, parts, ImportOptions(), tell)
    return workspace


def shipped_question(name: str = QUESTION) -> str:
    """Return one of the six shipped questions."""
    questions = json.loads((files("vestigia.app") / "demo" / "questions.json").read_text(encoding="utf-8"))["questions"]
    return str(next(question["question"] for question in questions if question["id"] == name))
