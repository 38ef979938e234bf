"""The open part of a catalogue: a catalogue of its own that never heard of the closed documents (B11).

Hiding documents in every question that is put to a catalogue is easily forgotten in one of them; what is not there
cannot be found, counted, suggested or named.
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from vestigia.corpus import rows
from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.duplicates import find_duplicates
from vestigia.corpus.rights import opens_on
from vestigia.corpus.rows import Description
from vestigia.domain.archive import Access
from vestigia.domain.errors import ArchiveError
from vestigia.domain.ids import DocumentId


@dataclass(frozen=True, slots=True)
class Closed:
    """The closed documents, by id, the files they came from, and the first day on which one is closed no longer."""

    documents: tuple[DocumentId, ...]
    files: tuple[str, ...]
    next_opening: int | None


def closed_of(catalogue: Catalogue) -> Closed:
    """Find what is closed in a catalogue on its day."""
    said = {one.name: catalogue.description(one.name) for one in catalogue.sub_corpora()}
    documents, files, days = list[DocumentId](), set[str](), list[int]()
    for name, sub_corpus, file, rights, written in catalogue.store.stream(rows.ALL_RIGHTS):
        details = catalogue.store.decoded(rows.details, written)
        described = said[sub_corpus]
        if rows.access(rights, details, described, catalogue.today) is Access.CLOSED:
            documents.append(DocumentId(name))
            files.add(file)
            day = opens_on(rights, details) or opens_on(described.rights)
            if day is not None and (catalogue.today is None or day > catalogue.today):
                days.append(day)
    return Closed(tuple(sorted(documents)), tuple(sorted(files)), min(days, default=None))


def write_open_part(
    catalogue: Catalogue, closed: Closed, path: Path, tell: Callable[[int, int], None] = lambda _done, _of: None
) -> None:
    """Write a catalogue without the closed documents to `path`, which must not be there yet.

    Of files from which a closed document came there is no account in it, nor of sub-corpora that have none but closed
    ones. Raises ArchiveError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with catalogue.store.guarded(), closing(sqlite3.connect(path)) as copy:
            catalogue.store.connection.backup(copy)
    except OSError as error:
        raise ArchiveError(
            f"the open part of the archive cannot be written ({error.strerror}).", where=str(path), remedy="Make room."
        ) from error
    part = Catalogue(path, today=catalogue.today)
    try:
        with part.writing():
            for name in _closed_sub_corpora(part, closed):
                part.describe(name, Description())
            part.delete(closed.documents)
            store = part.store
            store.write("DELETE FROM files WHERE file = ?", [(file,) for file in closed.files])
            store.write("DELETE FROM versions WHERE document NOT IN (SELECT id FROM documents)")
            store.write("DELETE FROM renamed WHERE new NOT IN (SELECT sub_corpus FROM documents)")
        part.sweep()
        find_duplicates(part, tell)
    finally:
        part.close()


def _closed_sub_corpora(catalogue: Catalogue, closed: Closed) -> list[str]:
    """The sub-corpora of which every document is closed."""
    apart = set(closed.documents)
    return [one.name for one in catalogue.sub_corpora() if apart.issuperset(catalogue.find(sub_corpora=[one.name]))]
