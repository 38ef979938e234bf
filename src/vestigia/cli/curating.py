"""The command `curate`: people decide about every source of a set."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated

import typer

from vestigia.app import curating, dossiers, works
from vestigia.app.act_tables import read_acts, write_acts
from vestigia.app.present import Plain
from vestigia.app.sets import curations_of
from vestigia.app.workspace import Workspace, open_workspace
from vestigia.cli import printing
from vestigia.cli.arguments import ArchiveArgument, Closed, JsonOption, RunArgument, path_of
from vestigia.cli.outcome import ending, errors, say_error
from vestigia.domain.acts import Act, Curated, Undone
from vestigia.domain.commissions import CurateOrder
from vestigia.domain.errors import UsageError
from vestigia.inquiry.curation import Curation, Standing

Documents = list[str] | None


DECIDED = (Act.ACCEPT, Act.REJECT, Act.FLAG)


def curate(  # noqa: PLR0913, PLR0917  a command has as many parameters as options
    archive: ArchiveArgument,
    run: RunArgument = "last",
    accept: Annotated[Documents, typer.Option(metavar="DOCUMENT", help="Accept it; repeatable.")] = None,
    reject: Annotated[Documents, typer.Option(metavar="DOCUMENT", help="Reject it; repeatable.")] = None,
    flag: Annotated[Documents, typer.Option(metavar="DOCUMENT", help="Flag it to be looked at again.")] = None,
    note: Annotated[Documents, typer.Option(metavar="DOCUMENT=TEXT", help="Note something on it.")] = None,
    tag: Annotated[Documents, typer.Option(metavar="DOCUMENT=TAG", help="Give it a tag.")] = None,
    because: Annotated[str, typer.Option(help="Why it is rejected: a reason of the project's list.")] = "",
    table: Annotated[
        Path | None, typer.Option("--from", parser=path_of, help="A table: document, act, reason, note, tag.")
    ] = None,
    write: Annotated[
        Path | None, typer.Option(parser=path_of, help="Write the set to a table (.csv, .xlsx) to be filled in.")
    ] = None,
    undo: Annotated[list[int] | None, typer.Option(metavar="ENTRY", help="Take back your act of this entry.")] = None,
    judging: Annotated[list[str] | None, typer.Option(metavar="RUN", help="Sort by this judging; repeatable.")] = None,
    resolve: Annotated[bool, typer.Option("--resolve", help="Decide for all who disagreed so far.")] = False,
    author: Annotated[str, typer.Option("--as", help="Your name.")] = "",
    closed: Closed = False,
    as_json: JsonOption = False,
) -> None:
    """Curate a set: begin with a survey or a question, then accept, reject, flag, note and tag its sources."""
    with ending(f"What was done so far is kept: `vestigia resume {archive} last` goes on where it stood."):
        workspace = open_workspace(archive)
        work = works.read(workspace, run)
        documents = curating.offered(workspace, work)
        chosen = ((Act.ACCEPT, accept or ()), (Act.REJECT, reject or ()), (Act.FLAG, flag or ()))
        acts: list[Curated | Undone] = [Undone(entry, author.strip()) for entry in undo or ()]
        acts += curating.decisions(chosen, author, because, "", resolves=resolve)
        for written in note or ():
            document, text = curating.named(documents, written)
            acts.append(Curated(document, Act.NOTE, author.strip(), note=text))
        for written in tag or ():
            document, text = curating.named(documents, written)
            acts.append(Curated(document, Act.TAG, author.strip(), tag=text))
        from_table, unread = read_acts(table, author.strip()) if table else ([], ())
        acts += from_table
        for line in unread:
            say_error(line)
        _refuse_idle(acts, because, resolves=resolve)
        if isinstance(work.first.commission, CurateOrder):
            _refuse_sorting(work, judging or ())
        else:
            curating.could_act(work, documents, acts)
            others = curations_of(workspace, work)
            work = curating.begin(workspace, run, judging or ())
            _say_of(others, work)
        found = curating.read(work)
        work = curating.act(workspace, work.run, acts) if acts else work
        if write:
            rows = write_acts(write, curating.shown(workspace, work, closed=closed))
            told = f"{printing.sources_of(rows)} written to {write}: fill in act, and reason, note or tag."
            printing.data({"table": str(write), "rows": rows}) if as_json else printing.out.print(told, markup=False)
            if not as_json:
                printing.following(f"vestigia curate {archive} {printing.mark(work.run)} --from {write} --as NAME")
            return
        show(workspace, work, as_json=as_json, closed=closed, only=_touched(found, acts))
        if not as_json:
            _what_next(archive, work)


def seal(
    archive: ArchiveArgument,
    run: RunArgument = "last",
    statement: Annotated[str, typer.Option(help="What the dossier is for, and how its sources were chosen.")] = "",
    author: Annotated[str, typer.Option("--as", help="Your name.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Seal a dossier: the sources accepted in a curation, the only thing that can be interpreted."""
    with ending():
        workspace = open_workspace(archive)
        work = dossiers.seal(workspace, run, statement, author)
        show(workspace, work, as_json=as_json, only=())
    if not as_json:
        run = printing.mark(work.run)
        printing.following(
            f"vestigia dossier {archive} {run}", f'vestigia interpret {archive} {run} --question "..." --model NAME'
        )


def _refuse_sorting(work: works.Work, judgings: Sequence[str]) -> None:
    if judgings:
        raise UsageError(
            "a judging sorts a set when its curation begins, and this one has begun.",
            where="--judging",
            remedy=f"Begin another: name {curating.read(work).order.origin.run}.",
        )


def _refuse_idle(acts: Sequence[Curated | Undone], because: str, *, resolves: bool) -> None:
    """Raise UsageError where something was said that no act would carry."""
    decided = [one for one in acts if isinstance(one, Curated)]
    if because and not any(one.act is Act.REJECT for one in decided):
        raise UsageError("it says why something is rejected, and nothing is.", where="--because", remedy="See --note.")
    if resolves and not any(one.act in DECIDED for one in decided):
        raise UsageError("nothing is decided.", where="--resolve", remedy="Accept, reject or flag a document with it.")


def _say_of(others: Sequence[str], work: works.Work) -> None:
    if others:
        errors.print(
            f"The set is curated already in {others[-1]}; this is another curation, {work.run}.",
            markup=False,
            soft_wrap=True,
        )


def _touched(before: Curation, acts: Sequence[Curated | Undone]) -> frozenset[str] | None:
    """The documents that acts are about; None without acts."""
    undone = {one.entry for one in acts if isinstance(one, Undone)}
    named = {str(one.document) for one in acts if isinstance(one, Curated)}
    of_undone = {
        str(source.item.document)
        for source in before.sources
        if any(deed.entry in undone for deed in (*source.decisions, *source.remarks))
    }
    return frozenset(named | of_undone) if acts else None


def _what_next(archive: Path, work: works.Work) -> None:
    run, found = printing.mark(work.run), curating.read(work)
    steps = [f"vestigia curate {archive} {run} --write FILE, or --accept, --reject, --flag DOCUMENT --as NAME"]
    if found.of(Standing.ACCEPTED) and not found.of(Standing.CONFLICT):
        steps.append(f'vestigia seal {archive} {run} --statement "..." --as NAME')
    printing.following(*steps)


def show(
    workspace: Workspace, work: works.Work, *, as_json: bool, closed: bool = False, only: Collection[str] | None = None
) -> None:
    """Print a curation; of a page, with `only`, the sources of these documents."""
    found = curating.shown(workspace, work, closed=closed)
    printing.data(found) if as_json else page(found, only)


def page(found: Plain, only: Collection[str] | None = None) -> None:
    """Print the sources, or `only` some, with what people decided, noted, and judges sorted before; then the counts."""
    clean = printing.clean
    printing.out.print(
        f"{clean(found['description'])}\n[dim]curation · run {clean(found['run'])} · taken from "
        f"{clean(found['taken_from'])}[/dim]"
    )
    for row in (row for row in found["sources"] if only is None or row["document"] in only):
        again = f", the text of {clean(row['repeats'])}" if row["repeats"] else ""
        title = clean(row.get("title") or row["document"])
        printing.out.print(
            f"  [bold]{row['standing']}[/bold]{again} · {title} · {clean(row.get('date') or 'undated')} "
            f"[dim]{clean(row['document'])}[/dim]"
        )
        if row.get("withheld"):
            printing.out.print(f"    {printing.WITHHELD[row['withheld']]}")
        for one in row["presorted"]:
            where = f"{one['band'] or 'no band'} ({one['score']:g})"
            printing.out.print(f"    [dim]sorted by {clean(one['judge'])}: {where}[/dim]")
        for deed in (*row["decisions"], *row["remarks"]):
            said = " · ".join(clean(deed[part]) for part in ("reason", "tag", "note") if deed[part])
            resolved = ", for all" if deed["resolves"] else ""
            printing.out.print(
                f"    {deed['act']} by {clean(deed['by'])}{resolved}{': ' + said if said else ''} "
                f"[dim]entry {deed['entry']}[/dim]"
            )
    for line in count_lines(found["counts"]):
        printing.out.print(line, markup=False)
    for document in found["conflicts"]:
        printing.out.print(f"[yellow]People do not agree about {clean(document)}.[/yellow]")
    printing.section("Text corrected since", list(printing.corrected(found["corrected"])))
    for dossier in found["dossiers"]:
        printing.out.print(
            f"Dossier of {printing.sources_of(dossier['sources'])}, sealed by {clean(dossier['sealed_by'])} on "
            f"{clean(dossier['at'][:10])}: {clean(dossier['statement'])}"
        )
    for line in found["notes"]:
        printing.out.print(clean(line))


def count_lines(counts: Plain) -> list[str]:
    """The numbers of a flow diagram, a step a line."""
    rejected = sum(one["sources"] for one in counts["rejected"])
    why = "; ".join(f"{one['reason']}: {one['sources']}" for one in counts["rejected"])
    went = f"{counts['gone']} gone, {counts['reprints']} reprints, {counts['left']} not taken"
    apart = f"{counts['withdrawn']} gone since, {counts['repeated']} reprints"
    decided = f"{counts['accepted']} accepted, {rejected} rejected{f' ({why})' if why else ''}"
    still = f"{counts['flagged']} flagged, {counts['conflicting']} in conflict, {counts['undecided']} undecided"
    beside = f" {counts['added']} of these people laid beside it." if counts["added"] else ""
    return [
        f"Found {counts['found']}: {went}, {counts['taken']} in the set.{beside}",
        f"In the set {counts['taken']}: {apart}, {counts['screened']} to be decided.",
        *(f"Judged by {one['judge']}: {one['judged']}, not judged: {one['not_judged']}." for one in counts["judged"]),
        f"Decided {counts['screened']}: {decided}, {still}.",
    ]
