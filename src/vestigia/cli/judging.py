"""The command `judge`: a set judged by the historian's rubric, by a model or in a blind sheet."""

from pathlib import Path
from typing import Annotated

import typer

from vestigia.app import judging, works
from vestigia.app.asking import Watch
from vestigia.app.present import Plain
from vestigia.app.workspace import open_workspace
from vestigia.cli import printing
from vestigia.cli.arguments import ArchiveArgument, Closed, JsonOption
from vestigia.cli.estimates import tell_estimate
from vestigia.cli.outcome import ending, errors
from vestigia.cli.progress import step_line
from vestigia.domain.entries import Entry
from vestigia.domain.errors import UsageError

SetArgument = Annotated[
    str, typer.Argument(metavar="[SET]", help="The run of a survey or a question, its beginning, or `last`.")
]


def judge(
    archive: ArchiveArgument,
    survey: SetArgument = "last",
    rubric: Annotated[str, typer.Option(help="The criteria; see `vestigia rubric`.")] = "",
    model: Annotated[str, typer.Option(help="The model that judges; see `vestigia models`.")] = "",
    sheet: Annotated[Path | None, typer.Option(help="Write a blind table (.csv, .xlsx) for a person.")] = None,
    from_: Annotated[Path | None, typer.Option("--from", help="Read such a table back, with scores.")] = None,
    author: Annotated[str, typer.Option("--as", help="With --from: who judged.")] = "",
    presort: Annotated[bool, typer.Option("--presort", help="Only order by similarity; nobody judges.")] = False,
    closed: Closed = False,
    as_json: JsonOption = False,
) -> None:
    """Have every source of a set judged on its own by a rubric; what is no judgement is counted, not mended."""
    with ending(f"What was judged so far is kept: `vestigia resume {archive} last` goes on where it stood."):
        workspace = open_workspace(archive)
        if presort:
            found = judging.presorted(workspace, survey)
            printing.data(found) if as_json else order_page(found)
            return
        if not rubric:
            raise UsageError("no criteria are named.", where="--rubric", remedy="`vestigia rubric ARCHIVE` lists them.")
        if sheet:
            rows = judging.write_sheet(workspace, survey, rubric, sheet, closed=closed)
            told = {"sheet": str(sheet), "rows": rows, "rubric": rubric}
            if as_json:
                printing.data(told)
                return
            printing.out.print(f"{rows} rows written to {sheet}: fill in score and argument.", markup=False)
            named = printing.mark(works.read(workspace, survey).run)
            printing.following(f"vestigia judge {archive} {named} --rubric {rubric} --from {sheet} --as NAME")
            return
        empty: tuple[str, ...] = ()
        if from_:
            work, empty = judging.read_sheet(workspace, survey, rubric, from_, author)
        else:
            work = judging.judge(workspace, survey, rubric, model, _watch(silent=as_json), tell_estimate)
        found = judging.shown(workspace, work, closed=closed)
    if as_json:
        printing.data(found)
    else:
        page(found)
        printing.following(
            f"vestigia agreement {archive} {printing.mark(found['set'])}",
            f"vestigia curate {archive} {printing.mark(found['set'])} --judging {printing.mark(found['run'])}",
        )
    for line in empty:
        errors.print(line, markup=False, soft_wrap=True)


def page(found: Plain) -> None:
    """Print a judging, best first, then what has no score."""
    rubric = found["rubric"]
    scale = f"{rubric['lowest']}-{rubric['highest']}"
    printing.out.print(
        f"{printing.clean(found['description'])}\n[dim]judged by {printing.clean(found['judge'])} · rubric "
        f"{printing.clean(rubric['name'])} ({scale}) · run {printing.clean(found['run'])}[/dim]"
    )
    for row in found["sources"]:
        printing.out.print(
            f"\n[bold]{'-' if row['score'] is None else row['score']:>3}[/bold]  {printing.clean(row['title'])} · "
            f"{row['date'] or 'undated'} · {printing.clean(row['sub_corpus'])} "
            f"[dim]{printing.clean(row['document'])}[/dim]"
        )
        if row["percentile"] is not None:
            printing.out.print(f"     [dim]percentile {row['percentile']:.0f} of this judge's scores[/dim]")
        if row["not_judged"]:
            printing.out.print(f"     not judged: {printing.clean(_reason(row['not_judged']))}")
        if row["argument"]:
            printing.out.print(f"     {printing.clean(row['argument'])}")
        if row["quote"]:
            printing.out.print(f"     “{printing.clean(row['quote'])}” [dim]({row['quote_check']})[/dim]")
    printing.section("Text corrected since", list(printing.corrected(found["corrected"])))
    printing.out.print(f"\n{_counts(found)}", markup=False)
    if found["constant"]:
        printing.out.print("[yellow]All scores are the same: this judge tells nothing of these sources.[/yellow]")
    for line in (found["paused"], found["partial"], *found["notes"]):
        if line:
            printing.out.print(printing.clean(line))


def _reason(said: Plain) -> str:
    return f"{said['reason']}: {said['why']}" if said["why"] else str(said["reason"])


def _counts(found: Plain) -> str:
    """Numbers that add up to the set."""
    reasons = [f"{one['passages']} {one['reason']}" for one in found["not_judged"]]
    waiting = [f"{found['waiting']} waiting"] if found["waiting"] else []
    told = "; ".join([f"{found['judged']} judged", *reasons, *waiting])
    mean = f" Mean {found['mean']:.2f}, spread {found['spread']:.2f}." if found["judged"] else ""
    return f"{found['passages']} passages: {told}.{mean}"


def order_page(found: Plain) -> None:
    """Print a set in an order that is no judgement."""
    printing.out.print(f"{found['note']} [dim]by {printing.clean(found['by'])}[/dim]")
    for number, row in enumerate(found["sources"], 1):
        nearness = "-" if row["similarity"] is None else f"{row['similarity']:.3f}"
        printing.out.print(
            f"{number:>4}. {nearness}  {printing.clean(row['title'])} · {row['date'] or 'undated'} · "
            f"{printing.clean(row['sub_corpus'])} [dim]{printing.clean(row['document'])}[/dim]"
        )


def _watch(*, silent: bool) -> Watch | None:
    def watch(entry: Entry) -> None:
        if line := step_line(entry):
            errors.print(f"  {line}", markup=False, style="dim", soft_wrap=True)

    return None if silent or not errors.is_terminal else watch
