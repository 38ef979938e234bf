"""H4, H5, B6: agreement against published worked examples, and what the paper prints."""

import pytest

from vestigia.evaluate.agreement import agreement, alpha, correlation, kappa, p_of, percentiles

RELIABILITY = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3),
    (None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None),
)
"""Four observers, twelve units: Krippendorff 2011, section D."""
UNITS = [[value for value in unit if value is not None] for unit in zip(*RELIABILITY, strict=True)]


class TestAlpha:
    @pytest.mark.parametrize(("distance", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
    def test_the_published_example(self, distance, published):
        assert alpha(UNITS, distance) == pytest.approx(published, abs=0.0005)

    def test_two_observers_two_values(self):
        """Krippendorff 2011, section A: ten units, alpha 0.095."""
        units = zip((0, 1, 0, 0, 0, 0, 0, 0, 1, 0), (1, 1, 1, 0, 0, 1, 0, 0, 0, 0), strict=True)

        assert alpha([list(unit) for unit in units], "nominal") == pytest.approx(0.095, abs=0.0005)

    def test_full_agreement_and_none(self):
        assert alpha([[1, 1], [5, 5], [9, 9]]) == 1
        assert alpha([[1, 9], [9, 1]]) < 0

    def test_where_nothing_varies_or_is_paired_there_is_none(self):
        assert alpha([[7, 7], [7, 7]]) is None
        assert alpha([[7], [3], []]) is None
        assert alpha([]) is None

    def test_an_unknown_distance_is_refused(self):
        with pytest.raises(ValueError, match="nominal, ordinal, interval"):
            alpha(UNITS, "ratio")


class TestKappa:
    def test_by_hand(self):
        """Squares apart: observed 2/4; expected over all 16 pairs of (1, 2, 3, 3) and (1, 2, 2, 4): 30/16."""
        assert kappa([(1, 1), (2, 2), (3, 2), (3, 4)]) == pytest.approx(1 - (2 / 4) / (30 / 16))

    def test_the_published_example(self):
        """The table of Hout and others 1987 (Agresti, Categorical Data Analysis): 0.332 by R's package vcd."""
        table = ((7, 7, 2, 3), (2, 8, 3, 7), (1, 5, 4, 9), (2, 8, 9, 14))
        units = [(a, b) for a, row in enumerate(table) for b, times in enumerate(row) for _ in range(times)]

        assert kappa(units) == pytest.approx(0.332, abs=0.0005)

    def test_full_agreement_and_none(self):
        assert kappa([(1, 1), (9, 9)]) == 1
        assert kappa([(5, 5), (5, 5)]) is None


class TestCorrelation:
    @pytest.mark.parametrize(("r", "p"), [(0.273, 0.003), (0.275, 0.002)])
    def test_the_paper_s_correlations_have_the_paper_s_p(self, r, p):
        """HistoRAG 5.2: Pearson r = 0.273, p = 0.003 and Spearman rho = 0.275, p = 0.002 over 120 letters."""
        assert round(p_of(r, 120), 3) == p

    def test_ranks_agree_where_numbers_do_not(self):
        found = correlation([1, 2, 3, 10], [5, 6, 7, 8])

        assert found is not None
        assert found.spearman == pytest.approx(1)
        assert found.spearman_p == 0
        assert found.pearson < 1
        assert found.number == 4

    def test_what_does_not_vary_has_none(self):
        assert correlation([5, 5, 5], [1, 2, 3]) is None
        assert correlation([1, 2, 3], [5, 5, 5]) is None
        assert correlation([1, 2], [2, 1]) is None


def test_percentiles_do_not_depend_on_how_high_a_judge_scores():
    strict, mild = {"a": 1, "b": 2, "c": 2, "d": 9}, {"a": 5, "b": 6, "c": 6, "d": 7}

    assert percentiles(strict) == percentiles(mild) == {"a": 12.5, "b": 50.0, "c": 50.0, "d": 87.5}


STRICT = {f"p{n}": score for n, score in enumerate((1, 2, 3, 4, 5, 6, 7, 9))}
FLOOR = {f"p{n}": score for n, score in enumerate((5, 5, 6, 6, 7, 7, 8, 9))}


class TestJudges:
    def test_a_floor_keeps_the_order_and_loses_the_numbers(self):
        """HistoRAG 5.3: the same order, hardly a score within one point."""
        (pair,) = agreement({"strict": STRICT, "floor": FLOOR}).pairs

        assert (pair.one, pair.other, pair.number) == ("strict", "floor", 8)
        assert pair.within_one == 3 / 8
        assert pair.correlation is not None
        assert pair.correlation.spearman > 0.96
        assert pair.kappa is not None
        assert pair.kappa.low <= pair.kappa.value <= pair.kappa.high < 1

    def test_what_was_not_judged_is_left_out(self):
        judged = {"one": {"a": 3, "b": 4}, "other": {"b": 5, "c": 6}, "third": {}}
        found = agreement(judged)

        assert [(pair.number, pair.within_one, pair.kappa) for pair in found.pairs] == [
            (1, 1.0, None),
            (0, None, None),
            (0, None, None),
        ]
        assert found.alpha is not None

    def test_all_together(self):
        judges = {f"j{n}": {str(u): v for u, v in enumerate(row) if v is not None} for n, row in enumerate(RELIABILITY)}
        found = agreement(judges)

        assert len(found.pairs) == 6
        assert found.alpha is not None
        assert found.alpha.value == pytest.approx(0.815, abs=0.0005)
        assert found.alpha.low < found.alpha.value < found.alpha.high
        assert agreement(judges) == found

    def test_one_judge_agrees_with_nobody(self):
        found = agreement({"one": {"a": 3, "b": 4}})

        assert (found.pairs, found.alpha) == ((), None)
