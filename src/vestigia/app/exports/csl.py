"""CSL-JSON, which Zotero, JabRef, Pandoc and every CSL processor read.

Types and fields are those of CSL 1.0.2 and of Zotero's mapping: the archive, where in it (`archive_location`), the
document's identifier as call number. A date that is not sure is `literal`, never parts.
"""

import json
from collections.abc import Sequence
from typing import Any

from vestigia.app.references import Kind, Listing, Name, Reference, When, note_lines

TYPES = {
    Kind.LETTER: "personal_communication",
    Kind.NEWSPAPER: "article-newspaper",
    Kind.DEBATE: "hearing",
    Kind.MANUSCRIPT: "manuscript",
    Kind.BOOK: "book",
    Kind.DOCUMENT: "document",
}
PUBLISHED = {Kind.NEWSPAPER, Kind.DEBATE, Kind.BOOK}
"""What is part of something published; of all else the container is a collection of papers."""


def render(listing: Listing) -> bytes:
    """Return the list as CSL-JSON."""
    items = [item(one, listing, place) for place, one in enumerate(listing.sources, 1)]
    return (json.dumps(items, ensure_ascii=False, indent=2) + "\n").encode()


def item(one: Reference, listing: Listing, place: int) -> dict[str, Any]:
    """A source as a CSL item."""
    container = "container-title" if one.kind in PUBLISHED else "archive_collection"
    fields = {
        "id": one.document,
        "type": TYPES[one.kind],
        "title": one.title,
        "author": _names(one.authors),
        "recipient": _names(one.recipients),
        "issued": _date(one.date),
        container: one.container,
        "issue": one.issue,
        "page": ", ".join(one.pages),
        "publisher": one.publisher,
        "publisher-place": one.place,
        "archive": one.archive,
        "archive_location": one.shelfmark,
        "call-number": one.document,
        "URL": one.link,
        "language": one.language,
        "keyword": ", ".join(one.keywords),
        "note": "\n".join(note_lines(one, listing, place)),
    }
    return {name: value for name, value in fields.items() if value}


def _names(names: Sequence[Name]) -> list[dict[str, str]]:
    return [_name(one) for one in names]


def _name(name: Name) -> dict[str, str]:
    if not name.family:
        return {"literal": name.written}
    particle = "dropping-particle" if name.follows else "non-dropping-particle"
    parts = {"family": name.family, "given": name.given, particle: name.particle}
    return {part: value for part, value in parts.items() if value}


def _date(date: When) -> dict[str, Any]:
    return {"date-parts": [list(part) for part in date.parts]} if date.parts else {"literal": date.written}
