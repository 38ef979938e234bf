"""Words that are the same but for one place inside: by hand, and against comparing every pair letter by letter."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vestigia.index.oneplace import MOST, Differing, one_place_apart


def by_hand(words, others):
    """Cut each word in every way and compare what is left."""
    cuts = [
        [
            (number, (word[:begin], word[end:]), word[begin:end])
            for number, word in enumerate(some)
            for begin in range(1, len(word) - 1)
            for end in range(begin, min(begin + MOST, len(word) - 1) + 1)
        ]
        for some in (words, others)
    ]
    return sorted(
        (word, other, mine, theirs) for word, frame, mine in cuts[0] for other, same, theirs in cuts[1] if frame == same
    )


def found(words, others):
    return sorted((d.word, d.other, d.mine, d.theirs) for d in one_place_apart(words, others))


def test_the_place_is_said_with_what_stands_there_in_either():
    assert Differing(0, 1, "l", "t") in list(one_place_apart(["minislre"], ["maison", "ministre"]))
    assert (0, 0, "rn", "m") in found(["cornune"], ["comune"])


@pytest.mark.parametrize(
    ("word", "other"),
    [("linistre", "ministre"), ("ministro", "ministre"), ("minxyztre", "ministre"), ("ab", "ac"), ("", "abc")],
)
def test_a_difference_at_either_end_or_of_three_letters_is_none(word, other):
    assert found([word], [other]) == []


def test_nothing_is_compared_with_nothing():
    assert found([], ["abc"]) == found(["abc"], []) == []


word_lists = st.lists(st.text("abcñ", max_size=7), max_size=8)


@settings(deadline=None)
@given(word_lists, word_lists)
def test_it_finds_what_comparing_every_pair_finds(words, others):
    assert found(words, others) == by_hand(words, others)
