"""The answers of a channel for several periods become one, window by window, with nothing lost or counted twice."""

import pytest

from vestigia.domain.effects import Found, Lane, Variant
from vestigia.domain.evidence import Candidate, FusedLane, Hit, Price
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.domain.periods import FAR_FUTURE, FAR_PAST, DatePeriod, Precision, day_number
from vestigia.inquiry.windows import (
    FUSED,
    alternating,
    by_count,
    by_years,
    fuse_lanes,
    prices,
    shares,
    together,
    trimmed,
)

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


def window(first: tuple[int, int, int], last: tuple[int, int, int]) -> DatePeriod:
    return DatePeriod(day_number(*first), day_number(*last), Precision.RANGE)


SPAN = window((1887, 3, 1), (1891, 6, 30))


def test_windows_of_years_begin_in_january_and_are_cut_to_the_period():
    assert by_years(SPAN, 2) == (
        window((1887, 3, 1), (1888, 12, 31)),
        window((1889, 1, 1), (1890, 12, 31)),
        window((1891, 1, 1), (1891, 6, 30)),
    )


def test_windows_by_number_differ_by_a_day_at_most():
    assert by_count(window((1887, 1, 1), (1887, 1, 7)), 3) == (
        window((1887, 1, 1), (1887, 1, 2)),
        window((1887, 1, 3), (1887, 1, 4)),
        window((1887, 1, 5), (1887, 1, 7)),
    )


@pytest.mark.parametrize(
    ("cut", "says"),
    [
        (lambda: by_years(SPAN, 0), "at least 1"),
        (lambda: by_years(DatePeriod(FAR_PAST, 400, Precision.RANGE), 5), "without beginning or end"),
        (lambda: by_count(DatePeriod(0, FAR_FUTURE, Precision.RANGE), 5), "without beginning or end"),
        (lambda: by_years(DatePeriod(0, 400_000, Precision.RANGE), 1), "more than 200"),
        (lambda: by_count(DatePeriod(0, 400, Precision.RANGE), 201), "more than 200"),
        (lambda: by_count(DatePeriod(0, 4, Precision.RANGE), 6), "5 days cannot be cut into 6"),
    ],
)
def test_windows_nobody_can_use_are_refused(cut, says):
    with pytest.raises(ValueError, match=says):
        cut()


def found(*names: str, short: int = 0, window: DatePeriod | None = OLD, sub_corpus: str = "") -> Lane:
    return Lane(window, tuple(hit(name, n, 1 / n) for n, name in enumerate(names, 1)), short, sub_corpus)


def test_the_lists_of_a_window_are_fused_and_what_lacks_is_told():
    lists = {"words": Found(lanes=(found("a", "b", short=1),)), "date": Found(lanes=(found("b", short=2),))}
    (lane,) = fuse_lanes(lists, {"words": 1.0, "date": 1.0}, 60)
    assert ([c.document for c in lane.candidates], lane.short, lane.window) == (["b", "a"], 1, OLD)


def test_b4_what_says_the_same_takes_one_place_of_a_window_and_the_next_takes_the_free_one():
    lists = {"words": Found(lanes=(found("a", "b", "c", short=1, sub_corpus="Zeitung"),))}
    (lane,) = fuse_lanes(lists, {"words": 1.0}, 60, {DocumentId("a"): "x", DocumentId("b"): "x"}, spare=2)
    assert ([c.document for c in lane.candidates], lane.short, lane.sub_corpus) == (["a", "c"], 0, "Zeitung")


def test_lists_of_other_windows_or_quotas_are_not_fused():
    for other in (found("a", window=NEW), found("a", short=1), found("a", sub_corpus="Briefe")):
        with pytest.raises(ValueError, match="same windows and quotas"):
            fuse_lanes({"words": Found(lanes=(found("a"),)), "date": Found(lanes=(other,))}, {}, 60)
    assert fuse_lanes({}, {}, 60) == ()


def test_what_was_asked_for_beyond_the_quota_is_trimmed():
    (full,) = trimmed(Found(lanes=(found("a", "b", "c"),)), 2).lanes
    (short,) = trimmed(Found(lanes=(found("a", short=3),)), 2).lanes
    assert (full, short) == (found("a"), found("a", short=1))


def test_the_price_is_what_came_in_and_what_went_out_with_the_means_of_their_scores():
    lists = {"words": Found(found("a", "b", "c").hits, lanes=(found("a"), found("n", "a")))}
    fused, plain = (FusedLane(OLD, (one("a", 0.9),)), FusedLane(NEW, (one("n", 0.2),))), (one("a", 0.9), one("b", 0.6))
    assert prices(lists, fused, plain) == (Price("words", 1, 1, 1.0, 0.5), Price(FUSED, 1, 1, 0.2, 0.6))
    assert prices({}, fused[:1], plain) == (Price(FUSED, 0, 0, None, None),)
