"""Photograph every page of the workbench: `uv run python scripts/screenshots.py FOLDER`, then look at them.

The demo archive after a day's work, and one that holds nothing, in a real Chromium: light and dark, wide and phone.
`--language de` takes another language, `--only runs` the pages of a family.
"""

import argparse
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from playwright.sync_api import sync_playwright

from fakes.browsers import CHROMIUM, at_work, pages_of
from fakes.servers import serving
from fakes.stages import narrator, played
from vestigia.app.workspace import init

KINDS = {
    "wide-light": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "wide-dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone-light": {"viewport": {"width": 375, "height": 740}, "color_scheme": "light"},
    "phone-dark": {"viewport": {"width": 375, "height": 740}, "color_scheme": "dark"},
}


def main() -> None:
    """Build, serve, photograph."""
    said = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    said.add_argument("folder", type=Path)
    said.add_argument("--language", default="en")
    said.add_argument("--only", default="")
    said.add_argument("--kinds", default=",".join(KINDS))
    said.add_argument("--archive", type=Path, help="An archive that is there already, instead of the demo.")
    chosen = said.parse_args()
    with tempfile.TemporaryDirectory() as made, serving(narrator) as model:
        demo = chosen.archive or Path(made) / "demo"
        if not demo.exists():
            played(demo, model.address())
        init(Path(made) / "nothing-yet", "Nothing yet")
        with at_work(demo, Path(made) / "nothing-yet") as address:
            shown = pages_of(address, each=1)
            names = {
                f"{re.sub('[^a-z]+', '-', route.lower()).strip('-')}-{number}": to
                for route, found in shown.items()
                for number, to in enumerate(found, 1)
                if chosen.only in route
            }
            _photograph(address, names, chosen.folder, chosen.kinds.split(","), chosen.language)


def _photograph(address: str, names: dict[str, str], folder: Path, kinds: list[str], language: str) -> None:
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        for kind in kinds:
            context = browser.new_context(**KINDS[kind], locale=language, base_url=address)
            page = context.new_page()
            (folder / kind).mkdir(parents=True, exist_ok=True)
            for name, to in names.items():
                page.goto(to)
                page.screenshot(path=folder / kind / f"{name}.png", full_page=True)
                print(kind, name, to)
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
