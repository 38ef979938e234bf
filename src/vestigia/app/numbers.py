"""Numbers as people type them into a field."""

_DIGITS = 18


def whole(typed: str, most: int) -> int | None:
    """The whole number that is written, from 0 to `most` (below 10^18); None where it is none, however long it is."""
    written = typed.strip()
    if not written.isdecimal() or len(written) > _DIGITS:  # thousands of digits are read as a number by nobody
        return None
    found = int(written)
    return found if found <= most else None
