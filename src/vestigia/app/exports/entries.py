"""A list as people read it, before it is set as a page: the citation of each source and what is told under it."""

from dataclasses import dataclass

from vestigia.app.citations import Style, citation
from vestigia.app.references import Extract, Listing, Reference

TITLE = "Sources"


@dataclass(frozen=True, slots=True)
class Entry:
    """A source on the page: its citation, what is told of it (name, words), its quotations and passages in words."""

    number: int
    citation: str
    link: str
    facts: tuple[tuple[str, str], ...]
    texts: tuple[tuple[str, str], ...]


def entries(listing: Listing, style: Style) -> list[Entry]:
    """The sources of a list, numbered."""
    return [
        Entry(number, cited, one.link, tuple(_facts(one, cited)), tuple(map(_text, _shown(one))))
        for number, one in enumerate(listing.sources, 1)
        for cited in [citation(one, style)]
    ]


def _facts(one: Reference, cited: str) -> list[tuple[str, str]]:
    edtf = f" (EDTF {one.date.edtf})" if one.date.edtf and not one.date.parts else ""
    told = [
        ("Document", one.document),
        ("Title", "" if one.title in cited else one.title),
        ("Date", f"{one.date.written}{edtf}"),
        ("Standing", one.standing),
        *(("Decision" if one.standing else "Said", said.line) for said in one.said),
        ("Tags", "; ".join(one.tags)),
        ("Rights", "; ".join(part for part in (one.rights, one.access) if part)),
        ("Text withheld", one.withheld),
    ]
    return [(name, value) for name, value in told if value]


def _shown(one: Reference) -> list[Extract]:
    return [extract for extract in one.extracts if extract.quote or extract.text]


def _text(extract: Extract) -> tuple[str, str]:
    """Where the words stand, and the words: the quotation where there is one, else the passage."""
    kind = "Quotation" if extract.quote else "Passage"
    pages = f", {'pages' if len(extract.pages) > 1 else 'page'} {', '.join(extract.pages)}" if extract.pages else ""
    return f"{kind} {extract.passage}{pages}", extract.quote or extract.text or ""
