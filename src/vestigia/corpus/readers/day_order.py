"""Whether the dates of a table put the day or the month first, by those of them that can be read in one way only.

`12/03/1904` alone may be either; beside `25/12/1904` in the same table it is the 12th of March. Where the table shows
both ways, or neither, nothing is settled: such a date is then read by its language, or as the span of both readings.
"""

import re
from dataclasses import dataclass

_NUMERIC = re.compile(r"\s*(\d{1,2})([/-])(\d{1,2})\2(\d{4})\s*")
_MONTHS = 12


@dataclass(slots=True)
class DayOrder:
    """What the dates of a table show: the first of each kind as it is written.

    `applied` counts those that were settled by it, of which the first is the `example`.
    """

    seen: bool = False
    day_first: str = ""
    month_first: str = ""
    applied: int = 0
    example: str = ""

    def look(self, written: str) -> None:
        """Take a date of the table into account."""
        found = _NUMERIC.fullmatch(written)
        if found is None:
            return
        self.seen = True
        one, two = int(found[1]), int(found[3])
        if _MONTHS < one <= 31 and 1 <= two <= _MONTHS:
            self.day_first = self.day_first or written.strip()
        elif _MONTHS < two <= 31 and 1 <= one <= _MONTHS:
            self.month_first = self.month_first or written.strip()

    @property
    def is_settled(self) -> bool:
        """Whether the table shows one way and not the other."""
        return bool(self.day_first) != bool(self.month_first)

    def settled(self, written: str) -> str:
        """Return a date that may be read in two ways as ISO 8601, or nothing for any other."""
        found = _NUMERIC.fullmatch(written)
        if not self.is_settled or found is None:
            return ""
        day, month = (found[1], found[3]) if self.day_first else (found[3], found[1])
        if day == month or not (1 <= int(day) <= _MONTHS and 1 <= int(month) <= _MONTHS):
            return ""
        self.applied += 1
        self.example = self.example or written.strip()
        return f"{found[4]}-{int(month):02d}-{int(day):02d}"

    def told(self) -> str:
        """Say what was settled and why, or nothing."""
        if not self.applied:
            return ""
        first = "day" if self.day_first else "month"
        many = f"{self.applied} dates such as" if self.applied > 1 else "the date"
        return (
            f"{many} {self.example!r} may be read in two ways; the {first} is taken to stand first, "
            f"as in {self.day_first or self.month_first!r}"
        )
