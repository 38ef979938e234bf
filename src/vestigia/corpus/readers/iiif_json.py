"""The shapes of IIIF Presentation 2 and 3: the same thing said in many ways, read in one.

A label is a string, a list, an object with `@value`, or a map of languages; an id is `id` or `@id`; what is one thing
in one manifest is a list in the next. All functions take what JSON gives and answer emptily for what they do not know.
"""

import html
import json
import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from vestigia.domain.archive import Box

Json: TypeAlias = Any
"""What `json.loads` returns: its shape is what this module finds out."""

# A string that never ends is one token to the end of the bytes, or finding that out again would take for ever.
_TOKEN = re.compile(rb'"((?:[^"\\]|\\.)*+)"?|[{}\[\]:]', re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")
_BREAK = re.compile(r"<(?:br|/p|/div|/li)\b[^<>]*>", re.IGNORECASE)
_XYWH = re.compile(r"xywh=(?:(pixel|percent):)?(-?[\d.]{1,12}),(-?[\d.]{1,12}),([\d.]{1,12}),([\d.]{1,12})")
_DEEPEST = 5


def root_type(head: bytes) -> str:
    """Return the `type` or `@type` of the outermost object of JSON that begins with these bytes; empty for none."""
    depth, key, last = 0, b"", b""
    if not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return ""
    for token in _TOKEN.finditer(head):
        sign = token.group()
        if sign in {b"{", b"["}:
            depth, key = depth + 1, b""
        elif sign in {b"}", b"]"}:
            depth -= 1
        elif sign == b":":
            key = last
        elif depth == 1 and key in {b"type", b"@type"}:
            return token.group(1).decode("utf-8", "replace")
        else:
            key, last = b"", token.group(1)
    return ""


def kind(value: Json) -> str:
    """Return the type of an object without its prefix: `sc:Manifest` is a `Manifest`."""
    given = value.get("type", value.get("@type", "")) if isinstance(value, dict) else ""
    return next((one for one in listed(given) if isinstance(one, str)), "").split(":")[-1]


def identifier(value: Json) -> str:
    """Return the id of an object, or the string that stands for it; empty for none."""
    if isinstance(value, dict):
        value = value.get("id", value.get("@id", ""))
    return value.strip() if isinstance(value, str) else ""


def listed(value: Json) -> list[Json]:
    """Return a list as it is, nothing for None, anything else as a list of one."""
    return value if isinstance(value, list) else [] if value is None else [value]


def objects(value: Json, *keys: str) -> Iterator[dict[str, Json]]:
    """Yield the objects found under these keys of an object, whether single or in lists."""
    for key in keys:
        for one in listed(value.get(key)) if isinstance(value, dict) else ():
            if isinstance(one, dict):
                yield one


def wording(value: Json, language: str = "") -> str:
    """Return a label or value in any shape as text; of several languages the one given, else one without, else all."""
    return "; ".join(dict.fromkeys(one for one in _words(value, language, 0) if one))


def _words(value: Json, language: str, depth: int) -> Iterator[str]:
    if depth > _DEEPEST or value is None:
        return
    if isinstance(value, list):
        marked = [one for one in value if isinstance(one, dict) and one.get("@language") == language]
        for one in marked or value:
            yield from _words(one, language, depth + 1)
    elif isinstance(value, dict):
        if "@value" in value:
            yield from _words(value["@value"], language, depth + 1)
        elif "label" not in value and "id" not in value:
            # Bibliographic words are often `none` and their translation `en`: the plainer statement is the source's.
            chosen = next(
                (value[key] for key in (language, "none", "@none", "") if key in value),
                next(iter(value.values()), None),
            )
            yield from _words(chosen, language, depth + 1)
    elif isinstance(value, str):
        yield " ".join(plain(value).split())
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)


def languages(value: Json) -> list[str]:
    """Return every wording of a value, in whatever language: a language is named in one that is known here."""
    if isinstance(value, dict) and "@value" not in value:
        return [one for part in value.values() for one in _words(part, "", 0)]
    return list(_words(value, "", 0))


def plain(marked_up: str) -> str:
    """Return text without the simple HTML that values may hold; breaks and ends of paragraphs are line ends."""
    if "<" not in marked_up and "&" not in marked_up:
        return marked_up
    return html.unescape(_TAG.sub("", _BREAK.sub("\n", marked_up)))


def read_box(fragment: str, size: tuple[float, float] | None = None) -> Box | None:
    """Return the box of a media fragment `xywh=...`; one in per cent needs the `size` (width, height) of the canvas."""
    match = _XYWH.search(fragment)
    if match is None:
        return None
    try:
        numbers = [float(one) for one in match.groups()[1:]]
    except ValueError:
        return None
    if match.group(1) == "percent":
        if size is None:
            return None
        numbers = [number * size[at % 2] / 100 for at, number in enumerate(numbers)]
    left, top, width, height = (round(number) for number in numbers)
    return left, top, width, height


def canvas_size(canvas: Json) -> tuple[float, float] | None:
    """Return width and height of a canvas in its own units, or none."""
    width, height = canvas.get("width"), canvas.get("height")
    sound = all(
        isinstance(one, int | float) and not isinstance(one, bool) and 0 < one < 10**9 for one in (width, height)
    )
    return (float(width), float(height)) if sound else None


def load(text: str) -> Json:
    """Parse JSON. Raises ValueError for what is no JSON, is nested too deeply, or holds absurdly long numbers."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
