"""Whether the model behind a server is still the one whose vectors are kept: a fingerprint cannot see it.

One known sentence is encoded with the first texts and kept beside their vectors; later ones are compared with it.
"""

import base64
from pathlib import Path

import numpy as np

from vestigia.domain.errors import ArchiveError
from vestigia.domain.ports import Encoder, server_of
from vestigia.index.vectors import Vectors, header_of, write_header

KNOWN = "known"
SENTENCE = "In the night of 14 March 1887 the river carried the wooden bridge away."
_ALIKE = 0.99
"""Cosine that the same model reaches on other hardware or in another precision; other models are far below."""


def query_vector(encoder: Encoder, text: str, folder: Path) -> Vectors:
    """Encode a query. Raises ArchiveError when the encoder's server has another model than when it encoded."""
    if not server_of(encoder):
        return np.asarray(encoder.encode([text], "query")[0], np.float32)
    vectors: Vectors = np.asarray(encoder.encode([text, SENTENCE], "query"), np.float32)
    _compare(encoder, folder, vectors[1])
    asked: Vectors = vectors[0]
    return asked


def sign(encoder: Encoder, folder: Path) -> None:
    """Say in a folder of vectors whose they are, or check it. Raises ArchiveError for another encoder's or model's."""
    there = header_of(folder, encoder) is not None
    if not server_of(encoder):
        if not there:
            write_header(folder, encoder)
        return
    today = np.asarray(encoder.encode([SENTENCE], "query")[0], "<f4")
    if there:
        _compare(encoder, folder, today)
    else:
        write_header(folder, encoder, {KNOWN: base64.b64encode(today.tobytes()).decode("ascii")})


def _compare(encoder: Encoder, folder: Path, today: Vectors) -> None:
    header = header_of(folder, encoder) or {}
    try:
        kept = np.frombuffer(base64.b64decode(str(header.get(KNOWN, "")), validate=True), "<f4")
    except ValueError:  # damaged
        kept = np.zeros(0, "<f4")
    if len(kept) != len(today):
        how = f"its vectors have {len(today)} numbers, those kept {len(kept)}"
    elif not float(kept @ today) >= _ALIKE:
        how = f"it reads a known sentence otherwise (cosine {float(kept @ today):.3f})"
    else:
        return
    raise ArchiveError(
        f"the model behind {encoder.name} is no longer the one whose vectors are kept: {how}.",
        where=str(folder),
        remedy="Give the new model a name of its own under [encoders] and encode with it, or delete the folder and "
        "encode again.",
    )
