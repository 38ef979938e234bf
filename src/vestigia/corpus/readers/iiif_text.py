"""Text in IIIF: the annotations of a canvas that are its words, as lines of a page in the order they are listed.

Comments, tags and links are annotations too, but not the source's text: they are left out and counted. Where the same
words are given as words, lines and blocks, the lines are taken once.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from vestigia.corpus.languages import language_code
from vestigia.corpus.readers.iiif_json import Json, identifier, kind, listed, objects, plain, read_box
from vestigia.corpus.readers.pages import Line, Region
from vestigia.domain.archive import Box

_TEXTS = {"supplementing", "transcribing", "painting", ""}
_FINENESS = ("line", "paragraph", "block", "page", "", "word", "glyph")
Size = tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Note:
    """One annotation: its text, the canvas it stands on, its place there, what it is and in which language."""

    text: str
    canvas: str
    box: Box | None
    fineness: str
    language: str
    marked: bool = False


@dataclass(slots=True)
class Account:
    """What was met in annotations and is no text here: `others` by motivation, `elsewhere` only linked."""

    others: Counter[str] = field(default_factory=Counter)
    elsewhere: int = 0

    def said(self) -> Iterator[str]:
        """Yield what was left out, in words."""
        for motivation, count in sorted(self.others.items()):
            yield f"annotations of the kind {motivation!r}, not the text of the page and left out: {count}"
        if self.elsewhere:
            yield f"annotations whose text is only linked, and nothing is fetched: {self.elsewhere}"


def notes(annotations: Iterable[Json], account: Account, size: Size = None) -> list[Note]:
    """Return the annotations that are text, in order; `account` takes note of the others."""
    found: list[Note] = []
    for annotation in annotations:
        if not isinstance(annotation, dict):
            continue
        motivations = [
            one.split(":")[-1].split("#")[-1] for one in listed(annotation.get("motivation")) if isinstance(one, str)
        ] or [""]
        bodies = [
            *listed(annotation.get("body")),
            *listed(annotation.get("resource")),
            *listed(annotation.get("bodyValue")),
        ]
        if all(kind(body) in {"Image", "Sound", "Video", "dctypes:Image"} for body in bodies):
            continue
        if not _TEXTS.intersection(motivations):
            account.others[motivations[0]] += 1
            continue
        texts = [(body, text) for body in bodies if (text := _text(body))]
        account.elsewhere += not texts and any(identifier(body) for body in bodies)
        canvas, box = _target(annotation, size)
        for body, text in texts[:1] if len({one for _, one in texts}) == 1 else texts:
            found.append(Note(text, canvas, box, _fineness(annotation, body), _language(body)))
    return found


def to_region(name: str, found: Iterable[Note]) -> Region:
    """Make a region of annotations; of several finenesses the lines, else what is nearest to lines."""
    all_of_them = list(found)
    present = {one.fineness for one in all_of_them}
    best = next((one for one in _FINENESS if one in present), "")
    taken = [one for one in all_of_them if one.fineness == best]
    if best == "word":
        return Region(name, tuple(_rows(taken)))
    return Region(name, tuple(Line(line, one.box) for one in taken for line in one.text.split("\n") if line.strip()))


def _rows(words: list[Note]) -> Iterator[Line]:
    """Yield lines of words: a word goes on with a line when it begins right of the last and at about its height."""
    row: list[Note] = []
    for word in words:
        if row and not _beside(row[-1].box, word.box):
            yield _row(row)
            row = []
        row.append(word)
    if row:
        yield _row(row)


def _beside(last: Box | None, box: Box | None) -> bool:
    if last is None or box is None:
        return last is box
    middle = box[1] + box[3] / 2
    return box[0] >= last[0] and last[1] <= middle <= last[1] + last[3]


def _row(words: list[Note]) -> Line:
    boxes = [one.box for one in words if one.box is not None]
    text = " ".join(" ".join(one.text.split()) for one in words)
    if not boxes:
        return Line(text)
    left, top = min(one[0] for one in boxes), min(one[1] for one in boxes)
    right, bottom = max(one[0] + one[2] for one in boxes), max(one[1] + one[3] for one in boxes)
    return Line(text, (left, top, right - left, bottom - top))


def _text(body: Json) -> str:
    if isinstance(body, str):
        return "" if "://" in body[:12] else body.strip()
    if not isinstance(body, dict):
        return ""
    if kind(body) in {"Choice", "List", "Composite"}:
        return next(
            (text for one in (*listed(body.get("items")), *objects(body, "default")) if (text := _text(one))), ""
        )
    value = next((body[key] for key in ("value", "chars", "cnt:chars") if isinstance(body.get(key), str)), "")
    marked_up = "html" in str(body.get("format", "")) or value.lstrip().startswith("<p")
    return (plain(value) if marked_up else value).strip()


def _language(body: Json) -> str:
    given = listed(body.get("language")) if isinstance(body, dict) else []
    return language_code(next((one for one in given if isinstance(one, str)), ""))


def _fineness(annotation: Json, body: Json) -> str:
    """Return `line`, `word` ... by the text granularity extension or, as Europeana writes it, `dcType`."""
    for one in (annotation, body):
        given = (one.get("textGranularity") or one.get("dcType")) if isinstance(one, dict) else None
        if isinstance(given, str) and given.casefold() in _FINENESS:
            return given.casefold()
    return ""


def _target(annotation: Json, size: Size) -> tuple[str, Box | None]:
    """Return (id of the canvas, box) of what an annotation is on."""
    canvas, box = "", None
    for target in (*listed(annotation.get("target")), *listed(annotation.get("on"))):
        whole = target
        if isinstance(target, dict) and (source := target.get("source", target.get("full"))):
            whole = source
        name, _, fragment = identifier(whole).partition("#")
        canvas = canvas or name
        fragments = [fragment, *(text for selector in objects(target, "selector") for text in _fragments(selector))]
        box = box or next((found for text in fragments if (found := read_box(text, size))), None)
    return canvas, box


def _fragments(selector: Json) -> Iterator[str]:
    for one in (selector, *objects(selector, "default", "item")):
        if isinstance(value := one.get("value"), str):
            yield value
