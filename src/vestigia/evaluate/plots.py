"""Plots as inline SVG, drawn here: no library, no script, colours by the page's style sheet (light and dark).

Every plot stands beside the table of its numbers; names are escaped, they come from files.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from vestigia.evaluate.statistics import Estimate

_WIDTH, _LABEL, _ROW = 720, 200, 26
_LEFT, _RIGHT = _LABEL + 8, _WIDTH - 60
COLOURS = 8
"""How many colours the style sheet names: `c0` to `c7`."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A mean with its interval on a line of its own."""

    label: str
    estimate: Estimate
    reference: bool = False


@dataclass(frozen=True, slots=True)
class Bar:
    """Parts that add up: each a name and a length of at least 0."""

    label: str
    parts: tuple[tuple[str, float], ...]


def intervals(dots: Sequence[Dot], title: str) -> str:
    """Draw means from 0 to 1 with their intervals, a line for the reference."""
    body = [_grid(len(dots), [n / 10 for n in range(0, 11, 2)], 1.0)]
    for number, dot in enumerate(dots):
        y = _middle(number)
        low, high = dot.estimate.low, dot.estimate.high
        if dot.reference:
            x = _x(dot.estimate.mean, 1.0)
            body.append(f'<line class="reference" x1="{x}" x2="{x}" y1="0" y2="{len(dots) * _ROW}"/>')
        body.append(_label(dot.label, y))
        if low is not None and high is not None:
            body.append(f'<line class="interval" x1="{_x(low, 1.0)}" x2="{_x(high, 1.0)}" y1="{y}" y2="{y}"/>')
        body.append(f'<circle class="mean" cx="{_x(dot.estimate.mean, 1.0)}" cy="{y}" r="5"/>')
        body.append(_value(f"{dot.estimate.mean:.3f}", y))
    return _svg(body, len(dots), title)


def groups(rows: Sequence[tuple[str, Sequence[tuple[str, float]]]], title: str) -> str:
    """Draw a row for each group with a dot from 0 to 1 for each named value, a colour a name; a legend below.

    The dots of a row stand a little below each other in the order of the names, so that equal values are all seen.
    """
    names = list(dict.fromkeys(name for _, values in rows for name, _ in values))
    body = [_grid(len(rows), [n / 10 for n in range(0, 11, 2)], 1.0)]
    for number, (label, values) in enumerate(rows):
        y = _middle(number)
        body.append(_label(label, y))
        for name, value in values:
            place = names.index(name)
            height = round(y + (place - (len(names) - 1) / 2) * (_ROW - 8) / max(len(names), 1), 1)
            what = f"<title>{escape(name)}: {value:.3f}</title>"
            body.append(f'<circle class="c{place % COLOURS}" cx="{_x(value, 1.0)}" cy="{height}" r="4">{what}</circle>')
    return _svg(body, len(rows), title) + _legend(names)


def bars(rows: Sequence[Bar], title: str, unit: str = "") -> str:
    """Draw bars of parts laid end to end, the longest over the whole width; a legend where there are several parts."""
    names = list(dict.fromkeys(name for bar in rows for name, _ in bar.parts))
    most = max((sum(length for _, length in bar.parts) for bar in rows), default=0.0) or 1.0
    body = [_grid(len(rows), [most * n / 4 for n in range(5)], most)]
    for number, bar in enumerate(rows):
        y = _middle(number)
        body.append(_label(bar.label, y))
        total = 0.0
        for name, length in bar.parts:
            x, wide = _x(total, most), round(length / most * (_RIGHT - _LEFT), 1)
            what = f"<title>{escape(name)}: {length:g} {escape(unit)}</title>"
            colour = names.index(name) % COLOURS
            body.append(f'<rect class="c{colour}" x="{x}" y="{y - 8}" width="{wide}" height="16">{what}</rect>')
            total += length
        body.append(_value(f"{total:.0f}", y))
    return _svg(body, len(rows), title) + (_legend(names) if len(names) > 1 else "")


def _x(value: float, most: float) -> float:
    return round(_LEFT + value / most * (_RIGHT - _LEFT), 1)


def _middle(number: int) -> float:
    return number * _ROW + _ROW / 2


def _grid(rows: int, ticks: Sequence[float], most: float) -> str:
    height = rows * _ROW
    lines = []
    for tick in ticks:
        x, written = _x(tick, most), f"{tick:.1f}" if most <= 1 else f"{tick:.0f}"
        lines.append(f'<line class="grid" x1="{x}" x2="{x}" y1="0" y2="{height}"/>')
        lines.append(f'<text class="tick" x="{x}" y="{height + 16}" text-anchor="middle">{written}</text>')
    return "".join(lines)


def _label(text: str, y: float) -> str:
    short = text if len(text) <= 28 else f"{text[:27]}…"
    return f'<text x="{_LABEL}" y="{y + 4}" text-anchor="end">{escape(short)}<title>{escape(text)}</title></text>'


def _value(text: str, y: float) -> str:
    return f'<text class="tick" x="{_RIGHT + 10}" y="{y + 4}">{escape(text)}</text>'


def _svg(body: Sequence[str], rows: int, title: str) -> str:
    height = rows * _ROW + 24
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(title, quote=True)}">'
        f"<title>{escape(title)}</title>{''.join(body)}</svg>"
    )


def _legend(names: Sequence[str]) -> str:
    keys = "".join(
        f'<li><svg viewBox="0 0 12 12" aria-hidden="true"><circle class="c{number % COLOURS}" cx="6" cy="6" r="5"/>'
        f"</svg>{escape(name)}</li>"
        for number, name in enumerate(names)
    )
    return f'<ul class="legend">{keys}</ul>'
