"""How many sources came in, and what became of each: the numbers of a PRISMA flow diagram, read off two ledgers (H8).

Every source is counted in exactly one place of each step, so that what comes in is what goes out and what goes on.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from vestigia.domain.effects import Describe, Described, Found
from vestigia.domain.entries import Answered, Asked, Entry
from vestigia.domain.ids import DocumentId
from vestigia.inquiry.curation import Curation, Source, Standing

NO_REASON = "no reason given"


@dataclass(frozen=True, slots=True)
class Judged:
    """How many of the sources that people look at a judge has judged, and how many not."""

    judge: str
    judged: int
    not_judged: int


@dataclass(frozen=True, slots=True)
class Tally:
    """`found` = `gone` + `reprints` + `left` + `taken`: what the searches met, and what of it came into the set.

    `taken` = `withdrawn` + `repeated` + `screened`: what of the set people look at. `screened` = `accepted` +
    `rejected` + `flagged` + `conflicting` + `undecided`. `added` of the set no search met: people laid them beside it.
    """

    found: int
    gone: int
    reprints: int
    left: int
    taken: int
    withdrawn: int
    repeated: int
    screened: int
    judged: tuple[Judged, ...]
    accepted: int
    rejected: tuple[tuple[str, int], ...]
    flagged: int
    conflicting: int
    undecided: int
    added: int = 0

    @property
    def adds_up(self) -> bool:
        """Whether no source is lost and none counted twice."""
        decided = self.accepted + sum(number for _, number in self.rejected)
        return (
            self.found == self.gone + self.reprints + self.left + self.taken
            and self.taken == self.withdrawn + self.repeated + self.screened
            and self.screened == decided + self.flagged + self.conflicting + self.undecided
            and all(one.judged + one.not_judged == self.screened for one in self.judged)
        )


def tally(origin: Sequence[Entry], curated: Curation) -> Tally:
    """Count what the run that a set was taken from met, and what people made of the set."""
    inside = list(dict.fromkeys(item.document for item in curated.order.items))
    searched = dict.fromkeys(_met(origin))
    met = dict.fromkeys([*searched, *inside])
    outside = Counter(_outside([name for name in met if name not in set(inside)], inside, origin))
    standings = Counter(source.standing for source in curated.sources)
    screened = [s for s in curated.sources if s.standing not in {Standing.GONE, Standing.REPEATED}]
    return Tally(
        found=len(met),
        gone=outside["gone"],
        reprints=outside["reprint"],
        left=outside["left"],
        taken=len(inside),
        withdrawn=standings[Standing.GONE],
        repeated=standings[Standing.REPEATED],
        screened=len(screened),
        judged=tuple(_judged(judge, screened) for judge in dict.fromkeys(p.judge for p in curated.order.presorted)),
        accepted=standings[Standing.ACCEPTED],
        rejected=_by_reason(curated.of(Standing.REJECTED)),
        flagged=standings[Standing.FLAGGED],
        conflicting=standings[Standing.CONFLICT],
        undecided=standings[Standing.UNDECIDED],
        added=sum(act.card.id not in searched for _, act in curated.added),
    )


def _judged(judge: str, screened: Sequence[Source]) -> Judged:
    number = sum(any(one.judge == judge for one in source.presorted) for source in screened)
    return Judged(judge, number, len(screened) - number)


def _by_reason(rejected: Iterable[Source]) -> tuple[tuple[str, int], ...]:
    counted = Counter(source.reason or NO_REASON for source in rejected)
    return tuple(sorted(counted.items(), key=lambda one: (-one[1], one[0])))


def _met(entries: Iterable[Entry]) -> Iterator[DocumentId]:
    """The documents that the searches of a run brought; where there are windows, within them."""
    for entry in entries:
        for answer in entry.body.answers if isinstance(entry.body, Answered) else ():
            if isinstance(answer, Found):
                lists = [lane.hits for lane in answer.lanes] if answer.lanes else [answer.hits]
                yield from (hit.document for hits in lists for hit in hits)


def _outside(names: Iterable[DocumentId], inside: Iterable[DocumentId], entries: Sequence[Entry]) -> Iterator[str]:
    """Why each of these is not in the set: gone from the archive, the text of another, or not taken in."""
    asked, clusters = _described(entries)
    witnesses = {clusters.get(name) or name for name in inside}
    for name in names:
        witness = clusters.get(name) or name
        if name in asked and name not in clusters:
            yield "gone"
        elif witness in witnesses:
            yield "reprint"
        else:
            witnesses.add(witness)
            yield "left"


def _described(entries: Iterable[Entry]) -> tuple[set[DocumentId], dict[DocumentId, str]]:
    """The documents a run asked after, and the clusters of those that were there."""
    asked, clusters = set[DocumentId](), dict[DocumentId, str]()
    for entry in entries:
        match entry.body:
            case Asked(effects):
                asked.update(name for effect in effects if isinstance(effect, Describe) for name in effect.documents)
            case Answered(answers):
                cards = (card for answer in answers if isinstance(answer, Described) for card in answer.cards)
                clusters.update((card.id, card.cluster) for card in cards)
            case _:
                pass
    return asked, clusters
