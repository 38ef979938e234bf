"""Blind judging: nobody sees what a person gives a set before that person is done, nor that person what others gave.

Else the agreement of judges (H5, B6) would measure who looked over whose shoulder. It holds whatever role one has, and
ends by itself: with the judging that is unfinished.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from vestigia.app import works
from vestigia.app.judging_by_hand import is_open
from vestigia.app.questions import signed
from vestigia.app.workspace import Workspace
from vestigia.domain.commissions import CurateOrder, JudgeOrder
from vestigia.domain.errors import VestigiaError
from vestigia.domain.ids import RunId
from vestigia.engine.journal import begun
from vestigia.ledger.chain import LEDGER, follow


@dataclass(frozen=True, slots=True)
class _Judged:
    """Of a run that says what judges gave: the set, and who judges; nobody for a model or a set that judges sorted."""

    origin: RunId
    person: str


def kept(workspace: Workspace, run: RunId, name: str) -> str:
    """Why what a run says of scores is kept from a person of that name; empty where it is not."""
    told = _first(workspace.runs, run)
    if told is None:
        return ""
    if told.person and told.person == signed(name):
        return ""
    if told.person and is_open(works.read(workspace, run)):
        return f"{told.person} has not finished judging: it is judged blind."
    return kept_of_set(workspace, told.origin, name)


def kept_of_set(workspace: Workspace, origin: RunId, name: str) -> str:
    """Why what judges gave a set is kept from a person: they are judging it themselves; empty where they are not."""
    if not (name := signed(name)):
        return ""
    for other in workspace.run_names():
        told = _first(workspace.runs, other)
        if told and (told.origin, told.person) == (origin, name) and is_open(works.read(workspace, other)):
            return "you are judging this set yourself, blind: what others gave is shown when you have finished."
    return ""


def _first(folder: Path, run: RunId) -> _Judged | None:
    try:
        return _told(folder / run)
    except (OSError, VestigiaError):  # a record that cannot be read; the list of runs says so
        return None


@lru_cache(4096)
def _told(folder: Path) -> _Judged | None:
    """What the first entry of a run says of it; it never changes."""
    with (folder / LEDGER).open("rb") as file:
        line = file.readline()
    if b'"judge_order"' not in line and b'"curate_order"' not in line:
        return None
    match begun(tuple(follow(folder, RunId(folder.name), [line])), RunId(folder.name)).commission:
        case JudgeOrder() as order:
            return _Judged(order.origin.run, order.person)
        case CurateOrder() as order if order.presorted:
            return _Judged(order.origin.run, "")
        case _:
            return None
