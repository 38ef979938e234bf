"""Write the demo's output into the README anew: `uv run python scripts/approve_readme.py`, then read the difference."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from docs.first_screen import README, trimmed, with_output


def main() -> None:
    """Run the demo in a folder of its own and keep the beginning of what it prints."""
    with tempfile.TemporaryDirectory() as folder:
        demo = [sys.executable, "-m", "vestigia.cli", "demo", f"{folder}/demo"]
        wide = {**os.environ, "COLUMNS": "1000"}
        printed = subprocess.run(demo, env=wide, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    text = with_output(README.read_text(encoding="utf-8"), trimmed(printed))
    README.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
