"""The report as tables of words: the same for the terminal, the documents (both Markdown) and the page."""

from collections.abc import Sequence
from dataclasses import dataclass

from vestigia.evaluate.analysis import FATES, SHOWN, TOP
from vestigia.evaluate.measures import ACCEPTED, MEANINGS, RANKED
from vestigia.evaluate.report import Examined, Reached, Report, Test
from vestigia.evaluate.statistics import Estimate

HIGHER, LOWER = "▲", "▼"
"""Marks of a significant difference from the reference: p < .05 after Holm's correction."""
ALPHA = 0.05
COLUMNS = tuple(name for name in RANKED if name != "R@3")


@dataclass(frozen=True, slots=True)
class Table:
    """A heading, a sentence on how to read it, and cells; the first column is text, the others are numbers."""

    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables(examined: Examined, reference: str) -> tuple[Table, ...]:
    """Return the tables of a collection that have a row."""
    made = (
        _results(examined, reference),
        _sets(examined),
        _misses(examined),
        _finders(examined),
        _overlaps(examined),
        _unanswered(examined),
        _repeated(examined),
        _failed(examined),
        _costs(examined),
    )
    return tuple(table for table in made if table.rows)


def legend(report: Report) -> Table:
    """Say what the systems are."""
    return Table("Systems", "", ("system", "what it is"), tuple(report.systems.items()))


def measures() -> Table:
    """Say what the measures are; R@3 is in the data only."""
    return Table(
        "Measures", "", ("measure", "what it is"), tuple((name, MEANINGS[name]) for name in (*COLUMNS, *ACCEPTED))
    )


def _results(examined: Examined, reference: str) -> Table:
    reached = {(r.group, r.system, r.measure): r for r in examined.reached}
    tested = {(t.group, t.system, t.measure): t for t in examined.tests}
    systems = list(dict.fromkeys(r.system for r in examined.reached))
    rows = []
    for group, size in examined.sizes.items():
        for number, system in enumerate(systems):
            cells = [_cell(reached.get((group, system, m)), tested.get((group, system, m))) for m in COLUMNS]
            rows.append((f"{group} ({size})" if number == 0 else "", system, *cells))
    note = (
        f"Mean and 95 % interval over the questions of a group; {HIGHER} significantly above, {LOWER} below "
        f"{reference} (paired permutation test, p < .05 after Holm's correction)."
    )
    return Table("Results", note, ("questions", "system", *COLUMNS), tuple(rows))


def _cell(reached: Reached | None, test: Test | None) -> str:
    if reached is None:
        return "-"
    mark = ""
    if test is not None and test.corrected < ALPHA:
        mark = f" {HIGHER if test.difference.mean > 0 else LOWER}"
    return f"{interval(reached.estimate)}{mark}"


def interval(estimate: Estimate) -> str:
    """Write a mean with its interval: `.876 (.851–.901)`."""
    if estimate.low is None or estimate.high is None:
        return share(estimate.mean)
    return f"{share(estimate.mean)} ({share(estimate.low)}–{share(estimate.high)})"


def share(number: float) -> str:
    """Write a number from -1 to 1 with three places and no zero before the point."""
    return f"{number:.3f}".replace("0.", ".", 1)


def _sets(examined: Examined) -> Table:
    reached = {(r.group, r.system, r.measure): r for r in examined.reached if r.measure in ACCEPTED}
    systems = list(dict.fromkeys(system for _, system, _ in reached))
    rows = tuple(
        (f"{group} ({size})", system, *(interval(reached[group, system, m].estimate) for m in ACCEPTED))
        for group, size in examined.sizes.items()
        for system in systems
        if (group, system, ACCEPTED[0]) in reached
    )
    note = "Of systems that accept and reject: how much of what they accepted is relevant, how much of that they took."
    return Table("Accepted sets", note, ("questions", "system", *ACCEPTED), rows)


def _misses(examined: Examined) -> Table:
    rows = []
    for system, missed in examined.misses.items():
        cells = [f"{count} ({100 * count / max(missed.missed, 1):.0f} %)" for count in missed.fates.values()]
        rows.append((system, str(missed.gold), str(missed.missed), *cells))
    note = (
        f"What became of the relevant documents not among the first {SHOWN}; only systems that accept and reject can "
        "reject or hold."
    )
    return Table("Misses", note, ("system", "relevant", "missed", *FATES), tuple(rows))


def _finders(examined: Examined) -> Table:
    rows = tuple(
        (f.channel, str(f.found), share(f.found / max(f.gold, 1)), str(f.alone), share(f.alone / max(f.gold, 1)))
        for f in examined.finders
    )
    note = f"Relevant documents among a channel's first {TOP}, and those no other channel has there."
    return Table("Channels", note, ("channel", "found", "share", "by it alone", "share "), rows)


def _overlaps(examined: Examined) -> Table:
    rows = tuple((f"{o.one}, {o.other}", share(o.jaccard), str(o.queries)) for o in examined.overlaps)
    note = f"Mean Jaccard index of the first {TOP} documents of two channels, over the questions both searched."
    return Table("Overlap of channels", note, ("channels", "Jaccard", "questions"), rows)


def _unanswered(examined: Examined) -> Table:
    rows = tuple(
        (u.system, u.group or "-", str(u.queries), f"{u.accepted:.1f}", share(u.nothing)) for u in examined.unanswered
    )
    note = "Questions of the collection that have no known source: every source accepted for them is unsupported."
    return Table(
        "Without a known source", note, ("system", "questions", "number", "accepted (mean)", "nothing accepted"), rows
    )


def _repeated(examined: Examined) -> Table:
    rows = tuple(
        (r.system, str(r.repeats), "yes" if r.same else "no", share(r.low), share(r.high)) for r in examined.repeated
    )
    note = "The same questions asked again: whether every ranking is the same, and the worst and best R@10."
    return Table("Repeats", note, ("system", "repeats", "same rankings", "lowest R@10", "highest R@10"), rows)


def _failed(examined: Examined) -> Table:
    rows = tuple((f.system, str(f.questions), f.example) for f in examined.failed)
    return Table("Failures", "Questions without an answer are in no number.", ("system", "questions", "example"), rows)


def _costs(examined: Examined) -> Table:
    rows = tuple(
        (
            c.system,
            f"{1000 * c.median:.0f}",
            f"{1000 * c.late:.0f}",
            f"{c.calls:.1f}",
            "unknown" if c.tokens is None else f"{c.tokens:.0f}",
            "unknown" if c.cost is None else f"{c.cost:.4f}",
        )
        for c in examined.costs
    )
    note = "Per question: milliseconds on the machine that measured, model calls, tokens, US dollars."
    return Table("Cost", note, ("system", "median ms", "95 % within ms", "calls", "tokens", "USD"), rows)


def markdown(report: Report) -> str:
    """Write the whole report in Markdown, columns padded so that it reads at a terminal too."""
    parts = [f"{settings(report)}\n", written(legend(report), 3), written(measures(), 3)]
    for examined in report.collections:
        parts.append(f"## {examined.name}\n\n{facts(examined)}\n")
        parts += [written(table, 3) for table in tables(examined, report.reference)]
    return "\n".join(parts)


def settings(report: Report) -> str:
    """Say how it was measured."""
    part = "" if report.half is None else f", half {report.half} of the questions only"
    every = "" if report.every == 1 else f", one question in {report.every}"
    repeats = "" if report.repeat == 1 else f", each asked {report.repeat} times"
    return f"Vestigia {report.version}; the reference is {report.reference}{part}{every}{repeats}."


def facts(examined: Examined) -> str:
    """Say in words what was searched."""
    archive = examined.archive
    said = (
        f"{archive.documents} documents ({archive.dated} dated), {archive.passages} passages, "
        f"{examined.sizes['all']} judged questions; channels: {', '.join(archive.channels)}."
    )
    if archive.missing_gold:
        said += f" {archive.missing_gold} judged documents are not in the archive and count as missed."
    if examined.problems:
        said += f" Not everything could be searched: {'; '.join(examined.problems)}."
    return said


def written(table: Table, level: int) -> str:
    """Write a table in Markdown under a heading of a level, columns padded so that it reads at a terminal too."""
    widths = [max(len(row[at]) for row in (table.columns, *table.rows)) for at in range(len(table.columns))]
    note = f"{table.note}\n\n" if table.note else ""
    lines = [_line(table.columns, widths), "|" + "|".join("-" * (width + 2) for width in widths) + "|"]
    lines += [_line(row, widths) for row in table.rows]
    return f"{'#' * level} {table.title}\n\n{note}" + "\n".join(lines) + "\n"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    written = (" ".join(cell.replace("|", "/").split()).ljust(width) for cell, width in zip(cells, widths, strict=True))
    return f"| {' | '.join(written)} |"
