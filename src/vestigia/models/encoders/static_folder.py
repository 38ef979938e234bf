"""A static model of the model2vec kind: one vector for each token, averaged. Fast on any machine; read with numpy."""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from vestigia.domain.ids import Digest, digest
from vestigia.models.encoders.cleaning import CLEANING, clean
from vestigia.models.encoders.folder import TOKENIZER, ModelFolder, sha256_of, tensors
from vestigia.models.encoders.prefixes import Kind, Prefixes

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WEIGHTS = "model.safetensors"


class StaticFolderEncoder:
    """Loads its vectors with the first text. Can be used from several threads.

    Special tokens are left out, and unknown ones; where the file has `weights` or a `mapping` of tokens to rows, they
    hold. A text without a known token has no direction.
    """

    def __init__(self, name: str, folder: ModelFolder, prefixes: Prefixes | None = None) -> None:
        self._name = name
        self._folder = folder
        self._prefixes = prefixes or Prefixes()
        self._loaded: _Table | None = None
        self._loading = threading.Lock()

    @property
    def name(self) -> str:
        """Its name in the channel."""
        return self._name

    @property
    def fingerprint(self) -> Digest:
        """Digest of the files, the prefixes and the cleaning. Raises ModelUnavailableError."""
        self._folder.module("tokenizers")
        files = [sha256_of(self._folder.file(name)) for name in (_WEIGHTS, TOKENIZER)]
        before = f"prefixes {self._prefixes.query!r} and {self._prefixes.passage!r}"
        return digest(f"model2vec {' '.join(files)}, {before}, cleaning {CLEANING}")

    def encode(self, texts: Sequence[str], kind: Kind) -> "NDArray[np.float32]":
        """Return float32 of shape (len(texts), dimension); rows have length 1, or 0 for a text with nothing to read.

        Raises ModelUnavailableError when a file is missing or damaged, or the extra is not installed.
        """
        table = self._table()
        out = np.zeros((len(texts), table.vectors.shape[1]), np.float32)
        for number, text in enumerate(map(clean, texts)):
            vector = table.mean(self._prefixes.before(kind) + text) if text else None
            if vector is not None and (length := float(np.linalg.norm(vector))):
                out[number] = vector / length
        return out

    def _table(self) -> "_Table":
        with self._loading:
            if self._loaded is None:
                path = self._folder.file(_WEIGHTS)
                try:
                    self._loaded = _Table(tensors(path), self._folder.tokenizer())
                except (OSError, ValueError, KeyError, TypeError) as problem:
                    what = f"cannot use {_WEIGHTS} ({problem})"
                    raise self._folder.unusable(what, "Copy the model again.") from problem
        return self._loaded


class _Table:
    """The vectors, and what says which of them a text's tokens have."""

    def __init__(self, found: "dict[str, NDArray[Any]]", tokenizer: Any) -> None:  # noqa: ANN401
        vectors = next((found[name] for name in ("embeddings", "embedding.weight") if name in found), None)
        if vectors is None or vectors.ndim != 2:
            raise ValueError("it holds no table `embeddings`")
        self.vectors = vectors
        self._weights = found.get("weights")
        self._mapping = found.get("mapping")
        self._tokenizer = tokenizer
        tokens = tokenizer.get_vocab_size()
        places = np.arange(len(vectors)) if self._mapping is None else self._mapping
        if tokens > len(places) or (len(places) and not 0 <= places.min() <= places.max() < len(vectors)):
            raise ValueError(f"the tokenizer knows {tokens} tokens, the table {len(places)}")
        unknown = getattr(tokenizer.model, "unk_token", None)
        self._unknown = tokenizer.token_to_id(unknown) if unknown else None

    def mean(self, text: str) -> "NDArray[np.float64] | None":
        """Return the weighted sum of the vectors of a text's tokens: its direction is that of their mean."""
        ids = [one for one in self._tokenizer.encode(text, add_special_tokens=False).ids if one != self._unknown]
        if not ids:
            return None
        rows = ids if self._mapping is None else self._mapping[ids]
        vectors = np.asarray(self.vectors[rows], np.float64)
        weights = np.ones(len(ids)) if self._weights is None else np.asarray(self._weights[ids], np.float64).ravel()
        total: NDArray[np.float64] = weights @ vectors
        return total
