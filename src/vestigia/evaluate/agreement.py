"""Judges on trial (H4, H5, B6): how far judges agree, as ranks and as numbers, and how sure that is.

A judge is a model or a person, with scores by item; what was not judged has no score and is left out of what is counted
of it. Rankings may agree where scores do not (HistoRAG 5.3), so correlation and agreement are both told.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from vestigia.evaluate.extras import extra
from vestigia.evaluate.statistics import LEVEL, SEED

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_ITEMS = 3
"""Fewer items judged by both tell nothing of a pair."""
_SAMPLES = 1_000
Scores = Mapping[str, int]
"""One judge's scores by item."""
Units = Sequence[Sequence[int]]
"""The scores of each item, by whichever judges gave one."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A number with its 95 % percentile bootstrap interval over items; None where it is not defined."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Correlation:
    """How two measures of the same things go together: Pearson's r, Spearman's rho, with two-sided p (HistoRAG 5.2)."""

    number: int
    pearson: float
    pearson_p: float
    spearman: float
    spearman_p: float


@dataclass(frozen=True, slots=True)
class Pair:
    """Two judges over the items that both judged. `within_one` is the share of scores at most a point apart.

    `correlation` is None where a judge is constant or fewer than three items are common, `kappa` (quadratic weights)
    where chance alone gives full agreement.
    """

    one: str
    other: str
    number: int
    within_one: float | None
    correlation: Correlation | None
    kappa: Interval | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """All judges of one set: pair by pair, and together by Krippendorff's alpha for ordered scores."""

    pairs: tuple[Pair, ...]
    alpha: Interval | None


def agreement(judges: Mapping[str, Scores]) -> Agreement:
    """Compare judges of one set, in the order given."""
    items = sorted({item for scores in judges.values() for item in scores})
    units = [[scores[item] for scores in judges.values() if item in scores] for item in items]
    pairs = tuple(_pair(one, other, judges) for one, other in combinations(judges, 2))
    return Agreement(pairs, _interval(units, alpha))


def percentiles(scores: Scores) -> dict[str, float]:
    """Return each score's place among its judge's scores, 0 to 100: what can be compared between judges (H4).

    It is the share of lower scores and half of the equal ones.
    """
    given = list(scores.values())
    return {
        item: 100 * (sum(other < score for other in given) + sum(other == score for other in given) / 2) / len(given)
        for item, score in scores.items()
    }


def correlation(one: Sequence[float], other: Sequence[float]) -> Correlation | None:
    """Correlate two measures of the same things; None for fewer than three things, or where one does not vary."""
    if len(one) < LEAST_ITEMS or len(set(one)) < 2 or len(set(other)) < 2:
        return None
    stats = extra("scipy.stats")
    r, rho = float(stats.pearsonr(one, other).statistic), float(stats.spearmanr(one, other).statistic)
    return Correlation(len(one), r, p_of(r, len(one)), rho, p_of(rho, len(one)))


def p_of(r: float, number: int) -> float:
    """Return the two-sided p of a correlation over so many things, by Student's t with `number` - 2 degrees."""
    if abs(r) >= 1 - 1e-12:
        return 0.0
    t = abs(r) * math.sqrt((number - 2) / (1 - r * r))
    return float(2 * extra("scipy.stats").t.sf(t, number - 2))


def alpha(units: Units, distance: str = "ordinal") -> float | None:
    """Krippendorff's alpha: 1 is agreement, 0 what chance gives; None where nothing is paired or nothing varies.

    `distance` is nominal, ordinal or interval. Source: K. Krippendorff, Computing Krippendorff's Alpha-Reliability,
    2011, section D: coincidences of values within units, missing ones left out.
    """
    paired = [unit for unit in units if len(unit) > 1]
    values = sorted({value for unit in paired for value in unit})
    place = {value: at for at, value in enumerate(values)}
    coincidences = np.zeros((len(values), len(values)))
    for unit in paired:
        counts = np.bincount([place[value] for value in unit], minlength=len(values)).astype(float)
        coincidences += (np.outer(counts, counts) - np.diag(counts)) / (len(unit) - 1)
    totals = coincidences.sum(axis=1)
    apart = _distances(np.asarray(values, dtype=float), totals, distance)
    expected = float((np.outer(totals, totals) * apart).sum())
    if not expected:
        return None
    return 1 - (float(totals.sum()) - 1) * float((coincidences * apart).sum()) / expected


def kappa(units: Units) -> float | None:
    """Cohen's kappa of two judges with quadratic weights; None where chance alone gives full agreement.

    Source: J. Cohen, Weighted kappa, Psychological Bulletin 70 (1968).
    """
    one, other = (np.asarray([unit[judge] for unit in units], dtype=float) for judge in (0, 1))
    observed = float(np.mean((one - other) ** 2))
    expected = float(np.mean((one[:, None] - other[None, :]) ** 2))
    return 1 - observed / expected if expected else None


def _pair(one: str, other: str, judges: Mapping[str, Scores]) -> Pair:
    common = [item for item in judges[one] if item in judges[other]]
    units = [(judges[one][item], judges[other][item]) for item in common]
    return Pair(
        one,
        other,
        len(common),
        fmean(abs(a - b) <= 1 for a, b in units) if units else None,
        correlation([a for a, _ in units], [b for _, b in units]),
        _interval(units, kappa) if len(units) >= LEAST_ITEMS else None,
    )


def _distances(values: "NDArray[np.float64]", totals: "NDArray[np.float64]", distance: str) -> "NDArray[np.float64]":
    """Squared distances between values, as each metric of the paper has them."""
    match distance:
        case "nominal":
            return np.not_equal.outer(values, values).astype(np.float64)
        case "interval":
            where = values
        case "ordinal":
            where = np.cumsum(totals) - totals / 2
        case _:
            raise ValueError(f"no distance is called {distance!r}; there are: nominal, ordinal, interval")
    return np.square(np.subtract.outer(where, where))


def _interval(units: Units, measure: Callable[[Units], float | None]) -> Interval | None:
    """Measure, and measure again on items drawn with replacement; draws in which it is not defined are left out."""
    value = measure(units)
    if value is None:
        return None
    chance = np.random.default_rng(SEED)
    drawn = (chance.integers(len(units), size=len(units)) for _ in range(_SAMPLES))
    found = [again for places in drawn if (again := measure([units[place] for place in places])) is not None]
    low, high = np.quantile(found, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(value, float(low), float(high))
