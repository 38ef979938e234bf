"""Where systems agree and where they lose sources, counted by hand (T17, T18)."""

import pytest

from fakes.trials import a_query, places, ranked
from vestigia.evaluate.analysis import FATES, Finder, Misses, Overlap, finders, jaccard, misses, overlaps


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [("abc", "abc", 1.0), ("abc", "bcd", 2 / 4), ("ab", "cd", 0.0), ("", "a", 0.0), ("", "", 0.0)],
)
def test_jaccard_is_shared_over_either(one, other, share):
    assert jaccard(tuple(one), tuple(other)) == share


def test_overlap_is_the_mean_over_the_questions_that_both_channels_searched():
    lists = {
        "1": (("words", ("a", "b")), ("meaning", ("b", "c"))),
        "2": (("words", ("a",)), ("meaning", ("a",)), ("date", ("a", "b"))),
    }
    assert overlaps(lists) == (
        Overlap("words", "meaning", (1 / 3 + 1) / 2, 2),
        Overlap("words", "date", 1 / 2, 1),
        Overlap("meaning", "date", 1 / 2, 1),
    )


def test_channels_that_never_searched_the_same_question_have_no_overlap():
    assert overlaps({"1": (("words", ("a",)),), "2": (("date", ("a",)),)}) == ()


def test_only_the_first_twenty_of_a_list_count():
    lists = {"1": (("words", places(20)), ("meaning", (*places(20), "late")))}
    assert overlaps(lists)[0].jaccard == 1.0
    assert finders([a_query("1", "late")], lists) == (Finder("words", 0, 0, 1), Finder("meaning", 0, 0, 1))


def test_who_finds_a_source_and_who_alone():
    lists = {
        "1": (("words", ("a", "b")), ("meaning", ("b",))),
        "2": (("words", ()), ("meaning", ("c",))),
    }
    found = finders([a_query("1", "a", "b", "z"), a_query("2", "c")], lists)
    assert found == (Finder("words", 2, 1, 4), Finder("meaning", 2, 1, 4))


def test_every_miss_has_one_of_four_fates():
    query = a_query("q", "seen", "low", "no", "wait", "never")
    outcome = ranked(*places(12, seen=10, low=11), judged=True, rejected=("no",), held=("wait",))
    assert misses([query], {"q": outcome}) == Misses(
        5, 4, {"never retrieved": 1, "rejected": 1, "held": 1, "below rank 10": 1}
    )


def test_nothing_missed_is_all_zeros_and_a_failure_is_not_counted():
    queries = [a_query("good", "a"), a_query("broken", "a", "b")]
    outcomes = {"good": ranked("a"), "broken": ranked(failure="no answer")}
    assert misses(queries, outcomes) == Misses(1, 0, dict.fromkeys(FATES, 0))
