"""Markdown: a numbered list of citations with what was decided, and the words. No text is taken for mark-up."""

from vestigia.app.citations import Style
from vestigia.app.exports.entries import TITLE, Entry, entries
from vestigia.app.references import Listing

_SIGNS = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>#|~$&{}!"})


def render(listing: Listing, style: Style) -> bytes:
    """Return the list as Markdown."""
    head = [f"# {plain(listing.question) or TITLE}", "", plain(listing.account), ""]
    head += [line for note in listing.notes for line in (plain(note), "")]
    body = [line for one in entries(listing, style) for line in _entry(one)]
    return ("\n".join([*head, *body]).rstrip("\n") + "\n").encode()


def _entry(one: Entry) -> list[str]:
    written = [f"## {one.number}", "", plain(one.citation), ""]
    written += [f"- {name}: {plain(value)}" for name, value in one.facts]
    written.append("")
    for where, text in one.texts:
        written += [f"{plain(where)}:", "", *(f"> {plain(part)}" for part in text.split("\n") if part.strip()), ""]
    return written


def plain(text: str) -> str:
    """Text on one line, none of its signs taken for Markdown."""
    flat = " ".join(text.split()).translate(_SIGNS)
    return f"\\{flat}" if flat[:1] in {"-", "+", "="} else flat
