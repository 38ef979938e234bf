"""What the pages of runs show, as plain data: a run, its list, its plan, one entry, all runs."""

from dataclasses import asdict
from datetime import UTC, datetime

from vestigia.app import entries as recorded
from vestigia.app import present, rested
from vestigia.app.accounts import estimate
from vestigia.app.deciding import PLANNING
from vestigia.app.live import Live
from vestigia.app.models import answering
from vestigia.app.present import Plain
from vestigia.app.workspace import Workspace
from vestigia.corpus.parts import closed_of
from vestigia.domain.effects import AskModel, Replied
from vestigia.domain.entries import Answered, Asked, Entry
from vestigia.domain.errors import UsageError, VestigiaError
from vestigia.domain.ids import DocumentId
from vestigia.domain.periods import label
from vestigia.ledger.mentions import names_any
from vestigia.ledger.projection import RunRow
from vestigia.ledger.shapes import shape
from vestigia.web.holdings import Holding
from vestigia.web.records import Record, Records, kind_of
from vestigia.web.standing import standing_of

STEPS = 12
"""Entries that the page of a run shows, the last ones."""
STATES = ("running", "waiting", "paused", "interrupted", "failed", "finished", "partial", "broken")
"""States that runs are listed by; what is in the queue, stops or is written elsewhere counts as running."""
MOVING = ("running", "queued", "stopping", "elsewhere")
JUDGE = "judge"
"""What judges gave is told on the page of the judging, where it is kept blind."""
ENDED = {"closed": "finished", "partial": "partial"}
KINDS = ("question", "survey", "judge", "curate", "interpret")
_ENTRY = shape(Entry)


def run_view(held: Holding, record: Record, standing: Plain, *, closed: bool) -> Plain:
    """A run: how it stands, what made it, what it found; of other work than a question what all runs have."""
    return {
        **head(record, standing),
        "steps": [step(entry) for entry in record.entries[-STEPS:]],
        "corrected": []
        if kind_of(record.first) == JUDGE
        else rested.shown(held.workspace, record.entries, closed=closed),
        **(_found(held, record, closed=closed) if record.first.commission is None else {}),
    }


def head(record: Record, standing: Plain) -> Plain:
    """What every page of a run says of it."""
    first = record.first
    made = first.manifest
    return {
        "run": record.run,
        "kind": kind_of(first),
        "question": first.question.text,
        "begun_at": record.entries[0].time,
        "model": made.model,
        "period": label(first.question.period) if first.question.period else None,
        "sub_corpora": list(first.question.sub_corpora),
        "parent": made.parent,
        "forked_at": made.forked_at,
        "standing": standing,
    }


def _found(held: Holding, record: Record, *, closed: bool) -> Plain:
    with held.catalogue() as catalogue:
        shown = present.answer(record.answer, catalogue, closed=closed)
    state = record.state
    editable = record.answer.waits_at in PLANNING
    begun = {one.id for one in state.plan} - {one.id for one in state.queue}
    return {
        **{name: value for name, value in shown.items() if name not in {"run", "question", "model"}},
        "plan": [
            {**present.sub_question(one), "begun": one.id in begun, "names": [entity.text for entity in one.entities]}
            for one in state.plan
        ],
        "editable": editable,
        "estimate": _estimate(held, record) if editable else None,
        "there": [one.name for one in state.sub_corpora],
        "overruled": {
            document: {"decision": act.decision, "reason": act.reason, "by": act.author}
            for document, act in state.overruled.items()
        },
    }


def _estimate(held: Holding, record: Record) -> Plain | None:
    """What a run with its plan as it stands will take; none where no language model answers or it is gone."""
    first = record.first
    try:
        by = answering(held.workspace.settings, dict(first.manifest.models))
    except VestigiaError:  # letting it go on says so
        return None
    found = estimate(by, first.rules, datetime.now(UTC), len(record.state.plan))
    return asdict(found) if found else None


def made_of(record: Record) -> Plain:
    """What a run was made with: digests of everything, and every rule."""
    manifest = asdict(record.first.manifest)
    rules = {name: value for name, value in asdict(record.first.rules).items() if name not in {"budget", "switches"}}
    rules["windows"] = [label(one) for one in record.first.rules.windows]
    return {
        "manifest": manifest,
        "rules": {name: list(value) if isinstance(value, tuple) else value for name, value in rules.items()},
        "budget": asdict(record.first.rules.budget),
        "switches": asdict(record.first.rules.switches),
    }


def step(entry: Entry) -> Plain:
    """An entry in a line."""
    return {"entry": entry.number, "time": entry.time, "by": entry.actor, "what": recorded.in_words(entry)}


def entry_view(held: Holding, record: Record, number: int, *, closed: bool) -> Plain:
    """One entry as it is written, and what models were sent and said there. Raises UsageError where there is none.

    Of a run that met a closed document no entry is given in full unless closed texts are shown: briefs, memory and
    prompts may have taken anything from what was read (decision 15).
    """
    if not 0 <= number < len(record.entries):
        raise UsageError(f"the run has no entry {number}.", where=f"run {record.run}")
    entry = record.entries[number]
    withheld = not closed and names_any(held.workspace.runs, record.run, _closed(held))
    return {
        **step(entry),
        "digest": entry.digest,
        "previous": entry.previous,
        "took": entry.took,
        "body": None if withheld else _ENTRY.write(entry)["body"],
        "withheld": present.CLOSED if withheld else None,
        "calls": [] if withheld else _calls(held.workspace, record, entry, closed=closed),
        "last": len(record.entries) - 1,
    }


def _calls(workspace: Workspace, record: Record, entry: Entry, *, closed: bool) -> list[Plain]:
    """What models were sent, and at the entry of the answer what they replied."""
    asked = isinstance(entry.body, Asked) and any(isinstance(effect, AskModel) for effect in entry.body.effects)
    replied = isinstance(entry.body, Answered) and any(isinstance(one, Replied) for one in entry.body.answers)
    if not (asked or replied):
        return []
    try:
        found = recorded.calls(workspace, record.run, entry.number, closed=closed)
    except UsageError:  # nobody has answered yet
        return []
    return [{**recorded.plain(call), **({"reply": None} if asked else {})} for call in found]


def _closed(held: Holding) -> frozenset[DocumentId]:
    with held.catalogue() as catalogue:
        return held.remembered("closed", catalogue.fingerprint, lambda: frozenset(closed_of(catalogue).documents))


def listed(records: Records, live: Live, workspace: Workspace, row: RunRow) -> Plain:
    """A run as the list shows it: its row, what it was begun for and how it stands."""
    plain = {**asdict(row), "kind": "", "state": row.state, "checkpoint": "", "place": 0}
    if row.state == "broken":
        return plain
    plain["kind"] = records.kind(workspace, row.run)
    if row.state in ENDED:
        return {**plain, "state": ENDED[row.state]}
    standing = standing_of(live, workspace, row.run, records.read(workspace, row.run).entries)
    return {**plain, **{name: standing[name] for name in ("state", "checkpoint", "place")}}


def belongs(row: Plain, state: str, kind: str, words: str) -> bool:
    """Whether a row is one of those asked for."""
    same = row["state"] in MOVING if state == "running" else row["state"] == state
    said = f"{row['question']} {row['run']} {row['model']}".casefold()
    return (not state or same) and kind in {"", row["kind"]} and words.strip().casefold() in said
