"""From the lists of the channels to the list that is shown: fused, one row a witness, as many rows as were asked for.

Reprints and copies take one place together (B4). Where that leaves places free, the channels are asked for more, until
the places are filled or there is nothing more.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.duplicates import clusters_of
from vestigia.domain.effects import DATE, SOURCE, Found, Search
from vestigia.domain.errors import VestigiaError
from vestigia.domain.evidence import Candidate, FusedLane, Price
from vestigia.domain.ids import DocumentId
from vestigia.domain.periods import DatePeriod
from vestigia.index.snapshot import Snapshot
from vestigia.inquiry.fusion import fuse
from vestigia.inquiry.windows import fuse_lanes, prices, together, trimmed
from vestigia.inquiry.witnesses import one_witness


@dataclass(frozen=True, slots=True)
class Said:
    """What a query says beside its words: the dates read in it, the sub-corpora it names."""

    periods: tuple[DatePeriod, ...] = ()
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """What is searched: `asked` of every channel of `texts`, each with a text of its own; `weigh` weighs the channels.

    The date channel is asked for each of the periods `said`, that of the source for the sub-corpora named.
    """

    index: Snapshot
    asked: Search
    texts: Mapping[str, str]
    said: Said
    weigh: Callable[[Mapping[str, Found]], dict[str, float]]


@dataclass(frozen=True, slots=True)
class Listed:
    """What is shown, and what it was made of: the answers of the channels and their weights; which could not answer."""

    candidates: tuple[Candidate, ...]
    found: Mapping[str, Found]
    weights: Mapping[str, float]
    failures: tuple[str, ...]
    lanes: tuple[FusedLane, ...] = ()
    prices: tuple[Price, ...] = ()


def listed(query: Query, k: int, limit: int, catalogue: Catalogue | None = None) -> Listed:
    """Search and fuse; with a `catalogue` documents that say the same take one place. A list alone has `limit` rows."""
    spare = 0
    while True:
        found, failures = _answers(query, spare)
        weights = query.weigh(found)
        lists = {name: one.hits for name, one in found.items()}
        everything = fuse(lists, weights, k, sum(map(len, lists.values())))
        clusters = clusters_of(catalogue, _documents(found)) if catalogue else {}
        rows = _rows(everything, clusters)
        lanes = fuse_lanes(found, weights, k, clusters, spare)
        filled = _are_filled(found, lanes) if lanes else _is_filled(found, len(rows), limit, query.asked.limit + spare)
        if filled:
            break
        spare = 2 * spare + max(query.asked.quota, 1)
    if not lanes:
        return Listed(tuple(rows[:limit]), found, weights, failures)
    kept = {name: trimmed(one, spare) for name, one in found.items()}
    once = {candidate.document: candidate for lane in lanes for candidate in lane.candidates}
    return Listed(tuple(once.values()), found, weights, failures, lanes, prices(kept, lanes, rows))


def _rows(fused: Sequence[Candidate], clusters: Mapping[DocumentId, str]) -> list[Candidate]:
    """The first of each witness."""
    return [same[0] for same in one_witness(fused, lambda one: clusters.get(one.document, ""))]


def _is_filled(found: Mapping[str, Found], rows: int, limit: int, asked: int) -> bool:
    return rows >= limit or all(len(one.hits) < asked for one in found.values())


def _are_filled(found: Mapping[str, Found], lanes: Sequence[FusedLane]) -> bool:
    """Whether every list is full, or lacks what no channel has."""
    return all(
        not lane.short or all(one.lanes[place].short for one in found.values()) for place, lane in enumerate(lanes)
    )


def _documents(found: Mapping[str, Found]) -> list[DocumentId]:
    hits = [hit for one in found.values() for part in (one.hits, *(lane.hits for lane in one.lanes)) for hit in part]
    return list(dict.fromkeys(hit.document for hit in hits))


def _answers(query: Query, spare: int) -> tuple[dict[str, Found], tuple[str, ...]]:
    """Ask every channel for so many documents more than were asked for; a channel that fails beside others is told."""
    found: dict[str, Found] = {}
    failures = []
    asked = query.asked
    more = replace(asked, limit=asked.limit + spare)
    if asked.windows or asked.each:
        more = replace(more, quota=asked.quota + spare, undated=asked.undated + spare if asked.undated else 0)
    for channel, text in query.texts.items():
        periods = query.said.periods if channel == DATE else (None,)
        scope = replace(asked.scope, sub_corpora=query.said.sources) if channel == SOURCE else asked.scope
        search = replace(more, channel=channel, text=text, scope=scope)
        try:
            answers = [query.index.search(replace(search, period=period)) for period in periods]
        except VestigiaError as error:
            if len(query.texts) == 1:
                raise
            failures.append(f"{channel}: {error}")
            continue
        found[channel] = together(answers)
    return found, tuple(failures)
