"""How many sources came in and what became of each, run by run: the numbers of a PRISMA flow diagram, which add up.

Each step splits one number into parts: every source is in exactly one of them, so their sum is the number that came in,
and some of the parts are what goes on to the next step. All of it is counted from the record; nothing is estimated.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from vestigia.app.depositing.record import DepositedRun, Record
from vestigia.app.depositing.withholding import MARK
from vestigia.domain.commissions import CurateOrder, InterpretOrder, JudgeOrder, SurveyOrder
from vestigia.domain.effects import Found
from vestigia.domain.entries import Answered, Entry, Recorded
from vestigia.domain.events import Consulted, HeldUnseen, Judged, Outcome, Scored
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.domain.periods import label
from vestigia.inquiry.curation import curation
from vestigia.inquiry.dossier import dossiers
from vestigia.inquiry.handing_over import handed_over
from vestigia.inquiry.interpretation import interpretation
from vestigia.inquiry.judge import tally as judging_tally
from vestigia.inquiry.state import State
from vestigia.inquiry.tally import tally as curation_tally
from vestigia.inquiry.view import result
from vestigia.models.extractive.model import ExtractiveModel


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a step; `goes_on` is whether it is what the next step splits."""

    what: str
    number: int
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """A number and what became of it. `of` says what is counted: documents, passages, quotations, claims, calls."""

    what: str
    of: str
    number: int
    parts: tuple[Part, ...]

    @property
    def adds_up(self) -> bool:
        """Whether nothing is lost and nothing counted twice."""
        return self.number == sum(part.number for part in self.parts) and all(part.number >= 0 for part in self.parts)

    def part(self, what: str) -> int:
        """The number of one of its parts; 0 where it has none of that name."""
        return sum(part.number for part in self.parts if part.what == what)


@dataclass(frozen=True, slots=True)
class Flow:
    """The steps of one run. `kind` is question, survey, judging, curation or interpretation."""

    run: str
    kind: str
    steps: tuple[Step, ...]

    @property
    def adds_up(self) -> bool:
        """Whether every step does, and what goes on from one is what the next splits."""
        pairs = zip(self.steps, self.steps[1:], strict=False)
        handed = ((part.number, after.number) for step, after in pairs for part in step.parts
                  if part.goes_on and part.what == after.what)  # fmt: skip
        return all(step.adds_up for step in self.steps) and all(given == taken for given, taken in handed)

    def step(self, what: str) -> Step | None:
        """One of its steps, or none."""
        return next((step for step in self.steps if step.what == what), None)


KINDS = {JudgeOrder: "judging", CurateOrder: "curation", InterpretOrder: "interpretation", SurveyOrder: "survey"}
UNSEEN = "never shown to a model"
UNSEEN_CLAIMS = "words withheld: whether proven is not to be seen here"
"""Whether a claim is proven hangs on the words it quotes."""


def flows(record: Record) -> tuple[Flow, ...]:
    """Count every run of a record, in its order."""
    return tuple(flow(record, run) for run in record.runs)


def flow(record: Record, run: DepositedRun) -> Flow:
    """Count one run."""
    order, state = run.first.commission, run.state
    kind = KINDS[type(order)] if order else "question"
    match order:
        case JudgeOrder():
            steps = _judging(order, state)
        case CurateOrder():
            steps = _curation(record, run, order)
        case InterpretOrder():
            steps = _interpretation(run.entries)
        case SurveyOrder():
            steps = _survey(run.entries, state)
        case None:
            steps = _question(run.entries, state)
    return Flow(run.run, kind, (*steps, *_calls(state)))


def table(found: Iterable[Flow]) -> Iterator[tuple[str, str, str, str, int, int]]:
    """Rows of run, kind, step, part, its number, and the number of the step."""
    for one in found:
        for step in one.steps:
            for part in step.parts:
                yield one.run, one.kind, f"{step.what} ({step.of})", part.what, part.number, step.number


def _split(what: str, of: str, number: int, parts: Iterable[Part]) -> Step:
    return Step(what, of, number, tuple(part for part in parts if part.number or part.goes_on))


def _question(entries: Sequence[Entry], state: State) -> Iterator[Step]:
    """A question: met by a search, put forward, decided by the machine, decided by people, listed."""
    came = _fates(entries, state)
    met = set(_met(entries)) | came.keys()
    holdings = sum(one.documents for one in state.sub_corpora)
    if holdings >= len(met) and holdings:
        yield _split(
            "in the archive", "documents", holdings,
            (Part("met by a search", len(met), goes_on=True), Part("met by no search", holdings - len(met))),
        )  # fmt: skip
    yield _split(
        "met by a search", "documents", len(met),
        (Part("put forward", len(came), goes_on=True), Part("left in the lists of the channels", len(met) - len(came))),
    )  # fmt: skip
    counted = Counter(came.values())
    yield _split(
        "put forward", "documents", len(came), (Part(what, counted[what], what == _ACCEPTED) for what in _FATES)
    )
    yield from _people(state, [name for name, fate in came.items() if fate == _ACCEPTED])


def _people(state: State, accepted: Sequence[DocumentId]) -> Iterator[Step]:
    """What people made of what the machine accepted, and what they added."""
    listed = [row.card.id for row in result(state).sources]
    there = set(listed)
    acts = {name: act.decision for name, act in state.overruled.items()}
    gone = Counter(acts[name] for name in accepted if name not in there and name in acts)
    kept = sum(name in there for name in accepted)
    yield _split(
        _ACCEPTED, "documents", len(accepted),
        (
            Part("kept", kept, goes_on=True),
            Part("put away by people", gone[Decision.REJECT]),
            Part("put on hold by people", gone[Decision.HOLD]),
            Part("not in the list", len(accepted) - kept - gone[Decision.REJECT] - gone[Decision.HOLD]),
        ),
    )  # fmt: skip
    yield _split(
        "listed", "documents", len(listed),
        (Part("accepted by the machine", kept, goes_on=True), Part("added by people", len(listed) - kept)),
    )  # fmt: skip


_ACCEPTED = "accepted by the machine"
_UNREAD = {
    Outcome.UNREADABLE: "held: the reply could not be read",
    Outcome.REFUSED: "held: the model refused",
    Outcome.TOO_LONG: "held: too long for the model",
}
_HELD, _WITHHELD, _WAITING = "held by the machine", "held: its rights keep it from the model", "not judged"
_FATES = (_ACCEPTED, "rejected by the machine", _HELD, *_UNREAD.values(), f"held: {UNSEEN}", _WITHHELD, _WAITING)


def _fates(entries: Sequence[Entry], state: State) -> dict[DocumentId, str]:
    """What the machine made of every document that was put forward, in the order in which they were.

    One that is on hold by any of its passages is on hold, though another was rejected: so it is shown.
    """
    candidates = [c for event in _events(entries) for c in getattr(event, "candidates", ())]
    fates = dict.fromkeys((candidate.document for candidate in candidates), _WAITING)
    for verdict in state.rejected.values():
        fates[verdict.document] = _FATES[1]
    why = _why_held(entries)
    places = {fate: place for place, fate in enumerate(_FATES)}
    held: dict[DocumentId, str] = {}
    for passage, waiting in state.held.items():
        name = waiting.candidate.document
        fate = why.get(passage, _HELD)
        if fate == f"held: {UNSEEN}" and _is_withheld(state, name):
            fate = _WITHHELD
        held[name] = min(held.get(name, fate), fate, key=lambda one: places[one])
    fates |= held
    fates |= dict.fromkeys(state.accepted, _ACCEPTED)
    return fates


def _why_held(entries: Sequence[Entry]) -> Mapping[PassageId, str]:
    """Why each passage on hold is there, by what was recorded last of it."""
    why: dict[PassageId, str] = {}
    last = Outcome.READ
    for event in _events(entries):
        match event:
            case Consulted():
                last = event.outcome
            case HeldUnseen():
                why |= {candidate.passage: f"held: {UNSEEN}" for candidate in event.candidates}
            case Judged():
                why |= {verdict.passage: _UNREAD.get(last, _HELD) for verdict in event.verdicts}
    return why


def _is_withheld(state: State, name: DocumentId) -> bool:
    card = state.cards.get(name)
    return card is not None and card.access in state.rules.withhold


def _events(entries: Iterable[Entry]) -> Iterator[object]:
    return (entry.body.event for entry in entries if isinstance(entry.body, Recorded))


def _met(entries: Iterable[Entry]) -> Iterator[DocumentId]:
    """The documents in the lists of all searches."""
    for entry in entries:
        for answer in entry.body.answers if isinstance(entry.body, Answered) else ():
            if isinstance(answer, Found):
                yield from (
                    hit.document for hits in (answer.hits, *(lane.hits for lane in answer.lanes)) for hit in hits
                )


def _survey(entries: Sequence[Entry], state: State) -> Iterator[Step]:
    """A survey: met by a search, in the set, and in which window each of the set stands first."""
    items = [item.document for item in handed_over(state)] if state.gathered else []
    met = set(_met(entries)) | set(items)
    yield _split(
        "met by a search", "documents", len(met),
        (Part("in the set", len(items), goes_on=True), Part("beyond the quotas of the windows", len(met) - len(items))),
    )  # fmt: skip
    windows: dict[DocumentId, str] = {}
    for lane in state.gathered.lanes if state.gathered else ():
        for candidate in lane.candidates:
            windows.setdefault(candidate.document, label(lane.window) if lane.window else "undated")
    counted = Counter(windows.values())
    yield _split("in the set", "documents", len(items), (Part(window, number) for window, number in counted.items()))


def _judging(order: JudgeOrder, state: State) -> Iterator[Step]:
    """A judging: scores, and why others have none."""
    counted = judging_tally(order.items, state)
    yield _split(
        "to be judged", "passages", len(order.items),
        (
            Part("judged", len(counted.scores), goes_on=True),
            *(Part(f"not judged: {reason}", number) for reason, number in counted.unjudged.items()),
            Part("waiting", counted.waiting),
        ),
    )  # fmt: skip
    inside = {item.passage for item in order.items}
    given = Counter(one.score for name, one in state.judgements.items() if name in inside and isinstance(one, Scored))
    yield _split(
        "judged",
        "passages",
        len(counted.scores),
        (Part(f"score {score}", given[score]) for score in sorted(given, reverse=True)),
    )


def _curation(record: Record, run: DepositedRun, order: CurateOrder) -> Iterator[Step]:
    """A curation: met by the run it was taken from, in the set, looked at, decided by people, sealed."""
    found = curation(run.entries)
    if found is None or not found.opened:
        return
    origin = record.run(order.origin.run)
    before = origin.entries if origin else ()
    taken = next((n for n, entry in enumerate(before, 1) if entry.digest == order.origin.head), 0)
    counted = curation_tally(before[:taken], found)
    if taken:
        by_hand = f", or laid beside the set by people ({counted.added})" if counted.added else ""
        yield _split(
            f"met by a search{by_hand}", "documents", counted.found,
            (
                Part("in the set", counted.taken, goes_on=True),
                Part("no longer in the archive", counted.gone),
                Part("reprints of others", counted.reprints),
                Part("not taken into the set", counted.left),
            ),
        )  # fmt: skip
    yield _split(
        "in the set", "documents", counted.taken,
        (
            Part("looked at by people", counted.screened, goes_on=True),
            Part("no longer in the archive", counted.withdrawn),
            Part("the text of another, undecided", counted.repeated),
        ),
    )  # fmt: skip
    yield _split(
        "looked at by people", "documents", counted.screened,
        (
            Part("accepted", counted.accepted, goes_on=True),
            *(Part(f"rejected: {reason}", number) for reason, number in counted.rejected),
            Part("flagged", counted.flagged),
            Part("in conflict", counted.conflicting),
            Part("undecided", counted.undecided),
        ),
    )  # fmt: skip
    sealed = dossiers(run.entries, run.run)
    if sealed:
        inside = {item.document for item in sealed[-1].sources}
        now = {source.item.document for source in found.sources if source.standing == "accepted"}
        yield _split(
            "accepted", "documents", len(now),
            (Part("in the sealed dossier", len(now & inside), goes_on=True), Part("not sealed", len(now - inside))),
        )  # fmt: skip


def _interpretation(entries: Sequence[Entry]) -> Iterator[Step]:
    """An interpretation: sources of the dossier, quotations by their seals, claims."""
    found = interpretation(entries)
    if found is None:
        return
    whole = {item.document for item in found.order.items}
    opened = found.dossier
    withheld = len(whole.intersection(opened.withheld)) if opened else 0
    gone = len(whole.intersection(opened.gone) - set(opened.withheld)) if opened else 0
    shown = len(whole) - withheld - gone if opened else 0
    yield _split(
        "in the dossier", "documents", len(whole),
        (
            Part("laid before the model", shown, goes_on=True),
            Part("kept from the model by their rights", withheld),
            Part("no longer in the archive", gone),
            Part("not opened", 0 if opened else len(whole)),
        ),
    )  # fmt: skip
    quotes = {quote.number: quote for one in found.chapters if one.quoted for quote in one.quoted.quotes}
    seals = Counter(quote.seal.outcome for quote in quotes.values())
    yield _split(
        "quotations", "quotations", len(quotes), (Part(outcome, number) for outcome, number in sorted(seals.items()))
    )
    seen = [one for one in found.claims if not MARK.fullmatch(one.claim.text)]
    yield _split(
        "claims", "claims", len(found.claims),
        (
            Part("proven", sum(one.proven for one in seen)),
            Part("unproven, signed for", sum(not one.proven and one.signed for one in seen)),
            Part("unproven", sum(not one.proven and not one.signed for one in seen)),
            Part(UNSEEN_CLAIMS, len(found.claims) - len(seen)),
        ),
    )  # fmt: skip


def _calls(state: State) -> Iterator[Step]:
    """What became of the calls of models, or of the rule that stands in for one."""
    outcomes = Counter(one.outcome for one in state.consultations)
    if outcomes:
        ruled = all(one.model == ExtractiveModel.name for one in state.consultations)
        yield _split(
            "calls of the rule" if ruled else "calls of models",
            "calls",
            len(state.consultations),
            (Part(outcome, outcomes[outcome]) for outcome in Outcome),
        )
