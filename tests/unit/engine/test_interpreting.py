"""H9: an interpretation cut anywhere ends the same, and is decided again from its record alone."""

from dataclasses import replace

import pytest

from fakes.corpus import MemoryCorpus, YearReader, a_document
from fakes.curating import a_set, accept
from fakes.index import MemoryIndex
from fakes.interpreting import interpreter
from fakes.runs import MANIFEST, RUN, a_ledger, library, lines
from vestigia.app.works import flow_of
from vestigia.domain.acts import Remark, Remarked, Sealed
from vestigia.domain.commissions import Item
from vestigia.domain.effects import CheckQuotes, Describe, Excerpt
from vestigia.domain.errors import StaleIndexError, UsageError
from vestigia.domain.ids import DocumentId, PassageId, RunId
from vestigia.domain.question import Question
from vestigia.domain.quotations import Outcome
from vestigia.domain.rules import Rules
from vestigia.engine import runs
from vestigia.engine.world import Archive, LiveWorld
from vestigia.inquiry.dossier import read_dossier, to_interpret

TEXTS = {"a": "Die Brücke ist eröffnet. Der Zoll bleibt.", "b": "Der Rat vertagt die Brücke.", "c": "Der Winter."}
CORPUS = MemoryCorpus([a_document(name, text, "Landbote") for name, text in TEXTS.items()])
CURATED = a_set(*(accept(name) for name in TEXTS), Sealed(tuple(map(DocumentId, TEXTS)), "All.", "Ada"))
DOSSIER = read_dossier(CURATED, RunId("curation"))
PASSAGES = {passage.document: passage.id for passage, _ in CORPUS.pairs()}


def dossier_of(_origin):
    return DOSSIER


def world(ledger, **more):
    corpus = MemoryIndex(CORPUS.pairs())
    archive = Archive(CORPUS, corpus, YearReader(), interpreter(), library(), dossier=dossier_of)
    return LiveWorld(replace(archive, **more), ledger)


@pytest.fixture(autouse=True)
def _passages(monkeypatch):
    """The dossier names the passages that the archive has."""
    items = tuple(Item(PASSAGES[item.document], item.document) for item in DOSSIER.sources)
    object.__setattr__(DOSSIER, "sources", items)


def begun():
    ledger = a_ledger()
    order = to_interpret(DOSSIER, ("What of the bridge?", "What of the toll?"))
    runs.begin(ledger, MANIFEST, Question("The bridge"), Rules(review_size=2), order)
    return ledger


def carried_out(ledger):
    runs.carry_out(flow_of, ledger, world(ledger), stopwatch=lambda: 0.0)
    return ledger.entries()


def test_h9_cut_after_any_entry_it_ends_the_same():
    whole = carried_out(begun())

    assert len(whole) > 30
    for cut in range(1, len(whole)):
        assert lines(carried_out(a_ledger(whole[:cut]))) == lines(whole), f"cut after {cut} entries"


def test_h9_it_is_decided_again_from_the_record_alone():
    whole = carried_out(begun())
    state, acts = runs.retrace(flow_of, whole, RUN)

    assert state.closed
    assert acts == ()
    assert runs.retrace(flow_of, whole[:-1], RUN) is None


def test_h9_what_people_say_stands_after_it_and_changes_nothing_before():
    ledger = begun()
    carried_out(ledger)
    act = Remarked("1.1", Remark.CONTEST, "in May", "Bo")
    runs.decide(ledger, act)

    assert runs.retrace(flow_of, ledger.entries(), RUN)[1] == (act,)
    with pytest.raises(UsageError, match="no claim"):
        runs.decide(ledger, replace(act, claim="7.7"))


@pytest.mark.anyio
async def test_b8_the_archive_checks_a_quotation_where_it_stands_in_the_document():
    ledger = begun()
    quotes = (
        Excerpt(PASSAGES["a"], "Der Zoll bleibt"),
        Excerpt(PASSAGES["a"], "Der Zoll fällt"),
        Excerpt(PassageId("z#0-9"), "Der Zoll"),
    )
    (checked,) = await world(ledger).perform((CheckQuotes(quotes),))

    assert [seal.outcome for seal in checked.seals] == [Outcome.EXACT, Outcome.ALTERED, Outcome.UNCHECKABLE]
    assert [TEXTS["a"][slice(*span)] for span in checked.seals[0].spans] == ["Der Zoll bleibt"]
    assert checked.seals[2].why == "its passage is no longer in the archive"


@pytest.mark.anyio
async def test_a_document_that_is_gone_is_an_error_unless_it_is_asked_for_if_there():
    ledger, wanted = begun(), (DocumentId("a"), DocumentId("z"))
    (described,) = await world(ledger).perform((Describe(wanted, if_there=True),))

    assert [card.id for card in described.cards] == ["a"]
    with pytest.raises(StaleIndexError):
        await world(ledger).perform((Describe(wanted),))
