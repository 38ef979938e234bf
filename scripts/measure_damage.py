"""What damage by text recognition costs: R@10 of each system on a collection and on its damaged copies.

    uv run python scripts/measure_damage.py CACHE COLLECTION ... [--rates 0 0.05 0.1 0.2] [--seed 1]

CACHE keeps the damaged copies and the archives made of them. The systems are those of `vestigia evaluate`: `bm25`
(words as they are written), `words` (with their known misreadings), `characters`, `hybrid` and `hybrid+date`;
`hybrid-` is `hybrid` without misreadings. Beside a score stands how much of its own clean score a system lost, and how
much of BM25's loss that is. `--seed` damages another copy at the same rates, `--every 3` takes every third query,
`--half 1` those of one half.
"""

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from damage_collection import copy

from vestigia.app.archive import add
from vestigia.app.asking import manifest_of, opened
from vestigia.app.evaluating import put
from vestigia.app.settings import FILE
from vestigia.app.workspace import Workspace, init, open_workspace
from vestigia.corpus.importing import ImportOptions
from vestigia.evaluate.collection import Collection, read_collection
from vestigia.evaluate.systems import PRESETS, narrowed, systems_of

K = 10
STRICT = replace(PRESETS["hybrid"], name="hybrid-", strict=True)
SYSTEMS = systems_of(
    ("bm25", "words", "characters", "hybrid-", "hybrid", "hybrid+date"), {**PRESETS, STRICT.name: STRICT}
)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache", type=Path)
    parser.add_argument("collections", type=Path, nargs="+")
    parser.add_argument("--rates", type=float, nargs="+", default=[0.0, 0.05, 0.1, 0.2])
    parser.add_argument("--every", type=int, default=1, help="only every n-th query")
    parser.add_argument("--half", type=int, help="only one half of the queries, 0 or 1")
    parser.add_argument("--seed", default="", help="of the damage: another copy of the same rate")
    chosen = parser.parse_args()
    for collection in map(read_collection, chosen.collections):
        print(f"\n{collection.name}: R@{K}\n{'':6}" + "".join(system.name.rjust(21) for system in SYSTEMS))
        clean: Mapping[str, float] = {}
        for rate in chosen.rates:
            workspace = prepare(chosen.cache, collection, rate, chosen.seed)
            scores = measure(workspace, collection.chosen(chosen.every, chosen.half))
            clean = clean or scores
            print(f"{rate:<6.0%}" + "".join(cell(name, scores, clean).rjust(21) for name in scores), flush=True)


def cell(name: str, scores: Mapping[str, float], clean: Mapping[str, float]) -> str:
    """A score, what was lost, and the share of BM25's loss that is."""
    lost, plain = clean[name] - scores[name], clean["bm25"] - scores["bm25"]
    return f"{scores[name]:.3f}" + (f" {-lost:+.3f} ({lost / plain:.2f})" if plain > 0 else "")


def prepare(cache: Path, collection: Collection, rate: float, seed: str = "") -> Workspace:
    """Build the archive of a damaged copy, or take the one that is there."""
    (documents,) = collection.documents
    name = f"{collection.name}-{rate:.2f}" + (f"-{seed}" if seed and rate else "")
    root, texts = cache / name, cache / "texts" / name
    if not texts.is_dir():
        copy(documents.parent, rate, texts, seed)
    workspace = open_workspace(root) if (root / FILE).is_file() else init(root)
    add(workspace, [texts / documents.name], ImportOptions())
    return workspace


def measure(workspace: Workspace, collection: Collection) -> dict[str, float]:
    """The mean recall of each system."""
    scores = {}
    with opened(workspace) as archive:
        for system in SYSTEMS:
            part = replace(archive, index=narrowed(archive.index, system))
            manifest = manifest_of(workspace, part)
            rankings = [(query, put(part, manifest, system, query).ranking[:K]) for query in collection.queries]
            scores[system.name] = fmean(
                len(set(query.relevant).intersection(found)) / len(query.relevant) for query, found in rankings
            )
    return scores


if __name__ == "__main__":
    main()
