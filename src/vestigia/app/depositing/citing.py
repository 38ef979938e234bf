"""How a deposit is cited (`CITATION.cff`), and its sources in a form that reference managers read (CSL-JSON)."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from vestigia.app.depositing.crate import people_of, title_of
from vestigia.app.depositing.record import Record, as_json

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
    """Return the listed sources as CSL-JSON."""
    return as_json([_item(number, one) for number, one in enumerate(_listed(record), 1)])


def _listed(record: Record) -> Iterator[Mapping[str, Any]]:
    return (one for one in record.sources if one["listed"])


def _item(number: int, source: Mapping[str, Any]) -> dict[str, str | dict[str, str]]:
    place = ":".join(part for part in (source["file"], source["record"]) if part)
    said: dict[str, str | dict[str, str]] = {
        "id": f"source-{number}",
        "type": "document",
        "title": source["title"] or source["document"],
        "archive": source["sub_corpus"],
        "archive_location": place,
        "call-number": source["document"],
    }
    if source["date"]:
        said["issued"] = {"literal": source["date"]}
    for name, field in (("language", "language"), ("URL", "link")):
        if source[field]:
            said[name] = source[field]
    return said


def _text(said: str) -> str:
    return json.dumps(" ".join(said.split()), ensure_ascii=False)
