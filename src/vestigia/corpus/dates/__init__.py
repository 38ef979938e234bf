"""Dates as read (`beyond.md`, B3; rule 11): catalogue dates, dates in questions, calendars, EDTF.

`encoded` reads what machines write, `catalogue` one printed date, `running` dates in sentences. The last two share one
grammar (`tokens`, `lexicon`, `grammar`, `spans`) over tables per language, so that every reading names its rule.
"""

from vestigia.corpus.dates.catalogue import from_parts, read_date, read_whole
from vestigia.corpus.dates.contradictions import contradiction
from vestigia.corpus.dates.grammar import ORDER_UNKNOWN
from vestigia.corpus.dates.named import NamedPeriod, read_named_periods
from vestigia.corpus.dates.running import Grammar, read_dates

__all__ = [
    "ORDER_UNKNOWN",
    "Grammar",
    "NamedPeriod",
    "contradiction",
    "from_parts",
    "read_date",
    "read_dates",
    "read_named_periods",
    "read_whole",
]
