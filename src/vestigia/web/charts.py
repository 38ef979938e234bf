"""Charts: a Vega-Lite dictionary becomes SVG here, without a network; colours are those of the style sheet.

A chart never stands alone: the macro `chart` puts its table beneath it.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

import vl_convert
from markupsafe import Markup

Spec = Mapping[str, object]
COLOURS = tuple(f"var(--chart-{number})" for number in range(1, 9))
_CONFIG = {
    "background": None,
    "font": "sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelColor": "currentColor",
        "titleColor": "currentColor",
        "titleFontWeight": "normal",
        "gridColor": "var(--rule)",
        "domainColor": "var(--rule)",
        "tickColor": "var(--rule)",
        "labelFontSize": 12,
        "titleFontSize": 12,
    },
    "legend": {
        "labelColor": "currentColor",
        "titleColor": "currentColor",
        "labelFontSize": 12,
        "orient": "top",
        "columnPadding": 32,
        "labelLimit": 200,
    },
    "range": {"category": list(COLOURS)},
    "bar": {"color": COLOURS[0]},
    "point": {"color": COLOURS[0]},
    "rule": {"color": "currentColor"},
}
_STYLE = re.compile(r'\sstyle="[^"]*"')


def markup(spec: Spec | Markup) -> Markup:
    """The SVG of a specification, to be put into a page, drawn once; what is drawn already stays as it is."""
    if isinstance(spec, Markup):
        return spec
    return Markup(_drawn(json.dumps(spec, sort_keys=True, ensure_ascii=False)))  # noqa: S704  vega escapes all texts


@lru_cache(maxsize=256)
def _drawn(spec: str) -> str:
    whole = {"config": _CONFIG, **json.loads(spec)}
    # No address is allowed, so that no specification can fetch anything.
    svg = vl_convert.vegalite_to_svg(whole, vl_version="6.4", allowed_base_urls=[])
    return _STYLE.sub("", svg)  # the policy of our pages forbids styles in place


def warm() -> None:
    """Draw once: the first drawing starts the engine, which takes more than a second."""
    markup(bars(["1"], {"": [1]}, "", ""))


def bars(windows: Sequence[str], counts: Mapping[str, Sequence[int]], x: str, y: str, *, height: int = 180) -> Spec:
    """Bars over windows of time, one part of each bar for each series; `x` and `y` name the axes."""
    values = [
        {"window": window, "series": name, "n": numbers[place]}
        for name, numbers in counts.items()
        for place, window in enumerate(windows)
    ]
    many = len(windows) > _LABELS
    labels = {"labelAngle": -45 if len(windows) > 8 else 0, "labelOverlap": many}
    spec = {
        "width": 720,
        "height": height,
        "data": {"values": values},
        "mark": {"type": "bar"},
        "encoding": {
            "x": {"field": "window", "type": "ordinal", "sort": list(windows), "title": x or None, "axis": labels,
                  "scale": {"paddingInner": 0.12, "paddingOuter": 0}},
            "y": {"field": "n", "type": "quantitative", "title": y or None, "axis": {"tickMinStep": 1, "format": "d"}},
        },
    }  # fmt: skip
    if len(counts) > 1:
        order = {"field": "series", "type": "nominal", "sort": list(counts), "title": None}
        spec["encoding"]["color"] = order  # type: ignore[index]
    return spec


_LABELS = 16
