"""Where a source was used: the runs whose records name it, and what was done with it there."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from vestigia.app.workspace import Workspace
from vestigia.domain.ids import DocumentId
from vestigia.ledger.chain import LEDGER

_DEEDS = {
    "judged": "judged",
    "reevaluated": "judged",
    "held_unseen": "judged",
    "overruled": "decided",
    "scored": "scored",
    "curated": "curated",
    "added": "curated",
    "sealed": "sealed",
    "interpreted": "cited",
}
"""What an event that names a source does with it; every other one only met it."""


@dataclass(frozen=True, slots=True)
class Use:
    """A run that names a source. `deeds` say what was done with it there, in order: met, judged, decided, scored,
    curated, sealed, cited. `decision` is the last one on it.
    """

    run: str
    kind: str
    question: str
    opened_at: str
    state: str
    deeds: tuple[str, ...]
    decision: str
    decided_at: str
    in_set: bool = False
    """Whether it is a source of a set that is curated there."""


def uses(workspace: Workspace, document: DocumentId) -> list[Use]:
    """The runs that may be seen here and name a document, the one opened last first."""
    return [
        Use(row.run, row.kind, row.question, row.opened_at, row.state, *_done(entries, document))
        for row in workspace.run_rows()
        if (entries := list(_lines(workspace, row.run, document)))
    ]


def _lines(workspace: Workspace, run: str, document: DocumentId) -> Iterator[dict[str, Any]]:
    """The entries of a record in which a document stands by name, or a passage of it."""
    written = json.dumps(document, ensure_ascii=False)[1:-1]
    needles = (f'"{written}"'.encode(), f'"{written}#'.encode())
    try:
        content = (workspace.runs / run / LEDGER).read_bytes()
    except OSError:
        return
    if not any(one in content for one in needles):
        return
    for line in content.split(b"\n"):
        if any(one in line for one in needles):
            try:
                entry = json.loads(line)
            except ValueError:  # a line that is being written
                continue
            if isinstance(entry, dict):
                yield entry


def _done(entries: Sequence[dict[str, Any]], document: DocumentId) -> tuple[tuple[str, ...], str, str, bool]:
    deeds: dict[str, None] = {}
    decision = decided_at = ""
    in_set = False
    for entry in entries:
        event = entry.get("body", {}).get("event", {})
        kind = str(event.get("type", ""))
        in_set = in_set or kind in {"set_opened", "added"}
        deeds[_DEEDS.get(kind, "met")] = None
        for one in _decisions(event, document):
            decision = one.get("decision") or one.get("act") or decision
            decided_at = str(entry.get("time", ""))
    return tuple(deeds), str(decision), decided_at, in_set


def _decisions(value: Any, document: DocumentId) -> Iterator[dict[str, Any]]:  # noqa: ANN401  any JSON
    """Every object in an event that decides on the document."""
    if isinstance(value, dict):
        about = value.get("document") == document or str(value.get("passage", "")).rpartition("#")[0] == document
        if about and any(isinstance(value.get(name), str) for name in ("decision", "act")):
            yield value
        for one in value.values():
            yield from _decisions(one, document)
    elif isinstance(value, list):
        for one in value:
            yield from _decisions(one, document)
