"""The command `evaluate`: what to measure, and where the report goes."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from vestigia.app import evaluating
from vestigia.app.evaluating import CACHE, Options
from vestigia.cli import printing
from vestigia.cli.outcome import ending
from vestigia.cli.progress import bars
from vestigia.domain.errors import ArchiveError
from vestigia.evaluate.page import page
from vestigia.evaluate.report import Report
from vestigia.evaluate.systems import DEFAULT
from vestigia.evaluate.tables import markdown

STANDARD_OUTPUT = "-"


def evaluate(  # noqa: PLR0913, PLR0917  a command has as many parameters as options
    collections: Annotated[
        list[Path], typer.Argument(metavar="COLLECTION...", help="Folders or tables of questions with known sources.")
    ],
    systems: Annotated[str, typer.Option(help="What is measured, comma-separated.")] = ",".join(DEFAULT),
    archive: Annotated[
        Path, typer.Option(help="The archive to search, or the folder where the collections' own are built.")
    ] = Path(CACHE),
    against: Annotated[str, typer.Option(help="The system the others are held against; else hybrid.")] = "",
    every: Annotated[int, typer.Option(min=1, help="Ask only every n-th question.")] = 1,
    half: Annotated[int | None, typer.Option(min=0, max=1, help="Ask only one half of the questions, 0 or 1.")] = None,
    repeat: Annotated[int, typer.Option(min=1, help="Ask each question so many times.")] = 1,
    ablate: Annotated[
        bool, typer.Option("--ablate", help="Measure each run also without its mechanisms, one more at a time.")
    ] = False,
    encode: Annotated[str, typer.Option(help="Also encode the archives that are built with this encoder.")] = "",
    runs: Annotated[Path | None, typer.Option(help="Write TREC run files into this folder.")] = None,
    as_json: Annotated[Path | None, typer.Option("--json", help="Write the report as data; `-`: print it.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write the report as a page.")] = None,
) -> None:
    """Measure how well sources are found, on questions whose sources are known; needs the extra `eval`."""
    named = tuple(name.strip() for name in systems.split(",") if name.strip())
    printed = str(as_json) == STANDARD_OUTPUT
    with ending("The archives built are kept."):
        with bars(silent=printed) as tell:
            wanted = Options(named, archive, every, half, repeat, encode, against, runs, ablate)
            report = evaluating.evaluate(collections, wanted, tell)
        if html:
            write(html, page(report))
        if as_json and not printed:
            write(as_json, f"{json.dumps(asdict(report), ensure_ascii=False, indent=2)}\n")
    _print(report, as_data=printed)


def _print(report: Report, *, as_data: bool) -> None:
    if as_data:
        printing.data(asdict(report))
    else:
        printing.out.print(markdown(report), markup=False, soft_wrap=True, end="")


def write(path: Path, text: str) -> None:
    """Write a report. Raises ArchiveError where it cannot be written."""
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise ArchiveError(
            f"it cannot be written ({error.strerror}).", where=str(path), remedy="Choose another place."
        ) from error
