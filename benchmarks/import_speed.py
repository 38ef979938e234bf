"""How fast documents go in, format by format: reading alone, with the catalogue, with the index, with the encoder.

    uv run python benchmarks/import_speed.py [--documents 300] [FORMAT ...]

Prints a Markdown table. Each stage is the processor time that `vestigia add` spends there on one core, so that what
else the machine does hardly matters. The encoder runs for every format, since formats tear passages differently.
"""

import argparse
import posixpath
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time

from import_inputs import WRITERS, texts

from vestigia.app.archive import available_readers, bring_up_to_date, compare
from vestigia.app.workspace import Workspace, init
from vestigia.corpus.archives import Shelf, Unread
from vestigia.corpus.folders import HEAD, Found, find_files, leading
from vestigia.corpus.importing import import_path
from vestigia.domain.archive import Document
from vestigia.domain.ports import Claimed, Reader
from vestigia.index.encode import encode
from vestigia.models.encoders.universal import UniversalEncoder

STAGES = ("reading", "catalogue", "index", "duplicates", "encoder")


@dataclass(slots=True)
class Row:
    """What one format took: processor seconds by stage, its size in bytes, how many documents and passages it gave."""

    format: str
    size: int
    documents: int = 0
    passages: int = 0
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Time what is done inside."""
        began = process_time()
        yield
        self.seconds[stage] = process_time() - began


def read_all(folder: Path) -> int:
    """Read every file under a folder, as `add` would, and throw the documents away; returns how many there were."""
    readers = available_readers()
    with Shelf() as shelf:
        sources = [one for one in find_files(folder, shelf) if not isinstance(one, Unread)]
        done: dict[str, None] = {}
        return sum(_read(one, readers, done) for one in [*leading(sources, readers), *sources] if one.key not in done)


def _read(source: Found, readers: tuple[Reader, ...], done: dict[str, None]) -> int:
    with source.open() as stream:
        head = stream.read(HEAD)
    reader = next(one for one in readers if one.sniff(source.name, head))
    done[source.key] = None
    count = 0
    for one in reader.read(source):
        count += isinstance(one, Document)
        if isinstance(one, Claimed):
            name = posixpath.relpath(one.name, posixpath.dirname(source.name) or ".")
            claimed = source.sibling(name)
            done |= {claimed.key: None} if claimed else {}
    return count


def measure(name: str, folder: Path, workspace: Workspace, encoder: UniversalEncoder) -> Row:
    """Import a folder of one format stage by stage."""
    row = Row(name, sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()))
    with row.timed("reading"):
        row.documents = read_all(folder)
    catalogue = workspace.catalogue()
    with row.timed("catalogue"):
        report = import_path(catalogue, folder)
    row.seconds["catalogue"] -= row.seconds["reading"]
    row.passages = report.total("passages")
    if report.total("documents") != row.documents or any(one.failure or one.refused for one in report.files):
        raise SystemExit(f"{name}: not every document went in: {report}")
    with row.timed("index"):
        bring_up_to_date(workspace, catalogue)
    with row.timed("duplicates"):
        compare(catalogue)
    with row.timed("encoder"):
        encode(workspace.index, encoder, catalogue.pairs())
    catalogue.close()
    return row


def line(row: Row) -> str:
    """A row of the table."""
    reading, megabytes = row.seconds["reading"], row.size / 1e6
    stages = " | ".join(f"{max(row.seconds[stage], 0):.2f}" for stage in STAGES)
    share = row.seconds["encoder"] / sum(row.seconds.values())
    return (
        f"| {row.format} | {megabytes:.1f} | {row.documents} | {row.documents / reading:.0f} | "
        f"{megabytes / reading:.1f} | {stages} | {share:.0%} |"
    )


def main() -> None:
    """Measure the formats named, or all."""
    told = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    told.add_argument("--documents", type=int, default=300)
    told.add_argument("formats", nargs="*", choices=[*WRITERS, []], default=[])
    asked = told.parse_args()
    found = list(texts(asked.documents))
    encoder = UniversalEncoder()
    encoder.encode(["Die Brücke."], "passage")  # loads its weights, once for all formats
    print(
        "| format | MB | documents | read: documents/s | MB/s | "
        + " | ".join(f"{one} (s)" for one in STAGES)
        + " | encoder |"
    )
    print("|---|" + "---:|" * 10)
    for name in asked.formats or WRITERS:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary) / "texts"
            folder.mkdir()
            WRITERS[name](folder, found)
            print(line(measure(name, folder, init(Path(temporary) / "archive"), encoder)), flush=True)


if __name__ == "__main__":
    main()
