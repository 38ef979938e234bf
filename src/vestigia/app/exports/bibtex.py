"""BibTeX, which JabRef, LaTeX and Zotero read.

Entry types and fields are those of Zotero's BibTeX translator and of biblatex: `location` is the place in the archive,
`lccn` the document's identifier, `copyright` the rights, `annote` the note. Everything with a meaning in TeX is
escaped; braces that do not match by name, as BibTeX counts them even behind a backslash.
"""

import re
from collections.abc import Iterator

from vestigia.app.exports.csl import PUBLISHED
from vestigia.app.references import Kind, Listing, Name, Reference, note_lines

TYPES = {Kind.NEWSPAPER: "article", Kind.BOOK: "book", Kind.MANUSCRIPT: "unpublished"}
_SIGNS = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
)
_BY_NAME = str.maketrans(
    {**{chr(sign): value for sign, value in _SIGNS.items()}, "{": r"\textbraceleft{}", "}": r"\textbraceright{}"}
)


def render(listing: Listing) -> bytes:
    """Return the list as BibTeX in UTF-8, each entry under a key of its own."""
    keys: dict[str, None] = {}
    written = []
    for place, one in enumerate(listing.sources, 1):
        key = _key(one, keys)
        keys[key.casefold()] = None
        fields = "".join(f"  {name} = {{{value}}},\n" for name, value in _fields(one, listing, place) if value)
        written.append(f"@{TYPES.get(one.kind, 'misc')}{{{key},\n{fields}}}\n")
    return "\n".join(written).encode()


def _key(one: Reference, taken: dict[str, None]) -> str:
    """The identifier in signs that every program takes in a key; a number more where two would have the same."""
    plain = re.sub(r"[^A-Za-z0-9.:/-]+", "_", one.document).strip("_") or "source"
    number, key = 1, plain
    while key.casefold() in taken:
        number += 1
        key = f"{plain}-{number}"
    return key


def _fields(one: Reference, listing: Listing, place: int) -> Iterator[tuple[str, str]]:
    container = "journal" if one.kind is Kind.NEWSPAPER else "booktitle" if one.kind in PUBLISHED else "series"
    yield "title", escaped(one.title)
    yield "author", " and ".join(map(_name, one.authors))
    yield "howpublished", escaped(_to(one))
    yield container, escaped(one.container)
    yield from _date(one)
    yield "number", escaped(one.issue)
    yield "pages", escaped(", ".join(one.pages))
    yield "publisher", escaped(one.publisher)
    yield "address", escaped(one.place)
    yield "library", escaped(one.archive)
    yield "location", escaped(one.shelfmark)
    yield "lccn", escaped(one.document)
    yield "url", one.link.replace("{", "%7B").replace("}", "%7D").replace("\\", "%5C")
    yield "language", escaped(one.language)
    yield "copyright", escaped(one.rights)
    yield "keywords", escaped(", ".join(one.keywords))
    yield "annote", escaped("; ".join(note_lines(one, listing, place)))


def escaped(text: str) -> str:
    """Text of which nothing is taken for a command."""
    return text.translate(_SIGNS if _is_even(text) else _BY_NAME)


def _is_even(text: str) -> bool:
    """Whether every brace that is opened is closed."""
    depth = 0
    for sign in text:
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            return False
    return not depth


def _to(one: Reference) -> str:
    return f"Letter to {'; '.join(name.natural for name in one.recipients)}" if one.recipients else ""


def _date(one: Reference) -> Iterator[tuple[str, str]]:
    """The year, and the date in full where it is sure; else the date as it was written, in the place of the year."""
    if len(one.date.parts) == 1:
        yield "year", f"{one.date.parts[0][0]:04d}"
        yield "date", "-".join(f"{part:0{4 if place == 0 else 2}d}" for place, part in enumerate(one.date.parts[0]))
    else:
        yield "year", escaped(one.date.written)


def _name(name: Name) -> str:
    """A name that is in one piece, or that holds an `and`, in braces: so BibTeX leaves it alone."""
    if not name.family:
        return f"{{{escaped(name.written)}}}"
    first = f"{name.particle} {name.family}".strip()
    return ", ".join(
        f"{{{escaped(part)}}}" if " and " in part else escaped(part) for part in (first, name.given) if part
    )
