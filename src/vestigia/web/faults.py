"""Errors at the door: each of ours has one status and is said as a page or as application/problem+json."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from urllib.parse import urlencode

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response

from vestigia.domain.errors import (
    BusyError,
    LedgerError,
    ModelUnavailableError,
    StaleIndexError,
    UsageError,
    VestigiaError,
)
from vestigia.web.templating import Plain, rendered

log = logging.getLogger("vestigia.web")
PLACES: ContextVar[Mapping[str, str]] = ContextVar("PLACES", default=MappingProxyType({}))
"""For this request: folders that are not to be named, and what is said in their place; the longest first."""


class UnknownError(UsageError):
    """There is nothing of that name."""


class UnauthorisedError(UsageError):
    """It is not known who asks."""


class TooManyError(UsageError):
    """Too much was asked in too short a time; `wait` is in seconds."""

    def __init__(self, wait: int) -> None:
        super().__init__("too many requests in too short a time.", remedy=f"Wait {wait} seconds and try again.")
        self.wait = wait


class ForbiddenError(UsageError):
    """The visitor may not do this."""


class TooLargeError(UsageError):
    """More was sent than is taken."""


_STATUS: tuple[tuple[type[VestigiaError], int], ...] = (
    (UnknownError, 404),
    (UnauthorisedError, 401),
    (ForbiddenError, 403),
    (TooManyError, 429),
    (TooLargeError, 413),
    (UsageError, 400),
    (StaleIndexError, 409),
    (BusyError, 409),
    (ModelUnavailableError, 503),
    (LedgerError, 500),
)


def status_of(error: VestigiaError) -> int:
    """The status of an error; what its own class does not say is 500."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


@contextmanager
def unknown() -> Iterator[None]:
    """What is refused inside because a path names nothing there is not found."""
    try:
        yield
    except UsageError as error:
        raise UnknownError(error.what, where=error.where, remedy=error.remedy) from error


def said(error: VestigiaError) -> Plain:
    """An error as a page shows it beside what was typed: `status`, `what`, `where`, `remedy`.

    Of a server it names no folder: who reads it is not at that machine (`PLACES`).
    """
    told = {"what": error.what, "where": error.where, "remedy": error.remedy}
    for place, name in PLACES.get().items():
        told = {part: words.replace(place, name) for part, words in told.items()}
    return {"status": status_of(error), **told}


async def on_error(request: Request, error: Exception) -> Response:
    """Answer one of our errors."""
    if not isinstance(error, VestigiaError):
        raise error
    return answer(request, error)


def answer(request: Request, error: VestigiaError) -> Response:
    """One of our errors as an answer; to whom it is not known who they are, a page is the one where they can say so."""
    if isinstance(error, UnauthorisedError):
        if request.method == "GET" and not wants_json(request):
            request.state.admitted = True
            query = f"?{request.url.query}" if request.url.query else ""
            return RedirectResponse(f"/login?{urlencode({'next': request.url.path + query})}", 303)
        return respond(request, said(error), {"www-authenticate": 'Bearer realm="Vestigia"'})
    if isinstance(error, TooManyError):
        return respond(request, said(error), {"retry-after": str(error.wait)})
    return respond(request, said(error))


async def on_http_error(request: Request, error: Exception) -> Response:
    """Answer what the framework refuses: no such page, no such method."""
    if not isinstance(error, HTTPException):
        raise error
    if isinstance(error.__cause__, VestigiaError):  # what was found while the framework read what was sent
        return answer(request, error.__cause__)
    if error.status_code == 400:
        return respond(request, {"status": 400, "what": "what was sent cannot be read.", **_unread(error)})
    what = {404: "there is no such page.", 405: "this page does not take such a request."}
    detail = what.get(error.status_code, "the request was refused.")
    shown = {"status": error.status_code, "what": detail, "where": "", "remedy": "Begin at the list of archives."}
    return respond(request, shown, dict(error.headers or {}))


def _unread(error: HTTPException) -> Plain:
    """What the framework says of a body it could not read; nothing of the body is in it."""
    remedy = "Send it from a page of this site; if it has many parts or long ones, in several goes."
    return {"where": str(error.detail), "remedy": remedy}


async def on_invalid(request: Request, error: Exception) -> Response:
    """Answer a request whose fields cannot be read: which, and what is wrong with them, but not what was sent."""
    if not isinstance(error, RequestValidationError):
        raise error
    fields = "; ".join(f"{'.'.join(str(part) for part in one['loc'][1:])}: {one['msg']}" for one in error.errors())
    shown = {
        "status": 422,
        "what": "a field cannot be read.",
        "where": fields,
        "remedy": "Correct it and send it again.",
    }
    return respond(request, shown)


def unexpected(request: Request, error: Exception) -> Response:
    """Answer what nobody foresaw: it is logged in full and said in a sentence."""
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    shown = {
        "status": 500,
        "what": "something went wrong in Vestigia.",
        "where": "",
        "remedy": "What was stored is unharmed. The log of `vestigia serve` has the details.",
    }
    return respond(request, shown)


def respond(request: Request, shown: Plain, headers: dict[str, str] | None = None) -> Response:
    """Say an error in the form that was asked for."""
    status = shown["status"]
    if wants_json(request):
        problem = {
            "type": "about:blank",
            "title": shown["what"],
            "status": status,
            "detail": " ".join(part for part in (shown["where"], shown["remedy"]) if part),
            "where": shown["where"] or None,
            "remedy": shown["remedy"] or None,
        }
        return JSONResponse(problem, status, headers, "application/problem+json")
    try:
        return rendered(request, "error.html", {"error": shown}, status, headers)
    except Exception:  # what a page needs may be what went wrong: then it is said without one
        log.exception("an error could not be shown as a page")
        return PlainTextResponse(" ".join(str(shown[part]) for part in ("what", "where", "remedy")), status, headers)


def wants_json(request: Request) -> bool:
    """Whether a twin or the API was asked."""
    path = request.url.path
    return path.endswith(".json") or path.startswith("/api/")
