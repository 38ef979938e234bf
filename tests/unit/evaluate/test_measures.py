"""The measures of T18 against numbers computed by hand, and against the field's own library."""

import math

import ir_measures
import pytest

from fakes.trials import a_query, places, ranked
from vestigia.evaluate.measures import ACCEPTED, LIBRARY, MEANINGS, RANKED, reciprocal_rank_of_all, scores

QUERY = a_query("q", "a", "b", "c", "d")
TABLE = [
    # where a, b, c and d stand; R@5, R@10, RR, RR-all
    ({"a": 1, "b": 2, "c": 3, "d": 4}, 1.0, 1.0, 1.0, (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4),
    ({"a": 5, "b": 10}, 0.25, 0.5, 1 / 5, (1 / 5 + 1 / 10) / 4),
    ({"a": 6, "b": 11, "c": 20}, 0.0, 0.25, 1 / 6, (1 / 6 + 1 / 11 + 1 / 20) / 4),
    ({}, 0.0, 0.0, 0.0, 0.0),
]


@pytest.mark.parametrize(("at", "five", "ten", "first", "of_all"), TABLE)
def test_recall_and_both_reciprocal_ranks_by_hand(at, five, ten, first, of_all):
    found = scores([QUERY], {"q": ranked(*places(20, **at))})
    assert found["R@3"]["q"] == sum(place <= 3 for place in at.values()) / 4
    assert {name: found[name]["q"] for name in ("R@5", "R@10", "RR", "RR-all")} == pytest.approx(
        {"R@5": five, "R@10": ten, "RR": first, "RR-all": of_all}
    )


def test_the_two_reciprocal_ranks_are_the_same_with_one_relevant_document_and_only_then():
    one, two = a_query("one", "a"), a_query("two", "a", "b")
    found = scores([one, two], {name: ranked("x", "a", "y", "b") for name in ("one", "two")})
    assert found["RR"] == {"one": 0.5, "two": 0.5}
    assert found["RR-all"] == {"one": 0.5, "two": (1 / 2 + 1 / 4) / 2}


def test_the_reciprocal_rank_of_all_counts_a_document_at_its_best_place():
    assert reciprocal_rank_of_all(("a", "b", "a"), ("a",)) == 1.0
    assert reciprocal_rank_of_all((), ("a",)) == 0.0


def test_ndcg_is_graded_and_held_against_the_best_possible_order():
    query = a_query("q", "a", grade=3)
    graded = type(query)("q", "?", "", (("a", 3), ("b", 1)))
    found = scores([graded], {"q": ranked("b", "x", "a")})
    gained = 1 / math.log2(2) + 3 / math.log2(4)
    assert found["nDCG@10"]["q"] == pytest.approx(gained / (3 / math.log2(2) + 1 / math.log2(3)))


def test_what_the_library_measures_is_the_library_s_number():
    queries = [a_query("one", "a", "b"), a_query("two", "c")]
    outcomes = {"one": ranked("x", "b", "a"), "two": ranked("c", "y")}
    gold = {q.id: dict(q.gold) for q in queries}
    runs = {name: {d: 100.0 - at for at, d in enumerate(o.ranking)} for name, o in outcomes.items()}
    found = scores(queries, outcomes)
    for name in set(RANKED) & set(LIBRARY):
        measure = ir_measures.parse_measure(LIBRARY[name])
        assert found[name] == {m.query_id: m.value for m in ir_measures.iter_calc([measure], gold, runs)}


def test_the_accepted_set_is_measured_only_for_systems_that_accept():
    found = scores([QUERY], {"q": ranked("a", "x", "b", judged=True)})
    assert found["set P"]["q"] == pytest.approx(2 / 3)
    assert found["set R"]["q"] == pytest.approx(2 / 4)
    assert not set(scores([QUERY], {"q": ranked("a")})) & set(ACCEPTED)


def test_nothing_accepted_is_zero_and_a_failure_is_no_number():
    empty, broken = a_query("empty", "a"), a_query("broken", "a")
    found = scores([empty, broken], {"empty": ranked(judged=True), "broken": ranked(judged=True, failure="no answer")})
    assert all(found[name] == {"empty": 0.0} for name in (*RANKED, *ACCEPTED))


def test_queries_without_an_outcome_or_a_source_are_not_measured():
    assert scores([a_query("q", "a"), a_query("null")], {"null": ranked("x")})["R@10"] == {}


def test_every_measure_says_what_it_is_and_the_two_reciprocal_ranks_are_told_apart():
    assert set(MEANINGS) == {*RANKED, *ACCEPTED}
    assert "FIRST" in MEANINGS["RR"]
    assert "TRACE" in MEANINGS["RR-all"]
    assert "ALL" in MEANINGS["RR-all"]
