"""The record that a deposit holds: the runs with their origins, and what was written beside them when it was made.

It is read from the members of a deposit alone, by whoever makes one as by whoever checks one: all else in a deposit is
made from it, so that what a deposit says and what its ledgers say cannot drift apart.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from vestigia.app.works import Work
from vestigia.domain.commissions import CurateOrder, InterpretOrder, JudgeOrder, Origin
from vestigia.domain.entries import Begun, Entry, Recorded
from vestigia.domain.errors import LedgerError, VestigiaError
from vestigia.domain.events import HumanAct
from vestigia.domain.ids import Digest, RunId, digest
from vestigia.engine.journal import begun
from vestigia.engine.runs import view_of
from vestigia.inquiry.state import State
from vestigia.ledger import withheld
from vestigia.ledger.chain import LEDGER, sound
from vestigia.ledger.withheld import LEDGER_WITHHELD

FORMAT = 1
"""Of what is made from the record. It rises when any of that is written otherwise."""
STATEMENT = "deposit.json"
SOURCES = "sources.json"
SETTINGS = "settings.json"
ENVIRONMENT = "environment.json"
RUNS = "runs"
PERSON = "person:"


@dataclass(frozen=True)
class DepositedRun:
    """A run as it was deposited: its entries, which of them lack texts, and the prompts that are there."""

    run: RunId
    entries: tuple[Entry, ...]
    incomplete: tuple[int, ...]
    prompts: frozenset[Digest]

    @property
    def first(self) -> Begun:
        """What it was begun with."""
        return begun(self.entries, self.run)

    @cached_property
    def state(self) -> State:
        """What is known of it: all its facts, people's acts at their places."""
        return view_of(self.entries)

    @property
    def work(self) -> Work:
        """The run as the rest of the program knows one."""
        return Work(self.run, self.first, self.entries)

    @cached_property
    def acts(self) -> tuple[tuple[Entry, HumanAct], ...]:
        """What people did, each with its entry."""
        events = ((entry, entry.body.event) for entry in self.entries if isinstance(entry.body, Recorded))
        return tuple((e, act) for e, act in events if e.actor.startswith(PERSON) and isinstance(act, HumanAct))

    @property
    def people(self) -> tuple[str, ...]:
        """Who took part, in the order in which they did."""
        actors = dict.fromkeys(entry.actor for entry in self.entries if entry.actor.startswith(PERSON))
        return tuple(actor.removeprefix(PERSON) for actor in actors)

    @property
    def head(self) -> Digest:
        """The digest of its last entry."""
        return self.entries[-1].digest


@dataclass(frozen=True, slots=True)
class Record:
    """All that a deposit rests on. `runs` stand in their order, each after those it came from, the deposited one last.

    `statement`, `sources`, `settings` and `environment` are what was written down when the deposit was made.
    """

    runs: tuple[DepositedRun, ...]
    statement: Mapping[str, Any]
    sources: tuple[Mapping[str, Any], ...]
    settings: Mapping[str, Any]
    environment: Mapping[str, Any]

    @property
    def main(self) -> DepositedRun:
        """The run that was deposited."""
        return self.runs[-1]

    def run(self, name: RunId) -> DepositedRun | None:
        """One of its runs, or none."""
        return next((one for one in self.runs if one.run == name), None)

    @property
    def stated(self) -> Mapping[str, Any]:
        """What the statement says of each run, by name."""
        return {said["run"]: said for said in self.statement["runs"]}


def origins_of(first: Begun) -> tuple[Origin, ...]:
    """The runs that a run took something over from."""
    order = first.commission
    match order:
        case JudgeOrder():
            return (order.origin,)
        case CurateOrder():
            return (order.origin, *order.judgings)
        case InterpretOrder():
            return (order.dossier,)
        case _:
            return ()


def folder(run: RunId) -> str:
    """Where a run lies in a deposit."""
    return f"{RUNS}/{run}"


def prompt_name(run: RunId, key: Digest) -> str:
    """Where a prompt as it was sent lies in a deposit."""
    return f"{folder(run)}/prompts/{key.removeprefix('sha256:')}.txt"


def as_json(value: object) -> bytes:
    """JSON as deposits have it: indented, in UTF-8, ended by a line feed."""
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "surrogatepass")


def read(members: Mapping[str, bytes]) -> tuple[Record | None, tuple[str, ...]]:
    """Read the record and say what is wrong with it; none where it cannot be read at all."""
    problems: list[str] = []
    try:
        statement, settings, environment, listed = (
            _written(members, name) for name in (STATEMENT, SETTINGS, ENVIRONMENT, SOURCES)
        )
    except ValueError as error:
        return None, (str(error),)
    if not isinstance(listed, list):
        return None, (f"{SOURCES} is no list",)
    try:
        named = [RunId(str(said["run"])) for said in statement["runs"]]
    except (LookupError, TypeError):
        return None, (f"{STATEMENT} does not name its runs",)
    try:
        runs = [_run(members, run, problems) for run in named]
    except (LookupError, ValueError, TypeError, AttributeError, RecursionError) as error:
        return None, (f"what is written beside the ledgers cannot be read: {error}",)
    whole = tuple(one for one in runs if one is not None)
    if len(whole) < len(named) or not whole:
        return None, tuple(problems) or (f"{STATEMENT} names no run",)
    return Record(whole, statement, tuple(listed), settings, environment), tuple(problems)


def _written(members: Mapping[str, bytes], name: str) -> Any:  # noqa: ANN401  any JSON
    """What a member says. Raises ValueError, which names it."""
    if name not in members:
        raise ValueError(f"{name} is missing")
    try:
        return json.loads(members[name])
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{name} cannot be read: {error}") from error


def _run(members: Mapping[str, bytes], run: RunId, problems: list[str]) -> DepositedRun | None:
    name = next((n for n in (LEDGER, LEDGER_WITHHELD) if f"{folder(run)}/{n}" in members), "")
    content = members.get(f"{folder(run)}/{name}")
    if content is None:
        problems.append(f"{folder(run)}/{LEDGER} is missing")
        return None
    lines = [line + b"\n" for line in content.split(b"\n")[:-1]]
    incomplete = tuple(number for number, line in enumerate(lines) if withheld.of(line) is not None)
    entries, problem = sound(Path(folder(run)), run, lines, withheld.read)
    if problem:
        problems.append(problem.replace("\\", "/"))
    if not content.endswith(b"\n"):
        problems.append(f"{folder(run)}/{name} was changed: its last line has no end")
    if incomplete and name == LEDGER:
        problems.append(f"{folder(run)}/{name} was changed: entries of it lack texts")
    found = DepositedRun(run, tuple(entries), incomplete, _prompts(members, run))
    return found if _is_begun(found, problems) else None


def run_of(members: Mapping[str, bytes], run: RunId) -> DepositedRun:
    """Read a run that is known to be sound."""
    found = _run(members, run, [])
    if found is None:
        raise LedgerError("it cannot be read back.", where=f"run {run}")
    return found


def _is_begun(found: DepositedRun, problems: list[str]) -> bool:
    try:
        return bool(found.first)
    except VestigiaError as error:
        problems.append(str(error))
        return False


def _prompts(members: Mapping[str, bytes], run: RunId) -> frozenset[Digest]:
    beginning = f"{folder(run)}/prompts/"
    names = (name.removeprefix(beginning).removesuffix(".txt") for name in members if name.startswith(beginning))
    return frozenset(Digest(f"sha256:{name}") for name in names)


def against_prompts(members: Mapping[str, bytes], run: DepositedRun) -> list[str]:
    """Say which prompts as they were sent are not what their names say."""
    names = ((key, prompt_name(run.run, key)) for key in sorted(run.prompts))
    return [f"{name} was changed: it is not the text the ledger names" for key, name in names
            if digest(members[name]) != key]  # fmt: skip
