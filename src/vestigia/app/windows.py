"""Windows as people write them: `10y` (by years), `6` (by count), `1887/1890, 1891/1895` (by hand)."""

import re
from collections.abc import Sequence

from vestigia.corpus.dates import read_date
from vestigia.domain.archive import SubCorpus
from vestigia.domain.errors import UsageError
from vestigia.domain.periods import DatePeriod, Precision
from vestigia.inquiry.windows import MOST_WINDOWS, by_count, by_years

_BY_YEARS = re.compile(r"(\d{1,4})\s*y")
_BY_COUNT = re.compile(r"\d{1,3}")


def windows_of(written: str, limit: DatePeriod | None, searched: Sequence[SubCorpus]) -> tuple[DatePeriod, ...]:
    """Read windows; what is cut is the period asked for, or that from the first to the last date of what is searched.

    A whole number is a count, not a year: a single year is written `1887-01/1887-12`. Raises UsageError.
    """
    text = written.strip()
    try:
        if found := _BY_YEARS.fullmatch(text):
            return by_years(_whole(limit, searched), int(found[1]))
        if _BY_COUNT.fullmatch(text):
            return by_count(_whole(limit, searched), int(text))
    except ValueError as problem:
        raise UsageError(
            f"{problem}.", where="--windows", remedy="Choose other windows, or another period."
        ) from problem
    periods = [(part.strip(), read_date(part)) for part in text.split(",")]
    for part, period in periods:
        if period is None:
            raise UsageError(
                f"{part!r} cannot be read as a period.",
                where="--windows",
                remedy='Write "10y" for every ten years, "6" for six of the same length, or periods such '
                'as "1887/1890, 1891/1895".',
            )
    if len(periods) > MOST_WINDOWS:
        raise UsageError(
            f"{len(periods)} windows are more than {MOST_WINDOWS}.", where="--windows", remedy="Make them wider."
        )
    return tuple(period for _, period in periods if period is not None)


def _whole(limit: DatePeriod | None, searched: Sequence[SubCorpus]) -> DatePeriod:
    dated = [sub_corpus.period for sub_corpus in searched if sub_corpus.period is not None]
    if not dated and limit is None:
        raise UsageError("nothing that is searched is dated.", where="--windows", remedy="Search without windows.")
    if not dated:
        assert limit is not None  # noqa: S101  (just looked at)
        return limit
    first, last = min(period.first for period in dated), max(period.last for period in dated)
    if limit is not None:
        first, last = max(first, limit.first), min(last, limit.last)
    return DatePeriod(first, last, Precision.RANGE) if first <= last else dated[0]
