"""A transformer in ONNX form, run on this machine by onnxruntime, pooled as the folder's own files say."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from vestigia.domain.ids import Digest, digest
from vestigia.models.encoders.cleaning import CLEANING, clean
from vestigia.models.encoders.folder import TOKENIZER, ModelFolder, sha256_of
from vestigia.models.encoders.prefixes import Kind, Prefixes

if TYPE_CHECKING:
    from numpy.typing import NDArray

Pooling = Literal["mean", "cls", "last"]
FILES = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
_ROBERTA = ("roberta", "xlm-roberta", "camembert")
"""Models of this kind count their places from 2: of 514 places 512 are for tokens."""
_WINDOW = 512
_WHOLE = "sentence_embedding"
_KNOWN_STEPS = ("Transformer", "Pooling", "Normalize")


@dataclass(frozen=True, slots=True)
class Choices:
    """What a person may say where the folder does not, or otherwise: None and empty mean what the folder says."""

    prefixes: Prefixes | None = None
    pooling: Pooling | None = None
    tokens: int | None = None
    file: str = ""
    threads: int = 1


class OnnxFolderEncoder:
    """Loads its model with the first text. Texts longer than its window are averaged over windows, by length.

    One text goes in at a time, so that its vector never depends on its neighbours.
    """

    def __init__(self, name: str, folder: ModelFolder, choices: Choices = Choices()) -> None:
        self._name = name
        self._folder = folder
        self._choices = choices
        self._loaded: _Transformer | None = None
        self._loading = threading.Lock()

    @property
    def name(self) -> str:
        """Its name in the channel."""
        return self._name

    @property
    def fingerprint(self) -> Digest:
        """Digest of the files, pooling, window, prefixes and cleaning. Raises ModelUnavailableError."""
        for needed in ("onnxruntime", "tokenizers"):
            self._folder.module(needed)
        graph = self._folder.file(*self._files())
        files = [graph, self._folder.file(TOKENIZER), *sorted(graph.parent.glob(f"{graph.name}*data*"))]
        before = self._prefixes()
        return digest(
            f"onnx {' '.join(map(sha256_of, files))}, pooling {self._pooling()}, {self._tokens()} tokens, "
            f"prefixes {before.query!r} and {before.passage!r}, cleaning {CLEANING}"
        )

    def encode(self, texts: Sequence[str], kind: Kind) -> "NDArray[np.float32]":
        """Return float32 of shape (len(texts), dimension); rows have length 1, or 0 for a text with nothing to read.

        Raises ModelUnavailableError when a file is missing or damaged, or the extra is not installed.
        """
        model, before = self._transformer(), self._prefixes().before(kind)
        cleaned = [clean(text) for text in texts]
        vectors = [model.vector(before + text) if text else None for text in cleaned]
        dimension = next((len(one) for one in vectors if one is not None), 0) or len(model.vector("a"))
        out = np.zeros((len(texts), dimension), np.float32)
        for number, vector in enumerate(vectors):
            if vector is not None:
                out[number] = self._unit(vector)
        return out

    def _unit(self, vector: "NDArray[np.float64]") -> "NDArray[np.float64]":
        length = float(np.linalg.norm(vector))
        if not np.isfinite(length) or not length:
            raise self._folder.unusable("gives a vector that has no direction", "Choose another file of the model.")
        return vector / length

    def _transformer(self) -> "_Transformer":
        with self._loading:
            if self._loaded is None:
                runtime = self._folder.module("onnxruntime")
                options = runtime.SessionOptions()
                options.intra_op_num_threads, options.log_severity_level = self._choices.threads, 3
                path = self._folder.file(*self._files())
                try:
                    session = runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
                except Exception as problem:  # the package raises many kinds, without a parent of their own
                    what = f"cannot load {path.name} ({_first_line(problem)})"
                    raise self._folder.unusable(what, "Copy the model again, with all its files.") from problem
                self._loaded = _Transformer(self._folder, session, self._pooling(), self._tokens())
        return self._loaded

    def _files(self) -> tuple[str, ...]:
        return (self._choices.file,) if self._choices.file else FILES

    def _prefixes(self) -> Prefixes:
        return self._choices.prefixes or self._folder.prefixes()

    def _pooling(self) -> Pooling | Literal[""]:
        """Return how the folder says to pool; empty where it does not say, which is right for a graph that pools."""
        for step in self._folder.steps():
            if not step.endswith(_KNOWN_STEPS):
                what = f"has a step after the transformer that is not carried out here ({step})"
                raise self._folder.unusable(what, "Export the model with that step inside the graph.")
        if self._choices.pooling:
            return self._choices.pooling
        said = self._folder.settings("1_Pooling/config.json")
        modes = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls", "pooling_mode_lasttoken": "last"}
        asked = [name for name, on in said.items() if name.startswith("pooling_mode_") and on is True]
        if said.get("pooling_mode") in ("mean", "cls"):
            asked = [f"pooling_mode_{said['pooling_mode']}_token{'s' if said['pooling_mode'] == 'mean' else ''}"]
        if not asked:
            return ""
        if len(asked) > 1 or asked[0] not in modes:
            what = f"is to be pooled by {' and '.join(asked)}, which is not done here"
            raise self._folder.unusable(what, 'Set `pooling = "mean"`, "cls" or "last".')
        found = modes[asked[0]]
        return "mean" if found == "mean" else "cls" if found == "cls" else "last"

    def _tokens(self) -> int:
        """Return how many tokens the model reads at a time."""
        if self._choices.tokens:
            return self._choices.tokens
        config = self._folder.settings("config.json")
        places = config.get("max_position_embeddings")
        if isinstance(places, int) and config.get("model_type") in _ROBERTA:
            places -= 2
        said = (
            self._folder.settings("sentence_bert_config.json").get("max_seq_length"),
            self._folder.settings("tokenizer_config.json").get("model_max_length"),
            places,
        )
        return min((n for n in said if isinstance(n, int) and 8 < n < 1_000_000), default=_WINDOW)


class _Transformer:
    """A loaded graph with its tokenizer."""

    def __init__(self, folder: ModelFolder, session: Any, pooling: Pooling | Literal[""], tokens: int) -> None:  # noqa: ANN401
        self._folder = folder
        self._session = session
        self._inputs = [one.name for one in session.get_inputs()]
        outputs = {one.name: len(one.shape) for one in session.get_outputs()}
        flat = [name for name, depth in outputs.items() if depth == 2]
        deep = [name for name, depth in outputs.items() if depth == 3]
        whole = _WHOLE if _WHOLE in outputs else flat[0] if len(flat) == 1 and not deep else ""
        self._pooling = pooling if deep else ""
        self._output = deep[0] if deep and pooling else whole
        if not self._output:
            needs = "does not say how its tokens are pooled" if deep else "has no output that is a vector"
            raise folder.unusable(needs, 'Set `pooling = "mean"`, "cls" or "last", as its authors say.')
        unknown = set(self._inputs) - {"input_ids", "attention_mask", "token_type_ids", "position_ids"}
        if unknown:
            raise folder.unusable(f"wants {', '.join(sorted(unknown))} besides text", "Choose a model for text alone.")
        self._tokenizer = folder.tokenizer()
        self._tokenizer.enable_truncation(tokens)

    def vector(self, text: str) -> "NDArray[np.float64]":
        """Encode one text: the mean of its windows, by their number of tokens."""
        first = self._tokenizer.encode(text)
        windows = [first, *first.overflowing]
        vectors = [self._window(window.ids) for window in windows]
        mean: NDArray[np.float64] = np.average(vectors, axis=0, weights=[len(window.ids) for window in windows])
        return mean

    def _window(self, ids: Sequence[int]) -> "NDArray[np.float64]":
        numbers = np.array([ids], np.int64)
        offered = {
            "input_ids": numbers,
            "attention_mask": np.ones_like(numbers),
            "token_type_ids": np.zeros_like(numbers),
            "position_ids": np.arange(numbers.shape[1], dtype=np.int64)[None],
        }
        try:
            (found,) = self._session.run([self._output], {name: offered[name] for name in self._inputs})
        except Exception as problem:  # the package raises many kinds, without a parent of their own
            what = f"failed on {len(ids)} tokens ({_first_line(problem)})"
            raise self._folder.unusable(what, "Set `tokens` to what the model can read at a time.") from problem
        rows = np.asarray(found[0], np.float64)
        if not self._pooling:
            return rows
        pooled: NDArray[np.float64] = {"mean": rows.mean(axis=0), "cls": rows[0], "last": rows[-1]}[self._pooling]
        return pooled


def _first_line(problem: Exception) -> str:
    """What a failure says first; its kind where it says nothing."""
    return next(iter(str(problem).splitlines()), type(problem).__name__)
