"""Runs: how each stands, what it did, and letting it go on."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, Form, Header, Query
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.requests import Request
from starlette.responses import Response

from vestigia.app.people.roles import Role
from vestigia.domain.ids import RunId
from vestigia.web import streams
from vestigia.web.faults import unknown
from vestigia.web.holdings import Holding
from vestigia.web.pages import Pages
from vestigia.web.standing import live_of
from vestigia.web.templating import redirect
from vestigia.web.visitor import needs

pages = Pages()


def found(request: Request, run: str) -> RunId:
    """The run that an address names, where the visitor may see it. Raises UnknownError."""
    held: Holding = request.state.archive
    with unknown():
        return held.workspace.run(run)


Named = Annotated[RunId, Depends(found)]


@pages.get("/archives/{archive}/runs/{run}/stream", response_class=EventSourceResponse, include_in_schema=False)
@needs(Role.READER)
async def stream(
    request: Request,
    run: Named,
    after: Annotated[int, Query(ge=-1)] = -1,
    last: Annotated[int | None, Header(alias="last-event-id", ge=-1)] = None,
) -> AsyncIterator[ServerSentEvent]:
    """The entries of a run as they are written."""
    held: Holding = request.state.archive
    async for event in streams.events(live_of(request), held.workspace, run, after if last is None else last):
        yield event


@pages.action("/archives/{archive}/runs/{run}/stop", Role.RESEARCHER)
def stop(request: Request, run: Named, to: Annotated[str, Form()] = "") -> Response:
    """Stop a run between two steps."""
    held: Holding = request.state.archive
    live_of(request).stop(held.workspace, run, request.state.visitor.name)
    return redirect(to or f"/archives/{held.slug}/runs/{run}", "live.stopped")


@pages.action("/archives/{archive}/runs/{run}/go-on", Role.RESEARCHER)
def go_on(request: Request, run: Named, to: Annotated[str, Form()] = "") -> Response:
    """Let a run go on that waits, was stopped or was interrupted."""
    held: Holding = request.state.archive
    live_of(request).go_on(held.workspace, run, request.state.visitor.name)
    return redirect(to or f"/archives/{held.slug}/runs/{run}", "live.went_on")
