"""The command `check-quotes`: does the archive say what a text quotes?"""

from pathlib import Path
from typing import Annotated

import typer

from vestigia.app.places import cited
from vestigia.app.present import document
from vestigia.app.quoting import Check, check_quotes, counts, plain
from vestigia.app.workspace import open_workspace
from vestigia.cli import printing
from vestigia.cli.arguments import Closed, JsonOption, path_of
from vestigia.cli.outcome import FAILED, ending
from vestigia.domain.quotations import Outcome

_SHOWN = {Outcome.EXACT: "green", Outcome.FOLDED: "green", Outcome.ALTERED: "red", Outcome.UNCHECKABLE: "yellow"}


def check_quotations(
    file: Annotated[Path, typer.Argument(metavar="FILE", parser=path_of, help="A .md, .txt or .docx file.")],
    archive: Annotated[
        Path, typer.Option("--in", metavar="ARCHIVE", parser=path_of, help="The archive that is quoted from.")
    ],
    closed: Closed = False,
    as_json: JsonOption = False,
) -> None:
    """Check every quotation of a text against the archive's own words; exits with 1 if one is not sealed."""
    with ending():
        checks = check_quotes(open_workspace(archive), file, closed=closed)
    if as_json:
        printing.data({"file": str(file), **plain(checks)})
    else:
        page(checks)
    if not all(check.seal.sealed for check in checks):
        raise typer.Exit(FAILED)


def page(checks: tuple[Check, ...]) -> None:
    """Print each quotation with its outcome, then how many of each there are."""
    for check in checks:
        outcome = check.seal.outcome
        quoted = printing.clean(_short(check.quotation.text))
        printing.out.print(f"line {check.quotation.line} [{_SHOWN[outcome]}]{outcome}[/] “{quoted}”")
        if not check.quotation.closed:
            printing.out.print("    the mark that ends it is missing: taken to the end of its paragraph")
        if check.card:
            printing.out.print(f"    {document(check.card, pages=cited(check.pages))['citation']}", markup=False)
        if check.seal.why:
            printing.out.print(f"    {printing.clean(check.seal.why)}")
        if check.there and outcome is not Outcome.EXACT:
            printing.out.print(f"    source: {printing.clean(' … '.join(check.there))}")
    told = ", ".join(f"{number} {outcome}" for outcome, number in counts(checks).items() if number)
    printing.out.print(f"{len(checks)} quotations: {told}." if checks else "There are no quotations in the text.")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 100 else f"{text[:60]} … {text[-35:]}"
