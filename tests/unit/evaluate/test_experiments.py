"""H14: the experiments of the HistoRAG paper, by hand-computed values and by the numbers it prints."""

import math

import pytest

from fakes.pairs import day, year
from vestigia.domain.ids import DocumentId
from vestigia.domain.periods import windows_of_years
from vestigia.evaluate.experiments import (
    Exchange,
    Layers,
    Placed,
    Spread,
    Stratum,
    by_band,
    dual_score,
    exchange,
    pearson,
    ranks,
    spread,
    stratum,
    timeline,
)

DECADES = windows_of_years(year(1950, 1979), 10)
HALVES = windows_of_years(year(1950, 1979), 5)


def placed(name, score=0.5, period=None):
    return Placed(DocumentId(name), period, score)


def documents(first, number):
    return [DocumentId(f"d{n}") for n in range(first, first + number)]


class TestSpread:
    """Dates by window."""

    def test_a_dated_document_counts_one_and_an_undated_one_beside_the_windows(self):
        found = spread("x", [year(1955), day(1955, 3, 4), year(1961), None], DECADES)
        assert found == Spread("x", (2.0, 1.0, 0.0), 1)
        assert found.shares == (pytest.approx(2 / 3), pytest.approx(1 / 3), 0.0)

    def test_a_document_that_may_be_of_two_windows_is_parted_by_days_and_counts_one_in_all(self):
        found = spread("x", [year(1959, 1961)], DECADES)  # 365 days of 1,096 lie before 1960
        assert found.counts == (pytest.approx(365 / 1096, abs=1e-6), pytest.approx(731 / 1096, abs=1e-6), 0.0)
        assert sum(found.counts) == pytest.approx(1)

    def test_what_lies_outside_the_windows_is_in_none(self):
        assert spread("x", [year(1901)], DECADES).counts == (0.0, 0.0, 0.0)

    def test_nothing_has_no_shares(self):
        assert spread("x", [], DECADES).shares == (0.0, 0.0, 0.0)

    def test_the_papers_retrieval_to_corpus_ratios_are_shares_by_shares(self):
        """Section 5.1: 4.2 % found of 1950-1954, 10.9 % held: 0.39; 29.2 % of 1965-1969, 18.7 % held: 1.56."""
        found = Spread("all together", (4.2, 29.2, 66.6), 0)
        corpus = Spread("archive", (10.9, 18.7, 70.4), 0)
        assert [round(ratio, 2) for ratio in found.ratios(corpus)[:2]] == [0.39, 1.56]

    def test_the_papers_decades_look_even_where_its_five_years_do_not(self):
        """Section 5.1: 28.4, 38.4, 33.3 % found against 23.6, 35.5, 41.0 % held: no decade is off by more than 0.2."""
        ratios = Spread("", (28.4, 38.4, 33.3), 0).ratios(Spread("", (23.6, 35.5, 41.0), 0))
        assert [round(ratio, 2) for ratio in ratios] == [1.20, 1.08, 0.81]

    def test_a_window_that_the_archive_does_not_hold_has_no_ratio(self):
        assert Spread("x", (1.0, 1.0), 0).ratios(Spread("archive", (3.0, 0.0), 0)) == (0.5, None)


def test_h14a_sets_lie_beside_the_archive_over_the_same_windows():
    line = timeline(DECADES, [year(1951), year(1965), None], {"1950s": [placed("a", period=year(1951))], "none": []})
    assert line.windows == ("1950–1959", "1960–1969", "1970–1979")
    assert line.corpus == Spread("archive", (1.0, 1.0, 0.0), 1)
    assert line.sets == (Spread("1950s", (1.0, 0.0, 0.0), 0), Spread("none", (0.0, 0.0, 0.0), 0))


class TestExchange:
    """H2: the price of windows."""

    RANKED = (placed("a", 0.9), placed("b", 0.8), placed("c", 0.7), placed("d", 0.6))

    def test_what_windows_bring_in_is_held_against_what_they_push_out(self):
        traded = exchange(self.RANKED, [[placed("a", 0.9)], [placed("d", 0.6)], [placed("x", 0.2)]])
        assert traded == Exchange(1, (placed("d", 0.6), placed("x", 0.2)), (placed("b", 0.8), placed("c", 0.7)))
        assert (traded.mean_surfaced, traded.mean_displaced) == (pytest.approx(0.4), pytest.approx(0.75))

    def test_as_many_of_the_plain_list_are_taken_as_the_windows_hold_though_quotas_were_not_filled(self):
        assert exchange(self.RANKED, [[placed("a", 0.9)], []]) == Exchange(1, (), ())

    def test_a_document_in_two_windows_counts_once(self):
        traded = exchange(self.RANKED, [[placed("d", 0.6)], [placed("d", 0.6)]])
        assert traded == Exchange(0, (placed("d", 0.6),), (placed("a", 0.9),))

    def test_windows_that_change_nothing_have_no_price(self):
        traded = exchange(self.RANKED, [self.RANKED[:2], self.RANKED[2:]])
        assert (traded.kept, traded.mean_surfaced, traded.mean_displaced) == (4, None, None)

    def test_what_comes_in_is_never_nearer_than_what_goes_out(self):
        """The paper's 0.703 against 0.753: windows cannot raise similarity, for the plain list holds the nearest."""
        traded = exchange(self.RANKED, [[placed("c", 0.7)], [placed("d", 0.6)]])
        assert traded.mean_surfaced < traded.mean_displaced


class TestDualScore:
    """H5: similarity against the judge's score."""

    def test_equal_values_share_the_mean_of_their_ranks(self):
        assert ranks([0.3, 0.1, 0.3, 0.9]) == [2.5, 1.0, 2.5, 4.0]

    def test_pearson_by_hand(self):
        # deviations -1, 0, 1 and -1, 1, 0: 1 / (sqrt 2 * sqrt 2)
        assert pearson([1, 2, 3], [2, 4, 3]) == pytest.approx(0.5)

    def test_spearman_sees_only_the_order(self):
        found = dual_score([("a", 0.1, 1.0), ("b", 0.2, 2.0), ("c", 0.3, 10.0)])
        assert found.spearman == pytest.approx(1.0)
        # deviations -1, 0, 1 and -10/3, -7/3, 17/3
        assert found.pearson == pytest.approx(9 / math.sqrt(2 * 438 / 9))

    def test_h4_a_missing_or_impossible_score_is_not_judged_and_not_mended(self):
        found = dual_score([("a", 0.1, None), ("b", 0.2, 0.0), ("c", 0.3, 11.0), ("d", 0.4, 10.0), ("e", 0.5, 1.0)])
        assert [point.name for point in found.points] == ["d", "e"]
        assert found.unjudged == 3
        assert found.spearman == pytest.approx(-1.0)

    @pytest.mark.parametrize("rows", [[], [("a", 0.1, 5.0)], [("a", 0.1, 5.0), ("b", 0.2, 5.0)]])
    def test_without_two_different_values_there_is_no_correlation(self, rows):
        assert (dual_score(rows).spearman, dual_score(rows).pearson) == (None, None)


class TestLayers:
    """H6: what keywords and meaning find of the same."""

    KEYWORD, SEMANTIC = documents(0, 163), documents(142, 134)
    """Section 5.4: 163 letters by keywords, 134 by meaning, 21 of 276 in both."""

    def test_the_papers_overlap(self):
        total = stratum("all", self.KEYWORD, self.SEMANTIC)
        assert total == Stratum("all", 21, 142, 113)
        found = Layers((), "", "", total, (), ())
        assert found.union == 276
        assert round(total.both / (total.both + total.keyword), 3) == 0.129
        assert found.jaccard == pytest.approx(21 / 276)

    def test_the_papers_strata_by_score(self):
        """Figure 6: of 21 in both 16 score 7 or more; of 113 by meaning only 26 do; all 19 below 4 are meaning only."""
        both, only = self.SEMANTIC[:21], self.SEMANTIC[21:]
        scores = dict.fromkeys(both[:13], 9.0) | dict.fromkeys(both[13:16], 7.0) | dict.fromkeys(both[16:], 5.0)
        scores |= dict.fromkeys(only[:3], 10.0) | dict.fromkeys(only[3:26], 8.0)
        scores |= dict.fromkeys(only[26:94], 6.5) | dict.fromkeys(only[94:], 3.9)
        top, middle, bottom, rest = by_band(self.KEYWORD, self.SEMANTIC, scores)
        assert top == Stratum("7 to 10", 16, 0, 26)
        assert middle == Stratum("4 to 6", 5, 0, 68)
        assert bottom == Stratum("1 to 3", 0, 0, 19)
        assert rest == Stratum("not judged", 0, 142, 0)

    def test_nothing_found_has_no_overlap(self):
        assert Layers((), "", "", stratum("all", [], []), (), ()).jaccard == 0.0
