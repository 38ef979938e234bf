"""Quotations are found in prose by the marks of five languages, and where they stand."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vestigia.inquiry.quotes.quoted import quotations


def texts(prose):
    return [found.text for found in quotations(prose)]


@pytest.mark.parametrize(
    ("prose", "found"),
    [
        ("Il dit « la ville payera » et sortit.", ["la ville payera"]),
        ("Il dit «la ville payera» et sortit.", ["la ville payera"]),
        ("Er sagte: „Die Stadt zahlt“ und ging.", ["Die Stadt zahlt"]),
        ("Er sagte: „Die Stadt zahlt” und ging.", ["Die Stadt zahlt"]),
        ("Er sagte: »Die Stadt zahlt« und ging.", ["Die Stadt zahlt"]),
        ("Er sagte: ‚Die Stadt zahlt‘ und ging.", ["Die Stadt zahlt"]),
        ("Er sagte: ›Die Stadt zahlt‹ und ging.", ["Die Stadt zahlt"]),
        ("She said “the town pays”, and left.", ["the town pays"]),
        ("She said ‘it’s the town’s turn’, and left.", ["it’s the town’s turn"]),
        ('She said "the town pays", and left.', ["the town pays"]),
        ("Dijo «la ciudad paga» y salió.", ["la ciudad paga"]),
        ("“One,” he said, “two.”", ["One,", "two."]),
        ("(“in brackets”)", ["in brackets"]),
        ("—“after a dash”", ["after a dash"]),
        ("Han sade ”staden betalar” och gick.", ["staden betalar"]),
        ('Er sagte: „Die Stadt zahlt" und ging.', ["Die Stadt zahlt"]),
        ('Er sagte: „Die "Stadt" zahlt“ und „alle" gingen.', ['Die "Stadt" zahlt', "alle"]),
        ("Er sagte: ,,Die Stadt zahlt“ und ging.", ["Die Stadt zahlt"]),
        ("(,,Die Stadt zahlt'', sagte er)", ["Die Stadt zahlt"]),
        ("She said ``the town pays'', and left.", ["the town pays"]),
    ],
)
def test_marks_of_five_languages(prose, found):
    assert texts(prose) == found


@pytest.mark.parametrize(
    ("prose", "found"),
    [
        ("Er sagte: „Das ist ‚gut‘ so“ und ging.", ["Das ist ‚gut‘ so"]),
        ("He said “it’s ‘fine’ here”.", ["it’s ‘fine’ here"]),
        ("Il dit « que le “pont” est « perdu » » hier.", ["que le “pont” est « perdu »"]),
    ],
)
def test_inner_marks_belong_to_the_outer_quotation(prose, found):
    assert texts(prose) == found


@pytest.mark.parametrize(
    "prose",
    [
        "The dogs’ days, it’s so.",
        "l’été d’avant",
        "5' 3\" tall",
        "no marks",
        "“ ”",
        "‘Twas so.",
        "A ” stray.",
        "``code`` and ``more``",
        "1,,2",
        "it''s",
    ],
)
def test_apostrophes_and_measures_are_no_quotations(prose):
    assert texts(prose) == []


def test_a_paragraph_set_off_is_a_quotation():
    found = quotations("He wrote:\n\n> The town\n> pays *all*.[^2]\n\nand left.")

    assert [(one.text, one.line) for one in found] == [("The town\npays all.", 3)]


def test_emphasis_and_footnotes_are_not_part_of_it():
    assert texts("« la **ville** _payera_ tout[^1] »") == ["la ville payera tout"]


def test_code_is_not_prose():
    assert texts('```\nprint("hello you")\n```\n\n“but this”') == ["but this"]


def test_a_missing_mark_is_told_and_ends_with_the_paragraph():
    (one, other) = quotations("First “open here\ngoes on.\n\nThen “closed”.")

    assert (one.text, one.closed, one.line) == ("open here\ngoes on.", False, 1)
    assert (other.text, other.closed, other.line) == ("closed", True, 4)


def test_a_typed_mark_moves_no_place():
    prose = "Dann,\n,,Die Stadt zahlt'', „alle“."
    one, other = quotations(prose)

    assert prose[one.start : one.end] == ",Die Stadt zahlt'"
    assert prose[other.start : other.end] == "„alle“"


def test_where_it_stands():
    prose = "Voilà :\n« la ville »."
    (found,) = quotations(prose)

    assert prose[found.start : found.end] == "« la ville »"
    assert found.line == 2


@given(st.text(st.sampled_from("ab «»“”„‘’\"',`>\n*_."), max_size=60))
def test_any_text_is_read_and_quotations_follow_each_other(prose):
    found = quotations(prose)

    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(0 <= one.start < one.end <= len(prose) for one in found)
