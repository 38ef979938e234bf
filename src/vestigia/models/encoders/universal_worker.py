"""A process in which `universal` encodes beside others, to use every core: the far side of `worker`."""

import sys

from vestigia.models.encoders.universal import UniversalEncoder
from vestigia.models.encoders.worker import serve


def main() -> None:
    """Serve; the weights are loaded with the first texts."""
    encoder = UniversalEncoder()
    serve(
        lambda texts, kind: encoder.encode(texts, "query" if kind == "query" else "passage"),
        sys.stdin.buffer,
        sys.stdout.buffer,
    )


if __name__ == "__main__":
    main()
