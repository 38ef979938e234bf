"""Processes of their own for encoders that can crash or should use every core: both sides of the pipe.

The other side is a module run with `python -m`. It writes one line of JSON when it is ready; then it reads one line
of JSON (`kind`, `texts`) at a time and answers with one line of JSON: `rows`, followed by that many float32 vectors,
or `problem`. It ends when its input ends, so it never outlives this program.
"""

import json
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from vestigia.domain.errors import ModelUnavailableError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PATIENCE = 120.0
"""Seconds a batch may take before the worker is taken for hung."""


class NotStartedError(ModelUnavailableError):
    """Here no process can be started for an encoder."""


class Workers:
    """Several workers that share the texts of a call. They start with the first text and end with the program."""

    def __init__(self, number: int, module: str, dimension: int, called: str) -> None:
        self.workers = [Worker(module, dimension, called) for _ in range(number)]
        self._dimension = dimension
        self._finalizer = weakref.finalize(self, _close_all, self.workers)

    def encode(self, texts: Sequence[str], kind: str, at_once: int) -> "NDArray[np.float32]":
        """Return float32 of shape (len(texts), dimension); a worker gets `at_once` texts at a time.

        Raises ModelUnavailableError when a worker fails.
        """
        out = np.zeros((len(texts), self._dimension), np.float32)
        batches = [slice(begin, begin + at_once) for begin in range(0, len(texts), at_once)]

        def work(turn: int) -> None:
            for batch in batches[turn :: len(self.workers)]:
                out[batch] = self.workers[turn].encode(texts[batch], kind)

        if len(batches) == 1:
            work(0)
        elif batches:
            with ThreadPoolExecutor(len(self.workers)) as threads:
                list(threads.map(work, range(len(self.workers))))
        return out

    def close(self) -> None:
        """End the processes. The next text starts new ones."""
        _close_all(self.workers)


def serve(encode: Callable[[list[str], str], Any], asked: BinaryIO, answers: BinaryIO) -> None:
    """Be the far side: say that all is ready, then answer until the input ends."""
    answers.write(json.dumps({"ready": True}).encode() + b"\n")
    answers.flush()
    for line in asked:
        request = json.loads(line)
        rows = np.asarray(encode(request["texts"], request["kind"]), "<f4")
        answers.write(json.dumps({"rows": len(rows)}).encode() + b"\n" + rows.tobytes())
        answers.flush()


def _close_all(workers: list["Worker"]) -> None:
    for worker in workers:
        worker.close()


class Worker:
    """Starts with the first text; after a crash the next text starts a new one. One caller at a time."""

    def __init__(self, module: str, dimension: int, called: str, patience: float = _PATIENCE) -> None:
        # -P: a file of the researcher's folder that is called like a module must not be taken for it.
        self._command = (sys.executable or "python3", "-P", "-m", module)
        self._dimension = dimension
        self._called = called
        self._patience = patience
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = threading.Lock()

    def encode(self, texts: Sequence[str], kind: str) -> "NDArray[np.float32]":
        """Return float32 of shape (len(texts), dimension). Raises ModelUnavailableError when the worker fails."""
        with self._turn:
            process = self._process or self._start()
            watch = threading.Timer(self._patience, process.kill)
            watch.start()
            try:
                if process is not self._process:
                    self._process = process
                    self._await(process)
                return self._exchange(process, json.dumps({"kind": kind, "texts": list(texts)}), len(texts))
            finally:
                watch.cancel()

    def close(self) -> None:
        """End the process, if there is one."""
        with self._turn:
            self._stop()

    def _start(self) -> "subprocess.Popen[bytes]":
        try:
            return subprocess.Popen(  # noqa: S603
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )  # (the command is our own module)
        except OSError as problem:
            raise NotStartedError(
                f"{self._called} could not be started ({problem}).",
                remedy="Search without it, or with the encoder `universal`.",
            ) from problem

    def _await(self, process: "subprocess.Popen[bytes]") -> None:
        """Wait until it is ready."""
        try:
            self._answer(process)
        except ModelUnavailableError as problem:
            raise NotStartedError(problem.what, remedy=problem.remedy) from problem

    def _exchange(self, process: "subprocess.Popen[bytes]", request: str, rows: int) -> "NDArray[np.float32]":
        assert process.stdin is not None  # noqa: S101  (both pipes were asked for)
        assert process.stdout is not None  # noqa: S101
        try:
            process.stdin.write(request.encode("ascii") + b"\n")
            process.stdin.flush()
        except OSError as problem:
            raise self._died(process) from problem
        answered = self._answer(process).get("rows")
        content = process.stdout.read(rows * self._dimension * 4) if answered == rows else b""
        if answered != rows or len(content) < rows * self._dimension * 4:
            raise self._died(process)
        return np.frombuffer(content, "<f4").reshape(rows, self._dimension)

    def _answer(self, process: "subprocess.Popen[bytes]") -> dict[str, Any]:
        assert process.stdout is not None  # noqa: S101
        line = process.stdout.readline()
        if not line.endswith(b"\n"):
            raise self._died(process)
        answer: dict[str, Any] = json.loads(line)
        if "problem" in answer:
            self._stop()
            raise ModelUnavailableError(
                f"{self._called} failed: {answer['problem']}",
                remedy="Search without it, or with the encoder `universal`.",
            )
        return answer

    def _died(self, process: "subprocess.Popen[bytes]") -> ModelUnavailableError:
        process.kill()
        code = process.wait()
        self._stop()
        return ModelUnavailableError(
            f"the process of {self._called} ended with code {code} instead of answering.",
            remedy="Nothing is lost: try again, or search with the encoder `universal`.",
        )

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # what was still to be written has no reader any more
                    continue
