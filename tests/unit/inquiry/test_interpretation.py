"""H9, B8: what is proven of an interpretation, what is not sealed in it, and what people said of its claims."""

from dataclasses import replace

import pytest

from fakes.curating import ORIGIN, QUESTION, a_set, accept, entries, item
from fakes.runs import MANIFEST
from vestigia.domain.acts import Remark, Remarked
from vestigia.domain.commissions import InterpretOrder
from vestigia.domain.entries import Begun
from vestigia.domain.events import Closed, DossierOpened, Interpreted, Quoted
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.domain.quotations import Claim, Outcome, Quote, Seal
from vestigia.domain.rules import Rules
from vestigia.inquiry.interpretation import against_remarking, interpretation, unsealed

EXACT = Seal(Outcome.EXACT, ((0, 41),))
BRIDGE = Quote(1, PassageId("a#0-9"), DocumentId("a"), "Die Brücke ist am Montag eröffnet worden.", EXACT)
PROVEN = Claim("1.1", "It was opened on a Monday.", (1,))
QUOTING = Claim("1.2", "The paper says “am Montag eröffnet”.", (1,))
LOOSE = Claim("1.3", "The paper says “am Dienstag eröffnet”.", (1,))
BARE = Claim("1.4", "People were glad.")
VAIN = Claim("1.5", "The toll fell.", (1,), (7,))


def remarked(claim, remark=Remark.CONTEST, reason="the date is wrong", author="Bo"):
    return Remarked(claim, remark, reason, author)


def a_text(*acts, claims=(PROVEN, QUOTING, LOOSE, BARE, VAIN), actors=()):
    order = InterpretOrder(ORIGIN, (item("a"),), ("When?",))
    return entries(
        Begun(MANIFEST, QUESTION, Rules(), order),
        DossierOpened((), "All.", "Ada", "2026-01-01T00:00:00Z"),
        Quoted(1, (BRIDGE,)),
        Interpreted(1, claims, "who paid", "m"),
        *acts,
        actors=("code",) * 4 + tuple(actors) or tuple(f"person:{act.author}" for act in acts),
    )


def read(*acts, **more):
    people = [f"person:{act.author}" if isinstance(act, Remarked) else "code" for act in acts]
    return interpretation(a_text(*acts, **{"actors": people, **more}))


def test_h9_a_claim_is_proven_by_a_sealed_quotation_and_nothing_loose_beside_it():
    found = {one.claim.id: (one.proven, one.unsealed) for one in read().claims}

    assert found == {
        "1.1": (True, ()),
        "1.2": (True, ()),
        "1.3": (False, ("am Dienstag eröffnet",)),
        "1.4": (False, ()),
        "1.5": (False, ("quotation 7",)),
    }


def test_b8_words_in_quotation_marks_must_stand_in_a_quotation_that_the_claim_names():
    assert unsealed(QUOTING, (BRIDGE,)) == ()
    assert unsealed(QUOTING, ()) == ("am Montag eröffnet",)


def test_b8_what_is_not_sealed_waits_for_a_signature():
    assert [one.claim.id for one in read().unsigned] == ["1.3", "1.5"]
    signed = read(remarked("1.3", Remark.SIGN, "seen in the original"))
    assert [one.claim.id for one in signed.unsigned] == ["1.5"]
    assert [one.claim.id for one in signed.claims if one.signed] == ["1.3"]


def test_h9_people_contest_and_note_and_the_claim_stays_as_it_was():
    found = read(remarked("1.1"), remarked("1.2", Remark.NOTE, "nice"))

    assert [one.claim.id for one in found.claims if one.contested] == ["1.1"]
    assert [(one.entry, one.remark.reason) for one in found.claims[0].said] == [(4, "the date is wrong")]
    assert found.claims[0].claim == PROVEN


def test_what_no_person_wrote_is_no_remark():
    assert read(remarked("1.1"), actors=["model:m"]).claims[0].said == ()
    assert read(remarked("1.1", author=" "), actors=["person: "]).claims[0].said == ()


def test_h9_chapters_follow_the_questions():
    found = read(Interpreted(0, (Claim("all.1", "Both."),)), Closed())

    assert [(c.number, c.question, c.time) for c in found.chapters] == [
        (1, "When?", "2026-01-02T10:00:03Z"),
        (0, "", "2026-01-02T10:00:04Z"),
    ]
    assert found.chapters[1].quoted is None
    assert (found.finished, read().finished) == (True, False)
    assert found.dossier.author == "Ada"


def test_only_an_interpretation_is_read_as_one():
    assert interpretation(()) is None
    assert interpretation(a_set()) is None


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (remarked("1.1"), ""),
        (remarked("1.3", Remark.SIGN, ""), ""),
        (remarked("9.9"), "there is no claim '9.9'; there are 1.1, 1.2, 1.3, 1.4, 1.5"),
        (remarked("1.1", Remark.SIGN), "nothing to sign for"),
        (remarked("1.1", reason=" "), "says why"),
        (remarked("1.1", Remark.NOTE, ""), "says why"),
        (accept("a"), ""),
    ],
)
def test_what_people_cannot_say_is_said(act, why):
    found = against_remarking(a_text(), act)

    assert why in found
    assert bool(why) == bool(found)


def test_nothing_is_contested_elsewhere():
    assert against_remarking(a_set(), remarked("1.1")) == "it is not an interpretation"
    assert "there are none" in against_remarking(a_text(claims=()), remarked("1.1"))
    assert replace(PROVEN, text="x").text == "x"
