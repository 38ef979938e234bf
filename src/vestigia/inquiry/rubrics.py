"""Rubrics: the historian's criteria as a Markdown file, read strictly (HistoRAG 3.4; H3, H4).

A header between two lines `---` says name, scale and bands; the sections are Criteria, Anchors and Examples. What the
parser does not understand it refuses, naming the line: a criterion that is silently left out would judge otherwise.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import normalize

from vestigia.domain.commissions import Rubric
from vestigia.domain.errors import SettingsError
from vestigia.domain.ids import digest

FIELDS = ("name", "scale", "bands")
SECTIONS = ("Criteria", "Anchors", "Examples")
WIDEST = 100
"""Points that a scale may have."""
_LONG = 80
"""Characters of a line that are repeated in a message."""
_SCALE = re.compile(r"(\d{1,9})\s*[-–]\s*(\d{1,9})")
_BANDS = re.compile(r"keep (\d{1,9}), drop (\d{1,9})")
_ANCHOR = re.compile(r"(\d{1,9}): *(\S.*)")


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str


def parse(name: str, source: str) -> Rubric:
    """Read the rubric called `name`. Raises SettingsError, naming the line and what to write there."""
    lines = [_Line(n, text.rstrip()) for n, text in enumerate(source.removeprefix("\ufeff").splitlines(), 1)]
    header, body = _parted(name, lines)
    if normalize("NFC", header["name"].text) != name:
        raise _wrong(
            name, header["name"], f"the header calls it {_told(header['name'].text)}.", f"Write `name: {name}`."
        )
    lowest, highest = _scale(name, header["scale"])
    keep, drop = _bands(name, header.get("bands"), (lowest, highest))
    sections = _sections(name, body)
    criteria = "\n".join(line.text for line in sections.get("Criteria", ())).strip()
    if not criteria:
        raise _wrong(name, None, "it has no criteria.", "Write them under a line `## Criteria`.")
    anchors = _anchors(name, sections.get("Anchors", ()), (lowest, highest))
    examples = tuple(item.text for item in _items(name, sections.get("Examples", ())))
    return Rubric(name, digest(source), criteria, lowest, highest, anchors, keep, drop, examples)


def _parted(name: str, lines: Sequence[_Line]) -> tuple[dict[str, _Line], Sequence[_Line]]:
    """Part the header's fields from the rest."""
    marks = [at for at, line in enumerate(lines) if line.text == "---"]
    if len(marks) < 2 or marks[0] != 0:
        remedy = f"Begin with a line ---, the fields {', '.join(FIELDS)}, and a line ---."
        raise _wrong(name, lines[0] if lines else None, "the header is missing.", remedy)
    header: dict[str, _Line] = {}
    for line in lines[1 : marks[1]]:
        field, colon, value = line.text.partition(":")
        if field not in FIELDS or not colon or field in header:
            raise _wrong(
                name, line, f"{_told(line.text)} is not understood.", f"Fields, once each: {', '.join(FIELDS)}."
            )
        header[field] = _Line(line.number, value.strip())
    for field in ("name", "scale"):
        if field not in header:
            raise _wrong(name, lines[marks[1]], f"the header has no `{field}`.", f"Add a line `{field}: ...`.")
    return header, lines[marks[1] + 1 :]


def _scale(name: str, said: _Line) -> tuple[int, int]:
    found = _SCALE.fullmatch(said.text)
    lowest, highest = (int(found[1]), int(found[2])) if found else (0, 0)
    if not lowest < highest < lowest + WIDEST:
        remedy = f"Write it like `scale: 1-10`, at most {WIDEST} points."
        raise _wrong(name, said, f"{_told(said.text)} is no scale.", remedy)
    return lowest, highest


def _bands(name: str, said: _Line | None, scale: tuple[int, int]) -> tuple[int | None, int | None]:
    """Read from where on sources are kept and down to where they are dropped; none: nothing is pre-sorted."""
    if said is None:
        return None, None
    found = _BANDS.fullmatch(said.text)
    keep, drop = (int(found[1]), int(found[2])) if found else (0, 0)
    if not scale[0] <= drop < keep <= scale[1]:
        raise _wrong(
            name, said, f"{_told(said.text)} are no bands of the scale.", "Write them like `bands: keep 7, drop 2`."
        )
    return keep, drop


def _sections(name: str, lines: Sequence[_Line]) -> dict[str, list[_Line]]:
    found: dict[str, list[_Line]] = {}
    here: list[_Line] | None = None
    for line in lines:
        if line.text.startswith("#"):
            title = line.text.removeprefix("## ")
            if title not in SECTIONS or title in found:
                remedy = f"Sections, once each: {', '.join(f'`## {one}`' for one in SECTIONS)}."
                raise _wrong(name, line, f"the heading {_told(line.text)} is not understood.", remedy)
            here = found[title] = []
        elif here is not None:
            here.append(line)
        elif line.text:
            raise _wrong(name, line, "text stands before the first section.", "Put it under `## Criteria`.")
    return found


def _items(name: str, lines: Sequence[_Line]) -> list[_Line]:
    """Read a list; an indented line continues the item before."""
    items: list[_Line] = []
    for line in lines:
        if line.text.startswith("- ") and line.text[2:].strip():
            items.append(_Line(line.number, line.text[2:].strip()))
        elif line.text.startswith(" ") and items:
            items[-1] = _Line(items[-1].number, f"{items[-1].text} {line.text.strip()}")
        elif line.text:
            raise _wrong(
                name, line, f"{_told(line.text)} is no item of a list.", "Begin items with `- `, go on indented."
            )
    return items


def _anchors(name: str, lines: Sequence[_Line], scale: tuple[int, int]) -> tuple[tuple[int, str], ...]:
    found: dict[int, str] = {}
    for item in _items(name, lines):
        anchor = _ANCHOR.fullmatch(item.text)
        score = int(anchor[1]) if anchor else scale[0] - 1
        if anchor is None or not scale[0] <= score <= scale[1] or score in found:
            remedy = (
                f"Write it like `- {scale[0]}: what it means`, each score from {scale[0]} to {scale[1]} at most once."
            )
            raise _wrong(name, item, f"{_told(item.text)} is no anchor.", remedy)
        found[score] = anchor[2]
    return tuple(sorted(found.items()))


def _told(text: str) -> str:
    return repr(text if len(text) <= _LONG else f"{text[:_LONG]}…")


def _wrong(name: str, line: _Line | None, what: str, remedy: str) -> SettingsError:
    return SettingsError(what, where=f"rubrics/{name}.md" + (f", line {line.number}" if line else ""), remedy=remedy)
