import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from vestigia.domain.errors import ArchiveError
from vestigia.index import durable
from vestigia.index.durable import only_writer, share_files, write_text


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    write_text(tmp_path / "state.json", "old")

    def disk_full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(durable.os, "fsync", disk_full)
    with pytest.raises(OSError, match="No space"):
        write_text(tmp_path / "state.json", "new")
    assert (tmp_path / "state.json").read_text() == "old"


def test_sharing_keeps_both_folders_apart(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    for name in ("a.idx", "meta.json", ".managed.json", ".writer.lock"):
        (old / name).write_text("first")
    share_files(old, new)
    assert sorted(file.name for file in new.iterdir()) == [".managed.json", "a.idx", "meta.json"]
    (new / "meta.json").write_text("second")
    (new / "a.idx").unlink()
    assert (old / "meta.json").read_text() == (old / "a.idx").read_text() == "first"


def test_where_files_cannot_be_linked_they_are_copied(tmp_path, monkeypatch):
    def refuse(self, target):
        raise OSError("no links here")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "a.idx").write_text("content")
    share_files(tmp_path / "old", tmp_path / "new")
    assert (tmp_path / "new" / "a.idx").read_text() == "content"


def test_a_second_writer_is_refused_until_the_first_has_finished(tmp_path):
    with (
        only_writer(tmp_path, "writing"),
        pytest.raises(ArchiveError, match="another program is writing") as raised,
        only_writer(tmp_path, "writing"),
    ):
        pytest.fail("two writers")
    assert raised.value.remedy
    assert isinstance(raised.value.__cause__, sqlite3.OperationalError)
    with only_writer(tmp_path, "writing"):
        pass


def test_the_lock_of_a_killed_program_is_free(tmp_path):
    code = (
        "import os, sys; from pathlib import Path; from vestigia.index.durable import only_writer\n"
        "with only_writer(Path(sys.argv[1]), 'writing'): os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    assert done.returncode != 0
    with only_writer(tmp_path, "writing"):
        pass
