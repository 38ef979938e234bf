"""The experiments of the HistoRAG paper on any archive (H14): what words and windows do to what is found over time.

Pure: hits and dates in, counts and shares out. A document whose date may lie in several windows is parted among them
by days, so that shares add up; an undated one is counted beside them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from vestigia.domain.ids import DocumentId
from vestigia.domain.periods import DatePeriod, common, in_years

BANDS = (("7 to 10", 7.0, 10.0), ("4 to 6", 4.0, 7.0), ("1 to 3", 1.0, 4.0))
"""The judge's scores as the paper parts them: from, and up to but without (10 included)."""
LOWEST, HIGHEST = 1.0, 10.0
"""A score outside is no judgement (H4)."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A document found, with its date and how near it is to the query by the channel's own measure."""

    document: DocumentId
    period: DatePeriod | None
    score: float


@dataclass(frozen=True, slots=True)
class Spread:
    """How a set of documents lies in time: their number in each window, and without a date."""

    name: str
    counts: tuple[float, ...]
    undated: int

    @property
    def shares(self) -> tuple[float, ...]:
        """The share of each window in what is dated; all 0 where nothing is."""
        whole = sum(self.counts)
        return tuple(count / whole if whole else 0.0 for count in self.counts)

    def ratios(self, corpus: "Spread") -> tuple[float | None, ...]:
        """The retrieval-to-corpus ratio of each window: its share by the archive's, none where that is 0."""
        pairs = zip(self.shares, corpus.shares, strict=True)
        return tuple(share / held if held else None for share, held in pairs)


@dataclass(frozen=True, slots=True)
class Timeline:
    """Sets of documents over the same windows, which are written in years; `corpus` is the archive itself."""

    windows: tuple[str, ...]
    corpus: Spread
    sets: tuple[Spread, ...]


@dataclass(frozen=True, slots=True)
class Drift:
    """H14(a). `queries` are the vocabularies by name; each was searched as it is and in windows with equal quotas."""

    queries: tuple[tuple[str, str], ...]
    channel: str
    top: int
    timelines: tuple[Timeline, ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """H2: what windows brought in (`surfaced`) for what they pushed out (`displaced`), as many as they brought in all.

    Means are of the channel's similarity, none where nothing was exchanged.
    """

    kept: int
    surfaced: tuple[Placed, ...]
    displaced: tuple[Placed, ...]

    @property
    def mean_surfaced(self) -> float | None:
        """Mean similarity of what came in."""
        return fmean(one.score for one in self.surfaced) if self.surfaced else None

    @property
    def mean_displaced(self) -> float | None:
        """Mean similarity of what went out."""
        return fmean(one.score for one in self.displaced) if self.displaced else None


@dataclass(frozen=True, slots=True)
class Price:
    """H14(b). `short` is what each window lacks of its quota."""

    question: str
    channel: str
    quota: int
    short: tuple[int, ...]
    exchange: Exchange
    timeline: Timeline


@dataclass(frozen=True, slots=True)
class Point:
    """A passage with its similarity and a judge's score."""

    name: str
    similarity: float
    score: float


@dataclass(frozen=True, slots=True)
class DualScore:
    """H5, H14(c). Coefficients are none where no two values differ; `unjudged` are rows without a usable score."""

    points: tuple[Point, ...]
    unjudged: int
    spearman: float | None
    pearson: float | None


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of what was found: in both layers, by keywords only, by meaning only."""

    name: str
    both: int
    keyword: int
    semantic: int


@dataclass(frozen=True, slots=True)
class Layers:
    """H6, H14(e): the keyword set held against the semantic set, stratified by time and, if judged, by score."""

    keywords: tuple[str, ...]
    question: str
    channel: str
    total: Stratum
    by_time: tuple[Stratum, ...]
    by_score: tuple[Stratum, ...]

    @property
    def union(self) -> int:
        """How many documents either layer found."""
        return self.total.both + self.total.keyword + self.total.semantic

    @property
    def jaccard(self) -> float:
        """The share of them that both found; 0 where nothing was found."""
        return self.total.both / self.union if self.union else 0.0


def spread(name: str, periods: Sequence[DatePeriod | None], windows: Sequence[DatePeriod]) -> Spread:
    """Count dates by window; each dated document counts 1 in all if it lies within the windows."""
    counts = [0.0] * len(windows)
    for period in periods:
        shared = [] if period is None else [common(period, window) for window in windows]
        days = [0 if one is None else one.last - one.first + 1 for one in shared]
        for at, number in enumerate(days):
            counts[at] += number / (sum(days) or 1)
    return Spread(name, tuple(round(count, 6) for count in counts), sum(period is None for period in periods))


def timeline(
    windows: Sequence[DatePeriod],
    corpus: Sequence[DatePeriod | None],
    sets: Mapping[str, Sequence[Placed]],
) -> Timeline:
    """Lay sets of documents over the windows, in their order, beside the archive."""
    spreads = tuple(spread(name, [one.period for one in found], windows) for name, found in sets.items())
    return Timeline(tuple(in_years(window) for window in windows), spread("archive", corpus, windows), spreads)


def exchange(ranked: Sequence[Placed], lanes: Sequence[Sequence[Placed]]) -> Exchange:
    """Hold the windows' lists against the first of the plain list, as many as the windows hold.

    A document in two windows counts once.
    """
    windowed = {one.document: one for lane in lanes for one in lane}
    plain = {one.document: one for one in ranked[: len(windowed)]}
    return Exchange(
        len(windowed.keys() & plain.keys()),
        tuple(one for document, one in windowed.items() if document not in plain),
        tuple(one for document, one in plain.items() if document not in windowed),
    )


def dual_score(rows: Sequence[tuple[str, float, float | None]]) -> DualScore:
    """Correlate similarity and judge's score; a missing or impossible score is not judged, never mended (H4)."""
    points = tuple(
        Point(name, similarity, score)
        for name, similarity, score in rows
        if score is not None and LOWEST <= score <= HIGHEST
    )
    one, other = [point.similarity for point in points], [point.score for point in points]
    return DualScore(points, len(rows) - len(points), pearson(ranks(one), ranks(other)), pearson(one, other))


def pearson(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Return the product-moment correlation, none where either has no two different values."""
    if len(set(one)) < 2 or len(set(other)) < 2:
        return None
    return float(np.corrcoef(one, other)[0, 1])


def ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value from 1; equal values share the mean of their ranks."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    means = last - (counts - 1) / 2
    ranked: list[float] = means[place].tolist()
    return ranked


def stratum(name: str, keyword: Sequence[DocumentId], semantic: Sequence[DocumentId]) -> Stratum:
    """Count what both sets hold and what only one of them does."""
    one, other = set(keyword), set(semantic)
    return Stratum(name, len(one & other), len(one - other), len(other - one))


def by_band(
    keyword: Sequence[DocumentId], semantic: Sequence[DocumentId], scores: Mapping[DocumentId, float]
) -> tuple[Stratum, ...]:
    """Stratify by the judge's score, documents without one last."""
    bands = [
        (name, {d for d, score in scores.items() if low <= score < high or score == high == HIGHEST})
        for name, low, high in BANDS
    ]
    judged = set().union(*(members for _, members in bands))
    strata = [
        stratum(name, [d for d in keyword if d in members], [d for d in semantic if d in members])
        for name, members in bands
    ]
    rest = stratum("not judged", [d for d in keyword if d not in judged], [d for d in semantic if d not in judged])
    return (*strata, rest)
