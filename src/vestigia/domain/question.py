"""The question and what the planner makes of it (TRACE 3.2)."""

from collections.abc import Sequence
from dataclasses import dataclass

from vestigia.domain.ids import SubQuestionId
from vestigia.domain.periods import FAR_FUTURE, FAR_PAST, DatePeriod

SHORTEST_MONTH = 27
"""Days between the first and the last of February."""


@dataclass(frozen=True, slots=True)
class Question:
    """What the researcher asks. `sub_corpora` (empty: all) and `period` are limits the researcher set."""

    text: str
    sub_corpora: tuple[str, ...] = ()
    period: DatePeriod | None = None
    languages: tuple[str, ...] = ()


def keeps_to(periods: Sequence[DatePeriod]) -> DatePeriod | None:
    """Return the period a question keeps to: the only one it names, closed, a month or longer, and put as a date.

    A single day is where a thing happened or was printed, and its sources may be of another; a bare number beside a
    name ("Ausstellung 1892") says what the thing is called.
    """
    if len(periods) != 1:
        return None
    (period,) = periods
    closed = period.first > FAR_PAST and period.last < FAR_FUTURE
    long = period.last - period.first >= SHORTEST_MONTH
    return period if closed and long and not period.text.strip().isdigit() else None


@dataclass(frozen=True, slots=True)
class Entity:
    """A name in its surface form in the source language; `added` marks one the model brought itself."""

    text: str
    added: bool = False


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """A part of the question, directed at exactly one sub-corpus (T1)."""

    id: SubQuestionId
    text: str
    sub_corpus: str
    entities: tuple[Entity, ...] = ()
    after: tuple[SubQuestionId, ...] = ()
    """The sub-questions whose briefs it waits for; the others may be worked on beside it."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the question as the archive's vocabulary has it (B5): `documents` 0 means not attested."""

    word: str
    documents: int
    weight: float
    """Inverse document frequency, ln(1 + (N - n + 0.5) / (n + 0.5)); rare words weigh more."""
