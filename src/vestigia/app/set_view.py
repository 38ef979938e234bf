"""A set of sources as people read it: each with its words, whoever found it."""

from vestigia.app import present
from vestigia.app.present import Holdings, Plain
from vestigia.app.sets import SourceSet
from vestigia.app.workspace import Workspace


def sources(workspace: Workspace, found: SourceSet, *, closed: bool = False) -> list[Plain]:
    """The sources of a set in its order, as the archive has them today."""
    catalogue = workspace.catalogue()
    names = [item.passage for item in found.items]
    try:
        held = Holdings(
            {card.id: card for card in catalogue.documents([item.document for item in found.items])},
            {passage.id: passage for passage in catalogue.passages(names)},
            closed=closed,
            anchors=catalogue.anchors(names),
        )
    finally:
        catalogue.close()
    shown = []
    for item in found.items:
        card = found.cards[item.document]
        passage = held.passage(item.passage, "", held.withheld(card))
        described = present.document(card, passage["withheld"] or "", present.cited_pages([passage]))
        shown.append({**described, "passage": item.passage, "text": passage["text"], "layers": [], "found_by": []})
    return shown
