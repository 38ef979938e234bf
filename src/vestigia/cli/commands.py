"""The commands. Each parses, calls one function of the app, and prints what it returns."""

from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from vestigia.app import archive as filling
from vestigia.app import asking, demonstration, works
from vestigia.app.import_options import options_of
from vestigia.app.limits import Limits, limited
from vestigia.app.models import answering
from vestigia.app.search_view import matching_of, question_of, search_plain
from vestigia.app.searching import Manner
from vestigia.app.searching import search as search_archive
from vestigia.app.silence import silence_of
from vestigia.app.works import is_commissioned
from vestigia.app.workspace import init as make
from vestigia.app.workspace import open_workspace
from vestigia.cli import caring, copies, printing
from vestigia.cli.arguments import (
    ArchiveArgument,
    Between,
    Closed,
    Expansion,
    JsonOption,
    Language,
    RunArgument,
    SubCorpora,
    path_of,
)
from vestigia.cli.auditing import audit
from vestigia.cli.curating import curate, seal
from vestigia.cli.deciding import decide, plan
from vestigia.cli.depositing import deposit, is_deposit, print_check, print_replay_of
from vestigia.cli.estimates import say_estimate, with_estimates
from vestigia.cli.evaluating import evaluate
from vestigia.cli.examining import compare, silence, silence_page
from vestigia.cli.experimenting import experiment
from vestigia.cli.exporting import export, export_search, reimport
from vestigia.cli.forking import entries_page, fork, prompts
from vestigia.cli.importing import page, plain, status_page, status_plain
from vestigia.cli.interpreting import contest, dossier, interpret
from vestigia.cli.judging import judge
from vestigia.cli.modelling import models
from vestigia.cli.outcome import FAILED, ending, errors
from vestigia.cli.people import people
from vestigia.cli.previews import show_preview
from vestigia.cli.progress import bars, watching
from vestigia.cli.questions import demo_hints, print_answer, search_page
from vestigia.cli.quoting import check_quotations
from vestigia.cli.rubrics import rubric
from vestigia.cli.serving import serve
from vestigia.cli.surveying import gather
from vestigia.cli.trials import agreement
from vestigia.cli.vocabulary import vocabulary
from vestigia.cli.works import print_replay, show_work
from vestigia.ledger.projection import RunRow

app = typer.Typer(
    name="vestigia",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Accountable source discovery in digital archives: ask, see why each source was taken, overrule every step.",
    epilog="Exit codes: 0 done; 1 a check failed or nothing could be used; 2 put wrongly; 3 archive, settings or disk; "
    "4 no answer from a model (resume later); 130 interrupted.",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        printing.out.print(f"vestigia {version('vestigia')}", markup=False)
        raise typer.Exit


@app.callback()
def options(
    shown: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """Hold the options of the program itself."""


@app.command()
def init(
    archive: ArchiveArgument,
    name: Annotated[str, typer.Option(help="What the archive is called.")] = "",
    passage_tokens: Annotated[int, typer.Option(min=1, max=10**9, help="Tokens a passage may hold.")] = 1000,
) -> None:
    """Make an empty archive."""
    with ending():
        make(archive, name, passage_tokens)
    printing.out.print(f"Archive made. Next: vestigia add {archive} FOLDER", markup=False)


@app.command()
def add(
    archive: ArchiveArgument,
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATHS...", parser=path_of, help="Files or folders to import.")
    ],
    sub_corpus: Annotated[str, typer.Option(help="The sub-corpus of all of them.")] = "",
    language: Annotated[str, typer.Option(help="Their language where they do not say, e.g. de.")] = "",
    column: Annotated[list[str] | None, typer.Option(help="COLUMN=FIELD: what a column is; repeatable.")] = None,
    name_pattern: Annotated[
        list[str] | None, typer.Option(help="What names of text files say: {title}_{year}-{month}-{day}; repeatable.")
    ] = None,
    encoding: Annotated[str, typer.Option(help="The encoding of files that are not Unicode, e.g. cp1252.")] = "",
    update: Annotated[bool, typer.Option("--update", help="Replace documents whose record was changed.")] = False,
    preview: Annotated[bool, typer.Option("--preview", help="Show what would go in and how it is read.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Import files, index them, encode them with the fast encoder. Running it again changes nothing."""
    with ending():
        options = options_of(sub_corpus, language, column or [], encoding)
        options = replace(options, update=update, name_patterns=tuple(name_pattern or ()))
        if preview:
            show_preview(open_workspace(archive), paths, options, as_json=as_json)
            return
        with bars(silent=as_json) as tell:
            added = filling.add(open_workspace(archive), paths, options, tell)
    printing.data(plain(added)) if as_json else page(added)
    usable = ("documents", "unchanged", "updated", "twins")
    if not any(report.total(count) for report in added.reports for count in usable):
        raise typer.Exit(FAILED)


@app.command()
def encode(
    archive: ArchiveArgument,
    encoder: Annotated[str, typer.Option(help="Which encoder; see `vestigia status`.")] = "e5",
    as_json: JsonOption = False,
) -> None:
    """Encode all passages with the better, slower encoder. Can be stopped and goes on where it stopped."""
    with ending("What was encoded is kept; the same command goes on."), bars(silent=as_json) as tell:
        encoded = filling.encode(open_workspace(archive), encoder, tell)
    if as_json:
        printing.data({"encoder": encoder, "encoded": encoded.texts, "withheld": encoded.withheld})
    else:
        printing.out.print(f"{encoded.texts} texts encoded with {encoder}.", markup=False)
        if encoded.withheld:
            kept = "passages were not sent there: their rights do not allow it."
            printing.out.print(f"{encoded.withheld} {kept}", markup=False)


@app.command()
def status(archive: ArchiveArgument, as_json: JsonOption = False) -> None:
    """Say what the archive holds and what of it can be searched."""
    with ending():
        found = filling.status(open_workspace(archive))
    printing.data(status_plain(found)) if as_json else status_page(found)


@app.command()
def search(
    archive: ArchiveArgument,
    query: Annotated[str, typer.Argument(help='Words, a "phrase", a date, a question.')],
    channel: Annotated[str, typer.Option(help="fused, words, characters, meaning, date, source or exact.")] = "fused",
    sub_corpus: SubCorpora = None,
    between: Between = "",
    language: Language = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many documents.")] = 10,
    expand: Expansion = None,
    syntax: Annotated[
        bool, typer.Option("--syntax", help='AND OR NOT ( ) + - "phrases" word* word~1 NEAR/5 title: person: place:')
    ] = False,
    fuzzy: Annotated[int, typer.Option(min=0, max=2, help="Letters that may differ in a word.")] = 0,
    strict: Annotated[bool, typer.Option("--strict", help="Words as written only, not as they are misread.")] = False,
    any_case: Annotated[bool, typer.Option("--any-case", help="Exact, whatever the case and the accents.")] = False,
    regex: Annotated[bool, typer.Option("--regex", help="Exact, by a regular expression.")] = False,
    windows: Annotated[str, typer.Option(help='A list for each window: "10y", "6" or "1887/1890, 1891/1895".')] = "",
    quota: Annotated[int | None, typer.Option(min=1, max=1000, help="How many documents a window (20).")] = None,
    per_sub_corpus: Annotated[
        int | None, typer.Option(min=1, max=1000, help="So many documents of each sub-corpus, in every window if any.")
    ] = None,
    no_group: Annotated[
        bool, typer.Option("--no-group", help="Show reprints and copies as rows of their own.")
    ] = False,
    closed: Closed = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", parser=path_of, help="Export the list; see `vestigia export`.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Search without a run: the channels side by side, and their fusion."""
    with ending():
        question = question_of(query, sub_corpus, between, language)
        matching = matching_of(syntax=syntax, any_case=any_case, regex=regex)
        manner = Manner(expand, matching, fuzzy, strict, windows, quota, per_sub_corpus, not no_group)
        workspace = open_workspace(archive)
        found = search_archive(workspace, question, channel, limit, manner)
        if out:
            export_search(workspace, query, found, out, closed=closed, as_json=as_json)
            return
    printing.data(search_plain(query, found, closed=closed)) if as_json else search_page(query, found, closed=closed)


@app.command()
def ask(
    archive: ArchiveArgument,
    question: Annotated[str, typer.Argument(help="The question, in any language of the archive.")],
    sub_corpus: SubCorpora = None,
    between: Between = "",
    language: Language = None,
    max_calls: Annotated[
        int | None, typer.Option(min=0, max=1_000_000, help="Stop after this many model calls.")
    ] = None,
    max_tokens: Annotated[int | None, typer.Option(min=0, max=10**12, help="Stop after this many tokens.")] = None,
    max_steps: Annotated[int | None, typer.Option(min=1, max=15, help="Steps a sub-question may use.")] = None,
    max_cost: Annotated[float | None, typer.Option(min=0.0001, max=10**6, help="Stop after so many dollars.")] = None,
    max_minutes: Annotated[float | None, typer.Option(min=0.01, max=10**6, help="Stop after so many minutes.")] = None,
    model: Annotated[str, typer.Option(help="The model that answers all of it; see `vestigia models`.")] = "",
    expand: Expansion = None,
    also: Annotated[list[str] | None, typer.Option(help="Search this word beside the question's; repeatable.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Words as written only, not as they are misread.")] = False,
    windows: Annotated[
        str | None, typer.Option(help='Share candidates out among windows: "10y", "6" or "1887/1890, 1891/1895".')
    ] = None,
    pause: Annotated[str, typer.Option(help="Wait for you at: plan, holds, briefs, final (comma-separated).")] = "",
    closed: Closed = False,
    as_json: JsonOption = False,
) -> None:
    """Ask a question: a ranked list of sources, each with why it was taken and by which steps."""
    with ending(f"What was found so far is kept: `vestigia resume {archive} last` goes on where it stood."):
        workspace = open_workspace(archive)
        asked = question_of(question, sub_corpus, between, language)
        rules = limited(workspace.settings, Limits(max_calls, max_tokens, max_steps, max_cost, max_minutes), pause)
        rules = replace(rules, also=tuple(also or ()), strict=strict or rules.strict)
        rules = rules if expand is None else replace(rules, expansion=expand)
        by = answering(workspace.settings, {"": model} if model else None)
        watch = watching(silent=as_json)
        if not as_json:
            say_estimate(by, rules)
            watch = with_estimates(watch, by, rules)
        answer = asking.ask(workspace, asked, rules, watch, windows, by)
        of_use = print_answer(workspace, answer, as_json=as_json, closed=closed)
    if not of_use:
        raise typer.Exit(FAILED)


@app.command()
def resume(
    archive: ArchiveArgument,
    run: RunArgument = "last",
    author: Annotated[str, typer.Option("--as", help="Your name: lets a run that waits for a person go on.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Carry on a run that was interrupted or waits for a person."""
    with ending("The run is kept: the same command goes on where it stood."):
        workspace = open_workspace(archive)
        if is_commissioned(workspace, run):
            show_work(workspace, works.resume(workspace, run, watching(silent=as_json), author), as_json=as_json)
            return
        finished = asking.show(workspace, run).result.finished
        answer = asking.resume(workspace, run, author, watching(silent=as_json))
        of_use = print_answer(workspace, answer, as_json=as_json)
    if not of_use:
        raise typer.Exit(FAILED)
    if finished:
        errors.print("This run was finished already; nothing was left to do.", markup=False)


@app.command()
def runs(archive: ArchiveArgument, as_json: JsonOption = False) -> None:
    """List the runs, the newest first."""
    with ending():
        rows = open_workspace(archive).run_rows()
    if as_json:
        printing.data([asdict(row) for row in rows])
    elif not rows:
        printing.out.print('There is no run yet: vestigia ask ARCHIVE "..."', markup=False)
    else:
        columns = ("", "kind", "state", "accepted", "question", "run", "")
        lines = ([printing.mark(r.run), r.kind, r.state, _accepted(r), r.question, r.run, r.problem] for r in rows)
        printing.table(columns, lines)


def _accepted(row: RunRow) -> str:
    """What a question accepted; of other work its own page says what became of it."""
    return str(row.accepted) if row.kind == "question" else ""


@app.command()
def show(
    archive: ArchiveArgument,
    run: RunArgument = "last",
    entries: Annotated[
        bool, typer.Option("--entries", help="List the entries of its record with their numbers.")
    ] = False,
    closed: Closed = False,
    as_json: JsonOption = False,
) -> None:
    """Show a run in full: the path to each source, the passages, what was searched, what it cost."""
    with ending():
        workspace = open_workspace(archive)
        if entries:
            entries_page(workspace, run, as_json=as_json)
            return
        if is_commissioned(workspace, run):
            show_work(workspace, works.read(workspace, run), as_json=as_json, closed=closed)
            return
        print_answer(workspace, asking.show(workspace, run), as_json=as_json, full=True, closed=closed)
        if not as_json:
            silence_page(silence_of(workspace, run), whole=False)


@app.command()
def verify(archive: ArchiveArgument, run: RunArgument = "last", as_json: JsonOption = False) -> None:
    """Check that the record of a run, or a whole deposit, is as it was written: `vestigia verify FILE.zip`."""
    if is_deposit(archive):
        print_check(archive, as_json=as_json)
        return
    with ending():
        report = asking.verify_run(open_workspace(archive), run)
    if as_json:
        printing.data({**asdict(report), "sound": report.sound})
    elif report.sound:
        printing.out.print(
            f"{report.run}: {report.entries} entries and {report.blobs} kept texts are as they were "
            f"written.\nHead: {report.head}",
            markup=False,
        )
        if report.torn:
            printing.out.print(f"{report.torn} The run can be resumed.", markup=False)
    else:
        errors.print(f"{report.problem}", markup=False)
    if not report.sound:
        raise typer.Exit(FAILED)


@app.command()
def replay(
    archive: ArchiveArgument,
    run: RunArgument = "last",
    against: Annotated[
        Path | None, typer.Option("--archive", parser=path_of, help="Of a deposit: say where this archive differs.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Decide a run, or all runs of a deposit, again from the record alone, and compare the ranking."""
    if is_deposit(archive):
        print_replay_of(archive, against, as_json=as_json)
        return
    with ending():
        workspace = open_workspace(archive)
        if is_commissioned(workspace, run):
            print_replay(works.read(workspace, run).run, finished=works.replay(workspace, run), as_json=as_json)
            return
        again = asking.replay(workspace, run)
    ranking = [source.card.id for source in again.result.sources]
    if as_json:
        printing.data({"run": again.run, "finished": again.finished, "same": True, "ranking": ranking})
        return
    state = "reproduced" if again.finished else "reproduced as far as the record goes; the run is not finished"
    printing.out.print(f"{again.run}: {state}. {len(ranking)} sources, in the recorded order:", markup=False)
    for number, source in enumerate(again.result.sources, 1):
        printing.out.print(
            f"{number:>3}. {printing.clean(source.card.title)} [dim]{printing.clean(source.card.id)}[/dim]"
        )


@app.command()
def demo(
    folder: Annotated[Path | None, typer.Argument(help="Where to build the demo archive.")] = None,
    question: Annotated[str, typer.Option(help="Another question than the shipped one.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Build a small fictional archive and ask it a question: no model, no network."""
    with ending():
        with bars(silent=as_json) as tell:
            workspace = demonstration.build(folder or Path(demonstration.FOLDER), tell)
        asked = question_of(question or demonstration.shipped_question(), None, "", None)
        answer = asking.ask(workspace, asked, limited(workspace.settings), watching(silent=True))
        print_answer(workspace, answer, as_json=as_json, limit=8)
    if not as_json:
        demo_hints(workspace.root)


app.command()(decide)
app.command()(plan)
app.command()(fork)
app.command()(prompts)
app.command()(compare)
app.command()(silence)
app.command()(audit)
app.command()(evaluate)
app.command()(vocabulary)
app.command("check-quotes")(check_quotations)
app.command("survey")(gather)
app.command()(curate)
app.command()(seal)
app.command()(interpret)
app.command()(contest)
app.command()(dossier)
app.command()(export)
app.command()(reimport)
app.command()(rubric)
app.command()(judge)
app.command()(agreement)
app.command()(experiment)
app.command()(models)
app.command()(deposit)
app.command()(people)
app.command()(serve)


for command in (*caring.COMMANDS, *copies.COMMANDS):
    app.command()(command)
