"""Checking a deposit anywhere: every byte, the chain of every ledger, and that all it says is what its ledgers say."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vestigia.app.depositing import crate
from vestigia.app.depositing import record as records
from vestigia.app.depositing.derived import derived
from vestigia.app.depositing.flow import flows
from vestigia.app.depositing.record import (
    FORMAT,
    DepositedRun,
    Record,
    against_prompts,
    folder,
    origins_of,
    prompt_name,
)
from vestigia.app.depositing.withholding import prompts_of
from vestigia.domain.commissions import InterpretOrder, JudgeOrder
from vestigia.domain.errors import VestigiaError
from vestigia.domain.ids import Digest, digest
from vestigia.inquiry.dossier import read_dossier
from vestigia.ledger.chain import LEDGER
from vestigia.ledger.deposit import unpack
from vestigia.ledger.withheld import LEDGER_WITHHELD
from vestigia.prompts.library import digest_of


@dataclass(frozen=True, slots=True)
class Checked:
    """What checking a deposit found: problems, the first of them first, and what could not be checked, in words.

    `record` is what it holds, None where that cannot be read. Two people who see the same `seal` hold the same deposit.
    """

    file: Path
    seal: Digest
    members: int
    record: Record | None
    problems: tuple[str, ...]
    unchecked: tuple[str, ...]

    @property
    def sound(self) -> bool:
        """Whether it is as it was written and says what its ledgers say."""
        return not self.problems


def check(file: Path) -> Checked:
    """Check a deposit. Raises UsageError for a file that is none, LedgerError for one that cannot be opened at all."""
    unpacked = unpack(file)
    record, problems = records.read(unpacked.members)
    found = [*unpacked.problems, *(one for one in problems if one not in unpacked.problems)]
    unchecked: list[str] = []
    if record is not None:
        try:
            found += _against_ledgers(record, unpacked.members)
            unchecked += _unchecked(record)
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError, VestigiaError) as error:
            found.append(f"what is written beside the ledgers is not what a deposit says: {error!r}")
    return Checked(
        file, unpacked.seal, len(unpacked.members), record, tuple(dict.fromkeys(found)), tuple(unchecked)
    )  # fmt: skip


def _against_ledgers(record: Record, members: Mapping[str, bytes]) -> Iterator[str]:
    """Compare all that a deposit says with its ledgers."""
    for run in record.runs:
        yield from _run(record, run, members)
    for one in record.sources:
        text = one["text"]
        if text is not None and digest(members.get(text, b"")) != one["text_digest"]:
            yield f"{text} was changed: it is not the text that {records.SOURCES} names"
    if record.main.run != record.statement["deposited"]:
        yield f"{records.STATEMENT} was changed: the deposited run is not the last of its runs"
    yield from _words(record, members)
    yield from (f"the numbers of {one.run} do not add up" for one in flows(record) if not one.adds_up)
    yield from _described(members)
    if record.statement["format"] == FORMAT:
        yield from _derived(record, members)


def _described(members: Mapping[str, bytes]) -> Iterator[str]:
    """Every file is the one that the crate describes."""
    try:
        graph = json.loads(members.get(crate.NAME, b"{}")).get("@graph", ())
        named = [(str(one["@id"]), one["sha256"]) for one in graph if one.get("@type") == "File"]
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
        yield f"{crate.NAME} does not describe the files of a deposit"
        return
    for name, key in named:
        if name in members and digest(members[name]) != f"sha256:{key}":
            yield f"{name} was changed: {crate.NAME} has another digest of it"


def _words(record: Record, members: Mapping[str, bytes]) -> Iterator[str]:
    """The words of prompts and the rubrics are those that the ledgers name by digest."""
    words = {
        Path(name).stem: members[name].decode("utf-8", "replace") for name in members if name.startswith("prompts/")
    }
    if words and digest_of(words) != record.main.first.manifest.prompts:
        yield f"one of prompts/{', '.join(sorted(words))} was changed: the ledger names others"
    rubrics = _rubrics(record)
    for name, content in members.items():
        if name.startswith("rubrics/") and digest(content) not in rubrics:
            yield f"{name} was changed: no ledger names it"


def _rubrics(record: Record) -> set[Digest]:
    orders = (run.first.commission for run in record.runs)
    return {order.rubric.digest for order in orders if isinstance(order, JudgeOrder)}


def _derived(record: Record, members: Mapping[str, bytes]) -> Iterator[str]:
    """Make again what is made from the record; what differs, and what nothing names, is told."""
    given = {name: content for name, content in members.items() if name in _given(record, members)}
    made = derived(record, given)
    for name in sorted(made):
        if name not in members:
            yield f"{name} is missing"
        elif members[name] != made[name]:
            yield f"{name} was changed: it does not say what the ledgers say"
    yield from (f"{name} was added: nothing names it" for name in sorted(members.keys() - made.keys() - given.keys()))


def _given(record: Record, members: Mapping[str, bytes]) -> set[str]:
    """The members that a record is read from, and the texts and words that lie beside it."""
    given = {records.STATEMENT, records.SOURCES, records.SETTINGS, records.ENVIRONMENT}
    given |= {str(one["text"]) for one in record.sources if one["text"]}
    for run in record.runs:
        given |= {f"{folder(run.run)}/{LEDGER_WITHHELD if run.incomplete else LEDGER}"}
        given |= {prompt_name(run.run, key) for _, key in prompts_of(run.entries)}
    return given | {name for name in members if name.startswith(("prompts/", "rubrics/")) and name.endswith(".md")}


def _run(record: Record, run: DepositedRun, members: Mapping[str, bytes]) -> Iterator[str]:
    said: Mapping[str, Any] = record.stated[run.run]
    if said["entries"] != len(run.entries) or said["head"] != run.head:
        yield f"the ledger of {run.run} was changed: {records.STATEMENT} says that it ends with another entry"
    if tuple(said["incomplete"]) != run.incomplete:
        yield f"the ledger of {run.run} was changed: {records.STATEMENT} says that other entries of it lack texts"
    yield from against_prompts(members, run)
    back = {one["digest"] for one in said["prompts_kept_back"]}
    for number, key in prompts_of(run.entries):
        if key not in run.prompts and key not in back:
            yield f"{prompt_name(run.run, key)} is missing: entry {number} of {run.run} names it"
    for origin in origins_of(run.first):
        before = record.run(origin.run)
        if before is None and origin.run not in record.statement["missing"]:
            yield f"the ledger of {origin.run} is missing: {run.run} came from it"
        elif before is not None and origin.head not in {entry.digest for entry in before.entries}:
            yield f"the ledger of {origin.run} was changed: the entry that {run.run} came from is not in it"
    yield from _dossier(record, run)


def _dossier(record: Record, run: DepositedRun) -> Iterator[str]:
    """An interpretation is of a dossier that a person sealed, all of it and nothing else."""
    order = run.first.commission
    before = record.run(order.dossier.run) if isinstance(order, InterpretOrder) else None
    if before is None or not isinstance(order, InterpretOrder):
        return
    try:
        sealed = read_dossier(before.entries, before.run, order.dossier.head)
    except VestigiaError:
        yield f"the ledger of {run.run} was changed: no person sealed the dossier that it interprets"
        return
    if sealed.sources != order.items:
        yield f"the ledger of {run.run} was changed: it interprets other sources than the sealed ones"


def _unchecked(record: Record) -> Iterator[str]:
    """What nobody can check who has only the deposit."""
    for run in record.runs:
        said = record.stated[run.run]
        if run.incomplete:
            yield (
                f"{run.run}: {len(run.incomplete)} of {len(run.entries)} entries lack texts that may not be passed on: "
                "their places in the chain were checked, the digests of what they say cannot be"
            )
        if said["prompts_kept_back"]:
            back = len(said["prompts_kept_back"])
            yield f"{run.run}: {back} prompts may not be passed on: only their digests are here"
        if said["torn"]:
            yield f"{run.run}: {said['torn']}"
    for name in record.statement["missing"]:
        yield f"{name} was gone when the deposit was made: what came from it cannot be traced further"
    if record.statement["format"] != FORMAT:
        yield "another version of Vestigia made it: what was drawn and told of the record was not compared"
