"""Pages for a terminal, made of the data that `--json` prints. Archive text is printed as it is, never as mark-up."""

import json
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from vestigia.app.models import BY_RULE
from vestigia.app.places import cited
from vestigia.app.present import Plain
from vestigia.cli.outcome import leave_output

MACHINE = {
    "accept": "the machine had accepted it",
    "reject": "the machine had rejected it",
    "hold": "the machine held it",
    None: "the machine had not judged it",
}
"""What the machine had decided about a document, in words."""


CAN_BE_DONE = {
    "plan": "`vestigia plan` changes what is asked.",
    "holds": "`vestigia decide` decides about what is on hold.",
    "briefs": "`vestigia plan` changes what is still to be asked.",
    "final": "`vestigia decide` takes sources out or in.",
}
"""What a person can do at a checkpoint, in words."""


class _Page(Console):
    """The page on standard output."""

    def on_broken_pipe(self) -> None:
        """Whoever reads it, as `head` does, has read enough: that is no failure."""
        self.quiet = True
        leave_output()
        raise SystemExit(0)


out = _Page(highlight=False)
EXCERPT = 240
AROUND = 300
"""Characters shown before and after a quotation."""
REGIONS, LINES = 3, 4
"""Regions of a page and lines of a quotation named on the page; `--json` has them all."""
WITHHELD = {
    "withdrawn": "[yellow]withdrawn source: it is no longer in the archive[/yellow]",
    "replaced": "[yellow]withdrawn source: the archive holds another version of this text now[/yellow]",
    "closed": "[yellow]closed source: --closed shows its text[/yellow]",
}
"""What stands in place of a text that is not shown."""


def data(value: object) -> None:
    """Print JSON; where the output is not UTF-8, in the escapes of JSON, so that nothing is lost."""
    plain = (sys.stdout.encoding or "").replace("-", "").casefold() != "utf8"
    try:
        print(json.dumps(value, ensure_ascii=plain, indent=2), flush=True)  # noqa: T201  the command's output
    except BrokenPipeError:
        out.on_broken_pipe()


def clean(text: object) -> str:
    """Make archive text safe to print: one line, no control characters, no mark-up."""
    flat = " ".join(str(text).split())
    return escape("".join(c for c in flat if unicodedata.category(c) not in {"Cc", "Cf", "Cs"}))


def lines(text: str) -> None:
    """Print a text of many lines as it is, safe for a terminal, without mark-up."""
    for line in text.splitlines():
        kept = "".join(c for c in line.replace("\t", "    ") if unicodedata.category(c) not in {"Cc", "Cf", "Cs"})
        out.print(kept, markup=False, soft_wrap=True)


def excerpt(text: str, length: int = EXCERPT) -> str:
    """The beginning of a text, cut at a word."""
    flat = " ".join(text.split())
    return flat if len(flat) <= length else flat[:length].rsplit(" ", 1)[0] + " …"


def answer(found: Plain, archive: str, *, full: bool = False, limit: int = 20) -> None:
    """Print a run of an archive: its sources with reasons and paths, what is on hold, what it cost."""
    out.print(f"[bold]{clean(found['question'])}[/bold]")
    out.print(f"[dim]{_maker(found)} · run {found['run']}[/dim]")
    _states(found, archive)
    rows = found["ranking"]
    if not rows and found["finished"]:
        _nothing(found)
    elif not rows:
        out.print("\nNo source is accepted yet.")
    witnesses = [row for row in rows if not row["repeats"]]
    for number, row in enumerate(witnesses if full else witnesses[:limit], 1):
        copies = [other for other in rows if other["repeats"] == row["document"]]
        _source(f"{number:>2}. ", row, full=full)
        for other in copies if full else ():
            _source(f"    the text of {number} again: ", other, full=full)
        if not full:
            also(copies)
    if not full and len(witnesses) > limit:
        out.print(f"\n… and {len(witnesses) - limit} more: vestigia show {clean(archive)} {found['run']}")
    _held(found["held"], full=full)
    section("Taken out by a person", [clean(row["citation"]) for row in found["removed"]])
    section("Changed by people", list(changes(found["changes"])))
    section("Text corrected since", list(corrected(found["corrected"])))
    section("Searches that failed", [clean(failure) for failure in found["failures"]])
    section("Could not be searched", [clean(gap) for gap in found["missing"]])
    section("Notes", [clean(note) for note in found["notes"]])
    if full:
        section("Searched", [f"{clean(s['search'])}: {s['candidates']} new" for s in found["searched"]])
        section("Calls by stage", stages(found["budget"]["stages"]))
    out.print(f"\n[dim]{budget(found['budget'])}[/dim]")


def corrected(rows: list[Plain]) -> Iterator[str]:
    """Say in lines which verdicts rest on text that a reader corrected since, and what it was and is to be."""
    for row in rows:
        verdict = f"{row['verdict']} {row['score']}" if row["score"] is not None else row["verdict"]
        name = f"{clean(row['title'] or row['document'])} ({clean(row['document'])})"
        by = clean(row["by"] or "the machine")
        words = [f"“{clean(excerpt(one['was']))}” → “{clean(excerpt(one['now']))}”"
                 for one in row["corrections"] if one["was"] is not None]  # fmt: skip
        yield f"{name}: {verdict} by {by} on {clean(row['at'][:10])}; since then {', '.join(words) or 'corrected'}"


def changes(found: Plain) -> Iterator[str]:
    """Say in lines what people changed, and what the machine had before."""
    for plan in found["plan"]:
        by = clean(plan["by"])
        for one in plan["dropped"]:
            yield f"{by} dropped {_asked(one)}"
        for one in plan["added"]:
            yield f"{by} added {_asked(one)}"
        for one in plan["replaced"]:
            yield f"{by} changed {_asked(one['before'])} to {_asked(one['after'])}"
    for row in found["decisions"]:
        had = MACHINE[row["machine"]]
        before, now = (f"place {row[at]}" if row[at] else "not listed" for at in ("place_before", "place_now"))
        moved = before if before == now else f"{before} → {now}"
        why = f" “{clean(row['machine_reason'])}”" if row["machine_reason"] else ""
        yield f"{clean(row['by'])}: {row['person']} {clean(row['title'] or row['document'])}; {had}{why}; {moved}"


def _asked(one: Plain) -> str:
    return f"{clean(one['id'])} “{clean(one['text'])}” → {clean(one['sub_corpus'] or 'the whole archive')}"


def budget(spent: Plain) -> str:
    """Calls, tokens and money in a line; what is unknown says so."""
    tokens = [spent["input_tokens"], spent["output_tokens"]]
    if tokens == [0, 0] and all(_by_rule(row) for row in spent["stages"]):
        return f"No language model was used; {spent['calls']} decisions by rule."
    words = "tokens unknown" if None in tokens else f"{tokens[0]} tokens in, {tokens[1]} out"
    cost = "cost unknown" if spent["cost"] is None else f"{spent['cost']:.4f} USD"
    time = f"{spent['time']['models']:.0f} s of models, {spent['time']['own']:.1f} s of its own"
    refused = f", {spent['refused']} refused" if spent["refused"] else ""
    return f"{spent['calls']} model calls ({spent['unreadable']} unreadable{refused}), {words}, {cost}; {time}"


def stages(rows: Iterable[Plain]) -> list[str]:
    """What each stage took of language models, a line for each that answered it; what is unknown says so."""
    return [clean(_stage(row)) for row in rows if not _by_rule(row)]


def _by_rule(row: Plain) -> bool:
    """Whether no language model answered a stage. One whose requests were all too long for it read nothing either."""
    return (row["input_tokens"], row["output_tokens"]) == (0, 0) and row["model"] in {"", BY_RULE}


def _stage(row: Plain) -> str:
    counts = ["?" if row[part] is None else row[part] for part in ("input_tokens", "cached_tokens", "output_tokens")]
    tokens = f"{counts[0]} tokens in ({counts[1]} cached), {counts[2]} out"
    cost = "cost unknown" if row["cost"] is None else f"{row['cost']:.4f} USD"
    time = "time unknown" if row["seconds"] is None else f"{row['seconds']:.1f} s"
    bad = row["unreadable"] + row["refused"]
    calls = f"{row['calls']} calls" + (f" ({bad} without a reply that could be used)" if bad else "")
    return f"{row['task']} by {row['model']}: {calls}, {tokens}, {cost}, {time}"


def _maker(found: Plain) -> str:
    return clean(found["model"] or "no model was asked")


def _states(found: Plain, archive: str) -> None:
    again = f"vestigia resume {clean(archive)} {found['run']}"
    if found["waits_at"]:
        out.print(f"[yellow]The run waits for a person at the checkpoint “{found['waits_at']}”.[/yellow]")
        for number, part in enumerate(found["plan"] if found["waits_at"] == "plan" else (), 1):
            out.print(f"  {number}. {clean(part['text'])} → {clean(part['sub_corpus'] or 'the whole archive')}")
        out.print(f'{CAN_BE_DONE[found["waits_at"]]} It goes on with: {again} --as "your name"')
    elif not found["finished"]:
        why = f"is paused: {clean(found['paused'])}" if found["paused"] else "is not finished."
        out.print(f"[yellow]The run {why}[/yellow] It goes on with: {again}")
    if found["partial"]:
        out.print(f"[yellow]Partial result: the budget of {clean(found['partial'])} was reached.[/yellow]")


def _nothing(found: Plain) -> None:
    """An empty list is a finding: say what it rests on (B1). Where no reply could be used, nothing was judged."""
    if is_unusable(found):
        out.print(
            f"\n[bold]Nothing was judged: no reply of {_maker(found)} could be used.[/bold] What was found is on hold. "
            "`vestigia models ARCHIVE check` says what the model can do. This is what was searched:"
        )
    else:
        out.print("\n[bold]No source was accepted.[/bold] This is what was searched:")
    for searched in found["searched"]:
        out.print(f"  {clean(searched['search'])}: {searched['candidates']} candidate(s)")


def is_unusable(found: Plain) -> bool:
    """Whether no reply of the models that a run asked could be used."""
    spent = found["budget"]
    return bool(spent["calls"] and spent["calls"] == spent["unreadable"] + spent["refused"])


def also(copies: Iterable[Plain]) -> None:
    """Name the documents that have the text of the row above: reprints and copies, one witness with it (B4)."""
    for other in copies:
        date = clean(other["date"]) if other["date"] else "undated"
        title = clean(other["title"] or other["document"])
        out.print(
            f"    the same text: {title} · {date} · {clean(other['sub_corpus'])} [dim]{clean(other['document'])}[/dim]"
        )


def _source(lead: str, row: Plain, *, full: bool) -> None:
    date = clean(row["date"]) if row["date"] else "undated"
    title = clean(row["title"] or row["document"])
    out.print(f"\n[bold]{lead}{title}[/bold] · {date} · {clean(row['sub_corpus'])} [dim]{clean(row['document'])}[/dim]")
    for passage in row["passages"]:
        _passage(passage, full=full)
    quotes = [passage["quote"] or "" for passage in row["passages"]]
    for step in row["path"]:
        reason = clean(step["reason"] if full else without_quote(step["reason"], quotes))
        out.print(f"    [green]{step['verdict']}[/green] by {clean(step['by'])}: {reason}")
        if step["search"]:
            places = ", ".join(f"{place['channel']} #{place['rank']}" for place in step["found_by"])
            question = f"“{clean(step['sub_question'])}” " if full else ""
            target = f"→ {clean(step['sub_corpus'])} · " if step["sub_corpus"] else ""
            out.print(f"    [dim]path: {question}{target}{clean(step['search'])} · {places}[/dim]")
    if full:
        out.print(f"    [dim]cite: {clean(row['citation'])}[/dim]")


def without_quote(reason: str, quotes: Iterable[str]) -> str:
    """A reason without the quotation at its end when the page shows that quotation in full already."""
    said, opening, quoted = reason.partition(": “")
    part = " ".join(quoted.strip("”").strip("…").split())
    shown = any(part in " ".join(quote.split()) for quote in quotes)
    return said if opening and shown else reason


def _passage(passage: Plain, *, full: bool) -> None:
    if passage["withheld"]:
        out.print(f"    {WITHHELD[passage['withheld']]}")
        return
    check = passage["quote_check"]
    mark = f" [yellow](quote {check} in the passage)[/yellow]" if check not in {None, "exact"} else ""
    words = around(passage) if full else clean(excerpt(passage["quote"] or passage["text"]))
    out.print(f"    “{words}”{mark} [dim]{clean(passage['id'])}[/dim]")
    places(passage)


def places(passage: Plain) -> None:
    """Say on which pages a passage stands, and of a quotation on which lines; nothing for a text without pages."""
    for page in passage["pages"] or ():
        names = [one["region"] for one in page["regions"] if one["region"]]
        more = f" and {len(names) - REGIONS} more" if len(names) > REGIONS else ""
        named = f"{'regions' if len(names) > 1 else 'region'} {', '.join(names[:REGIONS])}{more}" if names else ""
        sure = "" if page["confidence"] is None else f"confidence {page['confidence']:.2f}"
        image = f"image {page['image']}" if page["image"] else ""
        parts = (cited([page["page"] or ""]), image, named, _box(page["box"]), sure)
        out.print(f"    [dim]on {clean(' · '.join(part for part in parts if part))}[/dim]")
    lines = passage["quote_lines"] or ()
    for line in lines[:LINES]:
        out.print(f"    [dim]quoted: {clean(cited([line['page'] or '']))} {_box(line['box'])}[/dim]")
    if len(lines) > LINES:
        out.print(f"    [dim]… and {len(lines) - LINES} more lines (see --json)[/dim]")


def _box(box: Sequence[int] | None) -> str:
    """A box in words: where its upper left corner is, and how large it is."""
    return "" if box is None else f"box {box[2]} × {box[3]} at {box[0]}, {box[1]}"


def around(passage: Plain, reach: int = AROUND) -> str:
    """The quotation of a passage, marked, with what stands before and after it; the beginning where there is none.

    `reach` is how many characters on each side.
    """
    text, quote = passage["text"], passage["quote"] or ""
    at = text.find(quote) if quote else -1
    if at < 0:
        return clean(excerpt(text, 2 * reach))
    start, end = max(0, at - reach), min(len(text), at + len(quote) + reach)
    before = ("… " if start else "") + text[start:at].partition(" ")[2 if start else 0]
    after = text[at + len(quote) : end] if end == len(text) else text[at + len(quote) : end].rpartition(" ")[0] + " …"
    before = before if start else text[:at]
    space = " " if before[-1:].isspace() else ""
    lead = " " if after[:1].isspace() else ""
    return f"{clean(before)}{space}[bold]{clean(quote)}[/bold]{lead}{clean(after)}"


def _held(rows: list[Plain], *, full: bool) -> None:
    if not rows:
        return
    out.print(f"\n[bold]On hold: {len(rows)} passage(s) nobody decided about[/bold]")
    for row in rows if full else rows[:5]:
        date = clean(row["date"]) if row["date"] else "undated"
        again = f" [dim](the text of {clean(row['repeats'])})[/dim]" if row["repeats"] else ""
        title = clean(row["title"] or row["document"])
        out.print(f"  {title} · {date} · {clean(row['sub_corpus'])}: {clean(row['why'])}{again}")


def section(title: str, lines: list[str]) -> None:
    """Print a heading and its lines; nothing where there is none."""
    if lines:
        out.print(f"\n[bold]{title}[/bold]")
        for line in lines:
            out.print(f"  {line}")


def mark(run: str) -> str:
    """What the name of a run ends with: enough to name it by."""
    return run.rpartition("-")[2]


def following(*steps: str) -> None:
    """Say which commands come next, each in a line of its own that can be copied."""
    for step in steps:
        out.print(f"Next: {step}", markup=False, highlight=False, soft_wrap=True)


def sources_of(number: int) -> str:
    """A number of sources in words."""
    return "1 source" if number == 1 else f"{number} sources"


WHOLE = {"period", "digest"}
"""Columns of dates and digests: broken in two lines they cannot be read, others are folded for them."""


def table(columns: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
    """Print a table; every cell is archive text."""
    drawn = Table(box=None, pad_edge=False)
    for column in columns:
        drawn.add_column(column, overflow="fold", no_wrap=column in WHOLE)
    for row in rows:
        drawn.add_row(*(clean(cell) for cell in row))
    out.print(drawn)
