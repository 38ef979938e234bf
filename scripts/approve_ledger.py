"""Write the golden ledger anew: `uv run python scripts/approve_ledger.py`, then read the difference.

Only before the first release, or when a kind of value was added: a ledger once written must be read for ever.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fakes.samples import bodies, chain

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "ledger-v1.jsonl"


def main() -> None:
    """Write a ledger that holds every kind of body, event, effect, request and answer, once bare and once full."""
    GOLDEN.write_bytes(b"".join(chain(bodies())))


if __name__ == "__main__":
    main()
