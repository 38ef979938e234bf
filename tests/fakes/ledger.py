"""A ledger in memory: the fake behind the Ledger port."""

from collections.abc import Callable, Iterable

from vestigia.domain.entries import Body, Entry
from vestigia.domain.errors import LedgerError
from vestigia.domain.ids import Digest, RunId, digest
from vestigia.ledger.codec import seal


class MemoryLedger:
    """Keeps entries in a list and texts in a dictionary. `entries` may begin with those of an interrupted run."""

    def __init__(self, run: RunId, clock: Callable[[], str], entries: Iterable[Entry] = ()) -> None:
        self._run = run
        self._clock = clock
        self._entries = list(entries)
        self.blobs: dict[Digest, str] = {}

    @property
    def run(self) -> RunId:
        return self._run

    def entries(self) -> tuple[Entry, ...]:
        return tuple(self._entries)

    def append(self, body: Body, actor: str, took: float | None = None) -> Entry:
        previous = self._entries[-1].digest if self._entries else digest(self._run)
        draft = Entry(len(self._entries), previous, Digest(""), self._clock(), actor, body, took)
        entry, _ = seal(draft)  # refuses what no file could hold
        self._entries.append(entry)
        return entry

    def keep(self, content: str) -> Digest:
        key = digest(content)
        self.blobs[key] = content
        return key

    def kept(self, key: Digest) -> str:
        if key not in self.blobs:
            raise LedgerError(f"the text {key} is not kept", where=f"run {self._run}", remedy="Keep it first.")
        return self.blobs[key]
