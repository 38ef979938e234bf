"""H1: what one phase hands to the next, with the passage that speaks for each source."""

from fakes.flow import Q1, a_card, after_search, candidate, passage, surveyed, working
from vestigia.domain.commissions import Item
from vestigia.domain.events import Consolidated, Gathered, HeldUnseen, Judged, Overruled
from vestigia.domain.evidence import Decision, FusedLane, Memory, Ranked, Verdict
from vestigia.domain.ids import DocumentId
from vestigia.inquiry.fold import fold
from vestigia.inquiry.handing_over import handed_over


def test_h1_a_survey_hands_over_its_set():
    lane = FusedLane(None, (candidate("a"), candidate("b"), candidate("a")))
    state = fold([Gathered((lane,), (a_card("a"), a_card("b")))], surveyed())

    assert handed_over(state) == (Item(passage("a"), DocumentId("a")), Item(passage("b"), DocumentId("b")))


def test_h1_a_question_hands_over_its_sources_and_then_its_holds():
    found = working("a", "b", "c", "d")
    taken = Verdict(passage("b"), DocumentId("b"), Decision.ACCEPT, "it says so")
    held = Verdict(passage("a"), DocumentId("a"), Decision.HOLD, "perhaps")
    left = Verdict(passage("c"), DocumentId("c"), Decision.REJECT, "no")
    state = fold(
        [
            Judged(Q1.id, (taken, held, left), Memory()),
            HeldUnseen(None, (candidate("e"),), "never read", (a_card("e"),)),
            Consolidated((Ranked(DocumentId("b"), 1),)),
            Overruled(DocumentId("d"), Decision.ACCEPT, "I know it", "Ada"),
        ],
        found,
    )

    assert handed_over(state) == tuple(Item(passage(name), DocumentId(name)) for name in ("d", "b", "a", "e"))


def test_nothing_found_hands_nothing_over():
    assert handed_over(after_search(working())) == ()
