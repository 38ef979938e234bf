"""The commands that look at what a run found and missed: `compare`."""

from typing import Annotated

import typer

from vestigia.app.comparing import compare as compare_runs
from vestigia.app.present import Plain
from vestigia.app.workspace import open_workspace
from vestigia.cli import printing
from vestigia.cli.arguments import ArchiveArgument, Closed, JsonOption
from vestigia.cli.outcome import ending
from vestigia.cli.printing import clean


def compare(
    archive: ArchiveArgument,
    first: Annotated[str, typer.Argument(metavar="RUN", help="A run, the beginning of its name, or `last`.")],
    second: Annotated[
        str, typer.Argument(metavar="[RUN]", help="Another run; left out: the one the first was forked from.")
    ] = "",
    top: Annotated[int, typer.Option(min=0, help="Compare the first so many places; 0: the whole lists.")] = 0,
    closed: Closed = False,
    as_json: JsonOption = False,
) -> None:
    """Compare two runs: which sources stand in one only, and why; places, plans, rules and costs side by side."""
    with ending():
        found = compare_runs(open_workspace(archive), first, second, top, closed=closed)
    printing.data(found) if as_json else _compared(found)


def _compared(found: Plain) -> None:
    for number, run in enumerate(found["runs"], 1):
        tokens = ["?" if run["budget"][part] is None else run["budget"][part] for part in _TOKENS]
        cost = "cost unknown" if run["budget"]["cost"] is None else f"{run['budget']['cost']:.4f} USD"
        spent = f"{run['budget']['calls']} calls, {tokens[0]} tokens in, {tokens[1]} out, {cost}"
        state = f"partial: {run['partial']}" if run["partial"] else "finished" if run["finished"] else "not finished"
        printing.out.print(f"[bold]{number}: {clean(run['run'])}[/bold] {clean(run['question'])}")
        printing.out.print(f"   {clean(run['model'])} · {run['sources']} sources · {spent} · {clean(state)}")
        for asked in run["plan"]:
            target = clean(asked["sub_corpus"] or "the whole archive")
            printing.out.print(f"   {clean(asked['id'])} → {target}: {clean(asked['text'])}")
    if not found["same_question"]:
        printing.out.print("[yellow]The runs were not asked the same.[/yellow]")
    for rule in found["rules"]:
        before, after = (clean(value) for value in rule["values"])
        printing.out.print(f"rule {rule['rule']}: {before} | {after}")
    printing.out.print(f"\n[bold]In both: {len(found['both'])}[/bold]")
    for row in found["both"]:
        printing.out.print(f"  {row['places'][0]:>3} | {row['places'][1]:>3}  {_source(row)}")
    for number, name in ((1, "only_first"), (2, "only_second")):
        printing.out.print(f"\n[bold]Only in {number}: {len(found[name])}[/bold]")
        for row in found[name]:
            why = f"at place {row['place_there']}, below" if row["place_there"] else row["why"]
            reason = f" “{clean(row['reason'])}”" if row["reason"] else ""
            printing.out.print(f"  {row['place']:>3}. {_source(row)}: in {3 - number} {why}{reason}")


_TOKENS = ("input_tokens", "output_tokens")


def _source(row: Plain) -> str:
    return (
        f"{clean(row['title'] or row['document'])} · {clean(row['date'] or 'undated')} · {clean(row['sub_corpus'])} "
        f"[dim]{clean(row['document'])}[/dim]"
    )
