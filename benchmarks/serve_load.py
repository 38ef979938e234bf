"""A server under the load of many researchers: pages, errors and memory of a real process, on a made archive.

    uv run python benchmarks/serve_load.py 200000 [--seconds 600] [--researchers 25] [--folder DIR]

Makes the archive (kept in `--folder`) and a run of 2,000 recorded steps, starts `vestigia serve` and measures what the
issue of the workbench asks for. With nobody else there: the search page beside the engine's own time for the same
words, first paint in Chromium, the long run opened for the first time. Then so many researchers work at once: two of
them have a run going all the time and look at its page every two seconds; the others search, read sources and triage
a set (half, three tenths, a fifth of what they do), thinking five to ten seconds after each page, as one who reads a
list of twenty sources does at the least. Prints Markdown for docs/performance.md: times as the browser waits for them,
beside the engine's own, errors, and the server's memory every fifteen seconds.

The archive has no vectors: words and characters are searched. One person asks it all; there are no accounts. Where
other programs are at work only processor time and ratios say something.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

import httpx2
import run_page
from made_archive import pairs, queries

from vestigia.app import curating, surveying
from vestigia.app.archive import add, status
from vestigia.app.asking import open_index
from vestigia.app.searching import search
from vestigia.app.surveying import Plan
from vestigia.app.workspace import Workspace, init, open_workspace
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.question import Question
from vestigia.web.search_pages import DEEP
from vestigia.web.security import SESSION, token_of

WARM, SAMPLES, ALONE, ASKING = 10.0, 15.0, 20, 2
THINKING, LOOKING = (5.0, 10.0), 2.0
"""Seconds a researcher thinks after each page, and between two looks at a run that is going."""
STEPS, SOURCES = 2000, 400
CHROMIUM = Path("/usr/bin/chromium")
Times = dict[str, list[float]]


def made(folder: Path, passages: int) -> Workspace:
    """The archive of so many documents of one passage each, made once; without the runs of an earlier measurement."""
    root = folder / f"made-{passages}"
    if (root / "index" / "state.json").exists():
        shutil.rmtree(root / "runs", ignore_errors=True)
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


def long_run(folder: Path) -> tuple[Workspace, str]:
    """A run of so many recorded steps in an archive of its own, made once."""
    root = folder / f"steps-{STEPS}" / "archive"
    if not root.exists():
        root.parent.mkdir()
        run_page.record(run_page.made(root.parent, SOURCES), STEPS)
    workspace = open_workspace(root)
    return workspace, workspace.run_names()[0]


@dataclass(frozen=True, slots=True)
class Server:
    """A server in a process of its own."""

    address: str
    process: int

    def home(self, workspace: Workspace) -> str:
        """The page of one of its archives."""
        return f"{self.address}archives/{workspace.root.name}"

    def memory(self) -> tuple[float, float]:
        """Its own memory and the files of the archive that it has mapped, which any program may share, in MB."""
        lines = Path(f"/proc/{self.process}/status").read_text(encoding="utf-8").splitlines()
        held = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines if line.startswith("Rss")}
        return held["RssAnon"], held["RssFile"]

    def worked(self) -> float:
        """The seconds of processor time that it took until now."""
        fields = Path(f"/proc/{self.process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def served(*archives: Workspace) -> Iterator[Server]:
    """A server of archives, once it answers."""
    roots = [str(one.root) for one in archives]
    command = [sys.executable, "-m", "vestigia.cli", "serve", *roots, "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603  ours
        server = Server((process.stdout.readline() if process.stdout else "").split()[3], process.pid)
        try:
            httpx2.get(f"{server.address}ready", timeout=60).raise_for_status()
            time.sleep(WARM)  # what the first visitor would wait for is made ready beside
            yield server
        finally:
            process.terminate()


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
        """Work: look, think, look again; nobody begins at the same moment."""
        time.sleep(self.chance.uniform(0, THINKING[1]))
        self._timed("archive", lambda: self.client.get(self.home))
        while time.monotonic() < self.until:
            if self.asks:
                self._ask()
            else:
                self.chance.choices((self._search, self._source, self._triage), (5, 3, 2))[0]()
            time.sleep(self.chance.uniform(*THINKING))

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
        while True:
            if answer is None or time.monotonic() > self.until:
                return
            time.sleep(LOOKING)
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


@dataclass(frozen=True, slots=True)
class Alone:
    """Medians with nobody else there, in seconds: of the clock, and of the processor (means)."""

    engine: float
    page: float
    engine_worked: float
    page_worked: float
    opened: float
    opened_worked: float
    painted: float | None


def alone(workspace: Workspace, server: Server, steps: tuple[Workspace, str]) -> Alone:
    """A search by the engine and its page, in turn; then the long run, opened for the first time, and first paint."""
    engine, shown, by_engine, by_server = [], [], 0.0, 0.0
    home, (other, run) = server.home(workspace), steps
    with httpx2.Client(timeout=60) as client, closing(workspace.catalogue()) as catalogue:
        opened = open_index(workspace, catalogue)
        for number, words in enumerate(queries(ALONE + 2, seed=99)):
            began, at_work = time.perf_counter(), time.process_time()
            search(workspace, Question(words), "fused", DEEP, opening=lambda *_: opened)
            engine.append(time.perf_counter() - began)
            engine_worked, before = time.process_time() - at_work, server.worked()
            began = time.perf_counter()
            client.get(f"{home}/search?{urlencode({'q': words})}").raise_for_status()
            shown.append(time.perf_counter() - began)
            if number > 1:
                by_engine, by_server = by_engine + engine_worked, by_server + server.worked() - before
        began, before = time.perf_counter(), server.worked()
        client.get(f"{server.home(other)}/runs/{run}").raise_for_status()
        took = time.perf_counter() - began, server.worked() - before
    worked = by_engine / ALONE, by_server / ALONE
    return Alone(median(engine[2:]), median(shown[2:]), *worked, *took, first_paint(home))


def first_paint(home: str) -> float | None:
    """Median seconds until Chromium shows the first words of a search; None where it is not installed."""
    if not CHROMIUM.exists():
        return None
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  a load can be measured without it

    script = "performance.getEntriesByName('first-contentful-paint').map(one => one.startTime)[0]"
    painted = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        for words in queries(7, seed=23):
            page = browser.new_page()
            page.goto(f"{home}/search?{urlencode({'q': words})}")
            while (took := page.evaluate(script)) is None:
                page.wait_for_timeout(20)
            painted.append(float(took) / 1000)
            page.close()
        browser.close()
    return median(painted)


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
        workspace, steps = made(folder, asked.passages), long_run(folder)
        triage = to_triage(workspace, queries(1, seed=5)[0])
        with served(workspace, steps[0]) as server:
            at_rest = alone(workspace, server, steps)
            busy = os.getloadavg()[0]
            print(f"{status(workspace).passages:,} passages; {os.cpu_count()} cores, load {busy:.1f} before.\n")
            print_alone(at_rest)
            loaded(server, workspace, triage, asked, at_rest.engine)


def print_alone(found: Alone) -> None:
    """What is asked of a server with one visitor."""
    page_aim, painted = min(0.3, found.engine + 0.1), found.painted
    print("| with nobody else there | ms | times the engine | aim, ms |\n|---|---:|---:|---:|")
    print(f"| engine, a search of {DEEP} documents | {found.engine * 1000:.0f} | 1 | |")
    print(
        f"| search page, median | {found.page * 1000:.0f} | {found.page / found.engine:.1f} | {page_aim * 1000:.0f} |"
    )
    print(f"| engine, processor time | {found.engine_worked * 1000:.0f} | 1 | |")
    ratio = found.page_worked / found.engine_worked
    print(f"| search page, processor time | {found.page_worked * 1000:.0f} | {ratio:.1f} | |")
    shown = (
        "not measured: no Chromium | " if painted is None else f"{painted * 1000:.0f} | {painted / found.engine:.1f}"
    )
    print(f"| first paint of a search | {shown} | 1000 |")
    ratio = found.opened / found.engine
    print(f"| a run of {STEPS:,} steps, first opened | {found.opened * 1000:.0f} | {ratio:.1f} | 1000 |")
    ratio = found.opened_worked / found.engine_worked
    print(f"| the same, processor time | {found.opened_worked * 1000:.0f} | {ratio:.1f} | |\n")


def loaded(
    server: Server, workspace: Workspace, triage: tuple[str, list[str]], asked: argparse.Namespace, engine: float
) -> None:
    """Let the researchers work, and print what they met."""
    words, before = queries(1000, seed=17), server.worked()
    until = time.monotonic() + asked.seconds
    people = [Researcher(n, server.home(workspace), triage, words, until) for n in range(asked.researchers)]
    for one in people:
        one.start()
    memory = []
    while any(one.is_alive() for one in people):
        memory.append(server.memory())
        time.sleep(min(SAMPLES, asked.seconds / 4))
    times: Times = defaultdict(list)
    for one in people:
        for kind, took in one.times.items():
            times[kind] += took
    times["all pages"] = [took for all_of_kind in times.values() for took in all_of_kind]
    errors = [error for one in people for error in one.errors]
    print(
        f"| {asked.researchers} researchers, {asked.seconds:.0f} s | pages | median, ms | 95 %, ms | times the engine |"
    )
    print("|---|---:|---:|---:|---:|")
    for kind, took in sorted(times.items(), key=lambda one: (one[0] == "all pages", one[0])):
        shown = f"{median(took) * 1000:.0f} | {late(took) * 1000:.0f} | {median(took) / engine:.1f}"
        print(f"| {kind} | {len(took)} | {shown} |")
    share = (server.worked() - before) / asked.seconds
    print(f"\nErrors: {len(errors)}. The server took {share:.2f} of one core.")
    print(*sorted(set(errors))[:5], sep="\n")
    own, mapped = [one for one, _ in memory], memory[-1][1]
    settled = own[len(own) // 2 :]
    half = len(settled) // 2
    print(
        f"Own memory in MB every {SAMPLES:.0f} s: {' '.join(f'{one:.0f}' for one in own)}; files mapped: {mapped:.0f}."
    )
    print(f"Third and last quarter: {median(settled[:half] or settled):.0f}, {median(settled[half:]):.0f}.")


if __name__ == "__main__":
    main()
