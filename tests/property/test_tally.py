"""Whatever was found and whatever people did: every source is counted in exactly one place of each step (H8)."""

from hypothesis import given
from hypothesis import strategies as st

from fakes.curating import a_set, accept, added, cards_of, entries, flag, hits, reject
from vestigia.domain.acts import Undone
from vestigia.domain.commissions import Band, Presorted
from vestigia.domain.effects import Describe, Described, Found, Lane
from vestigia.domain.entries import Answered, Asked
from vestigia.domain.ids import DocumentId
from vestigia.inquiry.curation import Standing, curation
from vestigia.inquiry.tally import tally

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
    beside = [n for n in draw(names) if n not in inside]
    laid = [added(n, cluster=clusters[n]) for n in beside]
    done = [a for a in draw(acts) if isinstance(a, Undone) or a.document in {*inside, *beside}]
    curated = curation(a_set(*laid, *done, names="".join(inside), presorted=judged, cards=own))
    return origin, curated, met, [*inside, *beside]


@given(ledgers())
def test_every_step_adds_up(made):
    origin, curated, met, inside = made
    counts = tally(origin, curated)

    assert counts.adds_up
    assert counts.found == len({*met, *inside})
    assert counts.taken == len(inside)
    assert counts.added == len({act.card.id for _, act in curated.added} - set(met))
    assert counts.accepted == len(curated.of(Standing.ACCEPTED))
    assert all(number >= 0 for number in (counts.gone, counts.reprints, counts.left, counts.screened))
