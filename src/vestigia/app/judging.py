"""Having a set judged, by a model or by a person, and what people see of it (H3, H4)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean, pstdev

from vestigia.app import rested, sheets, works
from vestigia.app.accounts import affordable
from vestigia.app.asking import Watch, now, opened
from vestigia.app.models import EXTRACTIVE, answering, answering_one
from vestigia.app.present import Plain, budget, document, passage, withheld, without_quotes
from vestigia.app.questions import legible, signed
from vestigia.app.rubrics import rubric as rubric_of
from vestigia.app.sets import SourceSet, set_of, taken_over
from vestigia.app.settings import rules_of
from vestigia.app.work_estimates import Say, say_judging
from vestigia.app.works import Work
from vestigia.app.workspace import Workspace
from vestigia.domain.archive import DocumentCard, Passage
from vestigia.domain.commissions import Item, JudgeOrder, Rubric
from vestigia.domain.errors import StaleIndexError, UsageError
from vestigia.domain.events import NotJudged, Scored
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.domain.rules import Rules
from vestigia.engine import runs
from vestigia.engine.world import Archive
from vestigia.evaluate.agreement import percentiles
from vestigia.inquiry.judge import SHEET, tally
from vestigia.inquiry.state import State
from vestigia.inquiry.view import stages
from vestigia.ledger.log import FileLedger
from vestigia.models.extractive.model import ExtractiveModel

NO_JUDGE = "Without a language model nothing is read, and what is not read cannot be judged."
REMEDY = (
    "Name one that is configured (`--model`, docs/models.md), judge yourself (`--sheet`), or order by similarity only "
    "(`--presort`)."
)


def judge(
    workspace: Workspace,
    name: str,
    rubric: str,
    model: str = "",
    watch: Watch | None = None,
    say: Say | None = None,
) -> Work:
    """Have a model judge a set; `say` is told before what it will take.

    Raises UsageError for what is no set, no rubric, or no model that reads.
    """
    found, criteria = set_of(workspace, name), rubric_of(workspace, rubric)
    by = answering_one(workspace.settings, "judge", model)
    if isinstance(by.model, ExtractiveModel):
        raise UsageError(NO_JUDGE, where="vestigia judge", remedy=REMEDY)
    with opened(workspace, by) as archive:
        _present(found, archive)
        rules = affordable(_rules(workspace, found), by, datetime.now(UTC))
        order, question = JudgeOrder(found.work.origin, criteria, found.items), found.work.first.question
        say_judging(say, by, archive, replace(rules, withhold=by.withhold), order, question.text)
        return works.begin(workspace, archive, question, rules, order, watch)


def _rules(workspace: Workspace, found: SourceSet) -> Rules:
    """The archive's rules; a limit of calls that nobody set is what the set may take."""
    rules = rules_of(workspace.settings)
    if workspace.settings.rules.budget.calls is not None:
        return rules
    calls = 2 * len(found.items) * (1 + rules.parse_retries)
    return replace(rules, budget=replace(rules.budget, calls=max(calls, rules.budget.calls or 0)))


def _present(found: SourceSet, archive: Archive) -> None:
    """Raise StaleIndexError where a part of the set is no longer in the archive."""
    wanted = [item.passage for item in found.items]
    there = {one.id for one in archive.corpus.passages(wanted)}
    gone = [name for name in wanted if name not in there]
    if gone:
        raise StaleIndexError(
            f"{len(gone)} passages of the set are no longer in the archive, such as {gone[0]}.",
            where=f"run {found.work.run}",
            remedy="Gather the set anew: `vestigia survey`.",
        )


def write_sheet(workspace: Workspace, name: str, rubric: str, path: Path, *, closed: bool = False) -> int:
    """Write a blind sheet of a set; returns how many rows it has."""
    found, criteria = set_of(workspace, name), rubric_of(workspace, rubric)
    catalogue = workspace.catalogue()
    try:
        cards = {card.id: card for card in catalogue.documents([item.document for item in found.items])}
        texts = {one.id: one for one in catalogue.passages([item.passage for item in found.items])}
    finally:
        catalogue.close()
    shown = {}
    for item in found.items:
        why = _withheld(cards, texts, item, closed=closed)
        shown[item.passage] = f"({why})" if why else texts[item.passage].text
    sheets.write(path, found, criteria, shown)
    return len(found.items)


def read_sheet(workspace: Workspace, name: str, rubric: str, path: Path, author: str) -> tuple[Work, tuple[str, ...]]:
    """Record a sheet as a person's judging; returns it and what was left empty. Raises UsageError for mistakes.

    A judging that was cut short while it was recorded is completed; a sheet that is recorded already is refused.
    """
    author = signed(author)
    if not author:
        raise UsageError("every judgement has an author.", where="--from", remedy="Say who judged: `--as NAME`.")
    found, criteria = set_of(workspace, name), rubric_of(workspace, rubric)
    returned = sheets.read(path, found.items, criteria, author)
    for one in returned.scores:
        legible("an argument", one.argument)
    order = JudgeOrder(found.work.origin, criteria, found.items, author)
    begun = _cut_short(workspace, order, returned.scores)
    if begun is None:
        with opened(workspace, answering(workspace.settings, {"": EXTRACTIVE})) as archive:
            begun = works.begin(workspace, archive, found.work.first.question, rules_of(workspace.settings), order)
    with FileLedger.open(workspace.runs, begun.run, now) as ledger:
        for one in returned.scores:
            runs.decide(ledger, one)
        runs.release(ledger, author)
    return works.resume(workspace, begun.run), returned.empty


def _cut_short(workspace: Workspace, order: JudgeOrder, scores: Sequence[Scored]) -> Work | None:
    """Find the judging by the same person that was not recorded to its end. Raises UsageError for one done already."""
    unfinished = None
    for work in taken_over(workspace, order.origin.run)[0]:
        if work.first.commission != order:
            continue
        state = runs.view_of(work.entries)
        given = {name: one for name, one in state.judgements.items() if isinstance(one, Scored)}
        if not state.closed and runs.waiting_at(work.entries) == SHEET:
            unfinished = work
        elif given == {one.passage: one for one in scores}:
            raise UsageError(
                "this sheet is recorded already.",
                where=f"run {work.run}",
                remedy="To judge once more, write a new sheet and change it.",
            )
    return unfinished


def presorted(workspace: Workspace, name: str) -> Plain:
    """Order a set by similarity to its description, and say so; there are no scores."""
    found = set_of(workspace, name)
    ordered = sorted(found.items, key=lambda item: -found.similarity.get(item.passage, float("-inf")))
    return {
        "run": found.work.run,
        "kind": "pre-sorted",
        "by": found.by or "fused search",
        "note": "Ordered by similarity to the description. Nobody has judged this.",
        "sources": [
            {**document(found.cards[item.document]), "passage": item.passage,
             "similarity": found.similarity.get(item.passage)}
            for item in ordered
        ],
    }  # fmt: skip


def judge_of(work: Work) -> str:
    """Name who judged."""
    order = work.first.commission
    return order.person if isinstance(order, JudgeOrder) and order.person else work.first.manifest.model


def shown(workspace: Workspace, work: Work, *, closed: bool = False) -> Plain:
    """A judging as data: the best first, each with argument and checked quotation; what is not judged, and why."""
    order, state = _order(work), runs.view_of(work.entries)
    counted = tally(order.items, state)
    found = _Today(workspace, order, set_of(workspace, work.run), closed=closed)
    places = percentiles({n: one.score for n, one in state.judgements.items() if isinstance(one, Scored)})
    sources = [{**found.source(item, state), "percentile": places.get(item.passage)} for item in order.items]
    return {
        "run": work.run,
        "kind": "judging",
        "set": order.origin.run,
        "description": state.question.text,
        "rubric": _criteria(order.rubric),
        "judge": judge_of(work),
        "person": bool(order.person),
        "finished": state.closed,
        "paused": state.paused or None,
        "partial": state.limit or None,
        "passages": len(order.items),
        "judged": len(counted.scores),
        "not_judged": [{"reason": reason, "passages": number} for reason, number in counted.unjudged.items()],
        "waiting": counted.waiting,
        "mean": round(fmean(counted.scores), 3) if counted.scores else None,
        "spread": round(pstdev(counted.scores), 3) if counted.scores else None,
        "constant": counted.constant,
        "sources": sorted(sources, key=lambda one: -1 if one["score"] is None else one["score"], reverse=True),
        "budget": budget(stages(state), state.limit),
        "corrected": rested.shown(workspace, work.entries, closed=closed),
        "notes": list(state.notes),
    }


def _order(work: Work) -> JudgeOrder:
    if not isinstance(work.commission, JudgeOrder):
        raise UsageError("it is no judging.", where=f"run {work.run}", remedy="`vestigia judge` makes one.")
    return work.commission


def _criteria(rubric: Rubric) -> Plain:
    return {"name": rubric.name, "digest": rubric.digest, "lowest": rubric.lowest, "highest": rubric.highest}


class _Today:
    """What the archive has today of a judged set, and may show."""

    def __init__(self, workspace: Workspace, order: JudgeOrder, found: SourceSet, *, closed: bool) -> None:
        self._cards, self._closed = found.cards, closed
        catalogue = workspace.catalogue()
        try:
            self._here = {card.id: card for card in catalogue.documents([item.document for item in order.items])}
            self._texts = {one.id: one for one in catalogue.passages([item.passage for item in order.items])}
        finally:
            catalogue.close()

    def source(self, item: Item, state: State) -> Plain:
        """A passage with what was said of it; of a text that is not shown, no quotation either."""
        why = _withheld(self._here, self._texts, item, closed=self._closed)
        given = state.judgements.get(item.passage)
        scored = given if isinstance(given, Scored) else None
        told = passage(item.passage, self._texts.get(item.passage), scored.quote if scored else "", why)
        argument = scored.argument if scored else ""
        return {
            **document(self._cards[item.document], why),
            "passage": item.passage,
            "score": scored.score if scored else None,
            "argument": (without_quotes(argument) if why else argument) or None,
            "quote": told["quote"],
            "quote_check": told["quote_check"],
            "not_judged": {"reason": given.reason, "why": given.why} if isinstance(given, NotJudged) else None,
        }


def _withheld(
    cards: dict[DocumentId, DocumentCard], texts: dict[PassageId, Passage], item: Item, *, closed: bool
) -> str:
    """Say why a text is not shown; empty when it is."""
    return withheld(cards.get(item.document), there=item.passage in texts, closed=closed)
