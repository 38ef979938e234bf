"""How a reader understands a file before anything of it goes in: what a preview shows."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from vestigia.domain.ports import Source


@dataclass(frozen=True, slots=True)
class Layout:
    """What was found out about a file, or about one sheet of it (`part`); what does not apply is empty.

    `columns` are pairs of column and field, in the order of the file; a column that is nothing else is a detail.
    """

    part: str = ""
    encoding: str = ""
    delimiter: str = ""
    columns: tuple[tuple[str, str], ...] = ()


@runtime_checkable
class Explains(Protocol):
    """A reader that can say how it understands a file."""

    def layouts(self, source: Source) -> tuple[Layout, ...]:
        """Return what it finds out. Raises SourceRefusedError when nothing of the file can be read."""
        ...
