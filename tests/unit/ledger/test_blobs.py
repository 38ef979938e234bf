"""Large texts beside the log: whole or not there, and never another text."""

import os
from pathlib import Path

import pytest

from vestigia.domain.errors import ArchiveError, LedgerError
from vestigia.domain.ids import digest
from vestigia.ledger.blobs import keep, kept, stored


def test_a_text_lies_in_a_file_named_by_its_digest(tmp_path: Path) -> None:
    key = keep(tmp_path, "le blocus\r\nété")
    assert (tmp_path / "blobs" / key.removeprefix("sha256:")).read_bytes() == "le blocus\r\nété".encode()
    assert kept(tmp_path, key) == "le blocus\r\nété"
    assert stored(tmp_path) == [key]


def test_a_run_without_texts_stores_none(tmp_path: Path) -> None:
    assert stored(tmp_path) == []


def test_a_text_kept_before_is_not_written_again_but_an_altered_one_is(tmp_path: Path) -> None:
    key = keep(tmp_path, "one")
    path = tmp_path / "blobs" / key.removeprefix("sha256:")
    before = path.stat().st_ino, path.stat().st_mtime_ns
    keep(tmp_path, "one")
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == before
    path.write_text("two")
    keep(tmp_path, "one")
    assert kept(tmp_path, key) == "one"


@pytest.mark.parametrize("content", ["", "tw", "two ", "altered", "\x00"])
def test_an_altered_text_is_not_returned(tmp_path: Path, content: str) -> None:
    key = keep(tmp_path, "two")
    (tmp_path / "blobs" / key.removeprefix("sha256:")).write_text(content)
    with pytest.raises(LedgerError, match=r"was altered.*Restore it from a copy"):
        kept(tmp_path, key)


def test_a_missing_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match=f"{digest('gone')} cannot be read"):
        kept(tmp_path, digest("gone"))


def test_a_write_that_fails_leaves_no_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = keep(tmp_path, "first")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ArchiveError, match=r"No space left on device.*stored before is unharmed"):
        keep(tmp_path, "second")
    assert stored(tmp_path) == [first]
    assert [path.name for path in (tmp_path / "blobs").iterdir()] == [first.removeprefix("sha256:")]


def test_what_a_dying_process_left_half_written_is_not_a_text(tmp_path: Path) -> None:
    key = keep(tmp_path, "whole")
    (tmp_path / "blobs" / f"{digest('half').removeprefix('sha256:')}.part").write_text("ha")
    assert stored(tmp_path) == [key]
    assert kept(tmp_path, keep(tmp_path, "half")) == "half"


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_text("a file where the folder should be")
    with pytest.raises(ArchiveError, match="could not be written"):
        keep(tmp_path, "text")
