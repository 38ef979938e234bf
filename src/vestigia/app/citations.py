"""A citation as a line of text, in the styles historians are asked for.

Each follows the order and the punctuation of its manual for unpublished sources and newspapers, in plain text. Nothing
is filled in: what is not known of a source is left out, a name that the archive has as one piece is not inverted.
"""

import re
from collections.abc import Callable, Sequence
from enum import StrEnum

from vestigia.app.places import cited
from vestigia.app.references import Kind, Name, Reference

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_SHORT = ("Jan.", "Feb.", "Mar.", "Apr.", "May", "June", "July", "Aug.", "Sept.", "Oct.", "Nov.", "Dec.")
_MONATE = (
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
)
_ENDS = (".", "?", "!", "…")
_ET_AL = 3
"""Names that are told; of more, the first."""


class Style(StrEnum):
    """A style of citing."""

    CHICAGO = "chicago"
    """The Chicago Manual's notes."""
    AUTHOR_DATE = "author-date"
    """The Chicago Manual's other system."""
    MLA = "mla"
    APA = "apa"
    ARCHIVAL = "archival"
    """From the archive down to the piece."""
    GERMAN = "german"
    """A footnote as German historians write it."""


def citation(one: Reference, style: Style = Style.CHICAGO) -> str:
    """Cite a source in a style."""
    return _STYLES[style](one)


def _chicago(one: Reference) -> str:
    head, newspaper = _correspondents(one, "to"), one.kind is Kind.NEWSPAPER
    what = [head] if head else [_several([n.natural for n in one.authors], "and"), _quoted(one.title, ",")]
    date, rest = _date(one, _american, "n.d."), [cited(one.pages), one.mark]
    where = [one.container, date, *rest] if newspaper else [date, one.container, *rest]
    return _closed(_listed([*what, *where, one.archive, one.link]))


def _author_date(one: Reference) -> str:
    year, day = _year_and_day(one)
    who = _several([one.authors[0].inverted(), *(n.natural for n in one.authors[1:])], "and") if one.authors else ""
    what = _letter(one, "Letter to") or _quoted(one.title, ".")
    head = [who, year, what] if who else [what, year]
    return _sentences(
        [*head, _listed([one.container, day, cited(one.pages)]), _listed([one.mark, one.archive]), one.link]
    )


def _mla(one: Reference) -> str:
    who = ""
    if one.authors:
        others = [name.natural for name in one.authors[1:]]
        many = ", et al." if len(others) > 1 else ""
        who = f"{one.authors[0].inverted()}{many or ''.join(f', and {other}' for other in others)}"
    what = _letter(one, "Letter to") or _quoted(one.title, ".")
    date = _date(one, _day_month(_SHORT), "n.d.")
    return _sentences(
        [who, what, _listed([one.container, date, cited(one.pages)]), _listed([one.archive, one.mark]), one.link]
    )


def _apa(one: Reference) -> str:
    who = _several([name.inverted(_initials(name)) for name in one.authors], "&", comma=True, most=20)
    date = f"({_date(one, _year_first, 'n.d.')})"
    sort = _letter(one, "Letter to") or ("Letter" if one.kind is Kind.LETTER else "")
    what = " ".join(filter(None, ("" if _correspondents(one, "to") else one.title, f"[{sort}]" if sort else "")))
    mark = f"({one.mark})" if one.mark else ""
    container = _listed([" ".join(filter(None, (one.container, mark))), cited(one.pages)])
    head = [f"{who} {date}", what] if who else [what, date]
    return _sentences([*head, container, one.archive]) + (f" {one.link}" if one.link else "")


def _archival(one: Reference) -> str:
    what = _correspondents(one, "to") or _listed([_several([n.natural for n in one.authors], "and"), _bare(one.title)])
    place = _listed([one.archive, one.container, one.mark])
    told = _listed([what, _date(one, _day_month(_MONTHS), "undated"), cited(one.pages)])
    return _closed(": ".join(filter(None, (place, told))))


def _german(one: Reference) -> str:
    head = _correspondents(one, "an")
    who = _several([name.natural for name in one.authors], "und", others="u. a.")
    what = head or ": ".join(filter(None, (who, _bare(one.title))))
    date = _date(
        one, lambda p: _day_month(_MONATE)(p).replace(" ", ". ", 1) if len(p) == 3 else _day_month(_MONATE)(p), "o. D."
    )
    pages = re.sub(r"^pp?\.", "S.", cited(one.pages)).replace("pages", "Seiten").replace("page ", "Seite ")
    inside = f"in: {one.container}" if one.container else ""
    told = [what, date, inside, pages] if head else [what, inside, date, pages]
    return _closed(_listed([*told, one.mark, one.archive, one.link]))


_STYLES: dict[Style, Callable[[Reference], str]] = {
    Style.CHICAGO: _chicago,
    Style.AUTHOR_DATE: _author_date,
    Style.MLA: _mla,
    Style.APA: _apa,
    Style.ARCHIVAL: _archival,
    Style.GERMAN: _german,
}


def _correspondents(one: Reference, to: str) -> str:
    """Who wrote to whom, of a letter of which both are known: it is cited by them, not by a title."""
    if one.kind is not Kind.LETTER or not one.authors or not one.recipients:
        return ""
    conjunction = "und" if to == "an" else "and"
    others = "u. a." if to == "an" else "et al."
    sides = [
        _several([n.natural for n in names], conjunction, others=others) for names in (one.authors, one.recipients)
    ]
    return f" {to} ".join(sides)


def _letter(one: Reference, words: str) -> str:
    """`Letter to` its recipients, of a letter of which both sides are known."""
    if not _correspondents(one, "to"):
        return ""
    return f"{words} {_several([name.natural for name in one.recipients], 'and')}"


def _several(
    names: Sequence[str], last: str, *, comma: bool = False, most: int = _ET_AL, others: str = "et al."
) -> str:
    """Names in a row; of more than `most` the first."""
    if len(names) > most:
        return f"{names[0]} {others}"
    if len(names) < 2:
        return "".join(names)
    serial = "," if comma or (len(names) > 2 and last == "and") else ""
    return f"{', '.join(names[:-1])}{serial} {last} {names[-1]}"


def _initials(name: Name) -> str:
    """`Jean-Paul` as `J.-P.`."""
    parts = ["-".join(f"{part[0]}." for part in word.split("-") if part) for word in name.given.split()]
    return " ".join(parts)


def _quoted(title: str, mark: str) -> str:
    """A title in quotation marks, with the mark of the sentence inside them unless it ends in one."""
    told = _bare(title) if mark == "," else title
    return f"“{told}{'' if told.endswith(_ENDS) else mark}”"


def _bare(title: str) -> str:
    """A title without the full stop that a comma takes the place of."""
    return title.removesuffix(".") if not title.endswith("..") else title


def _date(one: Reference, write: Callable[[Sequence[int]], str], unknown: str) -> str:
    """A date by its parts, else as it was written."""
    if not one.date.is_known:
        return unknown
    return "–".join(dict.fromkeys(write(part) for part in one.date.parts)) or one.date.written


def _year_and_day(one: Reference) -> tuple[str, str]:
    """The year that stands behind the author, and what is known beyond it."""
    if len(one.date.parts) != 1:
        return _date(one, _american, "n.d."), ""
    year, *rest = one.date.parts[0]
    return str(year), " ".join([_MONTHS[rest[0] - 1], *map(str, rest[1:])]) if rest else ""


def _american(parts: Sequence[int]) -> str:
    year, *rest = parts
    if not rest:
        return str(year)
    month = _MONTHS[rest[0] - 1]
    return f"{month} {rest[1]}, {year}" if len(rest) > 1 else f"{month} {year}"


def _year_first(parts: Sequence[int]) -> str:
    year, *rest = parts
    return f"{year}, {' '.join([_MONTHS[rest[0] - 1], *map(str, rest[1:])])}" if rest else str(year)


def _day_month(names: Sequence[str]) -> Callable[[Sequence[int]], str]:
    def write(parts: Sequence[int]) -> str:
        year, *rest = parts
        return " ".join([*map(str, rest[1:]), *(names[month - 1] for month in rest[:1]), str(year)])

    return write


def _listed(parts: Sequence[str]) -> str:
    """Parts with commas between them, none after a title that closes with its own."""
    told = ""
    for part in filter(None, parts):
        told += part if not told else f" {part}" if told.endswith((",”", "?”", "!”", ".”", "…”")) else f", {part}"
    return told


def _sentences(parts: Sequence[str]) -> str:
    """Parts as sentences; a link has no full stop."""
    return " ".join(part if part.startswith("http") else _closed(part) for part in parts if part)


def _closed(text: str) -> str:
    """With a full stop at the end, unless it ends in a mark of its own or in a link."""
    ended = text.endswith((*_ENDS, *(f"{mark}”" for mark in _ENDS)))
    return text if not text or ended or re.search(r"https?://\S+$", text) else f"{text}."
