"""Descriptions, deletions, duplicates and the report of an archive, on the page and as data."""

from collections.abc import Sequence
from dataclasses import asdict

from vestigia.app.care import Deleted, Duplicates
from vestigia.app.present import Plain
from vestigia.app.report import Coverage
from vestigia.cli import printing
from vestigia.corpus.importing import FileReport
from vestigia.corpus.rows import Description
from vestigia.domain.archive import DocumentCard
from vestigia.domain.periods import label

NAMED = 5
"""Documents named before they are deleted."""
LISTED = 40
"""Clusters and files shown on the page; `--json` has them all."""


def description_plain(name: str, said: Description) -> Plain:
    """A description as data; what was not said is None."""
    return {"sub_corpus": name, **{field: value or None for field, value in asdict(said).items()}}


def description_page(name: str, said: Description) -> None:
    """Print a description."""
    printing.out.print(f"[bold]{printing.clean(name)}[/bold]")
    for field, value in asdict(said).items():
        shown = ", ".join(value) if isinstance(value, tuple) else str(value)
        printing.out.print(f"  {field}: {printing.clean(shown) if shown else '[dim]not said[/dim]'}")


def to_delete(cards: Sequence[DocumentCard]) -> str:
    """Name what is about to be deleted, for a question to a person."""
    named = "; ".join(f"{card.title or card.id} [{card.id}]" for card in cards[:NAMED])
    more = f"; and {len(cards) - NAMED} more" if len(cards) > NAMED else ""
    return f"Delete {len(cards)} documents for good: {named}{more}?"


def deletion_page(deleted: Deleted) -> None:
    """Print what a deletion did and what it cannot reach."""
    printing.out.print(f"{deleted.documents} documents deleted; no file of catalogue or index has them.", markup=False)
    if deleted.runs:
        printing.out.print(
            "The records of these runs name them and keep titles and what was quoted. They cannot be "
            "altered; to be rid of them, delete their folders under runs/:",
            markup=False,
        )
        for run in deleted.runs:
            printing.out.print(f"  {run}", markup=False)


def duplicates_plain(found: Duplicates) -> Plain:
    """Clusters and twins as data."""
    return {
        "clusters": [
            {
                "kind": cluster.kind,
                "documents": [
                    {
                        "document": member.card.id,
                        "title": member.card.title,
                        "date": label(member.card.period) if member.card.period else None,
                        "sub_corpus": member.card.sub_corpus,
                        "similarity": round(member.similarity, 4),
                    }
                    for member in cluster.members
                ],
            }
            for cluster in found.clusters
        ],
        "twins": [asdict(twin) | {"similarity": round(twin.similarity, 4)} for twin in found.twins],
    }


def duplicates_page(found: Duplicates) -> None:
    """Print clusters and twins."""
    if not found.clusters and not found.twins:
        printing.out.print("No two documents say the same.")
    for cluster in duplicates_plain(found)["clusters"][:LISTED]:
        printing.out.print(f"\n[bold]{cluster['kind']}[/bold]")
        for one in cluster["documents"]:
            printing.out.print(
                f"  {printing.clean(one['date'] or 'undated')} · {printing.clean(one['title'] or one['document'])} · "
                f"{printing.clean(one['sub_corpus'])} [dim]{printing.clean(one['document'])}[/dim] "
                f"{one['similarity']:.0%} recurs"
            )
    if len(found.clusters) > LISTED:
        printing.out.print(f"\n… and {len(found.clusters) - LISTED} more clusters (see --json)")
    if found.twins:
        printing.out.print(f"\n[bold]Not taken in: {len(found.twins)} records whose document is in already[/bold]")
    for twin in found.twins[:LISTED]:
        place = f"{twin.file}:{twin.record}" if twin.record else twin.file
        printing.out.print(f"  {printing.clean(place)} = {printing.clean(twin.document)}, {twin.similarity:.0%}")
    if len(found.twins) > LISTED:
        printing.out.print(f"  … and {len(found.twins) - LISTED} more (see --json)")


def report_printed(found: Coverage) -> None:
    """Print the report."""
    counts = f"{found.documents} documents, {found.undated} undated"
    printing.out.print(f"[bold]{printing.clean(found.name)}[/bold]: {counts}\n[dim]{found.fingerprint}[/dim]")
    _by_window(found)
    columns = ("sub-corpus", "documents", "pages with text", "confidence", "may be used")
    printing.table(columns, (
        (part.described.name, part.described.documents, part.pages or "–",
         "–" if part.confidence is None else f"{part.confidence:.0%}",
         ", ".join(f"{kind}: {number}" for kind, number in part.access)) for part in found.parts))  # fmt: skip
    kinds = ", ".join(f"{number} {kind}" for kind, number in found.copies.clusters) or "none"
    printing.out.print(
        f"Pages without text: {found.silent_pages}. Clusters of duplicates: {kinds}; "
        f"records not taken in as twins: {found.copies.twins}.",
        markup=False,
    )
    end = ":" if found.refused else "."
    printing.out.print(f"{found.files} files, {len(found.refused)} refused in whole or in part{end}", markup=False)
    for account in found.refused[:LISTED]:
        _account(account)
    if len(found.refused) > LISTED:
        printing.out.print(f"  … and {len(found.refused) - LISTED} more (see --json or --html)")


def _by_window(found: Coverage) -> None:
    """Print documents by time and sub-corpus, the shorter list across."""
    across = ("time", *(part.described.name for part in found.parts))
    ends = {"wider": [part.wider for part in found.parts], "undated": [part.undated for part in found.parts]}
    counts = {window: [part.counts[place] for part in found.parts] for place, window in enumerate(found.windows)}
    rows = [(name, *(number or "·" for number in numbers)) for name, numbers in (counts | ends).items()]
    table = [across, *rows]
    if len(across) > len(table):
        table = list(zip(*table, strict=True))
    printing.table(map(str, table[0]), table[1:])


def _account(report: FileReport) -> None:
    reason = report.failure or f"{len(report.refused)} records, the first: {report.refused[0].reason}"
    printing.out.print(f"  {printing.clean(report.file)}: {printing.clean(reason)}")
