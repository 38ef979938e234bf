"""A document for a word processor: a numbered list of citations with what was decided, and the words."""

import io

from vestigia.app.citations import Style
from vestigia.app.exports.entries import TITLE, entries
from vestigia.app.exports.extras import library
from vestigia.app.references import Listing


def render(listing: Listing, style: Style) -> bytes:
    """Return the list as DOCX. Raises UsageError where the extra `office` is not installed."""
    document = library("docx", "office", "A document for a word processor").Document()
    properties = document.core_properties
    properties.title, properties.author = (listing.question or TITLE)[:255], "Vestigia"
    document.add_heading(listing.question or TITLE, 0)
    for note in (listing.account, *listing.notes):
        document.add_paragraph(note)
    for one in entries(listing, style):
        document.add_paragraph(f"{one.number}. {one.citation}", "Heading 3")
        for name, value in one.facts:
            document.add_paragraph(f"{name}: {value}", "List Bullet")
        for where, text in one.texts:
            document.add_paragraph(where, "Caption")
            document.add_paragraph(text, "Quote")
    written = io.BytesIO()
    document.save(written)
    return written.getvalue()
