"""Writing a list to a file, in the form that its name asks for or that is named."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from vestigia.app.citations import Style
from vestigia.app.exports import bibtex, csl, docx, jsonl, markdown, page, pdf, ris, tables, trec, workbook
from vestigia.app.references import Listing
from vestigia.domain.errors import UsageError


@dataclass(frozen=True, slots=True)
class Form:
    """A form of export: the endings of its files, what writes it, and whether it needs what was rejected, too."""

    endings: tuple[str, ...]
    render: Callable[[Listing, Style], bytes]
    everything: bool = False


def _plain(render: Callable[[Listing], bytes]) -> Callable[[Listing, Style], bytes]:
    """A form that cites in no style."""
    return lambda listing, _style: render(listing)


FORMS = {
    "csl-json": Form((".csl.json", ".json"), _plain(csl.render)),
    "ris": Form((".ris",), _plain(ris.render)),
    "bibtex": Form((".bib",), _plain(bibtex.render)),
    "csv": Form((".csv",), tables.render),
    "tropy": Form((".tropy.csv",), _plain(tables.tropy)),
    "xlsx": Form((".xlsx",), workbook.render),
    "markdown": Form((".md",), markdown.render),
    "html": Form((".html", ".htm"), page.render),
    "docx": Form((".docx",), docx.render),
    "pdf": Form((".pdf",), pdf.render),
    "jsonl": Form((".jsonl",), jsonl.render),
    "trec-run": Form((".run",), _plain(trec.ranking)),
    "trec-qrels": Form((".qrels",), _plain(trec.judgments), everything=True),
}


def form_of(path: Path, named: str = "") -> Form:
    """The form that is named, or that the file's ending asks for. Raises UsageError for none."""
    if named:
        if named not in FORMS:
            raise UsageError(f"there is no form {named!r}.", where="--format", remedy=f"There are: {', '.join(FORMS)}.")
        return FORMS[named]
    name = path.name.casefold()
    fitting = [(len(end), form) for form in FORMS.values() for end in form.endings if name.endswith(end)]
    if not fitting:
        endings = ", ".join(end for form in FORMS.values() for end in form.endings)
        raise UsageError(
            "its name ends as that of no form.", where=str(path), remedy=f"Name one (--format), or end it {endings}."
        )
    return max(fitting, key=lambda one: one[0])[1]


def write(path: Path, listing: Listing, form: Form, style: Style = Style.CHICAGO, *, replace: bool = False) -> None:
    """Write a list, wholly or not at all.

    Raises UsageError where there is no such folder, and where the file is there already, unless it may be replaced:
    people may have written in it.
    """
    if path.exists() and not replace:
        raise UsageError("there is a file of that name.", where=str(path), remedy="Choose another, or say --replace.")
    if not path.parent.is_dir():
        raise UsageError("there is no such folder.", where=str(path.parent), remedy="Make it, or name another place.")
    written = form.render(listing, style)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        unfinished.write_bytes(written)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
