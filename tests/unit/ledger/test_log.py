"""The ledger in a folder: durable, one writer, mended when torn, never when altered."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fakes.samples import RUN, bodies, chain, ticking
from vestigia.domain.entries import Recorded
from vestigia.domain.errors import ArchiveError, LedgerError
from vestigia.domain.events import BudgetReached, Closed
from vestigia.domain.ids import RunId
from vestigia.ledger.chain import LEDGER
from vestigia.ledger.log import REPAIRS, FileLedger

CLOSED = Recorded(Closed())
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and limits of a POSIX system")


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A run of three entries, its writer gone. Returns the ledger file."""
    with FileLedger.create(tmp_path, RUN, ticking()) as ledger:
        for limit in ("calls", "tokens", "patience"):
            ledger.append(Recorded(BudgetReached(limit)), "code")
    return tmp_path / RUN / LEDGER


def test_a_line_is_in_the_file_when_append_returns(tmp_path: Path) -> None:
    with FileLedger.create(tmp_path, RUN, ticking()) as ledger:
        lines = []
        for number, body in enumerate(list(bodies())[:4]):
            ledger.append(body, "person:Ada" if number % 2 else "code", number / 8 or None)
            lines = (tmp_path / RUN / LEDGER).read_bytes().splitlines(keepends=True)
            assert len(lines) == number + 1
    assert lines == chain(list(bodies())[:4])


def test_the_disk_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    real = os.fsync
    with FileLedger.create(tmp_path, RUN, ticking()) as ledger:
        monkeypatch.setattr(
            os, "fsync", lambda descriptor: (synced.append(os.fstat(descriptor).st_size), real(descriptor))
        )
        ledger.append(CLOSED, "code")
    assert synced == [(tmp_path / RUN / LEDGER).stat().st_size]


def test_a_run_goes_on_where_it_stopped(tmp_path: Path, begun: Path) -> None:
    before = begun.read_bytes()
    with FileLedger.open(tmp_path, RUN, ticking(9)) as ledger:
        assert [entry.number for entry in ledger.entries()] == [0, 1, 2]
        assert ledger.append(CLOSED, "code").number == 3
        assert ledger.torn == ""
    assert begun.read_bytes().startswith(before)
    assert len(FileLedger.read(tmp_path, RUN).entries()) == 4
    assert not (begun.parent / REPAIRS).exists()


def test_a_run_that_was_given_nothing_leaves_nothing(tmp_path: Path) -> None:
    with FileLedger.create(tmp_path, RUN, ticking()) as ledger:
        ledger.keep("a prompt")
    assert not (tmp_path / RUN).exists()


def test_a_run_is_made_only_once(tmp_path: Path, begun: Path) -> None:
    with pytest.raises(ArchiveError, match=r"exists already. Resume it"):
        FileLedger.create(tmp_path, RUN, ticking())
    assert len(FileLedger.read(tmp_path, RUN).entries()) == 3


@pytest.mark.parametrize("way", [lambda folder, run: FileLedger.open(folder, run, ticking()), FileLedger.read])
def test_a_run_that_is_not_there_is_not_made_by_looking(tmp_path: Path, way: Callable[[Path, RunId], object]) -> None:
    with pytest.raises(ArchiveError, match=r"there is no ledger to read.*vestigia runs"):
        way(tmp_path, RunId("absent"))
    assert list(tmp_path.iterdir()) == []


def test_a_second_writer_is_turned_away_and_readers_are_not(tmp_path: Path, begun: Path) -> None:
    with FileLedger.open(tmp_path, RUN, ticking(9)) as first:
        with pytest.raises(ArchiveError, match=r"another program is writing this run.*Wait until it ends"):
            FileLedger.open(tmp_path, RUN, ticking())
        reader = FileLedger.read(tmp_path, RUN)
        first.append(CLOSED, "code")
        assert len(reader.entries()) == 4
    FileLedger.open(tmp_path, RUN, ticking()).close()


@posix
def test_the_lock_goes_with_the_process_that_held_it(tmp_path: Path, begun: Path) -> None:
    hold = (
        "import sys; from pathlib import Path; from vestigia.ledger.log import FileLedger\n"
        "ledger = FileLedger.open(Path(sys.argv[1]), sys.argv[2], str)\n"
        "print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(tmp_path), RUN], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(ArchiveError, match="another program"):
            FileLedger.open(tmp_path, RUN, ticking())
        other.send_signal(signal.SIGKILL)
        other.wait()
    with FileLedger.open(tmp_path, RUN, ticking(9)) as ledger:
        ledger.append(CLOSED, "code")


def test_a_reader_cannot_write(tmp_path: Path, begun: Path) -> None:
    before = begun.read_bytes()
    reader = FileLedger.read(tmp_path, RUN)
    for attempt in (lambda: reader.append(CLOSED, "code"), lambda: reader.keep("text")):
        with pytest.raises(ArchiveError, match="not open for writing"):
            attempt()
    assert begun.read_bytes() == before


def test_after_closing_nothing_can_be_written(tmp_path: Path) -> None:
    ledger = FileLedger.create(tmp_path, RUN, ticking())
    ledger.close()
    ledger.close()
    with pytest.raises(ArchiveError, match="not open for writing"):
        ledger.append(CLOSED, "code")


def test_a_torn_line_is_tolerated_by_a_reader_who_says_so(tmp_path: Path, begun: Path) -> None:
    whole = begun.read_bytes()
    begun.write_bytes(whole + b'{"actor":"co')
    reader = FileLedger.read(tmp_path, RUN)
    assert len(reader.entries()) == 3
    assert reader.torn == "the last line, line 4, is torn: entry 3 was not written to its end (12 bytes are there)"
    assert begun.read_bytes() == whole + b'{"actor":"co'


def test_a_torn_line_is_cut_by_a_writer_and_the_cut_is_noted_beside_the_chain(tmp_path: Path, begun: Path) -> None:
    whole = begun.read_bytes()
    begun.write_bytes(whole + b'{"actor":"\xff')
    with FileLedger.open(tmp_path, RUN, lambda: "2026-01-02T11:00:00Z") as ledger:
        assert "entry 3 was not written to its end" in ledger.torn
        assert begun.read_bytes() == whole
        assert ledger.append(CLOSED, "code").number == 3
    assert (begun.parent / REPAIRS).read_text(encoding="utf-8") == (
        '{"cut":"{\\"actor\\":\\"\\\\xff","entry":3,"line":4,"time":"2026-01-02T11:00:00Z"}\n'
    )
    assert FileLedger.read(tmp_path, RUN).torn == ""


def test_a_resumed_ledger_equals_one_that_was_never_interrupted(tmp_path: Path, begun: Path) -> None:
    whole = begun.read_bytes()
    begun.write_bytes(whole[:-30])
    with FileLedger.open(tmp_path, RUN, lambda: "2026-01-02T10:00:02Z") as ledger:
        ledger.append(Recorded(BudgetReached("patience")), "code")
    assert begun.read_bytes() == whole


@pytest.mark.parametrize("line", [0, 1, 2])
def test_an_altered_ledger_is_neither_opened_nor_touched(tmp_path: Path, begun: Path, line: int) -> None:
    lines = begun.read_bytes().splitlines(keepends=True)
    lines[line] = lines[line].replace(b'"code"', b'"mode"')
    begun.write_bytes(b"".join(lines))
    for way in (lambda: FileLedger.open(tmp_path, RUN, ticking()), lambda: FileLedger.read(tmp_path, RUN)):
        with pytest.raises(LedgerError, match=f"ledger.jsonl, line {line + 1}, entry {line}: this entry was altered"):
            way()
    assert begun.read_bytes() == b"".join(lines)


def test_a_renamed_run_is_not_taken_for_another(tmp_path: Path, begun: Path) -> None:
    begun.parent.rename(tmp_path / "other")
    with pytest.raises(LedgerError, match="entry 0: the ledger does not begin with the name of this run"):
        FileLedger.read(tmp_path, RunId("other"))


def test_a_file_changed_behind_the_writers_back_is_not_written_on(tmp_path: Path, begun: Path) -> None:
    with FileLedger.open(tmp_path, RUN, ticking(9)) as ledger:
        begun.write_bytes(begun.read_bytes() + b"x")
        with pytest.raises(LedgerError, match="somebody else changed the file"):
            ledger.append(CLOSED, "code")
    assert begun.read_bytes().endswith(b"}\nx")


def test_a_full_disk_harms_nothing_and_the_run_goes_on_when_there_is_room(
    tmp_path: Path, begun: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = begun.read_bytes()
    real = os.write
    answers: list[int] = []

    def write(descriptor: int, content: bytes) -> int:
        if answers:
            raise OSError(errno.ENOSPC, "No space left on device")
        answers.append(real(descriptor, content[:20]))
        return answers[0]

    with FileLedger.open(tmp_path, RUN, ticking(9)) as ledger:
        monkeypatch.setattr(os, "write", write)
        with pytest.raises(ArchiveError, match=r"could not be written: No space left on device.*Make room"):
            ledger.append(CLOSED, "code")
        assert answers == [20]
        assert begun.read_bytes() == before
        monkeypatch.setattr(os, "write", real)
        assert ledger.append(CLOSED, "code").number == 3
    assert len(FileLedger.read(tmp_path, RUN).entries()) == 4


@posix
def test_the_system_refusing_more_bytes_leaves_whole_lines_only(tmp_path: Path, begun: Path) -> None:
    """A real limit of the kernel, met in the middle of a line."""
    size = begun.stat().st_size
    script = (
        "import resource, sys; from pathlib import Path\n"
        "from vestigia.ledger.log import FileLedger; from vestigia.domain.errors import ArchiveError\n"
        "from vestigia.domain.entries import Recorded; from vestigia.domain.events import Closed\n"
        "ledger = FileLedger.open(Path(sys.argv[1]), sys.argv[2], str)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), int(sys.argv[3])))\n"
        "try:\n    ledger.append(Recorded(Closed()), 'code')\n"
        "except ArchiveError as error:\n    print(error)\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path), RUN, str(size + 50)],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "it could not be written: File too large" in found.stdout
    assert begun.stat().st_size == size
    assert len(FileLedger.read(tmp_path, RUN).entries()) == 3


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("a file where the folder should be")
    with pytest.raises(ArchiveError, match="could not be written"):
        FileLedger.create(tmp_path / "runs", RUN, ticking())
