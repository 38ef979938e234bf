"""PAGE XML of 2010 to 2019, from Transkribus, eScriptorium, OCR-D and others: a file is a page and a document.

Lines count before the text that a region repeats, since only they say where they stand; where the two differ it is
said. Text that stands at words only is read from them. Nothing of the text is corrected.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from vestigia.corpus.languages import language_code
from vestigia.corpus.readers.page_dates import date_in_path
from vestigia.corpus.readers.page_order import Order, in_order, reading_order
from vestigia.corpus.readers.pages import Line, Page, Region, compose
from vestigia.corpus.readers.xml import Node, local, open_xml, root_name
from vestigia.corpus.sources import folder, named_id, read_whole
from vestigia.domain.archive import Box, Document, Provenance
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ids import digest
from vestigia.domain.ports import Refused, Source

_STRUCTURE = re.compile(r"structure\s*\{[^}]*?type\s*:\s*([^;}\s]+)")
_POINT = re.compile(r"(-?\d{1,9})(?:\.\d*)?,(-?\d{1,9})(?:\.\d*)?")
_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,30})?")
_SHOWN = 5
_MOVED = "its regions stand in the file in another order than the reading order it states; the text follows that"


@dataclass(frozen=True, slots=True)
class PageReader:
    """Reads PAGE XML, one document a file; pages of one issue belong together where a METS file says so."""

    @property
    def name(self) -> str:
        """`page`."""
        return "page"

    def sniff(self, name: str, head: bytes) -> bool:  # noqa: ARG002 - the port hands it
        """Whether the root element is PcGts, in any namespace."""
        return root_name(head) == "PcGts"

    def read(self, source: Source) -> Iterator[Document | Refused]:
        """Read the page. Raises SourceRefusedError for broken XML, XML that is not PAGE, and pages without text."""
        root = open_xml(source)
        if local(root) != "PcGts":
            raise SourceRefusedError(
                f"the file is XML with the root element <{local(root)}>, not PAGE.",
                where=source.name,
                remedy="Convert it to PAGE, or add its text as .txt.",
            )
        page, notes = page_of(root, source.name)
        composed = compose([page])
        if not composed.text:
            raise SourceRefusedError(
                f"the page has no text: {_counted(root)}.",
                where=source.name,
                remedy="Transcribe or recognise it and add it again.",
                pages_without_text=1,
            )
        date = date_in_path(source.name)
        provenance = Provenance(source.name, "", digest(read_whole(source)), self.name)
        yield Document(
            named_id(source.name, 2),
            folder(source.name),
            page.label,
            composed.text,
            _language(root),
            provenance,
            (date,) if date else (),
            anchors=composed.anchors,
        )
        for note in notes:
            yield Refused("", note, kept=True)


@dataclass(slots=True)
class _Odd:
    """What was odd on the way."""

    differing: list[str] = field(default_factory=list)
    silent: int = 0
    lines: int = 0


def page_of(root: Node, name: str) -> tuple[Page, tuple[str, ...]]:
    """Return (page, notes) of a PcGts or Page element: its regions in reading order, those without text left out.

    `name` is the page's label or the path of its file, whose name then is the label. Boxes are in pixels of the image.
    Notes say in words what the report must tell: what the reading order leaves out, and texts that differ.
    """
    pages = [root] if local(root) == "Page" else list(root.iter("{*}Page"))
    regions: list[Region] = []
    notes: list[str] = [] if len(pages) < 2 else [f"the file has {len(pages)} Page elements; they are read as one page"]
    odd = _Odd()
    for page in pages:
        order = reading_order(page)
        read = [(element, _region(element, odd)) for element in order.regions]
        regions += [region for _, region in read if region.lines]
        told = {element: region for element, region in read if region.lines}
        moved = order.listed and list(told) != [one for one in page.iter("{*}*") if one in told]
        notes += list(_notes_on_order(order, told)) or [_MOVED] * moved
    notes += _notes_on_text(odd)
    image = pages[0].get("imageFilename", "") if pages else ""
    return Page(_label(name), tuple(regions), image), tuple(notes)


def _label(name: str) -> str:
    return re.sub(r"(\.page)?\.xml$", "", PurePosixPath(name).name) if name.endswith(".xml") else name


def _notes_on_order(order: Order, told: dict[Node, Region]) -> Iterator[str]:
    unlisted = [told[one].name for one in order.unlisted if one in told]
    if unlisted:
        yield f"regions with text that are not in the reading order are read last: {_few(unlisted)}"
    silent = [
        one.get("id", "")
        for one in order.regions[: len(order.regions) - len(order.unlisted)]
        if order.listed and not any(part in told for part in one.iter("{*}*"))
    ]
    if silent:
        yield f"regions in the reading order that have no text: {_few(silent)}"
    if order.absent:
        yield f"the reading order names regions that are not there: {_few(order.absent)}"
    if order.repeated:
        yield f"the reading order names regions more than once, and the first place counts: {_few(order.repeated)}"
    if order.unordered > 1:
        yield f"the file says that {order.unordered} regions have no order; they are read as it lists them"
    if not order.stated and len(told) > 1:
        yield f"the file gives no reading order; its {len(told)} regions are read as they stand in it"


def _notes_on_text(odd: _Odd) -> Iterator[str]:
    if odd.differing:
        yield f"regions state another text than their lines, and the lines count: {_few(odd.differing)}"
    if 0 < odd.silent < odd.lines:
        yield f"{odd.silent} of {odd.lines} lines have no text"


def _few(names: Sequence[str]) -> str:
    rest = f" ... ({len(names)} in all)" if len(names) > _SHOWN else ""
    return ", ".join(name or "(no id)" for name in names[:_SHOWN]) + rest


def _region(element: Node, odd: _Odd) -> Region:
    name, box = element.get("id", ""), _box(element)
    lines = [_line(one) for one in in_order(element.findall("{*}TextLine"))]
    full = tuple(line for line in lines if line.text)
    odd.lines += len(lines)
    odd.silent += len(lines) - len(full)
    own, confidence = _own(element)
    if own and not full:
        full = tuple(Line(line, box, confidence) for line in own.splitlines() if line.strip())
    elif own and own.split() != " ".join(line.text for line in full).split():
        odd.differing.append(name)
    return Region(name, full, _kind(element))


def _line(element: Node) -> Line:
    text, confidence = _own(element)
    words = [_word(word) for word in in_order(element.findall("{*}Word"))]
    if confidence is None:
        sure = [one for _, one in words if one is not None]
        confidence = sum(sure) / len(sure) if sure else None
    return Line(text.strip() or " ".join(word for word, _ in words if word), _box(element), confidence)


def _word(element: Node) -> tuple[str, float | None]:
    text, confidence = _own(element)
    return text.strip() or "".join(_own(glyph)[0].strip() for glyph in element.findall("{*}Glyph")), confidence


def _own(element: Node) -> tuple[str, float | None]:
    """Return (text, confidence) of an element's own TextEquiv: of several, the first that has text by `index`."""
    readings = []
    for number, equiv in enumerate(element.findall("{*}TextEquiv")):
        parts = ["".join(one.itertext()) for tag in ("{*}Unicode", "{*}PlainText") for one in equiv.findall(tag)]
        text = next((part for part in parts if part.strip()), "")
        index = equiv.get("index", "").strip()
        if text:
            first = int(index) if re.fullmatch(r"[0-9]{1,9}", index) else 0
            readings.append((first, number, text, equiv.get("conf", "")))
    if not readings:
        return "", None
    _, _, text, written = min(readings)
    confidence = float(written) if _NUMBER.fullmatch(written.strip()) else None
    return text, confidence if confidence is not None and confidence <= 1 else None


def _kind(element: Node) -> str:
    """Return what a region is: as it states (page-number, catch-word, paragraph), else by its element (table)."""
    structure = _STRUCTURE.search(element.get("custom", ""))
    stated = element.get("type", "") or (structure[1] if structure else "")
    return stated or re.sub(r"(?<=[a-z])(?=[A-Z])", "-", local(element).removesuffix("Region")).casefold()


def _box(element: Node) -> Box | None:
    """Return the box round the outline of a region or line; none where an outline is absent or unreadable."""
    coords = element.find("{*}Coords")
    if coords is None:
        return None
    written = coords.get("points", "").split() or [
        f"{point.get('x', '')},{point.get('y', '')}" for point in coords.findall("{*}Point")
    ]
    points = [_POINT.fullmatch(one) for one in written]
    known = [(int(point[1]), int(point[2])) for point in points if point]
    if not known or len(known) < len(points):
        return None
    left, top = min(x for x, _ in known), min(y for _, y in known)
    return left, top, max(x for x, _ in known) - left, max(y for _, y in known) - top


def _language(root: Node) -> str:
    """Return the language that the page or most of its regions state; empty for none."""
    page = root.find("{*}Page")
    stated = Counter(one.get("primaryLanguage", "") for one in root.iter("{*}TextRegion"))
    stated.pop("", None)
    main = page.get("primaryLanguage", "") if page is not None else ""
    return language_code(main or (stated.most_common(1)[0][0] if stated else ""))


def _counted(root: Node) -> str:
    regions = sum(local(one).endswith("Region") for one in root.iter("{*}*"))
    lines = sum(1 for _ in root.iter("{*}TextLine"))
    return f"it has {regions} regions and {lines} lines, and none holds any"
