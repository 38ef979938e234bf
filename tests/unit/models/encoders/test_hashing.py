import numpy as np
import pytest

from vestigia.models.encoders.hashing import HashingEncoder


def test_the_same_words_give_the_same_vector_in_any_order_or_spelling():
    one, two = HashingEncoder().encode(["the old Bridge", "Bridge, THE old!"], "query")
    assert one == pytest.approx(two)


def test_vectors_are_the_same_on_every_machine():
    row = HashingEncoder(4).encode(["bridge river harbour mayor"], "passage")[0]
    assert row == pytest.approx([-np.sqrt(0.5), 0, 0, np.sqrt(0.5)])


def test_dimension_and_name_can_be_chosen_and_the_dimension_is_in_the_fingerprint():
    assert HashingEncoder(8).encode(["x"], "query").shape == (1, 8)
    assert HashingEncoder(8).fingerprint != HashingEncoder(16).fingerprint
    assert HashingEncoder(name="other").name == "other"
