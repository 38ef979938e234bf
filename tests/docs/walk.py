"""One question, entry by entry: the page `docs/walk.md` as the golden run tells it."""

from collections.abc import Iterator
from pathlib import Path

from docs.pages import ROOT
from vestigia.app.entries import in_words
from vestigia.domain.entries import Begun, Entry, Recorded
from vestigia.domain.events import (
    Acted,
    ArchiveSurveyed,
    Briefed,
    Closed,
    Consolidated,
    Event,
    HeldUnseen,
    Judged,
    Overruled,
    Planned,
    QuestionRead,
    Reevaluated,
    Replanned,
    Searched,
    SubQuestionOpened,
    Wasted,
)
from vestigia.ledger.codec import decode

PAGE = ROOT / "docs" / "walk.md"
GOLDEN = Path(__file__).parents[1] / "golden" / "run-v1.jsonl"
STEPS = {
    ArchiveSurveyed: "", QuestionRead: "T2", Searched: "T2, T3", Planned: "T1", SubQuestionOpened: "", Judged: "T5, T6",
    Acted: "T4", HeldUnseen: "T10", Wasted: "T9", Reevaluated: "T11", Briefed: "T12", Replanned: "T13",
    Overruled: "a person", Consolidated: "T14", Closed: "",
}  # fmt: skip
HEAD = """# One question, step by step

A small run as its ledger tells it: `tests/golden/run-v1.jsonl`, which every version must replay to the same ranking. A
scripted model answers, letters and newspapers are searched, and Ada overrules the result at the end. The steps are
those of [TRACE](trace.md). Left out are what was asked of archive and model and what came back, which stand between
these entries: `vestigia show --entries` lists all, `vestigia prompts` prints what a model was sent.
`uv run python scripts/approve_walk.py` writes this page.

| entry | step | what is recorded |
|---|---|---|
"""


def page() -> str:
    """The page as it ought to be."""
    lines = GOLDEN.read_bytes().splitlines(keepends=True)
    entries = [decode(line, f"{GOLDEN.name}, line {number}") for number, line in enumerate(lines, 1)]
    return HEAD + "".join(f"{row}\n" for entry in entries for row in _rows(entry))


def _rows(entry: Entry) -> Iterator[str]:
    match entry.body:
        case Begun():
            yield f"| {entry.number} | | {_cell(in_words(entry))} |"
        case Recorded(event) if type(event) in STEPS:
            told = "; ".join([in_words(entry), *_details(event)])
            yield f"| {entry.number} | {STEPS[type(event)]} | {_cell(told)} |"


def _details(event: Event) -> Iterator[str]:
    """What the line of an event leaves out."""
    match event:
        case Planned():
            yield from (f"{one.id}: “{one.text}” in {one.sub_corpus}" for one in event.sub_questions)
        case Judged():
            yield from (f"{one.decision} {one.document}: {one.reason}" for one in event.verdicts)
        case Reevaluated():
            yield from (f"{one.decision} {one.document}: {one.reason}" for one in event.promoted)
        case Overruled():
            yield event.reason
        case Consolidated():
            yield from (f"{n}. {one.document} ({one.confirmations})" for n, one in enumerate(event.ranking, 1))


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
