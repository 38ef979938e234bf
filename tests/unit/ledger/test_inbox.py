"""Acts of people for a run at work: left beside the ledger, taken in once, in the order of time."""

import json
from pathlib import Path

import pytest

from fakes.ledger import MemoryLedger
from fakes.runs import RUN
from fakes.samples import ticking
from vestigia.domain.entries import Recorded
from vestigia.domain.errors import ArchiveError
from vestigia.domain.events import Overruled
from vestigia.domain.evidence import Decision
from vestigia.ledger.inbox import INBOX, leave, take_in

FIRST = Overruled("d/1", Decision.REJECT, "a copy", "Ada")
SECOND = Overruled("d/1", Decision.ACCEPT, "no copy after all", "Bea")


def test_acts_are_taken_in_by_their_time_and_only_once(tmp_path: Path):
    later = leave(tmp_path, SECOND, "2026-01-02T10:00:01.5Z")
    earlier = leave(tmp_path, FIRST, "2026-01-02T10:00:00.5Z")
    ledger = MemoryLedger(RUN, ticking())
    assert take_in(ledger, tmp_path) == 2
    assert [(entry.actor, entry.body) for entry in ledger.entries()] == [
        ("person:Ada", Recorded(FIRST)),
        ("person:Bea", Recorded(SECOND)),
    ]
    assert not later.exists()
    assert not earlier.exists()
    assert take_in(ledger, tmp_path) == 0


def test_where_nobody_left_anything_there_is_nothing_to_take_in(tmp_path: Path):
    assert take_in(MemoryLedger(RUN, ticking()), tmp_path / "no run") == 0


@pytest.mark.parametrize(
    "content",
    ["", "[]", '{"event": {"type": "overruled"}}', json.dumps({"event": {"type": "closed"}})],
)
def test_a_file_that_holds_no_decision_is_named_and_stays(tmp_path: Path, content: str):
    (tmp_path / INBOX).mkdir()
    file = tmp_path / INBOX / "x.json"
    file.write_text(content, encoding="utf-8")
    ledger = MemoryLedger(RUN, ticking())
    with pytest.raises(ArchiveError, match=r"x\.json: it holds no decision\. Delete it and decide again\."):
        take_in(ledger, tmp_path)
    assert file.exists()
    assert ledger.entries() == ()


def test_an_inbox_that_cannot_be_made_is_said(tmp_path: Path):
    (tmp_path / INBOX).write_text("", encoding="utf-8")
    with pytest.raises(ArchiveError, match="could not be written"):
        leave(tmp_path, FIRST, "2026-01-02T10:00:00Z")
