"""A run recorded by the first version replays in every later one, without model, index or documents.

When this fails, the core decides otherwise than it did. If that is an accident, mend it. If a rule was changed on
purpose, `uv run python scripts/approve_run.py` records the run anew: runs made before the change will then diverge on
replay (they stay readable and verifiable), which has to be said in CHANGELOG.md.
"""

from pathlib import Path

import pytest

from fakes.runs import RUN, golden_run
from vestigia.domain.entries import Entry, Recorded
from vestigia.domain.events import Consolidated
from vestigia.domain.ids import digest
from vestigia.engine import runs
from vestigia.inquiry.view import result
from vestigia.ledger.codec import decode

GOLDEN = Path(__file__).parents[2] / "golden" / "run-v1.jsonl"


@pytest.fixture(scope="module")
def entries() -> tuple[Entry, ...]:
    lines = GOLDEN.read_bytes().splitlines(keepends=True)
    return tuple(decode(line, f"{GOLDEN.name}, line {number}") for number, line in enumerate(lines, 1))


def test_it_is_one_unbroken_chain(entries: tuple[Entry, ...]) -> None:
    assert [entry.number for entry in entries] == list(range(len(entries)))
    assert [entry.previous for entry in entries] == [digest(RUN), *(entry.digest for entry in entries[:-1])]


def test_it_replays_to_the_recorded_ranking(entries: tuple[Entry, ...]) -> None:
    (recorded,) = (
        e.body.event.ranking for e in entries if isinstance(e.body, Recorded) and isinstance(e.body.event, Consolidated)
    )
    state, closed = runs.replay(entries, RUN)
    assert closed
    assert state.ranking == recorded
    assert len(recorded) >= 4
    assert max(row.confirmations for row in recorded) == 3
    assert state == runs.view_of(entries)


def test_it_shows_what_was_taken_out_and_by_whom(entries: tuple[Entry, ...]) -> None:
    shown = result(runs.view_of(entries))
    assert [source.card.id for source in shown.sources] == [row.document for row in runs.view_of(entries).ranking]
    assert "L3" not in [source.card.id for source in shown.sources]
    assert [(s.card.id, s.steps[-1].reason, s.steps[-1].author) for s in shown.removed] == [
        ("L3", "of the year before", "Ada")
    ]


def test_carried_out_anew_it_is_written_byte_for_byte_as_then() -> None:
    """Stronger than a replay: what would be asked of an archive today is what was asked then."""
    assert golden_run().lines == GOLDEN.read_bytes(), "read the docstring of this file"
