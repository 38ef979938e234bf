"""A run as it is written: server-sent events, one for each entry, from wherever the browser last stood.

The id of an event is the number of its entry, so that `Last-Event-ID` takes a stream up again. It ends with the event
`end`, whose data is how the run stands. What keeps a quiet connection open is the framework's.
"""

import asyncio
from collections.abc import AsyncIterator

from fastapi.sse import ServerSentEvent
from starlette.concurrency import run_in_threadpool

from vestigia.app.entries import in_words
from vestigia.app.live import Live
from vestigia.app.workspace import Workspace
from vestigia.domain.entries import Entry
from vestigia.domain.errors import VestigiaError
from vestigia.domain.ids import RunId
from vestigia.ledger.tail import Tail

LOOK = 0.4
"""Seconds between two looks at a ledger."""
RETRY = 2000
"""Milliseconds after which a browser that lost a stream asks again."""


async def events(live: Live, workspace: Workspace, run: RunId, after: int) -> AsyncIterator[ServerSentEvent]:
    """The entries of a run after one, as they come; ends when nothing more comes by itself.

    A run that may no longer be seen ends at once.
    """
    tail, entries = Tail(workspace.runs, run), list[Entry]()
    yield ServerSentEvent(retry=RETRY, comment="a run of Vestigia")
    while not live.leaving:
        try:
            fresh = await run_in_threadpool(_look, tail, workspace)
        except VestigiaError as error:
            yield ServerSentEvent(event="end", data={"state": "broken", "why": error.what})
            return
        entries += fresh
        for entry in fresh:
            if entry.number > after:
                yield ServerSentEvent(id=str(entry.number), data=said(entry))
        if not fresh:
            standing = await run_in_threadpool(live.standing, workspace, run, entries)
            if not standing.moving:
                yield ServerSentEvent(event="end", data={"state": standing.state})
                return
            await asyncio.sleep(LOOK)


def said(entry: Entry) -> dict[str, object]:
    """An entry as a stream says it: `entry`, `time`, `by`, `what`."""
    return {"entry": entry.number, "time": entry.time, "by": entry.actor, "what": in_words(entry)}


def _look(tail: Tail, workspace: Workspace) -> tuple[Entry, ...]:
    fresh = tail.fresh()
    if fresh:
        workspace.run(tail.run)  # raises where the record now names what the visitor may not see
    return fresh
