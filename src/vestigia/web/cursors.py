"""Lists in portions: a cursor says after which row the next portion begins, so that what is added shifts none."""

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import TypeVar

from vestigia.domain.errors import UsageError

Row = TypeVar("Row")
_MARK = ":"


def portion(rows: Sequence[Row], key: Callable[[Row], str], cursor: str, limit: int) -> tuple[list[Row], str | None]:
    """The rows after that of the cursor, at most `limit`, and the cursor of the next portion, None behind the last.

    Each row has a `key` of its own. Raises UsageError for a cursor that is none of this list.
    """
    start = 0
    if cursor:
        wanted = _opened(cursor)
        start = next((place for place, row in enumerate(rows, 1) if key(row) == wanted), 0)
        if not start:
            raise _foreign()
    taken = list(rows[start : start + limit])
    more = start + limit < len(rows)
    return taken, _closed(key(taken[-1])) if more and taken else None


def _closed(key: str) -> str:
    marked = f"{_MARK}{key}"  # so that the cursor of an empty key is not that of the beginning, which is empty
    return base64.urlsafe_b64encode(marked.encode("utf-8", "surrogatepass")).decode().rstrip("=")


def _opened(cursor: str) -> str:
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        marked = base64.b64decode(padded, b"-_", validate=True).decode("utf-8", "surrogatepass")
    except (ValueError, binascii.Error) as error:
        raise _foreign() from error
    if not marked.startswith(_MARK):
        raise _foreign()
    return marked.removeprefix(_MARK)


def _foreign() -> UsageError:
    return UsageError("the cursor is of another list.", where="cursor", remedy="Begin without one.")
