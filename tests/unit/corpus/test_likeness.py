"""Likeness: blind to layout and a misread letter now and then, not to a letterhead two letters share."""

import random

import numpy as np
import pytest

from vestigia.corpus.likeness import (
    ALIKE,
    ENOUGH,
    SKETCH,
    candidates,
    letters,
    shingles,
    similarity,
    sketch,
)

TEXT = """der die das und brücke fluss stadt rat bürgermeister wasser hoch nacht schule bahnhof linie ufer rechts
links kosten mark jahr antrag stimme gegen bericht frage antwort straße haus tor markt mühle steg holz stein bau"""
WORDS = TEXT.split()


def prose(seed: int, length: int = 120) -> str:
    dice = random.Random(seed)
    return " ".join(dice.choice(WORDS) for _ in range(length))


def misread(text: str, every: int, seed: int = 1) -> str:
    """One letter in `every` read as another."""
    dice = random.Random(seed)
    return "".join(dice.choice("aeiounrst") if dice.random() < 1 / every else letter for letter in text)


def alike(one: str, other: str) -> float:
    return similarity(shingles(letters(one)), shingles(letters(other)))


def test_letters_are_folded_and_nothing_else_is_left():
    assert letters("Die Brü-\ncke – im ſelben\u00ad Jahr, 1887!") == "diebruckeimselbenjahr1887"
    assert letters(" …— ") == ""


def test_there_is_a_number_for_every_ten_letters_in_a_row():
    assert len(shingles("abcdefghijkl")) == 3
    assert len(shingles("abcdefghi")) == 0
    assert shingles("xabcdefghij")[1] == shingles("abcdefghij")[0]
    assert shingles("abcdefghij")[0] != shingles("abcdefghik")[0]


def test_numbers_are_the_same_in_every_process():
    assert shingles("abcdefghij").tolist() == [550063847065920588]


def test_letters_beyond_the_basic_plane_and_half_pairs_have_numbers():
    assert len(shingles("𐀀𐀁𐀂𐀃𐀄𐀅𐀆𐀇𐀈𐀉")) == 1
    assert len(shingles("abcdefghi\ud800")) == 1


def test_a_sketch_is_the_smallest_numbers_and_short_texts_have_none():
    text = letters(prose(1))
    found = sketch(text)
    assert len(found) == SKETCH
    assert found.tolist() == sorted(set(shingles(text).tolist()))[:SKETCH]
    assert len(sketch("a" * (ENOUGH - 1))) == 0
    assert len(sketch("a" * ENOUGH)) == 1


@pytest.mark.parametrize("seed", range(5))
def test_a_text_is_like_itself_whatever_its_layout(seed: int):
    text = prose(seed)
    assert alike(text, text.upper().replace(" ", "\n")) == 1


@pytest.mark.parametrize("seed", range(5))
def test_a_copy_with_one_letter_in_thirty_misread_on_both_sides_is_alike(seed: int):
    text = prose(seed)
    assert alike(misread(text, 30, seed), misread(text, 30, seed + 100)) >= ALIKE


@pytest.mark.parametrize("seed", range(5))
def test_other_texts_of_the_same_words_are_not_alike(seed: int):
    assert alike(prose(seed), prose(seed + 50)) < 0.2


def test_a_letterhead_and_a_closing_formula_do_not_make_two_letters_alike():
    head, close = prose(1, 40), prose(2, 30)
    one, other = (f"{head} {prose(seed, 40)} {close}" for seed in (3, 4))
    shared = np.isin(shingles(letters(one)), shingles(letters(other))).mean()
    assert shared > 0.6
    assert alike(one, other) < ALIKE


def test_a_part_is_not_like_the_whole_and_the_order_of_the_two_does_not_matter():
    whole = prose(1)
    part = " ".join(whole.split()[:60])
    assert alike(part, whole) == alike(whole, part) < ALIKE


def test_a_text_without_shingles_is_like_nothing():
    assert alike("", "") == alike("kurz", prose(1)) == 0


def joined(sketches: list[np.ndarray]) -> list[tuple[int, int]]:
    owners = np.repeat(np.arange(len(sketches), dtype=np.int32), [len(one) for one in sketches])
    return candidates(np.concatenate([np.zeros(0, np.uint64), *sketches]), owners)


def test_candidates_are_the_pairs_that_share_five_numbers_or_more():
    def numbers(*some: int) -> np.ndarray:
        return np.array(some, np.uint64)

    assert joined([numbers(1, 2, 3, 4, 5), numbers(2, 3, 4, 5, 6), numbers(1, 2, 3, 4, 5, 9)]) == [(0, 2)]
    assert joined([]) == joined([numbers(1, 2)]) == []


def test_candidates_are_found_in_slices_as_in_one(monkeypatch: pytest.MonkeyPatch):
    texts = [letters(misread(prose(number // 3), 30, number)) for number in range(60)]
    sketches = [sketch(text) for text in texts]
    whole = joined(sketches)
    assert {(a, b) for a in range(0, 60, 3) for a, b in ((a, a + 1), (a, a + 2), (a + 1, a + 2))} <= set(whole)
    monkeypatch.setattr("vestigia.corpus.likeness._AT_ONCE", 100)
    monkeypatch.setattr("vestigia.corpus.likeness._COUNTERS", 997)
    assert joined(sketches) == whole


def test_a_text_copied_forty_times_hangs_together_by_neighbours():
    sketches = [sketch(letters(misread(prose(1), 60, number))) for number in range(40)]
    linked = {0}
    for one, other in joined(sketches):
        if one in linked:
            linked.add(other)
    assert linked == set(range(40))
