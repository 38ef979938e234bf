"""Tables: a source a row, for spreadsheets and for Tropy. Nothing in a cell is taken for a formula (rule 9).

The last four columns are empty: what a person writes there comes back by `vestigia reimport`.
"""

import csv
import io
from collections.abc import Iterable, Sequence

from vestigia.app.cells import guarded
from vestigia.app.citations import Style, citation
from vestigia.app.references import Listing, Reference

TO_FILL_IN = ("decision", "reason", "note", "tag")
COLUMNS = (
    "document", "kind", "title", "date", "edtf", "authors", "recipients", "container", "archive", "shelfmark", "pages",
    "issue", "place", "publisher", "language", "link", "rights", "access", "standing", "why", "quotation", "passages",
    "text", "withheld", "tags", "citation", "list", *TO_FILL_IN,
)  # fmt: skip
_DC, _TROPY = "http://purl.org/dc/elements/1.1/", "https://tropy.org/v1/tropy#"
TROPY = (
    *(f"{_DC}{name}" for name in ("type", "title", "creator", "date", "source")),
    f"{_TROPY}collection",
    f"{_TROPY}folder",
    *(f"{_DC}{name}" for name in ("identifier", "rights", "description")),
    f"{_TROPY}tag",
)
"""The fields of Tropy's generic template, named as its CSV plug-in wants them, and a description.

The type stands first: Tropy passes over rows that begin with #.
"""


def render(listing: Listing, style: Style) -> bytes:
    """Return the list as CSV with a byte order mark, by which Excel knows UTF-8."""
    return _csv(COLUMNS, rows(listing, style)).encode("utf-8-sig")


def tropy(listing: Listing) -> bytes:
    """Return the list as CSV for Tropy's plug-in. It carries no formula out, so cells stay as they are."""
    return _csv(TROPY, map(_item, listing.sources), guard=False).encode()


def rows(listing: Listing, style: Style) -> list[tuple[str, ...]]:
    """The cells of every source, in the order of `COLUMNS`."""
    return [
        (
            one.document,
            one.kind,
            one.title,
            one.date.written,
            one.date.edtf,
            "; ".join(name.written for name in one.authors),
            "; ".join(name.written for name in one.recipients),
            one.container,
            one.archive,
            one.shelfmark,
            ", ".join(one.pages),
            one.issue,
            one.place,
            one.publisher,
            one.language,
            one.link,
            one.rights,
            one.access,
            one.standing,
            "\n".join(said.line for said in one.said),
            "\n".join(extract.quote for extract in one.extracts if extract.quote),
            "\n".join(extract.passage for extract in one.extracts),
            "\n\n".join(extract.text for extract in one.extracts if extract.text),
            one.withheld,
            "\n".join(one.tags),
            citation(one, style),
            f"place {place} in {listing.account}",
            *("" for _ in TO_FILL_IN),
        )
        for place, one in enumerate(listing.sources, 1)
    ]


def _item(one: Reference) -> tuple[str, ...]:
    told = [*(said.line for said in one.said), *(f"“{e.quote}”" for e in one.extracts if e.quote)]
    told += [f"Text withheld: {one.withheld}"] if one.withheld else []
    return (
        one.kind,
        one.title,
        "; ".join(name.written for name in one.authors),
        one.date.edtf if one.date.parts else one.date.written,
        one.archive,
        one.container,
        one.shelfmark,
        one.document,
        one.rights,
        "\n".join(told),
        ", ".join(one.keywords),
    )


def _csv(columns: Sequence[str], table: Iterable[Sequence[str]], *, guard: bool = True) -> str:
    written = io.StringIO(newline="")
    writer = csv.writer(written, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([guarded(cell) if guard else cell for cell in row] for row in table)
    return written.getvalue()
