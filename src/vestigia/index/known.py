"""Which words do not stand in the archive, without asking the engine: most forms of a word that a search tries do not.

Each word sets one bit of many. A word whose bit is not set is not there; one whose bit is set may be there. Words that
are gone may keep their bit until the next commit.
"""

from collections.abc import Iterable
from pathlib import Path
from zlib import crc32

import numpy as np

from vestigia.index.durable import write_file

FILE = "known.bits"
_BITS_A_WORD = 16
"""So about one word in sixteen that is not there is asked for in vain."""
_LEAST_BITS = 1024


class Known:
    """The bits of the words of a generation: a power of two of them, eight a byte."""

    def __init__(self, bits: bytes) -> None:
        if not bits or len(bits) & (len(bits) - 1):
            raise ValueError("the bits of the known words are not whole")
        self._bits = bits
        self._mask = 8 * len(bits) - 1

    @classmethod
    def of(cls, words: Iterable[str]) -> "Known":
        """Set the bits of some words."""
        numbers = np.fromiter(map(_number, words), np.uint32)
        size = max(_LEAST_BITS, 1 << (_BITS_A_WORD * len(numbers)).bit_length())
        bits = np.zeros(size, bool)
        bits[numbers & np.uint32(size - 1)] = True
        return cls(np.packbits(bits, bitorder="little").tobytes())

    @classmethod
    def load(cls, folder: Path) -> "Known":
        """Read the bits of a generation. Raises OSError or ValueError when they are not there or damaged."""
        return cls((folder / FILE).read_bytes())

    def save(self, folder: Path) -> None:
        """Write the bits into a generation's folder."""
        write_file(folder / FILE, self._write)

    def _write(self, path: Path) -> None:
        path.write_bytes(self._bits)

    def among(self, words: Iterable[str]) -> list[str]:
        """Return those of the words that may stand in the archive, in their order; the others certainly do not."""
        bits, mask = self._bits, self._mask
        return [word for word in words if bits[(place := _number(word) & mask) >> 3] >> (place & 7) & 1]


def _number(word: str) -> int:
    return crc32(word.encode("utf-8", "surrogatepass"))
