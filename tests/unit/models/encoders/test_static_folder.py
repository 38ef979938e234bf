"""Static models in a folder: the mean of the vectors of a text's tokens, read with numpy alone."""

import json

import numpy as np
import pytest

from fakes.model_folders import static_model, table, write_safetensors, write_tokenizer
from vestigia.domain.errors import ModelUnavailableError
from vestigia.models.encoders.folder import ModelFolder, tensors
from vestigia.models.encoders.prefixes import Prefixes
from vestigia.models.encoders.static_folder import StaticFolderEncoder

pytest.importorskip("tokenizers")
WORDS = ("[UNK]", "river", "bridge", "letter")
AXES = np.eye(4, dtype=np.float32)


def made(folder, prefixes=None):
    return StaticFolderEncoder("tiny", ModelFolder(folder, "the encoder `tiny`", "model2vec"), prefixes)


def words(folder, **arrays):
    write_tokenizer(folder, words=WORDS)
    write_safetensors(folder / "model.safetensors", **arrays)
    return made(folder)


def test_a_text_is_the_mean_of_its_tokens_at_length_one(tmp_path):
    row = words(tmp_path, embeddings=AXES).encode(["river river bridge"], "passage")[0]
    assert row == pytest.approx([0, 2 / 5**0.5, 1 / 5**0.5, 0])


def test_unknown_words_are_left_out_and_a_text_of_them_has_no_direction(tmp_path):
    rows = words(tmp_path, embeddings=AXES).encode(["river Xanadu", "Xanadu", ""], "passage")
    assert rows[0] == pytest.approx([0, 1, 0, 0])
    assert not rows[1:].any()


def test_weights_of_tokens_count(tmp_path):
    encoder = words(tmp_path, embeddings=AXES, weights=np.array([1, 3, 4, 1], "<f8"))
    assert encoder.encode(["river bridge"], "passage")[0] == pytest.approx([0, 0.6, 0.8, 0])


def test_tokens_may_share_vectors(tmp_path):
    encoder = words(tmp_path, embeddings=AXES[:2], mapping=np.array([0, 1, 1, 0], "<i8"))
    assert encoder.encode(["bridge"], "passage")[0] == pytest.approx([0, 1, 0, 0])
    with_both = words(
        tmp_path, embeddings=AXES[:2], mapping=np.array([0, 1, 1, 0], "<i4"), weights=np.array([1, 1, 1, 9], "<f4")
    )
    assert with_both.encode(["letter"], "passage")[0] == pytest.approx([1, 0, 0, 0])


@pytest.mark.parametrize("kind", ["<f2", "<f4", "|i1"])
def test_numbers_may_be_stored_small(tmp_path, kind):
    assert words(tmp_path, embeddings=(AXES * 3).astype(kind)).encode(["bridge"], "query")[0] == pytest.approx(AXES[2])


def test_half_numbers_of_the_other_kind_are_read_too(tmp_path):
    bf16 = (np.ascontiguousarray(AXES).view("<u4") >> 16).astype("<u2")
    write_safetensors(tmp_path / "m", one=bf16)
    assert tensors(tmp_path / "m")["one"] == pytest.approx(AXES)


def test_the_name_of_sentence_transformers_for_the_table_is_known(tmp_path):
    assert words(tmp_path, embedding__weight=AXES).encode(["river"], "query")[0] == pytest.approx(AXES[1])


def test_a_prefix_is_written_before_the_text(tmp_path):
    words(tmp_path, embeddings=AXES)
    encoder = made(tmp_path, Prefixes("letter ", ""))
    both = [encoder.encode(["river"], kind)[0] for kind in ("query", "passage")]
    assert both[0] == pytest.approx([0, 0.5**0.5, 0, 0.5**0.5])
    assert both[1] == pytest.approx(AXES[1])


def test_a_tokenizer_that_wants_to_cut_texts_is_not_let(tmp_path):
    row = words(tmp_path, embeddings=AXES).encode(["river river river river river bridge"], "passage")[0]
    assert row[2] > 0


def test_the_fingerprint_follows_the_files(tmp_path):
    encoder = made(static_model(tmp_path))
    first = encoder.fingerprint
    assert made(tmp_path).fingerprint == first != made(tmp_path, Prefixes("query: ")).fingerprint
    write_safetensors(tmp_path / "model.safetensors", embeddings=table(seed=2))
    assert made(tmp_path).fingerprint != first


def broken(folder, name, content):
    static_model(folder)
    (folder / name).write_bytes(content) if content is not None else (folder / name).unlink()


HEADER = json.dumps({"embeddings": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 12]}}).encode()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("model.safetensors", None, "has no model.safetensors"),
        ("tokenizer.json", None, "has no tokenizer.json"),
        ("tokenizer.json", b"{", "cannot read tokenizer.json"),
        ("model.safetensors", b"", "no safetensors file"),
        ("model.safetensors", b"version https://git-lfs.github.com/spec/v1", "no safetensors file"),
        ("model.safetensors", len(HEADER).to_bytes(8, "little") + HEADER + bytes(12), "not as long as it says"),
        ("model.safetensors", (2).to_bytes(8, "little") + b"{}", "no table `embeddings`"),
        ("model.safetensors", (2).to_bytes(8, "little") + b"[]", "no safetensors file"),
    ],
)
def test_a_folder_that_is_not_whole_is_told(tmp_path, name, content, said):
    broken(tmp_path, name, content)
    with pytest.raises(ModelUnavailableError, match=said) as told:
        made(tmp_path).encode(["river"], "query")
    assert told.value.where == str(tmp_path)
    assert told.value.remedy


@pytest.mark.parametrize(
    "arrays",
    [
        {"embeddings": AXES[:3]},
        {"embeddings": AXES[0]},
        {"embeddings": AXES, "mapping": np.array([0, 1, 2, 4], "<i8")},
        {"embeddings": AXES, "mapping": np.array([0, 1], "<i8")},
    ],
)
def test_a_table_that_does_not_fit_its_tokenizer_is_refused(tmp_path, arrays):
    with pytest.raises(ModelUnavailableError, match=r"cannot use model\.safetensors"):
        words(tmp_path, **arrays).encode(["river"], "query")


def test_no_folder_is_told(tmp_path):
    with pytest.raises(ModelUnavailableError, match="its folder does not exist"):
        _ = made(tmp_path / "nowhere").fingerprint


def test_numbers_of_an_unknown_kind_are_not_guessed(tmp_path):
    header = json.dumps({"one": {"dtype": "F8_E4M3", "shape": [2], "data_offsets": [0, 2]}}).encode()
    (tmp_path / "m").write_bytes(len(header).to_bytes(8, "little") + header + b"12")
    with pytest.raises(ValueError, match="of a kind that is not read"):
        tensors(tmp_path / "m")
