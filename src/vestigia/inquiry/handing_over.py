"""What a finished run hands over to be curated: a survey's set, or the sources and holds of a question (H1, H8)."""

from vestigia.domain.commissions import Item
from vestigia.inquiry.state import State
from vestigia.inquiry.survey import items_of
from vestigia.inquiry.view import result


def handed_over(state: State) -> tuple[Item, ...]:
    """The sources in their order, then what is on hold, each document once, with the passage that speaks for it."""
    if state.gathered is not None:
        return items_of(state.gathered.lanes)
    seen = result(state)
    found = {c.document: c.passage for search in reversed(state.searches) for c in search.candidates}
    found |= {waiting.candidate.document: waiting.candidate.passage for waiting in state.held.values()}
    passages = {
        row.card.id: next((step.passage for step in row.steps if step.passage), None) or found[row.card.id]
        for row in seen.sources
    }
    for row in seen.held:
        passages.setdefault(row.card.id, row.passage)
    return tuple(Item(passage, document) for document, passage in passages.items())
