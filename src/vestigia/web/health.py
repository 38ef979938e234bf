"""For machines that look after a server: whether it lives, whether it can be used, what it counts; not what is in it.

Health and readiness are for everybody who reaches the server, and so tell no name and no number. The counts are for a
program on the same machine, or one with a token of the scope `metrics`.
"""

import logging
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from time import monotonic

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from vestigia.app.people.roles import Role, Scope
from vestigia.domain.errors import StaleIndexError, VestigiaError
from vestigia.web.holdings import Holding
from vestigia.web.pages import Pages
from vestigia.web.standing import live_of
from vestigia.web.visitor import ANYONE, Need, needs

pages = Pages()
log = logging.getLogger("vestigia.web")
ROOM = 64 * 1024 * 1024
"""Bytes of a disk below which a server is not ready: a ledger must be able to take its next entries."""
AGAIN = 2.0
"""Seconds for which a look holds: whoever asks often makes no work."""


class Readiness:
    """The last look at whether a site can be used."""

    def __init__(self) -> None:
        self._lock, self._until, self._found = Lock(), 0.0, tuple[str, ...]()

    def problems(self, request: Request) -> tuple[str, ...]:
        """What keeps the site from being used, in words without a name; the log has the details."""
        with self._lock:
            if monotonic() >= self._until:
                self._found = tuple(dict.fromkeys(_problems(request)))
                self._until = monotonic() + AGAIN
            return self._found


@needs(ANYONE)
def health(_request: Request) -> Response:
    """Whether the process answers."""
    return JSONResponse({"status": "ok"})


@needs(ANYONE)
def ready(request: Request) -> Response:
    """Whether archives can be searched and work be written down: 200, else 503 and why."""
    if live_of(request).leaving:
        return JSONResponse({"status": "not ready", "why": ["the server ends"]}, 503)
    why = request.app.state.readiness.problems(request)
    return JSONResponse({"status": "not ready", "why": list(why)}, 503) if why else JSONResponse({"status": "ready"})


@needs(Need(Role.ADMIN, scope=Scope.METRICS, here=True))
def metrics(request: Request) -> Response:
    """The counts, for Prometheus."""
    counted = request.app.state.meters.text(live_of(request))
    return PlainTextResponse(counted, media_type="text/plain; version=0.0.4; charset=utf-8")


for path, endpoint in (("/health", health), ("/ready", ready), ("/metrics", metrics)):
    pages.add_api_route(path, endpoint, methods=["GET"], include_in_schema=False, response_model=None)


def _problems(request: Request) -> Iterator[str]:
    for held in request.app.state.holdings:
        yield from _of_archive(held)
    people = request.app.state.people
    if people is not None and not _takes(people.folder):
        log.warning("%s takes no more", people.folder)
        yield "the folder of accounts cannot be written"


def _of_archive(held: Holding) -> Iterator[str]:
    try:
        with held.catalogue() as catalogue:
            if catalogue.passage_count:
                held.index(held.workspace, catalogue)
    except StaleIndexError as error:
        log.warning("not ready: %s", error)
        yield "an index is older than its archive"
    except VestigiaError as error:
        log.warning("not ready: %s", error)
        yield "an archive cannot be opened"
    if not _takes(held.folders[0]):
        log.warning("%s takes no more", held.folders[0])
        yield "an archive cannot be written"


def _takes(folder: Path) -> bool:
    """Whether a folder may be written and its disk has room."""
    try:
        return os.access(folder, os.W_OK | os.X_OK) and shutil.disk_usage(folder).free >= ROOM
    except OSError:
        return False
