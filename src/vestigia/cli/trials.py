"""The command `agreement`: all judges of a set side by side."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from vestigia.app.trials import trial
from vestigia.app.workspace import open_workspace
from vestigia.cli import printing
from vestigia.cli.arguments import ArchiveArgument, Closed, JsonOption
from vestigia.cli.evaluating import write
from vestigia.cli.judging import SetArgument
from vestigia.cli.outcome import ending
from vestigia.evaluate.judge_report import markdown, page


def agreement(
    archive: ArchiveArgument,
    survey: SetArgument = "last",
    rubric: Annotated[str, typer.Option(help="Only judgings by this rubric; else that of most.")] = "",
    html: Annotated[Path | None, typer.Option(help="Write a page with heat map and plots.")] = None,
    closed: Closed = False,
    as_json: JsonOption = False,
) -> None:
    """Compare all who judged a set: how far they agree, where they differ most, what people overrode."""
    with ending():
        found = trial(open_workspace(archive), survey, rubric, closed=closed)
        if html:
            write(html, page(found))
    if as_json:
        printing.data(asdict(found))
    else:
        printing.out.print(markdown(found), markup=False, soft_wrap=True, end="")
