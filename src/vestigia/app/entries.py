"""The entries of a run, one by one: what each is in a line, and what a model was sent and replied, in full."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass

from vestigia.app.present import Plain
from vestigia.app.workspace import Workspace
from vestigia.domain.acts import Added
from vestigia.domain.archive import Access
from vestigia.domain.effects import Answer, AskModel, Attend, Effect, Found, Replied, Search
from vestigia.domain.entries import Answered, Asked, Begun, Entry, Recorded
from vestigia.domain.errors import UsageError
from vestigia.domain.events import (
    Acted,
    Audited,
    Briefed,
    BudgetReached,
    Closed,
    Consolidated,
    Consulted,
    Event,
    HeldUnseen,
    Judged,
    Overruled,
    Paused,
    PlanEdited,
    Planned,
    QuestionRead,
    Reevaluated,
    Replanned,
    Searched,
    SearchFailed,
    SubQuestionOpened,
    Wasted,
)
from vestigia.domain.ids import DocumentId
from vestigia.inquiry.consult import TASKS
from vestigia.ledger.log import FileLedger
from vestigia.ledger.shapes import tag


@dataclass(frozen=True, slots=True)
class Call:
    """What a model was sent and what it said. `prompt` is None where no words were sent: it goes by rules.

    `closed` names documents whose texts may be shown only where a person asks for it; then `prompt` is None, too.
    """

    task: str
    model: str
    prompt: str | None
    reply: str
    stop: str
    closed: tuple[DocumentId, ...] = ()


def listed(workspace: Workspace, name: str) -> tuple[Plain, ...]:
    """Every entry of a run with its number, time, who made it and what it is."""
    entries = FileLedger.read(workspace.runs, workspace.run(name)).entries()
    return tuple(
        {"entry": entry.number, "time": entry.time, "by": entry.actor, "what": in_words(entry)} for entry in entries
    )


def in_words(entry: Entry) -> str:
    """Say in a line what an entry is."""
    match entry.body:
        case Begun(question=question):
            return f"begun: {question.text}"
        case Asked(effects):
            return f"asks for {_counted(map(_asked, effects))}"
        case Answered(answers):
            return f"answer: {_counted(map(_answered, answers))}"
        case Recorded(event):
            return _said(event)


def _counted(parts: Iterator[str]) -> str:
    """Name the parts, each once, with how often it stands there."""
    return ", ".join(part if number == 1 else f"{number} × {part}" for part, number in Counter(parts).items())


def _asked(effect: Effect) -> str:
    match effect:
        case AskModel(request):
            return f"a model: {TASKS[type(request).__name__]}"
        case Search():
            return f"{effect.channel} “{effect.text}”"
        case Attend():
            return f"people at {effect.checkpoint}" + (", waiting" if effect.wait else "")
        case _:
            return _words(type(effect))


def _answered(answer: Answer) -> str:
    match answer:
        case Replied():
            return f"a reply of {answer.model}" + (f" ({answer.stop})" if answer.stop else "")
        case Found(failure=failure) if failure:
            return f"failed: {failure}"
        case Found():
            return f"{len(answer.hits) + sum(len(lane.hits) for lane in answer.lanes)} hits"
        case _:
            return _words(type(answer))


def _said(event: Event) -> str:  # noqa: C901, PLR0911, PLR0912  one line an event
    match event:
        case QuestionRead():
            return f"read “{event.text}”: {len(event.periods)} dates, {len(event.terms)} words"
        case Planned():
            return f"plan: {_plan(event.sub_questions)}"
        case Replanned():
            return f"plan changed: {_plan(event.remaining)}"
        case PlanEdited():
            return f"plan by {event.author}: {_plan(event.sub_questions)}"
        case Consulted():
            return f"{event.task} by {event.model}: {event.outcome}"
        case Paused():
            return f"paused: {event.why}"
        case SubQuestionOpened():
            return f"{event.sub_question} opened"
        case Searched():
            return f"{event.sub_question or 'question'}: {event.by}: {len(event.candidates)} new"
        case SearchFailed():
            return f"{event.by}: {event.channel} failed: {event.failure}"
        case HeldUnseen():
            return f"held unseen: {len(event.candidates)}, {event.why}"
        case Acted():
            return f"{event.sub_question}: {event.action}: {event.observation}"
        case Wasted():
            return f"{event.sub_question}: {event.kind}: {event.detail}"
        case Judged():
            return f"{event.sub_question}: reviewed: {_counted(v.decision.value for v in event.verdicts)}"
        case Reevaluated():
            return f"{event.sub_question}: {len(event.promoted)} held promoted"
        case Briefed():
            return f"{event.brief.sub_question} ended: {event.ended}"
        case BudgetReached():
            return f"limit reached: {event.limit}"
        case Consolidated():
            return f"ranking: {len(event.ranking)} documents"
        case Overruled():
            return f"{event.author}: {event.decision} {event.document}"
        case Added():
            return f"{event.author}: {event.card.id} laid beside the set"
        case Audited():
            return f"{event.author}: {len(event.judgements)} documents of a sample judged"
        case Closed():
            return "ended" + (", partial" if event.partial else "")
        case _:
            return _words(type(event))


def _plan(sub_questions: Sequence[object]) -> str:
    return ", ".join(getattr(one, "id", "") for one in sub_questions) or "nothing"


def _words(kind: type) -> str:
    return tag(kind).replace("_", " ")


def calls(workspace: Workspace, name: str, number: int, *, closed: bool = False) -> tuple[Call, ...]:
    """What models were sent at an entry, and their raw replies.

    The entry is that of the question or that of the answer. Raises UsageError where no model was asked there.
    """
    run = workspace.run(name)
    ledger = FileLedger.read(workspace.runs, run)
    entries = ledger.entries()
    asked, answered = _pair(entries, number)
    catalogue = workspace.catalogue()
    try:
        found = []
        for effect, answer in zip(asked, answered, strict=False):
            if isinstance(effect, AskModel) and isinstance(answer, Replied):
                cards = catalogue.documents(sorted(_documents(effect.request)))
                kept = () if closed else tuple(card.id for card in cards if card.access is Access.CLOSED)
                prompt = ledger.kept(answer.prompt) if answer.prompt and not kept else None
                task = TASKS[type(effect.request).__name__]
                found.append(Call(task, answer.model, prompt, answer.text, answer.stop, kept))
    finally:
        catalogue.close()
    if not found:
        at = [entry.number for entry in entries if _has_reply(entry)]
        near = sorted(sorted(at, key=lambda one: abs(one - number))[:5])
        remedy = f"There are calls at {', '.join(map(str, near))}." if near else "No model was asked in this run."
        raise UsageError(f"no model answered at entry {number}.", where=f"run {run}", remedy=remedy)
    return tuple(found)


def _pair(entries: Sequence[Entry], number: int) -> tuple[tuple[Effect, ...], tuple[Answer, ...]]:
    """The question and the answer that an entry is a part of; nothing where it is neither."""
    asked: tuple[Effect, ...] = ()
    at = -1
    for entry in entries:
        if isinstance(entry.body, Asked):
            asked, at = entry.body.effects, entry.number
        elif isinstance(entry.body, Answered) and number in {at, entry.number}:
            return asked, entry.body.answers
    return (), ()


def _has_reply(entry: Entry) -> bool:
    return isinstance(entry.body, Answered) and any(isinstance(answer, Replied) for answer in entry.body.answers)


def _documents(value: object) -> set[DocumentId]:
    """Every document a request names, at whatever depth."""
    if isinstance(value, tuple):
        return {name for part in value for name in _documents(part)}
    if not is_dataclass(value) or isinstance(value, type):
        return set()
    own = {value.document} if hasattr(value, "document") else set()
    return own.union(*(_documents(getattr(value, field.name)) for field in fields(value)))


def plain(call: Call) -> Plain:
    """A call as data."""
    return {**asdict(call), "closed": list(call.closed), "stop": call.stop or None}
