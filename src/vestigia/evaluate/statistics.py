"""How sure a number is: bootstrap intervals, paired permutation tests, Holm's correction (B15).

All resampling is seeded, so that a report is the same whenever it is made.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeVar

import numpy as np

from vestigia.evaluate.extras import extra

SEED = 20261130
LEVEL = 0.95
_SAMPLES, _PERMUTATIONS = 2_000, 9_999
K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over `number` queries with its 95 % interval; no interval for fewer than two."""

    mean: float
    low: float | None
    high: float | None
    number: int


def estimate(values: Sequence[float]) -> Estimate | None:
    """Return mean and percentile bootstrap interval over queries, none without values."""
    if len(values) < 2:
        return Estimate(values[0], None, None, 1) if values else None
    interval = (
        extra("scipy.stats")
        .bootstrap(
            (np.asarray(values),),
            np.mean,
            n_resamples=_SAMPLES,
            confidence_level=LEVEL,
            method="percentile",
            rng=np.random.default_rng(SEED),
        )
        .confidence_interval
    )
    return Estimate(fmean(values), float(interval.low), float(interval.high), len(values))


def permutation_p(differences: Sequence[float]) -> float:
    """Return the two-sided p of the mean of paired differences: under the null each sign is as likely as the other.

    Exact where all sign patterns are fewer than the permutations drawn (up to 13 pairs), else from 9,999 of them.
    """
    if len(differences) < 2 or not any(differences):
        return 1.0
    tested = extra("scipy.stats").permutation_test(
        (np.asarray(differences),),
        np.mean,
        permutation_type="samples",
        n_resamples=_PERMUTATIONS,
        vectorized=True,
        rng=np.random.default_rng(SEED),
    )
    return float(tested.pvalue)


def holm(p_values: Mapping[K, float]) -> dict[K, float]:
    """Return p-values corrected for their number by Holm's step-down method, in the order given."""
    adjusted: dict[K, float] = {}
    worst = 0.0
    for tested, (key, p) in enumerate(sorted(p_values.items(), key=lambda item: item[1])):
        worst = max(worst, min(1.0, (len(p_values) - tested) * p))
        adjusted[key] = worst
    return {key: adjusted[key] for key in p_values}
