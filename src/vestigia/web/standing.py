"""How a run stands, as a page has it: for `live.html`, whatever the run was begun for."""

from collections.abc import Sequence
from dataclasses import asdict

from starlette.requests import Request

from vestigia.app.live import Live
from vestigia.app.present import Plain
from vestigia.app.workspace import Workspace
from vestigia.domain.entries import Entry, Recorded
from vestigia.domain.events import BudgetReached
from vestigia.domain.ids import RunId
from vestigia.web.holdings import Holding


def live_of(request: Request) -> Live:
    """The runs in hand of this site."""
    live: Live = request.app.state.live
    return live


def plain(request: Request, run: RunId, entries: Sequence[Entry]) -> Plain:
    """How a run stands, for `live.region` and for twins."""
    held: Holding = request.state.archive
    return standing_of(live_of(request), held.workspace, run, entries)


def standing_of(live: Live, workspace: Workspace, run: RunId, entries: Sequence[Entry]) -> Plain:
    """How a run stands, with its name, its number of entries, and whether it moves by itself."""
    found = live.standing(workspace, run, entries)
    why = found.why or (_limit(entries) if found.state == "partial" else "")
    return {**asdict(found), "run": run, "why": why, "entries": len(entries), "moving": found.moving}


def _limit(entries: Sequence[Entry]) -> str:
    events = (entry.body.event for entry in entries if isinstance(entry.body, Recorded))
    return next((event.limit for event in events if isinstance(event, BudgetReached)), "")
