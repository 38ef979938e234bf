"""JSON Lines, one record a line, and JSON arrays of records."""

import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import BinaryIO, TypeAlias

from vestigia.corpus.encodings import GUESSED, begin_of, decode, detect
from vestigia.corpus.readers.doubled import notes, paired
from vestigia.corpus.readers.elements import elements
from vestigia.corpus.readers.layout import Layout
from vestigia.corpus.readers.mapping import Columns, Place
from vestigia.corpus.sources import MEGABYTE, said_of
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ids import Digest, digest
from vestigia.domain.ports import Reader, Refused, Source

LONGEST_LINE = 64 * MEGABYTE
"""A line longer than this many bytes is refused and passed over; it is never held in memory whole."""

_LINES = (".jsonl", ".ndjson", ".jsonlines")
_BOM = b"\xef\xbb\xbf"
_WIDE = (b"\xff\xfe", b"\xfe\xff")
_LOOKED_AT = 20
_NONE = Digest("")
_Record: TypeAlias = tuple[Mapping[str, object], Place]


@dataclass(frozen=True, slots=True)
class RecordsReader:
    """Reads `.jsonl`, `.ndjson` and `.json`."""

    columns: Columns = field(default_factory=Columns)
    longest_line: int = LONGEST_LINE

    @property
    def name(self) -> str:
        """`jsonl`."""
        return "jsonl"

    def with_mapping(self, mapping: Mapping[str, str]) -> Reader:
        """Return the reader with the user's mapping of column names to fields."""
        return RecordsReader(Columns(mapping), self.longest_line)

    def sniff(self, name: str, head: bytes) -> bool:
        """Whether the name ends as JSON does and the content begins so; a IIIF manifest is left to its own reader."""
        if name.casefold().endswith(_LINES):
            return True
        begins = head.removeprefix(_BOM).lstrip()[:1]
        linked = b'"@context"' in head and b"iiif.io/api" in head
        return (
            name.casefold().endswith(".json") and (begins in {b"", b"{", b"["} or head.startswith(_WIDE)) and not linked
        )

    def read(self, source: Source) -> Iterator[Document | Refused]:
        """Read it all, a line or an element at a time. Raises SourceRefusedError when nothing of it can be read."""
        for read in self._records(source):
            if isinstance(read, Refused):
                yield read
            else:
                yield from notes(*read)
                yield from self.columns.read(*read)

    def layouts(self, source: Source) -> tuple[Layout, ...]:
        """Return which value of the first record is what. Raises SourceRefusedError as `read` does."""
        for read in islice(self._records(source), _LOOKED_AT):
            if not isinstance(read, Refused):
                assigned = {column: chosen for chosen, column in self.columns.assign(list(read[0])).items()}
                columns = tuple((name, assigned.get(name, "details")) for name in read[0])
                return (Layout(encoding=detect(source), columns=columns),)
        return ()

    def _records(self, source: Source) -> Iterator[_Record | Refused]:
        with source.open() as stream:
            head = stream.read(4096)
        begin = begin_of(head).lstrip("\ufeff \t\r\n")[:1]
        if not begin:
            raise SourceRefusedError("the file is empty.", where=source.name, remedy="Replace it with a complete copy.")
        wide = head.startswith(_WIDE)
        if begin == "[":
            yield from self._read_array(source)
        elif source.name.casefold().endswith(".json") and begin == "{" and (wide or _is_one(source)):
            yield from self._read_object(source)
        elif wide:
            raise SourceRefusedError("the lines are UTF-16, and JSON Lines are UTF-8.", where=source.name,
                                     remedy="Save the file as UTF-8 and add it again.")  # fmt: skip
        else:
            yield from self._read_lines(source)

    def _read_lines(self, source: Source) -> Iterator[_Record | Refused]:
        with source.open() as stream:
            for number, line in _numbered(stream, self.longest_line):
                if line is None:
                    told = f"the line is longer than {self.longest_line // MEGABYTE} MB. Split it into records."
                    yield Refused(f"line {number}", told)
                elif line.strip():
                    yield self._read_line(line, _place(source, f"line {number}", digest(line)))

    def _read_line(self, line: bytes, place: Place) -> _Record | Refused:
        try:
            record = json.loads(line.decode("utf-8"), object_pairs_hook=paired)
        except UnicodeDecodeError as error:
            byte = f"byte {line[error.start]:#04x} at position {error.start + 1}"
            return Refused(place.record, f"the line is not UTF-8 ({byte}). Save the file as UTF-8.")
        except (ValueError, RecursionError) as error:
            return Refused(place.record, f"the line is not JSON ({error}).")
        return _checked(record, place)

    def _read_array(self, source: Source) -> Iterator[_Record | Refused]:
        encoding = detect(source)
        yield from _guessed(encoding)
        with source.open() as stream, io.TextIOWrapper(stream, encoding=encoding) as text:
            for number, (content, record) in enumerate(elements(text), 1):
                yield self._checked_element(record, content, _place(source, f"record {number}", _NONE))

    def _read_object(self, source: Source) -> Iterator[_Record | Refused]:
        text, encoding = decode(source)
        yield from _guessed(encoding)
        for number, (content, record) in enumerate(_of_object(text), 1):
            yield self._checked_element(record, content, _place(source, f"record {number}", _NONE))

    def _checked_element(self, record: object, content: str, place: Place) -> _Record | Refused:
        if isinstance(record, ValueError | RecursionError):
            told = f"the file is not JSON from here on ({record}). Repair it: nothing after this place was read."
            return Refused(place.record, told)
        return _checked(record, replace(place, digest=digest(content)))


def _place(source: Source, record: str, content: Digest) -> Place:
    return Place(source.name, record, content, RecordsReader().name, said_of(source).language)


def _guessed(encoding: str) -> Iterator[Refused]:
    if encoding in GUESSED:
        yield Refused("", f"the file is not UTF-8; it was read as {encoding}", kept=True)


def _checked(record: object, place: Place) -> _Record | Refused:
    if isinstance(record, dict):
        return record, place
    return Refused(place.record, f"the record is {_kind(record)}, not an object with named values.")


def _numbered(stream: BinaryIO, longest: int) -> Iterator[tuple[int, bytes | None]]:
    """Yield (line number, line without its end); None for a line that is too long."""
    number = 0
    while line := stream.readline(longest + 1):
        number += 1
        if len(line) <= longest or line.endswith(b"\n"):
            yield number, line.removeprefix(_BOM).rstrip(b"\r\n") if number == 1 else line.rstrip(b"\r\n")
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(MEGABYTE)
        yield number, None


def _is_one(source: Source) -> bool:
    """Whether a `.json` file that begins with a brace is one object, not lines of them."""
    with source.open() as stream:
        first = stream.readline(LONGEST_LINE).removeprefix(_BOM)
        try:
            json.loads(first)
        except (ValueError, RecursionError):
            return True
        return not stream.read(4096).strip()


def _of_object(text: str) -> Iterator[tuple[str, object]]:
    """Yield (its characters, value) of the elements of the one list of an object, or of the object."""
    try:
        whole = json.loads(text, object_pairs_hook=paired)
    except (ValueError, RecursionError) as error:
        yield "", error
        return
    lists = [value for value in whole.values() if isinstance(value, list) and value
             and all(isinstance(part, dict) for part in value)]  # fmt: skip
    if len(lists) == 1:
        yield from ((json.dumps(part, ensure_ascii=False, sort_keys=True), part) for part in lists[0])
    else:
        yield text, whole


def _kind(value: object) -> str:
    kinds = ((bool, "true or false"), (str, "a text"), (list, "a list"), (int, "a number"), (float, "a number"))
    return next((words for kind, words in kinds if isinstance(value, kind)), "empty")
