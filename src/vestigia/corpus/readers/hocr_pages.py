"""Tags and text of hOCR, in their order, made into pages of regions of lines."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from vestigia.corpus.languages import language_code
from vestigia.corpus.readers.markup import Tag
from vestigia.corpus.readers.pages import Line, Page, Region
from vestigia.domain.archive import Box
from vestigia.domain.ports import Refused

_RANKS = ("page", "area", "paragraph", "line", "word")
_LEVELS = {
    "ocr_page": "page",
    "ocr_carea": "area",
    "ocrx_block": "area",
    "ocr_block": "area",
    "ocr_par": "paragraph",
    "ocr_line": "line",
    "ocrx_line": "line",
    "ocrx_word": "word",
    "ocr_word": "word",
}
_OF_CHARACTERS = {"ocrx_cinfo", "ocr_cinfo", "ocr_glyph", "ocr_glyphs", "ocr_dropcap"}
_PLAIN_KINDS = {"carea", "block", "par"}
_BOX = re.compile(r"(?<!\w)bbox" + r"\s+(-?\d{1,9})(?:\.\d*)?" * 4)
_NUMBER = r"\s+(\d{1,3}(?:\.\d{1,30})?)(?![\d.])"
_CONFIDENCE = re.compile(rf"(?<!\w)x_wconf{_NUMBER}|(?<!\w)x_conf{_NUMBER}")
_IMAGE = re.compile(r"""(?<!\w)(?:image|x_source)\s+(?:"([^"]*)"|'([^']*)'|([^;]+))""")
_LABELS = (re.compile(r"(?<!\w)lpageno\s+([^;]+)"), re.compile(r"(?<!\w)ppageno\s+(\d{1,9})"))
_LANGUAGE = re.compile(r"(?<!\w)ocrp_lang\s+([A-Za-z-]+)")
_SHOWN = 60


@dataclass(slots=True)
class _Open:
    """An element that is open."""

    tag: Tag
    level: str


@dataclass(slots=True)
class _Draft:
    """A line in the making. `boxes` and `sure` are those of its words; `mark` is where the open word begins."""

    box: Box | None
    confidence: float | None
    parts: list[str] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    sure: list[float] = field(default_factory=list)
    mark: int = 0

    def line(self) -> Line:
        """Return the line as it is now."""
        text = " ".join("".join(self.parts).split())
        sure = sum(self.sure) / len(self.sure) if self.sure else self.confidence
        return Line(text, self.box or _around(self.boxes), sure)


@dataclass(slots=True)
class _Sheet:
    """A page in the making: `keys` tell the element each of its regions comes from."""

    label: str
    image: str
    keys: list[_Open | None] = field(default_factory=list)
    lines: list[list[Line]] = field(default_factory=list)


class Drafts:
    """Takes the pieces of an hOCR file one by one. `found` counts what was odd, under words for the report."""

    def __init__(self) -> None:
        self.found: Counter[str] = Counter()
        self._open: list[_Open] = []
        self._sheets: list[_Sheet] = []
        self._loose: _Sheet | None = None
        self._line: _Draft | None = None
        self._outside: list[str] = []
        self._languages: dict[str, Counter[str]] = {"paragraph": Counter(), "page": Counter()}
        self.is_hocr = False

    @property
    def language(self) -> str:
        """The language most paragraphs state, else most pages; a program's own `<html lang="en">` says nothing."""
        stated = self._languages["paragraph"] or self._languages["page"]
        return stated.most_common(1)[0][0] if stated else ""

    def take(self, piece: Tag | str) -> None:
        """Take a tag or the text before it."""
        if isinstance(piece, str):
            self._take_text(piece)
        elif piece.closing:
            self._close_by_name(piece.name)
        elif piece.name == "br":
            self._take_break()
        else:
            self._start(piece)

    def finish(self) -> tuple[Page, ...]:
        """Return the pages, after the last piece."""
        left = sum(one.level not in {"", "paragraph"} for one in self._open)
        if left:
            self.found["elements still open where the file ends"] += left
        self._close_to(0)
        self._end_line()
        return tuple(
            Page(
                self._label(number),
                tuple(
                    Region(_name(key), tuple(lines), _kind(key))
                    for key, lines in zip(sheet.keys, sheet.lines, strict=True)
                ),
                sheet.image,
            )
            for number, sheet in enumerate(self._sheets, 1)
        )

    def notes(self) -> Iterator[Refused]:
        """Yield what the report must tell, after `finish`."""
        for words, count in self.found.items():
            yield Refused("", f"{words}: {count}", kept=True)
        empty = [self._label(number) for number, sheet in enumerate(self._sheets, 1) if not sheet.lines]
        if empty:
            told = f"pages without text: {len(empty)} of {len(self._sheets)} ({', '.join(empty[:10])})"
            yield Refused("", told, kept=True, pages_without_text=len(empty))
        outside = " ".join("".join(self._outside).split())
        if outside:
            told = f"text outside the pages was left out: {outside[:_SHOWN]!r} ({len(outside)} characters)"
            yield Refused("", told, kept=True)

    def _label(self, number: int) -> str:
        """Return how a page is cited. Where a program counts its pages from 0, people count them from 1."""
        sheet = self._sheets[number - 1]
        if not any(one.label == "0" for one in self._sheets):
            return sheet.label or str(number)
        if len(self._sheets) == 1:
            return _stem(sheet.image) or "1"
        return str(int(sheet.label) + 1) if sheet.label.isdecimal() else sheet.label or str(number)

    def _start(self, tag: Tag) -> None:
        level = _level(tag)
        if level == "area" and not self._within("page"):
            level = ""  # a document or chapter that holds pages
        if tag.name == "p":
            self._close_by_name("p", missing=False)
        if level:
            self._make_room(level)
            self.is_hocr = True
        self._open.append(_Open(tag, level))
        title = _title(tag)
        if level == "page":
            self._sheets.append(_Sheet(_label(title), _image(title)))
        elif level == "line":
            self._line = _Draft(_box(title), _confidence(title))
        elif level == "word":
            line = self._current_line()
            line.parts.append(" ")
            line.mark = len(line.parts)
        if level in self._languages:
            self._note_language(level, tag)
        if tag.empty:
            self._close_to(len(self._open) - 1)

    def _make_room(self, level: str) -> None:
        """Close what cannot hold an element of this level: lines end where the next line begins."""
        rank = _RANKS.index(level)
        for number, one in enumerate(self._open):
            if one.level and _RANKS.index(one.level) >= rank + (level == "area"):
                if one.level != "paragraph":
                    self.found["elements that were not closed"] += 1
                self._close_to(number)
                return
        if level != "word":
            self._end_line()

    def _close_by_name(self, name: str, missing: bool = True) -> None:
        for number in range(len(self._open) - 1, -1, -1):
            if self._open[number].tag.name == name:
                self._close_to(number)
                return
        if missing and name not in {"html", "body", "head", "br"}:
            self.found["end tags without a beginning"] += 1

    def _close_to(self, number: int) -> None:
        while len(self._open) > number:
            one = self._open.pop()
            if one.level == "word":
                self._end_word(_title(one.tag))
            elif one.level:
                self._end_line(one)

    def _end_word(self, title: str) -> None:
        line = self._current_line()
        box, confidence = _box(title), _confidence(title)
        if "".join(line.parts[line.mark :]).strip():
            line.boxes += [box] if box else []
            line.sure += [confidence] if confidence is not None else []
        else:
            self.found["words without text"] += 1
        line.parts.append(" ")

    def _end_line(self, closed: _Open | None = None) -> None:
        """Put the line in hand into its region; `closed` is the element that ends with it."""
        line, self._line = self._line.line() if self._line else None, None
        if line is None or not line.text:
            return
        holders = [*self._open, *([closed] if closed else [])]
        key = next((one for one in reversed(holders) if one.level in {"area", "paragraph"}), None)
        sheet = self._sheet(any(one.level == "page" for one in holders))
        if not sheet.keys or sheet.keys[-1] is not key:
            sheet.keys.append(key)
            sheet.lines.append([])
        sheet.lines[-1].append(line)

    def _sheet(self, inside: bool) -> _Sheet:
        """Return the page that is open, or one for what stands in none."""
        if not inside:
            self.found["lines outside a page, put on a page of their own"] += 1
            if self._loose is None or self._sheets[-1] is not self._loose:
                self._loose = _Sheet("", "")
                self._sheets.append(self._loose)
        return self._sheets[-1]

    def _take_text(self, text: str) -> None:
        if self._line is None and not text.strip():
            return
        if self._line is not None or any(one.level for one in self._open):
            self._current_line().parts.append(text)
        else:
            self._outside.append(text)

    def _take_break(self) -> None:
        if self._within("line"):
            self._current_line().parts.append(" ")
        else:
            self._end_line()

    def _within(self, level: str) -> bool:
        return any(one.level == level for one in self._open)

    def _current_line(self) -> _Draft:
        """Return the line in hand, or begin one where the file has words but no lines."""
        if self._line is None:
            self._line = _Draft(None, None)
        return self._line

    def _note_language(self, level: str, tag: Tag) -> None:
        found = _LANGUAGE.search(_title(tag))
        written = tag.attributes.get("lang") or tag.attributes.get("xml:lang") or (found[1] if found else "")
        if written and written.casefold() not in {"unknown", "und"}:
            self._languages[level][language_code(written)] += 1


def _level(tag: Tag) -> str:
    for name in tag.attributes.get("class", "").split():
        if name in _LEVELS:
            return _LEVELS[name]
        if name.startswith(("ocr_", "ocrx_")) and name not in _OF_CHARACTERS:
            # Tesseract writes headings and captions as lines, others as blocks.
            return "line" if tag.name == "span" else "area"
    return ""


def _title(tag: Tag) -> str:
    return tag.attributes.get("title", "")


def _name(key: _Open | None) -> str:
    return key.tag.attributes.get("id", "") if key else ""


def _kind(key: _Open | None) -> str:
    classes = key.tag.attributes.get("class", "").split() if key else []
    kinds = [re.sub(r"^ocrx?_", "", name) for name in classes]
    return next((kind for kind in kinds if kind not in _PLAIN_KINDS), "")


def _label(title: str) -> str:
    """Return the number printed on the page, else that of the image, else the image's name; empty for none."""
    for pattern in _LABELS:
        found = pattern.search(title)
        if found and found[1].strip(" \"'"):
            return found[1].strip(" \"'")
    return _stem(_image(title))


def _stem(image: str) -> str:
    return PurePosixPath(image.replace("\\", "/")).stem


def _image(title: str) -> str:
    found = _IMAGE.search(title)
    return next((part for part in found.groups() if part), "").strip() if found else ""


def _box(title: str) -> Box | None:
    found = _BOX.search(title)
    if found is None:
        return None
    left, top, right, bottom = (int(part) for part in found.groups())
    return (left, top, right - left, bottom - top) if right >= left and bottom >= top else None


def _around(boxes: list[Box]) -> Box | None:
    if not boxes:
        return None
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    return (left, top, max(box[0] + box[2] for box in boxes) - left, max(box[1] + box[3] for box in boxes) - top)


def _confidence(title: str) -> float | None:
    """Return how sure a word is, 0 to 1, of x_wconf or x_conf (0 to 100); none where neither is in range."""
    found = _CONFIDENCE.search(title)
    value = float(found[1] or found[2]) / 100 if found else 2.0
    return value if value <= 1 else None
