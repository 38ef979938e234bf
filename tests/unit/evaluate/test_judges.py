"""H4, H5, B6, H14(d): judges on trial; the paper's printed figures through our counting."""

import pytest

from vestigia.domain.ids import DocumentId
from vestigia.evaluate.experiments import Layers, by_band, stratum
from vestigia.evaluate.judges import (
    Banded,
    Gap,
    Judging,
    Opinion,
    Override,
    banded,
    compared,
    dual,
    gaps,
    overrides,
    spread,
)


def judging(judge, *scores, **more):
    return Judging(judge, person=False, scores={f"p{at}": s for at, s in enumerate(scores) if s is not None}, **more)


# HistoRAG 5.3: thirty letters, from the clearly peripheral (1-2) to the clearly relevant.
CLAUDE = [*[1] * 8, *[2] * 6, *[4] * 4, *[6] * 4, *[7] * 4, *[9] * 2, *[10] * 2]
DEEPSEEK = [*[1] * 8, *[2] * 6, *[4] * 4, *[6] * 4, *[8] * 4, *[9] * 2, *[10] * 2]
MISTRAL = [*[5] * 8, *[6] * 6, *[7] * 4, *[8] * 4, *[8] * 4, *[10] * 4]
PAPER = (judging("Claude", *CLAUDE), judging("DeepSeek", *DEEPSEEK), judging("Mistral", *MISTRAL))


def test_h4_the_paper_s_judges_rank_alike_and_score_apart():
    """Within one point: Claude and DeepSeek on 100 %, Claude and Mistral on 27 %, at r > 0.96 of their ranks."""
    pairs = {(pair.one, pair.other): pair for pair in compared(PAPER).pairs}

    assert pairs["Claude", "DeepSeek"].number == 30
    assert f"{pairs['Claude', 'DeepSeek'].within_one:.0%}" == "100%"
    assert f"{pairs['Claude', 'Mistral'].within_one:.0%}" == "27%"
    assert all(pair.correlation.spearman > 0.96 for pair in pairs.values())


@pytest.mark.parametrize(("agreeing", "printed"), [(8, "27%"), (30, "100%")])
def test_h4_the_shares_that_the_paper_prints_are_of_thirty_letters(agreeing, printed):
    one = judging("one", *[5] * 30)
    other = judging("other", *[*[6] * agreeing, *[8] * (30 - agreeing)])

    (pair,) = compared([one, other]).pairs
    assert f"{pair.within_one:.0%}" == printed


def test_h4_a_floor_effect_is_seen_in_the_spread():
    lowest = {one.judge: spread(one).lowest for one in PAPER}

    assert lowest == {"Claude": 1, "DeepSeek": 1, "Mistral": 5}
    assert spread(PAPER[0]).mean == pytest.approx(4.3, abs=0.2)


def articles(name, number):
    return [DocumentId(f"{name}{at}") for at in range(number)]


# HistoRAG 5.4: 163 letters by keywords, 134 by meaning, 21 by both; scores as figure 6 bands them.
BOTH, ALONE, UNSEEN = articles("both", 21), articles("rag", 113), articles("keyword", 142)
SCORED = {
    **dict(zip(BOTH, [*[9] * 13, *[7] * 3, *[5] * 5], strict=True)),
    **dict(zip(ALONE, [*[10] * 3, *[8] * 23, *[5] * 68, *[2] * 19], strict=True)),
}


def test_h6_the_paper_s_overlap_of_layers():
    whole = stratum("all", [*BOTH, *UNSEEN], [*BOTH, *ALONE])
    layers = Layers((), "", "", whole, (), ())

    assert (whole.both, layers.union) == (21, 276)
    assert f"{whole.both / (whole.both + whole.keyword):.1%}" == "12.9%"
    assert whole.both + whole.semantic == 134


def test_h14_the_paper_s_bands_by_layer():
    high, middle, low, rest = by_band([*BOTH, *UNSEEN], [*BOTH, *ALONE], SCORED)
    top = [name for name, score in SCORED.items() if score >= 9]
    nines = stratum("9 to 10", [n for n in BOTH if n in top], [n for n in (*BOTH, *ALONE) if n in top])

    assert (high.both, f"{high.both / 21:.0%}") == (16, "76%")
    assert (nines.both, f"{nines.both / 21:.0%}", nines.semantic) == (13, "62%", 3)
    assert (high.semantic, f"{high.semantic / 113:.0%}") == (26, "23%")
    assert (low.both, low.semantic) == (0, 19)
    assert middle.semantic + low.semantic == 87
    assert (rest.keyword, rest.both, rest.semantic) == (142, 0, 0)


def test_h4_a_threshold_is_not_portable():
    """“Retain all sources scoring 7 or above” keeps other numbers for every judge."""
    assert [banded(one, 7, 2) for one in PAPER] == [
        Banded("Claude", 8, 8, 14),
        Banded("DeepSeek", 8, 8, 14),
        Banded("Mistral", 16, 14, 0),
    ]


def test_b6_a_constant_judge_and_what_is_not_judged_are_told():
    found = spread(judging("flat", 5, 5, 5, unjudged={"refused": 2}, waiting=1))

    assert (found.constant, found.judged, found.unjudged, found.waiting) == (True, 3, (("refused", 2),), 1)
    assert (found.mean, found.deviation, found.lowest, found.highest) == (5, 0, 5, 5)
    assert spread(judging("one", 5)).constant is False


def test_a_judge_without_a_score_has_no_mean():
    found = spread(judging("mute", unjudged={"refused": 3}))

    assert (found.judged, found.mean, found.deviation, found.lowest, found.highest) == (0, None, None, None, None)


def test_h4_disagreements_are_gaps_between_percentiles_the_widest_first():
    found = gaps([judging("strict", 1, 2, 3), judging("mild", 7, 6, 5), judging("flat", 5, 5, 5)])

    assert [(gap.passage, gap.apart) for gap in found] == [("p0", 66.7), ("p2", 66.7)]
    assert found[0] == Gap("p0", 66.7, (Opinion("strict", 1, 16.7), Opinion("mild", 7, 83.3)))


def test_h4_the_same_ranks_on_other_scales_are_no_disagreement():
    assert gaps([judging("strict", 1, 2, 3), judging("mild", 8, 9, 10)]) == ()


def test_what_one_judge_left_out_is_compared_by_the_others():
    found = gaps([judging("a", 1, None, 3), judging("b", 9, 5, 1), judging("c", 2, 4, 6)])

    assert {opinion.judge for gap in found if gap.passage == "p1" for opinion in gap.opinions} <= {"b", "c"}


def test_h5_scores_against_similarity():
    found = dual(judging("a", 1, 5, 9, 3), {"p0": 0.7, "p1": 0.75, "p2": 0.8})

    assert found.points == (("p0", 0.7, 1), ("p1", 0.75, 5), ("p2", 0.8, 9))
    assert found.unplaced == 1
    assert found.correlation.spearman == pytest.approx(1)
    assert dual(judging("a", 1), {"p0": 0.7}).correlation is None


def test_b6_how_often_people_reversed_a_judge_by_sub_corpus():
    homes = {"p0": "Letters", "p1": "Letters", "p2": "Press", "p3": "Press", "p4": "Press"}
    decided = {"p0": False, "p1": True, "p2": True, "p3": True}

    assert overrides(judging("a", 9, 8, 1, 5, 9), (7, 2), decided, homes) == (
        Override("a", "Letters", decided=2, overridden=1),
        Override("a", "Press", decided=1, overridden=1),
    )
    assert overrides(judging("a", 5), (7, 2), decided, homes) == ()
