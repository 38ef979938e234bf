"""The date histogram of a search, drawn as it is asked: plain SVG of a few hundred marks.

It is new with every search, so that no cache helps, and for one drawing the engine of the other charts takes more time
than the search (docs/decisions/0014). It looks like theirs: the same width, axes and colours, `path.background` is the
plot for `brush.js`, and the table stands behind it.
"""

import math
from collections.abc import Iterator, Sequence

from markupsafe import Markup

WIDTH = 720
_LEFT, _RIGHT, _ABOVE = 36, 12, 8
_UPRIGHT, _APART, _GAP = 8, 16, 0.12
"""Windows whose labels stand upright; pixels a slanted label needs; the part of a bar's place that stays empty."""
_LETTER = 6.2
"""Pixels of a letter, about."""


def histogram(windows: Sequence[str], numbers: Sequence[int], height: int = 110) -> Markup:
    """Draw a bar for each window, the highest about so many pixels high; `numbers` are whole and not below 0."""
    slanted = len(windows) > _UPRIGHT
    longest = max(map(len, windows), default=0) * _LETTER
    below = 16 + (longest * 0.71 if slanted else 6)
    head = (
        Markup(
            '<svg xmlns="http://www.w3.org/2000/svg" class="marks" width="{0}" height="{1}" viewBox="0 0 {0} {1}">'
        ).format(_LEFT + WIDTH + _RIGHT, round(_ABOVE + height + below)),
        Markup('<g transform="translate({},{})" font-size="12" fill="currentColor">').format(_LEFT, _ABOVE),
        Markup('<path class="background" fill="none" d="M0,0h{0}v{1}h-{0}Z"/>').format(WIDTH, height),
    )
    step = _step(max(numbers, default=0))
    top = max(step, -(-max(numbers, default=0) // step) * step)
    axis = _axis(range(0, top + 1, step), top, height)
    parts = (*head, *axis, _bars(numbers, top, height), *_names(windows, height, slanted=slanted))
    return Markup("").join((*parts, Markup("</g></svg>")))


def _axis(ticks: range, top: int, height: int) -> Iterator[Markup]:
    for tick in ticks:
        at = height - height * tick / top
        yield Markup('<path stroke="var(--rule)" d="M0,{:.1f}h{}"/>').format(at, WIDTH)
        yield Markup('<text text-anchor="end" x="-6" y="{:.1f}">{}</text>').format(at + 4, tick)


def _bars(numbers: Sequence[int], top: int, height: int) -> Markup:
    place = WIDTH / max(1, len(numbers))
    drawn = "".join(
        f"M{(at + _GAP / 2) * place:.1f},{height}v-{height * number / top:.1f}h{place * (1 - _GAP):.1f}V{height}Z"
        for at, number in enumerate(numbers)
        if number
    )
    return Markup('<path class="bars" fill="var(--chart-1)" d="{}"/>').format(drawn)


def _names(windows: Sequence[str], height: int, *, slanted: bool) -> Iterator[Markup]:
    """The names of the windows, as many as there is room for."""
    place = WIDTH / max(1, len(windows))
    every = math.ceil(_APART / place) if slanted else 1
    for at in range(0, len(windows), every):
        middle = (at + 0.5) * place
        if slanted:
            yield Markup('<text text-anchor="end" transform="translate({:.1f},{}) rotate(-45)">{}</text>').format(
                middle + 4, height + 12, windows[at]
            )
        else:
            yield Markup('<text text-anchor="middle" x="{:.1f}" y="{}">{}</text>').format(
                middle, height + 18, windows[at]
            )


def _step(most: int) -> int:
    """The step of an axis of whole numbers with three or four ticks: 1, 2 or 5, or ten times as much, and so on."""
    tens = 1
    while most > 15 * tens:
        tens *= 10
    return next(tens * factor for factor in (1, 2, 5) if most <= 3 * tens * factor)
