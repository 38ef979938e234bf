"""Write the golden archive anew: `uv run python scripts/approve_archive.py`, then look at what is in it.

Only before the first release: afterwards the archive of a format stays as it is, for every later version must open it;
when the format changes, a golden archive of the new one is put beside it.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fakes.golden_archives import golden_archive
from unit.web.conftest import _without_weights
from vestigia.models.encoders.hashing import HashingEncoder

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "archive-v1.zip"


def main() -> None:
    """Make the archive once more, with an encoder that has no weights."""
    GOLDEN.unlink(missing_ok=True)
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        _without_weights(patch, HashingEncoder())
        patch.chdir(folder)
        golden_archive(Path(), GOLDEN)
    print(f"{GOLDEN.name}: {GOLDEN.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
