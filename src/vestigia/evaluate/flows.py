"""Searches as a run makes them, but nothing after: the orientation alone, and HistoRAG's windows (H2).

They are coroutines of the core's kind (`inquiry/crossing.py`), driven and recorded like a whole run, so what is
measured is what a run does.
"""

from dataclasses import replace
from itertools import pairwise

from vestigia.domain.events import Opened, Searched
from vestigia.domain.evidence import Hit
from vestigia.domain.periods import FAR_FUTURE, FAR_PAST, DatePeriod, Precision, common
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules
from vestigia.evaluate.systems import WINDOWS
from vestigia.inquiry.crossing import record
from vestigia.inquiry.discover import survey
from vestigia.inquiry.fold import State
from vestigia.inquiry.fusion import fuse
from vestigia.inquiry.searching import Quest, meaning_channels, merged, scope, search_channels
from vestigia.inquiry.warm_start import orient

WINDOWED = "windows"


async def searched(question: Question, rules: Rules) -> State:
    """Search once with the question itself, all channels fused, as a run's orientation does."""
    return await orient(await _begun(question, rules))


async def windowed(question: Question, rules: Rules) -> State:
    """Search by meaning in each window of time with the same quota; the order is that of similarity.

    Undated documents are in no window. Several encoders are fused as equals.
    """
    state = await _begun(question, rules)
    lists: dict[str, list[Hit]] = {}
    for window in windows(_period(state), WINDOWS):
        within = window if question.period is None else common(window, question.period)
        if within is None:
            continue
        limits = replace(scope(state), period=within)
        quest = Quest(WINDOWED, question.text, meaning_channels(state), limits, rules.candidates)
        found, _, state = await search_channels(state, quest)
        for channel, hits in found.items():
            lists.setdefault(channel, []).extend(hits)
    if not lists and state.failures:
        return state
    ordered = {channel: merged(hits) for channel, hits in lists.items()}
    fused = fuse(ordered, dict.fromkeys(ordered, 1.0), rules.rrf_k, rules.candidates)
    return await record(state, Searched(WINDOWED, fused))


async def _begun(question: Question, rules: Rules) -> State:
    return await survey(await record(State(), Opened(question, rules)))


def _period(state: State) -> DatePeriod | None:
    """From the first to the last day of all that is dated; none when nothing is, or an end is open."""
    periods = [sub_corpus.period for sub_corpus in state.sub_corpora if sub_corpus.period]
    first, last = min((p.first for p in periods), default=FAR_PAST), max((p.last for p in periods), default=FAR_FUTURE)
    return None if first == FAR_PAST or last == FAR_FUTURE else DatePeriod(first, last, Precision.RANGE)


def windows(period: DatePeriod | None, number: int) -> tuple[DatePeriod, ...]:
    """Cut a period into windows whose lengths differ by a day at most.

    A period shorter than `number` days has a window for each day; no period has none.
    """
    if period is None:
        return ()
    days = period.last - period.first + 1
    parts = min(number, days)
    starts = [period.first + part * days // parts for part in range(parts + 1)]
    return tuple(DatePeriod(start, following - 1, Precision.RANGE) for start, following in pairwise(starts))
