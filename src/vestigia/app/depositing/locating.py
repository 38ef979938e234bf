"""The sources of a record as an archive has them when it is deposited: where each is found, and digests of its text."""

from collections.abc import Mapping, Sequence
from typing import Any

from vestigia.app import places
from vestigia.app.depositing.again import cards_of, listed
from vestigia.app.depositing.record import DepositedRun
from vestigia.app.depositing.rights import Rights
from vestigia.app.present import WITHDRAWN
from vestigia.corpus.catalogue import Catalogue
from vestigia.domain.archive import Access, DocumentCard
from vestigia.domain.commissions import InterpretOrder, JudgeOrder
from vestigia.domain.ids import DocumentId, PassageId, digest
from vestigia.domain.periods import label
from vestigia.inquiry.curation import curation
from vestigia.inquiry.handing_over import handed_over

Source = dict[str, Any]


def located(
    some: Sequence[DepositedRun], catalogue: Catalogue, rights: Rights, *, with_text: bool
) -> tuple[tuple[Source, ...], Mapping[str, bytes]]:
    """Describe the sources that runs came to or hold; with `with_text` also return the texts of those that are open."""
    cards = cards_of(some)
    passages = _passages(some)
    taken = dict.fromkeys(name for run in some for name in listed(run))
    found, texts = list[Source](), dict[str, bytes]()
    for number, name in enumerate(dict.fromkeys((*taken, *passages)), 1):
        source = _source(name, cards.get(name), catalogue, passages.get(name, ()))
        why = rights.kept_back.get(name) or (None if source["here"] else WITHDRAWN)
        source |= {"listed": name in taken, "kept_back": why, "text": None}
        if with_text and not why and source["access"] == Access.OPEN:
            whole = catalogue.document(name)
            if whole is not None:
                source["text"] = f"texts/{number}.txt"
                texts[source["text"]] = whole.text.encode("utf-8", "surrogatepass")
        found.append(source)
    return tuple(found), texts


def _passages(some: Sequence[DepositedRun]) -> dict[DocumentId, tuple[PassageId, ...]]:
    """The passages that speak for each document, in the order in which they were found."""
    found: dict[DocumentId, dict[PassageId, None]] = {}
    for run in some:
        order = run.first.commission
        items = order.items if isinstance(order, JudgeOrder | InterpretOrder) else ()
        if curated := curation(run.entries):
            items = curated.order.items
        for item in items or handed_over(run.state):
            found.setdefault(item.document, {})[item.passage] = None
    return {name: tuple(passages) for name, passages in found.items()}


def _source(
    name: DocumentId, recorded: DocumentCard | None, catalogue: Catalogue, passages: Sequence[PassageId]
) -> Source:
    """A source as it is today; of one that is gone, what the record has."""
    today = catalogue.documents([name])
    card = today[0] if today else recorded
    whole = catalogue.document(name) if today else None
    period, origin = (card.period, card.provenance) if card else (None, None)
    return {
        "document": name,
        "title": card.title if card else "",
        "date": label(period) if period else None,
        "date_as_written": (period.text or None) if period else None,
        "sub_corpus": card.sub_corpus if card else "",
        "language": card.language if card else "",
        "file": origin.file if origin else "",
        "record": origin.record if origin else "",
        "record_digest": origin.digest if origin else None,
        "link": origin.link if origin else "",
        "rights": origin.rights if origin else "",
        "access": card.access.value if card else "",
        "here": whole is not None,
        "text_digest": digest(whole.text) if whole else None,
        "characters": len(whole.text) if whole else None,
        "passages": [_passage(one, catalogue) for one in passages],
    }


def _passage(name: PassageId, catalogue: Catalogue) -> Source:
    """Where a passage stands and the digest of its text; null where it is no longer there."""
    found = catalogue.passages([name])
    anchors = catalogue.anchors_of(name)
    return {
        "passage": name,
        "start": found[0].start if found else None,
        "end": found[0].end if found else None,
        "digest": digest(found[0].text) if found else None,
        "pages": [one["page"] for one in places.pages(anchors)] or None,
    }
