"""Judges on trial: all judgings of one set side by side (HistoRAG 5.2, 5.3; H4, H5, H14).

Pure: scores by passage in, counts and measures out. A score is its judge's own; between judges only places can be
compared, so disagreements are gaps between percentiles.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, pstdev

from vestigia.evaluate.agreement import Agreement, Correlation, Scores, agreement, correlation, percentiles

WIDEST_GAPS = 20
"""Disagreements that are listed for adjudication."""


@dataclass(frozen=True, slots=True)
class Judging:
    """One judge of a set. `unjudged` counts passages without a score by reason; `waiting` have neither."""

    judge: str
    person: bool
    scores: Scores
    arguments: Mapping[str, str] = field(default_factory=dict)
    unjudged: Mapping[str, int] = field(default_factory=dict)
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage that was judged, as it is listed; `similarity` to the description is None where it was not measured."""

    id: str
    document: str
    title: str
    date: str
    sub_corpus: str
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Spread:
    """How a judge uses the scale. `constant`: all scores are the same, so that they tell nothing."""

    judge: str
    person: bool
    judged: int
    mean: float | None
    deviation: float | None
    lowest: int | None
    highest: int | None
    constant: bool
    unjudged: tuple[tuple[str, int], ...]
    waiting: int


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a judge gave a passage, and its place among what that judge gave (0 to 100)."""

    judge: str
    score: int
    percentile: float


@dataclass(frozen=True, slots=True)
class Gap:
    """A passage about which judges differ: by how many percentiles at most."""

    passage: str
    apart: float
    opinions: tuple[Opinion, ...]


@dataclass(frozen=True, slots=True)
class Dual:
    """H5: a judge's scores against similarity. `unplaced` are scores of passages without a similarity."""

    judge: str
    points: tuple[tuple[str, float, int], ...]
    unplaced: int
    correlation: Correlation | None


@dataclass(frozen=True, slots=True)
class Banded:
    """What a judge's bands would do: keep, drop, leave to be looked at."""

    judge: str
    keep: int
    look: int
    drop: int


@dataclass(frozen=True, slots=True)
class Override:
    """B6: of the sources of a sub-corpus that a judge would keep or drop and people decided, how many they reversed."""

    judge: str
    sub_corpus: str
    decided: int
    overridden: int


@dataclass(frozen=True, slots=True)
class Trial:
    """All judges of one set by one rubric."""

    set: str
    description: str
    rubric: str
    scale: tuple[int, int]
    similarity: str
    passages: tuple[Passage, ...]
    judgings: tuple[Judging, ...]
    spreads: tuple[Spread, ...]
    agreement: Agreement
    gaps: tuple[Gap, ...]
    duals: tuple[Dual, ...]
    bands: tuple[Banded, ...]
    overrides: tuple[Override, ...]
    notes: tuple[str, ...] = ()


def spread(one: Judging) -> Spread:
    """Describe a judge's scores."""
    given = list(one.scores.values())
    return Spread(
        one.judge,
        one.person,
        len(given),
        fmean(given) if given else None,
        pstdev(given) if given else None,
        min(given, default=None),
        max(given, default=None),
        len(given) > 1 and len(set(given)) == 1,
        tuple(one.unjudged.items()),
        one.waiting,
    )


def compared(judgings: Sequence[Judging]) -> Agreement:
    """Compare judges pair by pair and all together."""
    return agreement({one.judge: one.scores for one in judgings})


def gaps(judgings: Sequence[Judging]) -> tuple[Gap, ...]:
    """List the passages about which judges differ most, by percentile; a constant judge has no opinion."""
    places = {one.judge: percentiles(one.scores) for one in judgings if len(set(one.scores.values())) > 1}
    scores = {one.judge: one.scores for one in judgings}
    found = []
    for passage in dict.fromkeys(passage for given in places.values() for passage in given):
        opinions = tuple(
            Opinion(judge, scores[judge][passage], round(given[passage], 1))
            for judge, given in places.items()
            if passage in given
        )
        places_here = [given[passage] for given in places.values() if passage in given]
        apart = max(places_here) - min(places_here)
        if apart > 0:
            found.append(Gap(passage, round(apart, 1), opinions))
    return tuple(sorted(found, key=lambda gap: (-gap.apart, gap.passage))[:WIDEST_GAPS])


def dual(one: Judging, similarity: Mapping[str, float]) -> Dual:
    """Hold a judge's scores against similarity (H5)."""
    points = tuple(
        (passage, similarity[passage], score) for passage, score in one.scores.items() if passage in similarity
    )
    found = correlation([near for _, near, _ in points], [float(score) for _, _, score in points])
    return Dual(one.judge, points, len(one.scores) - len(points), found)


def banded(one: Judging, keep: int, drop: int) -> Banded:
    """Count what the bands would do with a judge's scores: a threshold is not portable between judges (H4)."""
    given = list(one.scores.values())
    kept, dropped = sum(score >= keep for score in given), sum(score <= drop for score in given)
    return Banded(one.judge, kept, len(given) - kept - dropped, dropped)


def overrides(
    one: Judging, bands: tuple[int, int], decided: Mapping[str, bool], homes: Mapping[str, str]
) -> tuple[Override, ...]:
    """Count by sub-corpus where people reversed what a judge's bands would do.

    `bands` are keep and drop, `decided` says of passages whether people accepted them, `homes` where they stand.
    """
    keep, drop = bands
    sure = {
        passage: score >= keep
        for passage, score in one.scores.items()
        if passage in decided and (score >= keep or score <= drop)
    }
    rows = []
    for home in dict.fromkeys(homes[passage] for passage in sure):
        mine = [passage for passage in sure if homes[passage] == home]
        rows.append(Override(one.judge, home, len(mine), sum(sure[passage] != decided[passage] for passage in mine)))
    return tuple(rows)
