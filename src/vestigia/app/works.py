"""Runs that do something else than answer a question: begun, carried on, read, replayed, each by its commission."""

from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from vestigia.app.accounts import working_clock
from vestigia.app.asking import Watch, beginning, later, manifest_of, reopened
from vestigia.app.questions import checked
from vestigia.app.workspace import Workspace
from vestigia.domain.commissions import Commission, CurateOrder, InterpretOrder, JudgeOrder, Origin, SurveyOrder
from vestigia.domain.entries import Begun, Entry
from vestigia.domain.errors import UsageError
from vestigia.domain.ids import RunId
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules
from vestigia.engine import runs
from vestigia.engine.journal import WaitingError, begun
from vestigia.engine.world import Archive, LiveWorld
from vestigia.inquiry.curation import curate
from vestigia.inquiry.dossier import Dossier, dossiers, read_dossier
from vestigia.inquiry.interpret import interpret
from vestigia.inquiry.judge import judge
from vestigia.inquiry.survey import survey
from vestigia.ledger.log import FileLedger

Flow = Callable[[Begun], Coroutine[object, object, Any]]


@dataclass(frozen=True, slots=True)
class Work:
    """A commissioned run as its ledger has it: what it was begun for, and its entries."""

    run: RunId
    first: Begun
    entries: tuple[Entry, ...]

    @property
    def commission(self) -> Commission:
        """What it was begun for."""
        if self.first.commission is None:
            raise UsageError("the run answers a question; it was not commissioned.", where=f"run {self.run}")
        return self.first.commission

    @property
    def origin(self) -> Origin:
        """The run as it stands now, for another to take over."""
        return Origin(self.run, self.entries[-1].digest)


def flow_of(first: Begun) -> Coroutine[object, object, Any]:
    """The flow that carries out a commission."""
    match first.commission:
        case None:
            return runs.discovering(first)
        case SurveyOrder():
            return survey(first.question, first.rules, first.commission)
        case CurateOrder():
            return curate(first.question, first.rules, first.commission)
        case JudgeOrder():
            return judge(first.question, first.rules, first.commission)
        case InterpretOrder():
            return interpret(first.question, first.rules, first.commission)


def read(workspace: Workspace, name: str) -> Work:
    """Read a run, whatever it was begun for."""
    run = workspace.run(name)
    entries = FileLedger.read(workspace.runs, run).entries()
    return Work(run, begun(entries, run), entries)


def is_commissioned(workspace: Workspace, name: str) -> bool:
    """Whether a run does something else than answer a question."""
    return read(workspace, name).first.commission is not None


def begin(
    workspace: Workspace,
    archive: Archive,
    question: Question,
    rules: Rules,
    commission: Commission,
    watch: Watch | None = None,
) -> Work:
    """Begin a commissioned run and carry it out as far as it goes without a person. Raises what `asking.ask` raises.

    An interpretation is begun only for a dossier that a person sealed; else raises UsageError.
    """
    if isinstance(commission, InterpretOrder):
        dossier_of(workspace, commission.dossier)
    question, rules = checked(question, archive.corpus), replace(rules, withhold=archive.withhold)
    manifest = manifest_of(workspace, archive)
    with beginning(workspace, manifest, question, rules, commission) as ledger:
        return _carried_out(workspace, ledger, archive, watch)


def resume(workspace: Workspace, name: str, watch: Watch | None = None, author: str = "") -> Work:
    """Carry an interrupted run on; with an `author` a run that waits for a person is let go on.

    Raises UsageError when archive, index or model are no longer those the run was begun with.
    """
    with reopened(workspace, name, author) as (ledger, archive):
        return _carried_out(workspace, ledger, archive, watch)


def replay(workspace: Workspace, name: str) -> bool:
    """Decide a commissioned run again from its ledger alone; returns whether it is finished, or a sealed curation.

    Raises DivergedError where this version decides otherwise.
    """
    work = read(workspace, name)
    return runs.retrace(flow_of, work.entries, work.run) is not None or bool(dossiers(work.entries, work.run))


def dossier_of(workspace: Workspace, origin: Origin) -> Dossier:
    """Read the dossier that this seal made off its ledger. Raises UsageError where no person sealed it."""
    return read_dossier(read(workspace, origin.run).entries, origin.run, origin.head)


def _carried_out(workspace: Workspace, ledger: FileLedger, archive: Archive, watch: Watch | None) -> Work:
    if watch is later:
        return Work(ledger.run, begun(ledger.entries(), ledger.run), ledger.entries())
    rules = begun(ledger.entries(), ledger.run).rules
    clock = working_clock(ledger.entries()) if rules.budget.seconds is not None else None
    with suppress(WaitingError):
        archive = replace(archive, withhold=rules.withhold, dossier=partial(dossier_of, workspace))
        world = LiveWorld(archive, ledger, clock)
        runs.carry_out(flow_of, ledger, world, watch or _unwatched)
    return Work(ledger.run, begun(ledger.entries(), ledger.run), ledger.entries())


def _unwatched(_entry: Entry) -> None:
    """Nobody watches."""
