"""Questions as typed: what is not read whole is refused, with what can be written."""

import pytest

from vestigia.app.search_view import question_of
from vestigia.domain.errors import UsageError


@pytest.mark.parametrize("between", ["1887/nonsense", "1887-13", "nonsense", "1887-06-30/1887-01-01"])
def test_a_period_that_is_not_read_whole_is_refused(between: str):
    with pytest.raises(UsageError, match=r"--between: .* cannot be read whole as a period\. Write it like"):
        question_of("Wer?", None, between, None)


def test_a_period_that_is_read_whole_limits_the_question():
    period = question_of("Wer?", ["Letters"], "1887-01/1887-06", ["fr"]).period
    assert period is not None
    assert period.edtf == "1887-01/1887-06"
    assert question_of("Wer?", None, " ", None).period is None
