"""A run asked for in the browser while its server is killed, and the next one told to end: nothing lost, nothing twice.

A real server in a process of its own, a model server that answers only when it is let through.
"""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import httpx
import pytest

from fakes.servers import KEY, Call, Server, diligent, serving
from vestigia.app.archive import add
from vestigia.app.workspace import Workspace, init, open_workspace
from vestigia.corpus.importing import ImportOptions
from vestigia.ledger.log import FileLedger
from vestigia.web.security import SESSION, token_of

LETTERS = [
    {"id": "V1", "text": "Die Brücke über die Alzette wurde gesprengt.", "date": "1887-03-11"},
    {"id": "V2", "text": "Der Gemeinderat beschließt den Bau einer neuen Brücke.", "date": "1887-05-02"},
]
PATIENCE = 60
"""Seconds after which something that should come has not come."""


class Gates:
    """A model that stands still at the calls named, once each, until it is told that its asker is gone."""

    def __init__(self, *stops: int) -> None:
        self.calls = 0
        self.at = {stop: (Event(), Event()) for stop in stops}

    def __call__(self, call: Call):
        self.calls += 1
        if self.calls in self.at:
            reached, opened = self.at[self.calls]
            reached.set()
            assert opened.wait(PATIENCE)
        return diligent(call)

    def reached(self, stop: int) -> None:
        assert self.at[stop][0].wait(PATIENCE), f"call {stop} never came"

    def open(self, stop: int) -> None:
        self.at[stop][1].set()


@contextmanager
def server(root: Path) -> Iterator[tuple[subprocess.Popen, str]]:
    """A server at an archive, and its address; it is killed at the end where it still runs."""
    command = [sys.executable, "-m", "vestigia.cli", "serve", str(root), "--port", "0", "--no-browser"]
    environment = {**os.environ, "FAKE_KEY": KEY, "PYTHONUNBUFFERED": "1", "NO_COLOR": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment) as it:
        try:
            assert it.stdout is not None
            said = it.stdout.readline()
            found = re.search(r"http://\S+", said)
            assert found, said
            yield it, found[0].rstrip("/")
        finally:
            it.kill()


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[tuple[Workspace, Server, Gates]]:
    """Two letters, searched by words and characters, answered by a model that stops at its 2nd and 4th call."""
    gates = Gates(2, 4)
    made = init(tmp_path / "archive")
    with serving(gates) as model:
        line = f'fake = {{ model = "compatible/m1", base_url = "{model.address()}", key = "FAKE_KEY", window = 64000 }}'
        settings = f'[search]\nencoders = []\n\n[ask]\nmodel = "fake"\n\n[models]\n{line}\n'
        (made.root / "vestigia.toml").write_text(settings, encoding="utf-8")
        made = open_workspace(made.root)
        letters = tmp_path / "letters.jsonl"
        letters.write_text("".join(json.dumps(one) + "\n" for one in LETTERS), encoding="utf-8")
        add(made, [letters], ImportOptions(sub_corpus="Letters"))
        yield made, model, gates
        for stop in gates.at:
            gates.open(stop)


def ask(address: str) -> str:
    """Ask as a page does, and return the name of the run."""
    with httpx.Client(base_url=address, timeout=PATIENCE) as browser:
        browser.get("/")
        fields = {"csrf": token_of(browser.cookies[SESSION]), "q": "Was geschah mit der Brücke?", "chosen": "true"}
        answer = browser.post("/archives/archive/ask", data=fields)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"].rsplit("/", 1)[1]


def finished(address: str, run: str) -> None:
    """Wait until a run is finished, by its stream: the one that a page has."""
    where = f"{address}/archives/archive/runs/{run}"
    with httpx.stream("GET", f"{where}/stream", timeout=PATIENCE) as stream:
        numbers = [int(line[4:]) for line in stream.iter_lines() if line.startswith("id: ")]
    assert numbers == list(range(len(numbers)))
    assert httpx.get(f"{where}.json", timeout=PATIENCE).json()["standing"]["state"] == "finished"


def record(workspace: Workspace, run: str) -> list[tuple[str, str]]:
    """What a record says, without times."""
    entries = FileLedger.read(workspace.runs, workspace.run(run)).entries()[1:]
    return [(entry.actor, re.sub(r"seconds=[\d.e-]+", "", repr(entry.body))) for entry in entries]


def test_a_run_outlives_a_server_that_is_killed_and_one_that_is_told_to_end(archive):
    workspace, _, gates = archive
    with server(workspace.root) as (process, address):
        run = ask(address)
        gates.reached(2)
        process.kill()
        process.wait()
    gates.open(2)
    cut = record(workspace, run)
    with server(workspace.root) as (process, address):
        gates.reached(4)
        with httpx.stream("GET", f"{address}/archives/archive/runs/{run}/stream", timeout=PATIENCE) as stream:
            next(stream.iter_lines())  # a page looks on: that must not keep the server from ending
            process.send_signal(signal.SIGTERM)
            gates.open(4)
            assert process.wait(PATIENCE) in {0, -signal.SIGTERM}
    left = record(workspace, run)
    assert left[: len(cut)] == cut
    with server(workspace.root) as (process, address):
        finished(address, run)
        calls = gates.calls
        undisturbed = ask(address)
        finished(address, undisturbed)
    assert record(workspace, run) == record(workspace, undisturbed)
    assert record(workspace, run)[: len(left)] == left
    assert calls == (gates.calls - calls) + 1, "only the call that was in hand at the kill is asked again"
