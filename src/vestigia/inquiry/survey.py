"""Survey: from a description of a region of the archive to a set that is balanced over time (HistoRAG 3.3; H1, H2, H6).

Not a question: nothing is judged, nothing answered. Every channel is searched once, each window keeps its quota, and
each source knows the layers that found it. What a window lacks is told, and what the balance costs.
"""

from collections.abc import Mapping
from dataclasses import replace

from vestigia.domain.commissions import Item, SurveyOrder
from vestigia.domain.effects import DATE, EXACT, SOURCE, Describe, Described, Found
from vestigia.domain.events import Closed, Gathered, Opened
from vestigia.domain.evidence import Candidate, FusedLane
from vestigia.domain.ids import DocumentId
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules
from vestigia.inquiry.crossing import ask_one, record
from vestigia.inquiry.discover import have_described
from vestigia.inquiry.fusion import fuse
from vestigia.inquiry.searching import Heard, Quest, read_text, scope, search_channels, weigh_channels
from vestigia.inquiry.state import State
from vestigia.inquiry.windows import fuse_lanes, prices, trimmed

SURVEY = "survey"


async def survey(question: Question, rules: Rules, order: SurveyOrder) -> State:
    """Gather a set for a description; where every channel failed, none is recorded."""
    state = await record(State(), Opened(question, rules))
    state = await read_text(await have_described(state), question.text)
    periods = state.readings[question.text].periods
    quest = Quest(
        SURVEY, question.text, _channels(state, order), scope(state), order.quota, periods, windows=order.windows
    )
    heard, state = await search_channels(state, quest)
    if heard.found:
        state = await _gather(state, quest, heard, order)
    return await record(state, Closed(partial=bool(state.failures)))


async def _gather(state: State, quest: Quest, heard: Heard, order: SurveyOrder) -> State:
    weights = weigh_channels(state, quest, heard)
    k = state.rules.rrf_k
    met = _documents(heard.found)
    cards = {card.id: card for card in (await ask_one(Describe(met), Described)).cards} if met else {}
    lanes = fuse_lanes(heard.found, weights, k, {name: card.cluster for name, card in cards.items()})
    kept = tuple(cut for lane in lanes if (cut := _cut(lane, order, cards)) is not None)
    spare = state.rules.channel_hits - order.quota
    plain = fuse(heard.lists, weights, k, len(items_of(kept)))
    gone = len(met) - len(cards)
    chosen = dict.fromkeys(candidate.document for lane in kept for candidate in lane.candidates)
    gathered = Gathered(
        kept,
        tuple(cards[name] for name in chosen),
        tuple(sorted(weights.items())),
        prices({name: trimmed(one, spare) for name, one in heard.found.items()}, kept, plain),
        heard.missing + ((f"{gone} documents found are no longer in the archive",) if gone else ()),
        heard.variants,
    )
    return await record(state, gathered)


def items_of(lanes: tuple[FusedLane, ...]) -> tuple[Item, ...]:
    """The set as items, in the order of the windows; what lies in two windows counts once."""
    found: dict[DocumentId, Item] = {}
    for candidate in (candidate for lane in lanes for candidate in lane.candidates):
        found.setdefault(candidate.document, Item(candidate.passage, candidate.document))
    return tuple(found.values())


def layers(candidate: Candidate) -> tuple[str, ...]:
    """The layers that found a source: the channels, without what only says how near its date is (H6)."""
    return tuple(standing.channel for standing in candidate.standings if standing.channel != DATE)


def _channels(state: State, order: SurveyOrder) -> tuple[str, ...]:
    """Those of the order, else all but the exact one, nearness in time and named sources: here windows balance."""
    return order.channels or tuple(channel for channel in state.channels if channel not in {EXACT, DATE, SOURCE})


def _cut(lane: FusedLane, order: SurveyOrder, cards: Mapping[DocumentId, object]) -> FusedLane | None:
    """A lane with its quota of documents that are there; none of the undated where none were asked for."""
    quota = order.undated if lane.window is None else order.quota
    kept = tuple(candidate for candidate in lane.candidates if candidate.document in cards)[:quota]
    return replace(lane, candidates=kept, short=quota - len(kept)) if quota else None


def _documents(found: Mapping[str, Found]) -> tuple[DocumentId, ...]:
    hits = (hit for one in found.values() for lane in one.lanes for hit in lane.hits)
    return tuple(dict.fromkeys(hit.document for hit in hits))
