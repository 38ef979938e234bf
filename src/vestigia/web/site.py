"""The site: its archives, its pages, its guards. A new family of pages is a module here whose name ends in `_pages`."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib import import_module
from importlib.resources import files
from pkgutil import iter_modules
from threading import Thread

from fastapi import Depends, FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.staticfiles import StaticFiles

from vestigia.app.workspace import Workspace
from vestigia.domain.errors import VestigiaError
from vestigia.web import charts, faults
from vestigia.web.holdings import Holdings
from vestigia.web.pages import Pages
from vestigia.web.security import Gate, Limits, check_form
from vestigia.web.templating import SECTIONS
from vestigia.web.visitor import Recognise, local_person

FAMILIES: tuple[Pages, ...] = tuple(
    import_module(f"vestigia.web.{module.name}").pages
    for module in iter_modules([str(files("vestigia.web"))])
    if module.name.endswith("_pages")
)
"""The `pages` of each such module. The REST interface goes under `/api/v1`, where errors are problem+json already."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a site is made with: its limits, who asks, and whether charts are made ready while it starts."""

    limits: Limits = field(default_factory=Limits)
    visitor: Recognise = local_person
    warm: bool = False


def create_app(archives: Mapping[str, Workspace], options: Options | None = None) -> FastAPI:
    """A site of these archives, by their short names in addresses."""
    options = options or Options()
    app = FastAPI(
        title="Vestigia",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        dependencies=[Depends(_open_archive), Depends(check_form)],
        lifespan=_warmed if options.warm else None,
        exception_handlers={
            VestigiaError: faults.on_error,
            HTTPException: faults.on_http_error,
            RequestValidationError: faults.on_invalid,
        },
    )
    app.state.holdings = Holdings(archives)
    for family in FAMILIES:
        app.include_router(family)
    app.mount("/static", StaticFiles(directory=str(files("vestigia.web") / "static")), "static")
    there = {getattr(route, "path", "") for family in FAMILIES for route in family.routes}
    app.state.sections = tuple(one for one in SECTIONS if f"/archives/{{archive}}{one.path}" in there)
    app.add_middleware(Gate, limits=options.limits, recognise=options.visitor)
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


def _open_archive(request: Request) -> None:
    """Give a request its archive (`request.state.archive`) and the sections there are. Raises UnknownError."""
    request.state.sections = request.app.state.sections
    slug = request.path_params.get("archive")
    request.state.archive = request.app.state.holdings.get(slug) if slug is not None else None


@asynccontextmanager
async def _warmed(_app: FastAPI) -> AsyncIterator[None]:
    Thread(target=charts.warm, daemon=True).start()
    yield
