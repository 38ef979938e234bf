"""How long a run waits for its model: side by side, in sequence, and in sequence with one thing a call as published.

    uv run python benchmarks/waiting.py ARCHIVES COLLECTION [--latency 5] [--questions 6]

The clock is simulated: a crossing that asks a model so many times takes its latency once for every `AT_ONCE` calls, as
the engine lets them go. Own time is processor time, measured. Taken are questions whose plan has four sub-questions.
"""

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from time import process_time

from vestigia.app.asking import manifest_of, opened
from vestigia.app.evaluating import simulated
from vestigia.app.workspace import open_workspace
from vestigia.domain.effects import AskModel
from vestigia.domain.entries import Asked, Manifest
from vestigia.domain.ids import DocumentId, RunId
from vestigia.domain.ports import AT_ONCE
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules, preset
from vestigia.engine import runs
from vestigia.engine.journal import Journal, drive
from vestigia.engine.world import Archive, LiveWorld
from vestigia.evaluate.collection import read_collection
from vestigia.inquiry.discover import discover
from vestigia.ledger.memory import PassingLedger


@dataclass(frozen=True)
class Waited:
    """One run: its calls, how often it waited for a round of them, its own seconds, its ranking and its plan."""

    calls: int
    rounds: int
    own: float
    ranking: tuple[DocumentId, ...]
    parts: int


def waited(archive: Archive, manifest: Manifest, text: str, rules: Rules) -> Waited:
    """Carry one run out."""
    ledger, question, began = PassingLedger(RunId("measured")), Question(text), process_time()
    runs.begin(ledger, manifest, question, rules)
    state = asyncio.run(drive(discover(question, rules), Journal((), ledger), LiveWorld(archive, ledger)))
    own = process_time() - began
    asked = [entry.body.effects for entry in ledger.entries() if isinstance(entry.body, Asked)]
    calls = [sum(isinstance(effect, AskModel) for effect in effects) for effects in asked]
    rounds = sum(-(-number // AT_ONCE) for number in calls)
    return Waited(sum(calls), rounds, own, tuple(row.document for row in state.ranking), len(state.plan))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("archives", type=Path)
    parser.add_argument("collection", type=Path)
    parser.add_argument("--latency", type=float, default=5.0)
    parser.add_argument("--questions", type=int, default=6)
    given = parser.parse_args(arguments)
    collection = read_collection(given.collection)
    workspace = open_workspace(given.archives / collection.name)
    found: list[tuple[Waited, Waited, Waited, Waited]] = []
    with opened(workspace) as archive:
        part = replace(archive, model=simulated(collection, archive))
        manifest = manifest_of(workspace, part)
        for query in collection.queries:
            ours = preset("default")
            together = waited(part, manifest, query.text, ours)
            if together.parts == ours.max_sub_questions:
                alone = waited(part, manifest, query.text, replace(ours, parallel=1))
                apart = waited(part, manifest, query.text, replace(ours, parallel=1, concise=False))
                plain = waited(part, manifest, query.text, replace(ours, concise=False))
                found.append((together, alone, apart, plain))
                _print(query.id, *found[-1], given.latency)
            if len(found) == given.questions:
                break
    same = fmean(one.rounds / alone.rounds for one, alone, _, _ in found)
    every = fmean(one.rounds / apart.rounds for one, _, apart, _ in found)
    plainly = fmean(plain.rounds / apart.rounds for _, _, apart, plain in found)
    own = fmean(one.own / (apart.rounds * given.latency) for one, _, apart, _ in found)
    print(f"waiting side by side / the same in sequence: {same:.3f}; / one thing a call, in sequence: {every:.3f}")
    print(f"with one thing a call, side by side / in sequence: {plainly:.3f}")
    print(f"own time / one thing a call, in sequence: {own:.4f}")


def _print(name: str, together: Waited, alone: Waited, apart: Waited, plain: Waited, latency: float) -> None:
    shared = min(_shared(together, other) for other in (alone, apart, plain))
    same = together.ranking == alone.ranking == apart.ranking == plain.ranking
    print(
        f"{name}: one thing a call, in sequence {apart.calls} calls {apart.rounds * latency:.0f} s; in sequence "
        f"{alone.calls} calls {alone.rounds * latency:.0f} s; side by side {together.calls} calls "
        f"{together.rounds * latency:.0f} s, one thing a call {plain.calls} calls {plain.rounds * latency:.0f} s; "
        f"own {together.own:.2f} s; "
        f"{'same ranking' if same else f'first ten {shared} of 10 alike'}",
        flush=True,
    )


def _shared(one: Waited, other: Waited) -> int:
    return len(set(one.ranking[:10]) & set(other.ranking[:10]))


if __name__ == "__main__":
    main()
