"""Writing the index: batch by batch, each wholly in or not at all.

A batch is written into a generation of its own that shares every unchanged file with the one before; then the state
file names it, in one step. Until then readers and a restarted writer see the old generation, from then on the new.
"""

import shutil
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

import tantivy

from vestigia.domain.archive import DocumentCard, Passage
from vestigia.domain.errors import ArchiveError, UsageError
from vestigia.domain.ids import Digest, DocumentId, passage_id
from vestigia.index.durable import only_writer, share_files
from vestigia.index.known import Known
from vestigia.index.ranking import open_lexicon
from vestigia.index.rows import Entry, RowTable, entry
from vestigia.index.schema import FOLDED, WORDS_FOLDER, Description, engine_document, register_analysers, schema
from vestigia.index.spelling import MUCH, Spelling, learn
from vestigia.index.state import State, engine_version, generation_folder, read_state, write_state
from vestigia.index.wordlist import WordList

_HEAP = 200_000_000
"""Bytes the engine collects before it writes a part."""


class IndexWriter:
    """Adds and removes documents. One writer at a time; use it in a `with` statement.

    What was added since the last commit is lost when the writer is closed or killed, and can be added again:
    adding a document replaces the one of the same id.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = only_writer(folder, "writing the index")
        self._lock.__enter__()
        self._state = _standing(folder)
        self._generation = (self._state.generation if self._state else _newest(folder)) + 1
        self._batch: _Batch | None = None
        self._anew = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def state(self) -> State | None:
        """What is committed; none when nothing is, or what is counts no more: damaged, or of another version."""
        return self._state

    @property
    def documents(self) -> tuple[DocumentId, ...]:
        """The documents that are committed, by id."""
        if self._state is None:
            return ()
        return tuple(DocumentId(name) for name in RowTable.load(self._state.folder(self._folder)).documents)

    def begin_anew(self) -> None:
        """Let the next commit hold only what is added from here on, in files that never held anything else.

        The engine keeps what is removed in its files until it happens to merge them: this leaves nothing of it.
        """
        if self._batch is not None:
            self._batch.abandon()
            self._batch = None
        self._anew = True

    def add(self, pairs: Iterable[tuple[Passage, DocumentCard]]) -> int:
        """Add passages with their documents' cards and return how many.

        The passages of one document come together, though a call may end between two of them. A passage that came
        before in the same batch begins its document anew. Raises UsageError otherwise, ArchiveError on a full disk.
        """
        count = 0
        for passage, card in pairs:
            self._open_batch().add(passage, card)
            count += 1
        return count

    def remove(self, document_ids: Iterable[DocumentId]) -> None:
        """Remove documents with all their passages; one that is not there is no error."""
        for document in document_ids:
            self._open_batch().remove(document)

    def commit(self, batch: int, corpus: Digest) -> State:
        """Make everything since the last commit searchable, as the catalogue's `batch` with fingerprint `corpus`."""
        changed = self._batch is not None or self._state is None or self._anew
        if changed:
            pending = self._open_batch()
            self._batch = None
            pending.finish()
            state = State(batch, corpus, self._generation, pending.next_key, engine=engine_version())
        else:
            old = self._state
            assert old is not None  # noqa: S101  (else something would have changed)
            state = State(batch, corpus, old.generation, old.next_key, engine=old.engine)
        write_state(self._folder, state)
        self._state = state
        if changed:
            self._generation += 1
            before = () if self._anew else (state.generation - 1,)
            self._clear_generations(keep=(*before, state.generation))
            self._anew = False
        return state

    def close(self) -> None:
        """Give up what was not committed and let others write."""
        if self._batch is not None:
            self._batch.abandon()
            self._batch = None
        self._lock.__exit__(None, None, None)

    def _open_batch(self) -> "_Batch":
        if self._batch is None:
            self._clear_generations(keep=(self._state.generation,) if self._state else ())
            old = self._state.folder(self._folder) if self._state and not self._anew else None
            next_key = self._state.next_key if self._state else 0
            self._batch = _Batch(old, generation_folder(self._folder, self._generation), next_key)
        return self._batch

    def _clear_generations(self, keep: tuple[int, ...]) -> None:
        kept = {generation_folder(self._folder, generation) for generation in keep}
        for folder in sorted(self._folder.glob("generation-*")):
            if folder not in kept:
                # Where a reader still has files mapped this can fail; the next writer tries again.
                shutil.rmtree(folder, ignore_errors=True)


def _standing(folder: Path) -> State | None:
    """Return what is committed if it can be gone on with; else all is written anew, as it can be from the catalogue."""
    try:
        state = read_state(folder)
        if state is None or not state.is_current:
            return None
        home = state.folder(folder)
        open_lexicon(home, RowTable.load(home))
    except (ArchiveError, OSError, ValueError, KeyError):
        return None
    return state


def _newest(folder: Path) -> int:
    return max((int(path.name.removeprefix("generation-")) for path in folder.glob("generation-*[0-9]")), default=0)


class _Batch:
    """The generation being written, beginning as a copy of `old`."""

    def __init__(self, old: Path | None, new: Path, next_key: int) -> None:
        self._new = new
        self.next_key = next_key
        self._table = RowTable.empty()
        words = new / WORDS_FOLDER
        try:
            if old is not None:
                self._table = RowTable.load(old)
                share_files(old / WORDS_FOLDER, words)
            else:
                words.mkdir(parents=True)
            self._spelling = Spelling.load(old) if old is not None else None
            self._words = WordList.load(old) if old is not None else None
            self._index = tantivy.Index(schema(), str(words))
            register_analysers(self._index)
            self._writer = self._index.writer(_HEAP, 1)
        except (OSError, ValueError) as problem:
            raise _cannot_write(new, problem) from problem
        self._gone: set[DocumentId] = set()
        self._added: dict[DocumentId, list[Entry]] = {}
        self._current: DocumentId | None = None
        self._description: Description | None = None

    def add(self, passage: Passage, card: DocumentCard) -> None:
        """Add one passage."""
        if passage.document != card.id or passage.id != passage_id(card.id, passage.start, passage.end):
            raise UsageError(
                f"the passage {passage.id!r} is not named after its document and span", where=card.provenance.file
            )
        there = self._added.get(card.id)
        if there is None or any((e.start, e.end) == (passage.start, passage.end) for e in there):
            self._begin(card)
        elif card.id != self._current:
            raise UsageError(f"the passages of document {card.id!r} do not come together", where=card.provenance.file)
        assert self._description is not None  # noqa: S101  (it belongs to the current document)
        document = engine_document(self.next_key, passage, card, self._description)
        try:
            self._writer.add_document(document)
        except (OSError, ValueError) as problem:
            raise _cannot_write(self._new, problem) from problem
        self._added[card.id].append(entry(self.next_key, passage, card))
        self.next_key += 1

    def remove(self, document: DocumentId) -> None:
        """Remove one document, from what was there and from what this batch added."""
        if self._added.pop(document, None) is not None or self._table.place(document) is not None:
            self._writer.delete_documents_by_term("document", document)
        self._gone.add(document)
        if document == self._current:
            self._current = None

    def finish(self) -> None:
        """Bring everything to the disk."""
        try:
            self._writer.commit()
            self._writer.wait_merging_threads()
            entries = (entry for entries in self._added.values() for entry in entries)
            table = self._table.changed(self._gone, entries)
            table.save(self._new)
            self._learn(len(table))
        except (OSError, ValueError) as problem:
            raise _cannot_write(self._new, problem) from problem

    def _learn(self, passages: int) -> None:
        """Learn what is misread in what is in now; keep what was learnt while the archive has hardly changed."""
        spelling, words = self._spelling, self._words
        self._index.reload()
        terms = self._index.searcher().terms_with_prefix(FOLDED, "")
        if spelling is None or spelling.is_due(passages):
            spelling = learn(terms, passages)
            words = WordList.of(word for word, _ in terms) if spelling.misread >= MUCH else None
        Known.of(word for word, _ in terms).save(self._new)
        spelling.save(self._new)
        if words is not None:
            words.save(self._new)

    def abandon(self) -> None:
        """Drop the unfinished generation."""
        self._writer.rollback()
        del self._writer
        shutil.rmtree(self._new, ignore_errors=True)

    def _begin(self, card: DocumentCard) -> None:
        self.remove(card.id)
        self._added[card.id] = []
        self._current = card.id
        self._description = Description(card)


def _cannot_write(folder: Path, problem: Exception) -> ArchiveError:
    return ArchiveError(
        f"the index cannot be written ({problem}).",
        where=str(folder),
        remedy="What was committed before is unharmed; make room or repair the disk and add again.",
    )
