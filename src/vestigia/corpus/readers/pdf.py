"""PDF: the text layer, page by page; a scan without one is refused, because it needs text recognition first.

PDFium reads it (`pypdfium2`, an extra of this package). It is not safe in several threads, so one lock goes round it.
The metadata of a PDF tell of the file, not of the source: its date of creation is that of the scan and never counts.
"""

import importlib
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from vestigia.corpus.readers.pages import Line, Page, Region, compose
from vestigia.corpus.readers.plain import first_lines, stated_dates, title_of
from vestigia.corpus.sources import folder, named_id, read_whole, stem
from vestigia.domain.archive import Box, Document, Provenance
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ids import digest
from vestigia.domain.ports import Refused, Source

Pdfium: TypeAlias = Any
"""The module, or an object of it: it is loaded only when a PDF is read, and may be absent."""

_LOCK = threading.Lock()
_MOST_PAGES = 20_000
_SHOWN = 10
_PASSWORD, _SECURITY = 4, 5
_DETAILS = (("Title", "title in the PDF"), ("Author", "author in the PDF"), ("CreationDate", "PDF made"))
# PDFium writes U+FFFE for a hyphen at a line end and goes on with the next line.
_LINE = re.compile(r"([^\r\n\ufffe]*)(\ufffe|\r\n|\r|\n|$)")
_UNREADABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffd\ue000-\uf8ff]")


@dataclass(slots=True)
class _Read:
    """What PDFium gave: pages, and the labels of those without text and of those it could not open."""

    pages: list[Page] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    metadata: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PdfReader:
    """Reads `.pdf`; one file is one document."""

    @property
    def name(self) -> str:
        """`pdf`."""
        return "pdf"

    def sniff(self, name: str, head: bytes) -> bool:  # noqa: ARG002 - the port hands it
        """Whether the content begins as a PDF does, if need be after some other bytes; the name may end in anything."""
        return b"%PDF-" in head[:1024] and not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"<", b"{", b"["))

    def read(self, source: Source) -> Iterator[Document | Refused]:
        """Read the one document.

        Raises SourceRefusedError when it has no text, is encrypted or broken, or `pypdfium2` is not installed.
        """
        content = read_whole(source)
        read = _open(content, source.name)
        composed = compose(read.pages)
        count = len(read.pages) + len(read.broken)
        if not composed.text:
            raise SourceRefusedError(
                f"none of its {count} pages has a text layer: they are pictures.",
                where=source.name,
                remedy="Run text recognition (OCR) over it and add the result.",
                pages_without_text=len(read.silent),
            )
        heading = first_lines(next(text for page in read.pages if (text := _words(page)).strip()))
        dates, problem = stated_dates(stem(source.name), heading)
        details = tuple((name, read.metadata[key]) for key, name in _DETAILS if read.metadata.get(key))
        yield Document(
            named_id(source.name, 2),
            folder(source.name),
            title_of(heading) or stem(source.name),
            composed.text,
            "",
            Provenance(source.name, "", digest(content), self.name),
            dates,
            details,
            composed.anchors,
        )
        for some, what in ((read.silent, "have no text layer"), (read.broken, "cannot be read")):
            if some:
                told = f"{len(some)} of {count} pages {what}: {_few(some)}"
                yield Refused(f"page {some[0]}", told, kept=True, pages_without_text=len(some))
        if problem:
            yield Refused("file name", problem, kept=True)
        unreadable = len(_UNREADABLE.findall(composed.text))
        if unreadable > 1 + len(composed.text) // 100:
            yield Refused(
                "",
                f"{unreadable} characters of the text layer stand for no letter; its fonts lack a table. "
                "Run text recognition (OCR) over it instead",
                kept=True,
            )


def _open(content: bytes, name: str) -> _Read:
    try:
        pdfium: Pdfium = importlib.import_module("pypdfium2")
    except ImportError as error:
        raise SourceRefusedError(
            "PDF files need the package pypdfium2, which is not installed.",
            where=name,
            remedy="Install it with `pip install 'vestigia[pdf]'` and add the file again.",
        ) from error
    with _LOCK:
        try:
            document = pdfium.PdfDocument(content)
        except pdfium.PdfiumError as error:
            if getattr(error, "err_code", 0) in {_PASSWORD, _SECURITY}:
                raise SourceRefusedError(
                    "the PDF is encrypted and asks for a password.",
                    where=name,
                    remedy="Save it without a password and add it again.",
                ) from error
            raise SourceRefusedError(
                f"the PDF is broken or cut short ({error}).", where=name, remedy="Take the original file again."
            ) from error
        try:
            return _read_pages(pdfium, document, name)
        finally:
            document.close()


def _read_pages(pdfium: Pdfium, document: Pdfium, name: str) -> _Read:
    count = len(document)
    if count > _MOST_PAGES:
        raise SourceRefusedError(
            f"the PDF says it has {count} pages, too many to be one document.",
            where=name,
            remedy=f"Split it into parts of at most {_MOST_PAGES} pages.",
        )
    read = _Read(metadata=document.get_metadata_dict(skip_empty=True))
    for number in range(count):
        label = document.get_page_label(number).strip() or str(number + 1)
        try:
            lines = _lines(document[number])
        except pdfium.PdfiumError:
            read.broken.append(label)
            continue
        read.pages.append(Page(label, (Region("", lines),)))
        if not any(line.text.strip() for line in lines):
            read.silent.append(label)
    return read


def _lines(page: Pdfium) -> tuple[Line, ...]:
    """Return the lines of a page in the order of the file, with boxes in points from the upper left corner.

    A page turned by its settings keeps the boxes of the unturned page. PDFium counts boxes by character: where it
    gives other characters than it counts, the lines go without.
    """
    textpage = page.get_textpage()
    try:
        text: str = textpage.get_text_range()
        exact = len(text) == textpage.count_chars()
        left, _, _, top = page.get_bbox()
        found = []
        for match in _LINE.finditer(text):
            words = match.group(1) + ("-" if match.group(2) == "\ufffe" else "")
            if words.strip():
                box = _box(textpage, match.span(1), (left, top)) if exact else None
                found.append(Line(words, box))
        return tuple(found)
    finally:
        textpage.close()
        page.close()


def _box(textpage: Pdfium, span: tuple[int, int], corner: tuple[float, float]) -> Box | None:
    """Return the box round the characters of a span."""
    count = textpage.count_rects(span[0], span[1] - span[0])
    if not count:
        return None
    boxes = [textpage.get_rect(at) for at in range(count)]
    left, right = min(one[0] for one in boxes) - corner[0], max(one[2] for one in boxes) - corner[0]
    top, bottom = corner[1] - max(one[3] for one in boxes), corner[1] - min(one[1] for one in boxes)
    return round(left), round(top), round(right - left), round(bottom - top)


def _words(page: Page) -> str:
    return "\n".join(line.text for region in page.regions for line in region.lines)


def _few(labels: list[str]) -> str:
    return ", ".join(labels[:_SHOWN]) + (f" and {len(labels) - _SHOWN} more" if len(labels) > _SHOWN else "")
