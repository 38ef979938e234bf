"""The words of a Word file, footnotes and endnotes after the text: enough to find what somebody quoted in it.

Deleted text of tracked changes is left out, inserted text is in.
"""

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from vestigia.corpus.readers.xml import Node, local, open_xml
from vestigia.corpus.sources import MEGABYTE
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ports import Source

_PARTS = ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml")
_LARGEST_PART = 64 * MEGABYTE
_SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "softHyphen": "\u00ad"}


@dataclass(frozen=True, slots=True)
class _Part:
    """One file inside a Word file, unpacked."""

    name: str
    content: bytes

    def open(self) -> BinaryIO:
        return io.BytesIO(self.content)

    def sibling(self, path: str) -> None:  # noqa: ARG002 - a part reaches nothing
        return None


def read_docx(source: Source) -> str:
    """Return the paragraphs of a Word file, a blank line between two.

    Raises SourceRefusedError for what is no Word file, is encrypted or broken, or unpacks to more than 64 MB a part.
    """
    try:
        with source.open() as stream, zipfile.ZipFile(stream) as packed:
            parts = [_unpacked(packed, name, source) for name in _PARTS if name in packed.namelist()]
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, ValueError) as error:
        raise SourceRefusedError(
            f"the file cannot be unpacked as a Word file ({error}).",
            where=source.name,
            remedy="Save it as .docx again, without a password, or as Markdown.",
        ) from error
    if not parts:
        raise SourceRefusedError(
            "there is no Word text in the file.", where=source.name, remedy="Save it as .docx from a word processor."
        )
    found = [text for part in parts for text in _paragraphs(open_xml(part)) if text.strip()]
    return "\n\n".join(found)


def _unpacked(packed: zipfile.ZipFile, name: str, source: Source) -> _Part:
    with packed.open(name) as stream:
        content = stream.read(_LARGEST_PART + 1)
    if len(content) > _LARGEST_PART:
        raise SourceRefusedError(
            f"its part {name} unpacks to more than {_LARGEST_PART // MEGABYTE} MB.",
            where=source.name,
            remedy="Split the file.",
        )
    return _Part(f"{source.name}, {name}", content)


def _paragraphs(root: Node) -> Iterator[str]:
    for paragraph in root.iter("{*}p"):
        yield "".join(_words(paragraph))


def _words(paragraph: Node) -> Iterator[str]:
    for element in paragraph.iter():
        if local(element) == "t":
            yield element.text or ""
        else:
            yield _SIGNS.get(local(element), "")
