"""How values stand in the catalogue's tables, and the statements that read them."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from vestigia.corpus.rights import access_of
from vestigia.domain.archive import Access, Anchor, Document, DocumentCard, Provenance, SubCorpus
from vestigia.domain.ids import Digest, DocumentId, digest
from vestigia.domain.periods import Certainty, DatePeriod, Precision

VERSION = 3
"""Raised whenever the tables change."""

_SCHEMA = """
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS documents (
    id TEXT PRIMARY KEY, sub_corpus TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL, language TEXT NOT NULL,
    file TEXT NOT NULL, record TEXT NOT NULL, digest TEXT NOT NULL, reader TEXT NOT NULL, link TEXT NOT NULL,
    rights TEXT NOT NULL, dates TEXT NOT NULL, details TEXT NOT NULL, first INTEGER, last INTEGER,
    passages INTEGER NOT NULL, batch INTEGER NOT NULL, content TEXT NOT NULL, text_digest TEXT NOT NULL,
    anchors BLOB, pages INTEGER NOT NULL, confidence REAL);
CREATE INDEX IF NOT EXISTS in_order ON documents (sub_corpus, first IS NULL, first, id);
CREATE INDEX IF NOT EXISTS by_batch ON documents (batch);
CREATE TABLE IF NOT EXISTS passages (
    id TEXT PRIMARY KEY, document TEXT NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS of_document ON passages (document, start);
CREATE TABLE IF NOT EXISTS descriptions (
    name TEXT PRIMARY KEY, genre TEXT NOT NULL, languages TEXT NOT NULL, rights TEXT NOT NULL, source TEXT NOT NULL,
    description TEXT NOT NULL, access TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS renamed (old TEXT PRIMARY KEY, new TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS fingerprints (batch INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS versions (document TEXT NOT NULL, batch INTEGER NOT NULL, text_digest TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS of_version ON versions (document, batch);
CREATE TABLE IF NOT EXISTS files (file TEXT PRIMARY KEY, report TEXT NOT NULL, warnings TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS twins (
    document TEXT NOT NULL, file TEXT NOT NULL, record TEXT NOT NULL, similarity REAL NOT NULL,
    PRIMARY KEY (document, file, record)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sketches (
    document TEXT PRIMARY KEY, letters TEXT NOT NULL, sketch BLOB NOT NULL, fresh INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS by_letters ON sketches (letters);
CREATE TABLE IF NOT EXISTS likenesses (
    one TEXT NOT NULL, other TEXT NOT NULL, similarity REAL NOT NULL, PRIMARY KEY (one, other)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_other ON likenesses (other);
CREATE TABLE IF NOT EXISTS clusters (
    document TEXT PRIMARY KEY, cluster TEXT NOT NULL, kind TEXT NOT NULL, similarity REAL NOT NULL) WITHOUT ROWID;
INSERT OR IGNORE INTO facts VALUES ('max_tokens', '{max_tokens}'), ('batch', '0'), ('sum', '0'), ('unswept', ''),
    ('clustered', '0');
PRAGMA user_version = {version};
COMMIT;
"""

INSERT_DOCUMENT = f"INSERT OR REPLACE INTO documents VALUES ({', '.join('?' * 22)})"  # noqa: S608

_CARD = "id, sub_corpus, title, language, file, record, digest, reader, link, rights, dates, details"
_WANTED = "id IN (SELECT value FROM json_each(?))"
_IN_ORDER = "ORDER BY sub_corpus, first IS NULL, first, id"
CARDS = f"""SELECT {_CARD}, (SELECT cluster FROM clusters WHERE document = id)
    FROM documents WHERE {_WANTED}"""  # noqa: S608
DOCUMENTS = f"SELECT {_CARD}, text, anchors FROM documents WHERE {_WANTED}"  # noqa: S608
PASSAGES = """SELECT p.id, p.document, p.start, p.end, substr(d.text, p.start + 1, p.end - p.start)
    FROM passages p JOIN documents d ON d.id = p.document WHERE p.id IN (SELECT value FROM json_each(?))"""
PASSAGE_ANCHORS = """SELECT p.id, d.id, p.start, p.end, d.anchors FROM passages p JOIN documents d ON d.id = p.document
    WHERE p.id IN (SELECT value FROM json_each(?))"""
_BESIDE = "SELECT id FROM documents WHERE sub_corpus = ?"
BESIDE = {
    (True, True): f"{_BESIDE} AND (first IS NULL) = 0 AND (first, id) > (?, ?) ORDER BY first, id LIMIT ?",
    (True, False): f"{_BESIDE} AND (first IS NULL) = 0 AND (first, id) < (?, ?) ORDER BY first DESC, id DESC LIMIT ?",
    (False, True): f"{_BESIDE} AND (first IS NULL) = 1 AND first IS NULL AND id > ? ORDER BY id LIMIT ?",
    (False, False): f"{_BESIDE} AND (first IS NULL) = 1 AND first IS NULL AND id < ? ORDER BY id DESC LIMIT ?",
}
"""The documents beside one, by whether it is dated and whether those after it are asked for."""
SPANS = "SELECT start, end FROM passages WHERE document IN (SELECT value FROM json_each(?)) ORDER BY start"
ORDER = f"SELECT id FROM documents {_IN_ORDER}"  # noqa: S608
ORDER_OF = f"SELECT id FROM documents WHERE {_WANTED} {_IN_ORDER}"  # noqa: S608
KNOWN = """SELECT content, text_digest, passages, file, record, digest, reader, link, rights
    FROM documents WHERE id = ?"""
OF_FILES = """SELECT id FROM documents WHERE EXISTS (SELECT 1 FROM json_each(?)
    WHERE file = value OR substr(file, 1, length(value) + 1) = value || '/') ORDER BY id"""
OF_SUB_CORPORA = "SELECT id FROM documents WHERE sub_corpus IN (SELECT value FROM json_each(?)) ORDER BY id"
FORGET = (
    # Where one of several equal texts goes, the others are compared anew in its place.
    """DELETE FROM sketches WHERE letters IN (SELECT letters FROM sketches WHERE document = ?)""",
    "DELETE FROM likenesses WHERE one = ?",
    "DELETE FROM likenesses WHERE other = ?",
    "DELETE FROM clusters WHERE document = ?",
    "DELETE FROM passages WHERE document = ?",
)
"""What is kept of a document's text beside it, document by document."""
FIRST_CHANGES = """SELECT v.document, v.text_digest, d.text_digest FROM versions v JOIN documents d ON d.id = v.document
    WHERE v.batch > ? AND v.document IN (SELECT value FROM json_each(?)) ORDER BY v.document, v.batch, v.rowid"""
CHANGED = "SELECT id FROM documents WHERE batch > ? ORDER BY id"
SUB_CORPORA = """SELECT sub_corpus, count(*), sum(passages), count(first), min(first), max(last)
    FROM documents GROUP BY sub_corpus ORDER BY sub_corpus"""
SPANS_OF = """SELECT first, last, count(*) FROM documents WHERE sub_corpus = ? AND first IS NOT NULL
    GROUP BY first, last ORDER BY first, last"""
LEGIBILITY = """SELECT sum(pages), sum(confidence * length(text)) / sum(CASE WHEN confidence IS NULL THEN 0
    ELSE length(text) END) FROM documents WHERE sub_corpus = ?"""
ALL_RIGHTS = "SELECT id, sub_corpus, file, rights, details FROM documents"
RIGHTS = "SELECT rights, details, count(*) FROM documents WHERE sub_corpus = ? GROUP BY rights, details"
LANGUAGES = "SELECT DISTINCT sub_corpus, language FROM documents WHERE language <> '' ORDER BY sub_corpus, language"


def schema(max_tokens: int) -> str:
    """Return the statements that make an empty catalogue; two processes may run them at once."""
    return _SCHEMA.format(max_tokens=max_tokens, version=VERSION)


def listed(ids: Sequence[str] | None) -> list[str]:
    """Return the parameters of a statement: no ids for none, else one list, however long."""
    return [] if ids is None else [json.dumps(list(ids), ensure_ascii=False)]


@dataclass(frozen=True, slots=True)
class Description:
    """What a person said of a sub-corpus. `languages` stand before those counted, `access` before all others."""

    genre: str = ""
    languages: tuple[str, ...] = ()
    rights: str = ""
    source: str = ""
    description: str = ""
    access: Access = Access.UNKNOWN

    @property
    def content(self) -> Digest:
        """Digest of all that is said."""
        return digest(_json(description_row("", self)[1:]))


def description_row(name: str, said: Description) -> tuple[str, ...]:
    """Return a description as a row of `descriptions`."""
    return (name, said.genre, _json(said.languages), said.rights, said.source, said.description, said.access)


def description(row: Sequence[str]) -> Description:
    """Return the description in a row of `descriptions`."""
    return Description(row[1], tuple(json.loads(row[2])), row[3], row[4], row[5], Access(row[6]))


def sub_corpus(row: Sequence[Any], languages: tuple[str, ...], said: Description) -> SubCorpus:
    """Return the sub-corpus in a row of `SUB_CORPORA`, with the languages counted and what is said of it."""
    name, documents, passages, dated, first, last = row
    return SubCorpus(
        name,
        documents,
        passages,
        dated,
        said.languages or languages,
        said.genre,
        said.description,
        extent(first, last),
        said.rights,
        said.source,
        said.access,
    )


def access(rights: str, described: Sequence[tuple[str, str]], said: Description, today: int | None = None) -> Access:
    """Return what may be done with a document by its rights and details, and what is said of its sub-corpus (B11).

    A person's word stands first, then the document's own, then the rights of its sub-corpus. What is closed until a
    day is closed where `today`, a day number, is not said.
    """
    return said.access or access_of(rights, described, today) or access_of(said.rights, (), today)


def document_row(document: Document, content: Digest, passages: int, batch: int) -> tuple[Any, ...]:
    """Return a document as a row of `documents`."""
    place, period = document.provenance, document.period
    return (
        document.id,
        document.sub_corpus,
        document.title,
        document.text,
        document.language,
        place.file,
        place.record,
        place.digest,
        place.reader,
        place.link,
        place.rights,
        _dates_json(document),
        _json(document.details),
        period.first if period else None,
        period.last if period else None,
        passages,
        batch,
        content,
        digest(document.text),
        anchors_blob(document.anchors),
        *legibility(document.anchors),
    )


def legibility(found: Sequence[Anchor]) -> tuple[int, float | None]:
    """Return the number of pages with text, and the mean confidence of its recognition by length, None if unknown."""
    sure = [(one.end - one.start, one.confidence) for one in found if one.confidence is not None]
    length = sum(size for size, _ in sure)
    pages = len(dict.fromkeys(one.page for one in found))
    return pages, sum(size * confidence for size, confidence in sure) / length if length else None


def card(row: Sequence[Any]) -> DocumentCard:
    """Return the card in a row of `CARDS`."""
    dates = _dates(row[10])
    return DocumentCard(
        DocumentId(row[0]),
        row[1],
        row[2],
        row[3],
        dates[0] if dates else None,
        Provenance(*row[4:10]),
        details(row[11]),
        cluster=row[12] or "",
    )


def document(row: Sequence[Any]) -> Document:
    """Return the document in a row of `DOCUMENTS`."""
    return Document(
        DocumentId(row[0]),
        row[1],
        row[2],
        row[12],
        row[3],
        Provenance(*row[4:10]),
        _dates(row[10]),
        details(row[11]),
        anchors(row[13]),
    )


def card_of(whole: Document) -> DocumentCard:
    """Return a document without its text."""
    return DocumentCard(
        whole.id, whole.sub_corpus, whole.title, whole.language, whole.period, whole.provenance, whole.details
    )


def extent(first: int | None, last: int | None) -> DatePeriod | None:
    """Return the period from the first to the last day of a sub-corpus (a side may be open), none when undated."""
    if first is None or last is None:
        return None
    return DatePeriod(first, last, Precision.DAY if first == last else Precision.RANGE)


def content_digest(document: Document) -> Digest:
    """Digest of all that a document says, whatever file it came from."""
    place = document.provenance
    return digest(
        _json(
            [
                document.text,
                document.sub_corpus,
                document.title,
                document.language,
                place.link,
                place.rights,
                _dates_json(document),
                document.details,
                *([] if not document.anchors else [digest(anchors_json(document.anchors))]),
            ]
        )
    )


def weight(name: DocumentId, content: Digest) -> int:
    """Return what a document adds to the catalogue's sum: 256 bits of its id and content."""
    return int(digest(f"{name}\n{content}").removeprefix("sha256:"), 16)


def anchors_blob(found: Sequence[Anchor]) -> bytes | None:
    """Return anchors as compressed JSON, none for none: they are many and asked for one document at a time."""
    if not found:
        return None
    return zlib.compress(anchors_json(found).encode())


def anchors_json(found: Sequence[Anchor]) -> str:
    """Return anchors as JSON rows."""
    return _json([(a.start, a.end, a.page, a.region, a.box, a.image, a.confidence, a.raw) for a in found])


def anchors(blob: bytes | None) -> tuple[Anchor, ...]:
    """Return the anchors in a blob."""
    if blob is None:
        return ()
    return tuple(
        Anchor(start, end, page, region, tuple(box) if box else None, image, confidence, raw)
        for start, end, page, region, box, image, confidence, raw in json.loads(zlib.decompress(blob))
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _dates_json(document: Document) -> str:
    return _json(
        [(one.first, one.last, one.precision, one.certainty, one.text, one.edtf, one.rule) for one in document.dates]
    )


def _dates(written: str) -> tuple[DatePeriod, ...]:
    return tuple(
        DatePeriod(first, last, Precision(precision), Certainty(certainty), text, edtf, rule)
        for first, last, precision, certainty, text, edtf, rule in json.loads(written)
    )


def details(written: str) -> tuple[tuple[str, str], ...]:
    """Return the further descriptions of a document in a row."""
    return tuple((name, value) for name, value in json.loads(written))
