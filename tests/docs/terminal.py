"""A terminal at which the commands of the documents are typed as a reader would, on a machine without a network.

What is put in place of something else is put by rule: `SMALLER` numbers for what is measured, `MARKS` for the last six
characters of a run's name, which are others each time; `serve` takes any port that is free. What a reader has or does
between two commands is here, too: a password in a file, a table filled in, a model of the name `mistral`, collections.
"""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path

import httpx2
import openpyxl
from typer.testing import CliRunner

from docs.pages import ROOT, SAMPLE
from fakes.servers import diligent, serving
from vestigia.cli.commands import app

MARKS = {"92f3df": "survey", "1c22d0": "judging", "5298c3": "curation", "77ab01": "interpretation"}
"""The characters the documents show for the newest run of each kind."""
SMALLER = {
    "--documents": {"20": "2", "240": "4"},
    "--rounds": {"3": "1"},
    "--megabytes": {"100": ".1", "400": ".2"},
    "--queries": {"20": "2"},
    "": {"10000": "100", "200000": "100", "1000000": "100"},
}
"""By option, "" where there is none: numbers of a measurement, and what is typed instead."""
NOT_RUN = {
    "python3 -m pip install uv": "needs the network; CI begins with it",
    "uv run pytest": "these tests: CI is what runs them",
    "python3 -m venv vestigia": "of no use without the next one",
    'vestigia/bin/pip install "dist/vestigia-0.1.0-py3-none-any.whl[web]"': "needs the network",
    "uv build --wheel --out-dir dist": "needs the network: it fetches what builds a wheel",
    "uv run python benchmarks/serve_load.py 2000 --seconds 60": "a run of 2,000 steps and a browser: minutes",
    "uv run python benchmarks/serve_load.py 200000 --seconds 600 --folder made": "more than ten minutes",
    "docker compose up -d": "needs Docker",
    "VESTIGIA_NAME=archives.example.org docker compose --profile proxy up -d": "needs Docker",
}
"""Commands that no test types, and why; `test_every_block.py` tests each in the nearest way there is."""

COLLECTIONS = ("multihop-rag-500-en", "pec-letters-fr", "schnitzler-letters-de")
SAVED = {
    ("docs/tutorial.md", "The council heard of "): "typhoid.md",
    ("docs/historag.md", "---\nname: fear"): "archive/rubrics/fear.md",
}
"""By page and beginning: blocks that the page says to save, and where."""
ENDING = {"vestigia check-quotes typhoid.md --in vestigia-demo": 1}
"""Commands that the page says end otherwise than with 0."""


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it printed."""

    code: int
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Terminal:
    """Types commands in the folder one is in."""

    runner: CliRunner = field(default_factory=CliRunner)

    def type(self, typed: str) -> Ended:
        """Carry out a command. Raises ValueError for one of a program that is not known here."""
        program, arguments, read = understood(typed)
        if program == "python":
            return measured(tuple(smaller(arguments)))
        arguments = [self._run_of_mark(arguments[1], one) if one in MARKS else one for one in arguments]
        if arguments[0] == "serve":
            return served(arguments)
        if "--from" in arguments and arguments[0] == "curate":
            filled_in(Path(arguments[arguments.index("--from") + 1]))
        with connected(Path(arguments[1])) if "mistral" in arguments else nullcontext():
            ended = self.runner.invoke(app, arguments, input=Path(read).read_text(encoding="utf-8") if read else None)
        return Ended(ended.exit_code, ended.stdout, ended.stderr)

    def _run_of_mark(self, archive: str, mark: str) -> str:
        """The mark of the newest run of the kind that a mark in the documents stands for."""
        rows = json.loads(self.runner.invoke(app, ["runs", archive, "--json"]).stdout)
        return next(row["run"] for row in rows if row["kind"] == MARKS[mark])[-6:]


def understood(typed: str) -> tuple[str, list[str], str]:
    """The program of a command (`vestigia` or `python`), its arguments, and the file it reads, if any.

    Raises ValueError for another program.
    """
    called, _, read = re.sub(r"^uv run (?:--with \S+ )*", "", typed).partition(" < ")
    program, *arguments = shlex.split(called)
    if Path(program).name == "vestigia":
        return "vestigia", arguments, read
    if program == "python" and arguments[0].startswith("benchmarks/"):
        return "python", arguments, read
    raise ValueError(f"no test types it, and no list says why: {typed}")


@cache
def measured(arguments: tuple[str, ...]) -> Ended:
    """Run a script of `benchmarks`; what differs only in numbers that are made smaller is run once."""
    ended = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, encoding="utf-8", check=False)
    return Ended(ended.returncode, ended.stdout, ended.stderr)


def smaller(arguments: list[str]) -> list[str]:
    """The arguments of a measurement with the numbers of `SMALLER`, for each option those after it."""
    option, put = "", []
    for one in arguments:
        option = one if one.startswith("--") else option if re.fullmatch(r"[\d.]+", one) else ""
        put.append(SMALLER.get(option, {}).get(one, one))
    return put


@contextmanager
def connected(archive: Path) -> Iterator[None]:
    """Name a model `mistral` in the settings of an archive, for one command: it answers on this machine."""
    settings = archive / "vestigia.toml"
    before = settings.read_text(encoding="utf-8")
    with serving(diligent) as server:
        line = f'mistral = {{ model = "mistral/mistral-small-latest", base_url = "{server.address()}" }}'
        settings.write_text(f"{before}\n[models]\n{line}\n", encoding="utf-8")
        yield
    settings.write_text(before, encoding="utf-8")


def served(arguments: list[str]) -> Ended:
    """Start a server as said, but at any port and with no browser; look at its page, and end it as Ctrl-C does."""
    command = [sys.executable, "-m", "vestigia.cli", *arguments]
    names = [value for option, value in pairwise(arguments) if option == "--name"]
    environment = {**os.environ, "BROWSER": "true"}  # a program that opens nothing
    with subprocess.Popen(
        [*command, *([] if "--port" in arguments else ["--port", "0"])],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
    ) as process:  # fmt: skip
        assert process.stdout is not None
        line = process.stdout.readline()
        if address := re.search(r"http://\S+", line):
            for name in (None, *names):
                said = httpx2.get(
                    address[0], headers={"host": name} if name else {}, follow_redirects=False, timeout=60
                )
                assert said.status_code in {200, 303}, (name, said.status_code)
            process.send_signal(signal.SIGINT)
        printed, told = process.communicate(timeout=60)
    return Ended(process.returncode, line + printed, told)


def filled_in(table: Path) -> None:
    """Decide in a table that `curate --write` wrote, as a person does: what is not yet decided is accepted."""
    book = openpyxl.load_workbook(table)
    heads, *rows = book.active.iter_rows()
    act = [cell.value for cell in heads].index("act")
    for row in rows:
        row[act].value = row[act].value or "accept"
    book.save(table)


def prepared(folder: Path) -> None:
    """Lay out what the documents speak of: letters and tables, the scripts, a password, samples beside the checkout."""
    shutil.copytree(SAMPLE, folder, dirs_exist_ok=True)
    (folder / "benchmarks").symlink_to(ROOT / "benchmarks")
    (folder / "password.txt").write_text("ein langer Satz von mir\n", encoding="utf-8")
    speeches(folder / "inaugural-txt-en")
    for name in COLLECTIONS:
        collection(folder.parent / "shared" / "data" / name)


def speeches(folder: Path) -> None:
    """Speeches as the sample has them: a text for each, named by year and speaker."""
    folder.mkdir()
    said = {1789: "The union and the militia.", 1873: "A tariff on railroads.", 1937: "Workers want jobs.",
            1961: "Nuclear weapons.", 1997: "Jobs and the internet.", 2009: "Health care and jobs."}  # fmt: skip
    for year, text in said.items():
        (folder / f"{year}-Speaker.txt").write_text(f"Fellow citizens.\n\n{text}\n", encoding="utf-8")


def collection(folder: Path) -> None:
    """A collection of four documents and two questions, in the shape of those that are measured."""
    folder.mkdir(parents=True)
    texts = (
        "The bridge was blown up in March.",
        "The council voted a new bridge.",
        "Music was played.",
        "A fever came.",
    )
    documents = [{"id": f"D{n}", "text": text, "date": f"1887-03-1{n}"} for n, text in enumerate(texts)]
    queries = [{"id": "a", "query": "When was the bridge blown up?"}, {"id": "b", "query": "Who had a fever?"}]
    for name, records in (("docs", documents), ("queries", queries)):
        lines = "".join(f"{json.dumps(record)}\n" for record in records)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    (folder / "qrels.tsv").write_text("a\t0\tD0\t1\nb\t0\tD3\t1\n", encoding="utf-8")
