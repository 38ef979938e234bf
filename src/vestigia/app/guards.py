"""Parts of plug-ins behind their port: whatever their code raises becomes an error of ours that names the plug-in.

A broad `except` stands here and nowhere behind it: this is where others' code begins.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from vestigia.app.plugins import said
from vestigia.corpus.readers.layout import Layout
from vestigia.corpus.readers.mapping import Mappable
from vestigia.corpus.readers.naming import Nameable, NamePattern
from vestigia.domain.archive import Anchor, Document, Passage, Provenance
from vestigia.domain.effects import Replied
from vestigia.domain.errors import ModelUnavailableError, SettingsError, SourceRefusedError, VestigiaError
from vestigia.domain.ids import Digest, PassageId
from vestigia.domain.periods import DatePeriod
from vestigia.domain.ports import AT_ONCE, Claimed, Encoder, Model, Reader, Refused, Source, server_of
from vestigia.domain.requests import Request

if TYPE_CHECKING:
    from numpy.typing import NDArray


class _Blame(Protocol):
    def __call__(self, what: str, *, where: str = "", remedy: str = "") -> VestigiaError: ...


@contextmanager
def _told(plugin: str, blame: _Blame, where: str = "") -> Iterator[None]:
    try:
        yield
    except (VestigiaError, OSError):
        raise
    except (Exception, SystemExit) as error:  # others' code runs here and may raise whatever it likes
        raise blame(f"the plug-in {plugin!r} failed ({said(error)}).", where=where,
                    remedy="Tell its authors, or remove the package that brings it.") from error  # fmt: skip


@dataclass(frozen=True, slots=True)
class GuardedReader:
    """A reader of a plug-in: what it raises refuses the file in hand."""

    plugin: str
    part: Any

    @property
    def name(self) -> str:
        """The reader's name."""
        return str(self.part.name)

    @property
    def leads(self) -> bool:
        """Whether it is asked first of all files."""
        return bool(getattr(self.part, "leads", False))

    def sniff(self, name: str, head: bytes) -> bool:
        """Whether it takes the file."""
        with _told(self.plugin, SourceRefusedError, name):
            return bool(self.part.sniff(name, head))

    def read(self, source: Source) -> Iterator[Document | Refused | Claimed]:
        """Read it all; what is no document, refusal or claim, or none that can be stored, refuses the file."""
        with _told(self.plugin, SourceRefusedError, source.name):
            for one in self.part.read(source):
                if not isinstance(one, Document | Refused | Claimed):
                    raise TypeError(f"it yields {type(one).__name__}, which is no document")
                if isinstance(one, Document) and (wrong := next(_wrong(one), "")):
                    raise TypeError(f"in its document {one.id!r} the {wrong}")
                yield one

    def layouts(self, source: Source) -> tuple[Layout, ...]:
        """Return how it understands the file, if it says so."""
        with _told(self.plugin, SourceRefusedError, source.name):
            return tuple(self.part.layouts(source)) if hasattr(self.part, "layouts") else ()

    def with_mapping(self, mapping: Mapping[str, str]) -> Reader:
        """Return it with the user's mapping of columns, if it takes one."""
        if not isinstance(self.part, Mappable):
            return self
        with _told(self.plugin, SettingsError):
            return replace(self, part=self.part.with_mapping(mapping))

    def with_name_patterns(self, patterns: Sequence[NamePattern]) -> Reader:
        """Return it with the user's patterns of file names, if it takes them."""
        if not isinstance(self.part, Nameable):
            return self
        with _told(self.plugin, SettingsError):
            return replace(self, part=self.part.with_name_patterns(patterns))


def _wrong(one: Document) -> Iterator[str]:
    """Say which parts of a document are not of their type: Python lets a reader put anything there."""
    for name in ("id", "sub_corpus", "title", "text", "language"):
        if not isinstance(written := getattr(one, name), str):
            yield f"{name} is {type(written).__name__}, not str"
    if not str(one.id).strip():
        yield "id is empty"
    if not isinstance(one.provenance, Provenance):
        yield f"provenance is {type(one.provenance).__name__}, not Provenance"
    elif not all(isinstance(getattr(one.provenance, part.name), str) for part in fields(Provenance)):
        yield "provenance holds what is no str"
    for name, kind in (("dates", DatePeriod), ("anchors", Anchor)):
        if not _all_of(kind, getattr(one, name)):
            yield f"{name} are no tuple of {kind.__name__}"
    if not (_all_of(tuple, one.details) and all(len(pair) == 2 and _all_of(str, pair) for pair in one.details)):
        yield "details are no tuple of pairs of words"


def _all_of(kind: type, held: object) -> bool:
    return isinstance(held, tuple) and all(isinstance(each, kind) for each in held)


@dataclass(frozen=True, slots=True)
class GuardedEncoder:
    """An encoder of a plug-in: what it raises makes it unavailable."""

    plugin: str
    part: Encoder

    @property
    def name(self) -> str:
        """The encoder's name."""
        with _told(self.plugin, ModelUnavailableError):
            return str(self.part.name)

    @property
    def fingerprint(self) -> Digest:
        """Digest of all that fixes its vectors."""
        with _told(self.plugin, ModelUnavailableError):
            return Digest(str(self.part.fingerprint))

    @property
    def server(self) -> str:
        """The address that texts are sent to, if it says one."""
        with _told(self.plugin, ModelUnavailableError):
            return server_of(self.part)

    def encode(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> "NDArray[np.float32]":
        """Return a float32 array of shape (len(texts), dimension)."""
        with _told(self.plugin, ModelUnavailableError):
            vectors = np.asarray(self.part.encode(texts, kind), np.float32)
            if vectors.ndim != 2 or len(vectors) != len(texts):
                raise ValueError(f"{len(texts)} texts gave an array of shape {vectors.shape}")
            return vectors


@dataclass(frozen=True, slots=True)
class GuardedModel:
    """A model of a plug-in: what it raises is no answer, and the run can be resumed."""

    plugin: str
    part: Model

    @property
    def name(self) -> str:
        """The model's name."""
        with _told(self.plugin, ModelUnavailableError):
            return str(self.part.name)

    @property
    def fingerprint(self) -> Digest:
        """Digest of all that fixes its behaviour."""
        with _told(self.plugin, ModelUnavailableError):
            return Digest(str(self.part.fingerprint))

    @property
    def at_once(self) -> int:
        """How many calls it bears at the same time."""
        with _told(self.plugin, ModelUnavailableError):
            return max(1, int(getattr(self.part, "at_once", AT_ONCE)))

    @property
    def own(self) -> bool:
        """Whether nobody else runs it; one that does not say so is another's (B11)."""
        with _told(self.plugin, ModelUnavailableError):
            return bool(getattr(self.part, "own", False))

    async def complete(
        self, request: Request, passages: Mapping[PassageId, Passage], prompt: Callable[[], str]
    ) -> Replied:
        """Answer one request."""
        with _told(self.plugin, ModelUnavailableError):
            replied = await self.part.complete(request, passages, prompt)
            if not isinstance(replied, Replied):
                raise TypeError(f"it answers with {type(replied).__name__}")
            return replied


def guarded_reader(plugin: str, part: object) -> Reader:
    """Guard the reader that a plug-in names. Raises SettingsError when it is none."""
    if not all(hasattr(part, attribute) for attribute in ("name", "sniff", "read")) or isinstance(part, type):
        raise SettingsError(
            f"the plug-in {plugin!r} is no reader.", remedy="It must name an object with `name`, `sniff` and `read`."
        )
    return GuardedReader(plugin, part)
