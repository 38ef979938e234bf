"""What file names say, by patterns of the user's: `{title}_{year}-{month}-{day}_{issue}`.

A pattern is held against the end of the path, the ending left off: as many folders count as it has slashes. `*` stands
for anything. A part that is none of the known fields (`{issue}`, `{page}`) becomes a detail of the document.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Protocol, runtime_checkable

from vestigia.corpus.dates import read_date
from vestigia.corpus.readers.dating import Stated, read_stated
from vestigia.domain.errors import UsageError
from vestigia.domain.periods import DatePeriod
from vestigia.domain.ports import Reader

_NUMBERS = {"year": r"\d{4}", "month": r"\d{1,2}", "day": r"\d{1,2}"}
_DATES = ("date", *_NUMBERS)
FIELDS = ("id", "title", *_DATES, "sub_corpus", "language")
"""The parts of a name that are more than a detail."""

_PART = re.compile(r"\{([^{}]*)\}|(\*)|([^{}*]+)|([{}])")


@dataclass(frozen=True, slots=True)
class NamePattern:
    """A pattern as the user wrote it, and as it is matched."""

    written: str
    expression: re.Pattern[str]

    def read(self, name: str) -> Mapping[str, str] | None:
        """Return field -> text of a path that fits the pattern, or None for one that does not."""
        path = PurePosixPath(name)
        parts = self.written.count("/") + 1
        found = self.expression.fullmatch("/".join([*path.parts[:-1], path.stem][-parts:]))
        return {field: text.strip() for field, text in found.groupdict().items()} if found else None


@runtime_checkable
class Nameable(Protocol):
    """A reader that can be told what file names say."""

    def with_name_patterns(self, patterns: Sequence[NamePattern]) -> Reader:
        """Return the reader with the user's patterns, which are tried in their order."""
        ...


def name_pattern(written: str) -> NamePattern:
    """Read a pattern. Raises UsageError when it has no field, one twice, or braces that do not close."""
    expression, fields = "", []
    for field, anything, literal, stray in _PART.findall(written):
        if stray or (not anything and not literal and not field.isidentifier()):
            raise _wrong(written, f"has {'a brace alone' if stray else f'{{{field}}}, which is no name of a field'}")
        if field in fields:
            raise _wrong(written, f"has {{{field}}} twice")
        if field:
            fields.append(field)
            expression += f"(?P<{field}>{_NUMBERS.get(field, '[^/]+?')})"
        else:
            expression += "[^/]*" if anything else re.escape(literal)
    if not fields:
        raise _wrong(written, "has no field")
    for finer, coarser in (("day", "month"), ("month", "year")):
        if finer in fields and coarser not in fields:
            raise _wrong(written, f"has {{{finer}}} but no {{{coarser}}}")
    return NamePattern(written, re.compile(expression))


def _wrong(written: str, what: str) -> UsageError:
    return UsageError(
        f"the name pattern {written!r} {what}.",
        where="name pattern",
        remedy="Write it like {title}_{year}-{month}-{day}_{issue}.",
    )


def read_name(patterns: Sequence[NamePattern], name: str) -> Mapping[str, str] | None:
    """Return what the first pattern that a path fits says of it, or None when none does."""
    return next((found for pattern in patterns if (found := pattern.read(name)) is not None), None)


def date_of_name(named: Mapping[str, str]) -> tuple[DatePeriod | None, str]:
    """Return (date, problem) of what a pattern found in a file name."""
    written = {field: named[field] for field in _DATES if field in named}
    if not written:
        return None, ""
    if "date" in written:  # words of a file name are joined by signs that no date has
        plain = re.sub(r"[_.]+", " ", written["date"])
        written["date"] = written["date"] if read_date(written["date"]) else plain
    dates, problems = read_stated(Stated(**written))
    period = replace(dates[0], rule=f"file name: {dates[0].rule}") if dates else None
    return period, "; ".join(problems)
