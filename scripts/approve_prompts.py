"""Write the golden files of the prompts anew: `uv run python scripts/approve_prompts.py`, then read the difference."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from golden.prompts.cases import CASES, FOLDER, rendered


def main() -> None:
    """Write a file a case, remove those without one, and name what changed."""
    for stale in sorted(path for path in FOLDER.glob("*.txt") if path.stem not in CASES):
        stale.unlink()
        print(f"removed {stale.name}")
    for name in CASES:
        file, text = FOLDER / f"{name}.txt", rendered(name)
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8", newline="\n")
            print(f"approved {file.name}")


if __name__ == "__main__":
    main()
