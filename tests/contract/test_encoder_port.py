"""What every encoder does. A plug-in's author runs these with their own encoder."""

import numpy as np
import pytest

from fakes.embedding_server import serving
from fakes.model_folders import onnx_model, pooled_by, static_model
from vestigia.domain.errors import ModelUnavailableError
from vestigia.domain.ports import server_of
from vestigia.models.encoders.endpoint import Endpoint
from vestigia.models.encoders.folder import ModelFolder
from vestigia.models.encoders.hashing import HashingEncoder
from vestigia.models.encoders.multilingual_e5 import MultilingualE5
from vestigia.models.encoders.onnx_folder import Choices, OnnxFolderEncoder
from vestigia.models.encoders.prefixes import Prefixes
from vestigia.models.encoders.served import Served, ServedEncoder
from vestigia.models.encoders.static_folder import StaticFolderEncoder
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


PREFIXES = Prefixes("query: ", "passage: ")


@pytest.fixture(scope="module")
def server():
    with serving() as running:
        yield running.address


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    pytest.importorskip("tokenizers")
    root = tmp_path_factory.mktemp("models")
    static_model(root / "static")
    return root


def of_server(request, kind, path):
    endpoint = Endpoint(request.getfixturevalue("server") + path, "the encoder `far`")
    return lambda: ServedEncoder("far", endpoint, Served(kind, "some-model", PREFIXES))


def static(request):
    folder = ModelFolder(request.getfixturevalue("folders") / "static", "the encoder `tiny`", "model2vec")
    return lambda: StaticFolderEncoder("tiny", folder)


def onnx(request):
    for needed in ("onnx", "onnxruntime"):
        pytest.importorskip(needed)
    path = pooled_by(onnx_model(request.getfixturevalue("folders") / "onnx"), mean_tokens=True)
    folder = ModelFolder(path, "the encoder `small`", "onnx")
    return lambda: OnnxFolderEncoder("small", folder, Choices(PREFIXES))


MAKERS = {
    "hashing": lambda _: HashingEncoder,
    "universal": lambda _: UniversalEncoder,
    "e5": lambda _: MultilingualE5,
    "openai": lambda request: of_server(request, "openai", "/v1"),
    "ollama": lambda request: of_server(request, "ollama", ""),
    "model2vec": static,
    "onnx": onnx,
}


@pytest.fixture(params=MAKERS, scope="module")
def making(request):
    return MAKERS[request.param](request)


@pytest.fixture(scope="module")
def encoder(making):
    made = making()
    try:
        made.encode(["ready?"], "query")
    except ModelUnavailableError as absent:
        pytest.skip(str(absent))
    yield made
    if hasattr(made, "close"):
        made.close()


def test_it_has_a_short_name_and_a_digest(encoder, making):
    assert encoder.name.isidentifier()
    assert encoder.fingerprint.startswith("sha256:")
    assert encoder.fingerprint == making().fingerprint


def test_one_that_sends_texts_away_says_where(encoder):
    server = server_of(encoder)
    assert server.startswith("http") if isinstance(encoder, ServedEncoder) else server == ""


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
