"""A document for a word processor: a numbered list of citations with what was decided, and the words."""

import io

from vestigia.app.citations import Style
from vestigia.app.exports.entries import TITLE, entries
from vestigia.app.exports.extras import library
from vestigia.app.references import Listing

_HEAD, _BODY, _CITED, _FACT, _WHERE, _WORDS = "Title", "Normal", "Heading 3", "List Bullet", "Caption", "Quote"


def render(listing: Listing, style: Style) -> bytes:
    """Return the list as DOCX. Raises UsageError where the extra `office` is not installed."""
    what = "A document for a word processor"
    document = library("docx", "office", what).Document()
    element = library("docx.oxml", "office", what).OxmlElement
    styles = {one.name: one.style_id for one in document.styles}
    end = document.element.body.sectPr

    def paragraph(text: str, name: str) -> None:
        # The library's own way looks at all paragraphs for each that is added: minutes for a long list.
        made = element("w:p")
        made.style = styles[name]
        made.add_r().text = text
        end.addprevious(made)

    properties = document.core_properties
    properties.title, properties.author = (listing.question or TITLE)[:255], "Vestigia"
    paragraph(listing.question or TITLE, _HEAD)
    for note in (listing.account, *listing.notes):
        paragraph(note, _BODY)
    for one in entries(listing, style):
        paragraph(f"{one.number}. {one.citation}", _CITED)
        for name, value in one.facts:
            paragraph(f"{name}: {value}", _FACT)
        for where, text in one.texts:
            paragraph(where, _WHERE)
            paragraph(text, _WORDS)
    written = io.BytesIO()
    document.save(written)
    return written.getvalue()
