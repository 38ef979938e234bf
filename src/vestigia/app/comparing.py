"""Comparing two runs of an archive, as data."""

from collections.abc import Iterable

from vestigia.app.asking import recorded
from vestigia.app.present import Holdings, Plain, budget, sub_question, without_quotes
from vestigia.app.workspace import Workspace
from vestigia.domain.archive import DocumentCard
from vestigia.domain.errors import UsageError
from vestigia.domain.ids import RunId
from vestigia.domain.periods import label
from vestigia.engine.journal import begun
from vestigia.inquiry.comparison import Comparison, Only, comparison
from vestigia.inquiry.view import Result
from vestigia.ledger.log import FileLedger


def compare(workspace: Workspace, first: str, second: str = "", top: int = 0, *, closed: bool = False) -> Plain:
    """Compare two runs, or the first `top` places of their lists; reasons quote nothing of texts that are not shown.

    Without a second run the first, a fork, is compared with its parent. Raises UsageError for a run that does not
    answer a question, or has no parent.
    """
    if not second:
        first, second = _parent(workspace, first), first
    (one, before), (other, after) = recorded(workspace, first), recorded(workspace, second)
    found = comparison(before, after, top)
    cards = [row.card.id for row in found.both]
    cards += [row.card.id for row in (*found.only_first, *found.only_second)]
    catalogue = workspace.catalogue()
    try:
        held = Holdings({card.id: card for card in catalogue.documents(cards)}, {}, closed=closed)
    finally:
        catalogue.close()
    return {**_plain(found, held), "runs": [_run(one, found.results[0]), _run(other, found.results[1])]}


def _parent(workspace: Workspace, name: str) -> str:
    run = workspace.run(name)
    parent = begun(FileLedger.read(workspace.runs, run).entries(), run).manifest.parent
    if parent is None:
        raise UsageError("it is no fork of another run.", where=f"run {run}", remedy="Name the run to compare it with.")
    return parent


def _plain(found: Comparison, held: Holdings) -> Plain:
    return {
        "same_question": found.same_question,
        "rules": [{"rule": name, "values": [before, after]} for name, before, after in found.rules],
        "both": [{**_card(row.card), "places": list(row.places)} for row in found.both],
        "only_first": _rows(found.only_first, held),
        "only_second": _rows(found.only_second, held),
    }


def _rows(rows: Iterable[Only], held: Holdings) -> list[Plain]:
    return [
        {
            **_card(row.card),
            "place": row.place,
            "why": row.why,
            "reason": without_quotes(row.reason) if held.withheld(row.card) else row.reason,
            "place_there": row.elsewhere,
        }
        for row in rows
    ]


def _card(card: DocumentCard) -> Plain:
    date = label(card.period) if card.period else None
    return {"document": card.id, "title": card.title, "date": date, "sub_corpus": card.sub_corpus}


def _run(run: RunId, shown: Result) -> Plain:
    spent = budget(shown.stages, shown.limit)
    return {
        "run": run,
        "question": shown.question,
        "model": shown.model,
        "finished": shown.finished,
        "partial": shown.limit or None,
        "sources": len(shown.sources),
        "plan": [sub_question(one) for one in shown.plan],
        "budget": {name: spent[name] for name in ("calls", "input_tokens", "output_tokens", "cost")},
    }
