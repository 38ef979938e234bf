"""How much did the run miss (B2): a blind stratified sample of documents, and recall estimated from it.

**Sample.** Every document the run could have listed stands in one stratum, by the furthest it came. Each stratum that
has any gives at least one; the rest is shared out by the square roots of their sizes (power allocation: Bankier, The
American Statistician 42, 1988), so that small strata are not lost beside the whole archive. Which documents are taken
is decided by digests over the seed: nobody chooses, and the same record always gives the same sample. A larger sample
holds the smaller one.

**Estimate.** A stratum of N documents, n judged, k of them relevant, is estimated to hold N k / n relevant ones. Its
interval is exact for drawing without replacement (hypergeometric, by inverting the two one-sided tests; the finite
counterpart of Clopper and Pearson, Biometrika 26, 1934; Wright, Exact Confidence Bounds when Sampling from Small
Finite Universes, 1991). With T relevant documents listed and M relevant ones not listed recall is T / (T + M). Its
interval runs from T_low / (T_low + M_high) to T_high / (T_high + M_low), the strata's intervals each taken at the
level 1 - 0.05 / H for H strata that were not judged whole (Bonferroni): at least 95 % together, rather more. A row
left empty counts as not drawn.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import comb, sqrt

from vestigia.domain.evidence import Assessment
from vestigia.domain.ids import Digest, DocumentId, PassageId, digest

LEVEL = 0.95
LEAST = 10
"""Judgements below which no number is given."""


class Stratum(StrEnum):
    """How far a document came."""

    LISTED = "listed"
    REJECTED = "rejected"
    HELD = "held"
    UNSHOWN = "found, never shown"
    """In the list of a channel, but nobody was shown it."""
    UNFOUND = "never found"


REMEDIES = {
    Stratum.REJECTED: "read what was rejected again",
    Stratum.HELD: "decide about what is on hold",
    Stratum.UNSHOWN: "let more candidates through (`rules.candidates`, `--max-steps`)",
    Stratum.UNFOUND: "search with other words (`vestigia vocabulary`, `--also`, `--expand`)",
}


@dataclass(frozen=True, slots=True)
class Unit:
    """A document that may be drawn, and the passage that carried it; None where nothing pointed to one."""

    document: DocumentId
    passage: PassageId | None = None


@dataclass(frozen=True, slots=True)
class Bounded:
    """A number with its interval."""

    estimate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Layer:
    """A stratum: how many documents it has, how many were judged and were relevant, and what that says of all of it.

    `relevant_in_all` is None where none was judged.
    """

    stratum: Stratum
    size: int
    judged: int
    relevant: int
    relevant_in_all: Bounded | None


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit says. `recall` and `missed` are None where too little was judged: `lacking` then says what."""

    layers: tuple[Layer, ...]
    recall: Bounded | None
    missed: Bounded | None
    lacking: str
    hint: str


Strata = Mapping[Stratum, Sequence[Unit]]


def sample(strata: Strata, size: int, seed: Digest) -> tuple[Unit, ...]:
    """Draw at most `size` documents, mixed so that their order says nothing."""
    shares = allocation({stratum: len(units) for stratum, units in strata.items()}, size)
    drawn = [unit for stratum, units in strata.items() for unit in _by_lot(units, seed)[: shares[stratum]]]
    return tuple(_by_lot(drawn, digest(f"{seed} mixed")))


def allocation(sizes: Mapping[Stratum, int], size: int) -> dict[Stratum, int]:
    """Share a sample out among strata; a larger sample gives no stratum less."""
    shares = dict.fromkeys(sizes, 0)
    for _ in range(min(size, sum(sizes.values()))):
        open_ones = [stratum for stratum in sizes if shares[stratum] < sizes[stratum]]
        empty = [stratum for stratum in open_ones if not shares[stratum]]
        next_one = max(empty or open_ones, key=lambda stratum: sqrt(sizes[stratum]) / (shares[stratum] + 1))
        shares[next_one] += 1
    return shares


def _by_lot(units: Iterable[Unit], seed: Digest) -> list[Unit]:
    return sorted(units, key=lambda unit: digest(f"{seed} {unit.document}"))


def audit(sizes: Mapping[str, int], judgements: Iterable[Assessment]) -> Audit:
    """Estimate recall from what people judged; of two judgements on a document the later counts."""
    last = {one.document: one for one in judgements}.values()
    counted = {
        stratum: [one.relevant for one in last if one.stratum == stratum] for stratum in Stratum if sizes.get(stratum)
    }
    partly = sum(len(said) < sizes[stratum] for stratum, said in counted.items())
    alpha = (1 - LEVEL) / max(partly, 1)
    layers = tuple(_layer(stratum, sizes[stratum], said, alpha) for stratum, said in counted.items())
    lacking = _lacking(layers)
    if lacking:
        return Audit(layers, None, None, lacking, "")
    listed = [layer.relevant_in_all for layer in layers if layer.stratum is Stratum.LISTED]
    others = [layer.relevant_in_all for layer in layers if layer.stratum is not Stratum.LISTED]
    found, missed = _sum(listed), _sum(others)
    if not found.estimate + missed.estimate:
        return Audit(
            layers, None, missed, "nothing relevant is in the sample: recall is not known.", _hint(layers, missed)
        )
    recall = Bounded(
        _share(found.estimate, missed.estimate), _share(found.low, missed.high), _share(found.high, missed.low)
    )
    return Audit(layers, recall, missed, "", _hint(layers, missed))


def _layer(stratum: Stratum, size: int, said: Sequence[bool], alpha: float) -> Layer:
    judged, relevant = len(said), sum(said)
    if not judged:
        return Layer(stratum, size, 0, 0, None)
    low, high = bounds(size, judged, relevant, alpha)
    return Layer(stratum, size, judged, relevant, Bounded(size * relevant / judged, low, high))


def bounds(size: int, drawn: int, relevant: int, alpha: float) -> tuple[int, int]:
    """The exact interval of how many of `size` are relevant when `relevant` of `drawn` are, at the level 1 - alpha."""
    least, most = relevant, size - (drawn - relevant)

    def is_possible(among: int) -> bool:
        """Whether so many or more would turn up often enough if only `among` were relevant."""
        return _at_least(size, drawn, relevant, among) > alpha / 2

    def is_unlikely(among: int) -> bool:
        """Whether so few would hardly ever turn up if `among` were relevant."""
        return 1 - _at_least(size, drawn, relevant + 1, among) <= alpha / 2

    low = least + bisect_left(range(least, most), x=True, key=is_possible)
    return low, least + bisect_left(range(least + 1, most + 1), x=True, key=is_unlikely)


def _at_least(size: int, drawn: int, relevant: int, among: int) -> float:
    """How likely `relevant` or more turn up in `drawn` of `size` when `among` of these are relevant."""
    ways = sum(comb(among, k) * comb(size - among, drawn - k) for k in range(relevant, min(drawn, among) + 1))
    return ways / comb(size, drawn)


def _lacking(layers: Sequence[Layer]) -> str:
    if not layers:
        return "nothing is judged yet."
    judged = sum(layer.judged for layer in layers)
    whole = all(layer.judged == layer.size for layer in layers)
    if judged < LEAST and not whole:
        return f"{judged} documents are judged; below {LEAST} no number is given."
    silent = [layer.stratum.value for layer in layers if not layer.judged]
    return f"nothing is judged of what was {', '.join(silent)}: recall is not known." if silent else ""


def _sum(parts: Iterable[Bounded | None]) -> Bounded:
    known = [part for part in parts if part is not None]
    return Bounded(*(sum(getattr(part, name) for part in known) for name in ("estimate", "low", "high")))


def _share(found: float, missed: float) -> float:
    return found / (found + missed) if found + missed else 1.0


def _hint(layers: Sequence[Layer], missed: Bounded) -> str:
    """What to do next: stop, or where to look."""
    if not missed.high:
        return "Stop: everything that was passed over was judged, and nothing of it is relevant."
    if not missed.estimate:
        return (
            f"No document that was passed over turned out relevant; up to {missed.high:.0f} may be. "
            "Stop if that is few enough, else judge a larger sample."
        )
    others = [layer for layer in layers if layer.stratum is not Stratum.LISTED and layer.relevant_in_all]
    worst = max(others, key=lambda layer: layer.relevant_in_all.estimate if layer.relevant_in_all else 0)
    return f"Go on: most of what is missed is likely among what was {worst.stratum}; {REMEDIES[worst.stratum]}."
