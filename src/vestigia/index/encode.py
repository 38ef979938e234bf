"""Encoding passages: slow, so it can stop at any moment and go on where it was; what is there is searched already.

While some texts are being encoded the next are fetched and those before are written, so that an encoder never waits.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np

from vestigia.domain.archive import DocumentCard, Passage
from vestigia.domain.ids import PassageId
from vestigia.domain.ports import Encoder
from vestigia.index.durable import only_writer
from vestigia.index.identity import sign
from vestigia.index.rows import RowTable, heading, vector_key
from vestigia.index.state import usable_state
from vestigia.index.vectors import (
    Files,
    Vectors,
    grouped,
    map_parts,
    merge_parts,
    open_parts,
    pieces,
    sweep_parts,
    vectors_folder,
)

BATCH = 32
"""Texts between two writes: what a kill can lose."""
_UNREADABLE = np.float32("nan")
"""Fills the vector of a text that has nothing to encode: it is done, and nothing is near it."""


def missing(folder: Path, encoder: Encoder) -> tuple[PassageId, ...]:
    """Return the passages of the index whose text is not yet encoded, in the order of the index."""
    table = RowTable.load(usable_state(folder).folder(folder))
    absent = np.flatnonzero(grouped(open_parts(folder, encoder)).of(table.data["text"]) < 0)
    return tuple(table.passage(row) for row in absent.tolist())


def encode(
    folder: Path,
    encoder: Encoder,
    pairs: Iterable[tuple[Passage, DocumentCard]],
    progress: Callable[[int], None] = lambda _: None,
    at_once: int = 1,
) -> int:
    """Encode the passages whose text has no vector yet and return how many texts that were.

    `progress` is told how many passages have been dealt with so far. `at_once` is how many calls the encoder can be at
    together. Raises ModelUnavailableError when the encoder fails; what was encoded before is kept.
    """
    usable_state(folder)
    encoded = dealt = 0
    with _writing(folder, encoder) as home, closing(_write_missing(home, encoder, pairs, at_once)) as batches:
        for texts, passages in batches:
            encoded += texts
            dealt += passages
            progress(dealt)
        merge_parts(folder, encoder, RowTable.load(usable_state(folder).folder(folder)))
    return encoded


def encode_ahead(
    folder: Path, encoder: Encoder, pairs: Iterable[tuple[Passage, DocumentCard]], at_once: int = 1
) -> Generator[tuple[int, int]]:
    """Encode passages that need not be in the index yet, as `encode` does; the next `encode` puts them in order.

    Yields after each batch how many texts were encoded and how many passages dealt with.
    """
    with _writing(folder, encoder) as home, closing(_write_missing(home, encoder, pairs, at_once)) as batches:
        yield from batches


@contextmanager
def _writing(folder: Path, encoder: Encoder) -> Iterator[Path]:
    home = vectors_folder(folder, encoder)
    with only_writer(home, f"encoding with {encoder.name}"):
        sign(encoder, home)
        yield home


def _write_missing(
    home: Path, encoder: Encoder, pairs: Iterable[tuple[Passage, DocumentCard]], at_once: int
) -> Generator[tuple[int, int]]:
    files = Files(home)
    done = {bytes(text) for text in grouped(map_parts(home)).texts}
    with closing(_in_turn(lambda texts: _encoded(encoder, texts), _batches(pairs, done), at_once)) as batches:
        for seen, (texts, vectors) in batches:
            if texts:
                files.write(texts, vectors)
            yield len(set(texts)), seen


def sweep_vectors(folder: Path) -> None:
    """Write the vectors of every encoder anew without those of passages that are no longer in the index.

    Raises ArchiveError while an encoder is at work there.
    """
    sweep_parts(folder, RowTable.load(usable_state(folder).folder(folder)))


Texts = dict[bytes, list[str]]
"""What is to be encoded of each text, by its digest."""


Encoded = tuple[list[bytes], Vectors]
"""The digest of each piece and its vector."""


def _in_turn(
    work: Callable[[Texts], Encoded], batches: Iterable[tuple[int, Texts]], at_once: int
) -> Generator[tuple[int, Encoded]]:
    """Yield what becomes of each batch, in their order: `at_once` are in hand, and one more waits."""
    with ThreadPoolExecutor(at_once) as threads:
        waiting = deque[tuple[int, Future[Encoded]]]()
        try:
            for seen, texts in batches:
                waiting.append((seen, threads.submit(work, texts)))
                if len(waiting) > at_once:
                    dealt, first = waiting.popleft()
                    yield dealt, first.result()
            for dealt, rest in waiting:
                yield dealt, rest.result()
        finally:
            threads.shutdown(wait=False, cancel_futures=True)


def _batches(pairs: Iterable[tuple[Passage, DocumentCard]], done: set[bytes]) -> Iterator[tuple[int, Texts]]:
    """Yield how many passages were seen and the new texts among them, by digest; `done` grows."""
    seen, texts = 0, Texts()
    for passage, card in pairs:
        seen += 1
        key = vector_key(passage, card).encode()
        if key not in done:
            done.add(key)
            texts[key] = [heading(card) + piece for piece in pieces(passage.text)]
        if len(texts) == BATCH or seen == 16 * BATCH:
            yield seen, texts
            seen, texts = 0, {}
    if seen:
        yield seen, texts


def _encoded(encoder: Encoder, texts: Texts) -> Encoded:
    if not texts:
        return [], np.zeros((0, 0), np.float32)
    cut = [(key, piece) for key, written in texts.items() for piece in written]
    vectors = np.array(encoder.encode([piece for _, piece in cut], "passage"), np.float32)
    vectors[~vectors.any(axis=1)] = _UNREADABLE
    return [key for key, _ in cut], vectors
