"""Progress on standard error: bars at a terminal, plain lines elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from vestigia.app.archive import Tell
from vestigia.cli.outcome import errors
from vestigia.domain.entries import Entry, Recorded
from vestigia.domain.events import (
    Acted,
    Briefed,
    Consolidated,
    Judged,
    NotJudged,
    Planned,
    Scored,
    Searched,
    SearchFailed,
)
from vestigia.domain.evidence import Decision

LINE_EVERY = 10.0
"""Seconds between two lines in a log."""


class Lines:
    """Tells a log how far long work is: a line every ten seconds for each kind, with rate and remaining time."""

    def __init__(self, say: Callable[[str], None], clock: Callable[[], float] = monotonic) -> None:
        self._say, self._clock = say, clock
        self._began: dict[str, tuple[float, int]] = {}
        self._last: dict[str, float] = {}

    def tell(self, what: str, done: int, of: int) -> None:
        """Say it if it is time."""
        kind, now = what.split(" ", 1)[0], self._clock()
        since, first = self._began.setdefault(kind, (now, done))
        if now - self._last.setdefault(kind, now) < LINE_EVERY:
            return
        self._last[kind] = now
        rate = (done - first) / (now - since)
        left = f", about {(of - done) / rate / 60:.0f} min left" if of and rate > 0 else ""
        self._say(f"{what}: {done} of {of or '?'} ({rate:.1f} a second{left})")


class Rate(ProgressColumn):
    """How many a second, lately."""

    def render(self, task: Task) -> Text:
        """Return it in words, or nothing while it is not known."""
        rate = task.finished_speed or task.speed
        return Text(f"{rate:.1f} a second" if rate else "")


@contextmanager
def bars(*, silent: bool = False) -> Iterator[Tell]:
    """Give a function that is told how far the work is."""
    if silent:
        yield lambda _what, _done, _of: None
        return
    if not errors.is_terminal:
        yield Lines(errors.print).tell
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
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
        case Scored() as event:
            return f"{event.document}: {event.score}"
        case NotJudged() as event:
            return f"{event.document}: not judged: {event.reason}"
        case Consolidated() as event:
            return f"ranking: {len(event.ranking)} document(s)"
        case _:
            return ""


def watching(*, silent: bool) -> Callable[[Entry], None] | None:
    """What tells a person at a terminal what a run is doing, or nothing."""

    def watch(entry: Entry) -> None:
        if line := step_line(entry):
            errors.print(f"  {line}", markup=False, style="dim", soft_wrap=True)

    return None if silent or not errors.is_terminal else watch
