"""Acts of people for a run that another program is writing: left beside its ledger, taken in by its writer.

An act is a file of its own, whole or not there. It counts as recorded when it is in the ledger and the file is gone.
"""

import json
from pathlib import Path

from vestigia.domain.entries import Recorded
from vestigia.domain.errors import ArchiveError
from vestigia.domain.events import HumanAct
from vestigia.domain.ids import digest
from vestigia.domain.ports import Ledger
from vestigia.ledger import durable
from vestigia.ledger.shapes import UnfitError, shape

INBOX = "inbox"
_RECORDED = shape(Recorded)


def leave(run_folder: Path, act: HumanAct, time: str) -> Path:
    """Leave an act for the writer of a run; returns the file, which is gone once the act is in the ledger.

    `time` is UTC in ISO 8601: acts are taken in by it. Raises ArchiveError.
    """
    content = json.dumps(_RECORDED.write(Recorded(act)), ensure_ascii=False).encode()
    folder = run_folder / INBOX
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise durable.unwritten(error, folder) from error
    file = folder / f"{time.replace(':', '')}-{digest(content)[-8:]}.json"
    durable.replace(file, content)
    return file


def take_in(ledger: Ledger, run_folder: Path) -> int:
    """Write what people left into the ledger, in the order of time; returns how many acts that were.

    Raises ArchiveError for a file that holds no act.
    """
    files = sorted((run_folder / INBOX).glob("*.json"))
    for file in files:
        act = _act(file)
        ledger.append(Recorded(act), f"person:{act.author}")
        file.unlink()
    return len(files)


def _act(file: Path) -> HumanAct:
    try:
        event = _RECORDED.read(json.loads(file.read_text(encoding="utf-8"))).event
    except (ValueError, UnfitError) as error:
        raise ArchiveError("it holds no decision.", where=str(file), remedy="Delete it and decide again.") from error
    if not isinstance(event, HumanAct):
        raise ArchiveError("it holds no decision.", where=str(file), remedy="Delete it and decide again.")
    return event
