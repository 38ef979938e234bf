"""The words of a Word file, footnotes and endnotes after the text: enough to find what somebody quoted in it.

Of tracked changes the text counts as if they were accepted: what was deleted, or moved away, is out. A text box is read
once, a paragraph of its own; a paragraph in a style for quotations begins with `>`, as in Markdown.
"""

import io
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from vestigia.corpus.readers.xml import Node, local, open_xml
from vestigia.corpus.sources import MEGABYTE, read_whole
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ports import Source

_PARTS = ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml")
_STYLES = "word/styles.xml"
_QUOTING = {"quote", "intense quote", "block text", "block quotation", "quotations", "zitat", "citation"}
"""Styles for quotations, as Word, LibreOffice and pandoc name them in the file, whatever the language of the menu."""
_APART = {"p", "del", "moveFrom", "Fallback"}
"""What is no part of the paragraph it stands in: other paragraphs, text that is gone, a second copy of a text box."""
_GONE = _APART - {"p"}
_LARGEST_PART = 64 * MEGABYTE
# What zipfile and zlib raise for bytes that are not what they say.
_DAMAGE = (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError, ValueError, OSError)
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
    content = io.BytesIO(read_whole(source))
    try:
        with zipfile.ZipFile(content) as packed:
            there = set(packed.namelist())
            parts = [_unpacked(packed, name, source) for name in _PARTS if name in there]
            styles = [_unpacked(packed, _STYLES, source)] if _STYLES in there else []
    except _DAMAGE as error:
        raise SourceRefusedError(
            f"the file cannot be unpacked as a Word file ({error}).",
            where=source.name,
            remedy="Save it as .docx again, without a password, or as Markdown.",
        ) from error
    if not parts:
        raise SourceRefusedError(
            "there is no Word text in the file.", where=source.name, remedy="Save it as .docx from a word processor."
        )
    quoting = {name for part in styles for name in _quoting(open_xml(part))}
    found = [text for part in parts for text in _paragraphs(open_xml(part), quoting) if text.strip()]
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


def _quoting(styles: Node) -> Iterator[str]:
    """Yield the ids of the styles that set a quotation off; the id is in the language of who made the file."""
    for style in styles.iter("{*}style"):
        name = style.find("{*}name")
        if name is not None and _value(name).casefold() in _QUOTING:
            yield _value(style, "styleId")


def _paragraphs(root: Node, quoting: set[str]) -> Iterator[str]:
    for paragraph in root.iter("{*}p"):
        if any(local(outer) in _GONE for outer in paragraph.iterancestors()):
            continue
        text = "".join(_words(paragraph))
        style = paragraph.find("{*}pPr/{*}pStyle")
        if style is not None and _value(style) in quoting and text.strip():
            text = "\n".join(f"> {line}" for line in text.splitlines())
        yield text


def _words(node: Node) -> Iterator[str]:
    for element in node:
        name = local(element)
        if name == "t":
            yield element.text or ""
        elif name in _SIGNS:
            yield _SIGNS[name]
        elif name not in _APART:
            yield from _words(element)


def _value(element: Node, name: str = "val") -> str:
    """An attribute of an element, whatever namespace the file gives it."""
    return next((str(value) for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")
