"""An encoder that needs no model: words hashed into a few dimensions. For tests and for measuring against."""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from vestigia.domain.ids import Digest, digest
from vestigia.domain.text import words
from vestigia.models.encoders.cleaning import CLEANING, clean

if TYPE_CHECKING:
    from numpy.typing import NDArray


class HashingEncoder:
    """Texts that share words are near; nothing else is known. The same everywhere, always."""

    def __init__(self, dimension: int = 64, name: str = "hashing") -> None:
        self._dimension = dimension
        self._name = name

    @property
    def name(self) -> str:
        """Its name in the channel."""
        return self._name

    @property
    def fingerprint(self) -> Digest:
        """Digest of the dimension and the cleaning."""
        return digest(f"hashing 1, {self._dimension} dimensions, cleaning {CLEANING}")

    def encode(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> "NDArray[np.float32]":  # noqa: ARG002
        """Return float32 of shape (len(texts), dimension); rows have length 1, or 0 for a text without a word."""
        out = np.zeros((len(texts), self._dimension), np.float32)
        for number, text in enumerate(texts):
            for word in words(clean(text)):
                place = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big")
                out[number, place % self._dimension] += 1.0 if place >> 63 else -1.0
            length = float(np.linalg.norm(out[number]))
            if length:
                out[number] /= length
        return out
