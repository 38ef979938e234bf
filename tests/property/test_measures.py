"""What holds of the measures whatever the ranking."""

from hypothesis import given
from hypothesis import strategies as st

from fakes.trials import a_query, ranked
from vestigia.evaluate.analysis import jaccard, misses
from vestigia.evaluate.measures import reciprocal_rank_of_all, scores
from vestigia.evaluate.statistics import holm, permutation_p

DOCUMENTS = st.sampled_from([f"D{number:02d}" for number in range(30)])
RANKINGS = st.lists(DOCUMENTS, unique=True, max_size=30)
GOLD = st.lists(DOCUMENTS, unique=True, min_size=1, max_size=6)


def measured(ranking, gold, **more):
    found = scores([a_query("q", *gold)], {"q": ranked(*ranking, **more)})
    return {name: values["q"] for name, values in found.items()}


@given(RANKINGS, GOLD)
def test_every_measure_is_a_share(ranking, gold):
    assert all(0 <= value <= 1 + 1e-9 for value in measured(ranking, gold, judged=True).values())


@given(RANKINGS, GOLD)
def test_recall_grows_with_the_cut_off_and_the_first_rank_is_no_worse_than_the_mean_of_all(ranking, gold):
    found = measured(ranking, gold, judged=True)
    assert found["R@3"] <= found["R@5"] <= found["R@10"] <= found["set R"]
    assert found["RR-all"] <= found["RR"]


@given(RANKINGS, GOLD, st.data())
def test_moving_a_relevant_document_up_makes_no_measure_worse(ranking, gold, data):
    there = [document for document in ranking if document in gold]
    if not there:
        return
    document = data.draw(st.sampled_from(there))
    place = data.draw(st.integers(0, ranking.index(document)))
    rest = [other for other in ranking if other != document]
    better = [*rest[:place], document, *rest[place:]]
    if any(other in gold for other in ranking[place : ranking.index(document)]):
        return  # another relevant document moves down for it
    before, after = measured(ranking, gold), measured(better, gold)
    assert all(after[name] >= before[name] - 1e-9 for name in before)


@given(GOLD)
def test_a_perfect_ranking_is_perfect(gold):
    found = measured(gold, gold, judged=True)
    assert found["RR"] == found["R@10"] == found["set P"] == found["set R"] == 1.0
    assert abs(found["nDCG@10"] - 1) < 1e-9
    assert abs(found["RR-all"] - sum(1 / rank for rank in range(1, len(gold) + 1)) / len(gold)) < 1e-9


@given(RANKINGS, GOLD)
def test_what_stands_below_changes_no_reciprocal_rank_above(ranking, gold):
    strangers = [f"X{number}" for number in range(5)]
    assert reciprocal_rank_of_all((*ranking, *strangers), gold) == reciprocal_rank_of_all(ranking, gold)


@given(RANKINGS, GOLD)
def test_what_is_missed_and_what_is_recalled_are_all_there_is(ranking, gold):
    query = a_query("q", *gold)
    missed = misses([query], {"q": ranked(*ranking)})
    assert missed.missed == sum(missed.fates.values())
    assert missed.gold - missed.missed == round(measured(ranking, gold)["R@10"] * len(gold))


@given(RANKINGS, RANKINGS)
def test_overlap_is_a_share_the_same_both_ways_and_whole_with_itself(one, other):
    assert 0 <= jaccard(one, other) == jaccard(other, one) <= 1
    assert jaccard(one, one) == (1.0 if one else 0.0)


@given(st.dictionaries(st.text(max_size=3), st.floats(0, 1), max_size=8))
def test_a_corrected_p_is_no_smaller_than_it_was_no_larger_than_one_and_keeps_the_order(p):
    corrected = holm(p)
    assert all(p[key] <= corrected[key] <= 1 for key in p)
    order = sorted(p, key=lambda key: p[key])
    assert [corrected[key] for key in order] == sorted(corrected.values())


@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), min_size=2, max_size=8))
def test_p_is_a_probability_that_counts_sign_patterns(differences):
    p = permutation_p(differences)
    assert 0 < p <= 1
    patterns = 2 ** len(differences)
    assert abs(p * patterns - round(p * patterns)) < 1e-6
