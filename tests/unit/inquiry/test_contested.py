"""Principle 4, B14: what people changed is shown beside what the machine had, with its effect on the ranking."""

from dataclasses import replace

import pytest

from fakes.flow import Q1, Q2, Q3, a_card, passage, surveyed, working
from vestigia.domain.events import Consolidated, HeldUnseen, Judged, Overruled, PlanEdited, Planned
from vestigia.domain.evidence import Decision, Memory, Ranked, Verdict
from vestigia.inquiry.contested import Contested, EditedPlan, Replaced, contested, edited_plans
from vestigia.inquiry.fold import evolve, fold
from vestigia.inquiry.view import result

ACCEPT, REJECT, HOLD = Decision.ACCEPT, Decision.REJECT, Decision.HOLD


def verdict(name, decision):
    return Verdict(passage(name), name, decision, f"{name} says so")


JUDGED = Judged("q1", (verdict("a", ACCEPT), verdict("b", ACCEPT), verdict("r", REJECT), verdict("h", HOLD)), Memory())
ENDED = fold([JUDGED, Consolidated((Ranked("a", 1), Ranked("b", 1)))], working("a", "b", "r", "h", "p"))


def act(document, decision):
    return Overruled(document, decision, "I read it", "Ada")


@pytest.mark.parametrize(
    ("document", "decision", "machine", "why", "before", "after"),
    [
        ("a", REJECT, ACCEPT, "a says so", 1, None),
        ("b", ACCEPT, ACCEPT, "b says so", 2, 2),
        ("r", ACCEPT, REJECT, "r says so", None, 1),
        ("h", REJECT, HOLD, "h says so", None, None),
        ("p", ACCEPT, None, "", None, 1),
    ],
)
def test_b14_a_decision_stands_beside_the_machine_s_with_the_place_before_and_now(
    document, decision, machine, why, before, after
):
    (row,) = result(evolve(ENDED, act(document, decision))).contested
    assert row == Contested(a_card(document), machine, why, decision, "I read it", "Ada", before, after)


def test_the_machine_held_another_document_than_the_one_asked_for():
    state = evolve(ENDED, HeldUnseen("q1", (), "left"))
    assert contested(fold([act("p", HOLD)], state), ())[0].machine is None


def test_what_was_taken_out_before_the_ranking_had_no_place_in_it():
    state = fold([JUDGED, act("a", REJECT), Consolidated((Ranked("b", 1),))], working("a", "b"))
    (row,) = result(state).contested
    assert (row.machine, row.before, row.after) == (ACCEPT, None, None)


def test_a_decision_on_a_document_the_run_never_met_is_not_shown():
    assert result(evolve(ENDED, act("elsewhere", ACCEPT))).contested == ()


def test_b14_what_a_person_changed_in_the_plan_is_shown_beside_what_it_was():
    moved, new = replace(Q2, sub_corpus="Zeitung"), replace(Q3, id="q4")
    state = fold([Planned((Q1, Q2, Q3)), PlanEdited((Q1, moved, new), "Ada")], surveyed())
    assert state.plan == (Q1, moved, new)
    assert edited_plans(state.edits) == (EditedPlan("Ada", (Q3,), (new,), (Replaced(Q2, moved),)),)
    assert result(state).plans == edited_plans(state.edits)
