"""RIS, which Zotero, EndNote, Citavi and Mendeley read.

Types and tags follow Zotero's RIS translator: AN is the place in the archive, DB the archive, CN the call number, A2
the recipient of a letter. CN and the note carry the document's identifier, by which a list that comes back is known.
"""

from collections.abc import Iterator

from vestigia.app.references import UNDATED, Kind, Listing, Reference, When, line, note_lines

TYPES = {
    Kind.LETTER: "PCOMM",
    Kind.NEWSPAPER: "NEWS",
    Kind.DEBATE: "HEAR",
    Kind.MANUSCRIPT: "MANSCPT",
    Kind.BOOK: "BOOK",
    Kind.DOCUMENT: "GEN",
}


def render(listing: Listing) -> bytes:
    """Return the list as RIS: UTF-8, lines that end as the format says they do."""
    found = [one for place, source in enumerate(listing.sources, 1) for one in _record(source, listing, place)]
    return "".join(f"{tag}  - {line(value)}\r\n" if tag else "\r\n" for tag, value in found).encode()


def _record(one: Reference, listing: Listing, place: int) -> Iterator[tuple[str, str]]:
    yield "TY", TYPES[one.kind]
    fields = [
        ("TI", one.title),
        *(("AU", name.inverted()) for name in one.authors),
        ("T2", one.container),
        *(("A2", name.inverted()) for name in one.recipients),
        ("CN", one.document),
        ("CY", one.place),
        ("DA", _date(one.date)),
        ("PY", _year(one.date)),
        ("IS", one.issue),
        ("SP", ", ".join(one.pages)),
        ("LA", one.language),
        ("PB", one.publisher),
        ("UR", one.link),
        ("AN", one.shelfmark),
        ("DB", one.archive),
        ("N1", "; ".join(note_lines(one, listing, place))),
        *(("KW", tag) for tag in one.keywords),
    ]
    yield from ((tag, value) for tag, value in fields if value)
    yield "ER", ""
    yield "", ""


def _date(date: When) -> str:
    """`1887/03/14/` for what is known for sure; else as written, without the slash that RIS parts dates by."""
    if len(date.parts) == 1:
        year, *rest = date.parts[0]
        return "/".join([f"{year:04d}", *(f"{part:02d}" for part in rest), *([""] * (3 - len(rest)))])
    return date.written if "/" not in date.written else (date.edtf or UNDATED).replace("/", "–")


def _year(date: When) -> str:
    return f"{date.parts[0][0]:04d}" if len(date.parts) == 1 else _date(date)
