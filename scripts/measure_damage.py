"""What damage by text recognition costs: R@10 of each system on a collection and on its damaged copies.

    uv run python scripts/measure_damage.py CACHE COLLECTION ... [--rates 0 0.05 0.1 0.2] [--every 3]

CACHE keeps the damaged copies and the archives made of them. The systems: `bm25` (the word channel, words as they are
written), `words` (with their known misreadings), `characters`, `hybrid-` (fused, without misreadings), `hybrid`.
The last column of the table says how much of its own clean score a system lost, and how much of BM25's loss that is.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from damage_collection import copy

from vestigia.app.archive import add
from vestigia.app.asking import open_index
from vestigia.app.settings import FILE
from vestigia.app.workspace import Workspace, init, open_workspace
from vestigia.corpus.dates import Grammar
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.effects import CHARACTERS, DATE, EXACT, WORDS, ReadDates, Scope, Search, Weigh
from vestigia.domain.evidence import Hit
from vestigia.index.snapshot import Snapshot
from vestigia.inquiry.fusion import channel_weights, fuse
from vestigia.inquiry.searching import merged

K, HITS = 10, 50
SYSTEMS = ("bm25", "words", "characters", "hybrid-", "hybrid")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache", type=Path)
    parser.add_argument("collections", type=Path, nargs="+")
    parser.add_argument("--rates", type=float, nargs="+", default=[0.0, 0.05, 0.1, 0.2])
    parser.add_argument("--every", type=int, default=1, help="only every n-th query")
    chosen = parser.parse_args()
    for collection in chosen.collections:
        print(f"\n{collection.name}: R@{K}\n{'':6}" + "".join(name.rjust(24) for name in SYSTEMS))
        clean: dict[str, float] = {}
        for rate in chosen.rates:
            scores = measure(prepare(chosen.cache, collection, rate), collection, chosen.every)
            clean = clean or scores
            print(f"{rate:<6.0%}" + "".join(cell(name, scores, clean).rjust(24) for name in SYSTEMS), flush=True)


def cell(name: str, scores: dict[str, float], clean: dict[str, float]) -> str:
    """A score, what was lost, and the share of BM25's loss that is."""
    lost, plain = clean[name] - scores[name], clean["bm25"] - scores["bm25"]
    return f"{scores[name]:.3f}" + (f" -{lost:.3f} ({lost / plain:.2f})" if plain > 0 else "")


def prepare(cache: Path, collection: Path, rate: float) -> Workspace:
    """Build the archive of a damaged copy, or take the one that is there."""
    root = cache / f"{collection.name}-{rate:.2f}"
    if not root.is_dir():
        copy(collection, rate, cache / "texts" / root.name)
    workspace = open_workspace(root) if (root / FILE).is_file() else init(root)
    add(workspace, [cache / "texts" / root.name / "docs.jsonl"], ImportOptions())
    return workspace


def measure(workspace: Workspace, collection: Path, every: int) -> dict[str, float]:
    """The mean recall of each system."""
    gold: dict[str, set[str]] = defaultdict(set)
    for line in (collection / "qrels.tsv").read_text(encoding="utf-8").splitlines():
        query, _, document, grade = line.split()
        if int(grade) > 0:
            gold[query].add(document)
    lines = map(json.loads, (collection / "queries.jsonl").read_text(encoding="utf-8").splitlines())
    judged = [query for query in lines if query["id"] in gold][::every]
    catalogue = workspace.catalogue()
    index = open_index(workspace, catalogue)
    catalogue.close()
    totals: dict[str, float] = defaultdict(float)
    for query in judged:
        for system, ranking in rankings(index, query["query"]).items():
            totals[system] += len(gold[query["id"]].intersection(ranking[:K])) / len(gold[query["id"]]) / len(judged)
    return dict(totals)


def rankings(index: Snapshot, text: str) -> dict[str, list[str]]:
    """What each system finds, best first."""
    lists: dict[str, Sequence[Hit]] = {}
    periods = Grammar().read(ReadDates(text)).periods
    for channel in index.channels():
        if channel == DATE and periods:
            lists[channel] = merged(
                [hit for period in periods for hit in index.search(Search(DATE, text, Scope(), HITS, period)).hits]
            )
        elif channel not in {DATE, EXACT}:
            lists[channel] = index.search(Search(channel, text, Scope(), HITS)).hits
    plain = {**lists, WORDS: index.search(replace(Search(WORDS, text, Scope(), HITS), strict=True)).hits}
    weights = channel_weights("measured", text, index.weigh(Weigh(text)).terms, lists)
    found = {
        "bm25": plain[WORDS],
        "words": lists[WORDS],
        "characters": lists[CHARACTERS],
        "hybrid-": fuse(plain, weights, 60, K),
        "hybrid": fuse(lists, weights, 60, K),
    }
    return {name: [hit.document for hit in hits] for name, hits in found.items()}


if __name__ == "__main__":
    main()
