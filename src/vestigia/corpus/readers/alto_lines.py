"""The lines of an ALTO page: words and the gaps between them, words broken at line ends, boxes, confidence.

A line is what stands under one parent, as a rule a TextLine: so words that a damaged file moved elsewhere are read too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from vestigia.corpus.readers.pages import Broken, Line
from vestigia.corpus.readers.sheets import number
from vestigia.corpus.readers.xml import Node, local
from vestigia.domain.archive import Box

_DASHES = ("—", "–")
_HYPHENS = "-\u00ad¬‐⸗="


@dataclass(slots=True)
class Oddities:
    """What was odd on the way, for the report: counts, or the words themselves (`alone`: of a broken word one part)."""

    boxes: int = 0
    confidences: int = 0
    dashes: list[str] = field(default_factory=list)
    alone: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Layout:
    """How a page is to be read: factors from its unit to pixels across and down, and whether it marks spaces."""

    across: float = 1.0
    down: float = 1.0
    spaced: bool = True


@dataclass(frozen=True, slots=True)
class Row:
    """A line and the elements it was read from."""

    line: Line
    parent: Node
    words: tuple[Node, ...]


def rows_of(page: Node, layout: Layout, odd: Oddities) -> list[Row]:
    """Read the lines of a Page element in the order of the file; lines without a word are left out."""
    halves = _halves(page, odd)
    rows = []
    for parent, members in groupby(page.iter("{*}String", "{*}SP", "{*}HYP"), key=lambda one: one.getparent()):
        elements = list(members)
        if any(_content(one) for one in elements if local(one) == "String"):
            rows.append(_row(parent, elements, layout, odd, halves))
    return rows


def _halves(page: Node, odd: Oddities) -> dict[Node, str]:
    """Return the whole word of each word that is half of one: its own SUBS_CONTENT, or that of the half before it."""
    wholes: dict[Node, str] = {}
    begun: Node = None
    told = next((True for word in page.iter("{*}String") if word.get("SUBS_TYPE")), False)
    for word in page.iter("{*}String", "{*}HYP"):
        if local(word) == "HYP":
            before = word.getprevious()
            if told and before is not None and local(before) == "String" and not before.get("SUBS_TYPE"):
                odd.alone.append(_content(before))
            continue
        kind, whole = word.get("SUBS_TYPE", ""), word.get("SUBS_CONTENT", "")
        if kind == "HypPart2":
            wholes[word] = whole or (wholes.get(begun, "") if begun is not None else "")
            if begun is None:
                odd.alone.append(_content(word))
        elif begun is not None:
            odd.alone.append(_content(begun))
        begun = word if kind == "HypPart1" else None
        if begun is not None:
            wholes[word] = whole
    if begun is not None:
        odd.alone.append(_content(begun))
    return wholes


def _row(parent: Node, elements: list[Node], layout: Layout, odd: Oddities, halves: dict[Node, str]) -> Row:
    names = [local(one) for one in elements]
    words = [one for one, name in zip(elements, names, strict=True) if name == "String"]
    text, ends = "", ""
    for at, (element, name) in enumerate(zip(elements, names, strict=True)):
        if name == "SP" or (not layout.spaced and at and name == "String"):
            text += " "
        if name != "SP":
            content = _content(element)
            ends = content if name == "String" else ends + content
            text += content
    first, last = words[0], words[-1]
    sure = [_confidence(word, odd) for word in words]
    known = [one for one in sure if one is not None]
    line = Line(
        text.strip(),
        _box_of(parent, words, layout, odd),
        round(sum(known) / len(known), 4) if known else None,
        _broken(last, "HypPart1", ends, halves, odd),
        _broken(first, "HypPart2", _content(first), halves, odd),
    )
    return Row(line, parent, tuple(words))


def _broken(word: Node, kind: str, part: str, halves: dict[Node, str], odd: Oddities) -> Broken | None:
    """Return the broken word; none where the file takes a dash between two words for a hyphen."""
    whole = halves.get(word, "")
    if word.get("SUBS_TYPE") != kind or not whole:
        return None
    if kind == "HypPart1" and part.endswith(_DASHES) and whole.startswith(part[:-1]) and part not in whole:
        odd.dashes.append(part)
        return None
    return Broken(part.strip(), whole.strip())


def _content(element: Node) -> str:
    """Return what a String or HYP holds; a HYP without content is a hyphen."""
    content = element.get("CONTENT")
    return str(content) if content is not None else "-" * (local(element) == "HYP")


def _confidence(word: Node, odd: Oddities) -> float | None:
    written = word.get("WC")
    read = number(written)
    if read is not None and 0 <= read <= 1:
        return read
    odd.confidences += written is not None
    return None


def _box_of(parent: Node, words: Sequence[Node], layout: Layout, odd: Oddities) -> Box | None:
    """Return the line's box as it states, or that round its words where it states none or an impossible one."""
    own = _edges(parent)
    if own is None or local(parent) != "TextLine":
        odd.boxes += own is None and parent.get("HPOS") is not None
        edges = [one for one in map(_edges, words) if one is not None]
        if not edges:
            return None
        own = (
            min(one[0] for one in edges),
            min(one[1] for one in edges),
            max(one[2] for one in edges),
            max(one[3] for one in edges),
        )
    left, top, right, bottom = own
    return (
        round(left * layout.across),
        round(top * layout.down),
        round((right - left) * layout.across),
        round((bottom - top) * layout.down),
    )


def _edges(element: Node) -> tuple[float, float, float, float] | None:
    left, top, width, height = (number(element.get(name)) for name in ("HPOS", "VPOS", "WIDTH", "HEIGHT"))
    if left is None or top is None or width is None or height is None or width < 0 or height < 0:
        return None
    return max(left, 0), max(top, 0), max(left + width, 0), max(top + height, 0)
