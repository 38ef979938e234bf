"""The answers of a channel for several periods become one, window by window, with nothing lost or counted twice."""

from vestigia.domain.effects import Found, Lane, Variant
from vestigia.domain.evidence import Candidate, FusedLane, Hit
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.domain.periods import DatePeriod, Precision, day_number
from vestigia.inquiry.windows import alternating, shares, together

OLD, NEW = (DatePeriod(day_number(n), day_number(n, 12, 31), Precision.YEAR) for n in (1887, 1893))


def hit(name: str, rank: int, score: float, passage: str = "p1") -> Hit:
    return Hit(PassageId(f"{name}-{passage}"), DocumentId(name), rank, score)


def test_a_single_answer_is_left_as_it_is():
    answer = Found((hit("a", 1, 0.5),))

    assert together([answer]) is answer


def test_a_document_counts_at_its_best():
    joined = together([Found((hit("a", 1, 0.9), hit("b", 2, 0.4))), Found((hit("b", 1, 0.7, "p2"), hit("c", 2, 0.1)))])

    assert joined.hits == (hit("a", 1, 0.9), hit("b", 2, 0.7, "p2"), hit("c", 3, 0.1))
    assert joined.lanes == ()


def test_each_window_keeps_its_quota_and_tells_what_it_lacks():
    first = Found(lanes=(Lane(OLD, (hit("a", 1, 0.9), hit("b", 2, 0.4))), Lane(NEW, (hit("n", 1, 0.2),), short=1)))
    second = Found(lanes=(Lane(OLD, (hit("c", 1, 0.6), hit("a", 2, 0.3))), Lane(NEW, (hit("n", 1, 0.3),), short=1)))

    old, new = together([first, second]).lanes

    assert old == Lane(OLD, (hit("a", 1, 0.9), hit("c", 2, 0.6)))
    assert new == Lane(NEW, (hit("n", 1, 0.3),), short=1)


def test_what_was_missing_and_which_forms_were_searched_is_told_once():
    form, other = Variant("ship", "fhip", 1, 3), Variant("ship", "shlp", 1, 2)
    one = Found(missing="3 passages are not encoded", variants=(form,))
    joined = together([one, one, Found(missing="12 are being encoded", variants=(form, other))])

    assert joined.missing == "3 passages are not encoded; 12 are being encoded"
    assert joined.variants == (form, other)


def one(name: str, score: float) -> Candidate:
    return Candidate(DocumentId(name), PassageId(f"{name}-p1"), score, ())


LANES = (
    FusedLane(OLD, (one("a", 0.9), one("b", 0.8), one("c", 0.7))),
    FusedLane(NEW, (one("x", 0.3), one("a", 0.2), one("y", 0.1)), 1),
    FusedLane(None, (one("u", 0.5),), 2),
)


def test_windows_take_turns_the_better_first_and_what_one_lacks_the_others_fill():
    assert [c.document for c in alternating(LANES)] == ["a", "u", "x", "b", "c", "y"]
    assert alternating(()) == ()


def test_of_equal_scores_in_a_turn_the_first_by_name_stands_first():
    assert [c.document for c in alternating([FusedLane(None, (one("b", 1),)), FusedLane(None, (one("a", 1),))])] == [
        "a",
        "b",
    ]


def test_it_is_told_how_many_of_those_chosen_lie_in_each_window():
    assert shares(LANES, alternating(LANES)[:3]) == (("1887", 1), ("1893", 2), ("undated", 1))
    assert shares((), ()) == ()
