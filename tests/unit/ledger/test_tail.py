"""Following a ledger: every entry once, in order, whole; what was altered is said."""

import pytest

from fakes.runs import RUN, finished, lines, scripted
from vestigia.domain.errors import ArchiveError, LedgerError
from vestigia.ledger.chain import LEDGER
from vestigia.ledger.tail import Tail


@pytest.fixture(scope="module")
def written() -> bytes:
    return lines(finished(scripted()).entries)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / RUN).mkdir()
    return tmp_path


def put(folder, content: bytes) -> None:
    (folder / RUN / LEDGER).write_bytes(content)


def test_each_look_brings_what_came_since(folder, written):
    tail, found = Tail(folder, RUN), []
    for end in range(0, len(written) + 997, 997):
        put(folder, written[:end])
        found += tail.fresh()
    assert lines(found) == written
    assert [entry.number for entry in found] == list(range(len(found)))
    assert tail.fresh() == ()


def test_a_line_that_is_being_written_comes_when_it_is_whole(folder, written):
    first = written.index(b"\n") + 1
    put(folder, written[: first + 10])
    tail = Tail(folder, RUN)
    assert [entry.number for entry in tail.fresh()] == [0]
    assert tail.fresh() == ()
    put(folder, written)
    assert tail.fresh()[0].number == 1


def test_an_entry_that_does_not_follow_is_an_error(folder, written):
    all_lines = written.splitlines(keepends=True)
    put(folder, all_lines[0])
    tail = Tail(folder, RUN)
    tail.fresh()
    put(folder, all_lines[0] + all_lines[2])
    with pytest.raises(LedgerError, match="entry 1 should stand here but entry 2 does"):
        tail.fresh()


def test_a_ledger_that_is_not_there_is_an_error(folder):
    with pytest.raises(ArchiveError, match="the ledger cannot be read"):
        Tail(folder, RUN).fresh()
