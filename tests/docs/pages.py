"""Pages of documentation and the blocks in them, for the tests of this folder and `scripts/approve_readme.py`."""

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SAMPLE = Path(__file__).parent / "sample"
_AT_TOP = sorted(set(ROOT.glob("*.md")) - {ROOT / "README.md"})
PAGES = (ROOT / "README.md", *_AT_TOP, *sorted((ROOT / "docs").rglob("*.md")))
"""Every page that is tested, the README first."""

_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, the page's name and the line (from 1) it begins in."""

    language: str
    text: str
    page: str
    line: int

    def named(self, names: Mapping[tuple[str, str], str]) -> str:
        """What a list by page and beginning of the text has for it; empty where it has nothing."""
        found = (it for (page, begin), it in names.items() if page == self.page and self.text.startswith(begin))
        return next(found, "")

    def commands(self) -> list[tuple[str, str]]:
        """What is typed in it after `$ `, each with the output shown under it.

        A command goes on where a line ends in a backslash; what `&&` joins is several, the output that of the last.
        """
        found: list[tuple[str, str]] = []
        for line in self.text.replace("\\\n", "").splitlines():
            if line.startswith("$ "):
                found += [(typed.strip(), "") for typed in line.removeprefix("$ ").split("&&")]
            elif found:
                found[-1] = (found[-1][0], f"{found[-1][1]}{line}\n")
        return found


def blocks(page: Path) -> list[Block]:
    """All fenced blocks of a page, in order, those in a list without its indentation."""
    text = page.read_text(encoding="utf-8")
    name = page.relative_to(ROOT).as_posix()
    return [Block(m[2], textwrap.dedent(m[3]), name, text.count("\n", 0, m.start()) + 1) for m in _FENCE.finditer(text)]


def section(page: str, heading: str) -> str:
    """The text under a `## heading` of a page, up to the next one; empty when there is none."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(heading)}$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def headings(text: str) -> set[tuple[str, ...]]:
    """The headings of the columns of every table in a text."""
    found = re.findall(r"^\|(.+)\|\n\|[-:| ]+\|$", text, re.MULTILINE)
    return {tuple(cell.strip() for cell in one.split("|")) for one in found}


def rows(page: str) -> list[list[str]]:
    """The cells of every table row of a page, back quotes off, headings and rules left out."""
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    tables = [
        line
        for line, following in zip(lines, [*lines[1:], ""], strict=True)
        if line.startswith("|") and not following.startswith("|--") and not line.startswith("|--")
    ]
    return [[cell.strip().strip("`") for cell in line.strip("|").split(" | ")] for line in tables]
