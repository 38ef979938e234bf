"""The report: for each collection what each system reached, how sure that is, and what it cost. Values only."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median, quantiles

from vestigia.domain.ids import DocumentId
from vestigia.evaluate.analysis import Finder, Misses, Overlap, finders, misses, overlaps
from vestigia.evaluate.collection import Collection, Query
from vestigia.evaluate.measures import RANKED, Scores, scores
from vestigia.evaluate.outcomes import Lists, Outcome
from vestigia.evaluate.statistics import Estimate, estimate, holm, permutation_p

ALL = "all"
HALVES = ("half 0", "half 1")
Trial = Mapping[str, Outcome]
"""The outcome of every query of a collection, those without a known source included, by query id."""


@dataclass(frozen=True, slots=True)
class Archive:
    """What was searched."""

    documents: int
    passages: int
    dated: int
    channels: tuple[str, ...]
    missing_gold: int
    """Judged documents that the archive does not hold: no system can find them."""


@dataclass(frozen=True, slots=True)
class Reached:
    """What a system reached in a measure over a group of queries: a kind, a half, or all."""

    system: str
    group: str
    measure: str
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class Test:
    """A system against the reference: the mean difference, its interval, and p before and after Holm's correction.

    The correction is over all systems for all queries, over all systems and kinds for the kinds, likewise for halves.
    """

    system: str
    against: str
    group: str
    measure: str
    difference: Estimate
    p: float
    corrected: float


@dataclass(frozen=True, slots=True)
class Unanswered:
    """What a system that accepts took for queries without a known source: the mean number, and how often nothing."""

    system: str
    group: str
    queries: int
    accepted: float
    nothing: float


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds a question (median, 95th percentile), model calls, tokens and US dollars (means; None: unknown)."""

    system: str
    median: float
    late: float
    calls: float
    tokens: float | None
    cost: float | None


@dataclass(frozen=True, slots=True)
class Repeated:
    """How far repeated runs differ: whether all rankings are the same, and R@10 from the worst to the best repeat."""

    system: str
    repeats: int
    same: bool
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Failed:
    """Questions a system gave no answer to; they are in none of its numbers."""

    system: str
    questions: int
    example: str


@dataclass(frozen=True, slots=True)
class Examined:
    """One collection."""

    name: str
    archive: Archive
    sizes: Mapping[str, int]
    """How many judged questions are in each group."""
    reached: tuple[Reached, ...]
    tests: tuple[Test, ...]
    overlaps: tuple[Overlap, ...]
    finders: tuple[Finder, ...]
    misses: Mapping[str, Misses]
    """By system."""
    unanswered: tuple[Unanswered, ...]
    costs: tuple[Cost, ...]
    repeated: tuple[Repeated, ...]
    failed: tuple[Failed, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """All collections, the systems with what they are, and how it was measured."""

    version: str
    systems: Mapping[str, str]
    reference: str
    every: int
    half: int | None
    repeat: int
    collections: tuple[Examined, ...]


def examine(
    collection: Collection, archive: Archive, trials: Mapping[str, Sequence[Trial]], reference: str, half: int | None
) -> Examined:
    """Measure what the systems made of a collection; `trials` holds a trial for each repeat, by the system's name."""
    measured = {name: repeated(collection.queries, repeats) for name, repeats in trials.items()}
    groups = grouped(collection, half)
    outcomes = {name: repeats[0] for name, repeats in trials.items()}
    lists = _lists(collection.queries, outcomes)
    return Examined(
        collection.name,
        archive,
        {group: len(ids) for group, ids in groups.items()},
        tuple(_reached(measured, groups)),
        tuple(_tests(measured, groups, reference)),
        overlaps(lists),
        finders(collection.queries, lists),
        {name: misses(collection.queries, trial) for name, trial in outcomes.items()},
        tuple(_unanswered(collection.unjudged, outcomes)),
        tuple(_cost(name, list(trial.values())) for name, trial in outcomes.items()),
        tuple(_repeated(collection.queries, name, of) for name, of in trials.items() if len(of) > 1),
        tuple(_failed(outcomes)),
        tuple(dict.fromkeys(gap for trial in outcomes.values() for o in trial.values() for gap in o.problems)),
    )


def grouped(collection: Collection, half: int | None) -> dict[str, list[str]]:
    """The ids of all queries, of each kind where there are several, and of both halves unless one was chosen."""
    groups = {ALL: [query.id for query in collection.queries]}
    kinds = sorted({query.kind for query in collection.queries if query.kind})
    if len(kinds) > 1:
        groups |= {kind: [q.id for q in collection.queries if q.kind == kind] for kind in kinds}
    if half is None and len(collection.queries) > 1:
        groups |= {name: [q.id for q in collection.queries if q.half == number] for number, name in enumerate(HALVES)}
    return {group: ids for group, ids in groups.items() if ids}


def repeated(queries: Sequence[Query], repeats: Sequence[Trial]) -> Scores:
    """Score each repeat and take the mean for each query, over the repeats that have one."""
    single = [scores(queries, trial) for trial in repeats]
    names = [name for name in single[0] if all(name in one for one in single)]
    found: Scores = {name: {} for name in names}
    for name in names:
        for query in queries:
            values = [one[name][query.id] for one in single if query.id in one[name]]
            if values:
                found[name][query.id] = fmean(values)
    return found


def _reached(measured: Mapping[str, Scores], groups: Mapping[str, Sequence[str]]) -> Iterator[Reached]:
    for system, found in measured.items():
        for group, ids in groups.items():
            for measure, values in found.items():
                reached = estimate([values[name] for name in ids if name in values])
                if reached:
                    yield Reached(system, group, measure, reached)


def _tests(measured: Mapping[str, Scores], groups: Mapping[str, Sequence[str]], reference: str) -> Iterator[Test]:
    """Hold every system against the reference in every ranking measure and group."""
    classes = [[g for g in groups if g == ALL], [g for g in groups if g in HALVES]]
    classes.append([group for group in groups if group not in {ALL, *HALVES}])
    for measure in RANKED:
        for family in classes:
            pairs = {
                (system, group): _differences(found[measure], measured[reference][measure], groups[group])
                for group in family
                for system, found in measured.items()
                if system != reference
            }
            pairs = {key: of for key, of in pairs.items() if of}
            p = {key: permutation_p(of) for key, of in pairs.items()}
            corrected = holm(p)
            for (system, group), of in pairs.items():
                key, difference = (system, group), estimate(of)
                if difference:
                    yield Test(system, reference, group, measure, difference, p[key], corrected[key])


def _differences(one: Mapping[str, float], other: Mapping[str, float], ids: Sequence[str]) -> list[float]:
    return [one[name] - other[name] for name in ids if name in one and name in other]


def _lists(queries: Sequence[Query], outcomes: Mapping[str, Trial]) -> dict[str, Lists]:
    """Every channel's list for each query, whichever system searched it first."""
    found: dict[str, Lists] = {}
    for query in queries:
        channels: dict[str, tuple[DocumentId, ...]] = {}
        for trial in outcomes.values():
            channels = {**dict(trial[query.id].lists), **channels}
        found[query.id] = tuple(sorted(channels.items()))
    return found


def _unanswered(queries: Sequence[Query], outcomes: Mapping[str, Trial]) -> Iterator[Unanswered]:
    kinds = dict.fromkeys(query.kind for query in queries)
    for system, trial in outcomes.items():
        for kind in kinds:
            ended = [trial[q.id] for q in queries if q.kind == kind and not trial[q.id].failure]
            if ended and all(outcome.judged for outcome in ended):
                taken = [len(outcome.ranking) for outcome in ended]
                yield Unanswered(system, kind, len(taken), fmean(taken), taken.count(0) / len(taken))


def _cost(system: str, ended: Sequence[Outcome]) -> Cost:
    seconds = [outcome.seconds for outcome in ended]
    late = quantiles(seconds, n=20, method="inclusive")[-1] if len(seconds) > 1 else seconds[0]
    tokens = [outcome.tokens for outcome in ended if outcome.tokens is not None]
    costs = [outcome.cost for outcome in ended if outcome.cost is not None]
    return Cost(
        system,
        median(seconds),
        late,
        fmean(outcome.calls for outcome in ended),
        fmean(tokens) if len(tokens) == len(ended) else None,
        fmean(costs) if len(costs) == len(ended) else None,
    )


def _repeated(queries: Sequence[Query], system: str, repeats: Sequence[Trial]) -> Repeated:
    rankings = [[trial[query.id].ranking for query in queries] for trial in repeats]
    recall = [scores(queries, trial)["R@10"] for trial in repeats]
    means = [fmean(values.values()) for values in recall if values] or [0.0]
    return Repeated(system, len(repeats), all(r == rankings[0] for r in rankings), min(means), max(means))


def _failed(outcomes: Mapping[str, Trial]) -> Iterator[Failed]:
    for system, trial in outcomes.items():
        failures = [outcome.failure for outcome in trial.values() if outcome.failure]
        if failures:
            yield Failed(system, len(failures), failures[0])
