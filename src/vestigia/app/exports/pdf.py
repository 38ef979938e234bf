"""A report as PDF, set by typst. What is set is handed over as data: no word of a source is ever read as mark-up."""

import json
from dataclasses import asdict

from vestigia.app.citations import Style
from vestigia.app.exports.entries import TITLE, entries
from vestigia.app.exports.extras import library
from vestigia.app.references import Listing

_PAGE = b"""
#let told = json(bytes(sys.inputs.told))
#set document(title: told.title, author: "Vestigia")
#set page(paper: "a4", margin: (x: 2.5cm, y: 2.5cm), numbering: "1 / 1")
#set text(font: ("Libertinus Serif", "DejaVu Sans Mono"), size: 10.5pt)
#set par(justify: false, spacing: 0.6em)
#text(size: 16pt, weight: "bold", told.title)
#for note in told.notes { par(text(size: 9pt, note)) }
#for one in told.entries {
  v(0.8em)
  par(text(weight: "bold", str(one.number) + ". ") + text(one.citation))
  for fact in one.facts { par(text(size: 9pt, fact.at(0) + ": " + fact.at(1))) }
  for words in one.texts {
    par(text(size: 8pt, words.at(0)))
    block(inset: (left: 1em), stroke: (left: 1pt + gray), text(words.at(1)))
  }
}
"""


def render(listing: Listing, style: Style) -> bytes:
    """Return the list as PDF. Raises UsageError where the extra `report` is not installed."""
    typst = library("typst", "report", "A report as PDF")
    told = {
        "title": listing.question or TITLE,
        "notes": [listing.account, *listing.notes],
        "entries": [asdict(one) for one in entries(listing, style)],
    }
    written: bytes = typst.compile(_PAGE, sys_inputs={"told": json.dumps(told, ensure_ascii=False)})
    return written
