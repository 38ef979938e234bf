"""Pages of documentation and the blocks in them, for the tests of this folder and `scripts/approve_readme.py`."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SAMPLE = Path(__file__).parent / "sample"
_AT_TOP = sorted(set(ROOT.glob("*.md")) - {ROOT / "README.md"})
PAGES = (ROOT / "README.md", *_AT_TOP, *sorted((ROOT / "docs").rglob("*.md")))
"""Every page that is tested, the README first."""

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, the page's name and the line (from 1) it begins in."""

    language: str
    text: str
    page: str
    line: int

    def commands(self) -> list[tuple[list[str], str]]:
        """The `vestigia` commands in it, as arguments, each with the output shown under it."""
        found: list[tuple[list[str], str]] = []
        for line in self.text.splitlines():
            if arguments := arguments_of(line):
                found.append((arguments, ""))
            elif found and not line.startswith("$ "):
                found[-1] = (found[-1][0], f"{found[-1][1]}{line}\n")
        return found


def arguments_of(line: str) -> list[str]:
    """Return what follows `vestigia` in a line that calls it, alone, by `uv run`, or after what installs uv."""
    called = re.fullmatch(r"(?:\$ )?(?:python3 -m pip install uv && )?(?:uv run )?vestigia (.+)", line)
    return shlex.split(called.group(1)) if called else []


def blocks(page: Path) -> list[Block]:
    """All fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    name = page.relative_to(ROOT).as_posix()
    return [Block(m[1], m[2], name, text.count("\n", 0, m.start()) + 1) for m in _FENCE.finditer(text)]


def section(page: str, heading: str) -> str:
    """The text under a `## heading` of a page, up to the next one; empty when there is none."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(heading)}$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def rows(page: str) -> list[list[str]]:
    """The cells of every table row of a page, back quotes off, headings and rules left out."""
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    tables = [
        line
        for line, following in zip(lines, [*lines[1:], ""], strict=True)
        if line.startswith("|") and not following.startswith("|--") and not line.startswith("|--")
    ]
    return [[cell.strip().strip("`") for cell in line.strip("|").split(" | ")] for line in tables]
