"""A ledger that keeps nothing: for measuring many questions, where the record itself is not wanted afterwards."""

from vestigia.domain.entries import Body, Entry
from vestigia.domain.ids import Digest, RunId, digest


class PassingLedger:
    """Implements the Ledger port in memory, without time, chain or disk."""

    def __init__(self, run: RunId) -> None:
        self._run = run
        self._entries: list[Entry] = []
        self._texts: dict[Digest, str] = {}

    @property
    def run(self) -> RunId:
        """The run it records."""
        return self._run

    def entries(self) -> tuple[Entry, ...]:
        """Everything since the beginning."""
        return tuple(self._entries)

    def append(self, body: Body, actor: str, took: float | None = None) -> Entry:
        """Add an entry; its digests are empty."""
        entry = Entry(len(self._entries), Digest(""), Digest(""), "", actor, body, took)
        self._entries.append(entry)
        return entry

    def keep(self, content: str) -> Digest:
        """Keep a text until the ledger goes."""
        key = digest(content)
        self._texts[key] = content
        return key

    def kept(self, key: Digest) -> str:
        """Return a kept text."""
        return self._texts[key]
