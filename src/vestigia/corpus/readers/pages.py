"""Pages as every page format has them, and how they become one running text that still knows its lines.

Readers of ALTO, PAGE, hOCR and IIIF give pages of regions of lines in reading order; `compose` joins words broken at
line ends, keeps the lines as they were, and anchors every line of the text to its place on the page.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from vestigia.domain.archive import Anchor, Box

_BREAK = re.compile(r"(?<=[^\W\d_])[-\u00ad¬‐⸗=„]$")
_SMALL = re.compile(r"^[^\W\d_]")
_WORD = re.compile(r"\w[\w-]*\w")
_SUSPENDED = {"und", "oder", "bis", "bzw.", "sowie", "u."}
"""A German hyphen before one of these stands for a word that follows (`Vor- und Nachteile`): nothing is broken."""

_FURNITURE = {"page-number", "header", "footer", "catch-word", "signature-mark", "running-title", "pagenum"}
"""Kinds of regions that stand between the parts of a text without being of it: words are joined across them."""
_ENDED = re.compile(r"[.!?:;…][\"'»«”’)\]]*$")


@dataclass(frozen=True, slots=True)
class Broken:
    """A word broken over two lines, as the source itself says: the `part` on this line and the `whole` word."""

    part: str
    whole: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line as the source has it. `box` is left, top, width, height; `confidence` the mean over its words, 0 to 1.

    `ends` is the broken word that begins at its end, `begins` the one that ends at its beginning, where the source
    says so (ALTO SUBS_CONTENT).
    """

    text: str
    box: Box | None = None
    confidence: float | None = None
    ends: Broken | None = None
    begins: Broken | None = None


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

    No empty line parts a sentence that runs on into the next region: one that has not ended, before a small letter.

    The text is in Unicode NFC. A word is broken where the source says so, or where a line ends in a letter and a hyphen
    (of any kind scans show) and the next line, of the same page or the next, begins with a small letter. A line of
    which nothing is left has no anchor of its own; the one before holds it in `raw`, on a line by itself.
    """
    placed = [
        _Placed(page, region, line)
        for page in pages
        for region in page.regions
        for line in region.lines
        if line.text.strip()
    ]
    text: list[str] = []
    anchors: list[Anchor] = []
    length = 0
    last: Region | None = None
    held = {True: -1, False: -1}
    for here, words in zip(placed, _words(placed), strict=True):
        aside = _is_aside(here.region)
        if not words:
            before = anchors[held[aside]]
            anchors[held[aside]] = replace(before, raw=f"{before.raw or text[2 * held[aside]]}\n{here.line.text}")
            continue
        if text:
            runs_on = words[0].islower() and not aside and not _ENDED.search(text[-1]) and not _is_aside(last)
            text.append("\n" if last is here.region or runs_on else "\n\n")
            length += len(text[-1])
        raw = here.line.text if here.line.text != words else ""
        held[aside] = len(anchors)
        anchors.append(
            Anchor(
                length,
                length + len(words),
                here.page.label,
                here.region.name,
                here.line.box,
                here.page.image,
                here.line.confidence,
                raw,
            )
        )
        text.append(words)
        length += len(words)
        last = here.region
    return Composed("".join(text), tuple(anchors))


def is_broken_word(words: str, raw: str) -> bool:
    """Whether a line's last word was broken at its end, by the line as it is read and `raw` as the source has it."""
    read, had = words.split(), _plain(raw.partition("\n")[0]).split()
    return bool(read and had) and read[-1] != had[-1]


def broken_words(text: str, anchors: Iterable[Anchor]) -> int:
    """Count the words of a text that its source breaks over two lines and that are whole in it."""
    return sum(is_broken_word(text[one.start : one.end], one.raw) for one in anchors if one.raw)


def _is_aside(region: Region | None) -> bool:
    return region is not None and region.kind.casefold() in _FURNITURE


def _words(placed: Sequence[_Placed]) -> Iterator[str]:
    """Yield the words of each line; those of page numbers, running titles and the like are joined among themselves."""
    found = {
        aside: iter(_joined([one.line for one in placed if _is_aside(one.region) is aside])) for aside in (True, False)
    }
    for one in placed:
        yield next(found[_is_aside(one.region)])


def _joined(lines: Sequence[Line]) -> list[str]:
    """Return the lines' words with broken ones whole on the line where they begin, in NFC, white space collapsed."""
    words = [_plain(line.text) for line in lines]
    known = frozenset(word.casefold() for line in words for word in _WORD.findall(line))
    # From the last line up, so that a word broken twice is whole when its first part is reached.
    for number in reversed(range(len(words))):
        following = words[number + 1] if number + 1 < len(words) else ""
        told = lines[number].ends
        if told is not None:
            after = lines[number + 1].begins if following else None
            words[number], rest = _join_told(words[number], told, following, after)
        elif _is_broken(words[number], following):
            head, _, last = words[number].rpartition(" ")
            first, _, rest = following.partition(" ")
            words[number] = f"{head} {_rejoined(last, first, known)}".strip()
        else:
            continue
        if following:
            words[number + 1] = rest
    return words


def _join_told(words: str, told: Broken, following: str, after: Broken | None) -> tuple[str, str]:
    """Put in the whole word; its second part goes from the next line if it is there, with what is written to it."""
    part, rest, trailing = _plain(told.part), following, ""
    if not words.endswith(part):
        return words, following
    if after is not None and after.whole == told.whole and following.startswith(_plain(after.part)):
        trailing, _, rest = following[len(_plain(after.part)) :].partition(" ")
    return words.removesuffix(part) + _plain(told.whole) + trailing, rest


def _is_broken(words: str, following: str) -> bool:
    return bool(
        _BREAK.search(words)
        and _SMALL.match(following)
        and following[0].islower()
        and following.split(" ", 1)[0] not in _SUSPENDED
    )


def _rejoined(last: str, first: str, known: frozenset[str]) -> str:
    """Leave the hyphen in, where the text itself writes this word with a hyphen and never without (`peut-être`)."""
    without, hyphened = last[:-1] + first, f"{last[:-1]}-{first}"
    bare = [_WORD.search(word) for word in (without, hyphened)]
    seen = [found is not None and found.group().casefold() in known for found in bare]
    return hyphened if seen == [False, True] else without


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())
