"""The commands that look at what a run found and missed: `compare`, `silence`."""

from typing import Annotated

import typer

from vestigia.app.comparing import compare as compare_runs
from vestigia.app.present import Plain
from vestigia.app.silence import silence_of
from vestigia.app.workspace import open_workspace
from vestigia.cli import printing
from vestigia.cli.arguments import ArchiveArgument, Closed, JsonOption, RunArgument
from vestigia.cli.outcome import ending
from vestigia.cli.printing import clean


def compare(
    archive: ArchiveArgument,
    first: Annotated[str, typer.Argument(metavar="RUN", help="A run, the beginning or end of its name, or `last`.")],
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


def silence(archive: ArchiveArgument, run: RunArgument = "last", as_json: JsonOption = False) -> None:
    """Report where a run searched, with what, and what was not there to be found: a silence can be a finding."""
    with ending():
        found = silence_of(open_workspace(archive), run)
    printing.data(found) if as_json else silence_page(found)


def silence_page(found: Plain, *, whole: bool = True) -> None:
    """Print a silence report; not `whole` is the part of it that `show` has."""
    counts = found["documents"]
    words = [f"{clean(one['word'])} ×{one['documents']}" for one in found["words"] if one["documents"]]
    lost = [clean(one["word"]) for one in found["words"] if not one["documents"]]
    if whole:
        printing.out.print(f"[bold]{clean(found['question'])}[/bold]\n[dim]silence report · run {found['run']}[/dim]")
    if found["nothing_found"]:
        finding = "this does not show that there is nothing" if found["against"] else "a finding of what was searched"
        printing.out.print(f"\n[bold]Nothing was accepted[/bold]: {finding}.")
    printing.section("Against taking a silence for a finding", [clean(one) for one in found["against"]])
    printing.out.print(
        f"\n{len(found['searches'])} lists of single channels brought {counts['found']} documents to be judged: "
        f"{counts['accepted']} accepted, {counts['rejected']} rejected, {counts['held']} on hold."
    )
    printing.section("Words searched, and in how many documents", [", ".join(words)] if words else [])
    printing.section("Words that are attested nowhere", [", ".join(lost)] if lost else [])
    printing.section("Dates searched", [f"{clean(one['text'] or '')} = {one['period']}" for one in found["dates"]])
    if whole:
        printing.section("Searches", [_search(one) for one in found["searches"]])
        printing.out.print("\n[bold]Windows by sub-corpus[/bold]")
        columns = ("window", "sub-corpus", "holds", "searches", "found", "accepted")
        printing.table(columns, ([row["window"] or "undated", *list(row.values())[1:]] for row in found["windows"]))
    gaps: dict[str, list[str]] = {}
    for row in found["gaps"]:
        gaps.setdefault(row["sub_corpus"], []).append(row["window"])
    held = [f"{clean(name)}: {', '.join(windows)}" for name, windows in gaps.items()]
    printing.section("Windows in which the archive holds nothing", held)
    share = found["share_without_text"]
    legible = "" if share is None else f", {share:.1%} of the pages have no text that could be searched"
    printing.out.print(f"\n{found['undated']} documents are undated{legible}.")


def _search(one: Plain) -> str:
    where = clean(", ".join(one["sub_corpora"]) or "everywhere")
    when = f", {one['period']}" if one["period"] else ""
    result = f"FAILED: {clean(one['failure'])}" if one["failure"] else f"{one['hits']} hits"
    return f"{clean(one['channel'])} “{clean(printing.excerpt(one['text'], 80))}” in {where}{when}: {result}"
