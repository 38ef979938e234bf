"""T8: bounded retries; T9: patience; T16: every call is accounted for, and hard limits end a run."""

from dataclasses import replace

import pytest

from fakes.flow import Scene, run, surveyed, working
from vestigia.domain.effects import Mark, Replied, Stop, Usage
from vestigia.domain.events import BudgetReached, Consulted, Outcome
from vestigia.domain.ids import PassageId
from vestigia.domain.requests import Request, StepRequest
from vestigia.domain.rules import Budget, Rules
from vestigia.inquiry.consult import CUT, TASKS, consult, heed_budget, out_of_patience, too_long, why_silent
from vestigia.inquiry.desk import desk
from vestigia.inquiry.replies import UnreadableError


def read(text: str) -> str:
    if "no" in text:
        raise UnreadableError(f"{text} is no answer")
    return text


def asked(state, *replies, usage=Usage()):
    request = StepRequest(desk(state), (), 13, 60)
    return run(consult(state, request, read), Scene(replies={"step": replies}, usage=usage))


def test_a_readable_reply_is_returned_and_accounted_for():
    told = asked(working(), "yes", usage=Usage(10, 3, 2, 0.5))
    state, value = told.value
    assert value == "yes"
    account = told.only(Consulted)
    assert account == Consulted("step", "scripted", Outcome.READ, Usage(10, 3, 2, 0.5), "", "q1")
    assert (state.calls, state.tokens, state.unreadable, state.work.calls) == (1, 13, 0, 1)


def test_t8_an_unreadable_reply_is_asked_for_again_and_the_model_is_told_why():
    told = asked(working(rules=Rules(parse_retries=2)), "no1", "no2", "yes")
    assert told.value[1] == "yes"
    assert [request.concern for request in told.requests()] == [
        "",
        "Your last reply could not be read: no1 is no answer.",
        "Your last reply could not be read: no2 is no answer.",
    ]
    assert [(c.outcome, c.problem) for c in told.of(Consulted)] == [
        (Outcome.UNREADABLE, "no1 is no answer"),
        (Outcome.UNREADABLE, "no2 is no answer"),
        (Outcome.READ, ""),
    ]
    assert told.value[0].unreadable == 2


@pytest.mark.parametrize(("retries", "calls"), [(5, 6), (2, 3), (0, 1)])
def test_t8_parse_failures_are_retried_so_often_and_no_more(retries, calls):
    told = asked(working(rules=Rules(parse_retries=retries)), *["no"] * 20)
    state, value = told.value
    assert value is None
    assert state.calls == len(told.of(Consulted)) == calls


def test_t16_the_limit_in_calls_is_hard_and_recorded_once():
    state = working(rules=Rules(parse_retries=2, budget=Budget(calls=2)))
    told = asked(state, "no", "no", "never asked")
    state, value = told.value
    assert (value, state.limit) == (None, "2 model calls")
    assert told.kinds() == ["Consulted", "Consulted", "BudgetReached"]
    again = asked(state, "never asked")
    assert (again.value, again.facts) == ((state, None), [])


def test_t16_the_limit_in_tokens_is_hard():
    state = working(rules=Rules(parse_retries=2, budget=Budget(calls=None, tokens=25)))
    told = asked(state, "no", "no", "never asked", usage=Usage(10, 3))
    assert told.only(BudgetReached).limit == "25 tokens"
    assert told.value[0].tokens == 26


def test_t16_the_limit_in_money_is_hard_and_is_not_kept_by_not_knowing():
    state = working(rules=Rules(parse_retries=2, budget=Budget(calls=None, cost=0.25)))
    told = asked(state, "no", "no", "no", usage=Usage(10, 3, cost=0.125))
    assert told.only(BudgetReached).limit == "0.25 USD"
    assert told.value[0].cost == 0.25
    unpriced = asked(state, "no", "never asked", usage=Usage(10, 3))
    assert unpriced.only(BudgetReached).limit == "0.25 USD, which a call of unknown cost may have crossed"
    assert unpriced.value[0].cost == 0.0


def test_t16_the_limit_in_time_is_hard():
    state = working(rules=Rules(budget=Budget(calls=None, seconds=90)))
    late = Scene(answers={"step": lambda _request: Replied("no", "m", worked=90.5)})
    told = run(consult(state, StepRequest(desk(state), (), 13, 60), read), late)
    assert told.only(BudgetReached).limit == "1.5 minutes"
    assert told.value[0].worked == 90.5


@pytest.mark.parametrize(
    ("replied", "outcome", "problem"),
    [
        (Replied(" \n", "m"), Outcome.UNREADABLE, "it was empty"),
        (Replied("yes", "m", stop=Stop.LENGTH), Outcome.UNREADABLE, CUT),
        (Replied("", "m", stop=Stop.REFUSED), Outcome.REFUSED, "it would not answer"),
        (Replied("9 of 8 tokens", "m", stop=Stop.TOO_LONG), Outcome.TOO_LONG, "9 of 8 tokens"),
    ],
)
def test_what_is_no_whole_reply_is_accounted_for_as_what_it_is(replied, outcome, problem):
    state = working(rules=Rules(parse_retries=1))
    told = run(
        consult(state, StepRequest(desk(state), (), 13, 60), read), Scene(answers={"step": lambda _request: replied})
    )
    again = 2 if outcome is Outcome.UNREADABLE else 1
    assert [(c.outcome, c.problem) for c in told.of(Consulted)] == [(outcome, problem)] * again
    assert told.value[1] is None


def test_why_nothing_came_of_a_call():
    state = working()
    assert (why_silent(state), too_long(state)) == ("not judged", False)
    ended = asked(state, "yes").value[0]
    assert (why_silent(ended), too_long(ended)) == ("not judged", False)


def test_what_a_reply_says_of_its_way_is_recorded_with_the_call():
    mark = Mark(PassageId("p1"), "holds a verdict")
    said = Replied("yes", "m", notes=("503, waited 1 s",), marks=(mark,), worked=3.0)
    state = working()
    scene = Scene(answers={"step": lambda _request: said})
    account = run(consult(state, StepRequest(desk(state), (), 13, 60), read), scene).only(Consulted)
    assert (account.notes, account.marks, account.worked) == (("503, waited 1 s",), (mark,), 3.0)


@pytest.mark.parametrize("budget", [Budget(None, None), Budget(1, None), Budget(None, 1)])
def test_t16_no_limit_is_recorded_before_it_is_reached(budget):
    state = surveyed(rules=Rules(budget=budget))
    told = run(heed_budget(state))
    assert (told.value, told.facts) == (state, [])


def test_t16_tokens_nobody_counted_stay_unknown_in_the_account():
    told = asked(working(), "yes", usage=Usage(None, 3, None, None))
    assert told.only(Consulted).usage == Usage(None, 3, None, None)
    assert told.value[0].tokens == 3


def test_t9_a_sub_question_has_so_much_patience_wasted_calls_included():
    told = asked(working(rules=Rules(patience=3, parse_retries=5)), *["no"] * 3)
    state, value = told.value
    assert value is None
    assert (state.work.calls, state.limit) == (3, "")
    assert out_of_patience(state)
    assert asked(state).requests() == []


def test_t9_between_sub_questions_patience_does_not_count():
    state = replace(surveyed(rules=Rules(patience=0)), calls=99)
    assert not out_of_patience(state)


def test_t16_every_kind_of_request_is_a_stage_of_its_own():
    assert sorted(TASKS) == sorted(kind.__name__ for kind in Request.__args__)
    assert len(set(TASKS.values())) == len(TASKS)
