"""What smaller numbers for vectors would cost: how much of the true best 100 they lose, and how long a scan takes.

    uv run python benchmarks/vector_storage.py ARCHIVE QUERIES.jsonl [--encoder universal]

`ARCHIVE` is an archive encoded with the encoder, `QUERIES.jsonl` has a `query` or `question` a line. Prints two tables
in Markdown. Processor time, one thread, as a ratio to the same product over float32.
"""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from vestigia.app.encoders import encoder
from vestigia.index.vectors import open_parts

BEST = 100
ROWS = 100_000
Numbers = NDArray[np.float32]


def by_row(vectors: Numbers) -> tuple[NDArray[np.int8], Numbers]:
    """Round to whole numbers from -127 to 127, with a scale for each vector."""
    scale = np.abs(vectors).max(axis=1, keepdims=True) / 127
    return np.round(vectors / scale).astype(np.int8), scale.astype(np.float32)


def losses(vectors: Numbers, queries: Numbers) -> list[tuple[str, float, int, float]]:
    """Return for each form: the mean share of the best 100 that is lost (%), the worst number, the same for 10."""
    whole, scale = by_row(vectors)
    forms = {
        "float32": vectors,
        "float16": vectors.astype(np.float16).astype(np.float32),
        "int8, a scale a vector": whole.astype(np.float32) * scale,
    }
    true = queries.astype(np.float64) @ vectors.astype(np.float64).T
    found = []
    for name, form in forms.items():
        near = queries @ form.T
        lost = [BEST - len(best(one) & best(other)) for one, other in zip(true, near, strict=True)]
        of_ten = [10 - len(best(one, 10) & best(other, 10)) for one, other in zip(true, near, strict=True)]
        found.append((name, float(np.mean(lost)), max(lost), 10 * float(np.mean(of_ten))))
    return found


def best(scores: "NDArray[np.floating]", number: int = BEST) -> set[int]:
    """Return the places of the highest scores."""
    return set(np.argpartition(-scores, number)[:number].tolist())


def in_blocks(stored: "NDArray[np.generic]", query: Numbers, rows: int) -> Numbers:
    """Multiply numbers of any form with a query, made float32 a block of rows at a time."""
    out = np.empty(len(stored), np.float32)
    room = np.empty((rows, stored.shape[1]), np.float32)
    for begin in range(0, len(stored), rows):
        block = stored[begin : begin + rows]
        room[: len(block)] = block
        out[begin : begin + rows] = room[: len(block)] @ query
    return out


def seconds(act: Callable[[], object]) -> float:
    """Return the least processor time of five calls."""
    taken = []
    for _ in range(5):
        begin = time.process_time()
        act()
        taken.append(time.process_time() - begin)
    return min(taken)


def speeds(dimension: int) -> list[tuple[str, int, float]]:
    """Return for each form and size of block its time as a ratio to the product over float32."""
    vectors = np.random.default_rng(0).standard_normal((ROWS, dimension), np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    query = vectors[7].copy()
    yardstick = seconds(lambda: vectors @ query)
    found = []
    for name, stored in (("float16", vectors.astype(np.float16)), ("int8", by_row(vectors)[0])):
        found += [
            (name, rows, seconds(lambda s=stored, r=rows: in_blocks(s, query, r)) / yardstick)
            for rows in (64, 256, 1024, 4096)
        ]
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archive", type=Path)
    parser.add_argument("queries", type=Path)
    parser.add_argument("--encoder", default="universal")
    asked = parser.parse_args()
    one = encoder(asked.encoder)
    vectors = np.concatenate([np.array(part.vectors) for part in open_parts(asked.archive / "index", one)])
    vectors = vectors[np.isfinite(vectors).all(axis=1)]
    lines = [json.loads(line) for line in asked.queries.read_text(encoding="utf-8").splitlines()]
    queries = one.encode([line.get("question") or line["query"] for line in lines], "query")
    queries = queries[queries.any(axis=1)]
    print(f"{len(vectors)} vectors by {one.name}, {len(queries)} queries\n")
    print("| stored as | lost of the best 100 | at most | lost of the best 10 |\n|---|---|---|---|")
    for name, lost, worst, of_ten in losses(vectors, queries):
        print(f"| {name} | {lost:.3f} % | {worst} | {of_ten:.2f} % |")
    print(f"\n{ROWS} vectors of {vectors.shape[1]} numbers\n\n| stored as | rows a block | time |\n|---|---|---|")
    with threadpool_limits(1):
        for name, rows, ratio in speeds(vectors.shape[1]):
            print(f"| {name} | {rows} | {ratio:.2f} |")


if __name__ == "__main__":
    main()
