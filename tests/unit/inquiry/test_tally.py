"""H8: what was found and what became of it, counted by hand on small cases."""

from dataclasses import replace

from fakes.curating import a_set, accept, cards_of, entries, hits, reject
from fakes.flow import a_card
from vestigia.domain.commissions import Band, Presorted
from vestigia.domain.effects import Describe, Described, Found, Lane
from vestigia.domain.entries import Answered, Asked
from vestigia.domain.ids import DocumentId
from vestigia.inquiry.curation import curation
from vestigia.inquiry.tally import NO_REASON, Judged, tally


def test_a_small_case_by_hand():
    """Of six found one is gone, one has the text of a source of the set, one was not taken; three make the set."""
    clusters = {"a": "x", "d": "x"}
    described = "abcdf"
    origin = entries(
        Answered((Found(hits("abc")), Found(hits("z"), lanes=(Lane(None, hits("defa")),)))),
        Asked((Describe(tuple(map(DocumentId, "abcdef"))),)),
        Answered((Described(cards_of(described, clusters)),)),
        accept("a"),
    )
    judged = [Presorted(DocumentId("a"), "m", Band.KEEP, 9), Presorted(DocumentId("b"), "m", Band.DROP, 1)]
    counts = tally(origin, curation(a_set(accept("a"), reject("b", reason=""), reject("c"), presorted=judged)))

    assert (counts.found, counts.gone, counts.reprints, counts.left, counts.taken) == (6, 1, 1, 1, 3)
    assert (counts.withdrawn, counts.repeated, counts.screened) == (0, 0, 3)
    assert counts.judged == (Judged("m", 2, 1),)
    assert (counts.accepted, counts.rejected) == (1, ((NO_REASON, 1), ("off topic", 1)))
    assert (counts.flagged, counts.conflicting, counts.undecided) == (0, 0, 0)


def test_two_reprints_that_were_not_taken_are_one_source_left_and_one_reprint():
    clusters = {"d": "x", "e": "x"}
    origin = entries(
        Answered((Found(hits("de")),)),
        Asked((Describe((DocumentId("d"), DocumentId("e"))),)),
        Answered((Described(cards_of("de", clusters)),)),
    )
    counts = tally(origin, curation(a_set()))

    assert (counts.found, counts.reprints, counts.left, counts.taken) == (5, 1, 1, 3)


def test_what_does_not_add_up_says_so():
    counts = tally((), curation(a_set()))

    assert counts.adds_up
    for part in ("found", "taken", "screened"):
        assert not replace(counts, **{part: 99}).adds_up
    assert not replace(counts, judged=(Judged("m", 1, 1),)).adds_up


def test_reprints_and_sources_that_are_gone_since_are_not_to_be_decided():
    cards = (replace(a_card("a"), cluster="x"), replace(a_card("b"), cluster="x"))
    counts = tally((), curation(a_set(cards=cards)))

    assert (counts.taken, counts.withdrawn, counts.repeated, counts.screened) == (3, 1, 1, 1)
    assert counts.adds_up
