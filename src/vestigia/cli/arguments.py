"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer


def path_of(written: str) -> Path:
    """Read a path as typed. An empty one would be the current folder: it is an unset variable in a script."""
    if not written.strip():
        raise typer.BadParameter("the path is empty; the folder you are in is called `.`")
    return Path(written)


ArchiveArgument = Annotated[Path, typer.Argument(metavar="ARCHIVE", parser=path_of, help="The archive's folder.")]
RunArgument = Annotated[
    str, typer.Argument(metavar="[RUN]", help="A run, the beginning or end of its name, or `last`.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print data instead of a page.")]
SubCorpora = Annotated[list[str] | None, typer.Option("--sub-corpus", "-s", help="Only this sub-corpus; repeatable.")]
Between = Annotated[
    str, typer.Option("--between", help='Only documents of a period, e.g. "1887-01/1887-06" or "1887".')
]
Closed = Annotated[bool, typer.Option("--closed", help="Show the texts of closed documents, too.")]
Language = Annotated[list[str] | None, typer.Option("--language", help="Only this language, e.g. fr; repeatable.")]
Expansion = Annotated[
    int | None, typer.Option("--expand", min=0, max=20, help="Search so many neighbours of each word beside it.")
]
