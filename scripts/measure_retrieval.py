"""Measure the channels, the fused warm start and `ask` without a language model on test collections (issue 2).

    uv run python scripts/measure_retrieval.py CACHE COLLECTION [COLLECTION ...] [--encode e5] [--every N]

A collection is a folder with docs.jsonl, queries.jsonl and qrels.tsv. CACHE is where the archives are built and kept.
Printed is R@10 (mean over the queries that have a judgment) by kind of query; `ask` is the ranking of the extractive
model, `fused` the orientation of the same run, the rest the channels as that orientation recorded them.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from vestigia.app.archive import add, encode
from vestigia.app.asking import manifest_of, opened
from vestigia.app.settings import FILE, rules_of
from vestigia.app.workspace import Workspace, init, open_workspace
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.effects import Search
from vestigia.domain.entries import Answered, Asked
from vestigia.domain.ids import RunId
from vestigia.domain.question import Question
from vestigia.engine import runs
from vestigia.engine.world import Archive, LiveWorld
from vestigia.inquiry.fusion import fuse
from vestigia.ledger.memory import PassingLedger

K = 10


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("cache", type=Path)
    arguments.add_argument("collections", type=Path, nargs="+")
    arguments.add_argument("--encode", default="", help="also encode with this encoder, e.g. e5")
    arguments.add_argument("--every", type=int, default=1, help="only every n-th query")
    chosen = arguments.parse_args()
    for collection in chosen.collections:
        measure(prepare(chosen.cache, collection, chosen.encode), collection, chosen.every)


def prepare(cache: Path, collection: Path, encoder: str) -> Workspace:
    """Build the archive of a collection, or take the one that is there."""
    root = cache / collection.name
    workspace = open_workspace(root) if (root / FILE).is_file() else init(root)
    add(workspace, [collection / "docs.jsonl"], ImportOptions())
    if encoder:
        encode(workspace, encoder)
    return workspace


def measure(workspace: Workspace, collection: Path, every: int) -> None:
    """Run every query that has a judgment and print recall by kind and system."""
    judged = judgments(collection / "qrels.tsv")
    scores: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    with opened(workspace) as archive:
        for query in list(queries(collection / "queries.jsonl", judged))[::every]:
            gold = judged[query["id"]]
            for system, ranking in systems(workspace, archive, query["query"]).items():
                for kind in (query["kind"], "ALL"):
                    scores[kind][system].append(recall(ranking, gold))
    report(collection.name, scores)


def systems(workspace: Workspace, archive: Archive, text: str) -> dict[str, list[str]]:
    """One run without a language model, read as rankings: each channel, equal fusion, the fused warm start, `ask`."""
    ledger = PassingLedger(RunId("measured"))
    rules = rules_of(workspace.settings)
    runs.begin(ledger, manifest_of(workspace, archive), Question(text), rules)
    state = runs.resume(ledger, LiveWorld(archive, ledger))
    lists = first_lists(ledger)
    found = {channel: [hit.document for hit in hits] for channel, hits in lists.items()}
    equal = fuse(lists, dict.fromkeys(lists, 1.0), rules.rrf_k, K)
    return {
        **found,
        "equal": [candidate.document for candidate in equal],
        "fused": [candidate.document for candidate in state.orientation],
        "ask": [row.document for row in state.ranking],
    }


def first_lists(ledger: PassingLedger) -> dict[str, Sequence]:
    """The lists of the orientation, as its answers stand in the record."""
    entries = ledger.entries()
    for asked, answered in pairwise(entries):
        if not isinstance(asked.body, Asked) or not isinstance(answered.body, Answered):
            continue
        if all(isinstance(effect, Search) for effect in asked.body.effects):
            pairs = zip(asked.body.effects, answered.body.answers, strict=True)
            return {effect.channel: answer.hits for effect, answer in pairs}
    return {}


def queries(path: Path, judged: Mapping[str, object]) -> Iterator[dict[str, str]]:
    """The queries that have a judgment."""
    for line in path.read_text(encoding="utf-8").splitlines():
        query = json.loads(line)
        if query["id"] in judged:
            yield query


def judgments(path: Path) -> dict[str, set[str]]:
    """The relevant documents of each query (TREC: query, 0, document, grade)."""
    found: dict[str, set[str]] = defaultdict(set)
    for line in path.read_text(encoding="utf-8").splitlines():
        query, _, document, grade = line.split()
        if int(grade) > 0:
            found[query].add(document)
    return found


def recall(ranking: Sequence[str], gold: set[str]) -> float:
    """The share of the relevant documents among the first ten."""
    return len(gold.intersection(ranking[:K])) / len(gold)


def report(name: str, scores: Mapping[str, Mapping[str, list[float]]]) -> None:
    """Print a table: a row a kind of query, a column a system."""
    columns = list(scores["ALL"])
    width = max(len(column) for column in columns) + 2
    print(f"\n{name}: R@{K}")
    print(" " * 28 + "".join(column.rjust(width) for column in columns))
    for kind in [*sorted(kind for kind in scores if kind != "ALL"), "ALL"]:
        count = len(scores[kind]["ask"])
        cells = [scores[kind].get(column, []) for column in columns]
        row = "".join((f"{sum(c) / len(c):.3f}" if len(c) == count else "-").rjust(width) for c in cells)
        print(f"{kind[:21]:<21} {count:>5} {row}", flush=True)


if __name__ == "__main__":
    main()
