"""Tokens and recall of whole runs with the simulated reviewer, variant by variant, on archives built by `evaluate`.

    uv run python benchmarks/simulated_runs.py ARCHIVES COLLECTION... [--every 8] [--variants ours,paper,...]

Prints for each variant recall@10, calls and estimated tokens per question and stage, and against the first variant the
difference in recall with the p of a paired permutation test. `vestigia evaluate` measures the same systems; this script
adds the stages and the variants that are no presets.
"""

import argparse
import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from time import process_time

from vestigia.app.asking import manifest_of, opened
from vestigia.app.evaluating import simulated
from vestigia.app.workspace import Workspace, open_workspace
from vestigia.domain.ids import RunId
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules, preset
from vestigia.engine import runs
from vestigia.engine.journal import Journal, drive
from vestigia.engine.world import Archive, LiveWorld
from vestigia.evaluate.collection import Collection, Query, read_collection
from vestigia.evaluate.statistics import permutation_p
from vestigia.evaluate.systems import PRESETS, narrowed
from vestigia.inquiry.discover import discover
from vestigia.inquiry.state import State
from vestigia.inquiry.view import stages
from vestigia.ledger.memory import PassingLedger

STAGES = ("plan", "step", "review", "reevaluate", "brief", "replan", "rank")


def switched(**switches: bool) -> Callable[[Rules], Rules]:
    """Our rules with some switches turned."""
    return lambda rules: replace(rules, switches=replace(rules.switches, **switches))


def changed(**constants: int) -> Callable[[Rules], Rules]:
    """Our rules with some constants changed."""
    return lambda rules: replace(rules, **constants)


VARIANTS: Mapping[str, Callable[[Rules], Rules]] = {
    "paper": lambda _rules: preset("trace-2026"),
    "ours": lambda rules: rules,
    "one after another": changed(parallel=1),
    "asked as published": lambda rules: replace(
        switched(second_look=False)(rules),
        review_size=8,
        excerpt=0,
        sparing=False,
        concise=False,
        taken_shown=0,
        parallel=1,
    ),
    "whole passages": changed(excerpt=0),
    "8 a review": changed(review_size=8),
    "not concise": changed(concise=0),
    "not sparing": changed(taken_shown=0, sparing=0, concise=0),
    "no second look": switched(second_look=False),
    "no hold re-evaluation": switched(holds=False),
    "no orientation": switched(orientation=False),
    "every copy counts": switched(every_copy=True),
}


@dataclass(frozen=True)
class Ended:
    """What came of one question."""

    recall: float
    calls: int
    tokens: Mapping[str, tuple[int, int, int, int]]
    own: float


def asked(
    workspace: Workspace, archive: Archive, collection: Collection, rules: Rules, published: bool
) -> dict[str, Ended]:
    """Put every question; by its id."""
    ended = {}
    system = PRESETS["trace-2026" if published else "simulated"]
    part = replace(archive, index=narrowed(archive.index, system), model=simulated(collection, archive))
    manifest = manifest_of(workspace, part)
    for query in collection.queries:
        ledger = PassingLedger(RunId("measured"))
        began = process_time()
        runs.begin(ledger, manifest, Question(query.text), rules)
        flow = discover(Question(query.text), rules)
        state = asyncio.run(drive(flow, Journal((), ledger), LiveWorld(part, ledger)))
        ended[query.id] = _ended(query, state, process_time() - began)
    return ended


def _ended(query: Query, state: State, own: float) -> Ended:
    first = {row.document for row in state.ranking[:10]}
    tokens = {
        stage.task: (stage.calls, stage.input_tokens or 0, stage.output_tokens or 0, stage.cached_tokens or 0)
        for stage in stages(state)
    }
    return Ended(len(first & set(query.relevant)) / len(query.relevant), state.calls, tokens, own)


def row(name: str, ended: Mapping[str, Ended], against: Mapping[str, Ended]) -> str:
    """One variant in one line."""
    summed = Counter[str]()
    for one in ended.values():
        for task, (_, taken, given, cached) in one.tokens.items():
            summed.update({task: taken + given, "in": taken, "out": given, "cached": cached})
    number = len(ended)
    differences = [one.recall - against[query].recall for query, one in ended.items()]
    each = " | ".join(f"{summed[key] / number:,.0f}" for key in (*STAGES, "in", "out", "cached"))
    return (
        f"| {name} | {fmean(one.recall for one in ended.values()):.3f} | {fmean(differences):+.3f} | "
        f"{permutation_p(differences):.3f} | {fmean(one.calls for one in ended.values()):.1f} | {each} | "
        f"{(summed['in'] + summed['out']) / number:,.0f} | {fmean(one.own for one in ended.values()):.2f} |"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("archives", type=Path)
    parser.add_argument("collections", type=Path, nargs="+")
    parser.add_argument("--every", type=int, default=8)
    parser.add_argument("--variants", default=",".join(VARIANTS))
    given = parser.parse_args(arguments)
    print(f"| variant | R@10 | diff | p | calls | {' | '.join(STAGES)} | in | out | cached | all | own s |", flush=True)
    for path in given.collections:
        collection = read_collection(path).chosen(given.every)
        print(f"\n{collection.name}, {len(collection.queries)} questions", flush=True)
        first: dict[str, Ended] | None = None
        workspace = open_workspace(given.archives / collection.name)
        with opened(workspace) as archive:
            for name in given.variants.split(","):
                rules = VARIANTS[name](preset("default"))
                ended = asked(workspace, archive, collection, rules, name == "paper")
                first = first or ended
                print(row(name, ended, first), flush=True)


if __name__ == "__main__":
    main()
