"""Identifiers: distinct types, derived from content, never random."""

import hashlib
from typing import NewType

DocumentId = NewType("DocumentId", str)
"""The archive's own identifier of a document, or a digest of its content where it has none."""

PassageId = NewType("PassageId", str)
"""`<document>#<start>-<end>`: character offsets into the document's text, end exclusive."""

SubQuestionId = NewType("SubQuestionId", str)
RunId = NewType("RunId", str)
Digest = NewType("Digest", str)
"""`sha256:` and 64 hexadecimal digits."""


def digest(content: str | bytes) -> Digest:
    """Return the SHA-256 digest of `content`; text is encoded as UTF-8."""
    encoded = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return Digest("sha256:" + hashlib.sha256(encoded).hexdigest())


def passage_id(document: DocumentId, start: int, end: int) -> PassageId:
    """Name the passage `document.text[start:end]`."""
    return PassageId(f"{document}#{start}-{end}")
