"""Searching: channels, candidate constraint before the cut-off, fusion (TRACE 3.3; T2, T3).

Each channel's list is recorded as the world gave it before it is fused, so the ledger says which channel found what.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from vestigia.domain.archive import DocumentCard
from vestigia.domain.effects import (
    DATE,
    EXACT,
    MEANING,
    SOURCE,
    WORDS,
    DatesRead,
    Describe,
    Described,
    Expand,
    Expanded,
    Found,
    Neighbour,
    ReadDates,
    Scope,
    Search,
    Variant,
    Weigh,
    Weighed,
)
from vestigia.domain.events import HeldUnseen, QueryExpanded, QuestionRead, Searched, SearchFailed
from vestigia.domain.evidence import Candidate, Hit
from vestigia.domain.ids import PassageId
from vestigia.domain.periods import DatePeriod, common
from vestigia.domain.requests import Reading
from vestigia.domain.text import mentions, without
from vestigia.inquiry.crossing import ask_all, ask_one, record
from vestigia.inquiry.fusion import channel_weights, fuse
from vestigia.inquiry.state import State
from vestigia.inquiry.windows import alternating, fuse_lanes, shares, together

WITHHELD = "not judged: its rights keep it from the model"


@dataclass(frozen=True, slots=True)
class Quest:
    """What is looked for: a text in some channels, the periods of interest, a scope, and how many may come back.

    `target` is a sub-corpus to keep to; with the rule `after` it is applied to the fused list (T3). `windows` share
    out between them what may come back.
    """

    by: str
    text: str
    channels: tuple[str, ...]
    scope: Scope
    limit: int
    periods: tuple[DatePeriod, ...] = ()
    target: str = ""
    windows: tuple[DatePeriod, ...] = ()


async def read_text(state: State, text: str) -> State:
    """Have the dates and the words of a text read, once."""
    if text in state.readings:
        return state
    languages = state.question.languages or tuple(dict.fromkeys(x for s in state.sub_corpora for x in s.languages))
    dates = await ask_one(ReadDates(text, languages), DatesRead)
    weighed = await ask_one(Weigh(text, languages), Weighed)
    state = await record(state, QuestionRead(text, dates.periods, weighed.terms))
    near, also = Expanded(), state.rules.also
    if state.rules.expansion:
        near = await ask_one(Expand(text, languages, state.rules.expansion), Expanded)
    return await record(state, QueryExpanded(text, near.neighbours, also)) if state.rules.expansion or also else state


async def hunt(state: State, quest: Quest) -> State:
    """Search, fuse, describe what is new, and record it: failures first, since a failed search is not an empty one.

    Where every channel failed nothing was searched, and no search is recorded.
    """
    failures = len(state.failures)
    heard, state = await search_channels(state, quest)
    if not heard.found and len(state.failures) > failures:
        return state
    missing, after = heard.missing, bool(quest.target) and state.rules.constrain == "after"
    weights = weigh_channels(state, quest, heard)
    lanes = fuse_lanes(heard.found, weights, state.rules.rrf_k) if quest.windows else ()
    most = state.rules.channel_hits if after else 10 * state.rules.channel_hits
    fused = alternating(lanes)[:most] if lanes else fuse(heard.lists, weights, state.rules.rrf_k, most)
    new = [candidate for candidate in fused if not is_known(state, candidate)]
    asked = new if after else new[: quest.limit]
    cards = await describe(state, asked)
    met = {**state.cards, **{card.id: card for card in cards}}
    here = [candidate for candidate in asked if candidate.document in met]
    if len(here) < len(asked):
        missing += (f"{len(asked) - len(here)} documents found are no longer in the archive",)
    if after:
        here = [candidate for candidate in here if met[candidate.document].sub_corpus == quest.target]
    thread = state.thread.sub_question.id if state.thread else None
    apart = tuple(candidate for candidate in here if met[candidate.document].access in state.rules.withhold)
    here = [candidate for candidate in here if candidate not in apart]
    state = await record(
        state,
        Searched(
            quest.by,
            tuple(here[: quest.limit]),
            cards,
            known=len(fused) - len(new),
            weights=tuple(sorted(weights.items())),
            missing=missing,
            sub_question=thread,
            variants=heard.variants,
            by_window=shares(lanes, here[: quest.limit]),
        ),
    )
    return await record(state, HeldUnseen(thread, apart, WITHHELD, by=quest.by)) if apart else state


@dataclass(frozen=True, slots=True)
class Heard:
    """What the channels answered, what could not be searched, which forms of words were searched too."""

    found: Mapping[str, Found]
    missing: tuple[str, ...] = ()
    variants: tuple[Variant, ...] = ()

    @property
    def lists(self) -> dict[str, tuple[Hit, ...]]:
        """The list of each channel."""
        return {channel: one.hits for channel, one in self.found.items()}


async def search_channels(state: State, quest: Quest) -> tuple[Heard, State]:
    """Search every channel of the quest at once; a channel that failed is recorded and left out."""
    effects = [effect for channel in quest.channels for effect in _effects(state, quest, channel)]
    answers: dict[str, list[Found]] = {}
    for effect, answer in zip(effects, await ask_all(effects, Found), strict=True):
        if answer.failure:
            thread = state.thread.sub_question.id if state.thread else None
            state = await record(state, SearchFailed(quest.by, effect.channel, answer.failure, thread))
            continue
        answers.setdefault(effect.channel, []).append(answer)
    found = {channel: together(parts) for channel, parts in answers.items()}
    missing = tuple(f"{channel}: {one.missing}" for channel, one in found.items() if one.missing)
    return Heard(found, missing, tuple(dict.fromkeys(v for one in found.values() for v in one.variants))), state


def weigh_channels(state: State, quest: Quest, heard: Heard) -> dict[str, float]:
    """Say how much each channel counts, by the rule of fusion."""
    terms, spoken = _reading(state, quest.text).terms, languages(state, quest.scope)
    return channel_weights(state.rules.fusion, quest.text, terms, heard.lists, spoken, quest.periods)


def _effects(state: State, quest: Quest, channel: str) -> tuple[Search, ...]:
    """One search a channel; the date channel one for each period. Words of an expansion go to the word channel."""
    hits, rules = state.rules.channel_hits, state.rules
    plain = Search(channel, quest.text, quest.scope, hits, decay=rules.decay, strict=rules.strict)
    if quest.windows:
        plain = replace(plain, windows=quest.windows, quota=hits, undated=0 if quest.scope.period else hits)
    if channel == DATE:
        rest = without_dates(quest.text, quest.periods)
        return tuple(replace(plain, text=rest, period=period) for period in quest.periods)
    if channel == SOURCE:
        named = sources_named(quest.text, inside(state, quest.scope))
        limits = replace(quest.scope, sub_corpora=named)
        return (replace(plain, text=without_names(quest.text, named), scope=limits),)
    if channel == WORDS:
        near = state.expansions.get(quest.text)
        return (plain if near is None else replace(plain, text=with_neighbours(quest.text, near, rules.also)),)
    return (plain,)


def with_neighbours(text: str, neighbours: Sequence[Neighbour], chosen: Sequence[str] = ()) -> str:
    """Write a text with the words that are searched beside its own, each once."""
    return " ".join((text, *dict.fromkeys((*(neighbour.found for neighbour in neighbours), *chosen))))


def sources_named(text: str, searched: Sequence[str]) -> tuple[str, ...]:
    """Return which of the sub-corpora searched a text names; none where it names them all, for that tells nothing."""
    named = tuple(name for name in searched if mentions(text, name))
    return named if len(named) < len(searched) else ()


def without_names(text: str, named: Sequence[str]) -> str:
    """Return what a text says beside the sources it names, which orders what they hold; all of it where nothing is."""
    return without(text, named) or text


def without_dates(text: str, periods: Sequence[DatePeriod]) -> str:
    """Return what a text says beside its dates: `Jahr 1894` orders nothing among the sources of that year."""
    return without(text, [period.text for period in periods])


async def describe(state: State, candidates: list[Candidate]) -> tuple[DocumentCard, ...]:
    """Get the cards of documents not met before."""
    unmet = tuple(dict.fromkeys(c.document for c in candidates if c.document not in state.cards))
    return (await ask_one(Describe(unmet), Described)).cards if unmet else ()


def is_known(state: State, candidate: Candidate) -> bool:
    """Whether a candidate need not be shown: judged, held, its document waiting or taken by this sub-question.

    Hold, like reject, is for the passage: another passage of the document may come back (T6).
    """
    thread = state.thread
    if thread is None:
        return False
    takings = state.accepted.get(candidate.document, ())
    return (
        candidate.passage in state.rejected
        or any(acceptance.sub_question == thread.sub_question.id for acceptance in takings)
        or any(waiting.candidate.document == candidate.document for waiting in thread.pending)
        or any(waiting.candidate.passage == candidate.passage for waiting in thread.held)
    )


def scope(state: State, sub_corpora: tuple[str, ...] = (), period: DatePeriod | None = None) -> Scope:
    """The researcher's own limits, narrowed further; passages rejected before are left out so that others come back."""
    allowed = state.question.sub_corpora
    narrowed = tuple(name for name in sub_corpora if not allowed or name in allowed) or allowed
    without: tuple[PassageId, ...] = tuple(state.rejected)
    return Scope(narrowed, _within(state.question.period, period), state.question.languages, (), without)


def _within(limit: DatePeriod | None, period: DatePeriod | None) -> DatePeriod | None:
    """The days two periods share; they must share one."""
    return limit or period if limit is None or period is None else common(limit, period)


def languages(state: State, limits: Scope) -> tuple[str, ...]:
    """The languages of the sub-corpora that a scope lets through."""
    names = frozenset(inside(state, limits))
    return tuple(dict.fromkeys(code for s in state.sub_corpora if s.name in names for code in s.languages))


def inside(state: State, limits: Scope) -> tuple[str, ...]:
    """The names of the sub-corpora that a scope lets through."""
    return tuple(s.name for s in state.sub_corpora if not limits.sub_corpora or s.name in limits.sub_corpora)


def meaning_channels(state: State) -> tuple[str, ...]:
    """The channels of the encoders at hand."""
    return tuple(channel for channel in state.channels if channel.startswith(MEANING))


def fused_channels(state: State, periods: tuple[DatePeriod, ...], named: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The channels of a warm start: all but exact; date only when a date was read (T2), source when one is named."""
    return tuple(c for c in state.channels if c != EXACT and (c != DATE or periods) and (c != SOURCE or named))


def _reading(state: State, text: str) -> Reading:
    return state.readings.get(text, state.reading)
