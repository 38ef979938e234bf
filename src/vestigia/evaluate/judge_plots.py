"""Drawings of judges as SVG text: a heat map of their agreement."""

from collections.abc import Mapping, Sequence
from html import escape

_CELL, _HIGH, _LABEL, _WIDTH = 84, 34, 200, 720
_LONGEST = 28
STYLE = "svg .cell { fill: var(--c0); } svg .none { fill: none; stroke: var(--line); }\n"


def heat(names: Sequence[str], values: Mapping[tuple[str, str], float | None], title: str) -> str:
    """Draw a square for each pair of names, the fuller the nearer its value is to 1; what has no value is empty.

    Columns are numbered like the rows. Negative values are drawn as 0 and written as they are.
    """
    body = []
    for row, name in enumerate(names):
        y = 24 + row * _HIGH
        short = name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
        body.append(
            f'<text x="{_LABEL}" y="{y + _HIGH / 2 + 4}" text-anchor="end">{escape(f"{row + 1}. {short}")}'
            f"<title>{escape(name)}</title></text>"
        )
        body.append(f'<text class="tick" x="{_x(row) + _CELL / 2}" y="16" text-anchor="middle">{row + 1}</text>')
        body += [_square(values.get((name, other)), (_x(at), y), f"{name}, {other}") for at, other in enumerate(names)]
    wide, high = max(_WIDTH, _x(len(names)) + 8), 24 + len(names) * _HIGH + 8
    return (
        f'<svg viewBox="0 0 {wide} {high}" role="img" aria-label="{escape(title, quote=True)}">'
        f"<title>{escape(title)}</title>{''.join(body)}</svg>"
    )


def _x(column: int) -> int:
    return _LABEL + 12 + column * _CELL


def _square(value: float | None, place: tuple[int, int], pair: str) -> str:
    x, y = place
    box = f'x="{x + 1}" y="{y + 1}" width="{_CELL - 2}" height="{_HIGH - 2}"'
    if value is None:
        return f'<rect class="none" {box}/>'
    written = f"{value:.2f}"
    what = f"<title>{escape(f'{pair}: {written}')}</title>"
    return (
        f'<rect class="cell" {box} fill-opacity="{max(0.0, min(1.0, value)) * 0.6:.2f}">{what}</rect>'
        f'<text x="{x + _CELL / 2}" y="{y + _HIGH / 2 + 4}" text-anchor="middle">{written}</text>'
    )
