"""Intervals and tests, on cases that can be counted out by hand (B15)."""

from statistics import fmean

import pytest

from vestigia.domain.errors import UsageError
from vestigia.evaluate import extras
from vestigia.evaluate.extras import extra
from vestigia.evaluate.statistics import Estimate, estimate, holm, permutation_p


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        ((1.0, 2.0, 3.0), 2 / 8),  # of eight sign patterns only +++ and --- are as far from 0 as 2
        ((1.0, 2.0, -3.0), 1.0),  # the mean is 0: every pattern is as far
        ((1.0, 1.0, 1.0, -1.0), 10 / 16),  # |mean| 0.5 or more: 1 + 4 patterns on either side
        ((0.5,), 1.0),  # one pair proves nothing
        ((0.0, 0.0), 1.0),
        ((), 1.0),
    ],
)
def test_the_p_of_a_paired_permutation_test_counted_by_hand(differences, p):
    assert permutation_p(differences) == pytest.approx(p)


def test_p_does_not_depend_on_the_direction_and_is_the_same_every_time():
    differences = [0.1 * (number % 7 - 2) for number in range(40)]
    first = permutation_p(differences)
    assert first == permutation_p(differences)
    assert first == pytest.approx(permutation_p([-difference for difference in differences]), abs=0.02)
    assert 0 < first < 0.05


def test_pairs_without_a_difference_do_not_make_it_surer():
    assert permutation_p((1.0, 2.0, 3.0, 0.0, 0.0)) == pytest.approx(2 / 8)


@pytest.mark.parametrize(
    ("p", "corrected"),
    [
        ({"a": 0.01, "b": 0.04, "c": 0.03}, {"a": 0.03, "b": 0.06, "c": 0.06}),
        ({"a": 0.5, "b": 0.6}, {"a": 1.0, "b": 1.0}),
        ({"a": 0.02}, {"a": 0.02}),
        ({"a": 0.01, "b": 0.01}, {"a": 0.02, "b": 0.02}),
        ({}, {}),
    ],
)
def test_holm_s_correction(p, corrected):
    found = holm(p)
    assert list(found) == list(p)
    assert found == pytest.approx(corrected)


def test_an_interval_holds_the_mean_is_seeded_and_narrows_with_more_queries():
    values = [0.0, 1.0, 0.5, 0.25] * 5
    few, many = estimate(values[:8]), estimate(values * 10)
    assert few == estimate(values[:8])
    for found, of in ((few, values[:8]), (many, values * 10)):
        assert found.mean == pytest.approx(fmean(of))
        assert found.number == len(of)
        assert found.low < found.mean < found.high
    assert many.high - many.low < few.high - few.low


def test_equal_values_have_an_interval_of_one_point_one_value_has_none_and_none_has_no_estimate():
    assert estimate([0.5, 0.5, 0.5]) == Estimate(0.5, 0.5, 0.5, 3)
    assert estimate([0.5]) == Estimate(0.5, None, None, 1)
    assert estimate([]) is None


def test_a_library_that_is_not_installed_is_named_with_the_extra_that_brings_it(monkeypatch):
    def absent(name):
        raise ImportError(name)

    monkeypatch.setattr(extras, "import_module", absent)
    with pytest.raises(UsageError, match=r"'ir-measures', which is not installed.*vestigia\[eval\]"):
        extra("ir_measures")
