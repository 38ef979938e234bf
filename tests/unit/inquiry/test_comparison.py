"""B10: two runs side by side; why a source stands in one list only."""

from dataclasses import replace

import pytest

from fakes.flow import Q1, Q2, a_card, after_search, candidate, passage, surveyed, working
from vestigia.domain.events import Consolidated, Judged, Overruled
from vestigia.domain.evidence import Decision, Memory, Ranked, Verdict
from vestigia.domain.rules import Budget, Rules, Switches
from vestigia.inquiry.comparison import Both, Only, Why, comparison, differing
from vestigia.inquiry.fold import evolve, fold
from vestigia.inquiry.state import State

ACCEPT, REJECT, HOLD = Decision.ACCEPT, Decision.REJECT, Decision.HOLD


def judged(found: tuple[str, ...], **decisions: Decision) -> State:
    verdicts = tuple(Verdict(passage(d), d, decision, f"{d} says so") for d, decision in decisions.items())
    taken = tuple(Ranked(d, 1) for d, decision in decisions.items() if decision is ACCEPT)
    return fold([Judged("q1", verdicts, Memory()), Consolidated(taken)], working(*found))


FIRST = judged(("a", "b", "x"), a=ACCEPT, b=ACCEPT, x=ACCEPT)


def only(other: State, name: str = "x") -> Only:
    (row,) = [row for row in comparison(FIRST, other).only_first if row.card.id == name]
    return row


def act(decision, reason=""):
    return Overruled("x", decision, reason, "Ada")


@pytest.mark.parametrize(
    ("other", "why", "reason"),
    [
        (judged(("a", "x"), a=ACCEPT, x=REJECT), Why.REJECTED, "x says so"),
        (judged(("a", "x"), a=ACCEPT, x=HOLD), Why.HELD, "x says so"),
        (judged(("a", "x"), a=ACCEPT), Why.UNJUDGED, ""),
        (judged(("a",), a=ACCEPT), Why.UNFOUND, ""),
        (surveyed(), Why.UNFOUND, ""),
        (working("a", plan=(replace(Q1, sub_corpus=""),)), Why.UNFOUND, ""),
        (working("a", plan=(Q2,)), Why.OTHER_PLAN, ""),
        (evolve(FIRST, act(REJECT, "a copy")), Why.REMOVED, "Ada: a copy"),
        (evolve(FIRST, act(REJECT)), Why.REMOVED, "Ada"),
        (evolve(FIRST, act(HOLD, "later")), Why.HELD, "Ada: later"),
    ],
)
def test_b10_a_source_of_one_run_says_why_the_other_has_it_not(other, why, reason):
    assert only(other) == Only(a_card("x"), 3, why, reason)


def test_b10_places_stand_side_by_side_and_both_directions_are_told():
    other = judged(("b", "a", "y"), b=ACCEPT, y=ACCEPT, a=ACCEPT)
    found = comparison(FIRST, other)
    assert found.both == (Both(a_card("a"), (1, 3)), Both(a_card("b"), (2, 1)))
    assert found.only_first == (Only(a_card("x"), 3, Why.UNFOUND),)
    assert found.only_second == (Only(a_card("y"), 2, Why.UNFOUND),)
    assert [len(one.sources) for one in found.results] == [3, 3]


def test_b10_of_the_first_places_only_what_stands_lower_is_below():
    other = judged(("b", "a", "y"), b=ACCEPT, y=ACCEPT, a=ACCEPT)
    found = comparison(FIRST, other, top=2)
    assert found.both == (Both(a_card("b"), (2, 1)),)
    assert found.only_first == (Only(a_card("a"), 1, Why.BELOW, elsewhere=3),)
    assert [row.card.id for row in found.only_second] == ["y"]


def test_a_run_is_like_itself():
    found = comparison(FIRST, FIRST)
    assert (found.only_first, found.only_second, found.rules, found.same_question) == ((), (), (), True)
    assert len(found.both) == 3
    assert not comparison(FIRST, after_search(working(state=surveyed("Who paid?")), candidate("a"))).same_question


def test_the_rules_in_which_runs_differ_are_named_with_both_values():
    other = Rules(steps=5, budget=Budget(calls=20), switches=Switches(holds=False))
    assert differing(Rules(), other) == (
        ("steps", 13, 5),
        ("budget.calls", 400, 20),
        ("switches.holds", True, False),
    )
