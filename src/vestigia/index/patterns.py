"""Regular expressions over raw text, in a process of their own: one that never comes to an end is stopped."""

import json
import re
import subprocess
import sys
import warnings
from collections.abc import Iterable
from itertools import islice

from vestigia.domain.errors import UsageError

SECONDS = 10.0
"""What a pattern may take over so many passages."""
BATCH = 20_000
_PROGRAM = """
import json, re, sys
pattern = re.compile(json.loads(sys.stdin.readline()))
print(json.dumps([sum(1 for found in pattern.finditer(json.loads(line)) if found.group()) for line in sys.stdin]))
"""
_BRANCHING = re.compile(r"[|(){]")
_PLAIN = re.compile(r"(?P<run>[^\\.^$*+?\[\]]+)(?P<optional>[*+?]?)|\\.[*+?]*|\[\^?\]?[^\]]*\][*+?]*|.", re.DOTALL)


def count_pattern(pattern: str, texts: Iterable[str], seconds: float = SECONDS) -> list[int]:
    """Return how often a pattern is found in each text; finding nothing at all (an empty stretch) does not count.

    Raises UsageError for a pattern that cannot be read or is not done after so many seconds.
    """
    try:
        with warnings.catch_warnings(action="ignore"):  # of what a later Python may read otherwise
            re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as problem:
        raise _unreadable(pattern, problem) from problem
    counts, rest = list[int](), iter(texts)
    while batch := list(islice(rest, BATCH)):
        counts += _counted(pattern, batch, seconds)
    return counts


def _counted(pattern: str, texts: list[str], seconds: float) -> list[int]:
    lines = "\n".join(map(json.dumps, (pattern, *texts)))
    try:
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-I", "-c", _PROGRAM],
            input=lines,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=True,
        )
    except subprocess.TimeoutExpired as problem:
        raise UsageError(
            f"the pattern {pattern!r} was not done after {seconds:g} seconds.",
            remedy="Write it with three letters in a row that must stand there, avoid repetitions inside "
            "repetitions, or narrow the search by sub-corpus or period.",
        ) from problem
    except subprocess.CalledProcessError as problem:
        raise UsageError(
            f"the pattern {pattern!r} could not be searched ({problem.stderr.strip()[-200:]}).",
            remedy="Write it in a simpler way.",
        ) from problem
    counted: list[int] = json.loads(done.stdout)
    return counted


def literals(pattern: str) -> tuple[str, ...]:
    """Return stretches of at least three characters that every match holds; none for a pattern with alternatives."""
    if _BRANCHING.search(pattern):
        return ()
    runs = [
        match["run"][:-1] if match["optional"] else match["run"] for match in _PLAIN.finditer(pattern) if match["run"]
    ]
    return tuple(run for run in runs if len(run) >= 3)


def _unreadable(pattern: str, problem: Exception) -> UsageError:
    at = getattr(problem, "pos", None)
    line = "".join(" " if letter.isspace() else letter for letter in pattern)
    shown = f"\n    {line}\n    {' ' * at}^\n" if isinstance(at, int) else ""
    said = getattr(problem, "msg", str(problem))
    return UsageError(
        f"the pattern cannot be read: {said}.{shown}",
        remedy="Write a regular expression as Python has them; \\ before a sign makes it plain.",
    )
