"""Pages as every page format has them, and how they become one running text that still knows its lines.

Readers of ALTO, PAGE, hOCR and IIIF give pages of regions of lines in reading order; `compose` joins words broken at
line ends, keeps the lines as they were, and anchors every line of the text to its place on the page.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vestigia.domain.archive import Anchor, Box

_BREAK = re.compile(r"(?<=[^\W\d_])[-\u00ad¬‐⸗=„]$")
_SMALL = re.compile(r"^[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Line:
    """A line as the source has it. `box` is left, top, width, height; `confidence` the mean over its words, 0 to 1.

    `joined` is the whole word that its last part begins, where the source says so (ALTO SUBS_CONTENT).
    """

    text: str
    box: Box | None = None
    confidence: float | None = None
    joined: str = ""


@dataclass(frozen=True, slots=True)
class Region:
    """A paragraph, column, heading or table of a page."""

    name: str
    lines: tuple[Line, ...]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its label as people cite it, the name of its image, its regions in reading order."""

    label: str
    regions: tuple[Region, ...]
    image: str = ""


@dataclass(frozen=True, slots=True)
class Composed:
    """The running text of pages and an anchor for each of its lines."""

    text: str
    anchors: tuple[Anchor, ...]


@dataclass(frozen=True, slots=True)
class _Placed:
    page: Page
    region: Region
    line: Line


def compose(pages: Iterable[Page]) -> Composed:
    """Put the lines one under another, regions apart by an empty line, broken words joined on their first line.

    The text is in Unicode NFC. A word is broken where a line ends in a letter and a hyphen (of any kind scans show)
    and the next line, of the same page or the next, begins with a small letter, or where the source says so.
    """
    placed = [_Placed(page, region, line) for page in pages for region in page.regions for line in region.lines]
    text: list[str] = []
    anchors: list[Anchor] = []
    length = 0
    for number, (here, words) in enumerate(zip(placed, _joined([one.line for one in placed]), strict=True)):
        if not words:
            continue
        if text:
            new = placed[number - 1].region is not here.region
            text.append("\n\n" if new else "\n")
            length += len(text[-1])
        raw = here.line.text if here.line.text != words else ""
        anchors.append(Anchor(length, length + len(words), here.page.label, here.region.name, here.line.box,
                              here.page.image, here.line.confidence, raw))
        text.append(words)
        length += len(words)
    return Composed("".join(text), tuple(anchors))


def _joined(lines: Sequence[Line]) -> list[str]:
    """Return the lines' words with broken ones whole on the line where they begin, in NFC, white space collapsed."""
    words = [" ".join(unicodedata.normalize("NFC", line.text).split()) for line in lines]
    for number in range(len(words) - 1):
        following = words[number + 1]
        whole = unicodedata.normalize("NFC", lines[number].joined)
        if not whole and not (_BREAK.search(words[number]) and _SMALL.match(following) and following[0].islower()):
            continue
        head, _, _ = words[number].rpartition(" ")
        last = words[number][len(head):].strip()
        first, _, rest = following.partition(" ")
        words[number] = f"{head} {whole or last[:-1] + first}".strip()
        words[number + 1] = rest
    return words
