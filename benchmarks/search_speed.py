"""Search beside raw tantivy, a numpy scan and SQLite's FTS5 in the same run: only the ratios mean something elsewhere.

    uv run python benchmarks/search_speed.py 10000 [--queries 40] [--folder DIR]

Prints a table in Markdown: build rates, then the median and the late (95 %) time of a query in ms, the ratio to the
yardstick, and the recall against brute force where a filter is applied. Vectors are 384 random numbers a passage.
"""

import argparse
import sqlite3
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

import numpy as np
import tantivy
from made_archive import FIRST, LAST, Pair, pairs, queries

from vestigia.domain.effects import CHARACTERS, EXACT, WORDS, Scope, Search
from vestigia.domain.ids import Digest, digest
from vestigia.domain.periods import DatePeriod, Precision, day_number
from vestigia.index.build import IndexWriter
from vestigia.index.encode import encode
from vestigia.index.snapshot import Snapshot
from vestigia.inquiry.windows import by_count

DIMENSION, LIMIT = 384, 100
MEANING = "meaning:random"
SMALL = Scope(sub_corpora=("Briefe",))
DECADE = Scope(period=DatePeriod(day_number(1930), day_number(1939, 12, 31), Precision.DECADE))
WINDOWS = by_count(DatePeriod(FIRST, LAST, Precision.RANGE), 30)
Times = list[float]


class RandomEncoder:
    """Unit vectors by chance, the same for the same text."""

    name = "random"
    fingerprint = Digest(digest("random"))

    def encode(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> np.ndarray:  # noqa: ARG002
        """Return float32 rows of length 1."""
        seeds = [int(digest(text).removeprefix("sha256:")[:15], 16) for text in texts]
        vectors = np.stack([np.random.default_rng(seed).standard_normal(DIMENSION, np.float32) for seed in seeds])
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@dataclass(frozen=True, slots=True)
class Yardsticks:
    """The engines beside which we are measured, over the same passages."""

    searcher: tantivy.Searcher
    index: tantivy.Index
    database: sqlite3.Connection
    vectors: np.ndarray
    rates: dict[str, float]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("passages", type=int)
    parser.add_argument("--queries", type=int, default=40)
    parser.add_argument("--folder", type=Path)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=chosen.folder) as name:
        measure(Path(name), chosen.passages, queries(chosen.queries))


def measure(folder: Path, number: int, asked: list[str]) -> None:
    """Build everything, ask everything."""
    archive = list(pairs(number))
    began = time.process_time()
    with IndexWriter(folder / "ours") as writer:
        writer.add(archive)
        writer.commit(1, digest("made"))
    rate = len(archive) / (time.process_time() - began)
    encode(folder / "ours", RandomEncoder(), archive)
    beside = yardsticks(folder, archive)
    print(f"\n{len(archive)} passages, {len(asked)} queries\n\n| build | passages a second |\n|---|---|")
    for name, passages in {"Vestigia": rate, **beside.rates}.items():
        print(f"| {name} | {passages:,.0f} |")
    ours = Snapshot.open(folder / "ours", [RandomEncoder()])
    print("\n| query | median ms | late ms | beside | its median ms | ratio |\n|---|---|---|---|---|---|")
    lexical(ours, beside, asked)
    dense(ours, beside, asked)
    exact(ours, asked)
    beside.database.close()


def lexical(ours: Snapshot, beside: Yardsticks, asked: list[str]) -> None:
    """Words and characters."""
    raw = timed(lambda text: beside.searcher.search(beside.index.parse_query(text, ["text"]), LIMIT).hits, asked)
    fts = timed(
        lambda text: beside.database.execute(
            "SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY rank LIMIT 100", (" OR ".join(text.split()),)
        ).fetchall(),
        asked,
    )
    words = timed(lambda text: ours.search(Search(WORDS, text, Scope(), LIMIT)), asked)
    strict = timed(lambda text: ours.search(Search(WORDS, text, Scope(), LIMIT, strict=True)), asked)
    row("words", words, "raw tantivy, one field", raw)
    row("words, strict", strict, "raw tantivy, one field", raw)
    row("words", words, "SQLite FTS5", fts)
    for name, scope in (("2 %", SMALL), ("ten years", DECADE)):
        row(
            f"words, {name}",
            timed(lambda text, s=scope: ours.search(Search(WORDS, text, s, LIMIT)), asked),
            "words, unfiltered",
            words,
        )
    row("words, 30 windows x 20", timed(windowed(ours, WORDS), asked), "words, unfiltered", words)
    characters = timed(lambda text: ours.search(Search(CHARACTERS, text, Scope(), LIMIT)), asked)
    row("characters", characters, "words, unfiltered", words)
    row(
        "characters, 2 %",
        timed(lambda text: ours.search(Search(CHARACTERS, text, SMALL, LIMIT)), asked),
        "characters, unfiltered",
        characters,
    )
    row("characters, 30 windows x 20", timed(windowed(ours, CHARACTERS), asked), "characters, unfiltered", characters)


def dense(ours: Snapshot, beside: Yardsticks, asked: list[str]) -> None:
    """Meaning; making the vector of the query is in both."""

    def scan(text: str) -> np.ndarray:
        scores = beside.vectors @ RandomEncoder().encode([text], "query")[0]
        best = np.argpartition(scores, -LIMIT)[-LIMIT:]
        return best[np.argsort(-scores[best])]

    numpy = timed(scan, asked)
    all_ = timed(lambda text: ours.search(Search(MEANING, text, Scope(), LIMIT)), asked)
    row("meaning", all_, "numpy scan", numpy)
    for name, scope in (("2 %", SMALL), ("ten years", DECADE)):
        row(
            f"meaning, {name}",
            timed(lambda text, s=scope: ours.search(Search(MEANING, text, s, LIMIT)), asked),
            "meaning, unfiltered",
            all_,
        )
    row("meaning, 30 windows x 20", timed(windowed(ours, MEANING), asked), "meaning, unfiltered", all_)


def exact(ours: Snapshot, asked: list[str]) -> None:
    """Two words in a row, to the letter."""
    row("exact", timed(lambda text: ours.search(Search(EXACT, text.split()[0] + " ", Scope(), LIMIT)), asked), "", [])


def windowed(ours: Snapshot, channel: str) -> Callable[[str], object]:
    """Thirty windows of twenty documents in one pass."""
    return lambda text: ours.search(Search(channel, text, Scope(), LIMIT, windows=WINDOWS, quota=20))


def timed(ask: Callable[[str], object], asked: list[str]) -> Times:
    """The seconds of each query, the first two asked once before."""
    for text in asked[:2]:
        ask(text)
    times = []
    for text in asked:
        began = time.process_time()
        ask(text)
        times.append(time.process_time() - began)
    return times


def row(name: str, times: Times, beside: str, other: Times) -> None:
    """Print a row; the ratio is that of the medians."""
    median, late = (float(np.percentile(times, p)) * 1000 for p in (50, 95))
    its = float(np.median(other)) * 1000 if other else 0.0
    print(
        f"| {name} | {median:.2f} | {late:.2f} | {beside} | {its:.2f} | {f'{median / its:.2f}' if its else ''} |",
        flush=True,
    )


def yardsticks(folder: Path, archive: list[Pair]) -> Yardsticks:
    """Build the engines beside us over the same passages."""
    rates, began = {}, time.process_time()
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="default", index_option="freq")
    builder.add_integer_field("key", indexed=True, fast=True)
    schema = builder.build()
    (folder / "raw").mkdir()
    index = tantivy.Index(schema, str(folder / "raw"))
    writer = index.writer(200_000_000, 1)
    for key, (passage, _) in enumerate(archive):
        writer.add_document(tantivy.Document(text=passage.text, key=key))
    writer.commit()
    writer.wait_merging_threads()
    rates["raw tantivy, one field"] = len(archive) / (time.process_time() - began)
    index.reload()
    began = time.process_time()
    database = sqlite3.connect(folder / "fts.sqlite")
    with closing(database.cursor()) as cursor:
        cursor.execute("CREATE VIRTUAL TABLE fts USING fts5(text)")
        cursor.executemany("INSERT INTO fts(text) VALUES (?)", ((passage.text,) for passage, _ in archive))
    database.commit()
    rates["SQLite FTS5"] = len(archive) / (time.process_time() - began)
    encoder, vectors, texts = RandomEncoder(), [], iter(archive)
    while batch := [passage.text for passage, _ in islice(texts, 1000)]:
        vectors.append(encoder.encode(batch, "passage"))
    return Yardsticks(index.searcher(), index, database, np.concatenate(vectors), rates)


if __name__ == "__main__":
    main()
