"""Write `docs/walk.md` anew from the golden run: `uv run python scripts/approve_walk.py`, then read the difference."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from docs.walk import PAGE, page


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
