"""The commands `decide` and `plan`: what a person decides, from any terminal."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from vestigia.app import deciding, tables
from vestigia.app.deciding import Decided, StandingPlan
from vestigia.app.present import Plain, sub_question
from vestigia.app.putting_back import put_back
from vestigia.app.workspace import Workspace, open_workspace
from vestigia.cli import printing
from vestigia.cli.arguments import ArchiveArgument, JsonOption, RunArgument, path_of
from vestigia.cli.outcome import ending
from vestigia.cli.questions import print_answer
from vestigia.domain.errors import UsageError
from vestigia.domain.events import Overruled
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import DocumentId
from vestigia.domain.question import SubQuestion
from vestigia.inquiry.planning import Change

TableOption = Annotated[
    Path | None, typer.Option("--from", metavar="FILE", parser=path_of, help="Record the decisions of a table (CSV).")
]


def decide(
    archive: ArchiveArgument,
    document: Annotated[str, typer.Argument(help="The document's id, as `show` prints it.")] = "",
    decision: Annotated[Decision | None, typer.Argument(help="What you decide.")] = None,
    author: Annotated[str, typer.Option("--as", help="Your name.")] = "",
    reason: Annotated[str, typer.Option(help="Why.")] = "",
    run: Annotated[str, typer.Option(help="The run, the beginning or end of its name, or `last`.")] = "last",
    all_held: Annotated[
        Decision | None, typer.Option("--all-held", help="Decide so about all that is on hold.")
    ] = None,
    all_corrected: Annotated[
        bool, typer.Option("--all-corrected", help="Put on hold all that rests on text corrected since.")
    ] = False,
    table: TableOption = None,
    write: Annotated[
        Path | None, typer.Option(metavar="FILE", parser=path_of, help="Write what is on hold to a table to fill in.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Overrule a run about documents: your decision is recorded and outranks the machine's."""
    with ending():
        workspace = open_workspace(archive)
        if write:
            _write(write, deciding.held(workspace, run))
            return
        if all_corrected:
            _in_one_way(document, decision, all_held, table, all_corrected=True)
            _put_back(workspace, run, author, as_json=as_json)
            return
        acts = _acts(workspace, run, (document, decision), all_held, table)
        acts = tuple(replace(act, author=author.strip(), reason=act.reason or reason.strip()) for act in acts)
        decided = deciding.decide(workspace, run, *acts)
        if as_json:
            print_answer(workspace, decided.answer, as_json=True)
        else:
            _say(decided, acts)


def _acts(
    workspace: Workspace,
    run: str,
    typed: tuple[str, Decision | None],
    all_held: Decision | None,
    table: Path | None,
) -> tuple[Overruled, ...]:
    """The decisions that were asked for in one of the three ways."""
    document, decision = typed
    _in_one_way(document, decision, all_held, table)
    if table:
        return deciding.filled_in(table, "")
    if all_held is None:
        return (Overruled(DocumentId(document), decision or Decision.HOLD, "", ""),)
    rows = deciding.held(workspace, run)
    if not rows:
        raise UsageError("nothing is on hold.", where=f"run {run}")
    return tuple(Overruled(DocumentId(row["document"]), all_held, "", "") for row in rows)


def _in_one_way(
    document: str,
    decision: Decision | None,
    all_held: Decision | None,
    table: Path | None,
    *,
    all_corrected: bool = False,
) -> None:
    """Raise UsageError unless it is said in one of the ways what is decided."""
    ways = [bool(document), all_held is not None, table is not None, all_corrected]
    if sum(ways) != 1 or bool(document) != (decision is not None):
        raise UsageError(
            "say what is decided in one way.",
            remedy="Give DOCUMENT and DECISION, or --all-held DECISION, or --all-corrected, or --from FILE.",
        )


def _put_back(workspace: Workspace, run: str, author: str, *, as_json: bool) -> None:
    """Put on hold, in a curation flag, what rests on text corrected since."""
    documents, left = put_back(workspace, run, author)
    if as_json:
        printing.data({"run": workspace.run(run), "on_hold": documents, "left": left})
        return
    for document in documents:
        printing.out.print(f"{document} waits for a new verdict: its text was corrected since.", markup=False)
    if left:
        printing.out.print(f"The run is at work: {left} of these will be recorded with its next entry.", markup=False)


def _say(decided: Decided, acts: Iterable[Overruled]) -> None:
    for act in acts:
        printing.out.print(
            f"Recorded in {decided.answer.run}: {act.author}: {act.decision} {act.document}.", markup=False
        )
    if decided.left:
        printing.out.print(
            f"The run is at work: {decided.left} of these will be recorded with its next entry.", markup=False
        )


def _write(path: Path, rows: Iterable[dict[str, str]]) -> None:
    rows = list(rows)
    tables.write(path, deciding.COLUMNS, rows)
    printing.out.print(
        f"{len(rows)} document(s) on hold written to {path}. Next: --from {path} --as NAME", markup=False
    )


def plan(
    archive: ArchiveArgument,
    run: RunArgument = "last",
    file: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", parser=path_of, help="What remains, as --json prints it.")
    ] = None,
    drop: Annotated[list[str] | None, typer.Option(help="Do not ask this sub-question; repeatable.")] = None,
    add: Annotated[list[str] | None, typer.Option(help="Ask this, too, in the sub-corpus of its --in.")] = None,
    within: Annotated[
        list[str] | None, typer.Option("--in", help="The sub-corpus of an --add, in their order.")
    ] = None,
    retarget: Annotated[list[str] | None, typer.Option(help="q1=SUBCORPUS: ask it there; repeatable.")] = None,
    reword: Annotated[list[str] | None, typer.Option(help='q1="text": ask it so; repeatable.')] = None,
    author: Annotated[str, typer.Option("--as", help="Your name; needed to change the plan.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Print the plan of a run, or change what remains of it while the run waits at `plan` or `briefs`."""
    with ending():
        workspace = open_workspace(archive)
        if len(add or ()) != len(within or ()):
            raise UsageError("each --add needs the sub-corpus it is asked in.", remedy='Write --add "text" --in NAME.')
        change = Change(
            tuple(drop or ()),
            tuple(_pair(one, "--retarget") for one in retarget or ()),
            tuple(_pair(one, "--reword") for one in reword or ()),
            tuple(zip(add or (), within or (), strict=True)),
        )
        if file and change != Change():
            raise UsageError("a plan is changed in one way.", remedy="Give --from alone, or the changes alone.")
        if file or change != Change():
            standing = deciding.edit_plan(workspace, run, file or change, author)
        else:
            standing = deciding.plan_of(workspace, run)
    printing.data(plain(standing)) if as_json else page(standing, str(archive))


def _pair(written: str, option: str) -> tuple[str, str]:
    name, sign, value = written.partition("=")
    if not sign:
        raise UsageError(f"{written!r} names no sub-question.", where=option, remedy=f"Write {option} q1=….")
    return name.strip(), value.strip()


def plain(standing: StandingPlan) -> Plain:
    """A plan as data."""
    return {
        "run": standing.run,
        "waits_at": standing.waits_at or None,
        "begun": [_row(one) for one in standing.begun],
        "remaining": [_row(one) for one in standing.remaining],
    }


def _row(one: SubQuestion) -> Plain:
    return {**sub_question(one), "after": list(one.after)}


def page(standing: StandingPlan, archive: str) -> None:
    """Print a plan."""
    for one in standing.begun:
        printing.out.print(f"[dim]{_line(one)} (begun)[/dim]")
    for one in standing.remaining:
        printing.out.print(_line(one))
    if not standing.remaining:
        printing.out.print("Nothing remains to be asked.")
    if standing.waits_at in deciding.PLANNING:
        again = f'vestigia resume {archive} {standing.run} --as "your name"'
        printing.out.print(f"The run waits at “{standing.waits_at}”. It goes on with: {again}", markup=False)


def _line(one: SubQuestion) -> str:
    where = printing.clean(one.sub_corpus or "the whole archive")
    after = f", after {', '.join(one.after)}" if one.after else ""
    return f"{printing.clean(one.id)} → {where}{after}: {printing.clean(one.text)}"
