"""Verdicts that rest on text corrected since go back to hold (B7): by acts of a person, recorded like any other.

In a question the document is put on hold; in a curation it is flagged, for all who decided about it. The old verdict
stays in the record. Scores are not put on hold: a set is judged anew.
"""

from collections.abc import Collection, Sequence

from vestigia.app import curating, deciding, works
from vestigia.app.corrections import Correction
from vestigia.app.rested import Rested, rested
from vestigia.app.workspace import Workspace
from vestigia.domain.acts import Act, Curated
from vestigia.domain.commissions import CurateOrder
from vestigia.domain.errors import UsageError
from vestigia.domain.events import Overruled
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import DocumentId, RunId

NAMED, LONGEST = 3, 60
"""Corrections that a reason names, and characters it quotes of each."""


def put_back(
    workspace: Workspace, name: str, author: str, among: Collection[DocumentId] | None = None
) -> tuple[list[DocumentId], int]:
    """Put back to hold what rests on text corrected since, or what of it is `among` these documents, in one act each.

    Returns the documents, and how many acts are left to a program that is writing the run. Raises UsageError where
    there is none, and for a run whose verdicts cannot be put on hold.
    """
    work = works.read(workspace, name)
    found: dict[DocumentId, list[Rested]] = {}
    for one in rested(workspace, work.entries):
        if among is None or one.document in among:
            found.setdefault(one.document, []).append(one)
    if not found:
        raise UsageError(
            "no verdict rests on text that was corrected since.",
            where=f"run {work.run}",
            remedy="Read the page again: they may be on hold already.",
        )
    reasons = {
        document: _because([said for one in rows for said in one.corrections]) for document, rows in found.items()
    }
    match work.first.commission:
        case None:
            acts = [Overruled(document, Decision.HOLD, why, author.strip()) for document, why in reasons.items()]
            return list(found), deciding.decide(workspace, work.run, *acts).left
        case CurateOrder():
            flags = [Curated(document, Act.FLAG, author, note=why, resolves=True) for document, why in reasons.items()]
            curating.act(workspace, work.run, flags)
            return list(found), 0
        case _:
            raise UsageError("scores are not put on hold.", where=f"run {work.run}", remedy="Judge the set anew.")


def put_back_everywhere(
    workspace: Workspace, document: DocumentId, runs: Sequence[RunId], author: str, *, curates: bool
) -> int:
    """Put a document back to hold in those of these runs where its verdict rests on text corrected since.

    Curations are passed over by who may not curate, judgings by everybody. Returns in how many runs it was.
    """
    done = 0
    for run in runs:
        work = works.read(workspace, run)
        order = work.first.commission
        may = order is None or (isinstance(order, CurateOrder) and curates)
        if may and any(one.document == document for one in rested(workspace, work.entries)):
            put_back(workspace, run, author, [document])
            done += 1
    return done


def _because(corrections: Sequence[Correction]) -> str:
    """Why: the corrections in words."""
    some = list({one.number: one for one in corrections}.values())
    told = "; ".join(f"“{_short(one.was)}” → “{_short(one.now)}” (correction {one.number})" for one in some[:NAMED])
    more = f" and {len(some) - NAMED} more" if len(some) > NAMED else ""
    return f"the text was corrected since: {told}{more}"


def _short(words: str) -> str:
    flat = " ".join(words.split())
    return flat if len(flat) <= LONGEST else f"{flat[:LONGEST]}…"
