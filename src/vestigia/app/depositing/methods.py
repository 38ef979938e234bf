"""A draft of the methods paragraph in three languages, every number of it counted from the record (B9).

It says what was done, run by run, and as plainly what was not done.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from vestigia.app.depositing.flow import UNSEEN_CLAIMS, Flow, flows
from vestigia.app.depositing.record import DepositedRun, Record
from vestigia.domain.acts import Remarked
from vestigia.domain.commissions import CurateOrder, InterpretOrder, JudgeOrder, SurveyOrder
from vestigia.domain.events import Outcome
from vestigia.domain.quotations import Outcome as Seal
from vestigia.inquiry.dossier import dossiers
from vestigia.inquiry.state import State
from vestigia.models.extractive.model import ExtractiveModel

LANGUAGES = ("en", "de", "fr")
EXTRACTIVE = ExtractiveModel.name
Facts = Mapping[str, str | int]
Said = tuple[str, Facts]
"""The name of a sentence and what is put into it."""
_SLOT = re.compile(r"\{(\??)(\w+)(?:\|([^|}]*)\|([^|}]*))?\}")
_SIGNS = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>#|"})


def paragraphs(record: Record) -> Mapping[str, bytes]:
    """Return the draft in each language, as a Markdown text, by the name of its file."""
    counted = flows(record)
    done = [list(_done(run, flow)) for run, flow in zip(record.runs, counted, strict=True)]
    undone = [said for run, flow in zip(record.runs, counted, strict=True) for said in _undone(run, flow)]
    undone += [("gone", {"run": name}) for name in record.statement["missing"]]
    if sum(isinstance(run.first.commission, JudgeOrder) for run in record.runs) == 1:
        undone.append(("one_judge", {}))
    return {f"methods.{code}.md": _text(code, done, undone) for code in LANGUAGES}


@cache
def phrases(code: str) -> Mapping[str, Any]:
    """The sentences in a language: those of what was done and of what was not, by name."""
    return tomllib.loads((files("vestigia.app.depositing") / "phrases" / f"{code}.toml").read_text(encoding="utf-8"))


def _text(code: str, done: list[list[Said]], undone: list[Said]) -> bytes:
    words = phrases(code)
    said = [" ".join(filled(words["done"][name], facts, code) for name, facts in one) for one in done]
    left = [f"- {filled(words['undone'][name], facts, code)}" for name, facts in undone] or [words["nothing"]]
    lines = [f"# {words['title']}", "", *(line for one in said for line in (one, ""))]
    lines += [f"## {words['undone_title']}", "", *left, ""]
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def filled(sentence: str, facts: Facts, code: str) -> str:
    """Fill a sentence; what comes out of the record cannot become mark-up."""

    def put(slot: re.Match[str]) -> str:
        form_only, name, one, many = slot.groups()
        value = facts[name]
        if one is None:
            return plain(str(value))
        number = int(value)
        form = one if number == 1 or (number == 0 and code == "fr") else many
        return form if form_only else f"{number} {form}"

    return _SLOT.sub(put, sentence)


def plain(text: str) -> str:
    """Text on one line, none of its signs taken for Markdown."""
    return " ".join(text.split()).translate(_SIGNS)


def _done(run: DepositedRun, flow: Flow) -> Iterator[Said]:
    order, state = run.first.commission, run.state
    facts = _facts(run)
    match order:
        case None:
            yield from _question(run, state, flow, facts)
        case SurveyOrder():
            met, chosen = _number(flow, "met by a search"), _number(flow, "in the set")
            more = {"met": met, "chosen": chosen, "windows": len(order.windows), "quota": order.quota}
            yield "survey", {**facts, **more}
        case JudgeOrder():
            judge = order.person or run.first.manifest.model
            items, judged = _number(flow, "to be judged"), _part(flow, "to be judged", "judged")
            rubric = {"judge": judge, "rubric": order.rubric.name, "criteria": order.rubric.digest}
            yield "judging", {**facts, **rubric, "items": items, "judged": judged, "unjudged": items - judged}
        case CurateOrder():
            yield from _curation(run, flow, facts)
        case InterpretOrder():
            quotes = flow.step("quotations")
            standing = sum(quotes.part(one) for one in (Seal.EXACT, Seal.FOLDED)) if quotes else 0
            yield "interpretation", {
                **facts, "questions": len(order.questions), "sources": _number(flow, "in the dossier"),
                "claims": _number(flow, "claims"), "proven": _part(flow, "claims", "proven"),
                "quotes": _number(flow, "quotations"), "standing": standing,
            }  # fmt: skip
            if unseen := _part(flow, "claims", UNSEEN_CLAIMS):
                yield "unseen_claims", {"n": unseen}
    yield "record", {"run": run.run, "entries": len(run.entries), "head": run.head}


def _question(run: DepositedRun, state: State, flow: Flow, facts: Facts) -> Iterator[Said]:
    forward = _number(flow, "put forward")
    yield "question", facts
    yield "plan", {"parts": len(state.plan), "searches": len(state.searches)}
    yield "met", {"met": _number(flow, "met by a search"), "forward": forward}
    models = [name for name in dict.fromkeys(one.model for one in state.consultations) if name != EXTRACTIVE]
    calls = sum(one.model != EXTRACTIVE for one in state.consultations)
    if models:
        yield "by_model", {"model": ", ".join(models), "calls": calls}
    else:
        yield "by_rule", {}
    accepted, rejected = (_part(flow, "put forward", f"{what} by the machine") for what in ("accepted", "rejected"))
    unjudged = _part(flow, "put forward", "not judged")
    held = forward - accepted - rejected - unjudged
    yield "fates", {"accepted": accepted, "rejected": rejected, "held": held, "unjudged": unjudged}
    added = _part(flow, "listed", "added by people")
    away = sum(_part(flow, "accepted by the machine", f"put {what} by people") for what in ("away", "on hold"))
    if added or away:
        yield "people", {"names": ", ".join(run.people), "away": away, "added": added}
    yield "listed", {"listed": _number(flow, "listed")}
    for one in state.audits[-1:]:
        yield "audited", {"names": one.author, "n": len({said.document for said in one.judgements})}


def _curation(run: DepositedRun, flow: Flow, facts: Facts) -> Iterator[Said]:
    step = flow.step("looked at by people")
    if step is not None:
        rejected = sum(part.number for part in step.parts if part.what.startswith("rejected"))
        counts = {"accepted": "accepted", "flagged": "flagged", "conflict": "in conflict", "undecided": "undecided"}
        numbers = {name: step.part(what) for name, what in counts.items()}
        names = ", ".join(run.people) or "–"
        yield "curation", {**facts, **numbers, "names": names, "screened": step.number, "rejected": rejected}
    for one in dossiers(run.entries, run.run)[-1:]:
        yield "sealed", {"names": one.author, "sealed": len(one.sources), "day": one.time[:10],
                         "statement": one.statement}  # fmt: skip


def _undone(run: DepositedRun, flow: Flow) -> Iterator[Said]:
    order, state, name = run.first.commission, run.state, {"run": run.run}
    acts = [act for _, act in run.acts]
    if not state.closed and not isinstance(order, CurateOrder):
        yield "unfinished", name
    if state.limit:
        yield "partial", {**name, "limit": state.limit}
    if state.failures:
        yield "failed", {**name, "n": len(state.failures)}
    unusable = sum(one.outcome is not Outcome.READ for one in state.consultations)
    if unusable:
        yield "unreadable", {**name, "n": unusable}
    if order is None:
        yield from _undone_question(state, flow, name, reviewed=bool(acts))
    elif isinstance(order, CurateOrder):
        yield from _undone_curation(run, flow, name)
    elif isinstance(order, InterpretOrder) and not any(isinstance(one, Remarked) for one in acts):
        yield "unremarked", name
    if run.incomplete:
        yield "withheld", {**name, "n": len(run.incomplete)}


def _undone_question(state: State, flow: Flow, name: Facts, *, reviewed: bool) -> Iterator[Said]:
    if not reviewed and all(one.model == EXTRACTIVE for one in state.consultations):
        yield "unread", {}
    if not reviewed:
        yield "unreviewed", name
    step = flow.step("put forward")
    held = sum(part.number for part in step.parts if part.what.startswith("held")) if step else 0
    if held:
        yield "held", {**name, "n": held}
    if not state.audits:
        yield "recall", name


def _undone_curation(run: DepositedRun, flow: Flow, name: Facts) -> Iterator[Said]:
    step = flow.step("looked at by people")
    left = step.part("undecided") + step.part("in conflict") if step else 0
    if left:
        yield "undecided", {**name, "n": left}
    if len(run.people) == 1:
        yield "one_person", name
    if not dossiers(run.entries, run.run):
        yield "unsealed", name


def _facts(run: DepositedRun) -> dict[str, str | int]:
    manifest, state = run.first.manifest, run.state
    return {
        "day": run.entries[0].time[:10],
        "asked": run.first.question.text,
        "holdings": sum(one.documents for one in state.sub_corpora),
        "archive": manifest.corpus,
        "version": manifest.version,
        "model": manifest.model,
        "names": ", ".join(run.people),
    }


def _number(flow: Flow, what: str) -> int:
    step = flow.step(what)
    return step.number if step else 0


def _part(flow: Flow, what: str, part: str) -> int:
    step = flow.step(what)
    return step.part(part) if step else 0
