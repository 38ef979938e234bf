"""The report of a collection from outcomes made by hand: groups, tests, costs, what has no answer (B15)."""

import pytest

from fakes.trials import a_query, ranked
from vestigia.evaluate.collection import Collection
from vestigia.evaluate.measures import RANKED
from vestigia.evaluate.report import Archive, Cost, Failed, Repeated, Unanswered, examine, grouped, repeated
from vestigia.evaluate.statistics import holm, permutation_p

ARCHIVE = Archive(3, 3, 2, ("words", "date"), 0)
QUERIES = tuple(
    a_query(f"{kind}{number}", "a", kind=kind, half=number % 2) for kind in ("person", "place") for number in range(6)
)
COLLECTION = Collection("letters", QUERIES, (a_query("null", kind="null"),))


def trial(*ranking, **more):
    """The same outcome for every query."""
    return {query.id: ranked(*ranking, **more) for query in (*QUERIES, *COLLECTION.unjudged)}


def examined(trials, half=None):
    return examine(COLLECTION, ARCHIVE, trials, next(iter(trials)), half)


def test_groups_are_all_each_kind_and_both_halves():
    groups = grouped(COLLECTION, None)
    assert {name: len(ids) for name, ids in groups.items()} == {
        "all": 12,
        "person": 6,
        "place": 6,
        "half 0": 6,
        "half 1": 6,
    }
    assert set(groups["half 0"]) | set(groups["half 1"]) == set(groups["all"])


def test_with_one_half_chosen_or_one_kind_there_is_no_such_group():
    assert list(grouped(COLLECTION.chosen(half=1), 1)) == ["all", "person", "place"]
    assert list(grouped(Collection("one", (a_query("q", "a", kind="person"),)), None)) == ["all"]


def test_what_is_reached_is_the_mean_over_the_group():
    outcomes = {q.id: ranked("a") if q.kind == "person" else ranked("x") for q in QUERIES} | {"null": ranked()}
    found = {(r.group, r.measure): r.estimate.mean for r in examined({"s": [outcomes]}).reached}
    assert (found["all", "R@10"], found["person", "R@10"], found["place", "R@10"]) == (0.5, 1.0, 0.0)


def test_every_other_system_is_tested_against_the_reference_in_every_group_and_measure():
    tests = examined({"good": [trial("a")], "bad": [trial("x")], "same": [trial("a")]}).tests
    assert {(t.system, t.against) for t in tests} == {("bad", "good"), ("same", "good")}
    assert len(tests) == 2 * 5 * len(RANKED)
    bad = next(t for t in tests if (t.system, t.group, t.measure) == ("bad", "all", "R@10"))
    assert bad.difference.mean == -1.0
    assert bad.p == pytest.approx(2 / 2**12)
    assert {t.p for t in tests if t.system == "same"} == {1.0}


def test_p_is_corrected_over_systems_for_all_and_over_systems_and_kinds_for_kinds():
    tests = examined({"good": [trial("a")], "bad": [trial("x")], "same": [trial("a")]}).tests
    mine = {(t.system, t.group): t for t in tests if t.measure == "RR"}
    twelve, six = permutation_p([-1.0] * 12), permutation_p([-1.0] * 6)
    assert mine["bad", "all"].corrected == pytest.approx(2 * twelve)
    family = {("bad", "person"): six, ("bad", "place"): six, ("same", "person"): 1.0, ("same", "place"): 1.0}
    assert mine["bad", "place"].corrected == pytest.approx(holm(family)["bad", "place"])
    assert mine["bad", "half 1"].corrected == pytest.approx(4 * six)


def test_tests_pair_the_questions_both_systems_answered():
    partly = trial("x") | {"person0": ranked(failure="no answer")}
    tests = examined({"good": [trial("a")], "partly": [partly]}).tests
    assert next(t for t in tests if t.group == "all").difference.number == 11


def test_a_failure_is_reported_and_is_in_no_number():
    partly = trial("a") | {"person0": ranked(failure="no answer")}
    found = examined({"partly": [partly]})
    assert found.failed == (Failed("partly", 1, "no answer"),)
    assert {r.estimate.number for r in found.reached if r.group == "all"} == {11}
    assert {r.estimate.mean for r in found.reached} == {1.0}


def test_what_is_accepted_without_a_known_source_is_counted_for_systems_that_accept():
    accepting = trial("a", judged=True) | {"null": ranked("x", "y", judged=True)}
    found = examined({"ranks": [trial("a")], "accepts": [accepting], "abstains": [trial(judged=True)]})
    assert found.unanswered == (Unanswered("accepts", "null", 1, 2.0, 0.0), Unanswered("abstains", "null", 1, 0.0, 1.0))


def test_costs_are_median_late_and_means_and_one_unknown_makes_them_unknown():
    times = dict(zip([q.id for q in (*QUERIES, *COLLECTION.unjudged)], range(13), strict=True))
    slow = {name: ranked("a", seconds=float(at), calls=2, tokens=10, cost=0.5) for name, at in times.items()}
    (cost,) = examined({"slow": [slow]}).costs
    assert cost == Cost("slow", 6.0, pytest.approx(11.4), 2.0, 10.0, 0.5)
    (cost,) = examined({"slow": [slow | {"null": ranked("a", tokens=None, cost=None)}]}).costs
    assert (cost.tokens, cost.cost) == (None, None)


def test_repeats_are_averaged_by_question_and_their_spread_is_told():
    found = examined({"fickle": [trial("a"), trial("x")], "steady": [trial("a"), trial("a")]})
    assert found.repeated == (Repeated("fickle", 2, False, 0.0, 1.0), Repeated("steady", 2, True, 1.0, 1.0))
    means = {r.system: r.estimate.mean for r in found.reached if r.group == "all" and r.measure == "R@10"}
    assert means == {"fickle": 0.5, "steady": 1.0}


def test_a_repeat_that_failed_does_not_count_as_zero():
    again = trial("a") | {"person0": ranked(failure="no answer")}
    assert repeated(QUERIES, [trial("a"), again])["R@10"]["person0"] == 1.0


def test_one_repeat_is_no_repeat():
    assert examined({"s": [trial("a")]}).repeated == ()


def test_the_lists_of_channels_come_from_whichever_system_searched_them():
    words = trial("a", lists=(("words", ("a", "b")),))
    dates = trial("a", lists=(("date", ("a",)), ("words", ("a", "b"))))
    found = examined({"bm25": [words], "hybrid+date": [dates]})
    assert [(o.one, o.other, o.jaccard) for o in found.overlaps] == [("date", "words", 0.5)]
    assert [(f.channel, f.found, f.alone) for f in found.finders] == [("date", 12, 0), ("words", 12, 0)]


def test_what_could_not_be_searched_is_told_once():
    gap = ("meaning:e5: 3 passages are not encoded",)
    assert examined({"s": [trial("a", problems=gap)], "t": [trial("a", problems=gap)]}).problems == gap
