"""Drawings of experiments as SVG text: shares over time as lines, the archive's own as bars; points with two scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from vestigia.evaluate.plots import COLOURS

_WIDTH, _HEIGHT = 720, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 710, 12, 210
_TICKS = 4
_STEPS = (0.05, 0.1, 0.15, 0.2, 0.25)
"""Shares between two lines of the grid."""
_NAMED = 24
"""At most so many windows are named under the axis."""
_LETTER = 6.5
"""How wide a letter of a window's name is, about."""
_APART = 9.0
"""Between two points of a window."""
STYLE = (
    "svg .own { fill: var(--line); } svg .line { fill: none; stroke-width: 2; }\n"
    "svg .point { fill: var(--c0); fill-opacity: .6; }\n"
) + "".join(f".s{n} {{ stroke: var(--c{n}); }}\n" for n in range(COLOURS))

Series = tuple[str, Sequence[float]]
"""A name and a share, from 0 to 1, for each window."""


def shares(windows: Sequence[str], own: Series, series: Sequence[Series], title: str) -> str:
    """Draw shares by window, a line for each series over bars of the archive's own; a legend below.

    The points of a window stand a little beside each other in the order of the series, so that equal shares are all
    seen.
    """
    highest = max((share for _, of in (own, *series) for share in of), default=0.0)
    most = _TICKS * next(step for step in _STEPS if _TICKS * step >= highest)
    body = [_levels(most)]
    wide = (_RIGHT - _LEFT) / max(len(windows), 1)
    for at, share in enumerate(own[1]):
        top = _y(share, most)
        what = f"<title>{escape(f'{own[0]}, {windows[at]}: {share:.1%}')}</title>"
        body.append(
            f'<rect class="own" x="{_LEFT + at * wide + 1:.1f}" y="{top}" width="{max(wide - 2, 1):.1f}" '
            f'height="{_BOTTOM - top:.1f}">{what}</rect>'
        )
    apart = min(_APART, wide / (len(series) + 1))
    for number, (name, of) in enumerate(series):
        beside = (number - (len(series) - 1) / 2) * apart
        points = [(round(_LEFT + (at + 0.5) * wide + beside, 1), _y(share, most)) for at, share in enumerate(of)]
        path = " ".join(f"{x},{y}" for x, y in points)
        body.append(f'<polyline class="line s{number % COLOURS}" points="{path}"/>')
        for at, (x, y) in enumerate(points):
            what = f"<title>{escape(f'{name}, {windows[at]}: {of[at]:.1%}')}</title>"
            body.append(f'<circle class="c{number % COLOURS}" cx="{x}" cy="{y}" r="3.5">{what}</circle>')
    body += _names(windows, wide)
    return _svg(body, title, _BOTTOM + 24) + _legend(own[0], [name for name, _ in series])


@dataclass(frozen=True, slots=True)
class Rising:
    """The upright axis: what it is, and from where to where it goes if not as far as the points do."""

    name: str
    scale: tuple[int, int] | None = None


def scatter(
    points: Sequence[tuple[str, float, float]], across: str, up: Rising, title: str, links: Sequence[str] = ()
) -> str:
    """Draw named points; `across` and `up` say what the axes are. Equal points darken each other.

    `links` say where each point leads, if anywhere.
    """
    low, high = (min((x for _, x, _ in points), default=0.0), max((x for _, x, _ in points), default=1.0))
    bottom, top = up.scale or (min((y for _, _, y in points), default=0.0), max((y for _, _, y in points), default=1.0))
    body = []
    for tick in range(_TICKS + 1):
        y = round(_BOTTOM - (_BOTTOM - _TOP) * tick / _TICKS, 1)
        x = round(_LEFT + (_RIGHT - _LEFT) * tick / _TICKS, 1)
        body.append(f'<line class="grid" x1="{_LEFT}" x2="{_RIGHT}" y1="{y}" y2="{y}"/>')
        body.append(_tick(_LEFT - 6, y + 4, f"{bottom + (top - bottom) * tick / _TICKS:.1f}", "end"))
        body.append(_tick(x, _BOTTOM + 16, f"{low + (high - low) * tick / _TICKS:.2f}", "middle"))
    for at, (name, x, y) in enumerate(points):
        across_at = round(_LEFT + (x - low) / ((high - low) or 1) * (_RIGHT - _LEFT), 1)
        up_at = round(_BOTTOM - (y - bottom) / ((top - bottom) or 1) * (_BOTTOM - _TOP), 1)
        what = f"<title>{escape(f'{name}: {x:.3f}, {y:g}')}</title>"
        point = f'<circle class="point" cx="{across_at}" cy="{up_at}" r="4">{what}</circle>'
        body.append(f'<a href="{escape(links[at], quote=True)}">{point}</a>' if links else point)
    body.append(_tick((_LEFT + _RIGHT) / 2, _BOTTOM + 36, across, "middle"))
    body.append(_tick(_LEFT + 4, _TOP + 2, up.name, "start"))
    return _svg(body, title)


def _levels(most: float) -> str:
    lines = []
    for tick in range(_TICKS + 1):
        share = most * tick / _TICKS
        y = _y(share, most)
        lines.append(f'<line class="grid" x1="{_LEFT}" x2="{_RIGHT}" y1="{y}" y2="{y}"/>')
        lines.append(_tick(_LEFT - 6, y + 4, f"{share:.0%}", "end"))
    return "".join(lines)


def _names(windows: Sequence[str], wide: float) -> list[str]:
    """Name the windows, not more of them than can be read; where the names are too long, by the year each begins."""
    step = -(-len(windows) // _NAMED) or 1
    whole = all(len(name) * _LETTER <= wide * step for name in windows)
    named = []
    for at in range(0, len(windows), step):
        first, _, last = windows[at].partition("–")
        middle = 0.5 if whole or not last else 0.0
        named.append(
            _tick(round(_LEFT + (at + middle) * wide, 1), _BOTTOM + 16, windows[at] if whole else first, "middle")
        )
    return named


def _y(share: float, most: float) -> float:
    return round(_BOTTOM - share / most * (_BOTTOM - _TOP), 1)


def _tick(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text class="tick" x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(body: Sequence[str], title: str, height: int = _HEIGHT) -> str:
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(title, quote=True)}">'
        f"<title>{escape(title)}</title>{''.join(body)}</svg>"
    )


def _legend(own: str, names: Sequence[str]) -> str:
    marks = [("own", own), *((f"c{number % COLOURS}", name) for number, name in enumerate(names))]
    keys = "".join(
        f'<li><svg viewBox="0 0 12 12" aria-hidden="true"><circle class="{mark}" cx="6" cy="6" r="5"/></svg>'
        f"{escape(name)}</li>"
        for mark, name in marks
    )
    return f'<ul class="legend">{keys}</ul>'
