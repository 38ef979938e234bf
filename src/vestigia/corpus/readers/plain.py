"""Text files: the date in the file name or in the first lines, the title in the first line or the file name.

Where the two dates differ both are kept and it is said. As a rule the name counts: who names files by date knows it,
and a newspaper's first lines hold other days. But the report of a sitting is named after the day it was printed, and a
historian asks for the day it was held: a line that says it is the sitting's date comes first.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import PurePosixPath

from vestigia.corpus.dates import ORDER_UNKNOWN, from_parts, read_date, read_dates
from vestigia.corpus.encodings import GUESSED, decode, detect
from vestigia.corpus.languages import language_code
from vestigia.corpus.readers.layout import Layout
from vestigia.corpus.readers.naming import FIELDS, NamePattern, date_of_name, read_name
from vestigia.corpus.sources import folder, named_id, read_whole, said_of, stem
from vestigia.domain.archive import Document, Provenance
from vestigia.domain.ids import DocumentId, digest
from vestigia.domain.periods import DatePeriod, Precision, label, overlaps
from vestigia.domain.ports import Reader, Refused, Source

_ENDINGS = {".txt", ".text", ".md", ""}
_SEPARATED = re.compile(r"(?<!\d)(\d{4})([-_.])(\d{1,2})(?:\2(\d{1,2}))?(?!\d)")
_TOGETHER = re.compile(r"(?<!\d)(1\d{3}|20\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)")
_YEAR = re.compile(r"(?<!\d)(1\d{3}|20\d{2})(?!\d)")
_YEARS = re.compile(r"(?<!\d)(1\d{3}|20\d{2})[-–_](1\d{3}|20\d{2})(?!\d)")
# Inside words too: OCR glues `Séancedumercredi`.
_SITTING = re.compile("s[ée]ance|audience du|sitting of|sitzung|seduta|sesión del?", re.IGNORECASE)
_HEADING = 120
_FIRST_LINES = 10


@dataclass(frozen=True, slots=True)
class PlainReader:
    """Reads `.txt`, `.text`, `.md` and files without an ending; one file is one document.

    `patterns` say what file names mean; without them a date is sought in the name.
    """

    patterns: tuple[NamePattern, ...] = ()

    @property
    def name(self) -> str:
        """`text`."""
        return "text"

    def with_name_patterns(self, patterns: Sequence[NamePattern]) -> Reader:
        """Return the reader with the user's patterns of file names."""
        return PlainReader(tuple(patterns))

    def sniff(self, name: str, head: bytes) -> bool:
        """Whether the name ends as a text's does and the content is not mark-up."""
        marked_up = head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"<?xml", b"<TEI", b"<!DOC"))
        return PurePosixPath(name).suffix.casefold() in _ENDINGS and not marked_up

    def read(self, source: Source) -> Iterator[Document | Refused]:
        """Read the one document. Raises SourceRefusedError when it is empty or its encoding is in doubt."""
        text, encoding = decode(source)
        heading = first_lines(text)
        named = read_name(self.patterns, source.name) or {}
        spoken = language_code(named.get("language", "")) or said_of(source).language
        dates, problem = stated_dates(stem(source.name), heading, named, spoken)
        title = named.get("title") or title_of(heading) or stem(source.name)
        provenance = Provenance(source.name, "", digest(read_whole(source)), self.name)
        details = tuple((part, text) for part, text in named.items() if part not in FIELDS)
        yield Document(
            DocumentId(named["id"]) if named.get("id") else named_id(source.name, 2),
            named.get("sub_corpus") or folder(source.name),
            title,
            text,
            language_code(named.get("language", "")),
            provenance,
            dates,
            details,
        )
        if problem:
            yield Refused("file name", problem, kept=True)
        if self.patterns and not named:
            yield Refused("file name", "it fits none of the name patterns; only a date was sought in it", kept=True)
        if encoding in GUESSED:
            yield Refused("", f"the file is not UTF-8; it was read as {encoding}", kept=True)

    def layouts(self, source: Source) -> tuple[Layout, ...]:
        """Return the encoding. Raises SourceRefusedError when it is in doubt."""
        return (Layout(encoding=detect(source)),)


def first_lines(text: str) -> list[str]:
    """Return the first ten lines that are not empty, in which titles and dates stand."""
    return list(islice((line.strip() for line in text.split("\n") if line.strip()), _FIRST_LINES))


def title_of(heading: list[str]) -> str:
    """Return the first of these lines if it is as short as a title and has a letter, else nothing."""
    first = heading[0] if heading else ""
    return first if len(first) <= _HEADING and re.search(r"[^\W\d_]", first) else ""


def stated_dates(
    name: str, heading: list[str], parts: Mapping[str, str] | None = None, language: str = ""
) -> tuple[tuple[DatePeriod, ...], str]:
    """Return (dates, problem) by a file's name (without ending) and its first lines, the date that counts first.

    Only lines as short as a heading are read: a year in running text is not the date of the text. `parts` are what a
    pattern found in the name; a date among them is the name's. A date of the first lines that says more exactly what
    the name says (1887, and there 12 March 1887) counts in its place.
    """
    named, problem = date_of_name(parts or {})
    if named is None and not problem:
        named, problem = date_in_name(name, language)
    headed = [
        (bool(_SITTING.search(line)), replace(period, rule=f"first lines: {period.rule}"))
        for line in heading
        if len(line) <= _HEADING
        for period in _dates(line, language)
        if period.precision is Precision.DAY or not named or _is_finer(period, named)
    ][:2]
    held = [period for sitting, period in headed if sitting and period.precision is Precision.DAY]
    finer = [period for _, period in headed if named and _is_finer(period, named)]
    stated = [*finer[:1]] or ([named] if named else [])
    dates = _distinct([*held, *stated, *(period for _, period in headed)])
    if problem:
        return dates, problem if dates else f"{problem}; the document goes in undated"
    if named and headed and not any(overlaps(named, period) for _, period in headed):
        counts = "the day of the sitting counts" if held else "that of the file name counts"
        return dates, (
            f"the file name says {label(named)}, the first lines say {headed[0][1].text!r}; both dates are "
            f"kept, {counts}"
        )
    return dates, ""


def date_in_name(name: str, language: str = "") -> tuple[DatePeriod | None, str]:
    """Return (date, problem) of a file name such as `1881-11-10`, `18870112`, `1848-02`, `1789-Washington`.

    Dates in words or with the day first are read, too: `Brief vom 3. Mai 1921`, `12.03.1904`.
    """
    for pattern in (_SEPARATED, _TOGETHER, _YEAR):
        match = pattern.search(name)
        if pattern is _YEAR and (spoken := _in_words(name, language)):
            return replace(spoken, rule=f"file name: {spoken.rule}"), ""
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


def _in_words(name: str, language: str) -> DatePeriod | None:
    """Return the finest date of a name whose words are joined by `_`, if it has a year in figures."""
    if (years := _YEARS.search(name)) and years[1] < years[2]:
        return replace(read_date(f"{years[1]}/{years[2]}") or from_parts(int(years[1])), text=years.group())
    words = re.sub(r"(?<=\d)_(?=\d)", "-", name).replace("_", " ")
    found = [period for period in _dates(words, language) if _YEAR.search(period.text)]
    return min(found, key=lambda one: one.last - one.first, default=None)


def _dates(text: str, language: str) -> tuple[DatePeriod, ...]:
    """Return the dates in a text; a language that is known decides only which of day and month stands first."""
    found = read_dates(text)
    if language and any(ORDER_UNKNOWN in period.rule for period in found):
        return read_dates(text, (language,)) or found
    return found


def _is_finer(period: DatePeriod, than: DatePeriod) -> bool:
    """Whether a period lies in another and is shorter."""
    inside = than.first <= period.first and period.last <= than.last
    return inside and period.last - period.first < than.last - than.first


def _distinct(periods: list[DatePeriod]) -> tuple[DatePeriod, ...]:
    found: dict[tuple[int, int], DatePeriod] = {}
    for period in periods:
        found.setdefault((period.first, period.last), period)
    return tuple(found.values())
