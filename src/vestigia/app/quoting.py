"""Checking the quotations of a text that a person wrote against the archive (B8)."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from vestigia.app.asking import open_index
from vestigia.app.places import cited
from vestigia.app.present import Plain, document
from vestigia.app.workspace import Workspace
from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.encodings import decode
from vestigia.corpus.readers.docx import read_docx
from vestigia.corpus.sources import FileSource
from vestigia.domain.archive import Access, Document, DocumentCard
from vestigia.domain.effects import CHARACTERS, WORDS, Scope, Search
from vestigia.domain.errors import UsageError
from vestigia.domain.ids import DocumentId
from vestigia.domain.quotations import Outcome, Seal
from vestigia.domain.text import word_spans
from vestigia.index.snapshot import Snapshot
from vestigia.inquiry.quotes.quoted import Quotation, quotations
from vestigia.inquiry.quotes.seal import seal

CANDIDATES = 30
"""Documents of each channel that a quotation without a citation is looked for in."""
LEAST_WORDS = 3
"""A shorter quotation stands in too many documents to say which was meant."""
_WORDS_SEARCHED = 40
_CITED_WITHIN = 160
"""Characters after a quotation in which the id of its document may stand."""
_ID = re.compile(r"[^\s()\[\]{}<>,;“”«»\"]+")
_ORDER = (Outcome.EXACT, Outcome.FOLDED, Outcome.ALTERED, Outcome.UNCHECKABLE)
_TEXTS = {".md", ".markdown", ".txt", ".text"}


@dataclass(frozen=True, slots=True)
class Check:
    """A quotation and what became of it. `card` is the document it was found in or is nearest to, none without one.

    `pages` are those it stands on, `there` the source's own words; both empty where the source may not be shown.
    """

    quotation: Quotation
    seal: Seal
    card: DocumentCard | None = None
    pages: tuple[str, ...] = ()
    there: tuple[str, ...] = ()


def check_quotes(workspace: Workspace, path: Path, *, closed: bool = False) -> tuple[Check, ...]:
    """Check every quotation of a Markdown, text or Word file against the archive, in the order of the file.

    A document whose id stands behind the quotation is the one that is meant; else it is looked for. With `closed` the
    words of closed documents are shown. Raises UsageError for other kinds of files, SourceRefusedError for broken ones.
    """
    text = written(path)
    catalogue = workspace.catalogue()
    try:
        index = open_index(workspace, catalogue)
        return tuple(_checked(one, text, catalogue, index, closed) for one in quotations(text))
    finally:
        catalogue.close()


def written(path: Path) -> str:
    """Read a text by the ending of its name. Raises UsageError where there is none of that kind."""
    source = FileSource(path, str(path))
    ending = path.suffix.casefold()
    if not source.is_regular:
        raise UsageError("there is no such file.", where=str(path))
    if ending == ".docx":
        return read_docx(source)
    if ending in _TEXTS:
        return decode(source)[0]
    raise UsageError(
        f"files ending in {ending or 'nothing'} cannot be read for quotations.",
        where=str(path),
        remedy="Save the text as .md, .txt or .docx.",
    )


def _checked(quotation: Quotation, text: str, catalogue: Catalogue, index: Snapshot, closed: bool) -> Check:
    cited = _cited(text, quotation, catalogue)
    if not cited and len(word_spans(quotation.text)) < LEAST_WORDS:
        why = f"it has fewer than {LEAST_WORDS} words; put the id of its document behind it"
        return Check(quotation, Seal(Outcome.UNCHECKABLE, why=why))
    names = cited or _found(quotation, index)
    documents = [document for name in names if (document := catalogue.document(name)) is not None]
    tried = [(seal(quotation.text, document.text), document) for document in documents]
    best, document = min(tried, key=lambda one: _rank(one[0]), default=(None, None))
    if best is None or document is None or not (cited or best.spans):
        return Check(quotation, Seal(Outcome.UNCHECKABLE, why="nothing like it was found in this archive"))
    (card,) = catalogue.documents([document.id])
    if card.access is Access.CLOSED and not closed:
        return Check(quotation, Seal(best.outcome, best.spans), card)
    return Check(quotation, best, card, _pages(document, best), tuple(document.text[a:b] for a, b in best.spans))


def _rank(found: Seal) -> tuple[int, bool, int]:
    """The better outcome first; of two altered ones the nearer, the one with fewer differences."""
    return _ORDER.index(found.outcome), not found.spans, found.why.count(";")


def _cited(text: str, quotation: Quotation, catalogue: Catalogue) -> tuple[DocumentId, ...]:
    """The documents whose ids stand behind a quotation, before the next one begins; a passage id names its document."""
    after = re.split(r"[«„“»\"]", text[quotation.end : quotation.end + _CITED_WITHIN], maxsplit=1)[0]
    names = [name.rstrip(".:!?’'*_") for name in _ID.findall(after)]
    ids = [DocumentId(one) for name in names for one in (name, name.split("#")[0]) if one]
    return tuple(dict.fromkeys(card.id for card in catalogue.documents(ids)))


def _found(quotation: Quotation, index: Snapshot) -> Sequence[DocumentId]:
    spans = word_spans(quotation.text)[:_WORDS_SEARCHED]
    words = " ".join(quotation.text[start:end] for start, end in spans)
    found = [index.search(Search(channel, words, Scope(), CANDIDATES)).hits for channel in (WORDS, CHARACTERS)]
    return list(dict.fromkeys(hit.document for hits in found for hit in hits))


def _pages(document: Document, found: Seal) -> tuple[str, ...]:
    pages = [
        anchor.page
        for start, end in found.spans
        for anchor in document.anchors
        if anchor.page and anchor.start < end and anchor.end > start
    ]
    return tuple(dict.fromkeys(pages))


def plain(checks: Sequence[Check]) -> Plain:
    """The checks as data: how many of each outcome, then each quotation with the source's own words."""
    return {"counts": counts(checks), "quotations": [_plain(check) for check in checks]}


def counts(checks: Sequence[Check]) -> dict[str, int]:
    """How many quotations came to each outcome."""
    counted = Counter(check.seal.outcome for check in checks)
    return {outcome.value: counted[outcome] for outcome in Outcome}


def _plain(check: Check) -> Plain:
    found = document(check.card, pages=cited(check.pages)) if check.card else {}
    return {
        "line": check.quotation.line,
        "quotation": check.quotation.text,
        "closed": check.quotation.closed,
        "outcome": check.seal.outcome,
        "why": check.seal.why or None,
        "document": found.get("document"),
        "citation": found.get("citation"),
        "pages": list(check.pages),
        "spans": [list(span) for span in check.seal.spans],
        "source": list(check.there),
    }
