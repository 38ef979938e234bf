"""The command `audit`: how much a run missed, judged blind by a person (B2)."""

from pathlib import Path
from typing import Annotated

import typer

from vestigia.app import auditing
from vestigia.app.present import Plain
from vestigia.app.workspace import Workspace, open_workspace
from vestigia.cli import printing
from vestigia.cli.arguments import ArchiveArgument, Closed, JsonOption, RunArgument, path_of
from vestigia.cli.outcome import ending
from vestigia.cli.printing import clean
from vestigia.domain.errors import UsageError


def audit(
    archive: ArchiveArgument,
    run: RunArgument = "last",
    sample: Annotated[int | None, typer.Option(min=1, max=10_000, help="Draw so many documents to be judged.")] = None,
    to: Annotated[
        Path | None, typer.Option(metavar="FILE", parser=path_of, help="The table (CSV) to write the sample to.")
    ] = None,
    table: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", parser=path_of, help="Record what was judged in a table.")
    ] = None,
    author: Annotated[str, typer.Option("--as", help="The name of who judged.")] = "",
    closed: Closed = False,
    as_json: JsonOption = False,
) -> None:
    """Estimate how much a run missed, from a blind sample that a person judges."""
    with ending():
        workspace = open_workspace(archive)
        if sample is not None:
            if to is None or table is not None:
                raise UsageError("say where the sample goes.", where="--sample", remedy="Add --to FILE.csv.")
            _draw(workspace, run, sample, to, closed=closed, as_json=as_json)
            return
        found = auditing.judge(workspace, run, table, author) if table else auditing.report(workspace, run)
    printing.data(found) if as_json else _page(found)


def _draw(workspace: Workspace, run: str, sample: int, to: Path, *, closed: bool, as_json: bool) -> None:
    drawn = auditing.draw(workspace, run, sample, to, closed=closed)
    if as_json:
        printing.data({"file": drawn.file, "documents": drawn.documents, "question": drawn.question})
        return
    printing.out.print(
        f"{drawn.documents} documents written to {drawn.file}. Is the document a source for: {drawn.question}\n"
        "Write yes or no in the column `relevant`, leave empty what you cannot tell. "
        f"Next: --from {drawn.file} --as NAME",
        markup=False,
    )


def _page(found: Plain) -> None:
    by = f" by {clean(', '.join(found['by']))}" if found["by"] else ""
    printing.out.print(f"[bold]Audit of {clean(found['run'])}[/bold]: {found['judged']} documents judged{by}.")
    if found["recall"]:
        printing.out.print(f"Recall {_percent(found['recall'])} (at least {found['level']:.0%} sure).")
    if found["missed"]:
        printing.out.print(f"Missed: about {_count(found['missed'])} relevant documents.")
    if found["lacking"]:
        printing.out.print(f"[yellow]{clean(found['lacking'])}[/yellow]")
    if found["strata"]:
        columns = ("how far it came", "documents", "judged", "relevant", "relevant in all")
        rows = [list(row.values()) for row in found["strata"]]
        printing.table(columns, ([*row[:4], _count(row[4]) if row[4] else "unknown"] for row in rows))
    if found["hint"]:
        printing.out.print(clean(found["hint"]))


def _percent(number: Plain) -> str:
    return f"{number['estimate']:.0%}, between {number['low']:.0%} and {number['high']:.0%}"


def _count(number: Plain) -> str:
    return f"{number['estimate']:.1f} ({number['low']:.0f} to {number['high']:.0f})"
