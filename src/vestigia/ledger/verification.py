"""Verifying a run: is the record whole, and is it the record that was written?"""

from dataclasses import dataclass
from pathlib import Path

from vestigia.domain.effects import Replied
from vestigia.domain.entries import Answered, Entry
from vestigia.domain.errors import LedgerError
from vestigia.domain.ids import Digest, RunId, digest
from vestigia.ledger import blobs
from vestigia.ledger.chain import load, sound


@dataclass(frozen=True, slots=True)
class Report:
    """What was found. `entries` are those before the first problem, `head` is the digest of the last of them.

    Two people hold the same record exactly when they hold the same head. `torn` describes a last line that was not
    written to its end: no problem, the run can be resumed. `problem` is the first one, in words; `entry` its number,
    or None when it is a kept text that no entry names. `blobs` counts the kept texts that are as they were.
    """

    run: RunId
    entries: int
    head: Digest
    blobs: int
    torn: str = ""
    problem: str = ""
    entry: int | None = None

    @property
    def sound(self) -> bool:
        """Whether every whole entry and every kept text is as it was written."""
        return not self.problem


def verify(folder: Path) -> Report:
    """Check every entry and every kept text of the run in `runs/<id>`. Nothing is changed.

    Raises ArchiveError when there is no ledger.
    """
    run = RunId(folder.name)
    lines, torn = load(folder)
    good, problem = sound(folder, run, lines)
    place = len(good) if problem else None
    checked = 0
    for number, key in _texts(folder, good):
        try:
            blobs.kept(folder, key)
            checked += 1
        except LedgerError as error:
            if not problem:
                problem, place = str(error), number
    head = good[-1].digest if good else digest(run)
    return Report(run, len(good), head, checked, str(torn or ""), problem, place)


def _texts(folder: Path, entries: list[Entry]) -> list[tuple[int | None, Digest]]:
    """Every text that an entry names, with the entry's number, then those kept beside that none names."""
    named: dict[Digest, int | None] = {}
    for entry in entries:
        answers = entry.body.answers if isinstance(entry.body, Answered) else ()
        for answer in answers:
            if isinstance(answer, Replied) and answer.prompt:
                named.setdefault(answer.prompt, entry.number)
    for key in blobs.stored(folder):
        named.setdefault(key, None)
    return [(number, key) for key, number in named.items()]
