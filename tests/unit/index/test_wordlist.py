"""The words of a damaged archive by how many letters they differ."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vestigia.index.wordlist import WordList, distances

written = st.text(alphabet="aeimnrstu", min_size=3, max_size=9)


def plainly(one: str, other: str) -> int:
    """Levenshtein's distance by its definition."""
    if not one or not other:
        return len(one) + len(other)
    if one[0] == other[0]:
        return plainly(one[1:], other[1:])
    return 1 + min(plainly(one[1:], other), plainly(one, other[1:]), plainly(one[1:], other[1:]))


@pytest.mark.parametrize(
    ("other", "letters"),
    [("ministre", 0), ("minislre", 1), ("minstre", 1), ("miinistre", 1), ("rninistre", 2), ("", 8), ("x" * 20, 20)],
)
def test_letters_changed_added_and_left_out_count_one_each(other, letters):
    assert distances("ministre", np.array([other, "b"])).tolist() == [letters, 8]


def test_of_no_words_there_are_no_distances():
    assert distances("ministre", np.array([], "U20")).tolist() == []


@settings(max_examples=60, deadline=None)
@given(
    st.text(alphabet="aemn", min_size=3, max_size=6),
    st.lists(st.text(alphabet="aemn", min_size=3, max_size=6)),
    st.integers(1, 2),
)
def test_near_words_are_those_that_comparing_all_finds(word, others, letters):
    found = WordList.of(set(others)).near(word, letters)
    assert sorted(found) == sorted((o, plainly(word, o)) for o in set(others) if 0 < plainly(word, o) <= letters)


@given(st.lists(written, min_size=1, unique=True))
def test_a_list_is_the_same_however_the_words_came_and_after_it_was_kept(tmp_path_factory, words):
    folder = tmp_path_factory.mktemp("words")
    kept = WordList.of(reversed(words))
    kept.save(folder)
    again = WordList.load(folder)
    assert again is not None
    assert again.words.tolist() == kept.words.tolist() == WordList.of(words).words.tolist()
    assert again.near("aimer", 2) == kept.near("aimer", 2)


def test_where_none_was_kept_there_is_none(tmp_path):
    assert WordList.load(tmp_path) is None


def test_words_of_any_script_are_kept_but_neither_the_shortest_nor_the_longest():
    kept = WordList.of(["ab", "abc", "x" * 20, "x" * 21, "письмо", "🙂🙂🙂"])
    assert sorted(kept.words.tolist()) == sorted(["abc", "x" * 20, "письмо", "🙂🙂🙂"])
    assert kept.near("писмо", 1) == [("письмо", 1)]
    assert WordList.of([]).near("abc", 2) == []
