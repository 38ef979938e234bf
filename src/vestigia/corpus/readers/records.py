"""JSON Lines, one record a line, and JSON arrays of records."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import BinaryIO

from vestigia.corpus.encodings import decode
from vestigia.corpus.readers.mapping import Columns, Place
from vestigia.corpus.sources import MEGABYTE
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ids import digest
from vestigia.domain.ports import Reader, Refused, Source

LONGEST_LINE = 64 * MEGABYTE
"""A line longer than this many bytes is refused and passed over; it is never held in memory whole."""

_LINES = (".jsonl", ".ndjson", ".jsonlines")
_BOM = b"\xef\xbb\xbf"


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
        return name.casefold().endswith(".json") and begins in {b"", b"{", b"["} and not linked

    def read(self, source: Source) -> Iterator[Document | Refused]:
        """Read it all, a line or an element at a time. Raises SourceRefusedError when nothing of it can be read."""
        with source.open() as stream:
            begin = stream.read(4096).removeprefix(_BOM).lstrip()[:1]
        if not begin:
            raise SourceRefusedError("the file is empty.", where=source.name, remedy="Replace it with a complete copy.")
        array = begin == b"[" or (source.name.casefold().endswith(".json") and begin == b"{" and _is_one(source))
        yield from self._read_array(source) if array else self._read_lines(source)

    def _read_lines(self, source: Source) -> Iterator[Document | Refused]:
        with source.open() as stream:
            for number, line in _numbered(stream, self.longest_line):
                if line is None:
                    yield Refused(f"line {number}", f"the line is longer than {self.longest_line // MEGABYTE} MB. "
                                  "Split it into records.")
                elif line.strip():
                    yield from self._read_line(line, Place(source.name, f"line {number}", digest(line), self.name))

    def _read_line(self, line: bytes, place: Place) -> Iterator[Document | Refused]:
        try:
            record = json.loads(line.decode("utf-8"))
        except UnicodeDecodeError as error:
            yield Refused(place.record, f"the line is not UTF-8 (byte {line[error.start]:#04x} at position "
                          f"{error.start + 1}). Save the file as UTF-8.")
        except (ValueError, RecursionError) as error:
            yield Refused(place.record, f"the line is not JSON ({error}).")
        else:
            yield from self._read_record(record, place)

    def _read_record(self, record: object, place: Place) -> Iterator[Document | Refused]:
        if isinstance(record, dict):
            yield from self.columns.read(record, place)
        else:
            yield Refused(place.record, f"the record is {_kind(record)}, not an object with named values.")

    def _read_array(self, source: Source) -> Iterator[Document | Refused]:
        text, _ = decode(source)
        for number, (content, record) in enumerate(_elements(text), 1):
            place = Place(source.name, f"record {number}", digest(content), self.name)
            if isinstance(record, ValueError | RecursionError):
                yield Refused(place.record, f"the file is not JSON from here on ({record}). Repair it: nothing after "
                              "this place was read.")
            else:
                yield from self._read_record(record, place)


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


def _elements(text: str) -> Iterator[tuple[str, object]]:
    """Yield (its characters, value) of the elements of the outermost array, or of the one list of an outermost object.

    The last value is the error where the text stops being JSON.
    """
    decoder = json.JSONDecoder()
    at = _blank(text, 0)
    if text[at] == "{":
        yield from _of_object(text)
        return
    at = _blank(text, at + 1)
    while text[at:at + 1] != "]":
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            yield "", error
            return
        yield text[at:end], value
        at = _blank(text, end)
        if text[at:at + 1] == ",":
            at = _blank(text, at + 1)
        elif text[at:at + 1] != "]":
            yield "", ValueError(f"a comma or a closing bracket is missing in line {text.count(chr(10), 0, at) + 1}")
            return


def _of_object(text: str) -> Iterator[tuple[str, object]]:
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        yield "", error
        return
    lists = [value for value in whole.values() if isinstance(value, list) and value
             and all(isinstance(part, dict) for part in value)]
    if len(lists) == 1:
        yield from ((json.dumps(part, ensure_ascii=False, sort_keys=True), part) for part in lists[0])
    else:
        yield text, whole


def _blank(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _kind(value: object) -> str:
    kinds = ((bool, "true or false"), (str, "a text"), (list, "a list"), (int, "a number"), (float, "a number"))
    return next((words for kind, words in kinds if isinstance(value, kind)), "empty")
