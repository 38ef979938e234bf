"""The command `serve`: the workbench in a browser."""

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from vestigia.app.live import AT_ONCE
from vestigia.app.workspace import open_workspace
from vestigia.cli import printing
from vestigia.cli.arguments import path_of
from vestigia.cli.outcome import ending
from vestigia.cli.progress import bars
from vestigia.domain.errors import SettingsError

EXTRA = (
    "argon2",
    "fastapi",
    "jinja2",
    "markupsafe",
    "multipart",
    "python_multipart",
    "starlette",
    "uvicorn",
    "vl_convert",
)


class Log(StrEnum):
    """How a server logs."""

    TEXT = "text"
    JSON = "json"


def serve(  # noqa: PLR0913, PLR0917  a command has as many parameters as options
    archives: Annotated[
        list[Path], typer.Argument(metavar="ARCHIVE...", parser=path_of, help="The folders of one or more archives.")
    ],
    host: Annotated[str, typer.Option(help="The address to listen at: this machine.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 is any free one.")] = 8321,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Open no browser.")] = False,
    data: Annotated[
        Path | None, typer.Option("--data", parser=path_of, help="The folder of accounts: nobody enters without one.")
    ] = None,
    name: Annotated[list[str] | None, typer.Option(help="A host name of the site; repeatable.")] = None,
    proxy: Annotated[
        list[str] | None, typer.Option(help="The address of a proxy before it, which is believed; repeatable.")
    ] = None,
    runs: Annotated[
        int, typer.Option(min=1, max=64, help="How many runs go at once; the others wait in a queue.")
    ] = AT_ONCE,
    log: Annotated[Log, typer.Option(help="What is logged: words, or lines of JSON, one for each request.")] = Log.TEXT,
) -> None:
    """Open archives in a browser; Ctrl-C ends it."""
    with ending():
        workspaces = [open_workspace(path) for path in archives]
        try:
            from vestigia.web import serving, site  # noqa: PLC0415  an extra, and a second to import
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] not in EXTRA:
                raise
            raise SettingsError(
                "the workbench needs the extra `web`.", remedy="Install it: `python3 -m pip install 'vestigia[web]'`."
            ) from error
        slugs = site.slugs([one.root.resolve().name for one in workspaces])
        served = dict(zip(slugs, workspaces, strict=True))
        server = serving.Server(data, tuple(name or ()), tuple(proxy or ())) if data else None
        options = replace(serving.options_of(server, host), at_once=runs)
        if server:
            with bars() as tell:
                serving.prepare(served, tell)
        taken = serving.bound(host, port, accounts=server is not None)
        printing.out.print(f"Vestigia is at {serving.address(taken)} (Ctrl-C ends it).", markup=False, soft_wrap=True)
        opened = None if no_browser or server else serving.open_browser
        serving.serve(served, taken, opened, options, lines=log is Log.JSON)
