"""The archive's texts in one SQLite file: documents, passages, and what was imported when.

A passage is kept as a span of its document, so its text cannot drift from it. The fingerprint is a sum of digests: it
does not depend on the order of import, and adding a document costs one addition.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from vestigia.corpus import rows
from vestigia.corpus.passages import MAX_TOKENS, cut
from vestigia.domain.archive import Anchor, Document, DocumentCard, Passage, Provenance, SubCorpus
from vestigia.domain.errors import ArchiveError, UsageError
from vestigia.domain.ids import Digest, DocumentId, PassageId, digest, passage_id

_WAIT = 10.0
"""Seconds to wait for another process that is writing."""


_TROUBLES = {
    "full": ("the disk is full; what was stored before is unharmed.", "Make room and run it again."),
    "locked": ("another process is writing to the catalogue.", "Wait for it to end and run it again."),
    "readonly": ("the catalogue cannot be written to.", "Change its permissions, or copy the archive."),
    "unable to open": ("the catalogue cannot be opened.", "Check that its folder exists and may be written to."),
    "not a database": ("the file is no catalogue.", "Choose another folder, or restore the catalogue from a copy."),
    "malformed": ("the catalogue is damaged.", "Restore it from a copy, or import anew."),
}


class Outcome(StrEnum):
    """What became of a document that was handed to the catalogue."""

    ADDED = "added"
    UNCHANGED = "unchanged"
    REDESCRIBED = "redescribed"
    """The same text is in already under this id, described otherwise; what is stored was kept."""
    CONFLICT = "conflict"
    """Another text is in already under this id; what is stored was kept."""


@dataclass(frozen=True, slots=True)
class Addition:
    """What became of a document: `passages` is how many went in, `stored` where the one came from that is kept."""

    outcome: Outcome
    passages: int
    stored: Provenance


class Catalogue:
    """The catalogue at `path`; made when absent.

    `max_tokens` is the passage rule, fixed when the catalogue is made (default 1000 tokens). Raises ArchiveError when
    the file cannot be used, belongs to another version, or was made with another rule.
    """

    def __init__(self, path: Path, max_tokens: int | None = None) -> None:
        self.path = path
        if max_tokens is not None and max_tokens < 1:
            raise UsageError(f"a passage needs at least one token, not {max_tokens}.", remedy="The default is 1000.")
        with self._guarded():
            # SQLite serialises access itself; a search may run in another thread than the one that opened it.
            self._db = sqlite3.connect(path, timeout=_WAIT, isolation_level=None, check_same_thread=False)
        try:
            self._prepare(max_tokens)
        except ArchiveError:
            self.close()
            raise

    def _prepare(self, max_tokens: int | None) -> None:
        with self._guarded():
            version = int(self._db.execute("PRAGMA user_version").fetchone()[0])
            foreign = version == 0 and self._db.execute("SELECT 1 FROM sqlite_master").fetchone() is not None
            if foreign or version not in {0, rows.VERSION}:
                raise ArchiveError("the file is no catalogue of this version.", where=str(self.path),
                                   remedy="Open it with the version of Vestigia that made it, or import anew.")
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            if version == 0:
                self._db.executescript(rows.schema(MAX_TOKENS if max_tokens is None else max_tokens))
        if max_tokens not in {None, self.max_tokens}:
            raise ArchiveError(f"the archive was cut into passages of at most {self.max_tokens} tokens, "
                               f"not {max_tokens}.", where=str(self.path),
                               remedy="Make a new archive for the other rule.")

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    @property
    def max_tokens(self) -> int:
        """The passage rule: at most this many tokens a passage."""
        return int(self._fact("max_tokens"))

    @property
    def batch(self) -> int:
        """The number of the last batch that changed anything; an index that has seen a lower one is stale."""
        return int(self._fact("batch"))

    @property
    def fingerprint(self) -> Digest:
        """Digest over the passage rule and every document's id and content, whatever the order of import."""
        return digest(f"{self.max_tokens} {self._fact('sum')}")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Write what is added inside as one batch, or nothing of it when it is left by an error or the process dies.

        Raises ArchiveError when the disk is full or another process is writing.
        """
        with self._guarded():
            self._db.execute("BEGIN IMMEDIATE")
            self._sum, self._number = int(self._fact("sum"), 16), self.batch + 1
        before = self._sum
        try:
            yield
            with self._guarded():
                if self._sum != before:
                    self._db.executemany("UPDATE facts SET value = ? WHERE name = ?",
                                         [(f"{self._sum:x}", "sum"), (str(self._number), "batch")])
                self._db.execute("COMMIT")
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

    def add(self, document: Document) -> Addition:
        """Add a document and its passages, inside `writing`; one that is in already is left as it is."""
        content = rows.content_digest(document)
        with self._guarded():
            known = self._db.execute(
                "SELECT content, text_digest, file, record, digest, reader, link, rights FROM documents WHERE id = ?",
                [document.id]).fetchone()
            if known is not None:
                outcome = Outcome.UNCHANGED if known[0] == content else (
                    Outcome.REDESCRIBED if known[1] == digest(document.text) else Outcome.CONFLICT)
                return Addition(outcome, 0, Provenance(*known[2:]))
            passages = cut(document.id, document.text, self.max_tokens)
            self._db.execute(rows.INSERT_DOCUMENT, rows.document_row(document, content, len(passages), self._number))
            self._db.executemany("INSERT INTO passages VALUES (?, ?, ?, ?)",
                                 [(passage.id, document.id, passage.start, passage.end) for passage in passages])
        self._sum = (self._sum + rows.weight(document.id, content)) % (1 << 256)
        return Addition(Outcome.ADDED, len(passages), document.provenance)

    def sub_corpora(self) -> tuple[SubCorpus, ...]:
        """All sub-corpora by name, with the counts of what was imported."""
        languages: dict[str, tuple[str, ...]] = {}
        for name, language in self._all(rows.LANGUAGES):
            languages[name] = (*languages.get(name, ()), language)
        return tuple(
            SubCorpus(name, documents, passages, dated, languages.get(name, ()), period=rows.extent(first, last))
            for name, documents, passages, dated, first, last in self._all(rows.SUB_CORPORA)
        )

    def documents(self, ids: Sequence[DocumentId]) -> tuple[DocumentCard, ...]:
        """The cards of the documents that exist, in the order asked."""
        found = {card.id: card for card in map(rows.card, self._all(rows.CARDS, ids))}
        return tuple(found[wanted] for wanted in ids if wanted in found)

    def document(self, wanted: DocumentId) -> Document | None:
        """One document with its text, or none."""
        found = self._all(rows.DOCUMENTS, [wanted])
        return rows.document(found[0]) if found else None

    def passages(self, ids: Sequence[PassageId]) -> tuple[Passage, ...]:
        """The passages that exist, in the order asked."""
        found = {PassageId(row[0]): Passage(*row) for row in self._all(rows.PASSAGES, ids)}
        return tuple(found[wanted] for wanted in ids if wanted in found)

    def anchors_of(self, passage: PassageId) -> tuple[Anchor, ...]:
        """Where a passage stands on pages, in its order; none for a text without pages and for no such passage.

        An anchor may reach beyond the passage on both sides; offsets are those of the document's text.
        """
        found = self._all(rows.PASSAGE_ANCHORS, [passage])
        if not found:
            return ()
        start, end, blob = found[0]
        return tuple(anchor for anchor in rows.anchors(blob) if anchor.start < end and start < anchor.end)

    def pairs(self, documents: Sequence[DocumentId] | None = None) -> Iterator[tuple[Passage, DocumentCard]]:
        """All passages, or those of some documents, each with its document's card.

        In the order of sub-corpus, first day (undated last), document id, start: a filter of an index laid out so
        is a slice. Texts are read one document at a time.
        """
        with self._guarded():
            ordered = self._db.execute(rows.ORDER if documents is None else rows.ORDER_OF, rows.listed(documents))
            for (wanted,) in ordered.fetchall():
                whole = self.document(wanted)
                if whole is not None:
                    card = rows.card_of(whole)
                    for start, end in self._all(rows.SPANS, [wanted]):
                        name = passage_id(whole.id, start, end)
                        yield Passage(name, whole.id, start, end, whole.text[start:end]), card

    def changed_since(self, batch: int) -> tuple[DocumentId, ...]:
        """The documents that came in after a batch, by id."""
        with self._guarded():
            return tuple(DocumentId(row[0]) for row in self._db.execute(rows.CHANGED, [batch]).fetchall())

    def _all(self, statement: str, ids: Sequence[str] | None = None) -> list[tuple[Any, ...]]:
        with self._guarded():
            return self._db.execute(statement, rows.listed(ids)).fetchall()

    def _fact(self, name: str) -> str:
        with self._guarded():
            return str(self._db.execute("SELECT value FROM facts WHERE name = ?", [name]).fetchone()[0])

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Say in our words what SQLite says in its own."""
        try:
            yield
        except sqlite3.Error as error:
            what, remedy = next((words for sign, words in _TROUBLES.items() if sign in str(error)),
                                (f"the catalogue cannot be used ({error}).", "Restore it from a copy, or import anew."))
            raise ArchiveError(what, where=str(self.path), remedy=remedy) from error
