"""Going on from an entry of a run with another decision, model or rule: a new run that names its parent."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import UTC, datetime

from vestigia.app.accounts import affordable
from vestigia.app.asking import Answer, Watch, carry_on, manifest_of, now, opened
from vestigia.app.models import answering
from vestigia.app.workspace import Workspace
from vestigia.domain.entries import Begun, Entry, Recorded
from vestigia.domain.errors import UsageError
from vestigia.domain.events import Closed
from vestigia.domain.ids import RunId, digest
from vestigia.domain.rules import Rules
from vestigia.engine import runs
from vestigia.engine.journal import begun
from vestigia.ledger.log import FileLedger
from vestigia.ledger.naming import run_id


def fork(
    workspace: Workspace,
    name: str,
    at: int,
    changed: Callable[[Rules], Rules] = lambda rules: rules,
    model: str = "",
    watch: Watch | None = None,
) -> Answer:
    """Begin a new run that has the entries of another before `at`, and go on from there.

    Raises UsageError where it cannot be forked there: no such entry, an ended run, another archive since, or rules
    that would have decided otherwise before; then nothing is begun.
    """
    run = workspace.run(name)
    parent = FileLedger.read(workspace.runs, run)
    entries = parent.entries()
    first = begun(entries, run)
    _require_open(entries[:at], first, run)
    by = answering(workspace.settings, {"": model} if model else dict(first.manifest.models))
    with opened(workspace, by) as archive:
        made = manifest_of(workspace, archive, by)
        _require_same_archive(first, made.corpus, run)
        rules = affordable(replace(changed(first.rules), withhold=by.withhold), by, datetime.now(UTC))
        if diverged := runs.divergence(entries, at, run, rules):
            raise UsageError(
                f"with these rules, this version or these prompts {diverged.where} would already be another: "
                f"{diverged.what}",
                where=f"run {run}",
                remedy="Fork at that entry or before it.",
            )
        manifest = replace(made, parent=run, forked_at=at)
        new = run_id(first.question.text, now(), digest(json.dumps(asdict(manifest), sort_keys=True)))
        with FileLedger.create(workspace.runs, new, now) as ledger:
            runs.fork(parent, at, ledger, rules, made)
            return carry_on(ledger, archive, watch)


def _require_open(before: tuple[Entry, ...], first: Begun, run: RunId) -> None:
    if first.commission is not None:
        raise UsageError(
            "only a run that answers a question can be forked.", where=f"run {run}", remedy="Begin it anew."
        )
    ends = [
        entry.number for entry in before if isinstance(entry.body, Recorded) and isinstance(entry.body.event, Closed)
    ]
    if ends:
        raise UsageError(
            f"the run had ended at entry {ends[0]}: nothing is left to decide after it.",
            where=f"run {run}",
            remedy=f"Choose an entry from 1 to {ends[0]}: `vestigia show ARCHIVE RUN --entries` lists them.",
        )


def _require_same_archive(first: Begun, corpus: str, run: RunId) -> None:
    if first.manifest.corpus != corpus:
        raise UsageError(
            "documents came in or went since: what was searched before would not be what is searched after.",
            where=f"run {run}",
            remedy="Ask the question anew.",
        )
