"""One source as its page shows it: text in passages, dates as written and as read, where it stands on pages, its
neighbours and copies, how it is cited, and what was done with it (B7, H10).

Long texts are given a few passages at a time. A text that may not be shown has none, nor a picture of it.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from vestigia.app import places, present, works
from vestigia.app.citations import Style, citation
from vestigia.app.corrections import Correction, corrections_of, standing
from vestigia.app.describing import reference
from vestigia.app.rested import resting
from vestigia.app.used import Use, uses
from vestigia.app.workspace import Workspace
from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.duplicates import Cluster, cluster_of, twins
from vestigia.corpus.rows import legibility
from vestigia.domain.archive import Access, Anchor, Document, DocumentCard
from vestigia.domain.errors import UsageError, VestigiaError
from vestigia.domain.ids import DocumentId, PassageId, passage_id
from vestigia.domain.periods import DatePeriod, label

Plain = dict[str, Any]
SHOWN = 12
"""Passages shown at a time."""
_MOST_LINES = 4000
"""Lines of a page that are outlined; what claims more is no page."""


@dataclass(frozen=True, slots=True)
class Place:
    """Which part of a source is wanted: that with a passage, else the `part`-th, from 1; and which page, from 1."""

    passage: str = ""
    part: int = 1
    page: int = 0


def source(workspace: Workspace, name: str, place: Place = Place(), *, closed: bool = False) -> Plain:
    """Describe a source; with `closed` the text of a closed one is given.

    A passage that it has not, as when its text was replaced since, is `lost`. Raises UsageError where there is no
    source of that name, or no such part of it.
    """
    catalogue = workspace.catalogue()
    try:
        whole, card = _found(catalogue, name)
        spans = catalogue.spans_of(whole.id)
        chosen, part = _wanted(whole, spans, place)
        described = {one.name: one for one in catalogue.sub_corpora()}
        before, after = catalogue.beside(card)
        copies = cluster_of(catalogue, whole.id)
        others = twins(catalogue, whole.id)
    finally:
        catalogue.close()
    why = present.CLOSED if card.access is Access.CLOSED and not closed else ""
    shown = spans[(part - 1) * SHOWN : part * SHOWN]
    kept = [] if why else corrections_of(workspace, whole.id)
    ready = standing(whole.text, kept)
    pages, confidence = legibility(whole.anchors)
    told = reference(card, described)
    return {
        **present.document(card, why),
        "citation": citation(told),
        "citations": {style.value: citation(told, style) for style in Style},
        "language": whole.language or None,
        "dates": [_date(one) for one in whole.dates],
        "details": [list(pair) for pair in whole.details],
        "file": present.file_shown(whole.provenance.file),
        "record": whole.provenance.record or None,
        "digest": whole.provenance.digest,
        "reader": whole.provenance.reader,
        "characters": len(whole.text),
        "pages": pages,
        "confidence": None if confidence is None else round(confidence, 4),
        "part": part,
        "parts": max(1, -(-len(spans) // SHOWN)),
        "passage": chosen,
        "lost": place.passage if place.passage and not chosen else None,
        "passages": [] if why else [_passage(whole, span, chosen, ready) for span in shown],
        "image": None if why else _page(whole, chosen, shown, place.page),
        "corrections": [_correction(one, ready) for one in kept],
        "before": [_named(one) for one in before],
        "after": [_named(one) for one in after],
        "alike": _alike(copies, whole.id),
        "twins": [{**asdict(one), "file": present.file_shown(one.file)} for one in others],
        "used": [_used(workspace, one, kept) for one in uses(workspace, whole.id)],
    }


def pages_of(whole: Document) -> list[list[Anchor]]:
    """The lines of each page of a document, in its order."""
    found: dict[tuple[str, str], list[Anchor]] = {}
    for anchor in whole.anchors:
        found.setdefault((anchor.page, anchor.image), []).append(anchor)
    return list(found.values())


def _found(catalogue: Catalogue, name: str) -> tuple[Document, DocumentCard]:
    whole = catalogue.document(DocumentId(name))
    cards = catalogue.documents([DocumentId(name)])
    if whole is None or not cards:
        raise UsageError("there is no such source.", remedy="Search for it, or begin at the archive.")
    return whole, cards[0]


def _wanted(whole: Document, spans: Sequence[tuple[int, int]], place: Place) -> tuple[PassageId | None, int]:
    """The passage that was asked for, or none, and the part of the source to show."""
    if place.passage:
        for number, (start, end) in enumerate(spans):
            if passage_id(whole.id, start, end) == place.passage:
                return PassageId(place.passage), number // SHOWN + 1
    if not 1 <= place.part <= max(1, -(-len(spans) // SHOWN)):
        raise UsageError("the source has no such part.", remedy="Begin at its first.")
    return None, place.part


def _date(one: DatePeriod) -> Plain:
    return {
        "date": label(one),
        "as_written": one.text or None,
        "rule": one.rule or None,
        "precision": one.precision,
        "certainty": one.certainty,
        "edtf": one.edtf or None,
    }


def _named(card: DocumentCard) -> Plain:
    date = label(card.period) if card.period else None
    return {"document": card.id, "title": card.title, "date": date, "sub_corpus": card.sub_corpus}


def _passage(whole: Document, span: tuple[int, int], chosen: PassageId | None, ready: Sequence[Correction]) -> Plain:
    """A passage as stretches, each of one page and with its paragraphs, each of those as pieces."""
    start, end = span
    name = passage_id(whole.id, start, end)
    here = [one for one in whole.anchors if one.start < end and start < one.end]
    return {
        "id": name,
        "start": start,
        "end": end,
        "text": whole.text[start:end],
        "chosen": name == chosen,
        "confidence": places.confidence(here),
        "stretches": [
            {"page": page, "number": number, "paragraphs": _paragraphs(whole.text, first, last, ready)}
            for page, number, first, last in _stretches(whole, start, end)
        ],
    }


def _stretches(whole: Document, start: int, end: int) -> list[tuple[str | None, int, int, int]]:
    """(page, its number from 1, start, end) of what a span holds of each page; number 0 without pages."""
    found: list[tuple[str | None, int, int, int]] = []
    for number, lines in enumerate(pages_of(whole), 1):
        first, last = max(start, lines[0].start), min(end, lines[-1].end)
        if first < last:
            found.append((lines[0].page or None, number, found[-1][3] if found else start, last))
    if not found:
        return [(None, 0, start, end)]
    page, number, first, _ = found[-1]
    return [*found[:-1], (page, number, first, end)]


def _paragraphs(text: str, start: int, end: int, ready: Sequence[Correction]) -> list[list[Plain]]:
    """The paragraphs of a stretch in pieces: words, and where a reader corrected them what stands in the source."""
    found: list[list[Plain]] = []
    at = start
    while at < end:
        stop = text.find("\n\n", at, end)
        stop = end if stop < 0 else stop
        if text[at:stop].strip():
            found.append(_pieces(text, at, stop, ready))
        at = stop + 2
    return found


def _pieces(text: str, start: int, end: int, ready: Sequence[Correction]) -> list[Plain]:
    pieces: list[Plain] = []
    at = start
    for one in ready:
        if one.start >= end or one.end <= at:
            continue
        first, last = max(one.start, at), min(one.end, end)
        if at < first:
            pieces.append({"text": text[at:first], "correction": None, "now": None})
        now = one.now if one.start >= start else ""
        pieces.append({"text": text[first:last], "correction": one.number, "now": now})
        at = last
    if at < end:
        pieces.append({"text": text[at:end], "correction": None, "now": None})
    return pieces


def _page(whole: Document, chosen: PassageId | None, shown: Sequence[tuple[int, int]], number: int) -> Plain | None:
    """The page to show: the one asked for, else that of the passage, else the first shown. None without pages."""
    pages = pages_of(whole)
    if not pages or not shown:
        return None
    start, end = next((one for one in shown if passage_id(whole.id, *one) == chosen), shown[0])
    if not 1 <= number <= len(pages):
        held = (place for place, page in enumerate(pages, 1) if any(a.start < end and start < a.end for a in page))
        number = next(held, 1)
    lines = pages[number - 1][:_MOST_LINES]
    inside = [one for one in lines if chosen and one.start < end and start < one.end]
    right = max((one.box[0] + one.box[2] for one in lines if one.box), default=0)
    bottom = max((one.box[1] + one.box[3] for one in lines if one.box), default=0)
    return {
        "number": number,
        "of": len(pages),
        "page": lines[0].page or None,
        "image": lines[0].image or None,
        "width": right,
        "height": bottom,
        "confidence": places.confidence(lines),
        "outline": places.around(inside),
        "regions": [one["box"] for one in places.regions(inside) if one["box"]],
        "lines": [one.box for one in lines if one.box],
    }


def _correction(one: Correction, ready: Sequence[Correction]) -> Plain:
    return {**asdict(one), "stands": one in ready}


def _alike(found: Cluster | None, document: DocumentId) -> Plain | None:
    if found is None:
        return None
    members = [{**_named(one.card), "similarity": one.similarity} for one in found.members if one.card.id != document]
    return {"kind": found.kind, "members": members}


def _used(workspace: Workspace, one: Use, kept: Sequence[Correction]) -> Plain:
    """A use; `corrected_since` where a verdict there rests on words of it that a reader corrected after it (B7).

    None where that is not known: the record is broken, as the list of runs says.
    """
    known = [said for said in kept if not said.undone_by]
    touched: bool | None = False
    if known:
        try:
            touched = bool(resting(works.read(workspace, one.run).entries, {known[0].document: known}))
        except VestigiaError:
            touched = None
    return {**asdict(one), "corrected_since": touched}
