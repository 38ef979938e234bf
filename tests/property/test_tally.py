"""Whatever was found and whatever people did: every source is counted in exactly one place of each step (H8)."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from fakes.curating import a_set, accept, entries, flag, item, reject
from fakes.flow import a_card
from vestigia.domain.acts import Undone
from vestigia.domain.commissions import Band, Presorted
from vestigia.domain.effects import Describe, Described, Found, Lane
from vestigia.domain.entries import Answered, Asked, Recorded
from vestigia.domain.evidence import Hit
from vestigia.domain.ids import DocumentId
from vestigia.inquiry.curation import Standing, curation
from vestigia.inquiry.tally import NO_REASON, Judged, tally

NAMES = "abcdefgh"
names = st.lists(st.sampled_from(NAMES), unique=True)
people = st.sampled_from(["Ada", "Bo", "Cy"])
acts = st.lists(
    st.one_of(
        st.builds(accept, st.sampled_from(NAMES), people, resolves=st.booleans()),
        st.builds(reject, st.sampled_from(NAMES), people, st.sampled_from(["off topic", "no text to read", ""])),
        st.builds(flag, st.sampled_from(NAMES), people),
        st.builds(Undone, st.integers(2, 9), people),
    ),
    max_size=12,
)


def hits(some):
    return tuple(Hit(item(name).passage, DocumentId(name), rank, 1.0) for rank, name in enumerate(some, 1))


def cards_of(some, clusters):
    return tuple(replace(a_card(name), cluster=clusters.get(name, "")) for name in some)


@st.composite
def ledgers(draw):
    """A run that found documents, and a set made of some of them and people's acts upon it."""
    met, inside = draw(names), draw(names)
    asked = draw(st.lists(st.sampled_from(met), unique=True)) if met else []
    here = [name for name in NAMES if draw(st.booleans())]
    clusters = {name: draw(st.sampled_from(["", "x", "y"])) for name in NAMES}
    lanes = (Lane(None, hits(met)),) if draw(st.booleans()) else ()
    origin = entries(
        Answered((Found(hits(met), lanes=lanes),)),
        Asked((Describe(tuple(map(DocumentId, asked))),)),
        Answered((Described(cards_of([n for n in asked if n in here], clusters)),)),
    )
    judged = [Presorted(DocumentId(n), "m", Band.LOOK, 5) for n in inside if draw(st.booleans())]
    own = cards_of([n for n in inside if n in here], clusters)
    done = [a for a in draw(acts) if isinstance(a, Undone) or a.document in inside]
    return origin, curation(a_set(*done, names="".join(inside), presorted=judged, cards=own)), met, inside


@given(ledgers())
def test_every_step_adds_up(made):
    origin, curated, met, inside = made
    counts = tally(origin, curated)

    assert counts.adds_up
    assert counts.found == len({*met, *inside})
    assert counts.taken == len(inside)
    assert counts.accepted == len(curated.of(Standing.ACCEPTED))
    assert all(number >= 0 for number in (counts.gone, counts.reprints, counts.left, counts.screened))


def test_a_small_case_by_hand():
    """Of six found one is gone, one has the text of a source of the set, one was not taken; three make the set."""
    clusters = {"a": "x", "d": "x"}
    described = "abcdf"
    origin = entries(
        Answered((Found(hits("abc")), Found(hits("z"), lanes=(Lane(None, hits("defa")),)))),
        Asked((Describe(tuple(map(DocumentId, "abcdef"))),)),
        Answered((Described(cards_of(described, clusters)),)),
        Recorded(accept("a")).event,
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
