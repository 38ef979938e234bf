"""A server under the load of many researchers: pages, errors and memory of a real process, on a made archive.

    uv run python benchmarks/serve_load.py 200000 [--seconds 600] [--researchers 25] [--folder DIR]

Makes the archive (kept in `--folder`), starts `vestigia serve` and lets so many researchers search, read sources,
triage a set and, two of them, ask questions and follow their runs, with a pause of one to three seconds after each
page. Prints Markdown: median and late (95 %) time of each kind of page as the browser waits for it, errors, the
server's resident memory, and before the load the search page beside the engine's own time for the same words. The
archive has no vectors: words and characters are searched. One person asks it all; there are no accounts.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

import httpx2
from made_archive import pairs, queries

from vestigia.app import curating, surveying
from vestigia.app.archive import add, status
from vestigia.app.asking import open_index
from vestigia.app.searching import search
from vestigia.app.surveying import Plan
from vestigia.app.workspace import Workspace, init, open_workspace
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.question import Question
from vestigia.web.security import SESSION, token_of

WARM, SAMPLES, ALONE, RESULTS, ASKING = 10.0, 5.0, 20, 20, 2
Times = dict[str, list[float]]


def made(folder: Path, passages: int) -> Workspace:
    """The archive of so many documents of one passage each, made once."""
    root = folder / f"made-{passages}"
    if (root / "index" / "state.json").exists():
        return open_workspace(root)
    workspace = init(root, "Made archive")
    with (root / "vestigia.toml").open("a", encoding="utf-8") as settings:
        settings.write("\n[search]\nencoders = []\n")
    source = folder / f"made-{passages}.jsonl"
    with source.open("w", encoding="utf-8") as file:
        for number, (passage, card) in enumerate(pairs(passages)):
            year = 1800 + number % 190
            record = {"id": f"D{number:07}", "title": card.title, "text": passage.text, "date": f"{year}-03-11"}
            file.write(json.dumps({**record, "sub_corpus": card.sub_corpus}, ensure_ascii=False) + "\n")
    workspace = open_workspace(root)
    add(workspace, [source], ImportOptions(language="de"))
    return workspace


def to_triage(workspace: Workspace, words: str) -> tuple[str, list[str]]:
    """A set laid open to be curated: its run and its documents."""
    survey = surveying.survey(workspace, Question(words), Plan("10y"))
    work = curating.begin(workspace, survey.run)
    return work.run, [source.item.document for source in curating.read(work).sources]


@contextmanager
def served(root: Path) -> Iterator[tuple[str, int]]:
    """A server of the archive: its address and its process."""
    command = [sys.executable, "-m", "vestigia.cli", "serve", str(root), "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603  ours
        address = (process.stdout.readline() if process.stdout else "").split()[3]
        try:
            yield address, process.pid
        finally:
            process.terminate()


def resident(process: int) -> float:
    """The resident memory of a process in MB."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:"))


class Researcher(threading.Thread):
    """One who works with the site until `until`."""

    def __init__(self, number: int, home: str, triage: tuple[str, list[str]], words: list[str], until: float) -> None:
        super().__init__(daemon=True)
        self.chance, self.asks, self.until = random.Random(number), number < ASKING, until  # noqa: S311  no secret
        self.run_of, self.documents = triage
        self.home = home
        self.client = httpx2.Client(timeout=60, follow_redirects=True)
        self.times: Times = defaultdict(list)
        self.errors: list[str] = []
        self.words = words

    def run(self) -> None:
        """Work: look, think, look again."""
        self._timed("archive", lambda: self.client.get(self.home))
        while time.monotonic() < self.until:
            if self.asks:
                self._ask()
            else:
                self.chance.choices((self._search, self._source, self._triage), (5, 3, 2))[0]()
            time.sleep(self.chance.uniform(1, 3))

    def _search(self) -> None:
        words = self.chance.choice(self.words)
        self._timed("search", lambda: self.client.get(f"{self.home}/search?{urlencode({'q': words})}"))

    def _source(self) -> None:
        document = self.chance.choice(self.documents)
        self._timed("source", lambda: self.client.get(f"{self.home}/sources/{document}/text"))

    def _triage(self) -> None:
        here = f"{self.home}/curate/{self.run_of}"
        self._timed("triage, the reader", lambda: self.client.get(here))
        fields = {"document": self.chance.choice(self.documents), "act": self.chance.choice(("accept", "flag"))}
        self._timed("triage, a decision", lambda: self._send(here, fields))

    def _ask(self) -> None:
        answer = self._timed("ask", lambda: self._send(f"{self.home}/ask", {"q": self.chance.choice(self.words)}))
        for _ in range(30):
            if answer is None or time.monotonic() > self.until:
                return
            time.sleep(1)
            run = str(answer.url)
            shown = self._timed("a run, followed", lambda run=run: self.client.get(run))
            if shown is not None and "data-stream" not in shown.text:
                return

    def _send(self, where: str, fields: dict[str, str]) -> httpx2.Response:
        return self.client.post(where, data={**fields, "csrf": token_of(self.client.cookies[SESSION])})

    def _timed(self, kind: str, asked: Callable[[], httpx2.Response]) -> httpx2.Response | None:
        began = time.perf_counter()
        try:
            answer = asked()
        except httpx2.HTTPError as error:
            self.errors.append(f"{kind}: {error!r}")
            return None
        self.times[kind].append(time.perf_counter() - began)
        if answer.status_code >= 400:
            self.errors.append(f"{kind}: {answer.status_code}")
        return answer


def alone(workspace: Workspace, home: str) -> tuple[float, float]:
    """Median seconds of a search by the engine and of its page, in turn, with nobody else there."""
    engine, shown = [], []
    with httpx2.Client(timeout=60) as client, closing(workspace.catalogue()) as catalogue:
        opened = open_index(workspace, catalogue)
        for words in queries(ALONE, seed=99):
            began = time.perf_counter()
            search(workspace, Question(words), "fused", RESULTS, opening=lambda *_: opened)
            engine.append(time.perf_counter() - began)
            began = time.perf_counter()
            client.get(f"{home}/search?{urlencode({'q': words})}").raise_for_status()
            shown.append(time.perf_counter() - began)
    return median(engine[2:]), median(shown[2:])


def late(times: list[float]) -> float:
    """What 95 % of them took at most."""
    return sorted(times)[int(len(times) * 0.95)]


def main() -> None:
    """Make the archive, load the server, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("passages", type=int)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--researchers", type=int, default=25)
    parser.add_argument("--folder", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as own:
        folder = asked.folder or Path(own)
        folder.mkdir(parents=True, exist_ok=True)
        workspace = made(folder, asked.passages)
        triage = to_triage(workspace, queries(1, seed=5)[0])
        with served(workspace.root) as (address, process):
            home = f"{address}archives/{workspace.root.name}"
            loaded(workspace, home, process, triage, asked)


def loaded(
    workspace: Workspace, home: str, process: int, triage: tuple[str, list[str]], asked: argparse.Namespace
) -> None:
    """Let the researchers work, and print what they met."""
    engine, shown = alone(workspace, home)
    words = queries(1000, seed=17)
    until = time.monotonic() + asked.seconds
    people = [Researcher(number, home, triage, words, until) for number in range(asked.researchers)]
    for one in people:
        one.start()
    memory = []
    time.sleep(min(WARM, asked.seconds / 2))
    while any(one.is_alive() for one in people):
        memory.append(resident(process))
        time.sleep(SAMPLES)
    times: Times = defaultdict(list)
    for one in people:
        for kind, took in one.times.items():
            times[kind] += took
    errors = [error for one in people for error in one.errors]
    print(f"{status(workspace).passages:,} passages, {asked.researchers} researchers, {asked.seconds:.0f} s\n")
    print("| page | requests | median ms | 95 % ms |\n|---|---:|---:|---:|")
    for kind, took in sorted(times.items()):
        print(f"| {kind} | {len(took)} | {median(took) * 1000:.0f} | {late(took) * 1000:.0f} |")
    print(f"\nAlone: engine {engine * 1000:.0f} ms, search page {shown * 1000:.0f} ms, {shown / engine:.1f} times.")
    print(f"Errors: {len(errors)} {sorted(set(errors))[:5]}")
    first, last = memory[: max(1, len(memory) // 4)], memory[-max(1, len(memory) // 4) :]
    print(f"Resident MB, first and last quarter: {median(first):.0f}, {median(last):.0f}; most {max(memory):.0f}.")


if __name__ == "__main__":
    main()
