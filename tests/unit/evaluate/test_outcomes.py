"""What came of a question, read from entries and state alone (T17)."""

from dataclasses import replace

import pytest

from fakes.runs import DOCUMENTS, finished, scripted
from vestigia.domain.effects import CHARACTERS, DATE, SOURCE, WORDS
from vestigia.domain.entries import Begun, Recorded
from vestigia.domain.events import Judged, SearchFailed
from vestigia.domain.evidence import Decision
from vestigia.engine.runs import view_of
from vestigia.evaluate.outcomes import Outcome, first_lists, outcome
from vestigia.evaluate.systems import Flow
from vestigia.inquiry.state import State
from vestigia.models.extractive.model import ExtractiveModel


@pytest.fixture(scope="module")
def run():
    return finished(scripted())


@pytest.fixture(scope="module")
def ended(run):
    return outcome(Flow.ASK, run.entries, run.state, 1.5)


def test_the_ranking_of_a_run_is_what_it_accepted_in_its_order(run, ended):
    assert ended.judged
    assert list(ended.ranking) == [row.document for row in run.state.ranking] != []


def test_what_was_seen_and_not_accepted_is_rejected_or_held_never_both(run, ended):
    groups = [set(ended.ranking), set(ended.rejected), set(ended.held)]
    assert sum(len(group) for group in groups) == len(set.union(*groups))
    seen = {candidate.document for search in run.state.searches for candidate in search.candidates}
    assert seen <= set.union(*groups)
    assert ended.rejected or ended.held


def test_a_document_rejected_in_one_passage_and_taken_for_another_is_not_rejected(run, ended):
    verdicts = [
        v
        for e in run.entries
        if isinstance(e.body, Recorded) and isinstance(e.body.event, Judged)
        for v in e.body.event.verdicts
    ]
    rejected = {verdict.document for verdict in verdicts if verdict.decision is Decision.REJECT}
    assert rejected - set(ended.ranking) - set(ended.held) == set(ended.rejected)


def test_a_run_costs_its_calls_tokens_and_money(run, ended):
    assert ended.calls == run.state.calls > 0
    assert ended.tokens == 110 * ended.calls
    assert ended.cost == pytest.approx(0.001 * ended.calls)
    assert ended.seconds == 1.5


def test_one_unknown_price_makes_the_cost_unknown_and_never_zero(run):
    unknown = run.state.consultations[0]
    consultations = (
        replace(unknown, usage=replace(unknown.usage, cost=None, input_tokens=None)),
        *run.state.consultations[1:],
    )
    ended = outcome(Flow.ASK, run.entries, replace(run.state, consultations=consultations), 0.0)
    assert (ended.tokens, ended.cost) == (None, None)


def test_a_run_without_a_language_model_costs_nothing():
    free = finished(ExtractiveModel())
    ended = outcome(Flow.ASK, free.entries, free.state, 0.0)
    assert (ended.tokens, ended.cost) == (0, 0.0)
    assert ended.calls > 0


def test_a_search_only_ranks_what_it_found(run):
    ended = outcome(Flow.SEARCH, run.entries, run.state, 0.0)
    assert not ended.judged
    assert list(ended.ranking) == [candidate.document for candidate in run.state.orientation]
    assert (ended.rejected, ended.held) == ((), ())


def test_the_lists_of_the_channels_are_those_of_the_first_search(ended):
    lists = dict(ended.lists)
    assert list(lists) == [WORDS, CHARACTERS, DATE, SOURCE]
    assert lists[WORDS][0] in {document.id for document in DOCUMENTS}
    assert all(len(set(documents)) == len(documents) for documents in lists.values())


def test_windows_have_no_lists_of_channels_each_is_cut_by_window(run):
    assert outcome(Flow.WINDOWS, run.entries, run.state, 0.0).lists == ()


def test_without_a_search_there_are_no_lists(run):
    assert first_lists([entry for entry in run.entries if isinstance(entry.body, Begun)]) == ()
    assert first_lists(()) == ()


def test_a_channel_that_failed_is_told_and_the_rest_counts():
    state = State(failures=(SearchFailed("orientation", WORDS, "it cannot be read"),))
    searched = replace(state, searches=finished(scripted()).state.searches)
    ended = outcome(Flow.SEARCH, (), searched, 0.0)
    assert ended.problems[0] == "words: it cannot be read"
    assert ended.failure == ""


def test_where_every_channel_failed_the_outcome_is_a_failure():
    state = State(failures=(SearchFailed("orientation", WORDS, "it cannot be read"),))
    assert outcome(Flow.SEARCH, (), state, 0.0).failure == "words: it cannot be read"


def test_what_could_not_be_searched_is_told_once(run):
    gap = "meaning:e5: 3 passages are not encoded"
    searches = tuple(replace(search, missing=(gap,)) for search in run.state.searches)
    assert outcome(Flow.ASK, run.entries, replace(run.state, searches=searches), 0.0).problems == (gap,)


def test_the_view_of_a_finished_run_is_enough(run):
    assert outcome(Flow.ASK, run.entries, view_of(run.entries), 1.5) == outcome(Flow.ASK, run.entries, run.state, 1.5)
    assert isinstance(outcome(Flow.ASK, (), State(), 0.0), Outcome)
