"""How much memory an import takes, all its processes together, as the files grow.

    uv run python benchmarks/import_memory.py [--megabytes 100 400] [--encoder hashing] [--until STAGE] [FORMAT ...]

Writes files of about that size, imports them in a process of its own stage by stage as `vestigia add` does, and looks
ten times a second at the resident memory of that process and all its descendants. Prints a Markdown table with the
highest sum in each stage, in MB. The fast encoder needs a minute for 3 MB of text and core; `hashing` takes its place
where only the keeping of vectors is measured. Linux only.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from import_inputs import WRITERS, Text, texts

from vestigia.app import archive
from vestigia.app.encoders import on_all_cores
from vestigia.app.workspace import init
from vestigia.corpus.importing import import_path
from vestigia.domain.ports import Encoder
from vestigia.index.encode import encode
from vestigia.models.encoders.hashing import HashingEncoder
from vestigia.models.encoders.universal import DIMENSION, UniversalEncoder

EVERY = 0.1
STAGES = ("reading", "index", "duplicates", "encoder")
PAGE = os.sysconf("SC_PAGE_SIZE")


class Many(list[Text]):
    """So many documents, made each time they are asked for: making them must not take the memory."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    def __iter__(self) -> Iterator[Text]:
        return texts(self._number)


def import_stages(folder: Path, place: Path, encoder: Encoder, until: str) -> None:
    """Import a folder, and say of each stage when it begins."""
    workspace = init(place)
    catalogue = workspace.catalogue()
    for stage in STAGES[: STAGES.index(until) + 1]:
        print(stage, flush=True)
        match stage:
            case "reading":
                report = import_path(catalogue, folder)
                if any(one.failure or one.refused for one in report.files):
                    raise SystemExit(f"not every document went in: {report}")
            case "index":
                archive.bring_up_to_date(workspace, catalogue)
            case "duplicates":
                archive.compare(catalogue)
            case _:
                with on_all_cores(encoder, sum(one.passages for one in catalogue.sub_corpora())) as several:
                    encode(workspace.index, several, catalogue.pairs())
    catalogue.close()


def resident(process: int) -> int:
    """The resident memory of a process and its descendants, in bytes; 0 for one that has ended."""
    try:
        own = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]) * PAGE
        tasks = Path(f"/proc/{process}/task").iterdir()
        children = [one for task in list(tasks) for one in (task / "children").read_text(encoding="ascii").split()]
    except OSError:
        return 0
    return own + sum(resident(int(one)) for one in children)


def peaks(command: list[str]) -> dict[str, int]:
    """Run a command that says which stage begins; return the highest sum of resident memory in each."""
    found: dict[str, int] = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:  # noqa: S603  (it is this file)
        assert child.stdout is not None  # noqa: S101
        os.set_blocking(child.stdout.fileno(), False)
        stage = ""
        while child.poll() is None:
            for line in iter(child.stdout.readline, ""):
                stage = line.strip()
            if stage:
                found[stage] = max(found.get(stage, 0), resident(child.pid))
            time.sleep(EVERY)
    if child.returncode:
        raise SystemExit(child.returncode)
    return found


def measure(name: str, megabytes: float, arguments: list[str]) -> str:
    """A row of the table."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "texts"
        folder.mkdir()
        WRITERS[name](folder, Many(20))
        number = round(20 * megabytes * 1e6 / size(folder))
        for file in folder.rglob("*"):
            file.unlink()
        WRITERS[name](folder, Many(number))
        found = peaks([sys.executable, __file__, "--child", str(folder), str(Path(temporary) / "archive"), *arguments])
        cells = " | ".join(f"{found.get(stage, 0) / 1e6:.0f}" for stage in STAGES)
        return f"| {name} | {size(folder) / 1e6:.0f} | {number} | {cells} |"


def size(folder: Path) -> int:
    """The bytes of all files under a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def main() -> None:
    """Measure the formats named, or JSON Lines."""
    told = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    told.add_argument("--megabytes", type=float, nargs="+", default=[100, 400])
    told.add_argument("--encoder", choices=["hashing", "universal"], default="hashing")
    told.add_argument("--until", choices=STAGES, default=STAGES[-1])
    told.add_argument("--child", nargs=2, type=Path, help=argparse.SUPPRESS)
    told.add_argument("formats", nargs="*", choices=[*WRITERS, []], default=[])
    asked = told.parse_args()
    if asked.child:
        encoder: Encoder = UniversalEncoder() if asked.encoder == "universal" else HashingEncoder(DIMENSION)
        import_stages(*asked.child, encoder, asked.until)
        return
    print("| format | MB | documents | " + " | ".join(f"{one} (MB)" for one in STAGES) + " |")
    print("|---|" + "---:|" * (2 + len(STAGES)))
    for name in asked.formats or ["JSON Lines"]:
        for megabytes in asked.megabytes:
            print(measure(name, megabytes, ["--encoder", asked.encoder, "--until", asked.until]), flush=True)


if __name__ == "__main__":
    main()
