"""What rests on a text that a reader corrected since (B7): verdicts of a question, scores, decisions of a curation.

It is read off the ledger and the corrections each time, and written nowhere: a verdict rests on the passages it was
given on, and a correction touches it that lies over words of one of them and is younger. What waits on hold already
rests on nothing.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from vestigia.app import present
from vestigia.app.corrections import Correction, corrected
from vestigia.app.present import Holdings, Plain
from vestigia.app.workspace import Workspace
from vestigia.domain.acts import Act
from vestigia.domain.archive import Passage
from vestigia.domain.commissions import CurateOrder, JudgeOrder
from vestigia.domain.entries import Begun, Entry, Recorded
from vestigia.domain.events import HeldUnseen, Judged, Overruled, Reevaluated, Scored, Searched
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.inquiry.curation import curation

AROUND = 120
"""Characters shown before and after words that were corrected."""
SCORED = "score"
"""The verdict of a judging."""


@dataclass(frozen=True, slots=True)
class Rested:
    """A verdict, by whom, when and why, and the younger corrections of the passages it was given on.

    `verdict` is accept or reject, or `score` with its number in `score`. Who gave it is empty for the machine.
    """

    document: DocumentId
    verdict: str
    reason: str
    by: str
    entry: int
    time: str
    passages: tuple[PassageId, ...]
    score: int | None = None
    corrections: tuple[Correction, ...] = ()


def rested(workspace: Workspace, entries: Sequence[Entry]) -> tuple[Rested, ...]:
    """The verdicts of a run that rest on text corrected since, in the order of the record. Raises ArchiveError."""
    known = corrected(workspace)
    return resting(entries, known) if known else ()


def resting(entries: Sequence[Entry], known: Mapping[DocumentId, Sequence[Correction]]) -> tuple[Rested, ...]:
    """Those of a record that rest on text that one of these corrections, by document, has touched since."""
    found = []
    for one in _verdicts(entries, known):
        later = tuple(
            said
            for said in known.get(one.document, ())
            if said.time > one.time and any(overlaps(passage, said) for passage in one.passages)
        )
        if later:
            touched = tuple(name for name in one.passages if any(overlaps(name, said) for said in later))
            found.append(replace(one, passages=touched, corrections=later))
    return tuple(sorted(found, key=lambda one: one.entry))


def overlaps(passage: str, said: Correction) -> bool:
    """Whether a correction lies over words of a passage."""
    start, _, end = passage.rpartition("#")[2].partition("-")
    return start.isdecimal() and end.isdecimal() and int(start) < said.end and said.start < int(end)


def shown(workspace: Workspace, entries: Sequence[Entry], *, closed: bool = False) -> list[Plain]:
    """What rests on text corrected since, as data, with that text; nothing of a text that may not be shown."""
    found = rested(workspace, entries)
    if not found:
        return []
    with closing(workspace.catalogue()) as catalogue:
        cards = {card.id: card for card in catalogue.documents([one.document for one in found])}
        passages = {one.id: one for one in catalogue.passages([name for row in found for name in row.passages])}
    held = Holdings(cards, passages, closed=closed)
    return [_plain(one, held) for one in found]


def _plain(one: Rested, held: Holdings) -> Plain:
    why = held.withheld_of(one.document, one.passages[0])
    card = held.cards.get(one.document)
    return {
        "document": one.document,
        "title": card.title if card else "",
        "verdict": one.verdict,
        "score": one.score,
        "reason": present.without_quotes(one.reason) if why else one.reason,
        "by": one.by or None,
        "at": one.time,
        "entry": one.entry,
        "passages": list(one.passages),
        "withheld": why or None,
        "corrections": [_correction(said, one, held, withheld=bool(why)) for said in one.corrections],
    }


def _correction(said: Correction, one: Rested, held: Holdings, *, withheld: bool) -> Plain:
    """A correction where it lies: the words before it, those that were judged, those to be read, the words after."""
    passage = next((held.passages.get(name) for name in one.passages if overlaps(name, said)), None)
    before, after = ("", "") if withheld or passage is None else _around(said, passage)
    return {
        "number": said.number,
        "by": said.author,
        "at": said.time,
        "before": before,
        "was": None if withheld else said.was,
        "now": None if withheld else said.now,
        "after": after,
    }


def _around(said: Correction, passage: Passage) -> tuple[str, str]:
    first, last = max(0, said.start - passage.start), max(0, said.end - passage.start)
    return passage.text[max(0, first - AROUND) : first], passage.text[last : last + AROUND]


def _verdicts(entries: Sequence[Entry], among: Collection[DocumentId]) -> Iterator[Rested]:
    """The verdicts of a run that stand, on documents that are `among` these, with the passages they were given on."""
    first = entries[0].body if entries else None
    if not isinstance(first, Begun):
        return
    match first.commission:
        case None:
            yield from _of_question(entries, among)
        case CurateOrder():
            yield from _of_curation(entries, among)
        case JudgeOrder():
            yield from _of_judging(entries, among)


def _of_question(entries: Sequence[Entry], among: Collection[DocumentId]) -> Iterator[Rested]:
    """A person's decision on a document, or what the machine said of its passages: why it stands in the list or not."""
    machine: dict[DocumentId, dict[PassageId, Rested]] = {}
    people: dict[DocumentId, Rested] = {}
    met: dict[DocumentId, dict[PassageId, None]] = {}
    for entry in entries:
        match entry.body:
            case Recorded(Searched(candidates=some) | HeldUnseen(candidates=some)):
                for one in some:
                    met.setdefault(one.document, {})[one.passage] = None
            case Recorded(Judged(verdicts=said) | Reevaluated(promoted=said)):
                for v in said:
                    row = Rested(v.document, v.decision, v.reason, "", entry.number, entry.time, (v.passage,))
                    machine.setdefault(v.document, {})[v.passage] = row
            case Recorded(Overruled() as act):
                row = Rested(act.document, act.decision, act.reason, act.author, entry.number, entry.time, ())
                people[act.document] = row
    for document in among:
        passages = machine.get(document, {})
        if document in people:
            if people[document].verdict != Decision.HOLD:
                yield replace(people[document], passages=tuple(passages or met.get(document, {})))
            continue
        said_so = {wanted: [one for one in passages.values() if one.verdict == wanted] for wanted in Decision}
        yield from said_so[Decision.ACCEPT] or said_so[Decision.REJECT]


def _of_curation(entries: Sequence[Entry], among: Collection[DocumentId]) -> Iterator[Rested]:
    """What people decided about sources of a set; one that is flagged is looked at again anyway."""
    found = curation(entries)
    for source in found.sources if found else ():
        if source.item.document in among:
            for deed in source.decisions:
                if deed.act.act is not Act.FLAG:
                    yield Rested(
                        source.item.document, deed.act.act, deed.act.reason, deed.act.author, deed.entry, deed.time,
                        (source.item.passage,),
                    )  # fmt: skip


def _of_judging(entries: Sequence[Entry], among: Collection[DocumentId]) -> Iterator[Rested]:
    """The score that each passage was given last."""
    last: dict[PassageId, Rested] = {}
    for entry in entries:
        match entry.body:
            case Recorded(Scored() as said) if said.document in among:
                last[said.passage] = Rested(
                    said.document, SCORED, said.argument, said.author, entry.number, entry.time, (said.passage,),
                    said.score,
                )  # fmt: skip
    yield from last.values()
