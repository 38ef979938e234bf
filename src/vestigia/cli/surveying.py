"""The command `survey`: a set that is balanced over time."""

from typing import Annotated

import typer

from vestigia.app.present import Plain
from vestigia.app.search_view import question_of
from vestigia.app.surveying import Plan, shown, survey
from vestigia.app.workspace import open_workspace
from vestigia.cli import printing
from vestigia.cli.arguments import ArchiveArgument, Between, Closed, Expansion, JsonOption, Language, SubCorpora
from vestigia.cli.outcome import ending
from vestigia.inquiry.windows import FUSED


def gather(
    archive: ArchiveArgument,
    description: Annotated[str, typer.Argument(help="What the sources are about, as a description, not a question.")],
    windows: Annotated[str, typer.Option(help='Windows of time: "10y", "6" or "1887/1890, 1891/1895".')],
    quota: Annotated[int, typer.Option(min=1, max=1000, help="Documents of each window.")] = 20,
    undated: Annotated[
        int | None, typer.Option(min=0, max=1000, help="Documents without date; as many as of a window if left out.")
    ] = None,
    channel: Annotated[list[str] | None, typer.Option(help="Only this channel; repeatable.")] = None,
    also: Annotated[list[str] | None, typer.Option(help="Search this word beside the others; repeatable.")] = None,
    expand: Expansion = None,
    genre: Annotated[str, typer.Option(help="Only sub-corpora that were described as of this genre.")] = "",
    sub_corpus: SubCorpora = None,
    between: Between = "",
    language: Language = None,
    closed: Closed = False,
    as_json: JsonOption = False,
) -> None:
    """Gather sources for a description, the same number from each window of time; nothing is judged."""
    with ending(f"What was done so far is kept: `vestigia resume {archive} last` goes on where it stood."):
        workspace = open_workspace(archive)
        asked = question_of(description, sub_corpus, between, language)
        plan = Plan(windows, quota, undated, tuple(channel or ()), tuple(also or ()), expand, genre)
        found = shown(workspace, survey(workspace, asked, plan), closed=closed)
    if as_json:
        printing.data(found)
        return
    page(found)
    if found["sources"]:
        run = printing.mark(found["run"])
        printing.following(
            f"vestigia judge {archive} {run} --rubric NAME --model NAME (or --sheet FILE: by a person)",
            f"vestigia curate {archive} {run}",
        )


def page(found: Plain) -> None:
    """Print a set window by window, then its layers and the price of the balance."""
    printing.out.print(
        f"{printing.clean(found['description'])}\n[dim]survey · run {printing.clean(found['run'])}[/dim]"
    )
    for lane in found["windows"]:
        short = lane["short"] if lane["window"] or lane["sources"] else 0  # an archive without undated lacks none
        lacks = f", {short} fewer than asked for" if short else ""
        printing.out.print(
            f"\n[bold]{lane['window'] or 'undated'}[/bold] {printing.sources_of(len(lane['sources']))}{lacks}"
        )
        for row in lane["sources"]:
            printing.out.print(
                f"  {printing.clean(row['title'])} · {row['date'] or 'undated'} · {printing.clean(row['sub_corpus'])} "
                f"[dim]{printing.clean(row['document'])} ({', '.join(row['layers'])})[/dim]"
            )
    if found["layers"]:
        told = "; ".join(f"{' and '.join(one['layers'])}: {one['sources']}" for one in found["layers"])
        printing.out.print(f"\n{printing.sources_of(found['sources'])}. Found by {told}.", markup=False)
    for price in found["prices"]:
        printing.out.print(f"[dim]{_price(price)}[/dim]")
    for line in (*found["notes"], *found["missing"]):
        printing.out.print(printing.clean(line))
    for line in found["failures"]:
        printing.out.print(f"[red]not searched: {printing.clean(line)}[/red]")
    if not found["sources"] and not found["failures"]:
        printing.out.print("Nothing was found: see what was searched with --json.")


def _price(price: Plain) -> str:
    """What the windows cost in a channel: how many came in, how many went out, and how near each were.

    A fused score is of places, and a place in a window is another than one in the whole list: they are not compared.
    """
    means = [price["surfaced_mean"], price["displaced_mean"]]
    nearness = (
        "" if None in means or price["channel"] == FUSED else f" (mean score {means[0]:.3f} against {means[1]:.3f})"
    )
    return f"{price['channel']}: the windows brought {price['surfaced']} in, {price['displaced']} out{nearness}"
