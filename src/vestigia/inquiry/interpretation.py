"""Reading an interpretation: which claims are proven, which quotations are not sealed, and what people said (H9, B8).

Nothing of what was written is left out. A claim is proven when it names a quotation that stands in its source; words it
puts in quotation marks have to stand in one that it names, or a person has to sign for them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vestigia.domain.acts import Remark, Remarked
from vestigia.domain.commissions import InterpretOrder
from vestigia.domain.entries import Begun, Entry, Recorded
from vestigia.domain.events import Closed, DossierOpened, HumanAct, Interpreted, Quoted
from vestigia.domain.quotations import Claim, Quote
from vestigia.inquiry.quotes.quoted import quotations
from vestigia.inquiry.quotes.seal import seal


@dataclass(frozen=True, slots=True)
class Said:
    """What a person said of a claim, and when."""

    entry: int
    time: str
    remark: Remarked


@dataclass(frozen=True, slots=True)
class Proposed:
    """A claim with the quotations it names, the words in it that are not sealed, and what people said of it."""

    claim: Claim
    quotes: tuple[Quote, ...]
    unsealed: tuple[str, ...]
    said: tuple[Said, ...] = ()

    @property
    def proven(self) -> bool:
        """Whether it rests on sealed quotations alone, and on one at least."""
        return bool(self.quotes) and not self.unsealed

    @property
    def signed(self) -> bool:
        """Whether a person answers for what is not sealed in it."""
        return any(one.remark.remark is Remark.SIGN for one in self.said)

    @property
    def contested(self) -> bool:
        """Whether a person contests it."""
        return any(one.remark.remark is Remark.CONTEST for one in self.said)


@dataclass(frozen=True, slots=True)
class Chapter:
    """What was written on a question; number 0 is what was written on all of them together."""

    number: int
    question: str
    quoted: Quoted | None
    written: Interpreted
    time: str
    claims: tuple[Proposed, ...]


@dataclass(frozen=True, slots=True)
class Interpretation:
    """An interpretation as its ledger has it: a machine's proposal, with what people said of it."""

    order: InterpretOrder
    dossier: DossierOpened | None
    chapters: tuple[Chapter, ...]
    finished: bool

    @property
    def claims(self) -> tuple[Proposed, ...]:
        """All claims in their order."""
        return tuple(proposed for chapter in self.chapters for proposed in chapter.claims)

    @property
    def unsigned(self) -> tuple[Proposed, ...]:
        """Claims with quotations that are not sealed and that nobody has signed for."""
        return tuple(one for one in self.claims if one.unsealed and not one.signed)


def interpretation(entries: Sequence[Entry]) -> Interpretation | None:
    """Read an interpretation off its ledger; none where the run is of another kind."""
    first = entries[0].body if entries else None
    if not isinstance(first, Begun) or not isinstance(first.commission, InterpretOrder):
        return None
    said, quoted = list[Said](), dict[int, Quoted]()
    written: list[tuple[str, Interpreted]] = []
    dossier, finished = None, False
    for entry in entries:
        match entry.body:
            case Recorded(DossierOpened() as event):
                dossier = event
            case Recorded(Quoted() as event):
                quoted[event.question] = event
            case Recorded(Interpreted() as event):
                written.append((entry.time, event))
            case Recorded(Remarked() as act) if act.author.strip() and entry.actor == f"person:{act.author}":
                said.append(Said(entry.number, entry.time, act))
            case Recorded(Closed()):
                finished = True
    quotes = {quote.number: quote for event in quoted.values() for quote in event.quotes}
    questions = ("", *first.commission.questions)
    chapters = tuple(
        Chapter(
            event.question,
            questions[event.question],
            quoted.get(event.question),
            event,
            time,
            tuple(_proposed(claim, quotes, said) for claim in event.claims),
        )
        for time, event in written
    )
    return Interpretation(first.commission, dossier, chapters, finished)


def against_remarking(entries: Sequence[Entry], act: HumanAct) -> str:
    """Say why a person cannot say this of a claim, or nothing."""
    if not isinstance(act, Remarked):
        return ""
    found = interpretation(entries)
    if found is None:
        return "it is not an interpretation"
    claim = next((one for one in found.claims if one.claim.id == act.claim), None)
    if claim is None:
        return f"there is no claim {act.claim!r}; there are {', '.join(one.claim.id for one in found.claims) or 'none'}"
    if act.remark is Remark.SIGN:
        return "" if claim.unsealed else "there is nothing to sign for: its quotations are sealed"
    return "" if act.reason.strip() else f"a person who says “{act.remark}” says why"


def unsealed(claim: Claim, quotes: Iterable[Quote]) -> tuple[str, ...]:
    """The words in quotation marks that stand in no quotation the claim names, and quotations it names in vain."""
    named = [quote.text for quote in quotes]
    inside = [one.text for one in quotations(claim.text)]
    loose = [text for text in inside if not any(seal(text, there).sealed for there in named)]
    return (*loose, *(f"quotation {number}" for number in claim.unknown))


def _proposed(claim: Claim, quotes: dict[int, Quote], said: Iterable[Said]) -> Proposed:
    named = tuple(quotes[number] for number in claim.quotes)
    return Proposed(claim, named, unsealed(claim, named), tuple(one for one in said if one.remark.claim == claim.id))
