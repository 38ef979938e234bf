"""Kill a run at random moments and resume it: `uv run python scripts/kill_and_resume.py ARCHIVE QUESTION`.

Asks the question once undisturbed, then again and again, each time ended by `kill -9` somewhere between the run's first
and last entry and carried on by `vestigia resume`. Prints a table; exits 1 when any ranking or ledger differs.

What is compared: the ranking as `--json` prints it, and of every entry its body and its actor. Left out are what must
differ between two runs: times, the seconds an answer took, and the digests that both go into.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

VESTIGIA = [sys.executable, "-m", "vestigia.cli"]
TRIES = 40
"""Kills that may miss the run (before its first entry, after its last) before a row is given up."""


@dataclass(frozen=True)
class Outcome:
    """What a run came to: the ranking, and the (actor, body) of each entry. `began`, `ended` in seconds after start."""

    run: str
    ranking: list[Any]
    entries: list[tuple[str, Any]]
    began: float = 0.0
    ended: float = 0.0


@dataclass(frozen=True)
class Kill:
    """A run that was cut: seconds after its start, whole entries it had then, kills that missed before."""

    run: str
    after: float
    entries: int
    missed: int


def main() -> int:
    """Compare, print, and return the exit code."""
    wanted = arguments()
    print(f"undisturbed: {' '.join(VESTIGIA[1:])} ask {wanted.archive} …", flush=True)
    whole = undisturbed(wanted.archive, wanted.question)
    span = f"first entry after {whole.began:.2f} s, last after {whole.ended:.2f} s"
    print(f"{len(whole.entries)} entries, {len(whole.ranking)} sources; {span}; seed {wanted.seed}\n")
    print(f"{'kill':>4} {'after':>8} {'entries':>8} {'missed':>7}  ranking  ledger")
    chance = random.Random(wanted.seed)  # noqa: S311  moments, not secrets
    different = 0
    for number in range(1, wanted.times + 1):
        kill = killed(wanted.archive, wanted.question, whole, chance)
        again = resumed(wanted.archive, kill.run)
        same = again.ranking == whole.ranking, again.entries == whole.entries
        different += not all(same)
        ranking, ledger = ("same" if equal else "DIFFERENT" for equal in same)
        print(f"{number:>4} {kill.after:>6.2f} s {kill.entries:>8} {kill.missed:>7}  {ranking:<8} {ledger}", flush=True)
    print(
        f"\n{wanted.times - different} of {wanted.times} as the undisturbed run. Compared: the ranking, and body and "
        "actor of every entry; not compared: times, seconds taken, and the digests they go into."
    )
    return 1 if different else 0


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n", 1)[0])
    parser.add_argument("archive", type=Path, help="an archive that holds documents")
    parser.add_argument("question")
    parser.add_argument("--times", type=int, default=10, help="how often to kill (10)")
    parser.add_argument("--seed", type=int, default=1, help="of the random moments (1)")
    return parser.parse_args()


def undisturbed(archive: Path, question: str) -> Outcome:
    """Ask once and let it end."""
    before, started = runs_of(archive), time.time()
    found = json.loads(output([*VESTIGIA, "ask", str(archive), question, "--json"]))
    (run,) = runs_of(archive) - before
    times = [datetime.fromisoformat(entry["time"]).timestamp() - started for entry in ledger_of(archive, run)]
    return Outcome(run, found["ranking"], compared(archive, run), times[0], times[-1])


def killed(archive: Path, question: str, whole: Outcome, chance: random.Random) -> Kill:
    """Ask and kill the process with signal 9 at a random moment of the run; a moment that missed is tried anew.

    A run killed before its first entry is written leaves nothing to resume: the next moment is later. One that ended
    before it was killed shows nothing: the next moment is earlier.
    """
    after = chance.uniform(whole.began, whole.ended)
    for missed in range(TRIES):
        before = runs_of(archive)
        process = subprocess.Popen([*VESTIGIA, "ask", str(archive), question, "--json"], stdout=subprocess.DEVNULL)
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
        process.wait()
        new = runs_of(archive) - before
        entries = [entry for run in new for entry in ledger_of(archive, run)]
        if not entries:
            print(f"     killed after {after:.2f} s, before the first entry: nothing to resume; later next time.")
            after += chance.uniform(0.02, 0.2) * after
        elif len(entries) == len(whole.entries):
            print(f"     after {after:.2f} s the run had ended already; earlier next time.")
            after -= chance.uniform(0.02, 0.1) * after
        else:
            return Kill(new.pop(), after, len(entries), missed)
    raise SystemExit(f"{TRIES} kills missed the run: it is too short here, ask a longer question.")


def resumed(archive: Path, run: str) -> Outcome:
    """Carry the latest run on, which must be the one that was killed."""
    found = json.loads(output([*VESTIGIA, "resume", str(archive), "last", "--json"]))
    if found["run"] != run or not found["finished"]:
        raise SystemExit(f"resumed {found['run']}, finished: {found['finished']}; expected {run} to be finished.")
    return Outcome(run, found["ranking"], compared(archive, run))


def output(command: list[str]) -> str:
    """What a command prints; its failure ends this program."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}.")
    return done.stdout


def runs_of(archive: Path) -> set[str]:
    """The runs of an archive."""
    folder = archive / "runs"
    return {path.name for path in folder.iterdir() if path.is_dir()} if folder.is_dir() else set()


def ledger_of(archive: Path, run: str) -> Iterator[dict[str, Any]]:
    """The whole entries of a run; a torn last line is passed over."""
    path = archive / "runs" / run / "ledger.jsonl"
    for line in path.read_bytes().splitlines(keepends=True) if path.exists() else []:
        if line.endswith(b"\n"):
            yield json.loads(line)


def compared(archive: Path, run: str) -> list[tuple[str, Any]]:
    """Of every entry the actor and the body."""
    return [(entry["actor"], entry["body"]) for entry in ledger_of(archive, run)]


if __name__ == "__main__":
    sys.exit(main())
