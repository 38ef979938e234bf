"""Text files: the date in the file name or in the first lines, the title in the first line or the file name."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from vestigia.corpus.dates import from_parts, read_dates
from vestigia.corpus.encodings import GUESSED, decode
from vestigia.corpus.sources import folder, named_id, read_whole, stem
from vestigia.domain.archive import Document, Provenance
from vestigia.domain.ids import digest
from vestigia.domain.periods import DatePeriod, Precision
from vestigia.domain.ports import Refused, Source

_ENDINGS = {".txt", ".text", ".md", ""}
_SEPARATED = re.compile(r"(?<!\d)(\d{4})([-_.])(\d{1,2})(?:\2(\d{1,2}))?(?!\d)")
_TOGETHER = re.compile(r"(?<!\d)(1\d{3}|20\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)")
_YEAR = re.compile(r"(?<!\d)(1\d{3}|20\d{2})(?!\d)")
_HEADING = 120
_FIRST_LINES = 10


@dataclass(frozen=True, slots=True)
class PlainReader:
    """Reads `.txt`, `.text`, `.md` and files without an ending; one file is one document."""

    @property
    def name(self) -> str:
        """`text`."""
        return "text"

    def sniff(self, name: str, head: bytes) -> bool:
        """Whether the name ends as a text's does and the content is not mark-up."""
        marked_up = head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"<?xml", b"<TEI", b"<!DOC"))
        return PurePosixPath(name).suffix.casefold() in _ENDINGS and not marked_up

    def read(self, source: Source) -> Iterator[Document | Refused]:
        """Read the one document. Raises SourceRefusedError when it is empty or its encoding is in doubt."""
        text, encoding = decode(source)
        named, problem = date_in_name(stem(source.name))
        heading = [line.strip() for line in text.split("\n") if line.strip()][:_FIRST_LINES]
        # Only lines as short as a heading: a year in running text is not the date of the text.
        headed = [replace(period, rule=f"first lines: {period.rule}") for line in heading if len(line) <= _HEADING
                  for period in read_dates(line) if period.precision is Precision.DAY or not named]
        dates = _distinct([named] if named else [], headed[:2])
        first = heading[0] if heading else ""
        title = first if len(first) <= _HEADING and re.search(r"[^\W\d_]", first) else stem(source.name)
        provenance = Provenance(source.name, "", digest(read_whole(source)), self.name)
        yield Document(named_id(source.name, 2), folder(source.name), title, text, "", provenance, dates)
        if problem:
            rest = "" if dates else "; the document goes in undated"
            yield Refused("file name", f"{problem}{rest}", kept=True)
        if encoding in GUESSED:
            yield Refused("", f"the file is not UTF-8; it was read as {encoding}", kept=True)


def date_in_name(name: str) -> tuple[DatePeriod | None, str]:
    """Return (date, problem) of a file name such as `1881-11-10`, `18870112`, `1848-02`, `1789-Washington`."""
    for pattern in (_SEPARATED, _TOGETHER, _YEAR):
        match = pattern.search(name)
        if match is None:
            continue
        numbers = [int(part) for part in match.groups() if part and part.isdigit()]
        try:
            year, month, day = (*numbers, None, None)[:3]
            period = from_parts(year or 0, month, day)
        except ValueError:
            if pattern is _TOGETHER:
                continue
            return None, f"the date {match.group()} in the file name is impossible"
        return replace(period, text=match.group(), rule=f"file name: {period.rule}"), ""
    return None, ""


def _distinct(named: list[DatePeriod], headed: list[DatePeriod]) -> tuple[DatePeriod, ...]:
    found = list(named)
    for period in headed:
        if all((period.first, period.last) != (known.first, known.last) for known in found):
            found.append(period)
    return tuple(found)
