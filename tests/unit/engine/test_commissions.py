"""Runs that are commissioned for something else than answering a question: carried out, resumed and replayed alike."""

import pytest

from fakes.ledger import MemoryLedger
from fakes.runs import MANIFEST, QUESTION, RUN, a_ledger, a_world, scripted
from vestigia.domain.commissions import SurveyOrder
from vestigia.domain.effects import Survey, Surveyed
from vestigia.domain.entries import Begun
from vestigia.domain.errors import DivergedError
from vestigia.domain.events import ArchiveSurveyed
from vestigia.domain.periods import DatePeriod, Precision, day_number
from vestigia.domain.rules import Rules
from vestigia.engine import runs
from vestigia.inquiry.crossing import Fact, ask_one

ORDER = SurveyOrder((DatePeriod(day_number(1887), day_number(1887, 12, 31), Precision.YEAR),), quota=20)


async def surveying(first: Begun) -> tuple[int, int]:
    """A flow of its own: how many sub-corpora there are, for which quota."""
    surveyed = await ask_one(Survey(), Surveyed)
    await Fact(ArchiveSurveyed(surveyed.sub_corpora, surveyed.channels))
    assert isinstance(first.commission, SurveyOrder)
    return len(surveyed.sub_corpora), first.commission.quota


def flow(first: Begun):
    return surveying(first)


@pytest.fixture
def ledger() -> MemoryLedger:
    begun = a_ledger()
    runs.begin(begun, MANIFEST, QUESTION, Rules(), ORDER)
    return begun


def test_the_order_stands_in_the_first_entry(ledger):
    body = ledger.entries()[0].body

    assert isinstance(body, Begun)
    assert body.commission == ORDER


def test_it_is_carried_out_and_resumed(ledger):
    ended = runs.carry_out(flow, ledger, a_world(ledger, scripted()))
    entries = ledger.entries()

    assert ended == ((3, 20), ())
    assert runs.carry_out(flow, ledger, a_world(ledger, scripted())) == ended
    assert ledger.entries() == entries


def test_it_is_decided_again_from_the_record_alone(ledger):
    ended = runs.carry_out(flow, ledger, a_world(ledger, scripted()))

    assert runs.retrace(flow, ledger.entries(), RUN) == ended
    assert runs.retrace(flow, ledger.entries()[:2], RUN) is None


def test_a_flow_of_another_kind_diverges(ledger):
    runs.carry_out(flow, ledger, a_world(ledger, scripted()))
    with pytest.raises(DivergedError):
        runs.retrace(runs.discovering, ledger.entries(), RUN)
