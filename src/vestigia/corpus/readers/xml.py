"""The one way XML is opened here: no entity resolved, nothing fetched, no DTD loaded, no huge tree."""

import re
from typing import Any, TypeAlias

from lxml import etree

from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ports import Source

Node: TypeAlias = Any
"""An element of lxml, which has no type annotations; None where an optional element is absent."""


def open_xml(source: Source) -> Node:
    """Return the root element (lxml) without comments and processing instructions.

    Raises SourceRefusedError for XML that is broken, too deep, too large in one value, or that defines entities.
    """
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        with source.open() as stream:
            tree = etree.parse(stream, parser)
    except etree.XMLSyntaxError as error:
        raise SourceRefusedError(
            f"the file is not well-formed XML: {error.msg}.",
            where=f"{source.name}, line {error.lineno}",
            remedy="Repair it, or take the original file again.",
        ) from error
    subset = tree.docinfo.internalDTD
    if subset is not None and any(True for _ in subset.iterentities()):
        raise SourceRefusedError(
            "the file defines entities in a DTD; they are not resolved, because they can reach other files.",
            where=source.name,
            remedy="Write the characters out and add it again.",
        )
    return tree.getroot()


def local(element: Node) -> str:
    """Return the name of an element without its namespace; empty for what is not an element."""
    tag = element.tag  # asked a million times: no QName is made for it
    return tag[tag.rfind("}") + 1 :] if isinstance(tag, str) else ""


def inner_text(element: Node) -> str:
    """Return all text inside an element, white space collapsed; empty for none."""
    return "" if element is None else " ".join("".join(element.itertext()).split())


def root_name(head: bytes) -> str:
    """Return the name of the first element, without prefix, of what may be XML; empty when it does not begin so.

    Comments, instructions and a document type may stand before it.
    """
    at = 0 if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") else -1
    while at >= 0 and (at := head.find(b"<", at)) >= 0:
        if head.startswith(b"<!--", at):
            at = head.find(b"-->", at)
        elif head[at + 1 : at + 2] in {b"?", b"!"}:
            at += 1
        else:
            name = re.match(rb"[^\s/>]*", head[at + 1 : at + 80])
            return name.group().split(b":")[-1].decode("utf-8", "replace") if name else ""
    return ""
