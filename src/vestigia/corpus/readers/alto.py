"""ALTO 1 to 4, of any vendor: a file is a document of its pages, as a rule one.

Pages of one issue belong together where a METS file says so (`mets`). Nothing of the text is corrected.
"""

import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import PurePosixPath

from vestigia.corpus.languages import language_code
from vestigia.corpus.readers.alto_lines import Layout, Oddities, Row, rows_of
from vestigia.corpus.readers.page_dates import date_in_path
from vestigia.corpus.readers.pages import Page, Region, compose
from vestigia.corpus.readers.sheets import Sheet, number
from vestigia.corpus.readers.xml import Node, inner_text, local, open_xml, root_name
from vestigia.corpus.sources import folder, named_id, read_whole, stem
from vestigia.domain.archive import Document, Provenance
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ids import digest
from vestigia.domain.periods import DatePeriod
from vestigia.domain.ports import Refused, Source

NO_TEXT = "no text on the page"
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_DATE_FOLDERS = re.compile(r"/(1[4-9]\d\d|20\d\d)/(\d\d)(\d\d)(?=/)")
_LIKE_A_DATE = re.compile(r"/(?:1[4-9]\d\d|20\d\d)/\d\d/?\d\d(?=/)|(?<!\d)(?:1[4-9]\d\d|20\d\d)([-_]?)\d\d\1\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class AltoReader:
    """Reads ALTO files that no METS file claims; the date is that of the file's name or folders, or none."""

    @property
    def name(self) -> str:
        """`alto`."""
        return "alto"

    def sniff(self, name: str, head: bytes) -> bool:  # noqa: ARG002 - the port hands it
        """Whether the root element is alto, in any namespace or none."""
        return root_name(head).casefold() == "alto"

    def read(self, source: Source) -> Iterator[Document | Refused]:
        """Read the pages. Raises SourceRefusedError for broken XML, XML that is not ALTO, and when there is no text."""
        root = open_xml(source)
        if local(root).casefold() != "alto":
            raise SourceRefusedError(
                f"the file is XML with the root element <{local(root)}>, not ALTO.",
                where=source.name,
                remedy="Convert it to ALTO, or add its text as .txt.",
            )
        sheets = sheets_of(root, source.name)
        full = [sheet for sheet in sheets if sheet.has_text]
        if not full:
            raise SourceRefusedError(
                f"{NO_TEXT}: the file has no word in it.",
                where=source.name,
                remedy="Run the text recognition on it and add it again.",
                pages_without_text=len(sheets),
            )
        composed = compose(sheet.page for sheet in full)
        date, doubt = date_of(source.name)
        provenance = Provenance(source.name, "", digest(read_whole(source)), self.name)
        yield Document(
            named_id(source.name, 2),
            sub_corpus_of(source.name),
            stem(source.name),
            composed.text,
            commonest([sheet.language for sheet in full]),
            provenance,
            (date,) if date else (),
            units_of(full),
            composed.anchors,
        )
        for sheet in sheets:
            place = f"page {sheet.page.label}" if len(sheets) > 1 else ""
            if not sheet.has_text:
                yield Refused(place, NO_TEXT, kept=True, pages_without_text=1)
            for note in sheet.notes:
                yield Refused(place, note, kept=True)
        if doubt:
            yield Refused("file name", doubt, kept=True)


def sheets_of(root: Node, name: str, pixels: tuple[float, float] | None = None) -> tuple[Sheet, ...]:
    """Return the pages of an `alto` element, those without text too.

    `name` is the file's path. `pixels` is width and height of the page image where another file knows it: then boxes
    in other units become pixels; else they stay in the file's unit.
    """
    pages = [one for one in root.iter("{*}Page") if next(one.iterancestors("{*}Page"), None) is None] or [root]
    unit = inner_text(root.find(".//{*}MeasurementUnit")).casefold()
    written = inner_text(root.find(".//{*}sourceImageInformation/{*}fileName"))
    outside = sum(1 for _ in root.iter("{*}String")) - sum(1 for page in pages for _ in page.iter("{*}String"))
    lost = (f"{outside} words stand outside any page and were left out",) if outside else ()
    sheets = [_sheet(page, stem(name), unit, pixels if len(pages) == 1 else None) for page in pages]
    sheets[0] = replace(sheets[0], notes=(*sheets[0].notes, *lost))
    return tuple(replace(one, page=replace(one.page, image=image_name(written))) for one in sheets)


def image_name(written: str) -> str:
    """Return the name of an image as a file states it: relative, or without folders where those are of a server."""
    path = written.strip().replace("\\", "/")
    local_path = not path.startswith(("/", "../")) and ":" not in path
    return posixpath.normpath(path) if path and local_path else PurePosixPath(path).name


def date_of(name: str) -> tuple[DatePeriod | None, str]:
    """Return (date, doubt): the full date in the file's name or folders (1824/0217), and what only looks like one."""
    date = date_in_path(_DATE_FOLDERS.sub(r"/\1/\2/\3", name))
    like = None if date else _LIKE_A_DATE.search(name)
    return date, "" if like is None else (
        f"{like.group().strip('/')!r} in its path looks like a date and is none; the document goes in undated"
    )


def sub_corpus_of(name: str) -> str:
    """Return the nearest folder that is not named by numbers alone; empty where the path as given has none."""
    path = PurePosixPath(name)
    while folder(path.as_posix()) and re.fullmatch(r"[\d_.-]+", path.parent.name):
        path = path.parent
    return folder(path.as_posix())


def commonest(languages: Sequence[str]) -> str:
    """Return the language that most state, the first of several; empty where none states any."""
    stated = Counter(one for one in languages if one)
    return stated.most_common(1)[0][0] if stated else ""


def units_of(sheets: Sequence[Sheet]) -> tuple[tuple[str, str], ...]:
    """Return the detail that says in which unit the boxes are, where it is not the pixel."""
    units = dict.fromkeys(sheet.unit for sheet in sheets if sheet.unit not in {"", "pixel"})
    return (("unit of boxes", ", ".join(units)),) if units else ()


def _sheet(page: Node, name: str, unit: str, pixels: tuple[float, float] | None) -> Sheet:
    odd = Oddities()
    size = number(page.get("WIDTH")), number(page.get("HEIGHT"))
    across, down = _factors(size, pixels) if unit not in {"", "pixel"} else (1.0, 1.0)
    spaced = next(page.iter("{*}SP"), None) is not None
    rows = rows_of(page, Layout(across, down, spaced), odd)
    label = page.get("PRINTED_IMG_NR", "").strip() or page.get("PHYSICAL_IMG_NR", "").strip() or name
    blocks = [block for row in rows if (block := _block(row)) is not None]
    language = commonest(
        [language_code(one.get("LANG") or one.get("language") or one.get(_LANG) or "") for one in blocks]
    )
    return Sheet(
        Page(label, _regions(rows)),
        _parts(page, rows),
        language,
        "pixel" if across != 1 else unit,
        tuple(_notes(odd, unit, spaced, rows)),
    )


def _factors(size: tuple[float | None, float | None], pixels: tuple[float, float] | None) -> tuple[float, float]:
    """Return the factors to pixels, across and down; 1 where sizes are unknown or not those of the same page."""
    width, height = size
    if pixels is None or not width or not height or width < 0 or height < 0:
        return 1.0, 1.0
    across, down = pixels[0] / width, pixels[1] / height
    return (across, down) if abs(across - down) < across / 50 else (1.0, 1.0)


def _block(row: Row) -> Node:
    return next(row.parent.iterancestors("{*}TextBlock"), row.parent if local(row.parent) == "TextBlock" else None)


def _regions(rows: Sequence[Row]) -> tuple[Region, ...]:
    """Return the lines by block; lines outside any block are a region by themselves."""
    return tuple(
        Region(holder.get("ID", ""), tuple(row.line for row in together), holder.get("TYPE", ""))
        for holder, together in groupby(rows, key=lambda row: row.parent if _block(row) is None else _block(row))
    )


def _parts(page: Node, rows: Sequence[Row]) -> dict[str, range]:
    """Return the lines of every id: of words, lines, and whatever holds lines, up to but without the page."""
    parts: dict[str, range] = {}
    for at, row in enumerate(rows):
        holders = [row.parent, *row.parent.iterancestors()]
        inside = holders[: holders.index(page)] if page in holders else []
        for element in (*row.words, *inside):
            name = element.get("ID")
            if name:
                parts[name] = range(parts[name].start if name in parts else at, at + 1)
    return parts


def _notes(odd: Oddities, unit: str, spaced: bool, rows: Sequence[Row]) -> Iterator[str]:
    if not unit:
        yield "the file states no unit of measurement; boxes are kept as it has them"
    if not spaced and any(len(row.words) > 1 for row in rows):
        yield "the file marks no spaces; its words are set apart by one"
    if odd.boxes:
        yield f"{odd.boxes} lines have an impossible box; that round their words is taken"
    if odd.confidences:
        yield f"{odd.confidences} word confidences are not between 0 and 1 and were left out"
    if odd.dashes:
        yield f"words that the file joins over a dash are left apart: {', '.join(odd.dashes[:5])}"
    if odd.alone:
        yield f"broken words of which the page names only one part: {', '.join(odd.alone[:5])}"
