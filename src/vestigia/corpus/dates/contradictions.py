"""Where an encoded date and the printed one disagree: both are kept, and the disagreement is told (B3)."""

from dataclasses import replace

from vestigia.corpus.dates.catalogue import read_date
from vestigia.domain.periods import DatePeriod, civil, label, overlaps


def contradiction(printed: str, encoded: DatePeriod, language: str = "") -> str:
    """Return what is contradictory between a printed date and the encoded period, or nothing if they agree.

    They agree when they share a day. A printed date without a year (`Friday, July 5.`) is compared in the encoded year.
    """
    read = read_date(printed, language)
    if read is None:
        read = read_date(f"{printed.strip().rstrip('.,;')} {civil(encoded.first)[0]}", language)
    if read is None or overlaps(read, encoded):
        return ""
    return f"printed as {printed.strip()!r}, read as {label(replace(read))}, but encoded as {label(encoded)}"
