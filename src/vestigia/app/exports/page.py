"""One page for a browser or a printer: nothing in it is fetched or carried out, everything is escaped."""

from html import escape

from vestigia.app.citations import Style
from vestigia.app.exports.entries import TITLE, Entry, entries
from vestigia.app.references import Listing

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 Georgia, "Times New Roman", serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } ol { padding-left: 2.2rem; } li { margin-bottom: 1.6rem; overflow-wrap: anywhere; }
p.account, dl, figcaption { color: light-dark(#5c564c, #a9a296); font-size: .9rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .8rem; margin: .4rem 0; }
dt::after { content: ":"; } dd { margin: 0; } figure { margin: .5rem 0; }
blockquote { margin: 0; padding-left: .8rem; border-left: 3px solid light-dark(#c9bfae, #5b554b);
  white-space: pre-wrap; }
@media print { body { margin: 0; max-width: none; font-size: 10pt; } li { break-inside: avoid; } }
"""


def render(listing: Listing, style: Style) -> bytes:
    """Return the list as an HTML document in one file."""
    title = escape(listing.question) or TITLE
    notes = [f'<p class="account" dir="auto">{escape(note)}</p>' for note in (listing.account, *listing.notes)]
    return "\n".join((
        "<!doctype html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>", f"<style>{_STYLE}</style>", "</head>", "<body>",
        f'<h1 dir="auto">{title}</h1>', *notes, "<ol>", *(_entry(one) for one in entries(listing, style)), "</ol>",
        "</body>", "</html>", "")).encode()  # fmt: skip


def _entry(one: Entry) -> str:
    facts = "".join(f'<dt>{escape(name)}</dt><dd dir="auto">{escape(value)}</dd>' for name, value in one.facts)
    texts = "".join(
        f'<figure><figcaption>{escape(where)}</figcaption><blockquote dir="auto">{escape(text)}</blockquote></figure>'
        for where, text in one.texts
    )
    return f'<li><p dir="auto">{_linked(one)}</p><dl>{facts}</dl>{texts}</li>'


def _linked(one: Entry) -> str:
    """The citation; its link can be followed where it is an address of the web."""
    written, address = escape(one.citation), escape(one.link)
    if not one.link.startswith(("http://", "https://")) or address not in written:
        return written
    return written.replace(address, f'<a href="{address}" rel="noreferrer">{address}</a>', 1)
