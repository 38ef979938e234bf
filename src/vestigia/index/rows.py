"""The table of passages: one row each, in columns, laid out by sub-corpus and then first day.

It answers every filter by arithmetic, names the hits, and gives the vectors their order, so that a filter on
sub-corpus and date is a slice of them.
"""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vestigia.domain.archive import DocumentCard, Passage
from vestigia.domain.effects import Scope
from vestigia.domain.errors import ArchiveError
from vestigia.domain.ids import DocumentId, PassageId, digest, passage_id
from vestigia.domain.periods import FAR_FUTURE, FAR_PAST
from vestigia.index.durable import write_file, write_text

Rows = NDArray[np.int64]
"""Numbers of rows, ascending unless said otherwise."""

ROW = np.dtype(
    [
        ("key", "<i8"),
        ("document", "<i8"),
        ("sub_corpus", "<i8"),
        ("language", "<i8"),
        ("first", "<i8"),
        ("last", "<i8"),
        ("start", "<i8"),
        ("end", "<i8"),
        ("text", "S32"),
    ]
)
"""`document`, `sub_corpus` and `language` are places in the sorted lists of names; `text` is the passage's digest."""

UNDATED = (2 * FAR_FUTURE, 2 * FAR_PAST)
"""First and last day of a document without date: it begins after it ends, so it overlaps nothing."""


def damaged(how: str) -> ArchiveError:
    """Say that files of the index are damaged in a way that opening them does not show."""
    return ArchiveError(
        f"a file of the index is damaged: {how}.",
        where="index",
        remedy="Delete the folder `index` of the archive, or restore it, and run `vestigia add` once "
        "more: it is rebuilt from the catalogue.",
    )


@dataclass(frozen=True, slots=True)
class Entry:
    """A row before it has its place."""

    key: int
    document: DocumentId
    sub_corpus: str
    language: str
    first: int
    last: int
    start: int
    end: int
    text: str


def heading(card: DocumentCard) -> str:
    """Return what is put before every piece of a document that is encoded: its source and title; nothing untitled.

    A piece of a letter seldom names its writer or subject; with the heading the meaning channel found 0.04 to 0.08
    more of the judged documents (docs/decisions/0003).
    """
    return f"{card.sub_corpus}: {card.title}. " if card.title else ""


def vector_key(passage: Passage, card: DocumentCard) -> str:
    """Return the digest by which the vectors of a passage are kept: 128 bits, as 32 hexadecimal digits."""
    return digest(f"{heading(card)}\n{passage.text}").removeprefix("sha256:")[:32]


def entry(key: int, passage: Passage, card: DocumentCard) -> Entry:
    """Make the row of a passage."""
    first, last = (card.period.first, card.period.last) if card.period else UNDATED
    return Entry(
        key, card.id, card.sub_corpus, card.language, first, last, passage.start, passage.end, vector_key(passage, card)
    )


class RowTable:
    """All passages of a generation. `data` has dtype ROW; the lists of names are sorted."""

    def __init__(
        self, data: "NDArray[Any]", documents: tuple[str, ...], sub_corpora: tuple[str, ...], languages: tuple[str, ...]
    ) -> None:
        self.data = data
        self.documents = documents
        self.sub_corpora = sub_corpora
        self.languages = languages
        self._columns: dict[str, NDArray[Any]] = {}

    def __len__(self) -> int:
        return len(self.data)

    @classmethod
    def empty(cls) -> "RowTable":
        """Return the table of an empty archive."""
        return cls(np.zeros(0, ROW), (), (), ())

    @classmethod
    def load(cls, folder: Path) -> "RowTable":
        """Read the table of a generation. Raises OSError or ValueError when it is not there or damaged."""
        names = json.loads((folder / "names.json").read_text(encoding="utf-8"))
        data: NDArray[Any] = np.load(folder / "rows.npy", allow_pickle=False)
        lists = [tuple(names[kind]) for kind in ("documents", "sub_corpora", "languages")]
        if data.dtype != ROW or data.ndim != 1:
            raise ValueError("the table of passages is none")
        for column, listed in zip(("document", "sub_corpus", "language"), lists, strict=True):
            if len(data) and not 0 <= data[column].min() <= data[column].max() < len(listed):
                raise ValueError(f"the table of passages names a {column} that is not listed")
        return cls(data, *lists)

    def save(self, folder: Path) -> None:
        """Write the table into a generation's folder."""
        names = {"documents": self.documents, "sub_corpora": self.sub_corpora, "languages": self.languages}
        write_text(folder / "names.json", json.dumps(names))
        write_file(folder / "rows.npy", self._write)

    def changed(self, gone: Collection[DocumentId], new: Iterable[Entry]) -> "RowTable":
        """Return the table without the documents `gone` and with the rows `new`."""
        keep = self.data[~np.isin(self.data["document"], [p for d in gone if (p := self.place(d)) is not None])]
        named = [
            np.asarray(names, object)[keep[column]].tolist() if len(keep) else []
            for column, names in (
                ("document", self.documents),
                ("sub_corpus", self.sub_corpora),
                ("language", self.languages),
            )
        ]

        def row(one: Entry) -> tuple[Any, ...]:
            for names, name in zip(named, (one.document, one.sub_corpus, one.language), strict=True):
                names.append(name)
            return (one.key, 0, 0, 0, one.first, one.last, one.start, one.end, one.text.encode())

        data = np.concatenate([keep, np.fromiter(map(row, new), ROW)])
        lists = []
        for column, values in zip(("document", "sub_corpus", "language"), named, strict=True):
            names = sorted(set(values))
            places = {name: place for place, name in enumerate(names)}
            data[column] = [places[value] for value in values]
            lists.append(tuple(names))
        order = np.lexsort((data["end"], data["start"], data["document"], data["first"], data["sub_corpus"]))
        return RowTable(data[order], *lists)

    def column(self, name: str) -> "NDArray[Any]":
        """Return a column of `data` as an array of its own: much faster to pass over."""
        if name not in self._columns:
            self._columns[name] = np.ascontiguousarray(self.data[name])
        return self._columns[name]

    def place(self, document: str) -> int | None:
        """Return the document's place in the list of names, or none."""
        return self._places.get(document)

    def passage(self, row: int) -> PassageId:
        """Name the passage of a row."""
        found = self.data[row]
        return passage_id(self.document(row), int(found["start"]), int(found["end"]))

    def document(self, row: int) -> DocumentId:
        """Name the document of a row."""
        return DocumentId(self.documents[int(self.data["document"][row])])

    def with_keys(self, keys: "NDArray[np.int64]") -> Rows:
        """Return the rows that have these keys, in the order of the keys.

        Raises ArchiveError when there is no such row, as with damaged files of the engine.
        """
        places = np.searchsorted(self._keys, keys)
        if not np.array_equal(self._keys[np.minimum(places, len(self._keys) - 1)] if len(self._keys) else [], keys):
            raise damaged("it names passages that are not in its table")
        return self._by_key[places]

    def in_scope(self, scope: Scope) -> Rows:
        """Return the rows that pass every filter, ascending."""
        allowed = np.ones(len(self), bool)
        for wanted, names, column in (
            (scope.sub_corpora, self.sub_corpora, "sub_corpus"),
            (scope.languages, self.languages, "language"),
        ):
            if wanted:
                allowed &= np.isin(self.column(column), [place for place, name in enumerate(names) if name in wanted])
        if scope.documents:
            allowed &= np.isin(
                self.column("document"), [p for d in scope.documents if (p := self.place(d)) is not None]
            )
        if scope.period is not None:
            allowed &= (self.column("first") <= scope.period.last) & (self.column("last") >= scope.period.first)
        allowed[self.of_passages(scope.without)] = False
        return np.flatnonzero(allowed)

    def of_passages(self, passages: Iterable[PassageId]) -> list[int]:
        """Return the rows of the passages that exist."""
        return [row for passage in passages if (row := self._row(passage)) is not None]

    def _row(self, passage: PassageId) -> int | None:
        document, _, span = passage.rpartition("#")
        place = self.place(document)
        start, _, end = span.partition("-")
        if place is None or not (start.isdecimal() and end.isdecimal()):
            return None
        left, right = np.searchsorted(self.data["document"][self._by_document], [place, place + 1])
        for row in self._by_document[left:right].tolist():
            if (self.data["start"][row], self.data["end"][row]) == (int(start), int(end)):
                return int(row)
        return None

    @cached_property
    def _places(self) -> dict[str, int]:
        return {document: place for place, document in enumerate(self.documents)}

    @cached_property
    def _by_key(self) -> Rows:
        return np.argsort(self.data["key"], kind="stable")

    @cached_property
    def _keys(self) -> "NDArray[np.int64]":
        """All keys, ascending."""
        return np.ascontiguousarray(self.data["key"][self._by_key])

    @cached_property
    def _by_document(self) -> Rows:
        return np.argsort(self.data["document"], kind="stable")

    def _write(self, path: Path) -> None:
        with path.open("wb") as file:
            np.save(file, self.data, allow_pickle=False)
