"""B2: the blind sample and the recall estimated from it; values by hand or from the closed formula."""

import pytest

from vestigia.domain.evidence import Assessment
from vestigia.domain.ids import digest
from vestigia.inquiry.audit import LEAST, Bounded, Layer, Stratum, Unit, allocation, audit, bounds, sample

LISTED, REJECTED, HELD, UNFOUND = Stratum.LISTED, Stratum.REJECTED, Stratum.HELD, Stratum.UNFOUND
SEED = digest("the last entry")


def units(letter: str, number: int) -> list[Unit]:
    return [Unit(f"{letter}{n}") for n in range(number)]


def said(stratum: str, yes: int, no: int = 0, letter: str = "") -> list[Assessment]:
    names = [f"{letter or stratum}{n}" for n in range(yes + no)]
    return [Assessment(name, f"{name}#0-9", stratum, number < yes) for number, name in enumerate(names)]


STRATA = {LISTED: units("l", 4), REJECTED: units("r", 9), HELD: units("h", 1), UNFOUND: units("u", 400)}


class TestSample:
    """Blind, stratified, the same for the same record."""

    def test_b2_every_stratum_gives_one_and_the_rest_goes_by_the_roots_of_the_sizes(self):
        # roots 2, 3, 1, 20: one each, then 20/2 = 10, 20/3 = 6.7, 5, 4, 3.3, 2.9 before 3/2 = 1.5
        sizes = {stratum: len(of) for stratum, of in STRATA.items()}
        assert allocation(sizes, 10) == {LISTED: 1, REJECTED: 1, HELD: 1, UNFOUND: 7}
        assert allocation(sizes, 4) == dict.fromkeys(sizes, 1)
        assert allocation(sizes, 2) == {LISTED: 0, REJECTED: 1, HELD: 0, UNFOUND: 1}

    def test_no_more_is_drawn_than_there_is(self):
        assert allocation({LISTED: 2, HELD: 1}, 50) == {LISTED: 2, HELD: 1}
        assert sample({}, 50, SEED) == ()

    def test_b2_the_same_seed_draws_the_same_and_a_larger_sample_holds_the_smaller(self):
        small, large = (sample(STRATA, size, SEED) for size in (10, 30))
        assert small == sample({s: list(reversed(of)) for s, of in STRATA.items()}, 10, SEED)
        assert set(small) < set(large)
        assert set(small) != set(sample(STRATA, 10, digest("another run")))

    def test_the_order_says_nothing_of_the_stratum(self):
        letters = "".join(unit.document[0] for unit in sample(STRATA, 30, SEED))
        assert letters != "".join(sorted(letters))
        assert len(set(letters[:20])) > 2


class TestBounds:
    """Exact intervals without replacement."""

    @pytest.mark.parametrize(
        ("size", "drawn", "relevant", "interval"),
        [
            (10, 5, 0, (0, 3)),  # P(none of 5 | 3 of 10) = 21/252 = 0.083, of 4: 6/252 = 0.024
            (10, 5, 5, (7, 10)),  # the mirror of it
            (4, 2, 1, (1, 3)),  # nothing can be ruled out
            (7, 7, 3, (3, 3)),  # all were looked at
            (7, 7, 0, (0, 0)),
            (100, 20, 0, (0, 15)),  # comb(85, 20) / comb(100, 20) = 0.0262, comb(84, 20) / comb(100, 20) = 0.0200
        ],
    )
    def test_b2_an_interval_is_that_of_the_hypergeometric_distribution(self, size, drawn, relevant, interval):
        assert bounds(size, drawn, relevant, 0.05) == interval

    def test_of_a_large_archive_it_is_that_of_clopper_and_pearson(self):
        # none of 50: the upper bound is 1 - (alpha / 2) ** (1 / 50) = 0.0711
        low, high = bounds(1_000_000, 50, 0, 0.05)
        assert low == 0
        assert high / 1_000_000 == pytest.approx(1 - 0.025 ** (1 / 50), abs=1e-5)


class TestRecall:
    """Never a number without its interval, and none of too little."""

    def test_b2_where_everything_was_judged_recall_is_known(self):
        found = audit({LISTED: 6, REJECTED: 4}, [*said(LISTED, 6), *said(REJECTED, 2, 2)])
        assert found.recall == Bounded(0.75, 0.75, 0.75)
        assert found.missed == Bounded(2, 2, 2)
        assert found.layers == (
            Layer(LISTED, 6, 6, 6, Bounded(6, 6, 6)),
            Layer(REJECTED, 4, 4, 2, Bounded(2, 2, 2)),
        )
        assert found.hint == (
            "Go on: most of what is missed is likely among what was rejected; read what was rejected again."
        )

    def test_b2_recall_is_estimated_by_strata_with_the_bounds_of_all_of_them(self):
        # Listed, judged whole: 8 of 8. Rejected: 1 of 5 judged stands for 2 of 10. Never found: 0 of 5 of 10. The two
        # that were judged in part share the 5 %: P(none of 5 | 4 of 10) = 6/252 = 0.024 > 0.0125, of 5: 1/252 = 0.004.
        judged = [*said(LISTED, 8), *said(REJECTED, 1, 4), *said(UNFOUND, 0, 5)]
        found = audit({LISTED: 8, REJECTED: 10, UNFOUND: 10}, judged)
        low, high = bounds(10, 5, 1, 0.025)
        assert (low, high) == (1, 6)  # P(at most 1 | 6 of 10) = 6/252 = 0.024, of 7: none
        assert found.missed == Bounded(2, 1, 6 + 4)
        assert found.recall == Bounded(0.8, 8 / 18, 8 / 9)

    def test_b2_too_few_judgements_give_no_number(self):
        found = audit({LISTED: 50, REJECTED: 50}, [*said(LISTED, 4), *said(REJECTED, 0, LEAST - 5)])
        assert (found.recall, found.missed, found.hint) == (None, None, "")
        assert found.lacking == "9 documents are judged; below 10 no number is given."

    def test_b2_a_stratum_nobody_judged_leaves_recall_unknown(self):
        found = audit({LISTED: 50, HELD: 3}, said(LISTED, 20))
        assert found.recall is None
        assert found.lacking == "nothing is judged of what was held: recall is not known."
        assert found.layers[1] == Layer(HELD, 3, 0, 0, None)

    def test_nothing_judged_at_all_is_said(self):
        assert audit({}, []).lacking == "nothing is judged yet."

    def test_where_nothing_is_relevant_there_is_no_recall(self):
        found = audit({LISTED: 6, REJECTED: 40}, [*said(LISTED, 0, 6), *said(REJECTED, 0, 10)])
        assert found.recall is None
        assert found.lacking == "nothing relevant is in the sample: recall is not known."
        assert found.missed is not None
        assert found.missed.high > 0

    def test_b2_the_hint_is_to_stop_where_nothing_can_be_missing_and_says_how_much_may_be(self):
        whole = audit({LISTED: 6, REJECTED: 4}, [*said(LISTED, 6), *said(REJECTED, 0, 4)])
        assert whole.recall == Bounded(1, 1, 1)
        assert whole.hint == "Stop: everything that was passed over was judged, and nothing of it is relevant."
        partly = audit({LISTED: 6, REJECTED: 10}, [*said(LISTED, 6), *said(REJECTED, 0, 5)])
        assert partly.recall == Bounded(1, 6 / 9, 1)
        assert partly.hint.startswith("No document that was passed over turned out relevant; up to 3 may be.")

    def test_a_run_that_listed_nothing_relevant_has_a_recall_of_none(self):
        found = audit({REJECTED: 10}, said(REJECTED, 5, 5))
        assert found.recall == Bounded(0, 0, 0)
        listed = audit({LISTED: 20, REJECTED: 10}, [*said(LISTED, 1, 10), *said(REJECTED, 0, 10)])
        assert listed.recall == Bounded(1, 1, 1)

    def test_of_two_judgements_on_a_document_the_later_counts(self):
        judged = [*said(LISTED, 6), *said(REJECTED, 0, 4), Assessment("rejected0", "p", REJECTED, True)]
        found = audit({LISTED: 6, REJECTED: 4}, judged)
        assert found.recall == Bounded(6 / 7, 6 / 7, 6 / 7)
