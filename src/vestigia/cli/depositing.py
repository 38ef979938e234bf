"""The command `deposit`, and `verify` and `replay` of a deposit."""

from pathlib import Path
from typing import Annotated, Any

import typer

from vestigia.app.depositing.checking import check
from vestigia.app.depositing.making import Choices, Deposited, summary
from vestigia.app.depositing.making import deposit as make
from vestigia.app.depositing.replaying import plain, replay
from vestigia.app.workspace import open_workspace
from vestigia.cli import printing
from vestigia.cli.arguments import ArchiveArgument, JsonOption, path_of
from vestigia.cli.outcome import FAILED, ending, errors

WHY = {"withdrawn": "withdrawn: it is no longer in the archive", "replaced": "the archive has another text of it now"}


def deposit(
    archive: ArchiveArgument,
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run or a dossier, or `last`.")],
    out: Annotated[Path, typer.Argument(metavar="FILE.zip", parser=path_of, help="The deposit to be made.")],
    author: Annotated[list[str] | None, typer.Option("--as", help="Who deposits it; repeatable.")] = None,
    licence: Annotated[str, typer.Option(help="Under which licence: its SPDX name or its address.")] = "",
    with_text: Annotated[
        bool, typer.Option("--with-text", help="With the texts of sources whose rights are open.")
    ] = False,
    only_open: Annotated[
        bool, typer.Option("--only-open", help="Keep back the words of all sources that nobody has called open.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Deposit a run with all runs it came from in one file that can be checked and replayed anywhere."""
    with ending():
        choices = Choices(tuple(author or ()), licence, with_text, only_open)
        made = make(open_workspace(archive), run, out, choices)
    found = _made(made)
    if as_json:
        printing.data(found)
        return
    clean, page = printing.clean, printing.out
    runs = "1 run" if len(found["runs"]) == 1 else f"{len(found['runs'])} runs"
    page.print(f"{clean(found['file'])}: {clean(found['title'])}, {runs}, {found['bytes']} bytes.")
    page.print(f"[dim]Seal: {found['seal']}[/dim]")
    if found["incomplete"] or found["prompts_kept_back"]:
        page.print(
            f"[yellow]The words of {len(found['kept_back'])} sources were kept back: their rights do not let them "
            f"leave. {found['incomplete']} entries and {found['prompts_kept_back']} prompts lack them.[/yellow]"
        )
    if found["rights_unknown"]:
        page.print(
            f"[yellow]Of {found['rights_unknown']} sources nobody has said what their rights are, and their words are "
            "in it: --only-open keeps them back.[/yellow]"
        )
    for name in found["missing"]:
        page.print(f"[yellow]{clean(name)}, which it came from, is no longer here.[/yellow]")
    if not found["licence"]:
        page.print("[dim]No licence is stated: --licence says one.[/dim]")


def _made(made: Deposited) -> dict[str, Any]:
    return {"file": str(made.file), **summary(made)}


def is_deposit(path: Path) -> bool:
    """Whether a path is meant for a deposit: a file, or the name of one that is not there."""
    return path.is_file() or (path.suffix.casefold() == ".zip" and not path.exists())


def print_check(file: Path, *, as_json: bool) -> None:
    """Check a deposit and say what is wrong with it, or that nothing is."""
    with ending():
        found = check(file)
    runs = found.record.runs if found.record else ()
    if as_json:
        printing.data({
            "file": str(file), "seal": found.seal, "files": found.members, "sound": found.sound,
            "problems": list(found.problems), "unchecked": list(found.unchecked),
            "runs": [{"run": run.run, "entries": len(run.entries), "head": run.head} for run in runs],
        })  # fmt: skip
    elif found.sound:
        printing.out.print(
            f"{file}: all {found.members} files are as they were written, and say what the record says.", markup=False
        )
        for run in runs:
            printing.out.print(f"{run.run}: {len(run.entries)} entries. Head: {run.head}", markup=False)
        for one in found.unchecked:
            printing.out.print(f"[yellow]Not checked: {printing.clean(one)}.[/yellow]")
        printing.out.print(f"Seal: {found.seal}", markup=False)
    else:
        for problem in found.problems:
            errors.print(printing.clean(problem))
    if not found.sound:
        raise typer.Exit(FAILED)


def print_replay_of(file: Path, archive: Path | None, *, as_json: bool) -> None:
    """Decide a deposit again, and say where an archive differs if one is named."""
    with ending():
        found = plain(replay(file, open_workspace(archive) if archive else None))
    if as_json:
        printing.data(found)
        return
    clean, page = printing.clean, printing.out
    for one in found["runs"]:
        page.print(f"{clean(one['run'])}: {_how(one)}.")
    page.print(f"{len(found['sources'])} sources, in the recorded order:")
    for number, source in enumerate(found["sources"], 1):
        page.print(f"{number:>3}. {clean(source['title'] or '')} [dim]{clean(source['document'])}[/dim]")
    if found["archive"] is not None:
        _against(found["archive"])


def _how(one: dict[str, Any]) -> str:
    if not one["decided_again"]:
        return "the recorded decisions lead to this list; texts are withheld, so they could not be decided again"
    return "decided again as recorded" + ("" if one["finished"] else "; it is not finished")


def _against(found: dict[str, Any]) -> None:
    clean, page = printing.clean, printing.out
    same = "is as it was" if found["same_fingerprint"] else "has changed since"
    page.print(f"\nThe archive {clean(found['name'])} {same}.")
    for one in found["documents"]:
        page.print(f"  {clean(one['document'])}: {clean(WHY.get(one['why'], one['why']))}")
    for one in found["fresh_run"]:
        page.print(f"  a fresh run would have another {clean(one)}" if " " not in one else f"  {clean(one)}")
    for one in found["records"]:
        kept = "the archive has the same record" if one["same"] else "the archive has another record of that name"
        more = f", with {one['entries_since']} entries since" if one["entries_since"] else ""
        page.print(f"  {clean(one['run'])}: {kept}{more}")
