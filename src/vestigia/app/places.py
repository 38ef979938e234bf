"""Where a passage stands on pages: the page as people cite it, its image, the boxes of its regions, and how legible it
is; of a quotation, the lines that hold it.

A text that came without pages has no place, and none is made up for it.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from vestigia.corpus.readers.pages import is_broken_word
from vestigia.domain.archive import Anchor, Box, Passage
from vestigia.domain.text import word_spans, words

Plain = dict[str, Any]
_NUMERAL = re.compile(r"\d+[a-z]?|[ivxlcdm]+", re.IGNORECASE)


def pages(anchors: Sequence[Anchor]) -> list[Plain]:
    """The pages of a passage in its order, each with its image, regions, box and confidence; what is unknown is None.

    A box is left, top, width and height in pixels of the image, or in the units of the file where it has none (see
    `Box`); that of a page goes round all its lines of the passage, that of a region round those in it.
    """
    found: dict[tuple[str, str], list[Anchor]] = {}
    for anchor in anchors:
        found.setdefault((anchor.page, anchor.image), []).append(anchor)
    return [
        {
            "page": page or None,
            "image": image or None,
            "regions": regions(lines),
            "box": around(lines),
            "confidence": confidence(lines),
        }
        for (page, image), lines in found.items()
    ]


def regions(anchors: Sequence[Anchor]) -> list[Plain]:
    """The regions that lines of one page stand in, in the order of the text, each with the box round its lines."""
    found: dict[str, list[Anchor]] = {}
    for anchor in anchors:
        found.setdefault(anchor.region, []).append(anchor)
    return [{"region": name or None, "box": around(lines)} for name, lines in found.items()]


def around(anchors: Iterable[Anchor]) -> Box | None:
    """The box round all boxes of lines of one page, or none where no line has one."""
    boxes = [one.box for one in anchors if one.box is not None]
    if not boxes:
        return None
    left, top = min(one[0] for one in boxes), min(one[1] for one in boxes)
    return left, top, max(one[0] + one[2] for one in boxes) - left, max(one[1] + one[3] for one in boxes) - top


def confidence(anchors: Iterable[Anchor]) -> float | None:
    """The mean confidence (0 to 1) of lines by their length; None where no line states one."""
    sure = [(one.end - one.start, one.confidence) for one in anchors if one.confidence is not None]
    length = sum(size for size, _ in sure)
    return round(sum(size * value for size, value in sure) / length, 4) if length else None


def lines_of(quote: str, passage: Passage, anchors: Sequence[Anchor]) -> tuple[Anchor, ...]:
    """The lines of a passage that hold a quotation, letter by letter or word by word after folding; else none.

    Where it ends in a word that the source breaks over two lines, the second line is among them.
    """
    span = find_quote(quote, passage.text)
    if span is None:
        return ()
    start, end = passage.start + span[0], passage.start + span[1]
    held = [number for number, one in enumerate(anchors) if one.start < end and start < one.end]
    if held and held[-1] + 1 < len(anchors) and _goes_on(anchors[held[-1]], passage, end):
        held.append(held[-1] + 1)
    return tuple(anchors[number] for number in held)


def line(anchor: Anchor) -> Plain:
    """A line as data."""
    return {
        "page": anchor.page or None,
        "image": anchor.image or None,
        "region": anchor.region or None,
        "box": anchor.box,
        "confidence": anchor.confidence,
    }


def find_quote(quote: str, text: str) -> tuple[int, int] | None:
    """Where a quotation stands in a text: (start, end) of it, or of the same words otherwise written, or None."""
    at = text.find(quote)
    if at >= 0:
        return (at, at + len(quote)) if quote.strip() else None
    wanted = words(quote)
    there = [(word, span) for span in word_spans(text) for word in words(text[span[0] : span[1]])]
    for first in range(len(there) - len(wanted) + 1 if wanted else 0):
        if [word for word, _ in there[first : first + len(wanted)]] == wanted:
            return there[first][1][0], there[first + len(wanted) - 1][1][1]
    return None


def cited(labels: Iterable[str]) -> str:
    """Pages as a citation names them: `p. 3`, `pp. 3, 4`, `page 1858-12-07_01-00001`; empty for none."""
    known = [label for label in dict.fromkeys(labels) if label]
    if not known:
        return ""
    many = "s" * (len(known) > 1)
    short = all(_NUMERAL.fullmatch(label) for label in known)
    return f"{'p' * len(many) + 'p.' if short else f'page{many}'} {', '.join(known)}"


def _goes_on(anchor: Anchor, passage: Passage, end: int) -> bool:
    """Whether a span that ends at `end` takes in the last word of a line, and the source breaks that word there."""
    text = passage.text[max(0, anchor.start - passage.start) : anchor.end - passage.start]
    if anchor.end > passage.end or not is_broken_word(text, anchor.raw):
        return False
    return end > anchor.end - len(text.split()[-1])
