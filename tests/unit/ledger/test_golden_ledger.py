"""A ledger written once is read, and written again byte for byte, by every later version."""

import json
import re
from pathlib import Path
from typing import get_args

import pytest

from fakes.samples import RUN
from vestigia.domain.commissions import Commission
from vestigia.domain.effects import Answer, Effect
from vestigia.domain.entries import Body
from vestigia.domain.events import Event
from vestigia.domain.requests import Request
from vestigia.ledger.chain import LEDGER, follow, load
from vestigia.ledger.codec import decode, encode
from vestigia.ledger.shapes import tag
from vestigia.ledger.verification import verify

GOLDEN = Path(__file__).parents[2] / "golden" / "ledger-v1.jsonl"
REMEDY = "before the first release: `uv run python scripts/approve_ledger.py`; after it: this change breaks old ledgers"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / RUN).mkdir()
    (tmp_path / RUN / LEDGER).write_bytes(GOLDEN.read_bytes())
    return tmp_path / RUN


def test_it_reads_and_writes_back_identically(folder: Path) -> None:
    lines, torn = load(folder)
    assert torn is None
    assert [encode(entry) for entry in follow(folder, RUN, lines)] == lines, REMEDY


def test_it_holds_every_kind_there_is() -> None:
    held = set(re.findall(r'"type":"([a-z_]+)"', GOLDEN.read_text(encoding="utf-8")))
    kinds = {tag(kind) for union in (Body, Commission, Event, Effect, Answer, Request) for kind in get_args(union)}
    assert held == kinds, REMEDY


def test_numbers_that_matter_are_spelled_out_even_when_they_are_the_default() -> None:
    """A default may change; what a run was made by may not."""
    first = json.loads(GOLDEN.read_bytes().split(b"\n")[0])
    assert first["body"]["rules"]["rrf_k"] == 60
    assert first["body"]["rules"]["budget"] == {"calls": 400}
    assert "parent" not in first["body"]["manifest"]


def test_its_kept_text_is_missed_and_named(folder: Path) -> None:
    """The chain alone is in the golden file; the prompt that one answer names is not beside it."""
    report = verify(folder)
    lines = GOLDEN.read_bytes().splitlines(keepends=True)
    assert report.entries == len(lines)
    assert report.entry is not None
    assert b'"prompt":"sha256:' in lines[report.entry]
    assert "cannot be read" in report.problem
    assert decode(lines[-1], "last").digest == report.head
