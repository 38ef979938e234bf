"""Following a ledger while it is being written: each look brings the entries that came since the last."""

from dataclasses import dataclass
from pathlib import Path

from vestigia.domain.entries import Entry
from vestigia.domain.errors import ArchiveError
from vestigia.domain.ids import RunId
from vestigia.ledger.chain import LEDGER, follow


@dataclass
class Tail:
    """The ledger of one run in the folder of all runs: the entry read last, and the bytes up to its end."""

    folder: Path
    run: RunId
    last: Entry | None = None
    read: int = 0

    def fresh(self) -> tuple[Entry, ...]:
        """The whole entries that came since the last look, each verified; a line that is being written comes later.

        Raises ArchiveError where the ledger cannot be read, LedgerError where it was altered.
        """
        path = self.folder / self.run / LEDGER
        try:
            if path.stat().st_size == self.read:
                return ()
            with path.open("rb") as file:
                file.seek(self.read)
                content = file.read()
        except OSError as error:
            raise ArchiveError(f"the ledger cannot be read: {error.strerror}.", where=str(path)) from error
        lines = [line + b"\n" for line in content.split(b"\n")[:-1]]
        found = tuple(follow(self.folder / self.run, self.run, lines, after=self.last))
        self.read += sum(map(len, lines))
        self.last = found[-1] if found else self.last
        return found
