"""Imports as typed, their reports and the archive's status on the page."""

from dataclasses import asdict

from vestigia.app.archive import Added, Status
from vestigia.app.present import Plain
from vestigia.cli import printing
from vestigia.corpus.importing import FileReport
from vestigia.domain.periods import label

LINES = 8
"""Warnings and refusals of one file shown on the page; `--json` has them all."""
FILES = 100
"""Files shown on the page of which nothing was refused; `--json` has them all."""


def plain(added: Added) -> Plain:
    """An import as data."""
    return {
        "files": [asdict(file) for report in added.reports for file in report.files],
        "documents": sum(report.total("documents") for report in added.reports),
        "passages": sum(report.total("passages") for report in added.reports),
        "unchanged": sum(report.total("unchanged") for report in added.reports),
        "updated": sum(report.total("updated") for report in added.reports),
        "twins": sum(report.total("twins") for report in added.reports),
        "joined": sum(report.total("joined") for report in added.reports),
        "indexed": added.indexed,
        "encoded": added.encoded,
        "unencoded": added.unencoded or None,
    }


def page(added: Added) -> None:
    """Print an import: a line a file that has something to say, then the sum."""
    files = [file for report in added.reports for file in report.files]
    _files(files)
    total = plain(added)
    dated = sum(report.total("dated") for report in added.reports)
    undated = sum(report.total("undated") for report in added.reports)
    refused = sum(bool(file.failure) for file in files), sum(len(file.refused) for file in files)
    printing.out.print(
        f"{total['documents']} documents in ({total['passages']} passages; {dated} dated, {undated} undated), "
        f"{total['unchanged']} unchanged, {refused[0]} files and {refused[1]} records refused.",
        markup=False,
    )
    if total["joined"]:
        printing.out.print(
            f"{total['joined']} words broken at the ends of lines are whole in the texts; the lines are kept as well.",
            markup=False,
        )
    if total["updated"]:
        printing.out.print(f"{total['updated']} documents replaced by a new version.", markup=False)
    if total["twins"]:
        printing.out.print(
            f"{total['twins']} records not taken in: a document of their id, from another file, says the same "
            "(vestigia duplicates).",
            markup=False,
        )
    if guessed := sum(report.total("guessed") for report in added.reports):
        printing.out.print(
            f"The language of {guessed} documents was not stated and is guessed from their words; --language says it.",
            markup=False,
        )
    if added.unencoded:
        printing.out.print(f"Not encoded for meaning: {added.unencoded}", markup=False)


def _files(files: list[FileReport]) -> None:
    """Print a line for each file of which something was refused, and for the first of those with notes."""
    harmless = 0
    for file in files:
        if not _speaks(file) and len(files) > 1:
            continue
        harmless += not file.refused and not file.failure
        if harmless <= FILES or file.refused or file.failure:
            _file(file)
    if harmless > FILES:
        printing.out.print(f"… and {harmless - FILES} more files with notes or passed over (see --json)", markup=False)


def _speaks(file: FileReport) -> bool:
    return bool(file.failure or file.skipped or file.refused or file.warnings or file.joined)


def _file(file: FileReport) -> None:
    if file.failure:
        printing.out.print(f"[red]refused[/red] {printing.clean(file.file)}: {printing.clean(file.failure)}")
    elif file.skipped:
        printing.out.print(f"[dim]skipped {printing.clean(file.file)}: {printing.clean(file.skipped)}[/dim]")
    else:
        joined = f"; {file.joined} broken words joined" if file.joined else ""
        printing.out.print(
            f"{printing.clean(file.file)}: {file.documents} in, {file.unchanged} unchanged ({file.reader}){joined}"
        )
    said(file)


def said(file: FileReport) -> None:
    """Print what is to be said of a file's records, refusals first."""
    everything = [*file.refused, *file.warnings]
    for one in everything[:LINES]:
        kind = "note" if one.kept else "refused"
        place = f"{printing.clean(one.place)}: " if one.place else ""
        printing.out.print(f"  [yellow]{kind}[/yellow] {place}{printing.clean(one.reason)}")
    if len(everything) > LINES:
        printing.out.print(f"  … and {len(everything) - LINES} more (see --json)")


def status_plain(status: Status) -> Plain:
    """A status as data."""
    return {
        "name": status.name,
        "documents": status.documents,
        "passages": status.passages,
        "dated": status.dated,
        "sub_corpora": [
            {
                "name": s.name,
                "documents": s.documents,
                "passages": s.passages,
                "dated": s.dated,
                "languages": list(s.languages),
                "period": label(s.period) if s.period else None,
                "genre": s.genre or None,
                "description": s.description or None,
                "source": s.source or None,
                "rights": s.rights or None,
                "access": s.access or None,
            }
            for s in status.sub_corpora
        ],
        "encoders": {name: _encoder(status, name) for name in (*status.encoders, *status.unusable)},
        "channels": list(status.channels),
        "stale": status.stale,
        "model": status.model,
    }


def _encoder(status: Status, name: str) -> dict[str, object]:
    return {
        "encoded": status.encoders.get(name),
        "passages": status.passages,
        "withheld": status.withheld.get(name, 0),
        "unusable": status.unusable.get(name),
    }


def status_page(status: Status) -> None:
    """Print a status."""
    printing.out.print(
        f"[bold]{printing.clean(status.name)}[/bold]: {status.documents} documents, {status.passages} "
        f"passages, {status.dated} dated; model: {printing.clean(status.model)}"
    )
    printing.table(
        ("sub-corpus", "documents", "passages", "dated", "languages", "period"),
        (
            (s.name, s.documents, s.passages, s.dated, ", ".join(s.languages), label(s.period) if s.period else "")
            for s in status.sub_corpora
        ),
    )
    for s in status.sub_corpora:
        said = (s.genre, s.description, s.source, s.rights, f"may be used: {s.access}" if s.access else "")
        if any(said):
            printing.out.print(f"{printing.clean(s.name)}: {printing.clean('; '.join(one for one in said if one))}")
    for name, encoded in status.encoders.items():
        withheld = status.withheld.get(name, 0)
        todo = "" if encoded + withheld == status.passages else f" (vestigia encode ARCHIVE --encoder {name})"
        kept = f"; {withheld} may not be sent there" if withheld else ""
        printing.out.print(f"meaning by {name}: {encoded} of {status.passages} passages{kept}{todo}", markup=False)
    for name, problem in status.unusable.items():
        printing.out.print(f"meaning by {name}: cannot be used. {problem}", markup=False)
    if status.stale:
        printing.out.print("[yellow]The index is older than the catalogue: run `vestigia add` once more.[/yellow]")
