"""Lines of a ledger from which texts were left out, because they may not leave the archive (B11).

Such a line keeps its number, its time, its author, the digest of the line before and its own digest, which is that of
the whole line: the chain can still be followed, but what the line says can be compared only by whoever has the whole
one. `withheld` says how many bytes that has and how many texts were left out.
"""

import json
from dataclasses import dataclass

import rfc8785

from vestigia.domain.entries import Entry
from vestigia.domain.errors import LedgerError
from vestigia.ledger.codec import UNTRUSTED, decode
from vestigia.ledger.shapes import UnfitError, shape

LEDGER_WITHHELD = "ledger-withheld.jsonl"
"""The name of a ledger with such lines: it is not the ledger itself."""
_KEY = "withheld"
_MARK = b'"withheld":{"bytes":'
_ENTRY = shape(Entry)


@dataclass(frozen=True, slots=True)
class Withheld:
    """How much of a line was left out: the bytes of the whole line, and texts."""

    bytes: int
    texts: int


def write(entry: Entry, withheld: Withheld) -> bytes:
    """Write an entry that lacks texts as a line; its digest is that of the whole line."""
    content = {**_ENTRY.write(entry), _KEY: {"bytes": withheld.bytes, "texts": withheld.texts}}
    return rfc8785.dumps(content) + b"\n"


def of(line: bytes) -> Withheld | None:
    """Say how much was left out of a line; none of a whole one."""
    if not line.rstrip(b"\n").endswith(b"}}") or _MARK not in line[-80:]:
        return None
    try:
        said = json.loads(line)[_KEY]
        return Withheld(int(said["bytes"]), int(said["texts"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def read(line: bytes, where: str) -> Entry:
    """Read a line, whole or not. Raises LedgerError when a whole one was altered, or one that is not cannot be read."""
    if of(line) is None:
        return decode(line, where)
    try:
        content = json.loads(line)
        del content[_KEY]
        entry: Entry = _ENTRY.read(content)
    except UnfitError as error:
        raise LedgerError(f"this entry, of which texts are withheld, cannot be understood: {error}.", where=where,
                          remedy=UNTRUSTED) from error  # fmt: skip
    return entry
