"""The site: its archives, its pages, its guards. A new family of pages is a module here whose name ends in `_pages`."""

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from importlib.resources import files
from pkgutil import iter_modules
from threading import Thread

from anyio import to_thread
from fastapi import Depends, FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.staticfiles import StaticFiles

from vestigia.app import blind
from vestigia.app.import_jobs import Jobs
from vestigia.app.live import AT_ONCE, Live
from vestigia.app.people.door import People
from vestigia.app.people.roles import Role
from vestigia.app.workspace import Workspace
from vestigia.domain.errors import VestigiaError
from vestigia.domain.ids import RunId
from vestigia.web import accounts, api, charts, faults, health
from vestigia.web.archive_pages import coverage_of
from vestigia.web.faults import ForbiddenError, UnknownError
from vestigia.web.holdings import Holdings, met_by
from vestigia.web.meters import Meters
from vestigia.web.once import Once
from vestigia.web.pages import Pages
from vestigia.web.records import Records
from vestigia.web.security import Gate, Limits, check_form, is_from_here
from vestigia.web.templating import SECTIONS
from vestigia.web.visitor import SIGNED_IN, Need, Recognise, check, keep_blind, local_person, needs

log = logging.getLogger("vestigia.web")
THREADS = 16
"""Requests answered at the same time; the others wait their turn. More would only share the same cores and memory."""

FAMILIES: tuple[Pages, ...] = tuple(
    import_module(f"vestigia.web.{module.name}").pages
    for module in iter_modules([str(files("vestigia.web"))])
    if module.name.endswith("_pages")
)
"""The `pages` of each such module. The REST interface goes under `/api/v1`, where errors are problem+json already."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a site is made with: its limits, who asks, how many runs go at once, whether charts are made ready.

    With `people` it has accounts: then they say who asks, and nobody sees what is closed without a right to.
    Of `proxies` it is believed where a request comes from.
    """

    limits: Limits = field(default_factory=Limits)
    visitor: Recognise = local_person
    at_once: int = AT_ONCE
    warm: bool = False
    people: People | None = None
    proxies: tuple[str, ...] = ()


def create_app(archives: Mapping[str, Workspace], options: Options | None = None) -> FastAPI:
    """A site of these archives, by their short names in addresses."""
    options = options or Options()
    app = FastAPI(
        title="Vestigia",
        version="1",
        summary="Find sources, see why each was taken, overrule every step.",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        dependencies=[Depends(admit), Depends(check_form)],
        lifespan=_living,
        exception_handlers={
            VestigiaError: faults.on_error,
            HTTPException: faults.on_http_error,
            RequestValidationError: faults.on_invalid,
        },
    )
    app.state.warm, app.state.live = options.warm, Live(options.at_once)
    app.state.records, app.state.meters, app.state.readiness = Records(), Meters(), health.Readiness()
    app.state.jobs, app.state.once = Jobs(), Once()
    app.state.holdings, app.state.people = Holdings(archives), options.people
    app.add_api_route("/api/v1/openapi.json", _described, include_in_schema=False)
    app.include_router(api.router)
    for family in (*FAMILIES, health.pages, *((accounts.pages,) if options.people else ())):
        app.include_router(family)
    app.mount("/static", StaticFiles(directory=str(files("vestigia.web") / "static")), "static")
    there = {getattr(route, "path", "") for family in FAMILIES for route in family.routes}
    app.state.sections = tuple(one for one in SECTIONS if f"/archives/{{archive}}{one.path}" in there)
    recognise = accounts.recognise(options.people) if options.people else options.visitor
    app.add_middleware(Gate, limits=options.limits, recognise=recognise, people=options.people, again=readmit)
    return app


def slugs(names: list[str]) -> list[str]:
    """A short name for each archive that can stand in an address, all of them different."""
    taken: list[str] = []
    for name in names:
        kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in name.lower()).strip("-") or "archive"
        number = 1
        slug = kept
        while slug in taken:
            number += 1
            slug = f"{kept}-{number}"
        taken.append(slug)
    return taken


def admit(request: Request) -> None:
    """The one place where it is decided whether a request goes on: deny by default.

    It gives a request its archive as the visitor meets it (`request.state.archive`), whether the texts of closed
    documents are to be shown (`request.state.closed`), and the sections there are.
    """
    request.state.sections, request.state.archive, request.state.closed = request.app.state.sections, None, False
    need = getattr(request.scope.get("endpoint"), "need", None)
    if need is None:
        log.error("%s %s says not what it needs: it is refused", request.method, request.scope.get("path"))
        raise ForbiddenError("nobody may do this here.", remedy="Its route must say who may: see decision 14.")
    slug = request.path_params.get("archive")
    if not (need.here and is_from_here(request)):
        check(need, request.state.visitor, slug, request.method)
    if slug is not None:
        request.state.archive, request.state.closed = met_by(request, request.app.state.holdings.get(slug))
        _keep_blind(request, request.state.archive.workspace)
    request.state.admitted = True


def _keep_blind(request: Request, workspace: Workspace) -> None:
    """Refuse a run that says what judges gave to whom it is kept from. Raises ForbiddenError."""
    run, endpoint = request.path_params.get("run"), request.scope.get("endpoint")
    if run is None or getattr(endpoint, "tells_no_score", False):
        return
    try:
        named = workspace.run(run)
    except VestigiaError:  # there is none: the page says so
        return
    keep_blind(blind.kept(workspace, named, request.state.visitor.name))


def readmit(request: Request) -> None:
    """Whether a request would still be admitted, and its run shown. Raises what refuses it."""
    slug = request.path_params.get("archive")
    need = getattr(request.scope.get("endpoint"), "need", None) or Need(Role.ADMIN)
    check(need, request.state.visitor, slug, request.method)
    run = request.path_params.get("run")
    if slug is not None and run is not None:
        held, _ = met_by(request, request.app.state.holdings.get(slug))
        if not held.workspace.shows(RunId(run)):
            raise UnknownError("there is no such run.", remedy="Choose one of the list of runs.")


@needs(SIGNED_IN)
def _described(request: Request) -> JSONResponse:
    return JSONResponse(request.app.openapi())


def _warm(holdings: Holdings) -> None:
    """Make ready what the first visitor would wait for. What cannot be opened says so on its page."""
    for held in holdings:
        with suppress(VestigiaError):
            coverage_of(held)
            with held.catalogue() as catalogue:
                held.index(held.workspace, catalogue).vocabulary.make_ready()
    charts.warm()


@asynccontextmanager
async def _living(app: FastAPI) -> AsyncIterator[None]:
    """From start to end: runs that an earlier server owed go on, and those in hand are left between two steps."""
    to_thread.current_default_thread_limiter().total_tokens = THREADS
    if app.state.warm:
        Thread(target=_warm, args=(app.state.holdings,), daemon=True).start()
    live: Live = app.state.live
    await run_in_threadpool(live.take_up, [held.workspace for held in app.state.holdings])
    yield
    await run_in_threadpool(live.close)
