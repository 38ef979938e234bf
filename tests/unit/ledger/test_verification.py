"""A report says how far a record can be trusted, and never stops at a torn tail."""

from pathlib import Path

import pytest

from fakes.samples import RUN, ticking
from vestigia.domain.effects import Replied
from vestigia.domain.entries import Answered, Recorded
from vestigia.domain.errors import ArchiveError
from vestigia.domain.events import BudgetReached, Closed
from vestigia.domain.ids import digest
from vestigia.ledger.chain import LEDGER
from vestigia.ledger.log import FileLedger
from vestigia.ledger.verification import Report, verify


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run of three entries; the second names a kept prompt."""
    with FileLedger.create(tmp_path, RUN, ticking()) as ledger:
        ledger.append(Recorded(BudgetReached("calls")), "code")
        ledger.append(Answered((Replied("yes", "small", ledger.keep("Is it?")), Replied("no", "none"))), "model:small")
        ledger.append(Recorded(Closed()), "code")
    return tmp_path / RUN


def blob(folder: Path) -> Path:
    return folder / "blobs" / digest("Is it?").removeprefix("sha256:")


def test_a_sound_run_is_counted_and_named_by_its_head(folder: Path) -> None:
    head = FileLedger.read(folder.parent, RUN).entries()[-1].digest
    assert verify(folder) == Report(RUN, entries=3, head=head, blobs=1)
    assert verify(folder).sound


@pytest.mark.parametrize("left", [b"", b'{"actor"'])
def test_a_ledger_without_an_entry_is_a_problem_as_it_may_have_been_emptied(folder: Path, left: bytes) -> None:
    (folder / LEDGER).write_bytes(left)
    report = verify(folder)
    assert (report.sound, report.entries, report.entry, report.head) == (False, 0, 0, digest(RUN))
    assert report.problem.startswith(f"{folder / LEDGER}: no entry is there: it was emptied, or its program died")
    assert bool(report.torn) is bool(left)


def test_a_torn_line_is_said_and_is_no_problem(folder: Path) -> None:
    with (folder / LEDGER).open("ab") as file:
        file.write(b"{")
    report = verify(folder)
    assert (report.sound, report.entries, report.blobs) == (True, 3, 1)
    assert report.torn == "the last line, line 4, is torn: entry 3 was not written to its end (1 bytes are there)"


def test_the_first_problem_is_named_and_the_torn_line_as_well(folder: Path) -> None:
    content = (folder / LEDGER).read_bytes().replace(b'"yes"', b'"not"')
    (folder / LEDGER).write_bytes(content + b"{")
    report = verify(folder)
    assert (report.sound, report.entries, report.entry) == (False, 1, 1)
    assert "line 2, entry 1: this entry was altered" in report.problem
    assert "line 4" in report.torn
    assert report.blobs == 1, "the text beside the log is still what it was"


def test_a_missing_text_is_the_problem_of_the_entry_that_names_it(folder: Path) -> None:
    blob(folder).unlink()
    report = verify(folder)
    assert (report.sound, report.entries, report.entry, report.blobs) == (False, 3, 1, 0)
    assert digest("Is it?") in report.problem


def test_an_altered_text_is_the_problem_of_the_entry_that_names_it(folder: Path) -> None:
    blob(folder).write_text("Is it not?")
    report = verify(folder)
    assert (report.entry, report.blobs) == (1, 0)
    assert "was altered" in report.problem


def test_an_altered_text_that_no_entry_names_is_a_problem_without_entry(folder: Path) -> None:
    (folder / "blobs" / "note.txt").write_text("put there by hand")
    report = verify(folder)
    assert (report.sound, report.entry, report.blobs) == (False, None, 1)
    assert "note.txt" in report.problem


def test_nothing_is_changed_by_verifying(folder: Path) -> None:
    before = {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    verify(folder)
    assert {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()} == before


def test_where_there_is_no_ledger_nothing_can_be_verified(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="there is no ledger"):
        verify(tmp_path)
