"""H1: a dossier is what a person sealed, and there is no other way to one."""

import copy
import pickle
from dataclasses import replace

import pytest

from fakes.curating import QUESTION, a_set, accept, entries, item, reject
from fakes.runs import MANIFEST
from vestigia.domain.acts import Sealed, Undone
from vestigia.domain.commissions import InterpretOrder, Origin
from vestigia.domain.entries import Begun
from vestigia.domain.errors import UsageError
from vestigia.domain.ids import DocumentId, RunId, digest
from vestigia.domain.rules import Rules
from vestigia.inquiry.dossier import Dossier, dossiers, read_dossier, to_interpret, to_seal

RUN = RunId("curation")


def sealed(names: str, author: str = "Ada", statement: str = "All letters on the toll."):
    return Sealed(tuple(DocumentId(name) for name in names), statement, author)


def test_h1_a_dossier_holds_what_a_person_sealed():
    ledger = a_set(accept("b"), accept("a", "Bo"), reject("c"), sealed("ab"))
    dossier = read_dossier(ledger, RUN)

    assert dossier.sources == (item("a"), item("b"))
    assert (dossier.author, dossier.statement, dossier.time) == ("Ada", "All letters on the toll.", ledger[-1].time)
    assert dossier.origin == Origin(RUN, ledger[-1].digest)


def test_h1_later_acts_change_no_dossier_and_sealing_again_makes_a_newer_one():
    ledger = a_set(accept("a"), sealed("a"), accept("b"), Undone(2, "Ada"), sealed("b", "Bo"))
    older, newer = dossiers(ledger, RUN)

    assert (older.sources, newer.sources) == ((item("a"),), (item("b"),))
    assert read_dossier(ledger, RUN) == newer
    assert read_dossier(ledger, RUN, older.origin.head) == older
    assert dossiers(ledger[:4], RUN) == (older,)


@pytest.mark.parametrize(
    "acts",
    [
        (),
        (accept("a"),),
        (sealed("a"),),
        (accept("a"), sealed("ab")),
        (accept("a"), reject("b"), accept("b", "Bo"), sealed("a")),
        (accept("a"), sealed("a", statement=" ")),
        (accept("a"), sealed("a", author="")),
    ],
)
def test_h1_without_a_seal_that_was_allowed_there_is_no_dossier(acts):
    with pytest.raises(UsageError, match="no person has sealed a dossier there"):
        read_dossier(a_set(*acts), RUN)


@pytest.mark.parametrize("actor", ["code", "model:m", "person:Bo", "person:"])
def test_h1_a_seal_that_its_person_did_not_write_is_none(actor):
    ledger = a_set(accept("a"), sealed("a"))

    assert dossiers((*ledger[:-1], replace(ledger[-1], actor=actor)), RUN) == ()


def test_h1_a_dossier_is_asked_for_by_its_own_seal():
    with pytest.raises(UsageError, match="no person has sealed that dossier"):
        read_dossier(a_set(accept("a"), sealed("a")), RUN, digest("another"))


def test_h1_only_a_curation_holds_dossiers():
    question = entries(Begun(MANIFEST, QUESTION, Rules()), sealed("a"))

    assert dossiers(question, RUN) == ()
    with pytest.raises(UsageError, match="not a set that is being curated"):
        to_seal(question, RUN)


def test_h1_no_code_makes_a_dossier():
    dossier = read_dossier(a_set(accept("a"), sealed("a")), RUN)
    parts = (dossier.origin, dossier.sources, dossier.statement, dossier.author, dossier.time)

    with pytest.raises(TypeError):
        Dossier(*parts)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="is not made, it is read"):
        Dossier(*parts, made=None)
    with pytest.raises(ValueError, match="InitVar"):
        replace(dossier, sources=(item("z"),))
    with pytest.raises(AttributeError):
        dossier.sources = (item("z"),)  # type: ignore[misc]
    assert copy.deepcopy(dossier) == dossier
    assert pickle.loads(pickle.dumps(dossier)) == dossier


def test_h1_what_would_be_sealed_is_what_is_accepted():
    assert to_seal(a_set(accept("c"), accept("a"), reject("b")), RUN) == (DocumentId("a"), DocumentId("c"))


def test_h1_an_interpretation_is_commissioned_for_a_dossier():
    dossier = read_dossier(a_set(accept("a"), sealed("a")), RUN)

    assert to_interpret(dossier, ("Who paid?",), (digest("r"),)) == InterpretOrder(
        dossier.origin, (item("a"),), ("Who paid?",), (digest("r"),)
    )
