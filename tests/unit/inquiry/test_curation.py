"""H8, H1: people decide about every source of a set; judges only sort it, and who disagrees is heard."""

from dataclasses import replace

import pytest

from fakes.corpus import a_document
from fakes.curating import QUESTION, a_set, accept, added, entries, flag, order, reject
from fakes.flow import Scene, a_card, run
from fakes.runs import MANIFEST
from vestigia.domain.acts import Act, Added, Curated, Sealed, Undone
from vestigia.domain.commissions import Band, Presorted, Rubric
from vestigia.domain.effects import Attend, Describe
from vestigia.domain.entries import Begun
from vestigia.domain.events import Closed, Opened, Overruled, SetOpened
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import DocumentId, digest
from vestigia.domain.rules import Rules
from vestigia.inquiry.curation import Standing, band, curate, curation, objection, repeats_of

A, B, C = (DocumentId(name) for name in "abc")


def standings(*acts, **more):
    return {s.item.document: s.standing.value for s in curation(a_set(*acts, **more)).sources}


# The run


def test_h8_a_curation_lays_its_set_open_and_waits_for_people():
    documents = [a_document("a", "Die Brücke"), a_document("b", "Der Zoll")]
    told = run(curate(QUESTION, Rules(), order("abc")), Scene(documents))

    assert told.kinds() == ["Opened", "SetOpened", "Closed"]
    assert [card.id for card in told.only(SetOpened).cards] == [A, B]
    assert told.only(SetOpened).gone == (C,)
    assert told.effects[-1] == Attend("curate", wait=True)
    assert told.only(Opened).rules.pause == ("curate",)
    assert told.only(Closed).partial is False
    assert set(told.value.cards) == {A, B}


def test_an_empty_set_is_laid_open_without_asking_the_archive():
    told = run(curate(QUESTION, Rules(), order("")))

    assert told.only(SetOpened).cards == ()
    assert not [effect for effect in told.effects if isinstance(effect, Describe)]


def test_b4_a_reprint_says_whose_text_it_repeats():
    cards = [
        replace(a_card(name), cluster=cluster) for name, cluster in (("a", "x"), ("b", ""), ("c", "x"), ("d", "x"))
    ]

    assert repeats_of(cards) == ((C, A), (DocumentId("d"), A))


# What stands


def test_h8_each_source_has_what_people_last_decided():
    found = standings(accept("a"), reject("b"), flag("c"), names="abcd")

    assert found == {"a": "accepted", "b": "rejected", "c": "flagged", "d": "undecided"}
    assert standings(accept("a"), reject("a"))["a"] == "rejected"


def test_h8_a_note_and_a_tag_decide_nothing_and_are_kept():
    note = Curated(A, Act.NOTE, "Ada", note="see the map")
    tag = Curated(A, Act.TAG, "Bo", tag="toll")
    source = curation(a_set(note, tag)).sources[0]

    assert source.standing is Standing.UNDECIDED
    assert [deed.act for deed in source.remarks] == [note, tag]
    assert [(deed.entry, deed.time) for deed in source.remarks] == [
        (2, "2026-01-02T10:00:02Z"),
        (3, "2026-01-02T10:00:03Z"),
    ]


def test_h8_people_who_differ_are_a_conflict_until_they_agree():
    assert standings(accept("a"), reject("a", "Bo"))["a"] == "conflict"
    assert standings(accept("a"), flag("a", "Bo"))["a"] == "conflict"
    assert standings(accept("a"), accept("a", "Bo"))["a"] == "accepted"
    assert standings(accept("a"), reject("a", "Bo"), accept("a", "Bo"))["a"] == "accepted"


def test_h8_a_third_voice_does_not_end_a_conflict_but_an_act_that_resolves_does():
    quarrel = (accept("a"), reject("a", "Bo"))

    assert standings(*quarrel, accept("a", "Cy"))["a"] == "conflict"
    assert standings(*quarrel, accept("a", "Cy", resolves=True))["a"] == "accepted"
    assert standings(*quarrel, accept("a", "Cy", resolves=True), reject("a", "Bo"))["a"] == "conflict"


def test_h8_an_act_taken_back_lets_the_one_before_stand_again():
    assert standings(accept("a"), reject("a"), Undone(3, "Ada"))["a"] == "accepted"
    assert standings(accept("a"), Undone(2, "Ada"))["a"] == "undecided"
    assert (
        standings(accept("a"), reject("a", "Bo"), accept("a", "Cy", resolves=True), Undone(4, "Cy"))["a"] == "conflict"
    )


def test_nobody_takes_back_what_another_did():
    assert standings(accept("a"), Undone(2, "Bo"))["a"] == "accepted"


def test_what_no_person_wrote_is_no_act():
    forged = entries(
        *(e.body if i == 0 else e.body.event for i, e in enumerate(a_set(accept("a")))), actors=("code",) * 3
    )

    assert curation(forged).sources[0].standing is Standing.UNDECIDED
    assert standings(accept("a", author=" "))["a"] == "undecided"


def test_reprints_and_sources_that_are_gone_are_set_apart_unless_somebody_decides():
    cards = [replace(a_card("a"), cluster="x"), replace(a_card("b"), cluster="x")]

    assert standings(cards=cards) == {"a": "undecided", "b": "repeated", "c": "gone"}
    assert standings(accept("b"), cards=cards)["b"] == "accepted"


def test_the_reason_of_a_rejection_is_the_last_one_given():
    found = curation(a_set(reject("a"), reject("a", "Bo", "no text to read"), reject("b", reason="")))

    assert [source.reason for source in found.sources] == ["no text to read", "", ""]


# Pre-sorting


def test_h8_bands_sort_before_people_look_and_decide_nothing():
    said = Presorted(A, "judge m, rubric tolls", Band.KEEP, 9)
    source = curation(a_set(presorted=[said])).sources[0]

    assert (source.presorted, source.standing) == ((said,), Standing.UNDECIDED)
    assert standings(reject("a"), presorted=[said])["a"] == "rejected"


@pytest.mark.parametrize(
    ("keep", "drop", "score", "found"),
    [
        (7, 2, 7, Band.KEEP),
        (7, 2, 6, Band.LOOK),
        (7, 2, 2, Band.DROP),
        (None, 2, 10, Band.LOOK),
        (7, None, 1, Band.LOOK),
        (None, None, 9, Band.NONE),
    ],
)
def test_h8_a_band_is_what_the_rubric_says(keep, drop, score, found):
    assert band(Rubric("tolls", digest("r"), "", keep=keep, drop=drop), score) is found


# What may be done


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (accept("a"), ""),
        (reject("a"), ""),
        (reject("a", reason=""), ""),
        (accept("z"), "not in the set"),
        (reject("a", reason="dull"), "no reason of the project's list (off topic; no text to read)"),
        (replace(accept("a"), reason="off topic"), "only a rejection has a reason"),
        (Curated(A, Act.NOTE, "Ada", note="n", resolves=True), "resolves nothing"),
        (Curated(A, Act.NOTE, "Ada"), "the note is empty"),
        (Curated(A, Act.TAG, "Ada"), "the tag is empty"),
        (Curated(A, Act.TAG, "Ada", tag="toll"), ""),
        (Undone(2, "Bo"), ""),
        (Undone(2, "Ada"), "Ada has no act 2"),
        (Undone(9, "Bo"), "Bo has no act 9"),
        (Overruled(A, Decision.ACCEPT, "", "Ada"), "it is a set that is being curated"),
    ],
)
def test_what_people_cannot_do_is_said(act, why):
    found = objection(a_set(accept("b", "Bo")), act)

    assert why in found
    assert bool(why) == bool(found)


def test_nothing_is_curated_in_a_run_of_another_kind_or_before_its_set_is_open():
    question = entries(Begun(MANIFEST, QUESTION, Rules()))

    assert curation(question) is None
    assert curation(()) is None
    assert "not a set" in objection(question, accept("a"))
    assert "not a set" in objection(a_set()[:1], accept("a"))
    assert curation(a_set()[:1]).sources == ()
    assert objection(question, Overruled(A, Decision.ACCEPT, "", "Ada")) == ""


def sealed(*names, statement="All letters on the toll."):
    return Sealed(tuple(DocumentId(name) for name in names), statement, "Ada")


@pytest.mark.parametrize(
    ("acts", "act", "why"),
    [
        ((accept("a"),), sealed("a"), ""),
        ((), sealed(), "no source is accepted"),
        ((reject("a"),), sealed("a"), "no source is accepted"),
        ((accept("a"), accept("b"), reject("b", "Bo")), sealed("a"), "people do not agree about b"),
        ((accept("a"), accept("b")), sealed("a"), "all of them and no other"),
        ((accept("a"),), sealed("a", "b"), "all of them and no other"),
        ((accept("a"),), sealed("a", statement=" "), "with a statement"),
    ],
)
def test_h1_a_dossier_is_sealed_over_all_that_is_accepted_and_over_no_conflict(acts, act, why):
    found = objection(a_set(*acts), act)

    assert why in found
    assert bool(why) == bool(found)


def test_h1_only_a_person_seals():
    whole = a_set(accept("a"), sealed("a"))
    forged = (*whole[:-1], replace(whole[-1], actor="model:m"))

    assert len(curation(whole).seals) == 1
    assert curation(forged).seals == ()


# What people lay beside it


def test_h8_a_source_that_people_lay_beside_a_set_is_one_of_it_and_can_be_decided_and_sealed():
    found = curation(a_set(added("z"), accept("z"), names="ab"))

    assert [source.item.document for source in found.sources] == [A, B, DocumentId("z")]
    assert found.sources[-1].standing is Standing.ACCEPTED
    assert found.sources[-1].card.id == "z"
    assert [act.author for _, act in found.added] == ["Ada"]
    before = a_set(added("z"), accept("z"), names="ab")
    assert objection(before, Sealed((DocumentId("z"),), "why", "Ada")) == ""
    assert objection(a_set(names="ab"), accept("z")) == "the document 'z' is not in the set"


def test_it_is_laid_there_once_at_a_passage_of_its_own_and_by_a_person():
    assert objection(a_set(names="ab"), added("z")) == ""
    assert objection(a_set(names="ab"), added("a")) == "the document 'a' is in the set already"
    assert objection(a_set(added("z"), names="ab"), added("z", "Bo")) == "the document 'z' is in the set already"
    strange = replace(added("z"), passage=order("y").items[0].passage)
    assert objection(a_set(names="ab"), strange) == f"the passage {strange.passage!r} is of another document"
    assert objection(entries(Begun(MANIFEST, QUESTION, Rules())), added("z")) == "it is not a set that is being curated"
    unsigned = a_set(Added(a_card("z"), order("z").items[0].passage, "Ada"), names="ab")
    forged = (*unsigned[:2], replace(unsigned[2], actor="person:Bo"))
    assert [source.item.document for source in curation(forged).sources] == [A, B]


def test_b4_a_reprint_that_is_laid_beside_it_says_whose_text_it_repeats():
    cards = (replace(a_card("a"), cluster="x"), a_card("b"))
    found = curation(a_set(added("z", cluster="x"), names="ab", cards=cards))

    assert found.sources[-1].repeats == A
    assert found.sources[-1].standing is Standing.REPEATED
