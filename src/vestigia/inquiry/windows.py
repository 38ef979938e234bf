"""Temporal windows (HistoRAG, H2): every stretch of the period gets the same quota, so that no decade is drowned.

Each channel gives every window a list of its own, of one pass (`Found.lanes`); here the lists of a window are fused
like any others. What that changes is shown, not hidden: which documents the windows brought in that the plain list of
the same length lacks, which they pushed out, and how similar to the query both are. The undated have a lane of their
own. A document whose date overlaps two windows stands in both: which of them it belongs to is not known. Sub-corpora
can have quotas in the same way, alone or in every window.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from vestigia.domain.effects import Found, Lane
from vestigia.domain.evidence import Candidate, FusedLane, Hit, Price
from vestigia.domain.ids import DocumentId
from vestigia.domain.periods import FAR_FUTURE, FAR_PAST, DatePeriod, Precision, civil, day_number, label
from vestigia.inquiry.fusion import fuse, merged
from vestigia.inquiry.witnesses import one_witness

MOST_WINDOWS = 200


FUSED = "fused"


def by_years(period: DatePeriod, years: int) -> tuple[DatePeriod, ...]:
    """Cut a period into windows of so many calendar years, from the first of January of its first year on.

    The first and the last are cut to the period. Raises ValueError for less than a year, an open period, or more than
    200 windows.
    """
    if years < 1:
        raise ValueError(f"a window of {years} years holds nothing; give at least 1")
    _check_closed(period)
    first, last = civil(period.first)[0], civil(period.last)[0]
    _check_number(-(-(last - first + 1) // years))
    return tuple(
        _window(max(period.first, day_number(begin)), min(period.last, day_number(begin + years) - 1))
        for begin in range(first, last + 1, years)
    )


def by_count(period: DatePeriod, count: int) -> tuple[DatePeriod, ...]:
    """Cut a period into so many windows that differ by at most a day.

    Raises ValueError for none, for an open period, for more than 200 windows or than there are days.
    """
    _check_closed(period)
    days = period.last - period.first + 1
    if not 1 <= count <= days:
        raise ValueError(f"{days} days cannot be cut into {count} windows")
    _check_number(count)
    cuts = [period.first + days * place // count for place in range(count + 1)]
    return tuple(_window(begin, end - 1) for begin, end in pairwise(cuts))


def together(answers: Sequence[Found]) -> Found:
    """Make one answer of several of the same channel, as the date channel gives for several periods.

    Each document counts at its best, in every window, too.
    """
    if len(answers) == 1:
        return answers[0]
    lanes = []
    for parts in zip(*(answer.lanes for answer in answers), strict=True):
        quota = len(parts[0].hits) + parts[0].short
        hits = merged([hit for part in parts for hit in part.hits])[:quota]
        lanes.append(replace(parts[0], hits=hits, short=quota - len(hits)))
    missing = "; ".join(dict.fromkeys(answer.missing for answer in answers if answer.missing))
    variants = tuple(dict.fromkeys(variant for answer in answers for variant in answer.variants))
    return Found(merged([hit for answer in answers for hit in answer.hits]), missing, "", tuple(lanes), variants)


def fuse_lanes(
    found: Mapping[str, Found],
    weights: Mapping[str, float],
    k: int,
    clusters: Mapping[DocumentId, str] | None = None,
    spare: int = 0,
) -> tuple[FusedLane, ...]:
    """Fuse the lists of each window and sub-corpus, in their order.

    Every `Found` must have lanes for the same ones; the quota of one is its hits and what they lack, less `spare`, by
    which more was asked for. Of documents of one of the `clusters` the first takes a place for all (B4).
    Raises ValueError otherwise.
    """
    channels = sorted(found)
    shapes = {tuple(replace(lane, hits=(), short=_quota(lane)) for lane in found[name].lanes) for name in channels}
    if len(shapes) > 1:
        raise ValueError("the channels were not searched by the same windows and quotas")
    fused, of = [], clusters or {}
    for place, asked in enumerate(next(iter(shapes), ())):
        lists = {name: found[name].lanes[place].hits for name in channels}
        all_of_them = fuse(lists, {name: weights[name] for name in channels}, k, sum(map(len, lists.values())))
        quota = asked.short - spare
        witnesses = one_witness(all_of_them, lambda candidate: of.get(candidate.document, ""))
        candidates = tuple(same[0] for same in witnesses[:quota])
        fused.append(FusedLane(asked.window, candidates, quota - len(candidates), asked.sub_corpus))
    return tuple(fused)


def alternating(lanes: Sequence[FusedLane]) -> tuple[Candidate, ...]:
    """Make one list of which every window has as many places as any other, as long as it has candidates.

    First stand the best of each window, by their scores, then the second of each, and so on; a document of two windows
    stands once.
    """
    longest = max((len(lane.candidates) for lane in lanes), default=0)
    rounds = ([lane.candidates[n] for lane in lanes if n < len(lane.candidates)] for n in range(longest))
    ordered = (one for drawn in rounds for one in sorted(drawn, key=lambda c: (-c.score, c.document)))
    once: dict[DocumentId, Candidate] = {}
    for one in ordered:
        once.setdefault(one.document, one)
    return tuple(once.values())


def shares(lanes: Sequence[FusedLane], chosen: Iterable[Candidate]) -> tuple[tuple[str, int], ...]:
    """Say how many of the candidates chosen lie in each window, by its name."""
    of = {candidate.document for candidate in chosen}
    return tuple(
        (label(lane.window) if lane.window else "undated", sum(one.document in of for one in lane.candidates))
        for lane in lanes
    )


def trimmed(found: Found, spare: int) -> Found:
    """Return what would have been found, had `spare` documents fewer been asked for in each lane."""
    lanes = []
    for one in found.lanes:
        quota = _quota(one) - spare
        lanes.append(replace(one, hits=one.hits[:quota], short=max(0, quota - len(one.hits))))
    return replace(found, lanes=tuple(lanes))


def _quota(lane: Lane) -> int:
    return len(lane.hits) + lane.short


def prices(found: Mapping[str, Found], lanes: Sequence[FusedLane], plain: Sequence[Candidate]) -> tuple[Price, ...]:
    """Say what the windows cost, channel by channel and in the fused list, `plain` being the fused list without them.

    A plain list that is shorter than what the windows hold lacks documents, not places: then some of what counts as
    surfaced may stand further down in it.
    """
    channels = [
        _price(name, _scores(hit for lane in found[name].lanes for hit in lane.hits), found[name].hits)
        for name in sorted(found)
    ]
    return (*channels, _price(FUSED, _scores(one for lane in lanes for one in lane.candidates), plain))


def _price(channel: str, windowed: Mapping[DocumentId, float], plain: Sequence[Hit | Candidate]) -> Price:
    shown = _scores(plain[: len(windowed)])
    surfaced = [score for document, score in windowed.items() if document not in shown]
    displaced = [score for document, score in shown.items() if document not in windowed]
    return Price(channel, len(surfaced), len(displaced), _mean(surfaced), _mean(displaced))


def _scores(hits: Iterable[Hit | Candidate]) -> dict[DocumentId, float]:
    """Each document once, at its best."""
    best: dict[DocumentId, float] = {}
    for hit in hits:
        best[hit.document] = max(hit.score, best.get(hit.document, hit.score))
    return best


def _mean(scores: Sequence[float]) -> float | None:
    return sum(scores) / len(scores) if scores else None


def _window(first: int, last: int) -> DatePeriod:
    return DatePeriod(first, last, Precision.RANGE)


def _check_closed(period: DatePeriod) -> None:
    if period.first <= FAR_PAST or period.last >= FAR_FUTURE:
        raise ValueError("a period without beginning or end cannot be cut into windows; name both")


def _check_number(windows: int) -> None:
    if windows > MOST_WINDOWS:
        raise ValueError(f"{windows} windows are more than {MOST_WINDOWS}; make them wider")
