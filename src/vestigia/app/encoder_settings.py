"""What `[encoders.NAME]` of a settings file says: an encoder that a person brings, checked before anything is asked."""

import os
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from vestigia.domain.errors import SettingsError
from vestigia.models.encoders.prefixes import Prefixes, prefixes_of

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
"""Of an encoder: it is part of the channel's name and of a folder's."""
OLLAMA = "http://localhost:11434"
_SERVED = ("url", "model", "key_variable", "window", "batch", "timeout", "dimensions")
_IN_FOLDER = ("folder",)
_OF_ONNX = ("file", "pooling", "tokens")
_ALLOWED = {
    "openai": _SERVED,
    "ollama": _SERVED,
    "model2vec": _IN_FOLDER,
    "onnx": (*_IN_FOLDER, *_OF_ONNX),
}
_NEEDED = {"openai": ("url", "model"), "ollama": ("model",), "model2vec": ("folder",), "onnx": ("folder",)}


class EncoderSettings(BaseModel):
    """One encoder: a model of a server, or a model in a folder."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    kind: Literal["openai", "ollama", "model2vec", "onnx"]
    url: str = ""
    model: str = ""
    key_variable: str = ""
    folder: str = ""
    file: str = ""
    query_prefix: str | None = None
    passage_prefix: str | None = None
    window: int = Field(default=2000, ge=100, le=8000)
    batch: int = Field(default=8, ge=1, le=2048)
    timeout: float = Field(default=300, gt=0, le=86_400, allow_inf_nan=False)
    dimensions: int = Field(default=0, ge=0, le=100_000)
    pooling: Literal["mean", "cls", "last"] | None = None
    tokens: int | None = Field(default=None, ge=8, le=1_000_000)

    @model_validator(mode="after")
    def _belongs_together(self) -> Self:
        foreign = self.model_fields_set - {"kind", "query_prefix", "passage_prefix", *_ALLOWED[self.kind]}
        if foreign:
            raise ValueError(f"an encoder of kind {self.kind!r} has no {', '.join(sorted(foreign))}")
        absent = [name for name in _NEEDED[self.kind] if not getattr(self, name)]
        if absent:
            raise ValueError(f"an encoder of kind {self.kind!r} needs {' and '.join(absent)}")
        if self.url and (problem := _wrong_with(self.url)):
            raise ValueError(f"url {problem}: write it like http://localhost:8080/v1")
        return self

    @property
    def address(self) -> str:
        """The server's address."""
        return self.url or OLLAMA

    def prefixes(self, known: Prefixes | None = None) -> Prefixes:
        """Return what is said here, else what is known: of the folder, or of the model by its name."""
        known = known or prefixes_of(self.model)
        query = known.query if self.query_prefix is None else self.query_prefix
        return Prefixes(query, known.passage if self.passage_prefix is None else self.passage_prefix)


def key_in(variable: str, where: str) -> str:
    """Return the key that an environment variable holds; none where no variable is named. It is never written down.

    The only place where the environment is read: a key in a settings file would be copied with the archive.
    Raises SettingsError when the variable is not set, or holds what no key can be.
    """
    if not variable:
        return ""
    key = os.environ.get(variable, "").strip()
    if not key:
        raise SettingsError(
            f"the variable {variable!r} holds no key.",
            where=where,
            remedy=f"Set it before: `export {variable}=...`, or leave `key_variable` out where no key is needed.",
        )
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise SettingsError(
            f"the variable {variable!r} holds characters that no key has.", where=where, remedy="Copy the key again."
        )
    return key


def _wrong_with(url: str) -> str:
    """Say what is wrong with an address, or nothing."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as problem:
        return f"cannot be read ({problem})"
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return "is no address of a server"
    if parts.username or parts.password:
        return "holds a name or password, which would be recorded"
    return "holds more than an address and a path" if parts.query or parts.fragment else ""
