"""The commands that look after an archive: describe, rename, delete, duplicates, report."""

from pathlib import Path
from typing import Annotated

import typer

from vestigia.app import care, report_page
from vestigia.app import report as reporting
from vestigia.app.workspace import open_workspace
from vestigia.cli import printing
from vestigia.cli.arguments import ArchiveArgument, JsonOption
from vestigia.cli.care import (
    deletion_page,
    description_page,
    description_plain,
    duplicates_page,
    duplicates_plain,
    report_printed,
    to_delete,
)
from vestigia.cli.outcome import ending
from vestigia.cli.progress import bars
from vestigia.domain.errors import ArchiveError, UsageError
from vestigia.domain.ids import DocumentId


def describe(  # noqa: PLR0913, PLR0917  a command has as many parameters as options
    archive: ArchiveArgument,
    sub_corpus: Annotated[str, typer.Argument(help="The sub-corpus; `vestigia status` names them.")],
    genre: Annotated[str | None, typer.Option(help="What kind of sources, e.g. newspaper.")] = None,
    language: Annotated[list[str] | None, typer.Option(help="Its languages, e.g. fr; repeatable.")] = None,
    rights: Annotated[str | None, typer.Option(help="The archive's own words on rights.")] = None,
    source: Annotated[str | None, typer.Option(help="Where it comes from: holder, shelf mark.")] = None,
    description: Annotated[str | None, typer.Option(help="What it is, in a sentence or two.")] = None,
    access: Annotated[
        str | None, typer.Option(help="open, personal, no-third-party-model or closed, for all its documents.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say what a sub-corpus is, or show what was said; an empty value takes it back."""
    languages = None if language is None else tuple(one for one in language if one)
    said = {"genre": genre, "languages": languages, "rights": rights, "source": source, "description": description,
            "access": access}  # fmt: skip
    with ending():
        found = care.describe(open_workspace(archive), sub_corpus, {k: v for k, v in said.items() if v is not None})
    printing.data(description_plain(sub_corpus, found)) if as_json else description_page(sub_corpus, found)


def rename(
    archive: ArchiveArgument,
    old: Annotated[str, typer.Argument(help="The sub-corpus as it is called now.")],
    new: Annotated[str, typer.Argument(help="What it shall be called.")],
    as_json: JsonOption = False,
) -> None:
    """Rename a sub-corpus, for its documents and for all that come in later under the old name."""
    with ending(), bars(silent=as_json) as tell:
        number = care.rename(open_workspace(archive), old, new, tell)
    if as_json:
        printing.data({"sub_corpus": new, "documents": number})
    else:
        printing.out.print(f"{number} documents are now of “{printing.clean(new)}”.")


def delete(
    archive: ArchiveArgument,
    documents: Annotated[list[str] | None, typer.Argument(help="Ids of documents.")] = None,
    file: Annotated[list[str] | None, typer.Option(help="All from this file, or folder of files; repeatable.")] = None,
    sub_corpus: Annotated[list[str] | None, typer.Option(help="All of this sub-corpus; repeatable.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Delete documents from the archive for good. Without any, only rewrite its files, as after an update."""
    with ending("The same command without a document goes on where it stopped."):
        workspace = open_workspace(archive)
        chosen = care.Selection(tuple(documents or ()), tuple(file or ()), tuple(sub_corpus or ()))
        cards = () if chosen.is_empty else care.selected(workspace, chosen)
        if cards and not yes:
            if as_json:
                raise UsageError("a deletion must be confirmed.", where="--json", remedy="Say --yes, too.")
            typer.confirm(to_delete(cards), abort=True)
        with bars(silent=as_json) as tell:
            deleted = care.delete(workspace, [DocumentId(card.id) for card in cards], tell)
    if as_json:
        printing.data({"documents": [card.id for card in cards], "runs": list(deleted.runs)})
    else:
        deletion_page(deleted)


def duplicates(archive: ArchiveArgument, as_json: JsonOption = False) -> None:
    """List the documents that say the same: twins of one time, reprints of another."""
    with ending(), bars(silent=as_json) as tell:
        found = care.duplicates(open_workspace(archive), tell)
    printing.data(duplicates_plain(found)) if as_json else duplicates_page(found)


def report(
    archive: ArchiveArgument,
    html: Annotated[Path | None, typer.Option("--html", help="Write it as a page for a browser.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Report what the archive covers: time, pages without text, confidence, duplicates, refused files."""
    with ending():
        found = reporting.coverage(open_workspace(archive))
        if html is not None:
            _write(html, report_page.page(found))
    if as_json:
        printing.data(reporting.plain(found))
    elif html is not None:
        printing.out.print(f"Written: {html}", markup=False)
    else:
        report_printed(found)


def _write(path: Path, page: str) -> None:
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise ArchiveError(
            f"the page cannot be written ({error.strerror}).", where=str(path), remedy="Choose another place."
        ) from error


COMMANDS = (describe, rename, delete, duplicates, report)
"""In the order of the help."""
