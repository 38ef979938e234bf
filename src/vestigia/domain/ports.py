"""The seams: small protocols that the drivers know instead of the parts. Plug-ins implement them.

Each has a fake in `tests/fakes` and one contract suite in `tests/contract` that every implementation runs.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Literal, Protocol

from vestigia.domain.archive import Document, DocumentCard, Passage, SubCorpus
from vestigia.domain.effects import DatesRead, Expand, Expanded, Found, ReadDates, Replied, Search, Weigh, Weighed
from vestigia.domain.entries import Body, Entry
from vestigia.domain.ids import Digest, DocumentId, PassageId, RunId
from vestigia.domain.requests import Request

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Source(Protocol):
    """Something a reader can read: a file, later a member of a zip archive."""

    @property
    def name(self) -> str:
        """Its path as given by the user, with forward slashes."""
        ...

    def open(self) -> BinaryIO:
        """Open it from the beginning."""
        ...

    def sibling(self, path: str) -> "Source | None":
        """The file at a path relative to this one, or none; never one outside what the user gave."""
        ...


@dataclass(frozen=True, slots=True)
class Refused:
    """A record that did not become a document, or became one with something to say about it.

    `place` is a line number or an identifier inside the file; `kept` is true for a warning on a document that went in.
    `pages_without_text` counts the pages of which it says so.
    """

    place: str
    reason: str
    kept: bool = False
    pages_without_text: int = 0


@dataclass(frozen=True, slots=True)
class Claimed:
    """Another file was read with this one (a page of an issue) and is no document of its own; `name` is its name."""

    name: str


class Reader(Protocol):
    """Reads one kind of file. Yields a document, a refusal or a claim, and never raises for one bad record.

    Readers with `leads` true are asked first of all files, since they claim others.
    """

    @property
    def name(self) -> str:
        """A short name, e.g. `jsonl`."""
        ...

    def sniff(self, name: str, head: bytes) -> bool:
        """Whether this reader takes a file of that name beginning with these bytes (at most 64 kB)."""
        ...

    def read(self, source: Source) -> Iterator["Document | Refused | Claimed"]:
        """Read it all. Raises SourceRefusedError when nothing of the file can be read."""
        ...


class Corpus(Protocol):
    """The archive's texts."""

    @property
    def fingerprint(self) -> Digest:
        """Digest over every document's id and content."""
        ...

    def sub_corpora(self) -> tuple[SubCorpus, ...]:
        """All sub-corpora, by name."""
        ...

    def documents(self, ids: Sequence[DocumentId]) -> tuple[DocumentCard, ...]:
        """The cards of the documents that exist, in the order asked."""
        ...

    def passages(self, ids: Sequence[PassageId]) -> tuple[Passage, ...]:
        """The passages that exist, in the order asked."""
        ...


class Index(Protocol):
    """An immutable snapshot of the archive that can be searched."""

    @property
    def fingerprint(self) -> Digest:
        """Digest of what is searched: the catalogue's fingerprint, analysis, encoders."""
        ...

    def channels(self) -> tuple[str, ...]:
        """The channels that can be searched now."""
        ...

    def search(self, search: Search) -> Found:
        """Search one channel. Raises ArchiveError or ModelUnavailableError; never answers a failure with nothing."""
        ...

    def weigh(self, weigh: Weigh) -> Weighed:
        """How often the words of a text occur (B5)."""
        ...

    def expand(self, expand: Expand) -> Expanded:
        """Which words of the archive are near those of a text, function words left out (H7)."""
        ...


class DateReader(Protocol):
    """Reads the dates in running text."""

    def read(self, effect: ReadDates) -> DatesRead:
        """The periods in the text, in its order."""
        ...


class Encoder(Protocol):
    """Turns text into unit vectors. One that sends texts to a server has an attribute `server`, its address."""

    @property
    def name(self) -> str:
        """A short name, part of the channel's name."""
        ...

    @property
    def fingerprint(self) -> Digest:
        """Digest of package version, weights, dimension, prefixes and normalisation: vectors of two never mix."""
        ...

    def encode(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> "NDArray[np.float32]":
        """Return a float32 array of shape (len(texts), dimension), rows of length 1."""
        ...


def server_of(encoder: Encoder) -> str:
    """The address an encoder sends texts to; empty for one that works inside this program."""
    return str(getattr(encoder, "server", ""))


AT_ONCE = 8
"""Calls that a model is given at the same time when it does not say how many it bears."""


class Model(Protocol):
    """A language model, or what stands in for one.

    One that bears fewer or more than `AT_ONCE` calls at the same time says so in a whole number `at_once`; one that
    nobody else runs says `own = True`, for others' models are not shown what its rights keep from them (B11).
    """

    @property
    def name(self) -> str:
        """Shown on everything it wrote."""
        ...

    @property
    def fingerprint(self) -> Digest:
        """Digest of all that fixes its behaviour."""
        ...

    async def complete(
        self, request: Request, passages: Mapping[PassageId, Passage], prompt: Callable[[], str]
    ) -> Replied:
        """Answer one request about these passages. Raises ModelUnavailableError.

        `prompt()` writes the request in words and has them kept; a model that reads the request itself never calls it.
        """
        ...


class Ledger(Protocol):
    """The append-only log of one run."""

    @property
    def run(self) -> RunId:
        """The run it records."""
        ...

    def entries(self) -> tuple[Entry, ...]:
        """All entries, verified. Raises LedgerError."""
        ...

    def append(self, body: Body, actor: str, took: float | None = None) -> Entry:
        """Write one entry durably. `actor` is code, model:<name> or person:<name>; `took` is in seconds."""
        ...

    def keep(self, content: str) -> Digest:
        """Keep a large text beside the log, by digest."""
        ...

    def kept(self, key: Digest) -> str:
        """Return a kept text. Raises LedgerError when it is gone or altered."""
        ...
