"""Tiny models in folders, made here: a tokenizer of bytes, a table of vectors, a graph that looks them up."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

BYTES = 256
SPECIAL = ("[UNK]", "[CLS]", "[SEP]")
KINDS = {"<f4": "F32", "<f2": "F16", "|i1": "I8", "<i4": "I32", "<i8": "I64", "<u2": "BF16", "<f8": "F64"}


def table(rows: int = BYTES + len(SPECIAL), dimension: int = 16, seed: int = 1) -> np.ndarray:
    """Vectors by chance, the same each time."""
    return np.random.default_rng(seed).standard_normal((rows, dimension)).astype(np.float32)


def letters() -> dict[str, int]:
    """The byte-level alphabet: printable bytes stand for themselves, the others for letters beyond."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    other = [byte for byte in range(BYTES) if byte not in plain]
    signs = {byte: chr(byte) for byte in plain} | {byte: chr(256 + n) for n, byte in enumerate(other)}
    return {signs[byte]: byte for byte in range(BYTES)}


def write_tokenizer(folder: Path, *, words: tuple[str, ...] = (), special: bool = True) -> None:
    """Write a tokenizer: of bytes, or of the words given, the first of which stands for unknown ones."""
    if words:
        model: dict[str, Any] = {
            "type": "WordLevel",
            "vocab": {w: n for n, w in enumerate(words)},
            "unk_token": words[0],
        }
        added, before = [], {"type": "Whitespace"}
    else:
        vocabulary = letters() | {name: BYTES + n for n, name in enumerate(SPECIAL)}
        model = {"type": "BPE", "vocab": vocabulary, "merges": [], "unk_token": "[UNK]"}
        added = [
            {"id": BYTES + n, "content": name, "special": True, "single_word": False, "lstrip": False, "rstrip": False,
             "normalized": False}
            for n, name in enumerate(SPECIAL)
        ]  # fmt: skip
        before = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    around = {
        "type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                   {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {n: {"id": n, "ids": [BYTES + SPECIAL.index(n)], "tokens": [n]} for n in ("[CLS]", "[SEP]")},
    }  # fmt: skip
    written = {
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0},
        "padding": None,
        "added_tokens": added,
        "normalizer": None,
        "pre_tokenizer": before,
        "post_processor": around if special and not words else None,
        "decoder": None,
        "model": model,
    }
    (folder / "tokenizer.json").write_text(json.dumps(written), encoding="utf-8")


def write_safetensors(path: Path, **arrays: np.ndarray) -> None:
    """Write arrays in the safetensors format by hand: length of the header, the header, the numbers."""
    header, numbers = {"__metadata__": {"made": "here"}}, b""
    for name, array in arrays.items():
        begin = len(numbers)
        numbers += array.tobytes()
        kind = KINDS[array.dtype.str]
        header[name.replace("__", ".")] = {
            "dtype": kind, "shape": list(array.shape), "data_offsets": [begin, len(numbers)]
        }  # fmt: skip
    said = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(said)) + said + numbers)


def static_model(folder: Path) -> Path:
    """A model of the model2vec kind that knows every byte."""
    folder.mkdir(parents=True, exist_ok=True)
    write_tokenizer(folder, special=False)
    write_safetensors(folder / "model.safetensors", embeddings=table())
    return folder


def onnx_model(folder: Path, output: str = "last_hidden_state", inputs: tuple[str, ...] = (), places: int = 0) -> Path:
    """A graph that gives each token its vector (or their mean, as `sentence_embedding`), with its tokenizer.

    With `places` it fails on more tokens than those, as a transformer does.
    """
    from onnx import TensorProto, helper, numpy_helper, save

    folder.mkdir(parents=True, exist_ok=True)
    write_tokenizer(folder)
    numbers = {"input_ids": TensorProto.INT64, "attention_mask": TensorProto.INT64}
    numbers |= dict.fromkeys(inputs, TensorProto.INT64)
    deep = output in {"last_hidden_state", "token_embeddings"}
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["tokens"])]
    weights = [numpy_helper.from_array(table(), "table")]
    if places:
        weights.append(numpy_helper.from_array(np.zeros((places, table().shape[1]), np.float32), "places"))
        weights += [numpy_helper.from_array(np.array(n, np.int64), f"n{n}") for n in (0, 1)]
        nodes += [
            helper.make_node("Shape", ["input_ids"], ["shape"]),
            helper.make_node("Gather", ["shape", "n1"], ["length"]),
            helper.make_node("Range", ["n0", "length", "n1"], ["numbers"]),
            helper.make_node("Gather", ["places", "numbers"], ["placed"]),
            helper.make_node("Add", ["tokens", "placed"], ["seen"]),
        ]
    last = "seen" if places else "tokens"
    if deep:
        nodes.append(helper.make_node("Identity", [last], [output]))
    else:
        weights.append(numpy_helper.from_array(np.array([1], np.int64), "axis"))
        nodes.append(helper.make_node("ReduceMean", [last, "axis"], [output], keepdims=0))
    shape = ["batch", "tokens", 16] if deep else ["batch", 16]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, kind, ["batch", "tokens"]) for name, kind in numbers.items()],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)],
        weights,
    )
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), folder / "model.onnx")
    return folder


def pooled_by(folder: Path, **modes: bool) -> Path:
    """Write how sentence-transformers say that a model is pooled."""
    (folder / "1_Pooling").mkdir(exist_ok=True)
    said = {"word_embedding_dimension": 16} | {f"pooling_mode_{name}": on for name, on in modes.items()}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(said))
    return folder
