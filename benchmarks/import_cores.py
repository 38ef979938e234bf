"""What a second core gains a whole import: the same `vestigia add` on one core and on two, in turn.

    uv run python benchmarks/import_cores.py [--documents 200] [--rounds 3] [FORMAT]

Prints for each import the processor seconds of the program itself (reading, catalogue, index, duplicates; on one core
the encoder as well) and of the processes that encode, the seconds that passed, and how many cores were at work on the
mean. On a machine with other work only the processor seconds are to be relied on: no import can end before the
longest-working process has.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic

from import_inputs import WRITERS, texts

from vestigia.app import encoders
from vestigia.app.archive import add
from vestigia.app.workspace import init
from vestigia.corpus.importing import ImportOptions


def once(folder: Path, place: Path, cores: int) -> None:
    """Import a folder on so many cores and print what it took."""
    encoders.cores = lambda: cores
    workspace, began = init(place), monotonic()
    added = add(workspace, [folder], ImportOptions())
    passed = monotonic() - began
    if added.unencoded:
        raise SystemExit(added.unencoded)
    own, others = (
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )
    print(json.dumps({"texts": added.encoded, "own": own, "others": others, "passed": passed}))


def main() -> None:
    """Measure in turn."""
    told = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    told.add_argument("--documents", type=int, default=200)
    told.add_argument("--rounds", type=int, default=3)
    told.add_argument("--once", nargs=3, help=argparse.SUPPRESS)
    told.add_argument("format", nargs="?", choices=WRITERS, default="ALTO")
    asked = told.parse_args()
    if asked.once:
        once(Path(asked.once[0]), Path(asked.once[1]), int(asked.once[2]))
        return
    print("| cores | texts | program (s) | encoding processes (s) | passed (s) | cores at work |")
    print("|---:|" + "---:|" * 5)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "texts"
        folder.mkdir()
        WRITERS[asked.format](folder, list(texts(asked.documents)))
        for turn in range(2 * asked.rounds):
            cores, place = 1 + turn % 2, Path(temporary) / f"archive{turn}"
            command = [sys.executable, __file__, "--once", str(folder), str(place), str(cores)]
            found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, env=os.environ).stdout)  # noqa: S603
            own, others, passed = found["own"], found["others"], found["passed"]
            print(
                f"| {cores} | {found['texts']} | {own:.1f} | {others:.1f} | {passed:.1f} "
                f"| {(own + others) / passed:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
