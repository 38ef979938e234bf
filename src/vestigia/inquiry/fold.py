"""State is a fold over events (principle 1): `evolve` is the only way a state comes about.

Views, resumption, replay and the flow itself all use this one function.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import assert_never

from vestigia.domain.acts import Added, Curated, Remarked, Sealed, Undone
from vestigia.domain.effects import Usage
from vestigia.domain.events import (
    Acted,
    ArchiveSurveyed,
    Audited,
    Briefed,
    BudgetReached,
    Closed,
    Consolidated,
    Consulted,
    DossierOpened,
    Event,
    Gathered,
    HeldUnseen,
    Interpreted,
    Judged,
    NotJudged,
    Opened,
    Outcome,
    Overruled,
    Paused,
    PlanEdited,
    Planned,
    QueryExpanded,
    QuestionRead,
    Quoted,
    Reevaluated,
    Replanned,
    Scored,
    Searched,
    SearchFailed,
    SetOpened,
    SubQuestionOpened,
    Waste,
    Wasted,
)
from vestigia.domain.evidence import Decision, Verdict
from vestigia.domain.ids import DocumentId, PassageId, SubQuestionId
from vestigia.domain.question import SubQuestion
from vestigia.domain.requests import Reading
from vestigia.inquiry.state import Acceptance, Edit, State, Thread, Waiting


def fold(events: Iterable[Event], state: State | None = None) -> State:
    """Return the state after all events, from the beginning or from `state`."""
    state = state or State()
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: State, event: Event) -> State:  # noqa: C901, PLR0911, PLR0912  one branch an event
    """Return the state after one event. Total: every event is accepted in every state."""
    match event:
        case Opened():
            return replace(state, question=event.question, rules=event.rules)
        case ArchiveSurveyed():
            return replace(state, sub_corpora=event.sub_corpora, channels=event.channels)
        case QuestionRead():
            reading = Reading(state.question, event.periods, event.terms)
            return replace(state, readings={**state.readings, event.text: reading})
        case QueryExpanded():
            return _after_expanding(state, event)
        case Planned():
            return _after_planning(state, event)
        case PlanEdited():
            return _after_editing(state, event)
        case Replanned():
            return _after_replanning(state, event)
        case Consulted():
            return _after_consulting(state, event)
        case Paused():
            return replace(state, paused=event.why)
        case SubQuestionOpened():
            return _after_opening(state, event)
        case Searched():
            return _after_searching(state, event)
        case SearchFailed():
            return replace(state, failures=(*state.failures, event))
        case HeldUnseen():
            return _after_setting_aside(state, event)
        case Curated() | Undone() | Sealed() | Remarked() | Quoted() | Interpreted():
            return state  # acts are named by their entries: `curation` and `interpretation` read them off the ledger
        case SetOpened() | DossierOpened() | Added():
            return _after_laying_open(state, event)
        case Gathered():
            return replace(state, gathered=event, cards={card.id: card for card in event.cards})
        case Scored() | NotJudged():
            return replace(state, judgements={**state.judgements, event.passage: event})
        case Acted():
            return _after_acting(state, event)
        case Wasted():
            return _after_waste(state, event)
        case Judged():
            return _after_judging(state, event)
        case Reevaluated():
            return _with_verdicts(state, event.sub_question, event.promoted)
        case Briefed():
            return _after_briefing(state, event)
        case Overruled():
            return replace(state, overruled={**state.overruled, event.document: event})
        case Audited():
            return replace(state, audits=(*state.audits, event))
        case BudgetReached():
            return replace(state, limit=event.limit)
        case Consolidated():
            return replace(state, ranking=event.ranking, notes=(*state.notes, *event.notes))
        case Closed():
            return replace(state, closed=True)
        case _:
            assert_never(event)


def _after_laying_open(state: State, event: SetOpened | DossierOpened | Added) -> State:
    """The cards of a set; a source that is laid beside it comes to those there are."""
    if isinstance(event, Added):
        return replace(state, cards={**state.cards, event.card.id: event.card})
    return replace(state, cards={card.id: card for card in event.cards})


def _after_planning(state: State, event: Planned) -> State:
    notes = tuple(note for note in (event.fallback, event.guard) if note)
    return replace(state, plan=event.sub_questions, queue=event.sub_questions, notes=(*state.notes, *notes))


def _after_replanning(state: State, event: Replanned) -> State:
    notes = tuple(f"not planned: {dropped}" for dropped in event.dropped)
    plan = (*_begun(state), *event.remaining)
    return replace(state, plan=plan, queue=event.remaining, notes=(*state.notes, *notes))


def _after_expanding(state: State, event: QueryExpanded) -> State:
    near = [f"{n.found} ({n.word}, by {n.by} {n.similarity:.2f})" for n in event.neighbours]
    beside = ", ".join([*near, *(f"{word} (chosen)" for word in event.chosen)])
    notes = (f"“{event.text}” was searched with: {beside}",) if beside else ()
    expansions = {**state.expansions, event.text: event.neighbours}
    return replace(state, expansions=expansions, notes=(*state.notes, *notes))


def _after_editing(state: State, event: PlanEdited) -> State:
    """What is finished or at work stays as it was; a sub-question is known by its id."""
    begun = _begun(state)
    rest = tuple(s for s in event.sub_questions if s.id not in {done.id for done in begun})
    notes = (*state.notes, f"the plan is {event.author}'s")
    plan = (*begun, *rest)
    edits = (*state.edits, Edit(state.plan, plan, event.author))
    return replace(state, plan=plan, queue=rest, planner=event.author, edits=edits, notes=notes)


def _begun(state: State) -> tuple[SubQuestion, ...]:
    return (*state.finished, *(thread.sub_question for thread in state.threads.values()))


def _with_thread(state: State, thread: Thread) -> State:
    return replace(state, threads={**state.threads, thread.sub_question.id: thread})


def _thread(state: State, sub_question: SubQuestionId | None) -> Thread | None:
    return state.threads.get(sub_question) if sub_question else None


def tokens_of(usage: Usage) -> int:
    """The tokens a call is known to have used."""
    return (usage.input_tokens or 0) + (usage.output_tokens or 0)


def cost_of(usage: Usage) -> float:
    """What a call is known to have cost."""
    return usage.cost or 0.0


def _after_consulting(state: State, event: Consulted) -> State:
    state = replace(
        state,
        calls=state.calls + 1,
        tokens=state.tokens + tokens_of(event.usage),
        cost=state.cost + cost_of(event.usage),
        worked=max(state.worked, event.worked or 0.0),
        paused="",
        notes=(*state.notes, *(note for note in _notes_of(event) if note not in state.notes)),
        unreadable=state.unreadable + (event.outcome is Outcome.UNREADABLE),
        consultations=(*state.consultations, event),
    )
    thread = _thread(state, event.sub_question)
    return _with_thread(state, replace(thread, calls=thread.calls + 1)) if thread else state


def _notes_of(event: Consulted) -> tuple[str, ...]:
    """What people should know of a call: what went wrong on the way, and passages that read as if they spoke to it."""
    marks = (f"passage {mark.passage} {mark.why}: weigh its verdict yourself" for mark in event.marks)
    return (*(f"{event.task}: {note}" for note in event.notes), *marks)


def _after_opening(state: State, event: SubQuestionOpened) -> State:
    sub_question = next((s for s in state.queue if s.id == event.sub_question), None)
    if sub_question is None:
        return state
    rest = tuple(s for s in state.queue if s.id != event.sub_question)
    return _with_thread(replace(state, queue=rest, at=state.at or sub_question.id), Thread(sub_question))


def _after_searching(state: State, event: Searched) -> State:
    cards = {**state.cards, **{card.id: card for card in event.cards}}
    state = replace(state, cards=cards, searches=(*state.searches, event))
    thread = _thread(state, event.sub_question)
    if thread is None:
        return replace(state, orientation=event.candidates)
    arrived = tuple(Waiting(c, event.by, place=place) for place, c in enumerate(event.candidates, 1))
    empties = 0 if arrived else thread.empties + 1
    return _with_thread(state, replace(thread, pending=(*thread.pending, *arrived), empties=empties))


def _after_setting_aside(state: State, event: HeldUnseen) -> State:
    state = replace(state, cards={**state.cards, **{card.id: card for card in event.cards}})
    thread = _thread(state, event.sub_question)
    by = {waiting.candidate.passage: waiting.by for waiting in (thread.pending if thread else ())}
    otherwise = event.by or (event.why if event.sub_question else "orientation")
    arrived = tuple(Waiting(c, by.get(c.passage, otherwise), event.why) for c in event.candidates)
    state = replace(state, held={**state.held, **{w.candidate.passage: w for w in arrived}})
    if thread is None:
        return state
    aside = {candidate.passage for candidate in event.candidates}
    pending = tuple(w for w in thread.pending if w.candidate.passage not in aside)
    return _with_thread(state, replace(thread, pending=pending, held=(*thread.held, *arrived)))


def _after_acting(state: State, event: Acted) -> State:
    thread = _thread(state, event.sub_question)
    if thread is None:
        return state
    thread = replace(
        thread,
        memory=event.memory,
        observation=event.observation,
        repeats=0,
        actions=(*thread.actions, f"{event.action}: {event.observation}"),
        queries=(*thread.queries, event.action),
        steps=thread.steps + event.charged,
    )
    return _with_thread(state, thread)


def _after_waste(state: State, event: Wasted) -> State:
    thread = _thread(state, event.sub_question)
    if thread is None:
        return state
    repeats = thread.repeats + 1 if event.kind is Waste.REPEATED else thread.repeats
    observation = f"{event.kind}: {event.detail}"
    return _with_thread(
        state, replace(thread, repeats=repeats, observation=observation, actions=(*thread.actions, observation))
    )


def _after_judging(state: State, event: Judged) -> State:
    state = _with_verdicts(state, event.sub_question, event.verdicts)
    thread = _thread(state, event.sub_question)
    if thread is None:
        return state
    taken = sum(verdict.decision is Decision.ACCEPT for verdict in event.verdicts)
    observation = f"{len(event.verdicts)} passages reviewed, {taken} accepted"
    pending = tuple(replace(w, whole=True) if w.candidate.passage in event.unread else w for w in thread.pending)
    return _with_thread(
        state,
        replace(
            thread,
            pending=pending,
            memory=event.memory,
            observation=observation,
            steps=thread.steps + 1,
            actions=(*thread.actions, f"review: {observation}"),
        ),
    )


def _with_verdicts(state: State, sub_question: SubQuestionId, verdicts: Iterable[Verdict]) -> State:
    for verdict in verdicts:
        state = _with_verdict(state, sub_question, verdict)
    return state


def _with_verdict(state: State, sub_question: SubQuestionId, verdict: Verdict) -> State:
    """T6: accept takes the document once, forgives its rejected passages and resolves its held ones.

    A sub-question side by side with this one may still take the document, too: that is a confirmation of its own.
    """
    thread = _thread(state, sub_question)
    if thread is None:
        return state
    waiting = found(state, sub_question, verdict.passage)
    pending = tuple(w for w in thread.pending if w.candidate.passage != verdict.passage)
    held = tuple(w for w in thread.held if w.candidate.passage != verdict.passage)
    rejected, on_hold = dict(state.rejected), dict(state.held)
    on_hold.pop(verdict.passage, None)
    accepted = state.accepted
    if verdict.decision is Decision.ACCEPT:
        by, standings = (waiting.by, waiting.candidate.standings) if waiting else ("", ())
        new = Acceptance(sub_question, verdict, by, _author(state), standings)
        accepted = _with_acceptance(accepted, new)
        pending = tuple(w for w in pending if w.candidate.document != verdict.document)
        held = tuple(w for w in held if w.candidate.document != verdict.document)
        rejected = {p: v for p, v in rejected.items() if v.document != verdict.document}
        on_hold = {p: w for p, w in on_hold.items() if w.candidate.document != verdict.document}
    elif verdict.decision is Decision.REJECT:
        rejected[verdict.passage] = verdict
    elif waiting is not None:
        kept = replace(waiting, reason=verdict.reason)
        held, on_hold[verdict.passage] = (*held, kept), kept
    state = replace(state, accepted=accepted, rejected=rejected, held=on_hold)
    return _with_thread(state, replace(thread, pending=pending, held=held))


def found(state: State, sub_question: SubQuestionId, passage: PassageId) -> Waiting | None:
    """How a passage came to a sub-question: as it waits there, or by the last search that brought it."""
    thread = state.threads[sub_question]
    waiting = next((w for w in (*thread.pending, *thread.held) if w.candidate.passage == passage), None)
    if waiting is not None:
        return waiting
    for search in reversed([search for search in state.searches if search.sub_question == sub_question]):
        for place, candidate in enumerate(search.candidates, 1):
            if candidate.passage == passage:
                return Waiting(candidate, search.by, place=place)
    return None


def _author(state: State) -> str:
    """The model that was asked last."""
    return state.consultations[-1].model if state.consultations else ""


def _with_acceptance(
    accepted: Mapping[DocumentId, tuple[Acceptance, ...]], new: Acceptance
) -> Mapping[DocumentId, tuple[Acceptance, ...]]:
    """A document counts once for each sub-question, whatever the number of its passages."""
    document = new.verdict.document
    before = accepted.get(document, ())
    if any(acceptance.sub_question == new.sub_question for acceptance in before):
        return accepted
    return {**accepted, document: (*before, new)}


def _after_briefing(state: State, event: Briefed) -> State:
    ended = event.brief.sub_question
    thread = _thread(state, ended)
    if thread is None:
        return state
    return replace(
        state,
        briefs=(*state.briefs, event.brief),
        threads={name: other for name, other in state.threads.items() if name != ended},
        at=None if state.at == ended else state.at,
        finished=(*state.finished, thread.sub_question),
    )
