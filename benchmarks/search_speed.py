"""Search beside raw tantivy, a numpy scan, SQLite's FTS5 and ChromaDB in the same run: only ratios mean something.

    uv run python benchmarks/search_speed.py 10000 [--queries 40] [--folder DIR] [--chroma]

Prints Markdown: build rates, the median and the late (95 %) time of a query in ms of processor time, and the ratio to
the yardstick; then the memory of a process that only searches. Vectors are 384 random numbers a passage. Each query is
asked of everything that is compared, in turn, so that a machine that is busy with other things is so for all.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import numpy as np
from beside import Yardsticks, yardsticks
from made_archive import FIRST, LAST, Pair, pairs, queries

from vestigia.domain.effects import CHARACTERS, EXACT, WORDS, Found, Scope, Search
from vestigia.domain.ids import Digest, digest
from vestigia.domain.periods import DatePeriod, Precision, day_number
from vestigia.index.build import IndexWriter
from vestigia.index.rows import RowTable, vector_key
from vestigia.index.snapshot import Snapshot
from vestigia.index.state import usable_state
from vestigia.index.vectors import merge_parts, next_part, vectors_folder, write_header, write_part
from vestigia.inquiry.windows import by_count

DIMENSION, LIMIT = 384, 100
MEANING = "meaning:random"
EVERYTHING = Scope()
SMALL = Scope(sub_corpora=("Briefe",))
DECADE = Scope(period=DatePeriod(day_number(1930), day_number(1939, 12, 31), Precision.DECADE))
WINDOWS = by_count(DatePeriod(FIRST, LAST, Precision.RANGE), 30)
Ask = Callable[[str], object]
Times = list[float]


class RandomEncoder:
    """Unit vectors by chance, the same for the same text."""

    name = "random"
    fingerprint = Digest(digest("random"))

    def encode(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> np.ndarray:  # noqa: ARG002
        """Return float32 rows of length 1."""
        seeds = [int(digest(text).removeprefix("sha256:")[:15], 16) for text in texts]
        return unit(np.stack([np.random.default_rng(seed).standard_normal(DIMENSION, np.float32) for seed in seeds]))


def unit(vectors: np.ndarray) -> np.ndarray:
    """Bring rows to length 1."""
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("passages", type=int)
    parser.add_argument("--queries", type=int, default=40)
    parser.add_argument("--folder", type=Path, help="where the indexes may lie while it runs")
    parser.add_argument("--chroma", action="store_true", help="beside ChromaDB too, where it is installed")
    parser.add_argument("--memory-of", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.memory_of:
        print(memory(chosen.memory_of, queries(chosen.queries)))
        return
    chroma = chosen.chroma and bool(find_spec("chromadb") and find_spec("langchain_text_splitters"))
    if chosen.chroma and not chroma:
        print("ChromaDB or LangChain's splitter is not installed: left out.")
    with tempfile.TemporaryDirectory(dir=chosen.folder) as name:
        measure(Path(name).resolve(), chosen.passages, queries(chosen.queries), chroma)


def measure(folder: Path, number: int, asked: list[str], chroma: bool) -> None:
    """Build everything, ask everything."""
    archive = list(pairs(number))
    vectors = unit(np.random.default_rng(17).standard_normal((len(archive), DIMENSION), np.float32))
    rates = build(folder / "ours", archive, vectors)
    beside = yardsticks(folder, archive, vectors, chroma)
    print(f"\n{len(archive)} passages, {len(asked)} queries\n\n| build | passages a second | ratio |\n|---|---|---|")
    raw = beside.rates["raw tantivy, one field"]
    for name, rate in {**rates, **beside.rates}.items():
        print(f"| {name} | {rate:,.0f} | {rate / raw:.3f} |")
    ours = Snapshot.open(folder / "ours", [RandomEncoder()])
    print("\n| query | median ms | late ms | beside | its median ms | ratio |\n|---|---|---|---|---|---|", flush=True)
    lexical(ours, beside, asked)
    dense(ours, beside, asked)
    beside.database.close()
    program = [sys.executable, __file__, "0", "--queries", str(len(asked)), "--memory-of", str(folder / "ours")]
    print(subprocess.run(program, check=True, capture_output=True, text=True).stdout)  # noqa: S603


def build(folder: Path, archive: list[Pair], vectors: np.ndarray) -> dict[str, float]:
    """Index all, put the vectors beside it, and say how many passages a second that took, without the vectors."""
    began, clock = time.process_time(), time.perf_counter()
    with IndexWriter(folder) as writer:
        writer.add(archive)
        writer.commit(1, digest("made"))
    took, waited = time.process_time() - began, time.perf_counter() - clock
    encoder = RandomEncoder()
    home = vectors_folder(folder, encoder)
    write_header(home, encoder)
    write_part(next_part(home), [vector_key(*pair).encode() for pair in archive], vectors)
    merge_parts(folder, encoder, RowTable.load(usable_state(folder).folder(folder)))
    return {"Vestigia": len(archive) / took, "Vestigia, by the clock": len(archive) / waited}


def lexical(ours: Snapshot, beside: Yardsticks, asked: list[str]) -> None:
    """Words, characters, and to the letter."""
    parse, search = beside.index.parse_query, beside.searcher.search
    statement = "SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY rank LIMIT 100"
    compare(
        {
            "raw tantivy, one field": lambda text: search(parse(text, ["text"]), LIMIT).hits,
            "SQLite FTS5": lambda text: beside.database.execute(statement, (" OR ".join(text.split()),)).fetchall(),
            "words": searching(ours, WORDS),
            "words, strict": searching(ours, WORDS, strict=True),
        },
        asked,
        {"words": "raw tantivy, one field", "words, strict": "raw tantivy, one field", "SQLite FTS5": "words"},
    )
    filtered(ours, WORDS, "words", asked)
    filtered(ours, CHARACTERS, "characters", asked)
    compare({"exact": lambda text: ours.search(Search(EXACT, text.split()[0] + " ", Scope(), LIMIT))}, asked, {})


def dense(ours: Snapshot, beside: Yardsticks, asked: list[str]) -> None:
    """Meaning; making the vector of the query is in all of them."""
    encoder = RandomEncoder()

    def scan(text: str) -> np.ndarray:
        scores = beside.vectors @ encoder.encode([text], "query")[0]
        best = np.argpartition(scores, -LIMIT)[-LIMIT:]
        return best[np.argsort(-scores[best])]

    asks: dict[str, Ask] = {"numpy scan": scan, "meaning": searching(ours, MEANING)}
    pairs_ = {"meaning": "numpy scan"}
    if beside.chroma is not None:
        wanted = {"sub_corpus": "Briefe"}
        asks |= {
            "ChromaDB": lambda text: beside.chroma.query(encoder.encode([text], "query"), n_results=LIMIT),
            "ChromaDB, 2 %": lambda text: beside.chroma.query(
                encoder.encode([text], "query"), n_results=LIMIT, where=wanted
            ),
        }
        pairs_ |= {"ChromaDB": "meaning", "ChromaDB, 2 %": "meaning"}
        print_recall(beside, encoder, asked)
    compare(asks, asked, pairs_)
    filtered(ours, MEANING, "meaning", asked)


def print_recall(beside: Yardsticks, encoder: RandomEncoder, asked: list[str]) -> None:
    """Say how many of the truly nearest 100 passages ChromaDB returns; ours is compared in the property tests."""
    found = wanted = 0
    names = [name.rpartition(".")[0] for name in beside.chroma.get(include=[])["ids"]]
    place = {name: row for row, name in enumerate(dict.fromkeys(names))}
    for text in asked:
        vector = encoder.encode([text], "query")
        best = set(np.argsort(-(beside.vectors @ vector[0]))[:LIMIT].tolist())
        returned = beside.chroma.query(vector, n_results=LIMIT, include=[])["ids"][0]
        found += len(best & {place[name.rpartition(".")[0]] for name in returned})
        wanted += len(best)
    print(f"| ChromaDB finds {found / wanted:.3f} of the nearest 100 | | | | | |")


def filtered(ours: Snapshot, channel: str, name: str, asked: list[str]) -> None:
    """A channel under filters and in thirty windows of twenty documents, beside itself without."""
    asks = {
        f"{name}, unfiltered": searching(ours, channel),
        f"{name}, 2 %": searching(ours, channel, SMALL),
        f"{name}, ten years": searching(ours, channel, DECADE),
        f"{name}, 30 windows x 20": lambda text: ours.search(
            Search(channel, text, Scope(), LIMIT, windows=WINDOWS, quota=20)
        ),
    }
    compare(asks, asked, dict.fromkeys(list(asks)[1:], f"{name}, unfiltered"))


def searching(ours: Snapshot, channel: str, scope: Scope = EVERYTHING, strict: bool = False) -> Callable[[str], Found]:
    """Search a channel."""
    return lambda text: ours.search(Search(channel, text, scope, LIMIT, strict=strict))


def compare(asks: dict[str, Ask], asked: list[str], beside: dict[str, str]) -> None:
    """Ask each query of all in turn, two once before, and print a row for each; the ratio is that of the medians."""
    times: dict[str, Times] = {name: [] for name in asks}
    for text in (*asked[:2], *asked):
        for name, ask in asks.items():
            began = time.process_time()
            ask(text)
            times[name].append((time.process_time() - began) * 1000)
    for name, all_ in times.items():
        median, late = (float(np.percentile(all_[2:], p)) for p in (50, 95))
        other = beside.get(name, "")
        its = float(np.median(times[other][2:])) if other else 0.0
        ratio = f"{other} | {its:.2f} | {median / its:.2f}" if its else " | |"
        print(f"| {name} | {median:.2f} | {late:.2f} | {ratio} |", flush=True)


def memory(folder: Path, asked: list[str]) -> str:
    """Search every channel and say what is resident, without the mapped vectors; from the system's own account."""
    ours = Snapshot.open(folder, [RandomEncoder()])
    for text in asked:
        for channel in (WORDS, CHARACTERS, MEANING):
            ours.search(Search(channel, text, Scope(), LIMIT, windows=WINDOWS, quota=20))
    resident = {"vectors": 0, "files of the index": 0, "all else": 0}
    kind = "all else"
    for line in Path("/proc/self/smaps").read_text(encoding="utf-8").splitlines():
        first, *rest = line.split()
        if not first.endswith(":"):
            path = rest[-1] if len(rest) > 4 else ""
            kind = "vectors" if "/vectors/" in path else "files of the index" if str(folder) in path else "all else"
        elif first == "Rss:":
            resident[kind] += int(rest[0])
    return "\nresident MB: " + ", ".join(f"{kind} {number / 1024:,.0f}" for kind, number in resident.items())


if __name__ == "__main__":
    main()
