"""Write the golden deposit anew: `uv run python scripts/approve_deposit.py`, then read the difference.

Only when what is made of a record was changed on purpose. After a release a deposit of the old format stays as it is,
for it must still verify: raise `FORMAT` in `app/depositing/record.py`, and write a golden one of the new format.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fakes.depositing import golden_deposit

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "deposit-v1.zip"


def main() -> None:
    """Deposit the golden run once more."""
    GOLDEN.write_bytes(golden_deposit())


if __name__ == "__main__":
    main()
