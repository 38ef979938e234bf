"""The command `rubric`: the criteria that judges go by."""

from dataclasses import asdict
from typing import Annotated

import typer

from vestigia.app import rubrics
from vestigia.app.workspace import Workspace, open_workspace
from vestigia.cli import printing
from vestigia.cli.arguments import ArchiveArgument, JsonOption
from vestigia.cli.outcome import FAILED, ending
from vestigia.domain.commissions import Rubric
from vestigia.domain.errors import SettingsError

Row = tuple[str, Rubric | None, str]
"""A rubric's name, and what it is or why it cannot be read."""


def rubric(
    archive: ArchiveArgument,
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="Which; all are listed if left out.")] = "",
    as_json: JsonOption = False,
) -> None:
    """List and check the rubrics, ours and the archive's own, or print one; exits with 1 where one cannot be read."""
    with ending():
        workspace = open_workspace(archive)
        if name:
            read = rubrics.rubric(workspace, name)
            if as_json:
                printing.data({**asdict(read), "own": rubrics.is_own(workspace, name)})
            else:
                printing.lines(rubrics.source(workspace, name))
            return
        rows = [_row(workspace, one) for one in rubrics.names(workspace)]
    if as_json:
        printing.data(
            [{"name": one, "digest": r.digest if r else None, "problem": why or None} for one, r, why in rows]
        )
    else:
        columns = ("rubric", "scale", "anchors", "bands", "whose", "digest")
        printing.table(columns, [_cells(workspace, row) for row in rows])
    for _, _, why in rows:
        if why and not as_json:
            printing.lines(why)
    if any(why for _, _, why in rows):
        raise typer.Exit(FAILED)


def _row(workspace: Workspace, name: str) -> Row:
    try:
        return name, rubrics.rubric(workspace, name), ""
    except SettingsError as error:
        return name, None, str(error)


def _cells(workspace: Workspace, row: Row) -> tuple[str, ...]:
    name, read, _ = row
    whose = "the archive's" if rubrics.is_own(workspace, name) else "Vestigia's"
    if read is None:
        return name, "", "", "", whose, "cannot be read"
    bands = "" if read.keep is None else f"keep from {read.keep}, drop to {read.drop}"
    return name, f"{read.lowest}-{read.highest}", str(len(read.anchors)), bands, whose, read.digest[:19]
