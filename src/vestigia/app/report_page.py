"""The report of an archive as one page for a browser or a printer: nothing in it is fetched, everything is escaped."""

from collections.abc import Iterable
from html import escape

from vestigia.app.report import Coverage, Part
from vestigia.corpus.importing import FileReport
from vestigia.domain.periods import label

_STYLE = """
:root { color-scheme: light dark; --ink: light-dark(#1c1b19, #e9e6df); --paper: light-dark(#fdfcf9, #191817);
  --line: light-dark(#d8d3c8, #45413a); --soft: light-dark(#6a6459, #a49d90); --mark: light-dark(#8a4b1f, #e0a06f); }
body { font: 16px/1.5 Georgia, "Times New Roman", serif; color: var(--ink); background: var(--paper);
  max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.8rem; margin-bottom: 0; } h2 { font-size: 1.25rem; margin-top: 2.2rem; }
p.lead { color: var(--soft); margin-top: .2rem; } code { font-size: .82em; overflow-wrap: anywhere; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .9rem; }
caption { text-align: left; color: var(--soft); padding-bottom: .4rem; }
th, td { padding: .25rem .55rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.n[style] { background: color-mix(in srgb, var(--mark) calc(var(--share) * 60%), transparent); }
td.zero { color: var(--soft); } thead th { border-bottom: 2px solid var(--line); }
tfoot td, tfoot th { font-weight: bold; border-top: 2px solid var(--line); border-bottom: 0; }
.refused { color: var(--mark); font-weight: bold; } li { margin-bottom: .2rem; }
@media print { :root { color-scheme: light; } body { margin: 0; max-width: none; font-size: 10pt; }
  .wide { overflow: visible; } table { font-size: 8pt; } tr, li { break-inside: avoid; } }
"""
_SHOWN = 50
"""Records told of one file; `--json` has them all."""


def page(found: Coverage) -> str:
    """Return the report as an HTML document."""
    name = escape(found.name)
    digest = escape(found.fingerprint)
    lead = (
        f"{found.documents} documents in {len(found.parts)} sub-corpora, {found.undated} undated; "
        f"{found.files} files looked at."
    )
    return "\n".join((
        "<!doctype html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{name}: coverage</title>", f"<style>{_STYLE}</style>", "</head>", "<body>",
        f"<h1>{name}</h1>", f'<p class="lead">{lead}</p>', f"<p>Fingerprint <code>{digest}</code></p>",
        *_by_window(found), *_parts(found), *_copies(found), *_accounts(found), "</body>", "</html>", ""))  # fmt: skip


def _by_window(found: Coverage) -> Iterable[str]:
    most = max((count for part in found.parts for count in part.counts), default=0)
    yield "<h2>Documents by time</h2>"
    yield '<div class="wide"><table>'
    yield "<caption>A document counts in a window when its whole date lies in it; a date no finer stands under “wider”."
    yield "</caption>"
    yield _row("th", ["sub-corpus", *found.windows, "wider", "undated", "all"], "thead")
    yield "<tbody>"
    for part in found.parts:
        cells = "".join(_count(count, most) for count in (*part.counts,))
        others = "".join(_count(count, 0) for count in (part.wider, part.undated, part.described.documents))
        yield f'<tr><th scope="row">{escape(part.described.name)}</th>{cells}{others}</tr>'
    yield "</tbody>"
    sums = [sum(part.counts[place] for part in found.parts) for place in range(len(found.windows))]
    ends = [sum(part.wider for part in found.parts), found.undated, found.documents]
    yield _row("td", ["all", *map(str, [*sums, *ends])], "tfoot")
    yield "</table></div>"


def _parts(found: Coverage) -> Iterable[str]:
    yield "<h2>Sub-corpora</h2>"
    yield '<div class="wide"><table>'
    heads = (
        "name",
        "genre",
        "languages",
        "period",
        "source and rights",
        "may be used",
        "pages with text",
        "confidence",
    )
    yield "<thead><tr>" + "".join(f'<th scope="col">{head}</th>' for head in heads) + "</tr></thead><tbody>"
    for part in found.parts:
        one = part.described
        may = ", ".join(f"{kind}: {number}" for kind, number in part.access)
        cells = [one.name, one.genre or "–", ", ".join(one.languages) or "–", label(one.period) if one.period else "–",
                 "; ".join(said for said in (one.source, one.rights) if said) or "–", may, str(part.pages or "–"),
                 _confidence(part)]  # fmt: skip
        yield "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
    yield "</tbody></table></div>"
    yield (
        f"<p>Pages without text: {found.silent_pages}. Confidence is that of the text "
        "recognition, where the files state it.</p>"
    )


def _copies(found: Coverage) -> Iterable[str]:
    copies = found.copies
    yield "<h2>Held twice</h2>"
    kinds = ", ".join(f"{number} × {escape(kind)}" for kind, number in copies.clusters) or "none"
    yield f"<p>Clusters of documents that say the same: {kinds}; {copies.documents} documents in them.</p>"
    yield f"<p>Records not taken in because a document of their id says the same: {copies.twins}.</p>"


def _accounts(found: Coverage) -> Iterable[str]:
    yield "<h2>Files with something to say</h2>"
    if not found.accounts:
        yield "<p>Every file went in whole, and none has a note.</p>"
        return
    yield f"<p>{len(found.refused)} files did not go in, or not whole; {len(found.accounts)} have something to say.</p>"
    yield "<ul>"
    for account in found.accounts:
        yield from _account(account)
    yield "</ul>"


def _account(report: FileReport) -> Iterable[str]:
    said = f'<span class="refused">refused:</span> {escape(report.failure)}' if report.failure else (
        f"{report.documents + report.unchanged + report.updated} in, {len(report.refused)} refused, "
        f"{len(report.warnings)} notes")  # fmt: skip
    yield f"<li><code>{escape(report.file)}</code> {said}"
    told = [*report.refused, *report.warnings]
    if told:
        yield "<ul>"
        for one in told[:_SHOWN]:
            kind = "" if one.kept else '<span class="refused">refused:</span> '
            yield f"<li>{kind}{escape(f'{one.place}: ' if one.place else '')}{escape(one.reason)}</li>"
        if len(told) > _SHOWN:
            yield f"<li>… and {len(told) - _SHOWN} more</li>"
        yield "</ul>"
    yield "</li>"


def _confidence(part: Part) -> str:
    return "–" if part.confidence is None else f"{part.confidence:.0%}"


def _count(count: int, most: int) -> str:
    if not count:
        return '<td class="n zero">·</td>'
    return f'<td class="n" style="--share: {count / most:.2f}">{count}</td>' if most else f'<td class="n">{count}</td>'


def _row(tag: str, cells: list[str], part: str) -> str:
    first, *others = (escape(cell) for cell in cells)
    scope = ' scope="col"' if tag == "th" else ""
    inner = f"<th{scope}>{first}</th>" + "".join(f'<{tag} class="n"{scope}>{cell}</{tag}>' for cell in others)
    return f"<{part}><tr>{inner}</tr></{part}>"
