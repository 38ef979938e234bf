"""A source held in memory."""

import io
from dataclasses import dataclass
from typing import BinaryIO


@dataclass(frozen=True)
class MemorySource:
    """Bytes with a file's name."""

    name: str
    content: bytes
    siblings: tuple["MemorySource", ...] = ()

    def open(self) -> BinaryIO:
        """Open it from the beginning."""
        return io.BytesIO(self.content)

    def sibling(self, path: str) -> "MemorySource | None":
        """Another of the sources given along, by its name."""
        return next((one for one in self.siblings if one.name == path), None)


def source(name: str, content: str | bytes) -> MemorySource:
    """Make a source; text is encoded as UTF-8."""
    return MemorySource(name, content.encode() if isinstance(content, str) else content)
