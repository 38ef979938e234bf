"""State is a fold over events: each event does what it says, in every state, and nothing is changed in place."""

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.corpus import a_day
from fakes.flow import BRIEFE, Q1, Q2, Q3, a_card, after_search, candidate, held, passage, surveyed, waiting, working
from fakes.samples import bare, full, values
from vestigia.domain.effects import Usage
from vestigia.domain.events import (
    Acted,
    ArchiveSurveyed,
    Briefed,
    BudgetReached,
    Closed,
    Consolidated,
    Consulted,
    Event,
    HeldUnseen,
    Judged,
    Opened,
    Outcome,
    Overruled,
    PlanEdited,
    Planned,
    QuestionRead,
    Reevaluated,
    Replanned,
    Searched,
    SearchFailed,
    SubQuestionOpened,
    Waste,
    Wasted,
)
from vestigia.domain.evidence import Brief, Decision, Memory, Ranked, Standing, Verdict
from vestigia.domain.question import Question, Term
from vestigia.domain.requests import Reading
from vestigia.domain.rules import Rules
from vestigia.inquiry.fold import evolve, fold
from vestigia.inquiry.state import Acceptance, State, Thread, Waiting

KINDS = get_args(Event)


def verdict(name, decision, number=0, reason="because"):
    return Verdict(passage(name, number), name, decision, reason)


def judged(state, *verdicts, thread="q1"):
    return evolve(state, Judged(thread, verdicts, Memory(gaps="g")))


def next_sub_question(state):
    return fold([Briefed(Brief("q1"), "done"), SubQuestionOpened("q2")], state)


class TestVerdicts:
    """T6, exactly."""

    def test_accept_takes_the_document_with_its_reason_the_search_its_places_and_the_author(self):
        state = evolve(working("a"), Consulted("review", "a model", Outcome.READ, Usage()))
        state = judged(state, verdict("a", Decision.ACCEPT))
        assert state.accepted == {
            "a": (
                Acceptance("q1", verdict("a", Decision.ACCEPT), "warm start", "a model", (Standing("words", 1, 1.0),)),
            )
        }
        assert waiting(state) == []

    def test_accept_takes_a_document_once_in_a_sub_question(self):
        state = judged(working("a"), verdict("a", Decision.ACCEPT, reason="first"))
        state = judged(after_search(state, candidate("a", 1)), verdict("a", Decision.ACCEPT, 1))
        assert [taking.verdict.reason for taking in state.accepted["a"]] == ["first"]

    def test_another_sub_question_confirms_it(self):
        state = next_sub_question(judged(working("a", plan=(Q1, Q2)), verdict("a", Decision.ACCEPT)))
        state = judged(after_search(state, "a"), verdict("a", Decision.ACCEPT), thread="q2")
        assert [taking.sub_question for taking in state.accepted["a"]] == ["q1", "q2"]

    def test_accept_forgives_the_rejected_passages_of_the_document_only(self):
        state = judged(working("a", "b"), verdict("a", Decision.REJECT), verdict("b", Decision.REJECT))
        state = judged(after_search(state, candidate("a", 1)), verdict("a", Decision.ACCEPT, 1))
        assert list(state.rejected) == [passage("b")]

    def test_accept_resolves_the_held_passages_of_the_document_only(self):
        state = judged(working("a", "b"), verdict("a", Decision.HOLD), verdict("b", Decision.HOLD))
        state = judged(after_search(state, candidate("a", 1)), verdict("a", Decision.ACCEPT, 1))
        assert held(state) == list(state.held) == [passage("b")]

    def test_accept_resolves_what_an_earlier_sub_question_held(self):
        state = next_sub_question(judged(working("a", plan=(Q1, Q2)), verdict("a", Decision.HOLD)))
        state = judged(after_search(state, candidate("a", 1)), verdict("a", Decision.ACCEPT, 1), thread="q2")
        assert state.held == {}

    def test_accept_takes_other_waiting_passages_of_the_document_from_the_queue(self):
        state = judged(working("a", candidate("a", 1), "b"), verdict("a", Decision.ACCEPT))
        assert waiting(state) == [passage("b")]

    def test_reject_is_for_the_passage_alone(self):
        state = judged(working("a", candidate("a", 1)), verdict("a", Decision.REJECT))
        assert state.rejected == {passage("a"): verdict("a", Decision.REJECT)}
        assert (waiting(state), state.accepted) == ([passage("a", 1)], {})

    def test_hold_keeps_the_passage_with_its_reason(self):
        state = judged(working("a"), verdict("a", Decision.HOLD, reason="perhaps"))
        assert state.held == {passage("a"): Waiting(candidate("a"), "warm start", "perhaps", 1)}
        assert (waiting(state), held(state)) == ([], [passage("a")])

    def test_reject_of_a_held_passage_decides_it(self):
        state = judged(judged(working("a"), verdict("a", Decision.HOLD)), verdict("a", Decision.REJECT))
        assert (state.held, held(state), list(state.rejected)) == ({}, [], [passage("a")])

    def test_hold_of_a_passage_that_does_not_wait_holds_nothing(self):
        assert judged(working(), verdict("a", Decision.HOLD)).held == {}

    def test_accept_of_a_passage_that_does_not_wait_has_no_search(self):
        taking = judged(working(), verdict("a", Decision.ACCEPT)).accepted["a"][0]
        assert (taking.by, taking.author, taking.standings) == ("", "", ())

    def test_t11_promotion_accepts(self):
        state = judged(working("a"), verdict("a", Decision.HOLD))
        state = evolve(state, Reevaluated("q1", (verdict("a", Decision.ACCEPT, reason="now clear"),)))
        assert (state.held, state.accepted["a"][0].verdict.reason) == ({}, "now clear")

    def test_a_review_writes_the_memory_uses_a_step_and_says_what_it_did(self):
        work = judged(working("a", "b"), verdict("a", Decision.ACCEPT), verdict("b", Decision.HOLD)).work
        assert (work.memory, work.steps) == (Memory(gaps="g"), 1)
        assert work.actions == ("review: 2 passages reviewed, 1 accepted",)


class TestSearches:
    """What was found waits, in its order."""

    def test_what_was_found_waits_with_the_search_that_brought_it(self):
        state = after_search(working("a"), "b", "c", by="words “x”")
        assert [(w.candidate.document, w.by, w.place) for w in state.work.pending] == [
            ("a", "warm start", 1),
            ("b", "words “x”", 1),
            ("c", "words “x”", 2),
        ]
        assert list(state.cards) == ["a", "b", "c"]

    def test_before_the_plan_it_is_the_orientation(self):
        state = evolve(surveyed(), Searched("orientation", (candidate("a"),), (a_card("a"),)))
        assert (state.orientation, state.thread) == ((candidate("a"),), None)

    def test_t9_empty_searches_in_a_row_are_counted(self):
        empty = Searched("words", (), sub_question="q1")
        assert fold([empty, empty], working()).work.empties == 2
        assert after_search(fold([empty, empty], working()), "a").work.empties == 0

    def test_a_failed_search_is_a_failure_and_never_an_empty_search(self):
        failed = SearchFailed("words", "words", "broken", "q1")
        state = evolve(working(), failed)
        assert (state.failures, state.searches, state.work.empties) == ((failed,), (), 0)

    def test_t10_what_the_widening_found_is_held_with_the_reason(self):
        state = evolve(working("a"), HeldUnseen("q1", (candidate("b"),), "margin", (a_card("b"),)))
        assert state.held == {passage("b"): Waiting(candidate("b"), "margin", "margin")}
        assert (waiting(state), held(state), "b" in state.cards) == ([passage("a")], [passage("b")], True)

    def test_what_waited_is_held_with_the_search_that_had_brought_it(self):
        state = evolve(working("a", "b"), HeldUnseen("q1", (candidate("a"),), "not reviewed"))
        assert state.held == {passage("a"): Waiting(candidate("a"), "warm start", "not reviewed")}
        assert waiting(state) == [passage("b")]


class TestActions:
    """T7, T9: the log of a sub-question."""

    def test_t9_a_charged_action_uses_up_a_step_and_an_uncharged_one_does_not(self):
        for charged in (True, False):
            state = evolve(working(), Acted("q1", "t", "words “x”", "1 new", Memory("f"), charged))
            assert state.work.steps == charged
        assert (state.work.memory, state.work.observation) == (Memory("f"), "1 new")
        assert (state.work.queries, state.work.actions) == (("words “x”",), ("words “x”: 1 new",))

    def test_t9_repeated_searches_in_a_row_are_counted(self):
        repeated = Wasted("q1", Waste.REPEATED, "words “x”")
        acted = Acted("q1", "", "words “y”", "", Memory())
        assert fold([repeated, repeated], working()).work.repeats == 2
        assert fold([repeated, acted, repeated], working()).work.repeats == 1

    @pytest.mark.parametrize("kind", [Waste.EMPTY_QUERY, Waste.REVIEW_DUE])
    def test_t9_other_waste_is_no_repetition_and_no_step(self, kind):
        state = evolve(working(), Wasted("q1", kind, "detail"))
        assert (state.work.repeats, state.work.steps) == (0, 0)
        assert state.work.actions == (f"{kind}: detail",)
        assert state.work.observation == f"{kind}: detail"


class TestPlans:
    """T1, T12, T13, B14."""

    def test_a_plan_is_a_queue_and_what_is_odd_about_it_is_a_note(self):
        state = evolve(surveyed(), Planned((Q1, Q2), "fallback", "guard"))
        assert (state.plan, state.queue, state.notes) == ((Q1, Q2), (Q1, Q2), ("fallback", "guard"))
        assert evolve(surveyed(), Planned((Q1,))).notes == ()

    def test_opening_takes_a_sub_question_from_the_queue_with_a_clean_desk(self):
        state = working(plan=(Q1, Q2))
        assert (state.queue, state.work) == ((Q2,), Thread(Q1))
        assert next_sub_question(judged(state, verdict("a", Decision.ACCEPT))).work == Thread(Q2)

    def test_opening_what_is_not_planned_opens_nothing(self):
        assert evolve(surveyed(), SubQuestionOpened("q9")) == surveyed()

    def test_a_brief_ends_the_sub_question(self):
        state = evolve(working("a"), Briefed(Brief("q1", ("f",)), "done"))
        assert (state.thread, state.finished, state.briefs) == (None, (Q1,), (Brief("q1", ("f",)),))

    def test_replanning_keeps_what_is_finished_in_the_plan(self):
        state = evolve(evolve(working(plan=(Q1, Q2)), Briefed(Brief("q1"), "done")), Replanned((Q3,), ("too many",)))
        assert (state.plan, state.queue, state.notes) == ((Q1, Q3), (Q3,), ("not planned: too many",))

    def test_a_persons_plan_replaces_the_models(self):
        state = evolve(evolve(surveyed(), Planned((Q1,))), PlanEdited((Q2, Q3), "Ada"))
        assert (state.plan, state.queue, state.planner) == ((Q2, Q3), (Q2, Q3), "Ada")
        assert state.notes == ("the plan is Ada's",)

    def test_a_person_who_edits_late_does_not_have_finished_work_done_again(self):
        state = evolve(next_sub_question(working(plan=(Q1, Q2))), PlanEdited((Q1, Q2, Q3), "Ada"))
        assert (state.plan, state.queue) == ((Q1, Q2, Q3), (Q3,))


class TestAccounts:
    """T16."""

    def test_calls_tokens_and_unreadable_replies_are_counted(self):
        read = Consulted("step", "m", Outcome.READ, Usage(10, 5, 3, 0.1), "", "q1")
        unreadable = Consulted("step", "m", Outcome.UNREADABLE, Usage(7, None), "?", "q1")
        state = fold([read, unreadable], working())
        assert (state.calls, state.tokens, state.unreadable, state.work.calls) == (2, 22, 1, 2)
        assert state.consultations == (read, unreadable)

    @pytest.mark.parametrize("thread", [None, "q2"])
    def test_calls_of_others_do_not_wear_out_the_sub_question(self, thread):
        state = evolve(working(), Consulted("plan", "m", Outcome.READ, Usage(), "", thread))
        assert (state.calls, state.work.calls) == (1, 0)

    def test_a_limit_is_kept(self):
        assert evolve(surveyed(), BudgetReached("5 model calls")).limit == "5 model calls"


class TestTheRest:
    """Opening, reading, ranking, people, closing."""

    def test_a_run_opens_with_its_question_and_rules(self):
        state = evolve(State(), Opened(Question("x"), Rules(steps=3)))
        assert (state.question, state.rules) == (Question("x"), Rules(steps=3))

    def test_the_archive_describes_itself(self):
        state = evolve(State(), ArchiveSurveyed((BRIEFE,), ("words",)))
        assert (state.sub_corpora, state.channels) == ((BRIEFE,), ("words",))

    def test_a_reading_is_kept_by_its_text(self):
        term = Term("blockade", 3, 1.0)
        state = fold(
            [
                Opened(Question("x"), Rules()),
                QuestionRead("x", (a_day(1887, 1, 1),), (term,)),
                QuestionRead("y", (), ()),
            ]
        )
        assert state.reading == Reading(Question("x"), (a_day(1887, 1, 1),), (term,))
        assert state.readings["y"] == Reading(Question("x"))

    def test_a_question_nobody_read_has_an_empty_reading(self):
        assert State(Question("x")).reading == Reading(Question("x"))

    def test_a_ranking_and_its_notes_are_kept(self):
        state = evolve(surveyed(), Consolidated((Ranked("a", 2),), ("note",)))
        assert (state.ranking, state.notes) == ((Ranked("a", 2),), ("note",))

    def test_the_last_act_of_a_person_on_a_document_stands(self):
        acts = [Overruled("a", Decision.REJECT, "no", "Ada"), Overruled("a", Decision.ACCEPT, "yes", "Ada")]
        assert fold(acts, surveyed()).overruled == {"a": acts[1]}

    def test_a_run_closes(self):
        assert not surveyed().closed
        assert evolve(surveyed(), Closed()).closed


STATES = {
    "nothing": State(),
    "between sub-questions": surveyed(),
    "at work": working("a", plan=(Q1, Q2)),
    "full": fold([full(kind) for kind in KINDS]),
    "closed": evolve(working("a"), Closed()),
}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("name", STATES)
def test_every_event_is_accepted_in_every_state_and_changes_none_in_place(kind, name):
    before, state = repr(STATES[name]), STATES[name]
    for event in (bare(kind), full(kind)):
        assert isinstance(evolve(state, event), State)
    assert repr(STATES[name]) == before


@given(st.lists(values(Event), max_size=12))
@settings(deadline=None, max_examples=60)
def test_folding_in_two_parts_is_folding_at_once(events):
    half = len(events) // 2
    assert fold(events[half:], fold(events[:half])) == fold(events)


def test_between_sub_questions_what_belongs_to_one_changes_nothing_but_the_record():
    state = surveyed()
    for event in (
        Acted("q1", "", "a", "", Memory()),
        Wasted("q1", Waste.REPEATED, ""),
        Briefed(Brief("q1"), ""),
        Judged("q1", (verdict("a", Decision.ACCEPT),), Memory()),
        Reevaluated("q1", (verdict("a", Decision.ACCEPT),)),
    ):
        assert evolve(state, event) == state


def test_what_no_sub_question_got_to_is_held_all_the_same():
    state = evolve(surveyed(), HeldUnseen(None, (candidate("a"),), "why", (a_card("a"),)))
    assert (list(state.cards), list(state.held), state.thread) == (["a"], [passage("a")], None)
