"""What a server counts of itself, in the text format of Prometheus: numbers and templates of routes, never an address.

The format is a dozen lines (https://prometheus.io/docs/instrumenting/exposition_formats); the tests read it back with
the library that Prometheus has for it.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from threading import Lock
from time import monotonic

from vestigia.app.live import Live

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds; what took longer counts in the last class, `+Inf`."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER = "other"
"""In the place of a method or a route there is none of: what strangers send makes no row of its own."""


class Meters:
    """Counts since the process began. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._began = monotonic()
        self._lock = Lock()
        self._answers: dict[tuple[str, str, int], int] = {}
        self._waits: dict[str, list[int]] = {}
        self._seconds: dict[str, float] = {}

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answer that began so many seconds after its request; `route` is a template or empty."""
        method, route = method if method in METHODS else OTHER, route or OTHER
        with self._lock:
            self._answers[method, route, status] = self._answers.get((method, route, status), 0) + 1
            classes = self._waits.setdefault(route, [0] * (len(BOUNDS) + 1))
            classes[bisect_left(BOUNDS, seconds)] += 1
            self._seconds[route] = self._seconds.get(route, 0.0) + seconds

    def text(self, live: Live) -> str:
        """All numbers, with those of the runs in hand."""
        with self._lock:
            answers, waits, seconds = dict(self._answers), {k: list(v) for k, v in self._waits.items()}, self._seconds
            lines = [*_counted(answers), *_waited(waits, seconds)]
        running, waiting = live.in_hand()
        lines += _single("vestigia_runs_running", "Runs being carried out.", running)
        lines += _single("vestigia_runs_queued", "Runs that wait for their turn.", waiting)
        lines += _single("vestigia_up_seconds", "Seconds since the server began.", round(monotonic() - self._began, 3))
        return "\n".join(lines) + "\n"


def _counted(answers: Mapping[tuple[str, str, int], int]) -> Iterator[str]:
    yield from _head("vestigia_requests_total", "Requests answered.", "counter")
    for (method, route, status), number in sorted(answers.items()):
        yield f'vestigia_requests_total{{method="{method}",route="{_safe(route)}",status="{status}"}} {number}'


def _waited(waits: Mapping[str, list[int]], seconds: Mapping[str, float]) -> Iterator[str]:
    name = "vestigia_request_seconds"
    yield from _head(name, "Seconds until the answer began.", "histogram")
    for route, classes in sorted(waits.items()):
        label, total = f'route="{_safe(route)}"', 0
        for bound, number in zip((*map(str, BOUNDS), "+Inf"), classes, strict=True):
            total += number
            yield f'{name}_bucket{{{label},le="{bound}"}} {total}'
        yield f"{name}_sum{{{label}}} {seconds[route]:.6f}"
        yield f"{name}_count{{{label}}} {total}"


def _single(name: str, help_: str, value: float) -> list[str]:
    return [*_head(name, help_, "gauge"), f"{name} {value}"]


def _head(name: str, help_: str, kind: str) -> tuple[str, str]:
    return f"# HELP {name} {help_}", f"# TYPE {name} {kind}"


def _safe(label: str) -> str:
    return label.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
