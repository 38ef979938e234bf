"""What a person decides about a run: documents at any time, the plan while the run waits for it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import sleep

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from vestigia.app import tables
from vestigia.app.asking import Answer, answer_of, now
from vestigia.app.questions import legible
from vestigia.app.tables import Line
from vestigia.app.workspace import Workspace
from vestigia.domain.errors import BusyError, UsageError
from vestigia.domain.events import HumanAct, Overruled, PlanEdited
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import DocumentId, RunId, SubQuestionId
from vestigia.domain.question import SubQuestion
from vestigia.engine import runs
from vestigia.inquiry import planning
from vestigia.inquiry.curation import objection
from vestigia.inquiry.state import State
from vestigia.inquiry.view import result
from vestigia.ledger import inbox
from vestigia.ledger.log import FileLedger

PLANNING = runs.PLANNING
PATIENCE = 20
"""How often the writer of a run is looked for before an act is left to it."""
WAIT = 0.1
COLUMNS = ("document", "title", "date", "sub_corpus", "why", "decision", "reason")
"""Of a table of documents to be decided about; the last two are to be filled in."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of acts: the run as it stands, and how many its writer has still to take in."""

    answer: Answer
    left: int = 0


@dataclass(frozen=True, slots=True)
class StandingPlan:
    """A plan as it stands: what has begun and what can still be changed."""

    run: RunId
    waits_at: str
    begun: tuple[SubQuestion, ...]
    remaining: tuple[SubQuestion, ...]


def decide(workspace: Workspace, name: str, *acts: Overruled) -> Decided:
    """Record a person's decisions about documents of a run, at any time; they outrank the machine's.

    While another program is writing the run they are left to it, and recorded with its next entry. Raises UsageError
    when the run has not met a document, or for broken characters in reason or author; then nothing is recorded.
    """
    run = workspace.run(name)
    entries = FileLedger.read(workspace.runs, run).entries()
    met = runs.view_of(entries).cards
    for act in acts:
        legible("the reason", act.reason)
        legible("the name of who decides", act.author)
        if not act.author.strip():
            raise UsageError("every decision has an author.", where=f"run {run}", remedy="Say who decides: `--as`.")
        if act.document not in met:
            raise UsageError(
                f"the run has not met a document {act.document!r}.",
                where=f"run {run}",
                remedy="`vestigia show` lists those it has.",
            )
        if why := objection(entries, act):
            raise UsageError(f"{why}.", where=f"run {run}", remedy="Decide there with `vestigia curate`.")
    left = _handed_over(workspace, run, acts)
    return Decided(answer_of(run, FileLedger.read(workspace.runs, run).entries()), left)


def held(workspace: Workspace, name: str) -> tuple[dict[str, str], ...]:
    """The documents of a run that nobody decided about, once each, as rows of a table to be filled in."""
    run = workspace.run(name)
    shown = result(runs.view_of(FileLedger.read(workspace.runs, run).entries())).held
    return tuple(
        {
            "document": row.card.id,
            "title": row.card.title,
            "date": row.card.period.edtf if row.card.period else "",
            "sub_corpus": row.card.sub_corpus,
            "why": row.why,
            "decision": "",
            "reason": "",
        }
        for row in {row.card.id: row for row in reversed(shown)}.values()
    )[::-1]


def filled_in(path: Path, author: str) -> tuple[Overruled, ...]:
    """Read a table of decisions; rows without one are passed over.

    Raises UsageError where a column is missing, a decision is none, or no row has one.
    """
    lines = tables.read(path, ("document", "decision"), COLUMNS)
    acts = tuple(_act(f"{path}, {line.place}", line, author) for line in lines if line["decision"])
    if not acts:
        raise UsageError("no row says a decision.", where=str(path), remedy="Write accept, reject or hold beside some.")
    return acts


def _act(place: str, line: Line, author: str) -> Overruled:
    said = line["decision"].casefold()
    try:
        decision = Decision(said)
    except ValueError as error:
        raise UsageError(f"{said!r} is no decision.", where=place, remedy="Write accept, reject or hold.") from error
    return Overruled(DocumentId(line["document"]), decision, line["reason"], author.strip())


def plan_of(workspace: Workspace, name: str) -> StandingPlan:
    """Read the plan of a run."""
    run = workspace.run(name)
    return _standing(run, FileLedger.read(workspace.runs, run))


def edit_plan(workspace: Workspace, name: str, change: planning.Change | Path, author: str) -> StandingPlan:
    """Record what a person makes of a plan, by changes or as a file has it whole; the run has to wait for it.

    Raises UsageError, and then nothing is recorded.
    """
    legible("the name of who decides", author)
    run = workspace.run(name)
    with FileLedger.open(workspace.runs, run, now) as ledger:
        state = runs.view_of(ledger.entries())
        if isinstance(change, Path):
            remaining = planning.settled(state, _proposed(state, change))
        else:
            remaining = planning.changed(state, change)
        for one in remaining:
            legible("a sub-question", one.text)
        runs.decide(ledger, PlanEdited(remaining, author.strip()))
        return _standing(run, ledger)


class _Row(BaseModel):
    """A sub-question in a file."""

    model_config = ConfigDict(extra="forbid")
    id: str = ""
    text: str
    sub_corpus: str
    after: tuple[str, ...] = ()


class _File(BaseModel):
    """A plan as `plan --json` prints it; only what remains is read."""

    remaining: tuple[_Row, ...]


_FILE: TypeAdapter[_File | tuple[_Row, ...]] = TypeAdapter(_File | tuple[_Row, ...])


def _proposed(state: State, path: Path) -> tuple[SubQuestion, ...]:
    """Read what should remain; names in a sub-question that keeps its words are kept."""
    try:
        found = _FILE.validate_python(json.loads(path.read_text(encoding="utf-8-sig")))
    except (ValidationError, ValueError) as error:
        raise UsageError(
            "it cannot be read as a plan.",
            where=str(path),
            remedy="Begin with what `vestigia plan ARCHIVE RUN --json` prints and change `remaining`.",
        ) from error
    entities = {(one.id, one.text): one.entities for one in state.queue}
    return tuple(
        SubQuestion(
            SubQuestionId(row.id.strip()),
            row.text.strip(),
            row.sub_corpus,
            entities.get((SubQuestionId(row.id.strip()), row.text.strip()), ()),
            tuple(SubQuestionId(other) for other in row.after),
        )
        for row in (found.remaining if isinstance(found, _File) else found)
    )


def _standing(run: RunId, ledger: FileLedger) -> StandingPlan:
    state = runs.view_of(ledger.entries())
    begun = tuple(one for one in state.plan if one not in state.queue)
    return StandingPlan(run, runs.waiting_at(ledger.entries()) or "", begun, state.queue)


def _handed_over(workspace: Workspace, run: RunId, acts: Sequence[HumanAct]) -> int:
    """Record acts, or leave them to whoever is writing the run; returns how many are not recorded yet."""
    files: list[Path] = []
    for attempt in range(PATIENCE):
        try:
            with FileLedger.open(workspace.runs, run, now) as ledger:
                inbox.take_in(ledger, workspace.runs / run)
                for act in () if files else acts:
                    runs.decide(ledger, act)
                return 0
        except BusyError:
            files = files or [inbox.leave(workspace.runs / run, act, now()) for act in acts]
        if not any(file.exists() for file in files):
            return 0
        sleep(WAIT * (attempt > 0))
    return sum(file.exists() for file in files)
