"""Parliamentary XML as it is parsed: parts with headings, and their text in the order of print.

The elements are met one after another, so a file that breaks off leaves the parts that were complete. Columns and page
images are marks between the words: each stretch of text keeps those it stands under.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from vestigia.domain.archive import Anchor
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ports import Source

SITTINGS = frozenset(
    {
        "housecommons",
        "houselords",
        "westminsterhall",
        "grandcommitteereport",
        "commons",
        "lords",
        "writtenanswers",
        "writtenstatements",
        "petitions",
        "ministerialcorrections",
        "commons_written_answers",
        "lords_written_answers",
        "commons_written_statements",
        "lords_written_statements",
        "commons_writtenanswers",
        "lords_writtenanswers",
        "lordswrittenanswers",
        "lords_writtenstatements",
        "commons_writtenstatements",
    }
)
"""Elements that are a sitting of a House, or what was printed with it."""

_PARTS = SITTINGS | {"hansard", "section", "group", "oralquestions", "titlepage", "frontmatter", "index", "volume"}
_APART = {
    "p": "\n\n",
    "table": "\n\n",
    "division": "\n\n",
    "ul": "\n\n",
    "ol": "\n\n",
    "title": "\n\n",
    "date": "\n\n",
    "tr": "\n",
    "li": "\n",
    "lb": "\n",
    "td": "\t",
    "th": "\t",
    "col": " ",
    "image": " ",
}
_STRENGTH = ("", " ", "\t", "\n", "\n\n")
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Printed:
    """A date element: the date as printed and as its `format` attribute encodes it."""

    printed: str
    encoded: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text, what sets it apart from the one before, and the column and image it stands under."""

    apart: str
    text: str
    column: str
    image: str
    heading: bool = False


@dataclass(slots=True, eq=False)
class Part:
    """A sitting, a group, a section: its heading, its own text without that of the parts in it, its dates."""

    kind: str
    number: int
    within: "Part | None"
    title: str = ""
    pieces: list[Piece] = field(default_factory=list)
    dates: list[Printed] = field(default_factory=list)
    speakers: dict[str, None] = field(default_factory=dict)
    complete: bool = False

    def above(self) -> "list[Part]":
        """Return the parts it lies in, the outermost first."""
        found: list[Part] = []
        part = self.within
        while part is not None:
            found.append(part)
            part = part.within
        return found[::-1]

    @property
    def has_text(self) -> bool:
        """Whether it has words of its own besides headings and dates."""
        return any(not piece.heading for piece in self.pieces)


@dataclass(slots=True)
class _Open:
    """An element whose text is wanted on its own: where in the writer it began."""

    tag: str
    words: list[str] = field(default_factory=list)
    attribute: str = ""


class Walker:
    """Takes the events of a parser (as lxml's target interface has them) and collects the parts."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.typed = ""
        self._stack: list[Part] = []
        self._captured: list[_Open] = []
        self._buffer: list[str] = []
        self._apart = ""
        self._column = self._image = ""
        self._dates: list[list[Printed]] = [[]]

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Begin an element."""
        name = tag.rpartition("}")[2]
        self._separate(_APART.get(name, ""))
        if name in _PARTS:
            self._separate("\n\n")
            self._begin(name)
        elif name == "image":
            self._image = attributes.get("src", "").strip()
        elif name in {"title", "date", "col", "member", "memberconstituency"}:
            self._captured.append(_Open(name, attribute=attributes.get("format", "").strip()))

    def data(self, text: str) -> None:
        """Take text."""
        if self._captured:
            self._captured[-1].words.append(text)
        if not any(one.tag in {"title", "date", "col"} for one in self._captured):
            self._buffer.append(text)

    def end(self, tag: str) -> None:
        """End an element."""
        name = tag.rpartition("}")[2]
        if self._captured and self._captured[-1].tag == name:
            self._take(self._captured.pop())
        elif name == "lb" and self._captured:
            self._captured[-1].words.append(" ")
        self._separate(_APART.get(name, ""))
        if name in _PARTS and self._stack:
            self._separate("\n\n")
            part = self._stack.pop()
            part.complete = True
            if part.kind in SITTINGS:
                self._dates.pop()

    def doctype(self, name: str, *_: object) -> None:
        """Take note of a document type: it may define entities."""
        self.typed = name

    def close(self) -> None:
        """End. Words still in hand belong to an element that was cut short, and are left out."""

    def _begin(self, name: str) -> None:
        part = Part(name, len(self.parts) + 1, self._stack[-1] if self._stack else None)
        if name in SITTINGS:
            self._dates.append(list(self._dates[-1]))
        part.dates = self._dates[-1][-1:]
        self.parts.append(part)
        self._stack.append(part)

    def _take(self, captured: _Open) -> None:
        """Take a title, date, column or speaker that is complete."""
        words = " ".join("".join(captured.words).split())
        part = self._stack[-1] if self._stack else None
        if captured.tag == "col":
            self._column = words
        elif captured.tag == "member" and part is not None and words:
            part.speakers.setdefault(words)
        elif part is not None and words and captured.tag in {"title", "date"}:
            self._put(words, heading=True)
            if captured.tag == "title":
                part.title = part.title or words
        if captured.tag == "date" and part is not None and (words or captured.attribute):
            date = Printed(words, captured.attribute)
            self._dates[-1].append(date)
            part.dates = [*part.dates, date] if part.has_text else [date]

    def _separate(self, apart: str) -> None:
        if apart:
            self._flush()
            self._apart = max(self._apart, apart, key=_STRENGTH.index)

    def _flush(self) -> None:
        words = " ".join("".join(self._buffer).split())
        self._buffer.clear()
        if words:
            self._put(words)

    def _put(self, words: str, *, heading: bool = False) -> None:
        if self._stack:
            self._stack[-1].pieces.append(Piece(self._apart, words, self._column, self._image, heading))
        self._apart = ""


def walk(source: Source) -> tuple[list[Part], SourceRefusedError | None]:
    """Return the parts in the order of print, and the error where the XML breaks off; no entity is resolved.

    Nothing is saved of a broken file with a document type: what its entities stood for cannot be told.
    """
    walker = Walker()
    parser = etree.XMLParser(
        target=walker,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        with source.open() as stream:
            while chunk := stream.read(_CHUNK):
                parser.feed(chunk)
        parser.close()
    except etree.XMLSyntaxError as error:
        broken = SourceRefusedError(
            f"the file is not well-formed XML: {error.msg}.",
            where=f"{source.name}, line {error.lineno}",
            remedy="Repair it, or take the original file again.",
        )
        return [] if walker.typed else walker.parts, broken
    return walker.parts, None


def written(pieces: list[Piece]) -> tuple[str, tuple[Anchor, ...]]:
    """Return (text, anchors) of pieces; an anchor's page is the column, or the image where no column is given."""
    text: list[str] = []
    anchors: list[Anchor] = []
    length = 0
    for piece in pieces:
        apart = (piece.apart or " ") if text else ""
        length += len(apart)
        anchors.append(Anchor(length, length + len(piece.text), piece.column or piece.image, image=piece.image))
        text += [apart, piece.text]
        length += len(piece.text)
    return "".join(text), tuple(merged(anchors))


def merged(anchors: list[Anchor]) -> Iterator[Anchor]:
    """Yield anchors with neighbours on the same page as one: a column has no boxes that would tell them apart."""
    last: Anchor | None = None
    for one in anchors:
        if last is not None and (last.page, last.image) == (one.page, one.image):
            last = Anchor(last.start, one.end, last.page, image=last.image)
            continue
        if last is not None and last.page:
            yield last
        last = one
    if last is not None and last.page:
        yield last
