"""Which period a question keeps to."""

from dataclasses import replace

import pytest

from vestigia.domain.periods import FAR_FUTURE, FAR_PAST, DatePeriod, Precision, day_number
from vestigia.domain.question import keeps_to

YEAR = DatePeriod(day_number(1887), day_number(1887, 12, 31), Precision.YEAR, text="en 1887")


@pytest.mark.parametrize(
    ("periods", "kept"),
    [
        ((YEAR,), True),
        ((), False),
        ((YEAR, YEAR), False),
        ((replace(YEAR, text="1887"),), False),
        ((replace(YEAR, last=FAR_FUTURE),), False),
        ((replace(YEAR, first=FAR_PAST),), False),
        ((DatePeriod(YEAR.first, YEAR.first + 27, Precision.MONTH, text="en février"),), True),
        ((DatePeriod(YEAR.first, YEAR.first + 26, Precision.RANGE, text="du 1 au 27"),), False),
    ],
)
def test_a_question_keeps_to_one_closed_period_of_a_month_or_more_put_as_a_date(periods, kept) -> None:
    assert (keeps_to(periods) is not None) is kept
