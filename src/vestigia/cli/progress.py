"""Progress on standard error: bars at a terminal, plain lines elsewhere."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from vestigia.app.archive import Tell
from vestigia.cli.outcome import errors
from vestigia.domain.entries import Entry, Recorded
from vestigia.domain.events import Acted, Briefed, Consolidated, Judged, Planned, Searched, SearchFailed
from vestigia.domain.evidence import Decision


@contextmanager
def bars(*, silent: bool = False) -> Iterator[Tell]:
    """Give a function that is told how far the work is."""
    if silent or not errors.is_terminal:
        yield lambda _what, _done, _of: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=errors, transient=True) as progress:
        tasks: dict[str, TaskID] = {}

        def tell(what: str, done: int, of: int) -> None:
            kind = what.split(" ", 1)[0]
            if kind not in tasks:
                tasks[kind] = progress.add_task(what, total=of or None)
            progress.update(tasks[kind], description=what[-60:], completed=done, total=of or None)

        yield tell


def step_line(entry: Entry) -> str:  # noqa: PLR0911  one line an event
    """Say in a line what an entry did, or nothing for those only the record needs."""
    if not isinstance(entry.body, Recorded):
        return ""
    match entry.body.event:
        case Planned() as event:
            return f"plan: {len(event.sub_questions)} sub-question(s)"
        case Searched() as event:
            return f"{event.sub_question or 'question'}: {event.by}: {len(event.candidates)} new"
        case SearchFailed() as event:
            return f"{event.by}: {event.channel} FAILED: {event.failure}"
        case Judged() as event:
            taken = sum(verdict.decision is Decision.ACCEPT for verdict in event.verdicts)
            return f"{event.sub_question}: reviewed {len(event.verdicts)}, accepted {taken}"
        case Acted() as event:
            return f"{event.sub_question}: {event.action}: {event.observation}"
        case Briefed() as event:
            return f"{event.brief.sub_question}: ended: {event.ended}"
        case Consolidated() as event:
            return f"ranking: {len(event.ranking)} document(s)"
        case _:
            return ""
