"""Which reader takes a file; what goes with documents and is none; what a file that no reader takes is.

A file that accompanies documents (a description, questions of a test collection, an image) is passed over and told.
"""

import posixpath
from fnmatch import fnmatch

from vestigia.corpus.folders import HEAD, Found
from vestigia.corpus.readers.xml import root_name
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ports import Reader

_NOT_DOCUMENTS = {
    "queries.jsonl": "questions of a test collection",
    "questions.jsonl": "questions of a test collection",
    "qrels*.tsv": "judgments of a test collection",
    "qrels*.txt": "judgments of a test collection",
    "source.md": "a description of the folder",
    "readme*": "a description of the folder",
    "licen[cs]e*": "a licence",
    "thumbs.db": "a file of the operating system",
    "desktop.ini": "a file of the operating system",
    "~$*": "a mark that a program left while it had a file open",
}
_IMAGES = (".jpg", ".jpeg", ".jp2", ".tif", ".tiff", ".png", ".gif", ".bmp", ".webp")

_DESCRIPTIONS = {
    b"http://www.loc.gov/MARC21/slim": "a library's records (MARCXML)",
    b"<controlfield": "a library's records (MARCXML)",
    b"modsCollection": "records (MODS)",
    b"mods": "records (MODS)",
    b"ead": "a finding aid (EAD) with its entries",
    b"OAI-PMH": "the answer of a catalogue (OAI-PMH) with its records",
    b"searchRetrieveResponse": "the answer of a catalogue (SRU) with its records",
}
"""XML that tells of sources without being one, by its first element or by a name in its beginning."""
_COMPANIONS = {"trpDocMetadata": "what Transkribus knows of the document; it is read with the METS file beside it"}
"""XML that goes with documents, by its first element."""


class NoDocumentError(SourceRefusedError):
    """A file that goes with documents and is none."""


def choose(source: Found, readers: tuple[Reader, ...]) -> Reader:
    """Return the first reader that takes a file.

    Raises NoDocumentError for what goes with documents, SourceRefusedError for what no reader takes, and OSError.
    """
    for pattern, kind in _NOT_DOCUMENTS.items():
        if fnmatch(posixpath.basename(source.name).casefold(), pattern):
            raise NoDocumentError(kind)
    if not source.is_regular:
        raise SourceRefusedError(
            "this is no regular file, or a link to nothing.", where=source.name, remedy="Put the file itself here."
        )
    head = b""
    if not source.is_empty:
        with source.open() as stream:
            head = stream.read(HEAD)
    if not head:
        raise SourceRefusedError("the file is empty.", where=source.name, remedy="Replace it with a complete copy.")
    for reader in readers:
        if reader.sniff(source.name, head):
            return reader
    raise _unknown(source.name, head)


def _unknown(name: str, head: bytes) -> SourceRefusedError:
    """Say of a file that no reader takes what it is, as far as its beginning tells."""
    root = root_name(head)
    if root in _COMPANIONS:
        return NoDocumentError(_COMPANIONS[root])
    if name.casefold().endswith(_IMAGES):
        return NoDocumentError("an image; only text that was recognised or transcribed can be searched")
    for sign, kind in _DESCRIPTIONS.items():
        if sign == root.encode() or (root and (b":" in sign or b"<" in sign) and sign in head):
            return SourceRefusedError(
                f"it is {kind}, which describe sources and hold none of their texts.",
                where=name,
                remedy="Add the texts themselves.",
            )
    what = f"no reader takes XML that begins with <{root}>." if root else "no reader takes files of this kind."
    return SourceRefusedError(what, where=name, remedy="Convert it to TEI, CSV, JSON Lines or plain text.")
