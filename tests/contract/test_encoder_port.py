"""What every encoder does. A plug-in's author runs these with their own encoder."""

import numpy as np
import pytest

from vestigia.domain.errors import ModelUnavailableError
from vestigia.models.encoders.hashing import HashingEncoder
from vestigia.models.encoders.multilingual_e5 import MultilingualE5
from vestigia.models.encoders.universal import UniversalEncoder

AWKWARD = [
    "foo bar\0baz",
    "\ufdfa" * 100,
    "lone \ud800 surrogate",
    "soft\u00adhyphen",
    "LA SÉANCE EST OUVERTE",
    "e\u0301te\u0301",
    "x" * 20_000,
    "🙂",
    "-",
    "line-\nbreak",
]


@pytest.fixture(params=[HashingEncoder, UniversalEncoder, MultilingualE5], scope="module")
def encoder(request):
    made = request.param()
    try:
        made.encode(["ready?"], "query")
    except ModelUnavailableError as absent:
        pytest.skip(str(absent))
    yield made
    if hasattr(made, "close"):
        made.close()


def test_it_has_a_short_name_and_a_digest(encoder):
    assert encoder.name.isidentifier()
    assert encoder.fingerprint.startswith("sha256:")
    assert encoder.fingerprint == type(encoder)().fingerprint


def test_a_row_for_each_text_in_single_precision(encoder):
    one = encoder.encode(["The river rose."], "query")
    three = encoder.encode(["The river rose.", "Der Fluss stieg.", "Un navire"], "passage")
    assert three.shape == (3, one.shape[1])
    assert one.dtype == three.dtype == np.float32
    assert encoder.encode([], "passage").shape == (0, one.shape[1])


def test_rows_have_length_one(encoder):
    lengths = np.linalg.norm(encoder.encode(["The river rose.", "Ein Brief an Herzl", "l'été"], "passage"), axis=1)
    assert lengths == pytest.approx(np.ones(3), abs=1e-5)


def test_a_text_with_nothing_to_read_gets_no_direction(encoder):
    rows = encoder.encode(["", " \n", "\0\u00ad", "a river"], "passage")
    assert not rows[:3].any()
    assert rows[3].any()


@pytest.mark.parametrize("kind", ["query", "passage"])
def test_it_says_the_same_each_time_and_in_any_company(encoder, kind):
    alone = encoder.encode(["The river rose in the night."], kind)[0]
    assert np.array_equal(alone, encoder.encode(["The river rose in the night."], kind)[0])
    among = encoder.encode(["A letter.", "The river rose in the night.", "", "Zwei Briefe aus Wien"], kind)[1]
    assert among == pytest.approx(alone, abs=1e-5)


def test_what_scanning_leaves_in_a_text_changes_nothing(encoder):
    clean, dirty = encoder.encode(["der Wasserstand été", "der Wasser\u00adstand e\u0301te\u0301\0"], "passage")
    assert float(clean @ dirty) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("text", AWKWARD, ids=ascii)
def test_no_text_brings_it_down(encoder, text):
    row = encoder.encode([text], "passage")[0]
    assert np.isfinite(row).all()
    assert float(np.linalg.norm(row)) == pytest.approx(1 if row.any() else 0, abs=1e-5)


def test_a_text_is_nearer_to_its_like_than_to_something_else(encoder):
    query = encoder.encode(["the water of the river rose"], "query")[0]
    near, far = encoder.encode(["In the night the water of the river rose.", "Opera tickets cost money."], "passage")
    assert query @ near > query @ far
