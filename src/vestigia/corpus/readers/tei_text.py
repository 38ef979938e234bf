"""The running text of a TEI body as the source has it: notes and deletions out, words broken over lines whole again.

Pretty printing is not text: white space collapses. Control characters, which XML cannot hold, stand for breaks
until the text is whole.
"""

import re
from collections.abc import Iterator

from vestigia.corpus.readers.xml import Node, local

_LINE, _JOIN, _BLOCK, _VERSE, _PAGE = "\x1e", "\x1d", "\x1f", "\x1c", "\x1a"
_LEFT_OUT = {
    "note",
    "del",
    "surplus",
    "fw",
    "figDesc",
    "teiHeader",
    "back",
    "facsimile",
    "gap",
    "metamark",
    "anchor",
    "certainty",
    "index",
    "interp",
    "listApp",
}
_BLOCKS = {
    "p",
    "div",
    "div1",
    "div2",
    "div3",
    "div4",
    "head",
    "opener",
    "closer",
    "salute",
    "dateline",
    "address",
    "postscript",
    "lg",
    "ab",
    "list",
    "table",
    "front",
    "body",
    "floatingText",
    "argument",
    "epigraph",
    "trailer",
    "sp",
    "stage",
    "titlePage",
    "docTitle",
    "byline",
    "group",
    "text",
}
_ROWS = {"l", "item", "row", "addrLine", "signed", "titlePart"}
_CHOICES = {"choice", "subst", "app"}
_BREAKS = {"lb", "pb", "cb", "gb", "milestone"}
_CHARACTERS = {
    "langess": "s",
    "longs": "s",
    "gemination-m": "mm",
    "gemination-n": "nn",
    "kaufmannsund": "&",
    "dots": "…",
    "rotunda": "r",
}
_JOINED = re.compile(rf"[-‐‑¬\u00ad⸗]?[ {_LINE}]*{_JOIN}[ {_LINE}{_JOIN}]*")
_INSIDE_WORD = re.compile(rf"(?<=[^\W\d_]){_PAGE}+(?=[a-zß-öø-ÿœ])")
_HYPHENATED = re.compile(rf"(?<=[^\W\d_])[-‐¬\u00ad⸗] *{_LINE}[ {_LINE}]*(?=[a-zß-öø-ÿœ])|\u00ad")


def reading_text(text: Node) -> str:
    """Return the running text of a TEI `text` element: paragraphs apart by a blank line, verses by a line end."""
    joined = re.sub(r" +", " ", "".join(_parts(text)))
    # A page that turns between two letters, no white space around it, turns inside a word.
    joined = _INSIDE_WORD.sub("", joined).replace(_PAGE, _LINE)
    joined = _HYPHENATED.sub("", _JOINED.sub("", joined))
    for sign, written in ((_BLOCK, "\n\n"), (_VERSE, "\n"), (_LINE, " ")):
        lesser = {_BLOCK: f" {_LINE}{_VERSE}{_BLOCK}", _VERSE: f" {_LINE}{_VERSE}", _LINE: f" {_LINE}"}[sign]
        joined = re.sub(rf"[{lesser}]*{sign}[{lesser}]*", written, joined)
    return joined.strip()


def shown_elements(text: Node) -> Iterator[Node]:
    """Yield the elements inside that are part of the running text, in their order."""
    for child in text:
        if _is_kept(child, text):
            yield child
            yield from shown_elements(child)


def _parts(element: Node) -> Iterator[str]:
    name = local(element)
    edge = _BLOCK if name in _BLOCKS else _VERSE if name in _ROWS else " " if name in {"cell", "label"} else ""
    yield edge
    yield _own(element, name)
    for child in element:
        if _is_kept(child, element):
            yield from _parts(child)
        yield _between(child.tail, name)
    yield edge


def _own(element: Node, name: str) -> str:
    """Return what stands in the element before its first child; breaks and special characters as themselves."""
    if name in _BREAKS:
        return _JOIN if element.get("break") == "no" else _PAGE if name == "pb" else _LINE
    if name == "space":
        return _LINE if element.get("dim") == "vertical" else " "
    if name in {"c", "g"} and not (element.text or "").strip():
        sign = (element.get("rendition") or element.get("ref") or "").lstrip("#").casefold()
        return _CHARACTERS.get(sign, "")
    return _between(element.text, name)


def _is_kept(child: Node, parent: Node) -> bool:
    """Whether a child is part of the text as the source has it: of a choice, what is written, not what was meant."""
    name = local(child)
    if local(parent) == "app":
        return name == "lem" or (name == "rdg" and child.getprevious() is None)
    if local(parent) == "choice":
        written = next((part for part in parent if local(part) in {"orig", "sic", "abbr", "unclear", "seg"}), parent[0])
        return child is written
    return bool(name) and name not in _LEFT_OUT


def _between(text: str | None, container: str) -> str:
    """Collapse white space; between the alternatives of a choice it is only the layout of the file."""
    collapsed = re.sub(r"\s+", " ", text or "")
    return "" if container in _CHOICES and collapsed == " " else collapsed
