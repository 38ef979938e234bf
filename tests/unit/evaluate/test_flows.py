"""Searches as a run makes them, driven and recorded like one; HistoRAG's windows (H2)."""

import asyncio
from dataclasses import replace
from itertools import pairwise

import pytest

from fakes.corpus import MemoryCorpus, YearReader, a_day, a_document
from fakes.index import MemoryIndex
from fakes.runs import DOCUMENTS, MANIFEST, QUESTION, a_ledger, finished, library, scripted
from vestigia.domain.effects import CHARACTERS, WORDS, Lane, Search
from vestigia.domain.entries import Asked
from vestigia.domain.errors import ModelUnavailableError
from vestigia.domain.periods import FAR_PAST, DatePeriod, Precision
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules
from vestigia.engine import runs
from vestigia.engine.journal import Journal, drive
from vestigia.engine.world import Archive, LiveWorld
from vestigia.evaluate.flows import searched, windowed, windows

YEARS = DatePeriod(a_day(1886, 12, 31).first, a_day(1887, 9, 9).first, Precision.RANGE)


class Windowing(MemoryIndex):
    """Gives each window a list of its own, by searching it alone; some of its channels may fail."""

    broken = ()

    def search(self, search):
        if search.channel in self.broken:
            raise ModelUnavailableError("the encoder is gone.")
        plain = replace(search, windows=(), quota=0, limit=search.limit)
        within = [replace(plain, limit=search.quota, scope=replace(search.scope, period=w)) for w in search.windows]
        hits = [super(Windowing, self).search(one).hits for one in within]
        lanes = tuple(Lane(w, of, search.quota - len(of)) for w, of in zip(search.windows, hits, strict=True))
        return replace(super().search(plain), lanes=lanes)


class Meaningful(Windowing):
    """Its one encoder understands words."""

    def channels(self):
        return ("meaning:fake",)

    def search(self, search):
        return super().search(replace(search, channel=WORDS))


class Dated(MemoryCorpus):
    """An archive that says from when to when its parts are."""

    def sub_corpora(self):
        return tuple(replace(part, period=self._period(part.name)) for part in super().sub_corpora())

    def _period(self, name):
        dates = [d.period for d in self._documents.values() if d.sub_corpus == name and d.period]
        return DatePeriod(min(d.first for d in dates), max(d.last for d in dates), Precision.RANGE) if dates else None


def driven(flow, index, question=QUESTION, rules=Rules(), documents=DOCUMENTS):
    ledger = a_ledger()
    runs.begin(ledger, MANIFEST, question, rules)
    archive = Archive(Dated(documents), index, YearReader(), scripted(), library())
    world = LiveWorld(archive, ledger)
    state = asyncio.run(drive(flow(question, rules), Journal((), ledger), world))
    return state, ledger.entries()


def searches(entries):
    effects = [effect for entry in entries if isinstance(entry.body, Asked) for effect in entry.body.effects]
    return [effect for effect in effects if isinstance(effect, Search)]


def pairs(*documents):
    return MemoryCorpus(documents or DOCUMENTS).pairs()


def test_a_search_finds_what_the_orientation_of_a_whole_run_finds():
    state, _ = driven(searched, MemoryIndex(pairs()))
    assert state.orientation == finished(scripted()).state.orientation != ()
    assert state.accepted == {}
    assert state.calls == 0


def test_a_search_is_recorded_like_a_run_and_can_be_decided_again_from_its_record():
    _, entries = driven(searched, MemoryIndex(pairs()))
    assert asyncio.run(drive(searched(QUESTION, Rules()), Journal(entries), None)).orientation


def test_windows_cover_the_archive_s_time_with_the_same_quota_in_one_search_a_channel():
    _, entries = driven(windowed, Windowing(pairs()), rules=replace(Rules(), candidates=12))
    assert [(search.channel, search.quota) for search in searches(entries)] == [(WORDS, 2), (CHARACTERS, 2)]
    cut = searches(entries)[0].windows
    assert len(cut) == 6
    assert (cut[0].first, cut[-1].last) == (YEARS.first, YEARS.last)
    assert all(one.last + 1 == two.first for one, two in pairwise(cut))


def test_several_channels_are_fused_window_by_window():
    state, _ = driven(windowed, Windowing(pairs()), Question("Brücke"))
    assert {s.channel for c in state.orientation for s in c.standings} == {WORDS, CHARACTERS}
    scores = [candidate.score for candidate in state.orientation]
    assert scores == sorted(scores, reverse=True)
    assert len({c.document for c in state.orientation}) == len(scores)


def test_a_channel_that_fails_leaves_the_windows_of_the_others():
    index = Windowing(pairs())
    index.broken = (CHARACTERS,)
    state, _ = driven(windowed, index, Question("Brücke"))
    assert [failure.channel for failure in state.failures] == [CHARACTERS]
    assert {s.channel for c in state.orientation for s in c.standings} == {WORDS}


def test_what_the_windows_bring_is_in_the_order_of_similarity_and_undated_documents_are_in_none():
    state, _ = driven(windowed, Meaningful(pairs()), Question("Brücke Landbote Wagen"))
    found = [candidate.document for candidate in state.orientation]
    assert found[0] == "L2"
    assert "R2" not in found
    scores = [candidate.standings[0].score for candidate in state.orientation]
    assert scores == sorted(scores, reverse=True)


def test_a_window_keeps_its_quota_however_many_better_sources_another_has():
    spring = [a_document(f"S{day}", "Brücke und Rat", period=a_day(1887, 1, day)) for day in range(1, 10)]
    late = a_document("late", "Brücke und sonst noch vieles", period=a_day(1887, 12, 31))
    documents = (*spring, late)
    rules = replace(Rules(), candidates=12)
    state, _ = driven(windowed, Meaningful(pairs(*documents)), Question("Brücke Rat"), rules, documents)
    documents = [candidate.document for candidate in state.orientation]
    assert documents == ["S1", "S2", "late"]


def test_the_researcher_s_own_period_limits_the_windows():
    inside = a_day(1887, 5, 2)
    state, entries = driven(windowed, Meaningful(pairs()), Question("Brücke", period=inside))
    assert [search.windows for search in searches(entries)] == [(replace(inside, precision=Precision.RANGE),)]
    assert [candidate.document for candidate in state.orientation] == ["L1"]


def test_an_archive_without_dates_has_no_windows_and_nothing_is_found():
    undated = (a_document("U", "Brücke"),)
    state, entries = driven(windowed, Meaningful(pairs(*undated)), documents=undated)
    assert state.orientation == ()
    assert [len(search.candidates) for search in state.searches] == [0]
    assert searches(entries) == []


def test_windows_that_could_not_be_searched_are_failures_and_no_empty_result():
    broken = Meaningful(pairs())
    broken.broken = (WORDS,)
    state, _ = driven(windowed, broken)
    assert state.searches == ()
    assert {failure.channel for failure in state.failures} == {"meaning:fake"}


@pytest.mark.parametrize(
    ("days", "number", "lengths"), [(12, 6, [2] * 6), (13, 6, [2, 2, 2, 2, 2, 3]), (3, 6, [1, 1, 1]), (1, 1, [1])]
)
def test_windows_cut_a_period_into_like_stretches(days, number, lengths):
    cut = windows(DatePeriod(100, 99 + days, Precision.RANGE), number)
    assert [window.last - window.first + 1 for window in cut] == lengths
    assert (cut[0].first, cut[-1].last) == (100, 99 + days)


def test_no_period_has_no_windows():
    assert windows(None, 6) == ()


def test_an_archive_whose_dates_have_no_beginning_has_no_windows():
    early = a_document("E", "Brücke", period=DatePeriod(FAR_PAST, 0, Precision.RANGE))
    state, _ = driven(windowed, Meaningful(pairs(early)), documents=(early,))
    assert state.orientation == ()
