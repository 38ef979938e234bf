"""The report as one HTML page that needs nothing else: no script, no address, light and dark, every word escaped."""

from collections.abc import Sequence
from html import escape

from vestigia.evaluate.plots import COLOURS, Bar, Dot, bars, groups, intervals
from vestigia.evaluate.report import ALL, Examined, Report
from vestigia.evaluate.tables import Table, facts, legend, measures, settings, tables

_SHOWN = ("R@10", "nDCG@10")
_STYLE = """
:root { color-scheme: light dark; --ink: #1d1d1b; --paper: #fdfcf9; --line: #d8d4ca; --dim: #66625a; --mark: #9b2d1f;
  --c0: #1f5f8b; --c1: #b8562b; --c2: #3d7a3a; --c3: #7a4b94; --c4: #8a7a1d; --c5: #b03a64; --c6: #2f8583; --c7: #666; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e9e6df; --paper: #191816; --line: #3f3c36; --dim: #a6a197; --mark: #f0907f;
    --c0: #6db1e0; --c1: #eb9a6f; --c2: #84c480; --c3: #c197dc; --c4: #d6c35c;
    --c5: #ee86a8; --c6: #74cbc8; --c7: #aaa; }
}
body { font: 16px/1.5 Georgia, serif; color: var(--ink); background: var(--paper); max-width: 76rem; margin: 2rem auto;
  padding: 0 1rem; }
h1, h2, h3 { line-height: 1.2; font-weight: 600; } h2 { margin-top: 3rem; border-top: 1px solid var(--line);
  padding-top: 1rem; }
p.note, figcaption { color: var(--dim); max-width: 46rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font: 13px/1.4 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { white-space: normal; vertical-align: bottom; } td.words { white-space: normal; min-width: 14rem; }
figure { margin: 1.5rem 0; } svg { width: 100%; max-width: 720px; height: auto; display: block; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); } svg text.tick { fill: var(--dim); font-size: 11px; }
svg .grid { stroke: var(--line); } svg .reference { stroke: var(--mark); stroke-dasharray: 4 3; }
svg .interval { stroke: var(--c0); stroke-width: 3; } svg .mean { fill: var(--c0); }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1rem;
  padding: 0; font: 13px system-ui, sans-serif; }
.legend svg { width: 12px; display: inline-block; margin-right: .3rem; }
""" + "".join(f".c{n} {{ fill: var(--c{n}); }}\n" for n in range(COLOURS))


def page(report: Report) -> str:
    """Return the page, encoded for UTF-8."""
    names = ", ".join(examined.name for examined in report.collections)
    parts = [
        table(legend(report)),
        table(measures()),
        *(_collection(examined, report.reference) for examined in report.collections),
    ]
    return document(f"How well sources are found: {names}", settings(report), parts)


def document(title: str, note: str, parts: Sequence[str], style: str = "") -> str:
    """Make a page of parts that are HTML already; `style` adds to the style sheet."""
    heading = [f"<h1>{escape(title)}</h1>", f'<p class="note">{escape(note)}</p>']
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<title>{escape(title)}</title>'
        f"<style>{_STYLE}{style}</style></head>\n<body>\n" + "\n".join((*heading, *parts)) + "\n</body></html>\n"
    )


def _collection(examined: Examined, reference: str) -> str:
    parts = [f"<h2>{escape(examined.name)}</h2>", f"<p>{escape(facts(examined))}</p>"]
    plots = {
        "Results": [*(_means(examined, reference, measure) for measure in _SHOWN), _kinds(examined)],
        "Misses": [_misses(examined)],
        "Cost": [_seconds(examined)],
    }
    for shown in tables(examined, reference):
        parts += [table(shown), *plots.get(shown.title, [])]
    return "\n".join(parts)


def _means(examined: Examined, reference: str, measure: str) -> str:
    reached = [r for r in examined.reached if r.group == ALL and r.measure == measure]
    dots = [Dot(r.system, r.estimate, r.system == reference) for r in reached]
    title = f"{measure} over all questions, with 95 % intervals; the dashed line is {reference}"
    return figure(intervals(dots, title), title)


def _kinds(examined: Examined) -> str:
    rows = []
    for group, size in examined.sizes.items():
        values = [(r.system, r.estimate.mean) for r in examined.reached if r.group == group and r.measure == _SHOWN[0]]
        rows.append((f"{group} ({size})", values))
    title = f"{_SHOWN[0]} by group of questions"
    return figure(groups(rows, title), title) if len(rows) > 1 else ""


def _misses(examined: Examined) -> str:
    title = "Relevant documents not among the first ten, and what became of them"
    rows = [
        Bar(system, tuple((fate, float(n)) for fate, n in of.fates.items())) for system, of in examined.misses.items()
    ]
    return figure(bars(rows, title, "documents"), title)


def _seconds(examined: Examined) -> str:
    title = "Milliseconds a question (median)"
    rows = [Bar(cost.system, (("median", round(1000 * cost.median, 1)),)) for cost in examined.costs]
    return figure(bars(rows, title, "ms"), title)


def figure(drawn: str, caption: str) -> str:
    """Put a caption under a drawing."""
    return f"<figure>{drawn}<figcaption>{escape(caption)}</figcaption></figure>"


def table(shown: Table) -> str:
    """Write a table with its heading and its note."""
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in shown.columns)
    rows = "\n".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in shown.rows)
    note = f'<p class="note">{escape(shown.note)}</p>' if shown.note else ""
    return (
        f'<h3>{escape(shown.title)}</h3>{note}<div class="wide"><table><thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody></table></div>"
    )


def _cell(text: str) -> str:
    return f'<td class="words">{escape(text)}</td>' if len(text) > 40 else f"<td>{escape(text)}</td>"
