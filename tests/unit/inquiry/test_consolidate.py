"""T14: first by the number of sub-questions that accepted a document, then one call inside each group."""

from dataclasses import replace

import pytest

from fakes.flow import Q1, Q2, Q3, Scene, after_search, candidate, oriented, passage, run, surveyed, working
from vestigia.domain.events import Briefed, Consolidated, Judged, Overruled, Searched, SubQuestionOpened
from vestigia.domain.evidence import Brief, Decision, Memory, Ranked, Verdict
from vestigia.domain.rules import Budget, Rules
from vestigia.inquiry.consolidate import consolidate, groups
from vestigia.inquiry.fold import evolve, fold


def accepted(*by_sub_question, rules=Rules()):
    """Each string holds the documents a sub-question accepted, in the order its search found them."""
    state = working(plan=(Q1, Q2, Q3), state=surveyed(rules=rules))
    for number, documents in enumerate(by_sub_question, 1):
        if number > 1:
            state = evolve(state, SubQuestionOpened(f"q{number}"))
        state = after_search(state, *documents)
        verdicts = tuple(Verdict(passage(d), d, Decision.ACCEPT, f"{d} in q{number}") for d in documents)
        state = fold([Judged(f"q{number}", verdicts, Memory()), Briefed(Brief(f"q{number}"), "done")], state)
    return state


def consolidated(state, *orders):
    return run(consolidate(state), Scene(replies={"rank": [{"order": list(order)} for order in orders]}))


def counted(state):
    return [(confirmations, tuple(group)) for confirmations, group in groups(state)]


def alike(state, *documents):
    """The documents are of one cluster, as the catalogue says."""
    cards = tuple(replace(state.cards[d], cluster=documents[0]) for d in documents)
    return evolve(state, Searched("words", (), cards))


def ranking(told):
    return [(row.document, row.confirmations) for row in told.only(Consolidated).ranking]


def test_t14_documents_are_sorted_by_how_many_sub_questions_accepted_them():
    assert counted(accepted("abc", "bc", "c")) == [(3, ("c",)), (2, ("b",)), (1, ("a",))]


def test_t14_groups_of_one_pass_without_a_model():
    told = consolidated(accepted("abc", "bc", "c"))
    assert told.effects == []
    assert told.only(Consolidated) == Consolidated((Ranked("c", 3), Ranked("b", 2), Ranked("a", 1)))
    assert told.value.ranking == told.only(Consolidated).ranking


def test_t14_inside_a_group_of_more_one_call_orders_by_the_recorded_reasons():
    told = consolidated(accepted("abcd", "cd"), "dc", "ba")
    assert [request.confirmations for request in told.requests()] == [2, 1]
    assert [c.reasons for c in told.requests()[0].group] == [("c in q1", "c in q2"), ("d in q1", "d in q2")]
    assert ranking(told) == [("d", 2), ("c", 2), ("b", 1), ("a", 1)]
    assert told.only(Consolidated).notes == ()


def test_t14_a_document_confirmed_more_often_is_never_behind_whatever_the_model_says():
    assert ranking(consolidated(accepted("abc", "c"), "cba"))[0] == ("c", 2)


def test_t14_what_the_model_leaves_out_follows_by_recorded_places_and_is_noted():
    told = consolidated(accepted("abcd"), "c")
    assert [d for d, _ in ranking(told)] == ["c", "a", "b", "d"]
    assert told.only(Consolidated).notes == ("3 documents the ranking left out follow by recorded places",)
    assert told.value.notes == told.only(Consolidated).notes


def test_t14_documents_the_model_invents_or_repeats_are_passed_over():
    told = consolidated(accepted("ab"), "xbba")
    assert ranking(told) == [("b", 1), ("a", 1)]


def test_t14_without_a_readable_order_the_recorded_places_stand_and_the_record_says_so():
    told = run(consolidate(accepted("ba")), Scene(replies={"rank": ["?"] * 6}))
    assert ranking(told) == [("b", 1), ("a", 1)]
    assert told.only(Consolidated).notes == ("the 2 documents confirmed 1 time(s) stand by recorded places",)


def test_t16_a_limited_run_still_has_a_ranking():
    told = consolidated(accepted("ba", rules=Rules(budget=Budget(calls=0))))
    assert told.kinds() == ["BudgetReached", "Consolidated"]
    assert ranking(told) == [("b", 1), ("a", 1)]


@pytest.mark.parametrize(("found", "order"), [("abc", "abc"), ("cab", "cab")])
def test_inside_a_group_the_best_recorded_place_is_first(found, order):
    assert counted(accepted(found)) == [(1, tuple(order))]


def test_a_document_found_at_the_same_best_place_twice_is_ordered_by_its_next_place_and_then_its_id():
    state = oriented(surveyed(), *map(candidate, "xba"))
    state = after_search(working(state=state), *"xab")
    verdicts = tuple(Verdict(passage(d), d, Decision.ACCEPT, "r") for d in "ab")
    assert counted(evolve(state, Judged("q1", verdicts, Memory()))) == [(1, ("a", "b"))]


@pytest.mark.parametrize(
    ("decision", "left"), [(Decision.REJECT, ("b",)), (Decision.HOLD, ("b",)), (Decision.ACCEPT, ("a", "b"))]
)
def test_what_a_person_rejected_or_put_on_hold_is_not_ranked(decision, left):
    state = evolve(accepted("ab"), Overruled("a", decision, "I read it", "Ada"))
    assert counted(state) == [(1, left)]


def test_nothing_accepted_is_an_empty_ranking():
    told = consolidated(accepted())
    assert (told.effects, told.only(Consolidated)) == ([], Consolidated(()))


def test_b4_two_prints_of_one_report_confirm_it_once():
    state = alike(accepted("abc", "c"), "a", "b")
    assert groups(state) == [(2, {"c": ("c",)}), (1, {"a": ("a", "b")})]


def test_b4_two_sub_questions_that_accept_a_print_each_confirm_one_witness_twice():
    state = alike(accepted("ac", "bd"), "a", "b")
    assert groups(state) == [(2, {"a": ("a", "b")}), (1, {"c": ("c",), "d": ("d",)})]


def test_b4_a_reprint_follows_what_it_repeats_and_says_so_and_only_one_of_them_is_ordered():
    told = consolidated(alike(accepted("abc"), "c", "a"), "ba")
    (request,) = told.requests()
    assert [c.document for c in request.group] == ["a", "b"]
    assert request.group[0].reasons == ("a in q1", "c in q1")
    assert told.only(Consolidated).ranking == (Ranked("b", 1), Ranked("a", 1), Ranked("c", 1, repeats="a"))


def test_b4_switched_off_every_print_counts_and_stands_by_itself():
    rules = replace(Rules(), switches=replace(Rules().switches, every_copy=True))
    told = consolidated(alike(accepted("ac", "bd", rules=rules), "a", "b"), "abcd")
    assert told.only(Consolidated).ranking == tuple(Ranked(document, 1) for document in "abcd")


def test_b4_when_a_person_rejects_a_print_the_other_stands_for_itself():
    state = evolve(alike(accepted("a", "b"), "a", "b"), Overruled("a", Decision.REJECT, "misread", "Ada"))
    assert groups(state) == [(1, {"b": ("b",)})]
