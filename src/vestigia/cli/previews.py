"""The preview of an import on the page: how each file is understood, its first documents, what would be refused."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import typer

from vestigia.app.present import Plain
from vestigia.app.previewing import preview
from vestigia.app.workspace import Workspace
from vestigia.cli import printing
from vestigia.cli.importing import said
from vestigia.cli.outcome import FAILED
from vestigia.cli.progress import bars
from vestigia.corpus.importing import FileReport, ImportOptions
from vestigia.corpus.previewing import FilePreview
from vestigia.corpus.readers.layout import Layout
from vestigia.domain.archive import Document
from vestigia.domain.periods import label

FILES = 20
"""Files shown on the page with their documents; `--json` has them all."""

_DELIMITERS = {"\t": "tab", ",": "comma", ";": "semicolon", "|": "bar"}
_COUNTS = ("documents", "dated", "undated", "unchanged", "updated", "twins")


def show_preview(workspace: Workspace, paths: Sequence[Path], options: ImportOptions, *, as_json: bool) -> None:
    """Print what would be imported. Ends with exit code 1 when nothing could be used."""
    with bars(silent=as_json) as tell:
        found = preview(workspace, paths, options, tell)
    printing.data(plain(found)) if as_json else page(found)
    if not any(one.first for one in found):
        raise typer.Exit(FAILED)


def plain(found: Sequence[FilePreview]) -> Plain:
    """A preview as data."""
    totals = {count: sum(getattr(one.report, count) for one in found) for count in _COUNTS}
    return {"files": [_file_plain(one) for one in found], **totals}


def _file_plain(one: FilePreview) -> Plain:
    layouts = [
        asdict(layout) | {"columns": [{"column": column, "field": field} for column, field in layout.columns]}
        for layout in one.layouts
    ]
    return asdict(one.report) | {"layouts": layouts, "first": [_document_plain(document) for document in one.first]}


def _document_plain(document: Document) -> Plain:
    period = document.period
    date = period and {"label": label(period), "written": period.text, "edtf": period.edtf, "rule": period.rule}
    return {
        "id": document.id,
        "title": document.title,
        "sub_corpus": document.sub_corpus,
        "language": document.language or None,
        "date": date,
        "text": printing.excerpt(document.text),
        "details": dict(document.details),
    }


def page(found: Sequence[FilePreview]) -> None:
    """Print a preview, a paragraph a file."""
    shown = [one for one in found if one.first][:FILES]
    for one in found:
        if one in shown or not one.first:
            _file(one)
    if hidden := sum(bool(one.first) for one in found) - len(shown):
        printing.out.print(f"… and {hidden} more files that can be read (see --json)\n")
    totals = plain(found)
    refused = sum(bool(one.report.failure) for one in found), sum(len(one.report.refused) for one in found)
    printing.out.print(
        f"Nothing was imported. {totals['documents']} documents would go in ({totals['dated']} dated, "
        f"{totals['undated']} undated), {totals['unchanged']} are in already, {refused[0]} files and {refused[1]} "
        "records would be refused.",
        markup=False,
    )


def _file(one: FilePreview) -> None:
    report = one.report
    if report.failure or report.skipped:
        kind = "[red]refused[/red]" if report.failure else "[dim]skipped[/dim]"
        printing.out.print(
            f"{kind} {printing.clean(report.file)}: {printing.clean(report.failure or report.skipped)}\n"
        )
        return
    printing.out.print(f"[bold]{printing.clean(report.file)}[/bold]: {report.reader}, {_counted(report)}")
    for layout in one.layouts:
        _layout(layout)
    for document in one.first:
        _document(document)
    said(report)
    printing.out.print()


def _counted(report: FileReport) -> str:
    """What would become of the records of a file."""
    counts = {"in": report.documents, "already in": report.unchanged, "updated": report.updated, "twins": report.twins}
    told = ", ".join(f"{number} {kind}" for kind, number in counts.items() if number)
    return told or "no document"


def _layout(layout: Layout) -> None:
    form = [layout.part, layout.encoding, _DELIMITERS.get(layout.delimiter, layout.delimiter)]
    if any(form):
        printing.out.print(f"  {printing.clean(', '.join(part for part in form if part))}")
    if layout.columns:
        named = (f"{column} → {field}" for column, field in layout.columns)
        printing.out.print(f"  columns: {printing.clean(' · '.join(named))}")


def _document(document: Document) -> None:
    period = document.period
    date = "undated"
    if period is not None:
        date = label(period) if period.text in {"", label(period)} else f"{label(period)} (from {period.text!r})"
    about = (document.title, date, document.sub_corpus, document.language or "language not known")
    printing.out.print(f"  {printing.clean(document.id)}: {printing.clean(' · '.join(about))}")
    printing.out.print(f"    [dim]{printing.clean(printing.excerpt(document.text, 100))}[/dim]")
