"""One entry, one line: canonical JSON (RFC 8785) in UTF-8, ended by a line feed, sealed by its own digest.

The digest is over the line's bytes without the digest itself, so a reader finds any changed byte before it has to
understand a single field: *altered* and *from another version* are told apart. Any program that can sort keys can
check a ledger: drop `digest`, write the rest canonically, hash it.
"""

import json

import rfc8785

from vestigia.domain.entries import Entry
from vestigia.domain.errors import LedgerError
from vestigia.domain.ids import Digest, digest
from vestigia.ledger.shapes import UnfitError, shape

UNTRUSTED = "Restore the ledger from a copy; this entry and all after it cannot be trusted."
_ENTRY = shape(Entry)
_DIGEST = b'"digest":"'
_NEXT = b'"number":'
"""The key after `digest`. Only plain values follow, and quotes inside a text are escaped, so the last one is ours."""
_SEAL_LENGTH = len(_DIGEST) + len(digest("")) + len('",')


def encode(entry: Entry) -> bytes:
    """Write an entry as its line, line feed included. Raises LedgerError when it holds what no ledger can hold."""
    return _sealed(_unsealed(entry), entry.digest)


def seal(draft: Entry) -> tuple[Entry, bytes]:
    """Return the entry with the digest of its content, exactly as it will be read back, and its line.

    Whatever digest `draft` holds is disregarded. Raises LedgerError when it holds what no ledger can hold.
    """
    unsealed = _unsealed(draft)
    line = _sealed(unsealed, digest(unsealed))
    try:
        return _read(line), line
    except UnfitError as error:
        raise _unwritable(draft, error) from error


def decode(line: bytes, where: str) -> Entry:
    """Read one line, line feed included. `where` names file, line and entry in errors.

    Raises LedgerError when any byte was changed, or when the line is whole but says what this version does not know.
    """
    start = line.rfind(_DIGEST)
    end = start + _SEAL_LENGTH
    if start < 0 or line[-1:] != b"\n" or line[start:end] != _seal(digest(line[:start] + line[end:-1])):
        raise LedgerError(
            "this entry was altered: its digest is not that of its content.", where=where, remedy=UNTRUSTED
        )
    try:
        return _read(line)
    except (ValueError, RecursionError) as error:
        raise LedgerError(
            f"this entry is whole but cannot be understood: {error}.",
            where=where,
            remedy="Another version of Vestigia wrote it: read the run with the version that its first entry names.",
        ) from error


def _read(line: bytes) -> Entry:
    entry: Entry = _ENTRY.read(json.loads(line))
    return entry


def _unsealed(entry: Entry) -> bytes:
    try:
        written = _ENTRY.write(entry)
        del written["digest"]
        return rfc8785.dumps(written)
    except (UnfitError, rfc8785.CanonicalizationError) as error:
        raise _unwritable(entry, error) from error


def _sealed(unsealed: bytes, key: Digest) -> bytes:
    start = unsealed.rfind(_NEXT)
    return unsealed[:start] + _seal(key) + unsealed[start:] + b"\n"


def _seal(key: Digest) -> bytes:
    return _DIGEST + key.encode() + b'",'


def _unwritable(entry: Entry, error: ValueError) -> LedgerError:
    return LedgerError(
        f"entry {entry.number} cannot be recorded: {error}.",
        where=f"a {type(entry.body).__name__} by {entry.actor}",
        remedy="Nothing was written. This is a fault in the program: please report it.",
    )
