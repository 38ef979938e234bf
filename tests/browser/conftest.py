"""Debian's Chromium by its path; what needs it is skipped, with the reason, where it is not installed."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fakes.browsers import CHROMIUM, at_work
from fakes.servers import serving
from fakes.stages import narrator, played
from vestigia.app.workspace import init


@pytest.fixture(scope="session")
def installed() -> None:
    """Skips where there is no browser."""
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not installed: `apt-get install chromium`")


@pytest.fixture(scope="module")
def chromium(installed: None) -> Iterator[object]:
    """The browser, without a window. While it is open no other event loop can run in this thread."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def day(installed: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site with an archive after a day's work, and one that holds nothing."""
    root: Path = tmp_path_factory.mktemp("day")
    init(root / "nothing-yet")
    with serving(narrator) as model:
        with ThreadPoolExecutor(1) as thread:
            thread.submit(played, root / "demo", model.address()).result()
        with at_work(root / "demo", root / "nothing-yet") as address:
            yield address
