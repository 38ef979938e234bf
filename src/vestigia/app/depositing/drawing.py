"""The flow of sources as a drawing (SVG) and a table (CSV): the same numbers, nothing fetched, everything escaped."""

import csv
import io
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from vestigia.app.depositing.flow import Flow, Part, Step, table

_LEFT, _RIGHT, _WIDE, _GAP, _LINE, _PAD = 20, 500, 420, 26, 18, 10
_SIGNS = 60
"""So many fit on a line; the table has what is longer."""
_STYLE = (
    "text{font:13px sans-serif;fill:#1c1b19}.box{fill:#fdfcf9;stroke:#1c1b19}.out{fill:#f1eee6;stroke:#6a6459}"
    ".way{stroke:#1c1b19;fill:none}.head{font-weight:bold}"
)
COLUMNS = ("run", "kind", "step", "part", "number", "of")


def as_csv(found: Iterable[Flow]) -> bytes:
    """The flow as a table; a cell that a spreadsheet would take for a formula is text."""
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\r\n")
    rows.writerow(COLUMNS)
    rows.writerows(tuple(_cell(one) for one in row) for row in table(found))
    return ("\ufeff" + written.getvalue()).encode("utf-8", "surrogatepass")


def _cell(value: str | int) -> str | int:
    return f"'{value}" if isinstance(value, str) and value[:1] in tuple("=+-@\t\r") else value


def as_svg(found: Sequence[Flow]) -> bytes:
    """The flow as a drawing: what goes on down the left side, what does not on the right."""
    drawn: list[str] = []
    top = _PAD
    for one in found:
        top = _flow(one, top, drawn)
    width = _RIGHT + _WIDE + _LEFT
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top}" width="{width}" height="{top}" '
        'role="img" aria-label="What became of the sources, step by step">'
    )
    marker = (
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0 0L8 4L0 8z" fill="#1c1b19"/></marker></defs>'
    )
    lines = [head, f"<style>{_STYLE}</style>", marker, *drawn, "</svg>", ""]
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _flow(one: Flow, top: int, drawn: list[str]) -> int:
    """Draw one run below `top`; returns where the next begins."""
    drawn.append(_text(_LEFT, top + _LINE, f"{one.kind.capitalize()} {one.run}", "head"))
    top += _LINE + _GAP
    for place, step in enumerate(one.steps):
        after = one.steps[place + 1] if place + 1 < len(one.steps) else None
        on = [part for part in step.parts if part.goes_on and after and _is_same(part, after)]
        aside = [f"{part.what}: {part.number}" for part in step.parts if part not in on]
        inside = [f"{step.what}: {step.number}", f"({step.of})"]
        drawn += _box(_LEFT, top, inside, "box")
        if aside:
            drawn += _box(_RIGHT, top, aside, "out")
            drawn.append(_way(f"M{_LEFT + _WIDE} {top + _LINE}H{_RIGHT}"))
        below = top + max(_height(inside), _height(aside)) + _GAP
        if on:
            drawn.append(_way(f"M{_LEFT + _WIDE // 2} {top + _height(inside)}V{below}"))
        top = below
    return top


def _is_same(part: Part, after: Step) -> bool:
    return part.what == after.what or any(part.number == one.number for one in after.parts if one.goes_on)


def _box(left: int, top: int, lines: Sequence[str], kind: str) -> Iterator[str]:
    yield f'<rect class="{kind}" x="{left}" y="{top}" width="{_WIDE}" height="{_height(lines)}" rx="3"/>'
    for number, line in enumerate(lines, 1):
        yield _text(left + _PAD, top + number * _LINE + 2, line)


def _height(lines: Sequence[str]) -> int:
    return len(lines) * _LINE + _PAD


def _way(path: str) -> str:
    return f'<path class="way" marker-end="url(#tip)" d="{path}"/>'


def _text(left: int, top: int, text: str, kind: str = "") -> str:
    said = escape(textwrap.shorten(_legible(text), _SIGNS, placeholder=" …"))
    return f'<text x="{left}" y="{top}"{f" class={chr(34)}{kind}{chr(34)}" if kind else ""}>{said}</text>'


def _legible(text: str) -> str:
    """Without what XML cannot hold."""
    return "".join(sign for sign in text if sign.isprintable() or sign.isspace())
