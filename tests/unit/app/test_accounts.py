"""T16: what a run may take, and what it took."""

from datetime import UTC, datetime

import pytest

from fakes.servers import KEY
from vestigia.app.accounts import EACH, ONCE, Estimate, Times, estimate, estimate_calls, times, working_clock
from vestigia.app.models import OF_A_QUESTION, Answering, answering
from vestigia.app.settings import Settings
from vestigia.domain.effects import Attend, Attended, Found, Replied, Scope, Search
from vestigia.domain.entries import Answered, Asked, Entry, Recorded
from vestigia.domain.events import Closed, Overruled, Paused
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import Digest, DocumentId
from vestigia.domain.rules import Budget, Rules
from vestigia.models.extractive.model import ExtractiveModel

SUMMER = datetime(2026, 7, 1, tzinfo=UTC)


@pytest.fixture
def by(monkeypatch) -> Answering:
    monkeypatch.setenv("FAKE_KEY", KEY)
    lines = {"far": {"model": "deepseek/deepseek-v4-flash", "key": "FAKE_KEY"}, "near": {"model": "ollama/m"}}
    return answering(Settings.model_validate({"models": lines, "ask": {"model": "far"}}))


def test_the_rule_gives_the_published_number_of_calls_and_tokens(by):
    """T16: 33.8 calls, 101 k tokens in and 22.7 k out, 0.02 USD a question with at most four sub-questions."""
    found = estimate(by, Rules(), SUMMER)
    assert (found.sub_questions, found.calls, found.input_tokens, found.output_tokens) == (4, 34, 102_000, 22_780)
    assert found.cost == pytest.approx(0.02, abs=0.005)
    assert set(ONCE) | set(EACH) == set(OF_A_QUESTION)


def test_where_one_call_does_what_takes_several_fewer_are_expected(by):
    """Four for each sub-question, and two."""
    assert [estimate(by, Rules(concise=True), SUMMER, parts).calls for parts in (1, 4)] == [6, 18]


def test_calls_of_one_model_are_added_up_and_priced_by_their_average(by):
    found = estimate_calls(by, [(1000, 250), (3000, 250)], None, SUMMER)
    assert (found.sub_questions, found.calls, found.input_tokens, found.output_tokens) == (0, 2, 4000, 500)
    assert found.cost == pytest.approx(2 * estimate_calls(by, [(2000, 250)], None, SUMMER).cost)
    assert estimate_calls(by, [(1000, 100)] * 4, 3, SUMMER) == Estimate(
        0, 3, 3000, 300, pytest.approx(3 * estimate_calls(by, [(1000, 100)], None, SUMMER).cost)
    )


def test_without_calls_or_a_language_model_there_is_nothing_to_add_up(by):
    assert estimate_calls(by, [], None, SUMMER) is None
    assert estimate_calls(Answering(ExtractiveModel()), [(1, 1)], None, SUMMER) is None


def test_a_plan_is_counted_by_its_sub_questions(by):
    assert estimate(by, Rules(), SUMMER, 1).calls == 10


def test_no_more_than_the_limit_is_expected(by):
    found = estimate(by, Rules(budget=Budget(calls=17)), SUMMER)
    whole = estimate(by, Rules(), SUMMER)
    assert (found.calls, found.input_tokens) == (17, 51_000)
    assert found.cost == pytest.approx(whole.cost / 2)


def test_each_task_is_priced_by_its_own_model_and_one_unknown_makes_it_unknown(by):
    settings = {"near": {"model": "ollama/m", "price": (0, 0)}, "free": {"model": "ollama/n"}}
    told = Settings.model_validate({"models": settings, "ask": {"model": "near"}, "tasks": {"rank": "free"}})
    assert estimate(answering(told), Rules(), SUMMER).cost is None
    assert estimate(answering(told, {"": "near"}), Rules(), SUMMER) == Estimate(4, 34, 102_000, 22_780, 0.0)


def test_without_a_language_model_nothing_is_estimated():
    assert estimate(Answering(ExtractiveModel()), Rules(), SUMMER) is None


def entries(*rows):
    """Entries at seconds of a minute: (second, actor, body, took)."""
    return [
        Entry(n, Digest(""), Digest(""), f"2026-01-02T10:00:{second:06.3f}Z", actor, body, took)
        for n, (second, actor, body, took) in enumerate(rows)
    ]


ASKED = Asked((Search("words", "x", Scope(), 5),))
FACT = Recorded(Closed())


def test_time_is_what_answers_took_and_what_passed_between_entries():
    rows = entries(
        (0.0, "code", FACT, None),
        (0.5, "code", ASKED, None),  # half a second of its own
        (2.5, "code", Answered((Found(),)), 2.0),  # two of a search
        (3.0, "code", ASKED, None),  # half of its own
        (13.0, "model:m", Answered((Replied("", "m"),)), 10.0),  # ten of a model
        (13.25, "code", FACT, None),  # a quarter of its own
    )
    assert times(rows) == Times(models=10.0, own=3.25)


def test_people_pauses_and_crashes_do_not_count_but_waiting_for_a_model_in_vain_does():
    rows = entries(
        (0.0, "code", Asked((Attend("plan", wait=True),)), None),
        (20.0, "person:Ada", Recorded(Overruled(DocumentId("d"), Decision.ACCEPT, "", "Ada")), None),
        (25.0, "code", Answered((Attended("Ada"),)), None),
        (25.5, "code", ASKED, None),  # half of its own
        (30.5, "code", Recorded(Paused("429")), None),  # five of a model, in vain
        (50.0, "model:m", Answered((Replied("", "m"),)), 2.0),
        (50.0, "code", ASKED, None),
        (55.0, "code", Answered((Found(),)), 1.0),  # after a crash: one second
    )
    assert times(rows) == Times(models=7.0, own=1.5)


def test_a_ledger_of_nothing_took_nothing():
    assert times([]) == Times()


def test_the_clock_of_a_run_goes_on_where_it_stood():
    before = entries((0.0, "code", FACT, None), (5.0, "code", Answered((Found(),)), 2.5))
    seconds = iter([100.0, 101.5])
    assert working_clock(before, lambda: next(seconds))() == 4.0
