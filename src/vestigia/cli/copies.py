"""The commands `backup` and `restore`: an archive, or a server's accounts, as one file and back."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from vestigia.app import backups
from vestigia.app.backups import Backup
from vestigia.app.encoders import DEFAULT
from vestigia.cli import printing
from vestigia.cli.arguments import JsonOption, path_of
from vestigia.cli.outcome import ending


def backup(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", parser=path_of, help="An archive, or the folder of `serve --data`.")
    ],
    out: Annotated[Path, typer.Argument(metavar="OUT", parser=path_of, help="The file to write; none is replaced.")],
    with_index: Annotated[bool, typer.Option("--with-index", help="Copy the index, too.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Copy an archive or a server's accounts into one file, while others work."""
    with ending():
        made = backups.backup(folder, out, with_index=with_index)
    _said(f"Copied into {out}", made, as_json=as_json)


def restore(
    source: Annotated[Path, typer.Argument(metavar="IN", parser=path_of, help="A file that `backup` wrote.")],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", parser=path_of, help="The new folder.")],
    as_json: JsonOption = False,
) -> None:
    """Make the folder of a copy again, every byte checked; never over a folder that is there."""
    with ending():
        made = backups.restore(source, folder)
    _said(f"Restored as {folder}", made, as_json=as_json)
    if made.kind == "archive" and not made.with_index and not as_json:
        made_again = f"vestigia encode {folder} --encoder {DEFAULT}"
        printing.out.print(f"Its index is not in the copy; make it: {made_again}", markup=False, soft_wrap=True)


def _said(done: str, made: Backup, *, as_json: bool) -> None:
    if as_json:
        printing.data({**asdict(made), "left_out": list(made.left_out)})
        return
    printing.out.print(f"{done}: {made.kind}, {made.files} files, {made.size:,} bytes, of {made.made}.", markup=False)
    for name in made.left_out:
        printing.out.print(
            f"Not copied, as it is no plain file with a legible name: {printing.clean(name)}", markup=False
        )


COMMANDS = (backup, restore)
"""In the order of the help."""
