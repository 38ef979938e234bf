"""Where systems agree, and where they lose sources: channel overlap and miss attribution (T17, T18)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from vestigia.domain.ids import DocumentId
from vestigia.evaluate.collection import Query
from vestigia.evaluate.outcomes import Lists, Outcome

TOP = 20
"""How much of a channel's list counts for the overlap."""
SHOWN = 10
"""A relevant document below this rank is missed."""
FATES = ("never retrieved", "rejected", "held", "below rank 10")


@dataclass(frozen=True, slots=True)
class Overlap:
    """How much two channels find the same: the mean Jaccard index of their top 20 over the queries both searched."""

    one: str
    other: str
    jaccard: float
    queries: int


@dataclass(frozen=True, slots=True)
class Finder:
    """How many relevant documents a channel has in its top 20, and how many no other channel has there."""

    channel: str
    found: int
    alone: int
    gold: int


@dataclass(frozen=True, slots=True)
class Misses:
    """What became of the relevant documents not among the first ten: a count for each of `FATES`."""

    gold: int
    missed: int
    fates: Mapping[str, int]


def overlaps(lists: Mapping[str, Lists]) -> tuple[Overlap, ...]:
    """Compare every two channels; `lists` holds the channels' lists by query."""
    found = []
    for one, other in combinations(_channels(lists), 2):
        both = [dict(of) for of in lists.values() if {one, other} <= dict(of).keys()]
        shared = [jaccard(of[one][:TOP], of[other][:TOP]) for of in both]
        found += [Overlap(one, other, fmean(shared), len(shared))] if shared else []
    return tuple(found)


def jaccard(one: Sequence[DocumentId], other: Sequence[DocumentId]) -> float:
    """Return the share of the documents of either list that are in both; 0 for two empty lists."""
    either = set(one) | set(other)
    return len(set(one) & set(other)) / len(either) if either else 0.0


def finders(queries: Sequence[Query], lists: Mapping[str, Lists]) -> tuple[Finder, ...]:
    """Count for each channel the relevant documents it finds, and those that it alone finds."""
    found, alone, gold = Counter[str](), Counter[str](), 0
    for query in queries:
        for document in query.relevant if query.id in lists else ():
            holders = [channel for channel, documents in lists[query.id] if document in documents[:TOP]]
            gold += 1
            found.update(holders)
            alone.update(holders if len(holders) == 1 else [])
    return tuple(Finder(channel, found[channel], alone[channel], gold) for channel in _channels(lists))


def misses(queries: Sequence[Query], outcomes: Mapping[str, Outcome]) -> Misses:
    """Say what became of every relevant document that is not among the first ten (T17)."""
    counted: Counter[str] = Counter()
    gold = 0
    for query in queries:
        outcome = outcomes[query.id]
        if outcome.failure:
            continue
        gold += len(query.gold)
        counted.update(fate for fate in (_fate(document, outcome) for document in query.relevant) if fate)
    return Misses(gold, counted.total(), {fate: counted[fate] for fate in FATES})


def _fate(document: DocumentId, outcome: Outcome) -> str:
    if document in outcome.ranking[:SHOWN]:
        return ""
    if document in outcome.ranking:
        return "below rank 10"
    if document in outcome.held:
        return "held"
    return "rejected" if document in outcome.rejected else "never retrieved"


def _channels(lists: Mapping[str, Lists]) -> list[str]:
    return list(dict.fromkeys(channel for of in lists.values() for channel, _ in of))
