"""hOCR, the HTML of text recognition (Tesseract, ABBYY, Kraken, libraries' exports): a file with its pages.

The classes say what an element is, whatever its tag; an element left open ends where the next of its kind begins.
Words are kept apart even where the file glues them together, and text outside words is text too.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from vestigia.corpus.encodings import GUESSED, decode
from vestigia.corpus.readers.hocr_pages import Drafts
from vestigia.corpus.readers.markup import pieces
from vestigia.corpus.readers.page_dates import date_in_path
from vestigia.corpus.readers.pages import compose
from vestigia.corpus.readers.xml import root_name
from vestigia.corpus.sources import folder, named_id, read_whole, stem
from vestigia.domain.archive import Document, Provenance
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ids import digest
from vestigia.domain.ports import Refused, Source

_ENDINGS = {".hocr", ".html", ".htm", ".xhtml"}
_DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?([A-Za-z0-9_.:-]{1,40})""")
_ONE_BYTE = re.compile(r"iso8859-\d+|cp\d+|mac-\w+|koi8-\w+|gb\w+|big5|shift_jis|euc_\w+")


@dataclass(frozen=True, slots=True)
class HocrReader:
    """Reads hOCR; one file is one document, of one page or more. HTML without hOCR is refused."""

    @property
    def name(self) -> str:
        """`hocr`."""
        return "hocr"

    def sniff(self, name: str, head: bytes) -> bool:
        """Whether the content is HTML, or the name ends as that of HTML does and the content is mark-up."""
        marked_up = head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
        root = root_name(head).casefold()
        return root == "html" or (marked_up and PurePosixPath(name).suffix.casefold() in _ENDINGS)

    def read(self, source: Source) -> Iterator[Document | Refused]:
        """Read the document. Raises SourceRefusedError for HTML that is not hOCR and for hOCR without text."""
        text, note = _decoded(source)
        drafts = Drafts()
        for piece in pieces(text, drafts.found):
            drafts.take(piece)
        pages = drafts.finish()
        composed = compose(pages)
        if not drafts.is_hocr:
            raise SourceRefusedError(
                "this is HTML but not hOCR: no element has a class such as ocr_page.",
                where=source.name,
                remedy="Save the text of a web page as .txt and add that.",
            )
        if not composed.text:
            raise SourceRefusedError(
                f"the hOCR has no text: it has {len(pages)} page(s) and no words.",
                where=source.name,
                remedy="Recognise the text again, or leave the file out.",
                pages_without_text=len(pages),
            )
        date = date_in_path(source.name)
        provenance = Provenance(source.name, "", digest(read_whole(source)), self.name)
        yield Document(
            named_id(source.name, 2),
            folder(source.name),
            stem(source.name),
            composed.text,
            drafts.language,
            provenance,
            (date,) if date else (),
            anchors=composed.anchors,
        )
        if note:
            yield Refused("", note, kept=True)
        yield from drafts.notes()


def _decoded(source: Source) -> tuple[str, str]:
    """Return (text, note for the report): UTF-8 if it is, else as the file says, else what is beyond doubt."""
    content = read_whole(source)
    declared = _DECLARED.search(content[:4096])
    named = declared[1].decode("ascii") if declared else "utf-8"
    try:
        return content.decode("utf-8-sig"), ""
    except UnicodeDecodeError:
        pass
    try:
        if _ONE_BYTE.fullmatch(codecs.lookup(named).name):
            return content.decode(named), ""
    except (LookupError, UnicodeDecodeError):
        pass
    try:
        text, encoding = decode(source)
    except SourceRefusedError:
        text = content.decode("utf-8-sig", "replace")
        bad = text.count("\ufffd") - content.count("\ufffd".encode())
        if bad > 1 + len(content) // 1000:
            raise
        return text, f"bytes that are not UTF-8, shown as \ufffd: {bad}"
    return text, f"the file is not UTF-8; it was read as {encoding}" if encoding in GUESSED else ""
