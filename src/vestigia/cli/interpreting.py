"""The commands `interpret`, `contest` and `dossier`: what a machine proposes, and what people say of it."""

from pathlib import Path
from typing import Annotated

import typer

from vestigia.app import interpreting, reading_room, works
from vestigia.app.dossiers import newest
from vestigia.app.interpretation_text import TOGETHER, markdown
from vestigia.app.limits import Limits, limited
from vestigia.app.present import Plain
from vestigia.app.works import Work
from vestigia.app.workspace import Workspace, open_workspace
from vestigia.cli import printing
from vestigia.cli.arguments import ArchiveArgument, Closed, JsonOption, RunArgument, path_of
from vestigia.cli.estimates import tell_estimate
from vestigia.cli.outcome import ending
from vestigia.domain.acts import Remark, Remarked
from vestigia.domain.commissions import InterpretOrder
from vestigia.domain.errors import UsageError

SHOWN = "it is an interpretation, and shown as it was written."


def interpret(  # noqa: PLR0913, PLR0917  a command has as many parameters as options
    archive: ArchiveArgument,
    run: RunArgument = "last",
    question: Annotated[list[str] | None, typer.Option(help="What is asked of the dossier; repeatable.")] = None,
    model: Annotated[list[str] | None, typer.Option(help="Who interprets; several write side by side.")] = None,
    out: Annotated[Path | None, typer.Option(parser=path_of, help="Write it to a Markdown file.")] = None,
    max_calls: Annotated[int | None, typer.Option(min=0, max=1_000_000, help="Stop after so many calls.")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=0, max=10**12, help="Stop after so many tokens.")] = None,
    max_cost: Annotated[float | None, typer.Option(min=0.0001, max=10**6, help="Stop after so many dollars.")] = None,
    max_minutes: Annotated[float | None, typer.Option(min=0.01, max=10**6, help="Stop after so many minutes.")] = None,
    closed: Closed = False,
    as_json: JsonOption = False,
) -> None:
    """Have a model propose an interpretation of a sealed dossier: quotations first, claims from the checked ones."""
    with ending(f"What was done so far is kept: `vestigia resume {archive} last` goes on where it stood."):
        workspace = open_workspace(archive)
        if out and (out.is_dir() or not out.parent.is_dir()):  # said before a model is paid
            raise UsageError("no file can be written there.", where=str(out), remedy="Name a file in a folder.")
        named = works.read(workspace, run)
        if isinstance(named.first.commission, InterpretOrder) and not question:
            if model:
                raise UsageError(SHOWN, where=f"run {named.run}", remedy="Put a `--question` to its dossier.")
            done = [named]
        else:
            rules = limited(workspace.settings, Limits(max_calls, max_tokens, None, max_cost, max_minutes))
            curated = newest(workspace, named.run).origin.run
            done = [
                interpreting.interpret(workspace, curated, question or (), by, rules, say=tell_estimate)
                for by in interpreting.interpreters(workspace, model or ())
            ]
        found = [interpreting.shown(workspace, work, closed=closed) for work in done]
        if as_json:
            printing.data({"interpretations": found})
        else:
            for one in found:
                page(one)
            printing.following(*_next_steps(archive, found, written=out is not None))
        if out:  # last: what is refused there stands on the page, and can be signed for
            out.write_text(markdown(workspace, done, closed=closed), encoding="utf-8", newline="\n")


def _next_steps(archive: Path, found: list[Plain], *, written: bool) -> list[str]:
    """What can be done with interpretations that have claims."""
    runs = [printing.mark(one["run"]) for one in found if any(chapter["claims"] for chapter in one["chapters"])]
    steps = [f'vestigia contest {archive} {run} CLAIM --because "..." --as NAME' for run in runs]
    return steps + ([] if written else [f"vestigia interpret {archive} {run} --out FILE" for run in runs])


def contest(  # noqa: PLR0913, PLR0917  a command has as many parameters as options
    archive: ArchiveArgument,
    run: Annotated[str, typer.Argument(metavar="RUN", help="The interpretation, or `last`.")],
    claim: Annotated[str, typer.Argument(help="The claim, as it is numbered: 1.2.")],
    because: Annotated[str, typer.Option(help="Why; or what you note.")] = "",
    sign: Annotated[bool, typer.Option("--sign", help="Answer for a quotation of it that is not sealed.")] = False,
    note: Annotated[bool, typer.Option("--note", help="Note something; contest nothing.")] = False,
    author: Annotated[str, typer.Option("--as", help="Your name.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Contest a claim of an interpretation, sign for a quotation that is not sealed, or note something on it."""
    with ending():
        workspace = open_workspace(archive)
        if sign and note:
            raise UsageError("a claim is signed for or noted on.", where="--sign, --note", remedy="Give one of them.")
        kind = Remark.SIGN if sign else Remark.NOTE if note else Remark.CONTEST
        work = interpreting.remark(workspace, run, Remarked(claim, kind, because.strip(), author.strip()))
        show(workspace, work, as_json=as_json)


def dossier(
    archive: ArchiveArgument,
    run: RunArgument = "last",
    windows: Annotated[str, typer.Option(help='Windows of time: "10y", "6"; those of the survey if left out.')] = "",
    closed: Closed = False,
    as_json: JsonOption = False,
) -> None:
    """Read a sealed dossier without a language model: its sources by window, each with key sentences."""
    with ending():
        found = reading_room.laid_out(open_workspace(archive), run, windows, closed=closed)
    printing.data(found) if as_json else dossier_page(found)


def show(workspace: Workspace, work: Work, *, as_json: bool, closed: bool = False) -> None:
    """Print an interpretation."""
    found = interpreting.shown(workspace, work, closed=closed)
    printing.data(found) if as_json else page(found)


def page(found: Plain) -> None:
    """Print an interpretation under its label: claims with their quotations, and what is not proven."""
    clean, out = printing.clean, printing.out
    out.print(f"[bold]{clean(found['label'])}[/bold]\n[dim]interpretation · run {clean(found['run'])}[/dim]")
    for chapter in found["chapters"]:
        out.print(f"\n[bold]{clean(chapter['question'] or TOGETHER)}[/bold]")
        for claim in chapter["claims"]:
            mark = "" if claim["proven"] else " [yellow]unproven[/yellow]"
            cited = " ".join(f"q{number}" for number in claim["quotes"])
            out.print(f"  {clean(claim['id'])} {clean(claim['text'])} [dim]{cited}[/dim]{mark}")
            for text in claim["unsealed"]:
                out.print(f"    [yellow]not sealed: {clean(text)}[/yellow]")
            for said in claim["remarks"]:
                why = f": {clean(said['reason'])}" if said["reason"] else ""
                out.print(f"    {said['remark']} by {clean(said['by'])}{why}")
        for line in (chapter["silence"] and f"left open: {chapter['silence']}", chapter["why"]):
            if line:
                out.print(f"  [dim]{clean(line)}[/dim]")
        for quote in chapter["quotes"]:
            words = printing.WITHHELD[quote["withheld"]] if quote["withheld"] else f"“{clean(quote['text'])}”"
            wrong = f" ({clean(quote['wrong'])})" if quote["wrong"] else ""
            out.print(f"    q{quote['number']} {words} [dim]{quote['outcome']}{wrong} {clean(quote['passage'])}[/dim]")
    for document in found["dossier"]["withheld"]:
        out.print(f"[yellow]Not read: the rights of {clean(document)} keep it from the model.[/yellow]")
    for document in found["dossier"]["gone"]:
        out.print(f"[yellow]Not read: {clean(document)} is no longer in the archive.[/yellow]")
    if found["partial"]:
        out.print(f"[yellow]Partial: the budget of {clean(found['partial'])} was reached.[/yellow]")
    if not found["finished"]:
        out.print("[yellow]It is not finished.[/yellow] It goes on with `vestigia resume`.")


def dossier_page(found: Plain) -> None:
    """Print the sources of a dossier by window."""
    clean, out = printing.clean, printing.out
    sealed = f"sealed by {clean(found['sealed_by'])} on {clean(found['sealed_at'][:10])}"
    out.print(
        f"{clean(found['description'])}\n[dim]Dossier of {printing.sources_of(found['sources'])}, {sealed}: "
        f"{clean(found['statement'])}[/dim]\n{clean(found['label'])}"
    )
    for window in found["windows"]:
        out.print(
            f"\n[bold]{clean(window['window'] or 'in no window')}[/bold] {printing.sources_of(len(window['sources']))}"
        )
        for row in window["sources"]:
            out.print(
                f"  {clean(row.get('title') or row['document'])} · {clean(row.get('date') or 'undated')} "
                f"[dim]{clean(row['document'])}[/dim]"
            )
            said = printing.WITHHELD[row["withheld"]] if row["withheld"] else clean(row["key_sentences"] or "")
            out.print(f"    {said}")
