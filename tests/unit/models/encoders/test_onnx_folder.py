"""Transformers in a folder: the folder says how they are pooled, how much they read, what stands before a text."""

import json

import numpy as np
import pytest

from fakes.model_folders import BYTES, onnx_model, pooled_by, table
from vestigia.domain.errors import ModelUnavailableError
from vestigia.models.encoders.folder import ModelFolder
from vestigia.models.encoders.onnx_folder import Choices, OnnxFolderEncoder
from vestigia.models.encoders.prefixes import Prefixes

for needed in ("onnx", "onnxruntime", "tokenizers"):
    pytest.importorskip(needed)
CLS, SEP = BYTES + 1, BYTES + 2
VECTORS = table().astype(np.float64)


def made(folder, **choices):
    return OnnxFolderEncoder("tiny", ModelFolder(folder, "the encoder `tiny`", "onnx"), Choices(**choices))


def tokens(text):
    return [CLS, *text.encode(), SEP]


def unit(vector):
    return vector / np.linalg.norm(vector)


def mean(*texts):
    """The mean of windows, by their number of tokens."""
    return unit(np.sum([VECTORS[tokens(text)].sum(axis=0) for text in texts], axis=0))


def row(folder, text="a river", kind="passage", **choices):
    return made(folder, **choices).encode([text], kind)[0]


@pytest.mark.parametrize(
    ("modes", "expected"),
    [
        ({"mean_tokens": True, "cls_token": False}, mean("a river")),
        ({"cls_token": True, "max_tokens": False}, unit(VECTORS[CLS])),
        ({"lasttoken": True}, unit(VECTORS[SEP])),
    ],
)
def test_tokens_are_pooled_as_the_folder_says(tmp_path, modes, expected):
    assert row(pooled_by(onnx_model(tmp_path), **modes)) == pytest.approx(expected, abs=1e-5)


def test_the_newer_way_of_saying_it_is_read(tmp_path):
    onnx_model(tmp_path)
    (tmp_path / "1_Pooling").mkdir()
    for mode, expected in (("mean", mean("a river")), ("cls", unit(VECTORS[CLS]))):
        (tmp_path / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode": mode}))
        assert row(tmp_path) == pytest.approx(expected, abs=1e-5)


def test_a_person_may_say_otherwise(tmp_path):
    pooled_by(onnx_model(tmp_path), mean_tokens=True)
    assert row(tmp_path, pooling="last") == pytest.approx(unit(VECTORS[SEP]), abs=1e-5)


@pytest.mark.parametrize("output", ["sentence_embedding", "embedding"])
def test_a_graph_that_pools_by_itself_is_taken_at_its_word(tmp_path, output):
    assert row(onnx_model(tmp_path, output)) == pytest.approx(mean("a river"), abs=1e-5)
    pooled_by(tmp_path, cls_token=True)
    assert row(tmp_path) == pytest.approx(mean("a river"), abs=1e-5)


def test_pooling_is_never_guessed(tmp_path):
    with pytest.raises(ModelUnavailableError, match=r"does not say how its tokens are pooled\. Set `pooling"):
        row(onnx_model(tmp_path))


@pytest.mark.parametrize("modes", [{"max_tokens": True}, {"mean_tokens": True, "max_tokens": True}])
def test_pooling_that_is_not_done_here_is_refused(tmp_path, modes):
    with pytest.raises(ModelUnavailableError, match="which is not done here"):
        row(pooled_by(onnx_model(tmp_path), **modes))


def test_a_long_text_is_read_in_windows_and_averaged_by_their_length(tmp_path):
    pooled_by(onnx_model(tmp_path, places=10), mean_tokens=True)
    assert row(tmp_path, "abcdefghijklmnop", tokens=10) == pytest.approx(mean("abcdefgh", "ijklmnop"), abs=1e-5)
    assert row(tmp_path, "abcdefghijk", tokens=10) == pytest.approx(mean("abcdefgh", "ijk"), abs=1e-5)
    with pytest.raises(ModelUnavailableError, match=r"failed on 18 tokens .*Set `tokens`"):
        row(tmp_path, "abcdefghijklmnop")


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"config.json": {"max_position_embeddings": 12}}, 12),
        ({"config.json": {"max_position_embeddings": 514, "model_type": "xlm-roberta"}}, 512),
        ({"config.json": {"max_position_embeddings": 12}, "sentence_bert_config.json": {"max_seq_length": 10}}, 10),
        ({"tokenizer_config.json": {"model_max_length": 10**30}}, 512),
        ({"tokenizer_config.json": {"model_max_length": 256}}, 256),
        ({}, 512),
    ],
)
def test_the_window_is_the_smallest_the_folder_names(tmp_path, files, expected):
    onnx_model(tmp_path)
    for name, content in files.items():
        (tmp_path / name).write_text(json.dumps(content))
    assert made(tmp_path)._tokens() == expected


@pytest.mark.parametrize(
    ("said", "query", "passage"),
    [
        ({"prompts": {"query": "q: ", "passage": "p: "}}, "q: ", "p: "),
        ({"prompts": {"query": "q: ", "document": "d: "}}, "q: ", "d: "),
        ({"prompts": {}}, "query: ", "passage: "),
        ({}, "query: ", "passage: "),
    ],
)
def test_prefixes_are_those_the_folder_states_or_of_its_family(tmp_path, said, query, passage):
    folder = pooled_by(onnx_model(tmp_path / "multilingual-e5-tiny"), mean_tokens=True)
    (folder / "config_sentence_transformers.json").write_text(json.dumps(said))
    assert row(folder, "x", "query") == pytest.approx(mean(f"{query}x"), abs=1e-5)
    assert row(folder, "x", "passage") == pytest.approx(mean(f"{passage}x"), abs=1e-5)
    assert row(folder, "x", "query", prefixes=Prefixes("")) == pytest.approx(mean("x"), abs=1e-5)


def test_the_name_of_the_model_may_stand_in_its_settings(tmp_path):
    folder = pooled_by(onnx_model(tmp_path / "mine"), mean_tokens=True)
    (folder / "config.json").write_text(json.dumps({"_name_or_path": "intfloat/e5-base"}))
    assert row(folder, "x", "query") == pytest.approx(mean("query: x"), abs=1e-5)


def test_further_inputs_are_given_where_they_are_known(tmp_path):
    folder = pooled_by(onnx_model(tmp_path / "a", inputs=("token_type_ids", "position_ids")), mean_tokens=True)
    assert row(folder) == pytest.approx(mean("a river"), abs=1e-5)
    folder = pooled_by(onnx_model(tmp_path / "b", inputs=("pixel_values",)), mean_tokens=True)
    with pytest.raises(ModelUnavailableError, match="wants pixel_values besides text"):
        row(folder)


def test_another_file_can_be_named(tmp_path):
    pooled_by(onnx_model(tmp_path), mean_tokens=True)
    (tmp_path / "onnx").mkdir()
    (tmp_path / "model.onnx").rename(tmp_path / "onnx" / "model_O2.onnx")
    with pytest.raises(ModelUnavailableError, match=r"has no model\.onnx or onnx/model\.onnx"):
        row(tmp_path)
    assert row(tmp_path, file="onnx/model_O2.onnx") == pytest.approx(mean("a river"), abs=1e-5)


def test_a_file_that_is_no_graph_is_told(tmp_path):
    pooled_by(onnx_model(tmp_path), mean_tokens=True)
    (tmp_path / "model.onnx").write_bytes(b"version https://git-lfs.github.com/spec/v1")
    with pytest.raises(ModelUnavailableError, match=r"cannot load model\.onnx .*Copy the model again"):
        row(tmp_path)


def test_settings_that_are_no_json_are_told(tmp_path):
    pooled_by(onnx_model(tmp_path), mean_tokens=True)
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(ModelUnavailableError, match=r"cannot read config\.json"):
        row(tmp_path)


def test_steps_that_are_not_carried_out_here_are_not_left_out_silently(tmp_path):
    pooled_by(onnx_model(tmp_path), mean_tokens=True)
    steps = [
        {"idx": n, "type": f"sentence_transformers.models.{kind}"} for n, kind in enumerate(("Transformer", "Dense"))
    ]
    (tmp_path / "modules.json").write_text(json.dumps(steps, indent=2))
    with pytest.raises(ModelUnavailableError, match=r"not carried out here \(sentence_transformers\.models\.Dense\)"):
        row(tmp_path)
    (tmp_path / "modules.json").write_text(json.dumps(steps[:1]))
    assert row(tmp_path).any()


def test_the_fingerprint_follows_files_and_choices(tmp_path):
    pooled_by(onnx_model(tmp_path), mean_tokens=True)
    first = made(tmp_path).fingerprint
    assert made(tmp_path).fingerprint == first == made(tmp_path, threads=4).fingerprint
    others = [made(tmp_path, **c).fingerprint for c in ({"pooling": "cls"}, {"tokens": 9}, {"prefixes": Prefixes("a")})]
    assert len({first, *others}) == 4
    (tmp_path / "model.onnx_data").write_bytes(b"weights beside the graph")
    assert made(tmp_path).fingerprint != first


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_without_the_extra_it_says_how_to_install_it(tmp_path, monkeypatch, package):
    import sys

    pooled_by(onnx_model(tmp_path), mean_tokens=True)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ModelUnavailableError, match=rf"needs {package}.*Install vestigia\[onnx\]"):
        _ = made(tmp_path).fingerprint
