"""How a deposit is cited (`CITATION.cff`), and its sources in a form that reference managers read (CSL-JSON)."""

import json
import re
from dataclasses import replace

from vestigia.app.depositing.again import cards_of, listed
from vestigia.app.depositing.crate import kind_of, people_of, title_of
from vestigia.app.depositing.record import Record
from vestigia.app.describing import reference
from vestigia.app.exports.csl import render
from vestigia.app.references import Kind, Listing, Reference

NOBODY = "Nobody was named"
_SPDX = re.compile(r"[A-Za-z0-9.+-]+")
"""How a licence is named in SPDX; the format takes no other words."""


def citation_file(record: Record) -> bytes:
    """Return a citation file in the Citation File Format 1.2; its texts are written as JSON, which YAML takes."""
    statement, main = record.statement, record.main
    lines = [
        "cff-version: 1.2.0",
        f"message: {_text('To cite this deposit, use this; whoever deposits it puts in what is lacking.')}",
        "type: dataset",
        f"title: {_text(title_of(record))}",
        "authors:",
        *(f"  - name: {_text(name)}" for name in people_of(record) or (NOBODY,)),
        f"date-released: {main.entries[-1].time[:10]}",
        f"version: {_text(main.head)}",
    ]
    licence = statement["licence"]
    if "://" in licence:
        lines.append(f"license-url: {_text(licence)}")
    elif _SPDX.fullmatch(licence):
        lines.append(f"license: {licence}")
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass")


def sources_file(record: Record) -> bytes:
    """Return the sources that the deposited run came to as CSL-JSON, described by what the record has of them."""
    main, cards = record.main, cards_of(record.runs)
    parts = {one.name: one for run in record.runs for one in run.state.sub_corpora}
    kept_back = {one["document"]: one["why"] for one in record.statement["kept_back"]}
    sources = tuple(
        replace(
            reference(cards[name], parts) if name in cards else Reference(name, Kind.DOCUMENT, name),
            withheld=kept_back.get(name, ""),
        )
        for name in listed(main)
    )
    return render(Listing(kind_of(main), main.run, main.first.question.text, sources))


def _text(said: str) -> str:
    return json.dumps(" ".join(said.split()), ensure_ascii=False)
