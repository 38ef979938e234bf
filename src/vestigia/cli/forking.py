"""The commands `fork` and `prompts`, and the entries of a run: choosing where to go another way."""

from typing import Annotated

import typer

from vestigia.app import entries, forking
from vestigia.app.asking import Watch
from vestigia.app.limits import Limits, bounded
from vestigia.app.workspace import Workspace, open_workspace
from vestigia.cli import printing
from vestigia.cli.arguments import ArchiveArgument, Closed, JsonOption, RunArgument
from vestigia.cli.outcome import ending
from vestigia.cli.progress import watching
from vestigia.cli.questions import print_answer


def fork(
    archive: ArchiveArgument,
    run: RunArgument = "last",
    at: Annotated[
        int, typer.Option(min=1, help="The first entry to be decided anew; `show --entries` lists them.")
    ] = 1,
    max_calls: Annotated[int | None, typer.Option(min=0, max=1_000_000, help="Stop after so many model calls.")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=0, max=10**12, help="Stop after so many tokens.")] = None,
    max_steps: Annotated[int | None, typer.Option(min=1, max=15, help="Steps a sub-question may use.")] = None,
    max_cost: Annotated[float | None, typer.Option(min=0.0001, max=10**6, help="Stop after so many dollars.")] = None,
    max_minutes: Annotated[float | None, typer.Option(min=0.01, max=10**6, help="Stop after so many minutes.")] = None,
    model: Annotated[str, typer.Option(help="The model that answers from there on.")] = "",
    pause: Annotated[str, typer.Option(help="Wait for you at: plan, holds, briefs, final; or none.")] = "",
    closed: Closed = False,
    as_json: JsonOption = False,
) -> None:
    """Go on from an entry of a run in a new run, with another decision, model or rule."""
    with ending(f"What was found so far is kept: `vestigia resume {archive} last` goes on where it stood."):
        workspace = open_workspace(archive)
        limits = Limits(max_calls, max_tokens, max_steps, max_cost, max_minutes)
        watch: Watch | None = watching(silent=as_json)
        answer = forking.fork(workspace, run, at, lambda rules: bounded(rules, limits, pause), model, watch)
        print_answer(workspace, answer, as_json=as_json, closed=closed)


def prompts(
    archive: ArchiveArgument,
    run: Annotated[str, typer.Argument(help="A run, the beginning or end of its name, or `last`.")],
    entry: Annotated[int, typer.Argument(min=0, help="The entry's number; `show --entries` lists them.")],
    closed: Closed = False,
    as_json: JsonOption = False,
) -> None:
    """Print what a model was sent at an entry of a run, and its raw reply."""
    with ending():
        found = entries.calls(open_workspace(archive), run, entry, closed=closed)
    if as_json:
        printing.data([entries.plain(call) for call in found])
        return
    for call in found:
        printing.out.print(f"[bold]{call.task}[/bold] · {printing.clean(call.model)}")
        if call.closed:
            names = printing.clean(", ".join(call.closed))
            printing.out.print(f"[yellow]closed sources ({names}): --closed shows what was sent[/yellow]")
        elif call.prompt is None:
            printing.out.print("[dim]No words were sent: it goes by rules.[/dim]")
        else:
            printing.lines(call.prompt)
        printing.out.print(f"[bold]reply[/bold]{f' ({call.stop})' if call.stop else ''}")
        printing.lines(call.reply)


def entries_page(workspace: Workspace, run: str, *, as_json: bool) -> None:
    """Print every entry of a run with its number."""
    rows = entries.listed(workspace, run)
    if as_json:
        printing.data(list(rows))
    else:
        printing.table(("entry", "by", "what"), ([row["entry"], row["by"], row["what"]] for row in rows))
