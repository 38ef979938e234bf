"""How values stand in the catalogue's tables, and the statements that read them."""

import json
import zlib
from collections.abc import Sequence
from typing import Any

from vestigia.domain.archive import Anchor, Document, DocumentCard, Provenance
from vestigia.domain.ids import Digest, DocumentId, digest
from vestigia.domain.periods import Certainty, DatePeriod, Precision

VERSION = 2
"""Raised whenever the tables change."""

_SCHEMA = """
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS documents (
    id TEXT PRIMARY KEY, sub_corpus TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL, language TEXT NOT NULL,
    file TEXT NOT NULL, record TEXT NOT NULL, digest TEXT NOT NULL, reader TEXT NOT NULL, link TEXT NOT NULL,
    rights TEXT NOT NULL, dates TEXT NOT NULL, details TEXT NOT NULL, first INTEGER, last INTEGER,
    passages INTEGER NOT NULL, batch INTEGER NOT NULL, content TEXT NOT NULL, text_digest TEXT NOT NULL,
    anchors BLOB);
CREATE INDEX IF NOT EXISTS in_order ON documents (sub_corpus, first IS NULL, first, id);
CREATE INDEX IF NOT EXISTS by_batch ON documents (batch);
CREATE TABLE IF NOT EXISTS passages (
    id TEXT PRIMARY KEY, document TEXT NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS of_document ON passages (document, start);
INSERT OR IGNORE INTO facts VALUES ('max_tokens', '{max_tokens}'), ('batch', '0'), ('sum', '0');
PRAGMA user_version = {version};
COMMIT;
"""

INSERT_DOCUMENT = f"INSERT INTO documents VALUES ({', '.join('?' * 20)})"  # noqa: S608

_CARD = "id, sub_corpus, title, language, file, record, digest, reader, link, rights, dates, details"
_WANTED = "id IN (SELECT value FROM json_each(?))"
_IN_ORDER = "ORDER BY sub_corpus, first IS NULL, first, id"
CARDS = f"SELECT {_CARD} FROM documents WHERE {_WANTED}"  # noqa: S608
DOCUMENTS = f"SELECT {_CARD}, text, anchors FROM documents WHERE {_WANTED}"  # noqa: S608
PASSAGES = """SELECT p.id, p.document, p.start, p.end, substr(d.text, p.start + 1, p.end - p.start)
    FROM passages p JOIN documents d ON d.id = p.document WHERE p.id IN (SELECT value FROM json_each(?))"""
PASSAGE_ANCHORS = """SELECT p.start, p.end, d.anchors FROM passages p JOIN documents d ON d.id = p.document
    WHERE p.id IN (SELECT value FROM json_each(?))"""
SPANS = "SELECT start, end FROM passages WHERE document IN (SELECT value FROM json_each(?)) ORDER BY start"
ORDER = f"SELECT id FROM documents {_IN_ORDER}"  # noqa: S608
ORDER_OF = f"SELECT id FROM documents WHERE {_WANTED} {_IN_ORDER}"  # noqa: S608
CHANGED = "SELECT id FROM documents WHERE batch > ? ORDER BY id"
SUB_CORPORA = """SELECT sub_corpus, count(*), sum(passages), count(first), min(first), max(last)
    FROM documents GROUP BY sub_corpus ORDER BY sub_corpus"""
LANGUAGES = "SELECT DISTINCT sub_corpus, language FROM documents WHERE language <> '' ORDER BY sub_corpus, language"


def schema(max_tokens: int) -> str:
    """Return the statements that make an empty catalogue; two processes may run them at once."""
    return _SCHEMA.format(max_tokens=max_tokens, version=VERSION)


def listed(ids: Sequence[str] | None) -> list[str]:
    """Return the parameters of a statement: no ids for none, else one list, however long."""
    return [] if ids is None else [json.dumps(list(ids), ensure_ascii=False)]


def document_row(document: Document, content: Digest, passages: int, batch: int) -> tuple[Any, ...]:
    """Return a document as a row of `documents`."""
    place, period = document.provenance, document.period
    return (document.id, document.sub_corpus, document.title, document.text, document.language,
            place.file, place.record, place.digest, place.reader, place.link, place.rights,
            _dates_json(document), _json(document.details), period.first if period else None,
            period.last if period else None, passages, batch, content, digest(document.text),
            anchors_blob(document.anchors))


def card(row: Sequence[Any]) -> DocumentCard:
    """Return the card in a row of `CARDS`."""
    dates = _dates(row[10])
    return DocumentCard(DocumentId(row[0]), row[1], row[2], row[3], dates[0] if dates else None, Provenance(*row[4:10]),
                        _details(row[11]))


def document(row: Sequence[Any]) -> Document:
    """Return the document in a row of `DOCUMENTS`."""
    return Document(DocumentId(row[0]), row[1], row[2], row[12], row[3], Provenance(*row[4:10]), _dates(row[10]),
                    _details(row[11]), anchors(row[13]))


def card_of(whole: Document) -> DocumentCard:
    """Return a document without its text."""
    return DocumentCard(whole.id, whole.sub_corpus, whole.title, whole.language, whole.period, whole.provenance,
                        whole.details)


def extent(first: int | None, last: int | None) -> DatePeriod | None:
    """Return the period from the first to the last day of a sub-corpus (a side may be open), none when undated."""
    if first is None or last is None:
        return None
    return DatePeriod(first, last, Precision.DAY if first == last else Precision.RANGE)


def content_digest(document: Document) -> Digest:
    """Digest of all that a document says, whatever file it came from."""
    place = document.provenance
    return digest(_json([document.text, document.sub_corpus, document.title, document.language, place.link,
                         place.rights, _dates_json(document), document.details,
                         *([] if not document.anchors else [digest(anchors_json(document.anchors))])]))


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
    return tuple(Anchor(start, end, page, region, tuple(box) if box else None, image, confidence, raw)
                 for start, end, page, region, box, image, confidence, raw in json.loads(zlib.decompress(blob)))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _dates_json(document: Document) -> str:
    return _json([(one.first, one.last, one.precision, one.certainty, one.text, one.edtf, one.rule)
                  for one in document.dates])


def _dates(written: str) -> tuple[DatePeriod, ...]:
    return tuple(DatePeriod(first, last, Precision(precision), Certainty(certainty), text, edtf, rule)
                 for first, last, precision, certainty, text, edtf, rule in json.loads(written))


def _details(written: str) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in json.loads(written))
