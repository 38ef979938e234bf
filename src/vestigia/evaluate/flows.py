"""Searches as a run makes them, but nothing after: the orientation alone, and HistoRAG's windows (H2).

They are coroutines of the core's kind (`inquiry/crossing.py`), driven and recorded like a whole run, so what is
measured is what a run does.
"""

from collections.abc import Mapping

from vestigia.domain.effects import Found, Search
from vestigia.domain.events import Opened, Searched, SearchFailed
from vestigia.domain.evidence import Candidate
from vestigia.domain.ids import DocumentId
from vestigia.domain.periods import FAR_FUTURE, FAR_PAST, DatePeriod, Precision, common
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules
from vestigia.evaluate.systems import WINDOWS
from vestigia.inquiry.crossing import ask_all, record
from vestigia.inquiry.discover import have_described
from vestigia.inquiry.fusion import channel_weights
from vestigia.inquiry.searching import fused_channels, languages, read_text, scope
from vestigia.inquiry.state import State
from vestigia.inquiry.warm_start import orient
from vestigia.inquiry.windows import by_count, fuse_lanes

WINDOWED = "windows"


async def searched(question: Question, rules: Rules) -> State:
    """Search once with the question itself, all channels fused, as a run's orientation does."""
    return await orient(await _begun(question, rules))


async def windowed(question: Question, rules: Rules) -> State:
    """Search in windows of time, each with the same quota (`rules.candidates` over all), in one pass a channel.

    One channel alone is ordered by its own score over all windows, as HistoRAG orders by similarity; several are fused
    window by window and ordered by that. Undated documents are in no window.
    """
    state = await read_text(await _begun(question, rules), question.text)
    cut = windows(_period(state), WINDOWS)
    quota = rules.candidates // WINDOWS
    wanted = [
        Search(channel, question.text, scope(state), rules.channel_hits, windows=cut, quota=quota)
        for channel in fused_channels(state, ())
        if cut
    ]
    found: dict[str, Found] = {}
    for search, answer in zip(wanted, await ask_all(wanted, Found), strict=True):
        if answer.failure:
            state = await record(state, SearchFailed(WINDOWED, search.channel, answer.failure))
        else:
            found[search.channel] = answer
    if state.failures and not found:
        return state
    missing = tuple(f"{channel}: {answer.missing}" for channel, answer in found.items() if answer.missing)
    return await record(state, Searched(WINDOWED, _ordered(state, found), missing=missing))


def _ordered(state: State, found: Mapping[str, Found]) -> tuple[Candidate, ...]:
    """Every document once, at its best window."""
    lists = {channel: answer.hits for channel, answer in found.items()}
    weights = channel_weights(
        state.rules.fusion, state.question.text, state.reading.terms, lists, languages(state, scope(state))
    )
    lanes = fuse_lanes(found, weights, state.rules.rrf_k)
    best: dict[DocumentId, tuple[float, Candidate]] = {}
    for candidate in (candidate for lane in lanes for candidate in lane.candidates):
        score = candidate.standings[0].score if len(found) == 1 else candidate.score
        if candidate.document not in best or score > best[candidate.document][0]:
            best[candidate.document] = (score, candidate)
    return tuple(c for _, c in sorted(best.values(), key=lambda scored: (-scored[0], scored[1].document)))


async def _begun(question: Question, rules: Rules) -> State:
    return await have_described(await record(State(), Opened(question, rules)))


def _period(state: State) -> DatePeriod | None:
    """From the first to the last day of all that is dated, within the researcher's limits; none when nothing is, or
    an end is open."""
    periods = [sub_corpus.period for sub_corpus in state.sub_corpora if sub_corpus.period]
    first, last = min((p.first for p in periods), default=FAR_PAST), max((p.last for p in periods), default=FAR_FUTURE)
    extent, limits = DatePeriod(first, last, Precision.RANGE), state.question.period
    within = extent if limits is None else common(extent, limits)
    return None if within is None or within.first == FAR_PAST or within.last == FAR_FUTURE else within


def windows(period: DatePeriod | None, number: int) -> tuple[DatePeriod, ...]:
    """Cut a period into windows whose lengths differ by a day at most.

    A period shorter than `number` days has a window for each day; no period has none.
    """
    return () if period is None else by_count(period, min(number, period.last - period.first + 1))
