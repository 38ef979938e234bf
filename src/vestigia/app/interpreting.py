"""Interpreting a dossier: proposals of models side by side, what people say of them, and what may leave (H9, B8)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from vestigia.app import curating, present, works
from vestigia.app.accounts import affordable
from vestigia.app.asking import Watch, opened
from vestigia.app.dossiers import newest
from vestigia.app.models import Answering, answering_one
from vestigia.app.patience import held
from vestigia.app.present import Holdings, Plain
from vestigia.app.questions import legible, signed
from vestigia.app.settings import rules_of
from vestigia.app.work_estimates import Say, say_interpreting
from vestigia.app.works import Work
from vestigia.app.workspace import Workspace
from vestigia.domain.acts import Remarked
from vestigia.domain.archive import DocumentCard
from vestigia.domain.commissions import JudgeOrder
from vestigia.domain.errors import UsageError
from vestigia.domain.ids import Digest, DocumentId, RunId
from vestigia.domain.question import Question
from vestigia.domain.quotations import Quote
from vestigia.domain.rules import Rules
from vestigia.engine import runs
from vestigia.inquiry.dossier import Dossier, to_interpret
from vestigia.inquiry.interpretation import Chapter, Interpretation, Proposed, interpretation
from vestigia.inquiry.view import stages
from vestigia.models.extractive.model import ExtractiveModel

MACHINE_MADE = "Machine-made proposal, not a finding"


def interpreters(workspace: Workspace, models: Sequence[str] = ()) -> tuple[Answering, ...]:
    """Who interprets: the models named, each on its own, or that of the settings.

    Raises UsageError where no language model is set: a rule does not interpret.
    """
    found = [answering_one(workspace.settings, "interpret", name) for name in models or ("",)]
    if any(isinstance(by.model, ExtractiveModel) for by in found):
        raise UsageError(
            "no language model is set, and a rule does not interpret.",
            where="vestigia.toml, tasks.interpret",
            remedy="`vestigia dossier` lays the sources out without one; `vestigia models` says how to set one.",
        )
    return tuple(found)


def interpret(  # noqa: PLR0913, PLR0917  what is interpreted, by whom, within which limits, and who looks on
    workspace: Workspace,
    name: str,
    questions: Sequence[str],
    by: Answering,
    rules: Rules | None = None,
    watch: Watch | None = None,
    say: Say | None = None,
) -> Work:
    """Have a model interpret the newest dossier of a curation; `say` is told before what it will take.

    Raises UsageError where no person sealed one.
    """
    dossier = newest(workspace, name)
    asked = tuple(question.strip() for question in questions)
    if not asked or not all(asked):
        raise UsageError("no question is put to the dossier.", where="--question", remedy="Put at least one.")
    rules = affordable(rules or rules_of(workspace.settings), by, datetime.now(UTC))
    order = to_interpret(dossier, asked, _rubrics(workspace, dossier))
    with opened(workspace, by) as archive:
        say_interpreting(say, by, archive, replace(rules, withhold=by.withhold), order)
        return works.begin(workspace, archive, Question(" / ".join(asked)), rules, order, watch)


def _rubrics(workspace: Workspace, dossier: Dossier) -> tuple[Digest, ...]:
    """The rubrics by which the sources had been judged before people looked; of judgings that are still here."""
    return tuple(_judged_by(workspace, dossier.origin.run))


def _judged_by(workspace: Workspace, curation: RunId) -> dict[Digest, str]:
    """Those rubrics with their names."""
    judgings = curating.read(works.read(workspace, curation)).order.judgings
    there = set(workspace.run_names())
    orders = [works.read(workspace, one.run).first.commission for one in judgings if one.run in there]
    return {order.rubric.digest: order.rubric.name for order in orders if isinstance(order, JudgeOrder)}


def _names(workspace: Workspace, found: Interpretation) -> dict[Digest, str]:
    """The names of the rubrics, where the curation is still here."""
    run = found.order.dossier.run
    return _judged_by(workspace, run) if found.order.rubrics and run in workspace.run_names() else {}


def remark(workspace: Workspace, name: str, act: Remarked) -> Work:
    """Record what a person says of a claim. Raises UsageError where there is no such claim, or no author."""
    legible("what is said", act.reason)
    act = replace(act, claim=act.claim.strip(), author=signed(act.author))
    run = workspace.run(name)
    with held(workspace, run) as ledger:
        runs.decide(ledger, act)
    return works.read(workspace, run)


def read(work: Work) -> Interpretation:
    """Read the interpretation of a run. Raises UsageError for a run of another kind."""
    found = interpretation(work.entries)
    if found is None:
        raise UsageError("it is not an interpretation.", where=f"run {work.run}")
    return found


def shown(workspace: Workspace, work: Work, *, closed: bool = False) -> Plain:
    """An interpretation as data: labelled, each claim with its quotations, what is not proven, and what people said."""
    found = read(work)
    state = runs.view_of(work.entries)
    shelf = _holdings(workspace, found, closed=closed)
    cards = {card.id: card for card in found.dossier.cards} if found.dossier else {}
    return {
        "run": work.run,
        "kind": "interpretation",
        "label": label(work, found, _names(workspace, found)),
        "model": work.first.manifest.model,
        "at": work.entries[0].time,
        "questions": list(found.order.questions),
        "dossier": _dossier(found),
        "rubrics": list(found.order.rubrics),
        "finished": found.finished,
        "paused": state.paused or None,
        "partial": state.limit or None,
        "chapters": [_chapter(chapter, cards, shelf) for chapter in found.chapters],
        "unsigned": [one.claim.id for one in found.unsigned],
        "budget": present.budget(stages(state), state.limit),
        "notes": list(state.notes),
    }


def label(work: Work, found: Interpretation, names: Mapping[Digest, str]) -> str:
    """What stands over every proposal: by which model, when, from which dossier, judged by which rubric (H9)."""
    sealed = f"sealed by {found.dossier.author} on {found.dossier.sealed_at[:10]}" if found.dossier else "not opened"
    versions = [(names.get(one, ""), one.removeprefix("sha256:")[:12]) for one in found.order.rubrics]
    rubrics = ", ".join(f"{name} ({version})" if name else version for name, version in versions) or "none"
    return (
        f"{MACHINE_MADE}: by {work.first.manifest.model}, {work.entries[0].time[:10]}; "
        f"dossier of {_sources(len(found.order.items))}, {sealed} (run {found.order.dossier.run}); rubric: {rubrics}"
    )


def _sources(number: int) -> str:
    return f"{number} source" if number == 1 else f"{number} sources"


def _dossier(found: Interpretation) -> Plain:
    opened_one = found.dossier
    return {
        "run": found.order.dossier.run,
        "sources": len(found.order.items),
        "sealed_by": opened_one.author if opened_one else None,
        "sealed_at": opened_one.sealed_at if opened_one else None,
        "statement": opened_one.statement if opened_one else None,
        "withheld": list(opened_one.withheld) if opened_one else [],
        "gone": list(opened_one.gone) if opened_one else [],
    }


def _holdings(workspace: Workspace, found: Interpretation, *, closed: bool) -> Holdings:
    catalogue = workspace.catalogue()
    passages = [item.passage for item in found.order.items]
    try:
        return Holdings(
            {card.id: card for card in catalogue.documents([item.document for item in found.order.items])},
            {passage.id: passage for passage in catalogue.passages(passages)},
            closed=closed,
            anchors=catalogue.anchors(passages),
        )
    finally:
        catalogue.close()


def _chapter(chapter: Chapter, cards: dict[DocumentId, DocumentCard], held: Holdings) -> Plain:
    quoted = chapter.quoted
    return {
        "number": chapter.number,
        "question": chapter.question or None,
        "model": chapter.written.model or None,
        "at": chapter.time,
        "quotes": [_quote(quote, cards, held) for quote in (quoted.quotes if quoted else ())],
        "unread": list(quoted.unread) if quoted else [],
        "claims": [_claim(one, cards, held) for one in chapter.claims],
        "silence": chapter.written.silence or None,
        "why": "; ".join(part for part in (chapter.written.why, quoted.why if quoted else "") if part) or None,
    }


def _quote(quote: Quote, cards: dict[DocumentId, DocumentCard], held: Holdings) -> Plain:
    why = _withheld(quote, cards, held)
    passage = held.passage(quote.passage, "" if why else quote.text, why)
    card = cards.get(quote.document) if quote.document else None
    return {
        "number": quote.number,
        "text": None if why else quote.text,
        "outcome": quote.seal.outcome,
        "sealed": quote.seal.sealed,
        "wrong": None if why else quote.seal.why or None,
        "spans": [list(span) for span in quote.seal.spans],
        "passage": quote.passage,
        "document": quote.document,
        "citation": present.citation(card, present.cited_pages([passage])) if card else None,
        "withheld": why or None,
    }


def _withheld(quote: Quote, cards: dict[DocumentId, DocumentCard], held: Holdings) -> str:
    card = cards.get(quote.document) if quote.document else None
    return held.withheld(card) if card else ""


def _claim(one: Proposed, cards: dict[DocumentId, DocumentCard], held: Holdings) -> Plain:
    why = next((why for quote in one.quotes if (why := _withheld(quote, cards, held))), "")
    return {
        "id": one.claim.id,
        "text": present.without_quotes(one.claim.text) if why else one.claim.text,
        "quotes": list(one.claim.quotes),
        "proven": one.proven,
        "unsealed": [] if why else list(one.unsealed),
        "contested": one.contested,
        "signed": one.signed,
        "remarks": [
            {
                "entry": said.entry,
                "at": said.time,
                "by": said.remark.author,
                "remark": said.remark.remark,
                "reason": said.remark.reason or None,
            }
            for said in one.said
        ],
    }
