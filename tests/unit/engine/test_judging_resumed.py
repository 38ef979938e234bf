"""A judging may be cut anywhere and falls silent anywhere: it ends as the one that never was, and can be replayed."""

from contextlib import suppress

import pytest

from fakes.corpus import paragraphs
from fakes.runs import DOCUMENTS, MANIFEST, RUN, Faltering, a_ledger, a_world, lines, scripted
from vestigia.domain.commissions import Item, JudgeOrder, Origin, Rubric
from vestigia.domain.entries import Recorded
from vestigia.domain.errors import DivergedError, ModelUnavailableError, UsageError
from vestigia.domain.events import Scored
from vestigia.domain.ids import RunId, digest
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules
from vestigia.engine import runs
from vestigia.engine.journal import WaitingError
from vestigia.inquiry.judge import SHEET, judge

RUBRIC = Rubric("bridges", digest("bridges"), "Is a bridge told of?")
ITEMS = tuple(Item(first.id, first.document) for first in (paragraphs(document)[0] for document in DOCUMENTS))
FROM = Origin(RunId("set"), digest("set"))


def flow(first):
    return judge(first.question, first.rules, first.commission)


def begun(person="", rules=Rules(parallel=4)):
    ledger = a_ledger()
    runs.begin(ledger, MANIFEST, Question("Die Brücke"), rules, JudgeOrder(FROM, RUBRIC, ITEMS, person))
    return ledger


def carried_out(ledger, world=None):
    runs.carry_out(flow, ledger, world or a_world(ledger, scripted()), stopwatch=lambda: 0.0)
    return ledger.entries()


def test_cut_after_any_entry_it_ends_the_same():
    whole = carried_out(begun())

    assert sum(isinstance(e.body, Recorded) and isinstance(e.body.event, Scored) for e in whole) == len(ITEMS)
    for length in range(1, len(whole)):
        assert lines(carried_out(a_ledger(whole[:length]))) == lines(whole), length


@pytest.mark.parametrize("call", [2, 3, 4])
def test_a_model_that_gives_no_answer_pauses_it_and_nothing_is_asked_twice(call):
    ledger = begun()
    with pytest.raises(ModelUnavailableError):
        carried_out(ledger, Faltering(a_world(ledger, scripted()), call))
    paused = ledger.entries()[-1].body
    carried_out(ledger)

    assert "no answer" in paused.event.why
    scored = [e.body.event.passage for e in ledger.entries() if isinstance(getattr(e.body, "event", None), Scored)]
    assert scored == [item.passage for item in ITEMS]


def test_it_is_decided_again_from_the_record_alone():
    whole = carried_out(begun())
    state, acts = runs.retrace(flow, whole, RUN)

    assert [one.passage for one in state.judgements.values()] == [item.passage for item in ITEMS]
    assert acts == ()
    with pytest.raises(DivergedError):
        runs.retrace(flow, (*whole[:-1], whole[1]), RUN)


def test_a_person_s_judging_waits_for_its_sheet_and_nothing_but_that_person_hands_it_in():
    ledger = begun("Ada")
    with pytest.raises(WaitingError) as waits:
        carried_out(ledger)
    assert waits.value.checkpoint == SHEET
    with pytest.raises(UsageError, match="author"):
        runs.decide(ledger, Scored(ITEMS[0].passage, ITEMS[0].document, 7))
    runs.decide(ledger, Scored(ITEMS[0].passage, ITEMS[0].document, 7, author="Ada"))
    with suppress(WaitingError):
        carried_out(ledger)
    runs.release(ledger, "Ada")
    whole = carried_out(ledger)

    state, _ = runs.retrace(flow, whole, RUN)
    assert state.judgements[ITEMS[0].passage].score == 7
    assert state.closed is True
    for length in range(1, len(whole)):
        again = a_ledger(whole[:length])
        with suppress(WaitingError):
            carried_out(again)
        assert lines(again.entries()) == lines(whole)[: len(lines(again.entries()))], length
