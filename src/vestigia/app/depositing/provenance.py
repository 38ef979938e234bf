"""The provenance of deposited runs as PROV-JSON (W3C PROV): which run used what, who took part, what people decided.

Runs and acts of people are activities; archives, ledgers, rubrics, sources and results are entities; people, models and
this program are agents.
"""

import json
from collections.abc import Mapping
from typing import Any

from vestigia.app.depositing.again import cards_of, listed
from vestigia.app.depositing.flow import KINDS
from vestigia.app.depositing.record import DepositedRun, Record, origins_of
from vestigia.domain.commissions import JudgeOrder
from vestigia.domain.entries import Entry
from vestigia.domain.events import HumanAct
from vestigia.domain.ids import DocumentId, digest
from vestigia.ledger.shapes import tag

PREFIXES = {"v": "urn:vestigia:", "run": "urn:vestigia:run:", "doc": "urn:vestigia:source:"}
Part = dict[str, dict[str, Any]]


def prov(record: Record) -> dict[str, Any]:
    """Return the PROV-JSON document of a record."""
    parts: Part = {"prefix": dict(PREFIXES)}
    sources = names_of(record)
    cards = cards_of(record.runs)
    for name, local in sources.items():
        card = cards.get(name)
        said = {"prov:label": card.title or name, "prov:type": _qualified("v:Source")} if card else {"prov:label": name}
        _add(parts, "entity", local, {**said, "v:identifier": name})
    for run in record.runs:
        _run(parts, run, sources)
        for entry, act in run.acts:
            _act(parts, run, entry, act, sources)
    return parts


def names_of(record: Record) -> Mapping[DocumentId, str]:
    """The sources that the runs came to, and those that people decided about, with their names in the document."""
    listed_ones = (name for run in record.runs for name in listed(run))
    decided = (act.document for run in record.runs for _, act in run.acts if hasattr(act, "document"))
    return {name: f"doc:{n}" for n, name in enumerate(dict.fromkeys((*listed_ones, *decided)), 1)}


def _run(parts: Part, run: DepositedRun, sources: Mapping[DocumentId, str]) -> None:
    made, manifest = run.first, run.first.manifest
    order = made.commission
    activity, ledger = f"run:{run.run}", f"run:{run.run}_ledger"
    archive, result = f"v:archive_{_hex(manifest.corpus)}", f"run:{run.run}_result"
    kind = KINDS[type(order)] if order else "question"
    _add(parts, "activity", activity, {
        "prov:startTime": run.entries[0].time, "prov:endTime": run.entries[-1].time,
        "prov:type": _qualified(f"v:{kind.capitalize()}"), "prov:label": made.question.text or kind,
    })  # fmt: skip
    _add(parts, "entity", archive, {"prov:type": _qualified("v:Archive"), "v:fingerprint": manifest.corpus})
    _add(parts, "entity", ledger, {"prov:type": _qualified("v:Ledger"), "v:head": run.head,
         "v:entries": len(run.entries)})  # fmt: skip
    _add(parts, "entity", result, {"prov:type": [_qualified("prov:Collection"), _qualified("v:Result")]})
    _relate(parts, "used", {"prov:activity": activity, "prov:entity": archive})
    for made_here in (ledger, result):
        _relate(parts, "wasGeneratedBy", {"prov:entity": made_here, "prov:activity": activity})
    _relate(parts, "wasDerivedFrom", {"prov:generatedEntity": result, "prov:usedEntity": ledger})
    if isinstance(order, JudgeOrder):
        rubric = f"v:rubric_{_hex(order.rubric.digest)}"
        _add(parts, "entity", rubric, {"prov:type": _qualified("v:Rubric"), "prov:label": order.rubric.name})
        _relate(parts, "used", {"prov:activity": activity, "prov:entity": rubric})
    for origin in origins_of(made):
        before = f"run:{origin.run}_ledger"
        if before not in parts["entity"]:
            _add(parts, "entity", before, {"prov:type": _qualified("v:Ledger"), "v:head": origin.head})
        _relate(parts, "used", {"prov:activity": activity, "prov:entity": before})
        _relate(parts, "wasDerivedFrom", {"prov:generatedEntity": ledger, "prov:usedEntity": before})
    for name in listed(run):
        _relate(parts, "hadMember", {"prov:collection": result, "prov:entity": sources[name]})
    for actor in dict.fromkeys(["code", *(entry.actor for entry in run.entries)]):
        agent = _agent(parts, run, actor)
        _relate(parts, "wasAssociatedWith", {"prov:activity": activity, "prov:agent": agent})


def _agent(parts: Part, run: DepositedRun, actor: str) -> str:
    """Name the agent that made an entry: this program, models, or a person."""
    kind, _, name = actor.partition(":")
    if kind == "person":
        types, local = _qualified("prov:Person"), _local(parts, "person", name)
    else:
        types = _qualified("prov:SoftwareAgent")
        name = name or f"Vestigia {run.first.manifest.version}"
        local = _local(parts, "model" if kind == "model" else "program", name)
    _add(parts, "agent", local, {"prov:type": types, "prov:label": name})
    return local


def _local(parts: Part, kind: str, label: str) -> str:
    """The name of an agent in the document: the same for the same label, whatever signs that has."""
    known = parts.setdefault("agent", {})
    found = [name for name, said in known.items() if name.startswith(f"v:{kind}_") and said["prov:label"] == label]
    return found[0] if found else f"v:{kind}_{sum(name.startswith(f'v:{kind}_') for name in known) + 1}"


def _act(parts: Part, run: DepositedRun, entry: Entry, event: HumanAct, sources: Mapping[DocumentId, str]) -> None:
    """What a person decided, as an activity of its own."""
    activity = f"run:{run.run}_act_{entry.number}"
    _add(parts, "activity", activity, {
        "prov:startTime": entry.time, "prov:endTime": entry.time, "prov:type": _qualified(f"v:{type(event).__name__}"),
        "prov:label": _label(event), "v:entry": entry.number,
    })  # fmt: skip
    _relate(parts, "wasAssociatedWith", {"prov:activity": activity, "prov:agent": _agent(parts, run, entry.actor)})
    _relate(parts, "wasInformedBy", {"prov:informed": f"run:{run.run}", "prov:informant": activity})
    document = getattr(event, "document", None)
    if document is not None:
        _relate(parts, "used", {"prov:activity": activity, "prov:entity": sources[document]})


def _label(event: HumanAct) -> str:
    said = getattr(event, "decision", None) or getattr(event, "act", None) or getattr(event, "remark", None)
    return str(said) if said else tag(type(event)).replace("_", " ")


def _add(parts: Part, kind: str, name: str, said: dict[str, Any]) -> None:
    parts.setdefault(kind, {})[name] = said


def _relate(parts: Part, kind: str, said: dict[str, Any]) -> None:
    """Add a relation, named by what it says: the same one is there once."""
    name = digest(json.dumps(said, sort_keys=True)).removeprefix("sha256:")[:16]
    parts.setdefault(kind, {})[f"_:{kind}_{name}"] = said


def _qualified(name: str) -> dict[str, str]:
    return {"$": name, "type": "prov:QUALIFIED_NAME"}


def _hex(key: str) -> str:
    return key.removeprefix("sha256:")[:16]
