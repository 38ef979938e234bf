"""Killed anywhere, the index is at the old batch or at the new one, and goes on from there."""

import gc
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from fakes.pairs import document
from vestigia.domain.effects import EXACT, WORDS, Scope, Search
from vestigia.domain.ids import digest
from vestigia.index import build, durable
from vestigia.index import encode as encoding
from vestigia.index.build import IndexWriter
from vestigia.index.encode import encode, missing
from vestigia.index.snapshot import Snapshot
from vestigia.models.encoders.hashing import HashingEncoder

OLD = document("a", "a bridge", "a river") + document("b", "a bridge")
NEW = document("a", "a bridge rebuilt") + document("c", "another bridge")
STEPS = [
    (Path, "replace"),
    (Path, "hardlink_to"),
    (os, "fsync"),
    (build, "share_files"),
    (build, "write_state"),
    (build.RowTable, "save"),
    (build.RowTable, "changed"),
    (durable.shutil, "copyfile"),
    (build.shutil, "rmtree"),
]


class Killed(BaseException):
    """Stands for a kill: nothing may catch it."""


def arm(monkeypatch, steps, at, after):
    """Raise Killed at the `at`-th step taken, before or after it is carried out."""
    taken = [0]

    def wrap(real):
        def step(*args, **options):
            taken[0] += 1
            mine = taken[0] == at  # a step may hold others, so it is numbered as it begins
            if mine and not after:
                raise Killed
            result = real(*args, **options)
            if mine:
                raise Killed
            return result

        return step

    for owner, name in steps:
        monkeypatch.setattr(owner, name, wrap(getattr(owner, name)))
    return taken


def write_and_die(folder, pairs, batch):
    writer = IndexWriter(folder)  # not in a `with`: a killed program closes nothing
    writer.add(pairs)
    writer.commit(batch, digest(str(batch)))
    writer.close()


def seen(folder):
    snapshot = Snapshot.open(folder)
    hits = snapshot.search(Search(WORDS, "bridge", Scope(), 10)).hits
    assert {hit.passage for hit in hits} == {
        hit.passage for hit in snapshot.search(Search(EXACT, "bridge", Scope(), 10)).hits
    }
    return snapshot.batch, sorted(hit.passage for hit in hits)


BEFORE, AFTER = (1, ["a#0-8", "b#0-8"]), (2, ["a#0-16", "b#0-8", "c#0-14"])


@pytest.mark.parametrize("after", [False, True])
def test_a_commit_killed_at_any_step_is_old_or_new_and_can_be_done_again(tmp_path, monkeypatch, after):
    outcomes = []
    for at in range(1, 200):
        folder = tmp_path / str(at)
        write_and_die(folder, OLD, 1)
        with monkeypatch.context() as patch:
            taken = arm(patch, STEPS, at, after)
            try:
                write_and_die(folder, NEW, 2)
                killed = False
            except Killed:
                killed = True
        gc.collect()  # lets go of the lock, as the operating system does for a killed process
        outcomes.append(seen(folder))
        assert outcomes[-1] in (BEFORE, AFTER)
        write_and_die(folder, NEW, 2)
        assert seen(folder) == AFTER
        if not killed:
            break
    assert taken[0] == at - 1 > 10
    assert BEFORE in outcomes
    assert outcomes[-1] == AFTER
    if not after:
        assert outcomes == sorted(outcomes), "once new, no later kill brings the old back"


class InAServer(HashingEncoder):
    """One that has to be known again by a sentence."""

    server = "http://localhost:1"


@pytest.mark.parametrize("encoder", [HashingEncoder(), InAServer()], ids=["here", "in a server"])
@pytest.mark.parametrize("after", [False, True])
def test_encoding_killed_at_any_step_keeps_what_it_had_and_goes_on(tmp_path, monkeypatch, after, encoder):
    steps = [(Path, "replace"), (Path, "unlink"), (os, "fsync")]
    monkeypatch.setattr(encoding, "BATCH", 1)
    for at in range(1, 100):
        folder = tmp_path / str(at)
        write_and_die(folder, OLD, 1)
        with monkeypatch.context() as patch:
            arm(patch, steps, at, after)
            try:
                encode(folder, encoder, OLD)
                killed = False
            except Killed:
                killed = True
        gc.collect()
        assert len(missing(folder, encoder)) <= 3
        Snapshot.open(folder, [encoder]).search(Search("meaning:hashing", "bridge", Scope(), 5))
        encode(folder, encoder, OLD)
        assert missing(folder, encoder) == ()
        hits = Snapshot.open(folder, [encoder]).search(Search("meaning:hashing", "a river", Scope(), 5)).hits
        assert hits[0].passage == "a#9-16"
        if not killed:
            break
    assert not killed
    assert at > 8


@pytest.mark.slow
def test_a_writer_killed_by_the_system_leaves_whole_batches(tmp_path):
    code = textwrap.dedent("""
        import sys; from pathlib import Path; sys.path.insert(0, sys.argv[2])
        from fakes.pairs import document
        from vestigia.domain.ids import digest
        from vestigia.index.build import IndexWriter
        with IndexWriter(Path(sys.argv[1])) as writer:
            first = writer.state.batch + 1 if writer.state else 1
            for batch in range(first, 10_000):
                for n in range(20):
                    writer.add(document(f"d{batch:05}-{n:02}", "a bridge " * 20, "a river " * 20))
                writer.commit(batch, digest(str(batch)))
                print(batch, flush=True)
    """)
    tests = str(Path(__file__).parents[1])
    last = 0
    for delay in (0.05, 0.3, 0.11, 0.02, 0.23):
        command = [sys.executable, "-c", code, str(tmp_path), tests]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        first = process.stdout.readline()
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        acknowledged = int([first, *process.stdout.read().split()][-1])
        process.wait()
        process.stdout.close()
        snapshot = Snapshot.open(tmp_path)
        assert snapshot.batch >= acknowledged > last
        hits = snapshot.search(Search(WORDS, "bridge", Scope(), 1_000_000)).hits
        assert len(hits) == 20 * snapshot.batch
        last = acknowledged
