"""Regular expressions: what must stand there whatever they match, and an end to those that have none."""

import re
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vestigia.domain.errors import UsageError
from vestigia.index import patterns
from vestigia.index.patterns import count_pattern, literals


@pytest.mark.parametrize(
    ("pattern", "held"),
    [
        ("Herzog", ("Herzog",)),
        ("Herzogs?", ("Herzog",)),
        ("Herz.g von Wien", ("Herz", "g von Wien")),
        ("He[rz]og", ()),
        ("Herzog|Graf", ()),
        ("(Herzog)", ()),
        ("Herzo{2}g", ()),
        (r"\w+heim", ("heim",)),
        (r"Haupt\s+mann", ("Haupt", "mann")),
        ("^Herzog$", ("Herzog",)),
        ("ab*cdef", ("cdef",)),
        ("[^]abc]xyz", ("xyz",)),
        (r"\.abcd", ("abcd",)),
        ("", ()),
    ],
)
def test_what_a_pattern_must_hold(pattern, held):
    assert literals(pattern) == held


@given(st.from_regex(r"[abc.?*+\\\[\]^$|()]{1,8}", fullmatch=True), st.text(alphabet="abc.", max_size=20))
def test_whatever_matches_holds_it(pattern, text):
    try:
        with warnings.catch_warnings(action="ignore"):
            compiled = re.compile(pattern)
    except re.error:
        return
    for found in compiled.finditer(text):
        assert all(held in found.group() for held in literals(pattern)) or not found.group()


def test_it_counts_in_every_text_in_order_whatever_the_texts_hold():
    assert count_pattern("a+", ["aa ba", "", "x\n\ny a", "\ud800 a", '"a"']) == [2, 0, 1, 1, 1]
    assert count_pattern("a", []) == []


def test_many_texts_go_in_several_batches(monkeypatch):
    monkeypatch.setattr(patterns, "BATCH", 2)
    assert count_pattern("a", ["a", "aa", "b", "a", "aaa"]) == [1, 2, 0, 1, 3]


def test_a_pattern_without_end_is_stopped():
    with pytest.raises(UsageError, match=r"was not done after 0\.5 seconds"):
        count_pattern("(a+)+$", ["a" * 60 + "b"], seconds=0.5)


@pytest.mark.parametrize(("pattern", "at"), [("abc(", 3), ("a[b", 1), ("*", 0), ("[[a](", 4)])
def test_a_mistake_is_shown_under_the_pattern(pattern, at):
    with pytest.raises(UsageError) as caught:
        count_pattern(pattern, ["x"])
    assert str(caught.value).split("\n")[1:3] == [f"    {pattern}", f"    {' ' * at}^"]
