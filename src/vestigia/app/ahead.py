"""Encoding while files are still being read and indexed: a thread follows the catalogue and keeps every core busy.

Vectors are kept by text, not by place: encoding needs no index, and whatever stops it, a kill or a worker that died,
the import goes on and the `encode` that follows completes what is missing.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import chain, islice
from threading import Event

from vestigia.app.encoders import AT_ONCE, MANY, is_shared_out, on_all_cores
from vestigia.app.workspace import Workspace
from vestigia.corpus.catalogue import Catalogue
from vestigia.domain.archive import DocumentCard, Passage
from vestigia.domain.errors import VestigiaError
from vestigia.domain.ports import Encoder
from vestigia.index.encode import encode_ahead

LOOK_AGAIN = 0.2
"""Seconds between two looks into the catalogue."""


class Ahead:
    """Encodes what comes into the catalogue from now on, once it is worth processes of their own.

    `encoded` is how many texts that were. `tell` is told how many passages are dealt with, and of how many.
    """

    def __init__(self, workspace: Workspace, catalogue: Catalogue, tell: Callable[[int, int], None]) -> None:
        self._workspace, self._tell = workspace, tell
        self._batch, self._there = catalogue.batch, catalogue.passage_count
        self._all_in, self._stopped = Event(), Event()
        self.encoded = self._of = 0

    def run(self, one: Encoder) -> None:
        """Work until all is in and encoded, or until it is stopped. A failure is left to the `encode` that follows."""
        try:
            with closing(self._workspace.catalogue()) as catalogue:
                arrivals = self._arrivals(catalogue)
                first = list(islice(arrivals, MANY))
                if len(first) == MANY:
                    self._encode(one, chain(first, arrivals))
        except VestigiaError:
            return

    def finish(self) -> None:
        """Say that nothing more comes in."""
        self._all_in.set()

    def stop(self) -> None:
        """End with the texts in hand."""
        self._stopped.set()
        self._all_in.set()

    def _encode(self, one: Encoder, pairs: Iterator[tuple[Passage, DocumentCard]]) -> None:
        dealt = 0
        with (
            on_all_cores(one, MANY) as several,
            closing(encode_ahead(self._workspace.index, several, pairs, AT_ONCE)) as batches,
        ):
            for texts, passages in batches:
                self.encoded += texts
                dealt += passages
                self._tell(dealt, max(dealt, self._of))

    def _arrivals(self, catalogue: Catalogue) -> Iterator[tuple[Passage, DocumentCard]]:
        """Yield what comes in, file after file, until all is in."""
        batch, is_last = self._batch, False
        while not is_last:
            is_last = self._all_in.wait(LOOK_AGAIN)
            since, batch = batch, catalogue.batch
            self._of = catalogue.passage_count - self._there
            for pair in catalogue.pairs(catalogue.changed_since(since)):
                if self._stopped.is_set():
                    return
                yield pair


@contextmanager
def encoding_ahead(
    workspace: Workspace, catalogue: Catalogue, one: Encoder, tell: Callable[[int, int], None]
) -> Iterator[Ahead]:
    """Encode in the background what is imported inside, on all cores; leaving it waits for the rest.

    It ends with the texts in hand when it is left by an error, and does nothing where one process must do.
    """
    ahead = Ahead(workspace, catalogue, tell)
    if not is_shared_out(one) or catalogue.unswept:
        yield ahead
        return
    with ThreadPoolExecutor(1) as threads:
        work = threads.submit(ahead.run, one)
        try:
            yield ahead
            ahead.finish()
            work.result()
        finally:
            ahead.stop()
