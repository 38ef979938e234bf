"""What is laid before the model in each call: rebuilt every time from the state, never a transcript (T7)."""

from vestigia.domain.archive import SubCorpus
from vestigia.domain.evidence import Memory
from vestigia.domain.ids import DocumentId
from vestigia.domain.periods import label
from vestigia.domain.requests import Contender, Desk, Shown, Taken
from vestigia.inquiry.state import State, Waiting

FEW = 8
"""Sub-corpora that are always named."""


def desk(state: State, *, all_taken: bool = False) -> Desk:
    """The desk of the sub-question at work: five slots, the accepted list, the last actions, the last observation.

    The rules may keep it small: only the last of the accepted sources, unless `all_taken`, and not the whole plan.
    """
    thread, remembers = state.work, state.rules.switches.memory
    taken, last = tuple(state.accepted), 0 if all_taken else state.rules.taken_shown
    earlier = max(0, len(taken) - last) if last else 0
    return Desk(
        reading=state.reading,
        sub_question=thread.sub_question,
        memory=thread.memory if remembers else Memory(),
        taken=tuple(_taken(state, document) for document in taken[earlier:]),
        actions=thread.actions[-state.rules.actions_shown :],
        observation=thread.observation,
        briefs=state.briefs if remembers else (),
        plan=() if state.rules.sparing else state.plan,
        earlier=earlier,
    )


def shown(state: State, waiting: Waiting, words: int = 0) -> Shown:
    """A passage as it is put before the model, so many `words` of it (0: all)."""
    candidate = waiting.candidate
    card = state.cards[candidate.document]
    return Shown(
        candidate.passage,
        candidate.document,
        card.title,
        date_of(state, card.id),
        card.sub_corpus,
        waiting.by,
        candidate.score,
        candidate.standings,
        card.period,
        waiting.place,
        orientation_place(state, card.id),
        0 if waiting.whole else words,
    )


def contender(state: State, document: DocumentId, *repeated: DocumentId) -> Contender:
    """A document of a group to be ordered, with everything recorded of it and of what repeats its text (T14, B4)."""
    card = state.cards[document]
    takings = [acceptance for one in (document, *repeated) for acceptance in state.accepted[one]]
    return Contender(
        document,
        card.title,
        date_of(state, document),
        card.sub_corpus,
        reasons=tuple(acceptance.verdict.reason for acceptance in takings),
        passages=len({acceptance.verdict.passage for acceptance in takings}),
        places=places(state, document),
    )


def nearby(state: State) -> tuple[tuple[SubCorpus, ...], int]:
    """The sub-corpora in sight, and how many others there are: all while they are few, else those of the plan and of
    what was found; by the rules as published always all.
    """
    if not state.rules.concise or len(state.sub_corpora) <= FEW:
        return state.sub_corpora, 0
    seen = {sub_question.sub_corpus for sub_question in state.plan} | {c.sub_corpus for c in state.cards.values()}
    near = tuple(one for one in state.sub_corpora if one.name in seen)
    return near, len(state.sub_corpora) - len(near)


def is_withheld(state: State, document: DocumentId) -> bool:
    """Whether the rights of a document keep it from the models of this run (B11)."""
    return state.cards[document].access in state.rules.withhold


def places(state: State, document: DocumentId) -> tuple[int, ...]:
    """The places (from 1) of a document in every recorded search; 0 where it was not found."""
    return tuple(next((n for n, c in enumerate(s.candidates, 1) if c.document == document), 0) for s in state.searches)


def standing(state: State, document: DocumentId) -> float:
    """All the places of a document in one number, by reciprocal ranks: searches that agree count for more than one."""
    return sum(1 / (state.rules.rrf_k + place) for place in places(state, document) if place)


def orientation_place(state: State, document: DocumentId) -> int:
    """The place (from 1) of a document in the orientation; 0 when it was not among its candidates."""
    return next((place for place, c in enumerate(state.orientation, 1) if c.document == document), 0)


def date_of(state: State, document: DocumentId) -> str:
    """A document's date in words; empty when it has none."""
    period = state.cards[document].period
    return label(period) if period else ""


def _taken(state: State, document: DocumentId) -> Taken:
    card = state.cards[document]
    return Taken(
        document, card.title, date_of(state, document), card.sub_corpus, state.accepted[document][-1].verdict.reason
    )
