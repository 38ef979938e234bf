"""Which documents a record names, word by word: whatever kind of entry a name stands in, it is found.

It is how a run is kept from those who may not see one of its documents (B11). An event that is new tomorrow is covered.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from vestigia.domain.ids import DocumentId, RunId
from vestigia.ledger.chain import LEDGER
from vestigia.ledger.naming import runs

_SAID = frozenset({"note", "observation", "reason", "statement", "tag", "text"})
"""What people and models say is no name, though it may read like one: a document may be called `12`."""
_RUN = re.compile(r"\d{4}-\d{2}-\d{2}-\S+-[0-9a-f]{6}")


def names_any(folder: Path, run: RunId, documents: frozenset[DocumentId]) -> bool:
    """Whether the record of a run, or of a run that it names, names one of the documents or a passage of one.

    Every word of the record counts, whatever entry it stands in. A record that cannot be read counts as one that does.
    """
    there = frozenset(runs(folder))
    seen, waiting = set[str](), [str(run)]
    while waiting:
        one = waiting.pop()
        seen.add(one)
        try:
            stamp = (folder / one / LEDGER).stat()
            named = _named(folder / one / LEDGER, stamp.st_size, stamp.st_mtime_ns, documents)
        except (OSError, ValueError):
            return True
        if named is None:
            return True
        waiting += sorted((named & there) - seen)
    return False


@lru_cache(maxsize=4096)
def _named(path: Path, _size: int, _changed: int, documents: frozenset[DocumentId]) -> frozenset[str] | None:
    """The runs that a record names, or None where it names one of the documents."""
    *lines, torn = path.read_bytes().split(b"\n")
    if torn:
        with suppress(ValueError):  # a line that is being written
            json.loads(torn)
            lines.append(torn)
    found = set[str]()
    for line in lines:
        words = set(_strings(json.loads(line)))
        if not documents.isdisjoint(words):
            return None
        found.update(word for word in words if _RUN.fullmatch(word))
    return frozenset(found)


def _strings(value: Any) -> Iterator[str]:  # noqa: ANN401  any JSON
    """Every string in a value that could be a name, and of what could be a passage the document."""
    if isinstance(value, str):
        yield value
        if "#" in value:
            yield value.rpartition("#")[0]
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            yield name
            if not (isinstance(one, str) and name in _SAID):
                yield from _strings(one)
