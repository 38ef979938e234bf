"""Broken HTML as OCR programs write it, taken apart without losing text: tags, and what stands between them.

Lenient HTML parsers take recognised noise for mark-up: `!'<!--,,,>` for a comment to the end of the file, `<?«»` for an
instruction, `<xmp>` for raw text, `<span/>` for a span left open. Here only what can be a tag of such a file is one;
every other `<` is a character of the text and is counted, so that the report can tell.
"""

import html
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.entities import html5

_KNOWN = re.compile(
    "a|abbr|acronym|address|area|article|aside|b|base|bdi|bdo|big|blockquote|body|br|caption|center|cite|code|col|"
    "colgroup|dd|del|dfn|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|head|header|hr|html|i|img|ins|kbd|li|link|"
    "main|map|meta|nav|ol|p|pre|q|s|samp|script|section|small|span|strike|strong|style|sub|sup|table|tbody|td|tfoot|"
    "th|thead|time|title|tr|tt|u|ul|var"
)
_EMPTY = frozenset({"area", "base", "br", "col", "hr", "img", "link", "meta"})
# Quoted values hold no `<`: a lost quotation mark would else swallow the words up to the next one.
_TAG = re.compile(r"""<(/?)(?:[A-Za-z]+:)?([A-Za-z][A-Za-z0-9]*)(?=[\s/>])((?:[^<>"']|"[^"<]*"|'[^'<]*')*+|[^<>]*)>""")
_ATTRIBUTE = re.compile(r"""([A-Za-z_:][\w:.-]*)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")
_RAW = {name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in ("script", "style", "title")}
_PROLOG = re.compile(r"<\?xml[^<>]*>|<!DOCTYPE[^<>\[]*>", re.IGNORECASE)
_REFERENCE = re.compile(r"&(?:(#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)?")
_NO_MARKUP = "signs < that are no mark-up, kept as characters"
_NO_REFERENCE = "signs & that begin no character reference, kept as characters"


@dataclass(frozen=True, slots=True)
class Tag:
    """A start (`closing` false) or end tag. `empty` is true for what holds nothing, written `<br>` or `<span/>`."""

    name: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    closing: bool = False
    empty: bool = False


def pieces(source: str, found: Counter[str]) -> Iterator[Tag | str]:
    """Yield the tags of an HTML file and the text between them, character references written out.

    What had to be repaired is counted in `found`, under words for the report. Time grows with the file's length only.
    """
    scanner = _Scanner(source, found)
    text: list[str] = []
    at = 0
    while (start := source.find("<", at)) >= 0:
        text.append(_written_out(source[at:start], found))
        piece, at = scanner.piece(start)
        if isinstance(piece, str):
            text.append(piece)
            continue
        yield "".join(text)
        text.clear()
        yield piece
    yield "".join(text) + _written_out(source[at:], found)


class _Scanner:
    """Says what begins at a `<`. It remembers what it found further on, so that nothing is searched for twice."""

    def __init__(self, source: str, found: Counter[str]) -> None:
        self._source, self._found = source, found
        self._ahead: dict[str, tuple[int, int]] = {}
        self._last = (source.rfind("<"), source.rfind(">"))
        body = re.search("<body", source, re.IGNORECASE)
        self._body = body.start() if body else 0

    def piece(self, start: int) -> tuple[Tag | str, int]:
        """Return (tag or text, where it ends) of what begins with the `<` at `start`."""
        tag = _TAG.match(self._source, start)
        if tag is not None:
            return self._tag(tag)
        prolog = _PROLOG.match(self._source, start)
        if prolog is not None:
            return "", prolog.end()
        for opening, closing in (("<!--", "-->"), ("<![CDATA[", "]]>")):
            first = start + len(opening)
            end, after = self._next(closing, re.compile(re.escape(closing)), first)
            if end >= 0 and self._source.startswith(opening, start) and not self._swallows(first, end):
                if opening != "<!--":
                    return self._source[first:end], after
                if start > self._body:
                    self._found["comments left out"] += 1
                return "", after
        if start == self._last[0] > self._last[1] and re.match("</?[A-Za-z]|</?$", self._source[start : start + 3]):
            self._found["tags cut off at the end of the file"] += 1
            return "", len(self._source)
        return self._character(start)

    def _tag(self, tag: re.Match[str]) -> tuple[Tag | str, int]:
        name, attributes = tag[2].casefold(), _attributes(tag[3])
        if name in _RAW and not tag[1] and not tag[3].endswith("/"):
            _, end = self._next(name, _RAW[name], tag.end())
            return ("", end) if end >= 0 else self._character(tag.start())
        if _KNOWN.fullmatch(name) or "class" in attributes:
            return Tag(name, attributes, bool(tag[1]), name in _EMPTY or tag[3].endswith("/")), tag.end()
        return self._character(tag.start())

    def _character(self, start: int) -> tuple[str, int]:
        self._found[_NO_MARKUP] += 1
        return "<", start + 1

    def _next(self, key: str, pattern: re.Pattern[str], at: int) -> tuple[int, int]:
        """Return (start, end) of the first match from `at` on; (-1, -1) for none."""
        known = self._ahead.get(key, (0, 0))
        if 0 <= known[0] < at:
            match = pattern.search(self._source, at)
            known = self._ahead[key] = match.span() if match else (-1, -1)
        return known

    def _swallows(self, at: int, end: int) -> bool:
        """Whether a comment would hold the end of the element it stands in: then it is none."""
        first, _ = self._next("tag", _TAG, at)
        return 0 <= first < end and self._source.startswith("</", first)


def _attributes(written: str) -> dict[str, str]:
    return {
        name.casefold(): _written_out(value[1:-1] if value[0] in "\"'" else value, Counter())
        for name, value in _ATTRIBUTE.findall(written)
    }


def _written_out(text: str, found: Counter[str]) -> str:
    """Return text with the references that HTML knows as characters; others are kept as they are and counted."""

    def character(match: re.Match[str]) -> str:
        name = match[1]
        if name and (name.startswith("#") or f"{name};" in html5):
            return html.unescape(match.group())
        found[_NO_REFERENCE] += 1
        return match.group()

    return _REFERENCE.sub(character, text) if "&" in text else text
