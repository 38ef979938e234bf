"""Fixtures every test may use."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

os.environ.pop("COLUMNS", None)  # a test says how wide its page is; a runner's own width is none of its business
settings.register_profile("vestigia", deadline=None)  # speed is measured in benchmarks, never asserted
settings.load_profile("vestigia")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The licensed samples beside the checkout; a test that asks for them is skipped where they are absent."""
    folder = Path(__file__).parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the shared samples are not beside this checkout")
    return folder
