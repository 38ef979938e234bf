"""The command `vocabulary`: what the archive's own words are, and when."""

from dataclasses import asdict
from typing import Annotated

import typer

from vestigia.app.present import Plain
from vestigia.app.search_view import period_of
from vestigia.app.vocabulary import Passport, passport, plain, train_vectors
from vestigia.app.workspace import open_workspace
from vestigia.cli import printing
from vestigia.cli.arguments import ArchiveArgument, Between, JsonOption
from vestigia.cli.outcome import ending
from vestigia.cli.progress import bars
from vestigia.domain.errors import UsageError

_BY = {
    "misreading": "read wrongly or spelt otherwise",
    "spelling": "written alike",
    "vectors": "used alike (word vectors)",
}


def vocabulary(
    archive: ArchiveArgument,
    terms: Annotated[list[str] | None, typer.Argument(metavar="[TERM]...", help='Words, or "phrases".')] = None,
    windows: Annotated[str, typer.Option(help="How long a window is, e.g. 5y; by the span if left out.")] = "",
    between: Between = "",
    train: Annotated[
        bool, typer.Option("--train", help="Train word vectors first; needs the extra `vocabulary`.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Say since when and how often terms are attested in the texts, and what stood in their place."""
    with ending():
        workspace = open_workspace(archive)
        if not terms and not train:
            raise UsageError("no term is given.", remedy='Name some: `vestigia vocabulary ARCHIVE "Elektronenhirn"`.')
        trained = None
        if train:
            with bars(silent=as_json) as tell:
                trained = train_vectors(workspace, tell)
        found = passport(workspace, terms or (), windows, period_of(between)) if terms else None
    if as_json:
        printing.data({"trained": asdict(trained) if trained else None, **(plain(found) if found else {})})
        return
    if trained:
        printing.out.print(
            f"Word vectors of {trained.words} words were trained on {trained.occurrences} ({trained.trainer}, "
            f"{trained.rounds} rounds).",
            markup=False,
        )
    if found:
        page(found)


def page(found: Passport) -> None:
    """Print a passport: what is attested of each term, then a table of windows, then its neighbours."""
    shown = plain(found)
    for term in shown["terms"]:
        printing.out.print(f"\n[bold]{printing.clean(term['term'])}[/bold] {_attested(term)}")
        if term["warning"]:
            printing.out.print(f"[yellow]{printing.clean(term['warning'])}[/yellow]")
        _windows(term, shown["windows"])
        _neighbours(term["neighbours"])
    if not found.vectors:
        printing.out.print(
            "\n[dim]Neighbours are by spelling: no word vectors are trained for this state of the archive "
            "(--train).[/dim]"
        )


def _attested(term: Plain) -> str:
    if not term["passages"]:
        return ""
    years = "undated only" if term["first"] is None else f"{term['first']} to {term['last']}"
    undated = f", {term['undated']} of them undated" if term["undated"] and term["first"] is not None else ""
    return f"[dim]{term['documents']} documents{undated}, {term['passages']} passages; {years}[/dim]"


def _windows(term: Plain, windows: list[Plain]) -> None:
    rows = []
    for one, all_of in zip(term["windows"], windows, strict=True):
        instead = ", ".join(f"{near['word']} ({near['documents']})" for near in one["instead"])
        early = "before its first year" if one["early"] else ""
        if all_of["documents"]:
            note = "; ".join(said for said in (early, instead) if said)
            rows.append((one["window"], one["documents"], all_of["documents"], note))
    if rows:
        printing.table(("window", "with it", "of", "what stood there instead"), rows)


def _neighbours(near: list[Plain]) -> None:
    for by, said in _BY.items():
        of_kind = [
            f"{printing.clean(one['word'])} {one['similarity']:.2f} [dim]×{one['passages']} {_span(one)}[/dim]"
            for one in near
            if one["by"] == by
        ]
        if of_kind:
            printing.out.print(f"  {said}: {'; '.join(of_kind)}")


def _span(one: Plain) -> str:
    return "undated" if one["first"] is None else f"{one['first']}–{one['last']}"
