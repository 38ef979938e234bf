"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

ArchiveArgument = Annotated[Path, typer.Argument(metavar="ARCHIVE", help="The archive's folder.")]
RunArgument = Annotated[str, typer.Argument(metavar="[RUN]", help="A run, the beginning of its name, or `last`.")]
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
