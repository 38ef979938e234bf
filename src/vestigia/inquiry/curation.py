"""Curation: people decide about every source of a set; what a judge said of it only sorts it before they look (H8).

The state of a set is a fold over the entries of its ledger, since an act is known by its entry: the last decision of
each person stands. Where they differ there is a conflict, until they agree or one of them resolves it for all.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from vestigia.domain.acts import Act, Added, Curated, Sealed, Undone
from vestigia.domain.archive import DocumentCard
from vestigia.domain.commissions import Band, CurateOrder, Item, Presorted, Rubric
from vestigia.domain.effects import Describe, Described
from vestigia.domain.entries import Begun, Entry, Recorded
from vestigia.domain.events import Closed, HumanAct, Opened, SetOpened
from vestigia.domain.ids import DocumentId
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules
from vestigia.inquiry.crossing import ask_one, attend, record
from vestigia.inquiry.state import State

CHECKPOINT = "curate"
"""Where the run of a curation waits for people."""


class Standing(StrEnum):
    """What has become of a source."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    FLAGGED = "flagged"
    CONFLICT = "conflict"
    UNDECIDED = "undecided"
    REPEATED = "repeated"
    """It has the text of another source, and nobody decided about it."""
    GONE = "gone"


_STANDINGS = {Act.ACCEPT: Standing.ACCEPTED, Act.REJECT: Standing.REJECTED, Act.FLAG: Standing.FLAGGED}


@dataclass(frozen=True, slots=True)
class Deed:
    """An act and its entry."""

    entry: int
    time: str
    act: Curated


@dataclass(frozen=True, slots=True)
class Source:
    """A source of the set: what judges said, what stands of what people decided, and what they noted."""

    item: Item
    card: DocumentCard | None
    repeats: DocumentId | None = None
    presorted: tuple[Presorted, ...] = ()
    decisions: tuple[Deed, ...] = ()
    """The last decision of each person."""
    remarks: tuple[Deed, ...] = ()

    @property
    def standing(self) -> Standing:
        """What has become of it."""
        decided = {deed.act.act for deed in self.decisions}
        if len(decided) > 1:
            return Standing.CONFLICT
        if decided:
            return _STANDINGS[decided.pop()]
        if self.card is None:
            return Standing.GONE
        return Standing.REPEATED if self.repeats else Standing.UNDECIDED

    @property
    def reason(self) -> str:
        """Why it was rejected: the reason given last."""
        return next((deed.act.reason for deed in reversed(self.decisions) if deed.act.reason), "")


@dataclass(frozen=True, slots=True)
class Curation:
    """A set as people have curated it so far; `deeds` are all acts that were not undone, in their order.

    `order` has the sources that people `added` after those it was begun with.
    """

    order: CurateOrder
    opened: bool = False
    sources: tuple[Source, ...] = ()
    deeds: tuple[Deed, ...] = ()
    seals: tuple[tuple[Entry, Sealed], ...] = ()
    added: tuple[tuple[Entry, Added], ...] = ()

    def of(self, standing: Standing) -> tuple[Source, ...]:
        """The sources of which this has become."""
        return tuple(source for source in self.sources if source.standing is standing)


async def curate(question: Question, rules: Rules, order: CurateOrder) -> State:
    """Lay a set open and wait for people; whoever lets the run go on closes it."""
    state = await record(State(), Opened(question, replace(rules, pause=(CHECKPOINT,))))
    wanted = tuple(item.document for item in order.items)
    cards = (await ask_one(Describe(wanted, if_there=True), Described)).cards if wanted else ()
    here = {card.id for card in cards}
    gone = tuple(name for name in wanted if name not in here)
    state = await record(state, SetOpened(cards, repeats_of(cards), gone))
    state = await attend(state, CHECKPOINT)
    return await record(state, Closed())


def repeats_of(cards: Iterable[DocumentCard]) -> tuple[tuple[DocumentId, DocumentId], ...]:
    """The documents that have the text of an earlier one, and that one (B4)."""
    first: dict[str, DocumentId] = {}
    pairs = ((card.id, first.setdefault(card.cluster, card.id)) for card in cards if card.cluster)
    return tuple((name, earlier) for name, earlier in pairs if name != earlier)


def band(rubric: Rubric, score: float) -> Band:
    """The band of a score."""
    if rubric.keep is None and rubric.drop is None:
        return Band.NONE
    if rubric.keep is not None and score >= rubric.keep:
        return Band.KEEP
    return Band.DROP if rubric.drop is not None and score <= rubric.drop else Band.LOOK


def curation(entries: Sequence[Entry]) -> Curation | None:
    """Read a curation off its ledger; none where the run is of another kind."""
    first = entries[0].body if entries else None
    if not isinstance(first, Begun) or not isinstance(first.commission, CurateOrder):
        return None
    order, deeds, seals = first.commission, list[Deed](), list[tuple[Entry, Sealed]]()
    added: list[tuple[Entry, Added]] = []
    opened: SetOpened | None = None
    for entry in entries:
        match entry.body:
            case Recorded(SetOpened() as event):
                opened = event
            case Recorded(Curated() as act) if _is_by(entry, act):
                deeds.append(Deed(entry.number, entry.time, act))
            case Recorded(Undone() as undone) if _is_by(entry, undone):
                deeds = [deed for deed in deeds if not _takes_back(undone, deed)]
            case Recorded(Added() as beside) if _is_by(entry, beside):
                added.append((entry, beside))
                order = replace(order, items=(*order.items, Item(beside.passage, beside.card.id)))
            case Recorded(Sealed() as sealed) if _is_by(entry, sealed):
                seals.append((entry, sealed))
    sources = _sources(order, opened, [one.card for _, one in added], deeds)
    return Curation(order, opened is not None, sources, tuple(deeds), tuple(seals), tuple(added))


def objection(entries: Sequence[Entry], act: HumanAct) -> str:
    """Say why a person cannot act so on this run, or nothing."""
    found = curation(entries)
    if not isinstance(act, Curated | Undone | Added | Sealed):
        return "" if found is None else "it is a set that is being curated"
    if found is None or not found.opened:
        return "it is not a set that is being curated"
    if isinstance(act, Curated):
        return _against_deciding(found, act)
    if isinstance(act, Added):
        return _against_adding(found, act)
    if isinstance(act, Sealed):
        return _against_sealing(found, act)
    known = any(_takes_back(act, deed) for deed in found.deeds)
    return "" if known else f"{act.author} has no act {act.entry} that could be taken back"


def _against_deciding(found: Curation, act: Curated) -> str:
    offered = found.order.reasons
    if all(act.document != source.item.document for source in found.sources):
        return f"the document {act.document!r} is not in the set"
    if act.reason and act.act is not Act.REJECT:
        return "only a rejection has a reason of the list"
    if act.reason and act.reason not in offered:
        return f"{act.reason!r} is no reason of the project's list ({'; '.join(offered)})"
    if act.resolves and not act.act.decides:
        return "a note or a tag resolves nothing"
    if not (act.note or act.act is not Act.NOTE) or not (act.tag or act.act is not Act.TAG):
        return f"the {act.act} is empty"
    return ""


def _against_adding(found: Curation, act: Added) -> str:
    if any(act.card.id == source.item.document for source in found.sources):
        return f"the document {act.card.id!r} is in the set already"
    of_it = act.passage.rpartition("#")[0] == act.card.id
    return "" if of_it else f"the passage {act.passage!r} is of another document"


def _against_sealing(found: Curation, act: Sealed) -> str:
    open_still = found.of(Standing.CONFLICT)
    if open_still:
        return f"people do not agree about {', '.join(source.item.document for source in open_still)}"
    accepted = tuple(source.item.document for source in found.of(Standing.ACCEPTED))
    if not accepted:
        return "no source is accepted"
    if act.sources != accepted:
        return "a dossier holds the accepted sources, all of them and no other"
    return (
        ""
        if act.statement.strip()
        else "a dossier is sealed with a statement (`--statement`): what it is for, how it was chosen"
    )


def _is_by(entry: Entry, act: Curated | Undone | Added | Sealed) -> bool:
    """Whether a person wrote it, the one it names."""
    return bool(act.author.strip()) and entry.actor == f"person:{act.author}"


def _takes_back(undone: Undone, deed: Deed) -> bool:
    return deed.entry == undone.entry and deed.act.author == undone.author


def _sources(
    order: CurateOrder, opened: SetOpened | None, added: Sequence[DocumentCard], deeds: Sequence[Deed]
) -> tuple[Source, ...]:
    if opened is None:
        return ()
    every = (*opened.cards, *added)
    cards, repeats = {card.id: card for card in every}, dict(repeats_of(every)) | dict(opened.repeats)
    return tuple(
        Source(
            item,
            cards.get(item.document),
            repeats.get(item.document),
            tuple(one for one in order.presorted if one.document == item.document),
            _standing_decisions(deeds, item.document),
            tuple(d for d in deeds if d.act.document == item.document and not d.act.act.decides),
        )
        for item in order.items
    )


def _standing_decisions(deeds: Iterable[Deed], document: DocumentId) -> tuple[Deed, ...]:
    last: dict[str, Deed] = {}
    for deed in deeds:
        if deed.act.document == document and deed.act.act.decides:
            last = {} if deed.act.resolves else last
            last.pop(deed.act.author, None)
            last[deed.act.author] = deed
    return tuple(last.values())
