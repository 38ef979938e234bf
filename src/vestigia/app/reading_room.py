"""Reading a dossier without a language model: its sources by window, each with key sentences chosen by rule (B13).

Nothing is interpreted here. The sentences are the sources' own; which they are follows from the words of the
description, and the page says so.
"""

from collections.abc import Sequence

from vestigia.app import present, works
from vestigia.app.asking import open_index
from vestigia.app.curating import origin_entries, read
from vestigia.app.dossiers import newest
from vestigia.app.present import Holdings, Plain
from vestigia.app.windows import windows_of
from vestigia.app.workspace import Workspace
from vestigia.corpus.catalogue import Catalogue
from vestigia.domain.archive import DocumentCard
from vestigia.domain.commissions import Item, SurveyOrder
from vestigia.domain.effects import Weigh
from vestigia.domain.entries import Begun
from vestigia.domain.errors import VestigiaError
from vestigia.domain.ids import DocumentId
from vestigia.domain.periods import DatePeriod, label, overlaps
from vestigia.domain.text import words
from vestigia.inquiry.dossier import Dossier
from vestigia.prompts.excerpts import best_sentences

CHOSEN_BY_RULE = (
    "Sentences chosen by rule: those with most words of the description, rare words first. No one has interpreted them."
)
_SHORTEST = 4


def laid_out(workspace: Workspace, name: str, windows: str = "", *, closed: bool = False) -> Plain:
    """The newest dossier of a curation, window by window: those of its survey unless others are given.

    Raises UsageError where no person sealed a dossier, or for windows that cannot be read.
    """
    dossier = newest(workspace, name)
    work = works.read(workspace, dossier.origin.run)
    description = work.first.question.text
    catalogue = workspace.catalogue()
    try:
        sought = _sought(workspace, catalogue, description)
        cards = {card.id: card for card in catalogue.documents([item.document for item in dossier.sources])}
        passages = {one.id: one for one in catalogue.passages([item.passage for item in dossier.sources])}
        anchors = catalogue.anchors([item.passage for item in dossier.sources])
        parts = catalogue.sub_corpora()
    finally:
        catalogue.close()
    held = Holdings(cards, passages, closed=closed, anchors=anchors)
    cut = windows_of(windows, work.first.question.period, parts) if windows else _of_survey(workspace, work)
    return {
        "run": dossier.origin.run,
        "kind": "dossier",
        "label": CHOSEN_BY_RULE,
        "description": description,
        "statement": dossier.statement,
        "sealed_by": dossier.author,
        "sealed_at": dossier.time,
        "sources": len(dossier.sources),
        "windows": [
            {"window": name_of, "sources": [_source(item, held, sought) for item in items]}
            for name_of, items in _by_window(dossier, cut, cards)
        ],
    }


def _sought(workspace: Workspace, catalogue: Catalogue, description: str) -> dict[str, float]:
    """The words of the description, the rare ones of the archive weighing more; alike where its index is not ready."""
    try:
        terms = open_index(workspace, catalogue).weigh(Weigh(description)).terms
    except VestigiaError:
        terms = ()
    weighed = {word: term.weight for term in terms for word in words(term.word)}
    return weighed or {word: 1.0 for word in words(description) if len(word) >= _SHORTEST}


def _of_survey(workspace: Workspace, work: works.Work) -> tuple[DatePeriod, ...]:
    entries, _ = origin_entries(workspace, read(work).order.origin)
    first = entries[0].body if entries else None
    order = first.commission if isinstance(first, Begun) else None
    return order.windows if isinstance(order, SurveyOrder) else ()


def _by_window(
    dossier: Dossier, windows: Sequence[DatePeriod], cards: dict[DocumentId, DocumentCard]
) -> list[tuple[str | None, list[Item]]]:
    """Each source once: in the first window its date overlaps, else among those of no window."""
    found: dict[str | None, list[Item]] = {label(window): [] for window in windows}
    found[None] = []
    for item in dossier.sources:
        card = cards.get(item.document)
        period = card.period if card else None
        home = next((label(w) for w in windows if period and overlaps(period, w)), None)
        found[home].append(item)
    return [(name, items) for name, items in found.items() if name or items]


def _source(item: Item, held: Holdings, sought: dict[str, float]) -> Plain:
    card = held.cards.get(item.document)
    why = held.withheld_of(item.document, item.passage)
    passage = held.passage(item.passage, "", why)
    described = present.document(card, why, present.cited_pages([passage])) if card else {"withheld": why}
    text = passage["text"]
    return {
        "document": item.document,
        **described,
        "passage": item.passage,
        "key_sentences": best_sentences(text, sought) if text else None,
    }
