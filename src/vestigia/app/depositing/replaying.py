"""Replaying a deposit: its runs decided again from the record alone, and where an archive would differ today."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vestigia.app.asking import differences, manifest_of, opened
from vestigia.app.depositing.again import Again, cards_of, decided_again, listed
from vestigia.app.depositing.checking import check
from vestigia.app.depositing.crate import kind_of
from vestigia.app.depositing.record import DepositedRun, Record
from vestigia.app.models import answering
from vestigia.app.present import REPLACED, WITHDRAWN
from vestigia.app.workspace import Workspace
from vestigia.domain.errors import LedgerError, VestigiaError
from vestigia.domain.ids import DocumentId, digest
from vestigia.ledger.log import FileLedger
from vestigia.ledger.naming import runs as runs_in


@dataclass(frozen=True, slots=True)
class Replayed:
    """A deposit decided again, run by run, and what an archive has otherwise; None where none was named."""

    record: Record
    runs: tuple[Again, ...]
    against: dict[str, Any] | None


def replay(file: Path, workspace: Workspace | None = None) -> Replayed:
    """Decide a deposit again, without archive, index, model or network; compare it with an archive if one is given.

    Raises LedgerError where the deposit is not as it was written, DivergedError where this version decides otherwise.
    """
    checked = check(file)
    if checked.record is None or not checked.sound:
        raise LedgerError(
            f"the deposit is not as it was written: {'; '.join(checked.problems[:3])}.",
            where=str(file),
            remedy="`vestigia verify` names all that is wrong with it.",
        )
    record = checked.record
    against = _against(record, workspace) if workspace else None
    return Replayed(record, tuple(decided_again(run) for run in record.runs), against)


def plain(found: Replayed) -> dict[str, Any]:
    """A replay as data."""
    record = found.record
    cards = cards_of(record.runs)
    return {
        "run": record.main.run,
        "kind": kind_of(record.main),
        "runs": [
            {
                "run": one.run.run,
                "kind": kind_of(one.run),
                "finished": one.finished,
                "decided_again": one.decided,
                "why": one.why or None,
            }
            for one in found.runs
        ],
        "same": True,
        "sources": [
            {"document": name, "title": cards[name].title if name in cards else None} for name in listed(record.main)
        ],
        "archive": found.against,
    }


def _against(record: Record, workspace: Workspace) -> dict[str, Any]:
    """Where an archive is not as it was, and what a fresh run there would do with."""
    catalogue = workspace.catalogue()
    try:
        today = {card.id: card for card in catalogue.documents([_id(one) for one in record.sources])}
        documents = []
        for source in record.sources:
            name = _id(source)
            whole = catalogue.document(name) if name in today else None
            why = ""
            if whole is None:
                why = WITHDRAWN
            elif source["text_digest"] and digest(whole.text) != source["text_digest"]:
                why = REPLACED
            elif today[name].access.value != source["access"]:
                why = f"its rights are {today[name].access.value or 'unknown'} now"
            if why:
                documents.append({"document": name, "title": source["title"], "why": why})
        same = catalogue.fingerprint == record.main.first.manifest.corpus
    finally:
        catalogue.close()
    return {
        "name": workspace.settings.archive.name,
        "same_fingerprint": same,
        "documents": documents,
        "fresh_run": list(_fresh(record.main, workspace)),
        "records": [said for run in record.runs if (said := _kept(run, workspace))],
    }


def _id(source: Any) -> DocumentId:  # noqa: ANN401  as it was written beside the ledgers
    return DocumentId(source["document"])


def _fresh(run: DepositedRun, workspace: Workspace) -> Iterator[str]:
    """Name what a fresh run would have another of; where it cannot be said, why."""
    then = run.first.manifest
    try:
        by = answering(workspace.settings, dict(then.models))
        with opened(workspace, by) as archive:
            found = manifest_of(workspace, archive, by)
            yield from differences(then, found)
            if found.settings != then.settings:
                yield "settings"
    except VestigiaError as error:
        yield f"it cannot be said of a fresh run: {error}"


def _kept(run: DepositedRun, workspace: Workspace) -> dict[str, Any] | None:
    """The archive's own record of a run beside the deposited one: the only one who can check what is withheld."""
    if run.run not in runs_in(workspace.runs):
        return None
    entries = FileLedger.read(workspace.runs, run.run).entries()
    same = [entry.digest for entry in entries[: len(run.entries)]] == [entry.digest for entry in run.entries]
    return {"run": run.run, "same": same, "entries_since": len(entries) - len(run.entries) if same else None}
