"""H7: which words are written like another, by the three letters in a row that they share."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vestigia.index.trigrams import Trigrams

written = st.text(alphabet="abß字_\ud800", min_size=1, max_size=6)


def threes(word):
    marked = f"_{word}_"
    return {marked[at : at + 3] for at in range(len(marked) - 2)}


def dice(one, other):
    """Dice's coefficient by its definition."""
    return 2 * len(threes(one) & threes(other)) / (len(threes(one)) + len(threes(other)))


def test_a_word_shares_its_beginning_its_end_and_what_is_between():
    # _br bru ruc uck cke ke_ and _br bru ruc uck cken -> cke ken en_: five of six and of seven
    (near,) = Trigrams([("brucke", 9), ("brucken", 4), ("haus", 2)]).alike("brucke", 0.4)
    assert near == ("brucken", 2 * 5 / (6 + 7), 4)


def test_a_word_that_is_not_among_them_is_compared_all_the_same():
    words = Trigrams([("haus", 2), ("brucke", 9)])
    assert words.alike("bruckt", 0.5) == [("brucke", 2 * 4 / 12, 9)]
    assert words.alike("xyz", 0.1) == []


def test_three_letters_twice_in_a_word_count_once():
    (near,) = Trigrams([("anana", 1)]).alike("ananas", 0.1)
    assert near[1] == 2 * 3 / (4 + 5)  # _an ana nan na_ and _an ana nan nas as_


def test_the_end_of_a_word_and_the_beginning_of_the_next_are_no_three_letters():
    assert Trigrams([("ab", 1), ("cd", 1)]).alike("bc", 0.01) == []


@pytest.mark.parametrize("held", [[], [("a", 1)]])
def test_of_no_other_word_none_is_alike(held):
    assert Trigrams(held).alike("a", 0.1) == []


@given(st.sets(written, max_size=8), written, st.sampled_from([0.1, 0.4, 0.5, 1.0]))
def test_alike_are_the_words_that_comparing_all_finds(words, word, least):
    held = [(one, place) for place, one in enumerate(sorted(words))]
    expected = [(one, dice(word, one), place) for one, place in held if one != word and dice(word, one) >= least]
    assert Trigrams(held).alike(word, least) == expected
