"""Rule 5: whatever a model server does, the ledger is sound, the run ends, and not judged is never rejected."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.connected import model_at
from fakes.ledger import MemoryLedger
from fakes.misbehaviour import FAULTS, PAUSING
from fakes.runs import DOCUMENTS, RUN, carry_on, lines, started
from fakes.servers import KEY, Act, Call, diligent, serving
from vestigia.domain.entries import Recorded
from vestigia.domain.errors import ModelUnavailableError
from vestigia.domain.events import Consulted, Judged, Outcome, Paused
from vestigia.domain.evidence import Decision
from vestigia.domain.rules import Budget, Rules
from vestigia.engine import runs
from vestigia.inquiry.state import State
from vestigia.models.connected.language import LanguageModel

SMALL = Rules(max_sub_questions=1, steps=1, budget=Budget(calls=60))
TRIES = 2


def ended(model: LanguageModel, rules: Rules, most: int) -> tuple[State, MemoryLedger, int]:
    """Resume a run as often as it is paused, at most so often; returns how often that was."""
    ledger = started(rules)
    for paused in range(most + 1):
        try:
            return carry_on(ledger, model).state, ledger, paused
        except ModelUnavailableError:
            assert isinstance(ledger.entries()[-1].body, Recorded)
    raise AssertionError(f"the run was paused more than {most} times")


def assert_sound(state: State, ledger: MemoryLedger, rules: Rules) -> None:
    """What holds of every run, whatever its model did."""
    entries = ledger.entries()
    assert state.closed
    assert runs.replay(entries, RUN) == (state, True)
    assert rules.budget.calls is None or state.calls <= rules.budget.calls
    assert KEY.encode() not in lines(entries)
    assert set(state.accepted) <= {document.id for document in DOCUMENTS}
    events = [entry.body.event for entry in entries if isinstance(entry.body, Recorded)]
    verdicts = [verdict for event in events if isinstance(event, Judged) for verdict in event.verdicts]
    assert not [verdict for verdict in verdicts if verdict.decision is Decision.REJECT]  # nobody here rejects
    assert all(len(verdict.reason) <= rules.reason_length for verdict in verdicts)


@pytest.mark.parametrize("rules", [SMALL, replace(SMALL, concise=True)], ids=["as published", "concise"])
@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_once_at_every_task_ends_in_a_sound_ledger(name: str, rules: Rules) -> None:
    """Every other call, beginning with the plan, meets the fault."""

    def server(call: Call) -> Act:
        return FAULTS[name](call) if call.number % 2 else diligent(call)

    with serving(server) as running:
        state, ledger, paused = ended(model_at(running, tries=TRIES), rules, most=60)
        assert len(running.calls) <= 60 * TRIES + paused
    assert_sound(state, ledger, rules)
    assert (paused > 0) == (name in PAUSING)
    stops = [
        e.body.event.why for e in ledger.entries() if isinstance(e.body, Recorded) and isinstance(e.body.event, Paused)
    ]
    assert len(stops) == paused


@pytest.mark.parametrize("name", [name for name in FAULTS if name not in PAUSING])
def test_a_fault_without_end_is_a_run_that_ends_or_is_paused_and_never_an_invention(name: str) -> None:
    with serving(FAULTS[name]) as running:
        model = model_at(running, tries=TRIES)
        ledger = started(SMALL)
        try:
            state = carry_on(ledger, model).state
        except ModelUnavailableError:
            assert isinstance(ledger.entries()[-1].body, Recorded)
            assert runs.replay(ledger.entries(), RUN)[1] is False
            assert not runs.view_of(ledger.entries()).rejected
            return
    assert_sound(state, ledger, SMALL)
    unusable = [c for c in state.consultations if c.outcome is not Outcome.READ]
    if all(c.outcome is not Outcome.READ for c in state.consultations):
        assert state.accepted == {}
        assert len(unusable) == state.calls


def test_what_could_not_be_read_is_recorded_as_it_came() -> None:
    with serving(FAULTS["repeating itself"]) as running:
        state, ledger, _ = ended(model_at(running, tries=TRIES), SMALL, most=0)
    assert b"rather interesting" in lines(ledger.entries())
    assert {c.outcome for c in state.consultations} == {Outcome.UNREADABLE}
    assert {w.reason for w in state.held.values()} >= {"not judged: no reply of compatible/m1 could be read"}


def test_a_plain_repair_request_quotes_what_was_wrong() -> None:
    def once(call: Call) -> Act:
        return FAULTS["another shape"](call) if call.number == 1 else diligent(call)

    with serving(once) as running:
        state, _, _ = ended(model_at(running, tries=TRIES), SMALL, most=0)
        asked_again = running.calls[1].words
    assert (
        "This is asked again, because: Your last reply could not be read: sub_questions: Field required." in asked_again
    )
    assert [c.outcome for c in state.consultations][:2] == [Outcome.UNREADABLE, Outcome.READ]
    assert all(isinstance(c, Consulted) for c in state.consultations)


def by_schedule(faults: list[str]) -> Callable[[Call], Act]:
    """The calls meet these in turn ("": none); after them the server is diligent."""

    def server(call: Call) -> Act:
        name = faults[call.number - 1] if call.number <= len(faults) else ""
        return FAULTS[name](call) if name else diligent(call)

    return server


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.sampled_from(["", "", *FAULTS]), max_size=30),
    st.sampled_from(["openai", "anthropic", "google"]),
    st.booleans(),
)
def test_any_schedule_of_faults_ends_in_a_sound_ledger(faults: list[str], wire: str, concise: bool) -> None:
    rules = Rules(max_sub_questions=2, steps=2, budget=Budget(calls=60), concise=concise)
    with serving(by_schedule(faults)) as running:
        state, ledger, paused = ended(model_at(running, wire, tries=TRIES), rules, most=len(faults))
        assert len(running.calls) <= TRIES * (rules.budget.calls or 0) + paused
    assert_sound(state, ledger, rules)
