"""The two ways out of the core, and the checkpoint: what is awaited is what a driver sees."""

import pytest

from fakes.flow import Q2, Scene, run, surveyed
from vestigia.domain.effects import Attend, Describe, Described, Found, ReadDates, Search, Weigh
from vestigia.domain.events import BudgetReached, PlanEdited
from vestigia.domain.rules import Rules
from vestigia.inquiry.crossing import Crossing, ask_all, ask_one, attend, record
from vestigia.inquiry.state import State


def test_a_fact_is_told_to_the_driver_and_folded():
    told = run(record(State(), BudgetReached("5 calls")))
    assert told.facts == [BudgetReached("5 calls")]
    assert told.value.limit == "5 calls"


def test_effects_asked_together_cross_together_in_their_order():
    effects = (Weigh("a"), Weigh("b"))
    flow = ask_all(effects, object)
    assert flow.send(None) == Crossing(effects)
    with pytest.raises(StopIteration) as end:
        flow.send(("first", "second"))
    assert end.value.value == ("first", "second")


def test_no_effect_asks_nothing():
    told = run(ask_all((), Found))
    assert (told.value, told.effects) == ((), [])


def test_one_effect_has_one_answer():
    assert run(ask_one(Describe(()), Described)).value == Described(())


def test_an_answer_of_another_kind_stops_the_flow_and_is_named():
    with pytest.raises(TypeError, match="ReadDates was answered with DatesRead, not Found"):
        run(ask_one(ReadDates("1887"), Found))


def test_fewer_answers_than_effects_stop_the_flow():
    flow = ask_all((Search("words", "a", None, 1), Search("words", "b", None, 1)), Found)
    flow.send(None)
    with pytest.raises(ValueError, match="shorter"):
        flow.send((Found(),))


def test_what_people_decided_is_folded_at_a_checkpoint_and_not_told_again():
    told = run(attend(surveyed(), "plan"), Scene(acts={"plan": (PlanEdited((Q2,), "Ada"),)}))
    assert told.value.plan == (Q2,)
    assert told.facts == []


@pytest.mark.parametrize(("checkpoint", "waits"), [("plan", True), ("holds", False), ("final", True)])
def test_a_run_waits_only_at_the_checkpoints_its_rules_name(checkpoint, waits):
    told = run(attend(surveyed(rules=Rules(pause=("plan", "final"))), checkpoint))
    assert told.effects == [Attend(checkpoint, wait=waits)]
