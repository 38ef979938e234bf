"""A model in a folder that a person put there: its files, its tokenizer, its digest. Nothing is ever fetched."""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vestigia.domain.errors import ModelUnavailableError
from vestigia.models.encoders.prefixes import Prefixes, prefixes_of

TOKENIZER = "tokenizer.json"
_MOST_HEADER = 100_000_000


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """The folder of one model; `called` is how messages name the encoder, `extra` what must be installed for it."""

    path: Path
    called: str
    extra: str

    def file(self, *names: str) -> Path:
        """Return the first of these files that is there. Raises ModelUnavailableError when none is."""
        found = next((self.path / name for name in names if (self.path / name).is_file()), None)
        if found is None:
            there = "does not exist" if not self.path.is_dir() else f"has no {' or '.join(names)}"
            raise self.unusable(f"needs a model, but its folder {there}", "Correct `folder`, or put the model there.")
        return found

    def settings(self, name: str) -> dict[str, Any]:
        """Return what a JSON file of the folder says; nothing when it is not there."""
        found = self._json(name)
        return found if isinstance(found, dict) else {}

    def steps(self) -> list[str]:
        """Return the kinds of the steps that make a vector of a text, as sentence-transformers name them."""
        found = self._json("modules.json")
        return [str(one.get("type")) for one in found if isinstance(one, dict)] if isinstance(found, list) else []

    def _json(self, name: str) -> object:
        if not (self.path / name).is_file():
            return None
        try:
            found: object = json.loads((self.path / name).read_text(encoding="utf-8"))
        except (OSError, ValueError) as problem:
            raise self.unusable(f"cannot read {name} ({problem})", "Copy the model again.") from problem
        return found

    def module(self, name: str) -> Any:  # noqa: ANN401  (packages of an extra)
        """Import a package of the extra. Raises ModelUnavailableError when it is not installed."""
        try:
            return import_module(name)
        except ImportError as problem:
            raise self.unusable(
                f"needs {name}, which is not installed", f"Install vestigia[{self.extra}], or search without it."
            ) from problem

    def tokenizer(self) -> Any:  # noqa: ANN401
        """Load the tokenizer, without the cutting and filling that its file may ask for."""
        path = self.file(TOKENIZER)
        tokenizers = self.module("tokenizers")
        try:
            tokenizer = tokenizers.Tokenizer.from_file(str(path))
        except Exception as problem:  # the package raises bare Exceptions
            raise self.unusable(f"cannot read {TOKENIZER} ({problem})", "Copy the model again.") from problem
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    def prefixes(self) -> Prefixes:
        """Return the prefixes the folder states, else those of the model's family by its name."""
        prompts = self.settings("config_sentence_transformers.json").get("prompts")
        if isinstance(prompts, dict) and prompts:
            passage = prompts.get("passage", prompts.get("document", ""))
            return Prefixes(str(prompts.get("query") or ""), str(passage or ""))
        named = self.settings("config.json").get("_name_or_path")
        return prefixes_of(str(named or self.path.name))

    def unusable(self, what: str, remedy: str) -> ModelUnavailableError:
        """Say why the model cannot be used."""
        return ModelUnavailableError(f"{self.called} {what}.", where=str(self.path), remedy=remedy)


def sha256_of(path: Path) -> str:
    """Return the digest of a file; of one that has not changed it is computed once."""
    found = path.stat()
    return _sha256(path, found.st_size, found.st_mtime_ns)


@cache
def _sha256(path: Path, _size: int, _changed: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I8": "|i1", "I32": "<i4", "I64": "<i8"}


def tensors(path: Path) -> "dict[str, NDArray[Any]]":
    """Map the tensors of a safetensors file, by name. Raises ValueError for a file that is none.

    The format: eight bytes with the length of a JSON header, the header, then the numbers it points to.
    """
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if not 2 <= length <= min(_MOST_HEADER, path.stat().st_size - 8):
            raise ValueError("it is no safetensors file")
        header = json.loads(file.read(length))
    if not isinstance(header, dict):
        raise ValueError("it is no safetensors file")  # noqa: TRY004  (all that is wrong with a file is one kind)
    found: dict[str, NDArray[Any]] = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        if not isinstance(entry, dict) or entry.get("dtype") not in _TYPES:
            raise ValueError(f"the numbers of {name} are of a kind that is not read")
        begin, end = entry["data_offsets"]
        shape = tuple(entry["shape"])
        kind = np.dtype(_TYPES[entry["dtype"]])
        if end - begin != int(np.prod(shape, dtype=np.int64)) * kind.itemsize or begin < 0:
            raise ValueError(f"{name} is not as long as it says")
        array = np.memmap(path, kind, "r", offset=8 + length + begin, shape=shape) if end > begin else np.zeros(shape)
        found[name] = (array.astype("<u4") << 16).view("<f4") if entry["dtype"] == "BF16" else array
    return found
