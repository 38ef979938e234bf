"""The commands `export` and `reimport`: a list leaves the archive, and what people made of it comes back."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from vestigia.app import exporting, lists
from vestigia.app.citations import Style
from vestigia.app.references import Listing
from vestigia.app.reimporting import take_back
from vestigia.app.returned import read_rows
from vestigia.app.searching import SearchResult
from vestigia.app.workspace import Workspace, open_workspace
from vestigia.cli import printing
from vestigia.cli.arguments import ArchiveArgument, JsonOption, path_of
from vestigia.cli.outcome import FAILED, ending, say_error

FormOption = Annotated[str, typer.Option("--format", help=f"{', '.join(exporting.FORMS)}; else by the file's ending.")]
StyleOption = Annotated[Style, typer.Option(help="How sources are cited on pages and in tables.")]
ReplaceOption = Annotated[bool, typer.Option("--replace", help="Replace a file of that name.")]


def export(  # noqa: PLR0913, PLR0917  a command has as many parameters as options
    archive: ArchiveArgument,
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run, the beginning of its name, or `last`.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", parser=path_of, help="The file, e.g. sources.ris.")],
    form: FormOption = "",
    style: StyleOption = Style.CHICAGO,
    everything: Annotated[
        bool, typer.Option("--all", help="What is held, rejected, flagged or undecided, too.")
    ] = False,
    dossier: Annotated[bool, typer.Option("--dossier", help="The newest sealed dossier of a curation.")] = False,
    closed: Annotated[bool, typer.Option("--closed", help="Describe closed sources, too; their texts stay.")] = False,
    replace: ReplaceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Write the sources of a run, curation, survey or dossier for Zotero, a spreadsheet, a text, or a program."""
    with ending():
        wanted = exporting.form_of(out, form)
        workspace = open_workspace(archive)
        found = lists.of_run(workspace, run, everything=everything or wanted.everything, sealed=dossier, closed=closed)
        exporting.write(out, found, wanted, style, replace=replace)
    say(found, out, as_json=as_json)


def export_search(
    workspace: Workspace, query: str, found: SearchResult, out: Path, *, closed: bool, as_json: bool
) -> None:
    """Write the list of a search to a file in the form of its ending."""
    form = exporting.form_of(out)
    listing = lists.of_search(workspace, query, found, closed=closed)
    exporting.write(out, listing, form)
    say(listing, out, as_json=as_json)


def say(found: Listing, out: Path, *, as_json: bool) -> None:
    """Say what was written, and of how much the words were withheld."""
    if as_json:
        kept = {"sources": len(found.sources), "withheld": dict(found.withheld), "left_out": found.left_out}
        printing.data({"file": str(out), "kind": found.kind, "run": found.run or None, **kept})
    else:
        printing.out.print(f"{out}: {found.account}.", markup=False, soft_wrap=True)


_SILENT = "No row says anything: decisions stand in a column `decision`, or in tags such as `vestigia:accept`."


def reimport(
    archive: ArchiveArgument,
    run: Annotated[str, typer.Argument(metavar="RUN", help="A curation or the run of a question; or `last`.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", parser=path_of, help="CSV, TSV, XLSX or RIS.")],
    author: Annotated[str, typer.Option("--as", help="Your name: whose decisions they are.")] = "",
    listed: Annotated[
        str, typer.Option(metavar="DECISION", help="accept, reject or hold every source listed that says nothing else.")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Take back a list that was edited elsewhere: decisions, notes and tags, each recorded once, as yours."""
    with ending():
        told = take_back(open_workspace(archive), run, read_rows(file), author, listed.strip().casefold())
    if as_json:
        printing.data(asdict(told))
    else:
        printing.out.print(
            f"{told.known} of {told.rows} rows are of documents of {told.run}: {told.recorded} acts recorded, "
            f"{told.before} recorded before.",
            markup=False,
        )
        if not (told.recorded or told.before or told.problems):
            printing.out.print(_SILENT, markup=False)
    for problem in told.problems:
        say_error(problem)
    if told.rows and not told.known:
        raise typer.Exit(FAILED)
