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


ALIKE = [("t", "l"), ("m", "rn"), ("in", "m"), ("e", "c")]


@pytest.mark.parametrize(
    ("other", "letters"),
    [
        ("ministre", 0),
        ("minislre", 0.5),  # t read as l
        ("rninistre", 0.5),  # one letter read as two
        ("mmistre", 0.5),  # two letters read as one
        ("rninislrc", 1.5),
        ("minittre", 1),  # s is not read as t
        ("ninistre", 1),
        ("minestre", 1),
        ("minstre", 1),
        ("mmislr", 2),
    ],
)
def test_what_is_alike_counts_half_a_letter_were_it_two_for_one(other, letters):
    assert distances("ministre", np.array([other, "unlike"]), ALIKE)[0] == letters


def test_alike_is_one_way_what_was_meant_and_what_is_seen():
    assert distances("tal", np.array(["lal"]), [("t", "l")]).tolist() == [0.5]
    assert distances("lal", np.array(["tal"]), [("t", "l")]).tolist() == [1.0]


def confused(one: str, other: str) -> float:
    """The distance with confusions by its definition."""
    if not one or not other:
        return len(one) + len(other)
    ways = [1 + confused(one[1:], other), 1 + confused(one, other[1:])]
    ways.append((one[0] != other[0]) + confused(one[1:], other[1:]))
    for meant, seen in ALIKE:
        if one.startswith(meant) and other.startswith(seen):
            ways.append(0.5 + confused(one[len(meant) :], other[len(seen) :]))
    return min(ways)


@settings(max_examples=60, deadline=None)
@given(
    st.text(alphabet="ceilmnrt", min_size=3, max_size=6),
    st.lists(st.text(alphabet="ceilmnrt", min_size=3, max_size=6)),
    st.sampled_from([1.0, 1.5, 2.0, 2.5]),
)
def test_alike_are_the_words_that_comparing_all_finds_up_to_three_letters_changed(word, others, letters):
    found = WordList.of(set(others)).alike(word, letters, ALIKE)
    everything = {other: apart for other in set(others) if 0 < (apart := confused(word, other)) <= letters}
    assert dict(found).items() <= everything.items()
    never_missed = {o: a for o, a in everything.items() if len(set(word) ^ set(o)) <= 6 and abs(len(word) - len(o)) < 4}
    assert dict(found) == never_missed


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
