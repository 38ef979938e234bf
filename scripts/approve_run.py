"""Write the golden run anew: `uv run python scripts/approve_run.py`, then read the difference.

Only when a rule of discover was changed on purpose: every build must replay the recorded run to the recorded ranking,
so a run somebody made before the change will diverge after it. Say so in CHANGELOG.md.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fakes.runs import golden_run

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "run-v1.jsonl"


def main() -> None:
    """Carry the small scripted run out once more and write its ledger."""
    GOLDEN.write_bytes(golden_run().lines)


if __name__ == "__main__":
    main()
