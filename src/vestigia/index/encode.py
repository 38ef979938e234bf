"""Encoding passages: slow, so it can stop at any moment and go on where it was; what is there is searched already."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np

from vestigia.domain.archive import DocumentCard, Passage
from vestigia.domain.ids import PassageId
from vestigia.domain.ports import Encoder
from vestigia.index.durable import only_writer
from vestigia.index.rows import RowTable, heading, vector_key
from vestigia.index.state import usable_state
from vestigia.index.vectors import (
    Vectors,
    grouped,
    merge_parts,
    next_part,
    open_parts,
    pieces,
    sweep_parts,
    vectors_folder,
    write_header,
    write_part,
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
) -> int:
    """Encode the passages whose text has no vector yet and return how many texts that were.

    `progress` is told how many passages have been dealt with so far. Raises ModelUnavailableError when the encoder
    fails; what was encoded before is kept.
    """
    usable_state(folder)
    home = vectors_folder(folder, encoder)
    with only_writer(home, f"encoding with {encoder.name}"):
        write_header(home, encoder)
        done = {bytes(text) for text in grouped(open_parts(folder, encoder)).texts}
        encoded = dealt = 0
        for seen, texts in _batches(pairs, done):
            encoded += len(texts)
            if texts:
                write_part(next_part(home), *_encoded(encoder, texts))
            dealt += seen
            progress(dealt)
        merge_parts(folder, encoder, RowTable.load(usable_state(folder).folder(folder)))
    return encoded


def sweep_vectors(folder: Path) -> None:
    """Write the vectors of every encoder anew without those of passages that are no longer in the index.

    Raises ArchiveError while an encoder is at work there.
    """
    sweep_parts(folder, RowTable.load(usable_state(folder).folder(folder)))


def _batches(
    pairs: Iterable[tuple[Passage, DocumentCard]], done: set[bytes]
) -> Iterator[tuple[int, dict[bytes, list[str]]]]:
    """Yield how many passages were seen and the new texts among them, by digest; `done` grows."""
    seen, texts = 0, dict[bytes, list[str]]()
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


def _encoded(encoder: Encoder, texts: dict[bytes, list[str]]) -> tuple[list[bytes], Vectors]:
    cut = [(key, piece) for key, written in texts.items() for piece in written]
    vectors = np.array(encoder.encode([piece for _, piece in cut], "passage"), np.float32)
    vectors[~vectors.any(axis=1)] = _UNREADABLE
    return [key for key, _ in cut], vectors
