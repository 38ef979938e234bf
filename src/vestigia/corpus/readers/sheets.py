"""A page as a METS file needs it: with the ids by which it names parts of the page."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from vestigia.corpus.readers.pages import Line, Page, Region


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page and what else its file says.

    `parts` gives for the id of a block, line or word the numbers of its lines, counted through the page in reading
    order; `language` is two letters or empty, `unit` the unit of the boxes, `notes` what the report must tell.
    """

    page: Page
    parts: Mapping[str, range] = field(default_factory=dict)
    language: str = ""
    unit: str = "pixel"
    notes: tuple[str, ...] = ()

    def placed(self) -> list[tuple[Region, Line]]:
        """Return the lines in reading order, each with its region: `parts` counts them so."""
        return [(region, line) for region in self.page.regions for line in region.lines]

    @property
    def has_text(self) -> bool:
        """Whether any line holds more than white space."""
        return any(line.text.strip() for _, line in self.placed())


def by_region(page: Page, notes: tuple[str, ...] = ()) -> Sheet:
    """Make a sheet of a page whose regions alone have ids (PAGE)."""
    parts: dict[str, range] = {}
    at = 0
    for region in page.regions:
        parts.setdefault(region.name, range(at, at + len(region.lines)))
        at += len(region.lines)
    return Sheet(page, parts, notes=notes)


def number(written: str | None) -> float | None:
    """Return a finite number as XML writes it, or none."""
    try:
        read = float(written or "")
    except ValueError:
        return None
    return read if math.isfinite(read) and abs(read) < 1e9 else None
