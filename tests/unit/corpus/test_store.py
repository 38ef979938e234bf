"""The one file of the catalogue on disks that are full, cannot be written or lost something: read if it can be."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.rows import Description
from vestigia.corpus.store import Store
from vestigia.domain.archive import Document, Provenance
from vestigia.domain.errors import ArchiveError, UsageError
from vestigia.domain.ids import DocumentId, digest


def document(name: str) -> Document:
    return Document(DocumentId(name), "Le Temps", name, "Le pont.", "fr", Provenance("a", "1", digest("a"), "jsonl"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A catalogue of one document, closed."""
    made = tmp_path / "catalogue.sqlite"
    catalogue = Catalogue(made)
    with catalogue.writing():
        catalogue.add(document("a"))
    catalogue.close()
    return made


def failing(name: str, message: str) -> sqlite3.Error:
    error = sqlite3.OperationalError(message)
    error.sqlite_errorname = name
    return error


def said(path: Path, error: sqlite3.Error) -> str:
    store = Store(path)
    with pytest.raises(ArchiveError) as caught, store.guarded():
        raise error
    store.close()
    return str(caught.value)


@pytest.mark.parametrize("name", ["SQLITE_IOERR_WRITE", "SQLITE_IOERR_SHMSIZE"])
def test_an_error_of_writing_is_a_full_disk_and_no_damaged_file(path: Path, name: str):
    assert "the disk is full; what was stored before is unharmed. Make room" in said(
        path, failing(name, "disk I/O error")
    )


def test_any_error_of_a_disk_without_room_is_a_full_disk(path: Path, monkeypatch: pytest.MonkeyPatch):
    error = failing("SQLITE_IOERR", "disk I/O error")
    assert "the disk reports an error. Check the disk" in said(path, error)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: shutil._ntuple_diskusage(9, 9, 0))
    assert "the disk is full" in said(path, error)


# --- reading where nothing can be written ---

SEARCH = """
import resource, sys
from pathlib import Path
from vestigia.corpus.catalogue import Catalogue
from vestigia.domain.errors import ArchiveError, UsageError
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # as a full disk: not a byte more
catalogue = Catalogue(Path(sys.argv[1]))
print([s.documents for s in catalogue.sub_corpora()])
try:
    with catalogue.writing():
        catalogue.require_sweep()
except ArchiveError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the limit that stands for a full disk is POSIX's")
def test_on_a_full_disk_it_is_read_and_a_change_is_told_that_the_disk_is_full(path: Path):
    ended = subprocess.run(
        [sys.executable, "-c", SEARCH, str(path)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        timeout=60,
    )
    assert ended.stdout.splitlines() == [
        "[1]",
        f"{path}: the disk is full; what was stored before is unharmed. Make room and run it again.",
    ]


@pytest.fixture
def read_only(path: Path) -> Iterator[Path]:
    """The same catalogue where not even its owner can write: on a disk of its own, if this system lets us have one."""
    disk = path.parent / "disk"
    disk.mkdir()
    mount = shutil.which("mount")
    if mount is None:
        pytest.skip("no disk can be mounted here")
    made = subprocess.run([mount, "-t", "tmpfs", "none", str(disk)], check=False, capture_output=True)
    if made.returncode:
        pytest.skip("no disk may be mounted here")
    try:
        shutil.copy(path, disk)
        subprocess.run([mount, "-o", "remount,ro", str(disk)], check=True)
        yield disk / path.name
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_catalogue_that_cannot_be_written_is_read_and_refuses_every_change(read_only: Path):
    catalogue = Catalogue(read_only)
    assert catalogue.ids() == ("a",)
    assert not catalogue.unswept
    for change in (catalogue.require_sweep, catalogue.sweep, lambda: catalogue.keep_report("f", "{}", "[]")):
        with pytest.raises(ArchiveError, match=r"cannot be opened|cannot be written"):
            change()
    with pytest.raises(ArchiveError, match="may be written to"), catalogue.writing():
        catalogue.add(document("b"))
    catalogue.close()


def test_a_catalogue_with_unfinished_business_beside_it_is_not_read_without_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    path.with_name("catalogue.sqlite-wal").write_bytes(b"pages that are not in the file yet")
    store = Store(path)
    opened: list[str] = []

    def refused(name: str) -> sqlite3.Connection:
        opened.append(name)
        raise failing("SQLITE_CANTOPEN", "unable to open database file")

    monkeypatch.setattr("vestigia.corpus.store._connected", refused)
    error = ArchiveError("the disk is full.")
    error.__cause__ = failing("SQLITE_FULL", "database or disk is full")
    assert not store._can_only_be_read(error)
    assert [name.partition("?")[2] for name in opened] == ["mode=ro"]


def test_broken_characters_that_were_typed_are_refused_and_nothing_is_written(path: Path):
    catalogue = Catalogue(path)
    before = catalogue.fingerprint
    for change in (
        lambda: catalogue.rename("Le Temps", "x\udcff"),
        lambda: catalogue.describe("Le Temps", Description(genre="\udcff")),
        lambda: catalogue.delete([DocumentId("\udcff")]),
    ):
        with pytest.raises(UsageError, match="what was typed holds broken characters"), catalogue.writing():
            change()
    for look in (lambda: catalogue.find(files=["\udcff"]), lambda: catalogue.documents([DocumentId("\udcff")])):
        with pytest.raises(UsageError):
            look()
    assert (catalogue.fingerprint, catalogue.sub_corpora()[0].genre) == (before, "")
    catalogue.close()


# --- damage ---


@pytest.mark.parametrize(
    ("damage", "read"),
    [
        ("UPDATE documents SET dates = 'x'", lambda c: c.documents([DocumentId("a")])),
        ("UPDATE documents SET dates = '[1]'", lambda c: c.document(DocumentId("a"))),
        ("UPDATE documents SET details = '['", lambda c: c.documents([DocumentId("a")])),
        ("UPDATE documents SET details = '7'", lambda c: list(c.pairs())),
        ("UPDATE documents SET details = '7'", lambda c: c.accesses("Le Temps")),
        ("UPDATE documents SET anchors = x'00'", lambda c: c.anchors_of("a#0-8")),
        ("INSERT INTO descriptions VALUES ('Le Temps', '', '{', '', '', '', '')", lambda c: c.sub_corpora()),
        ("INSERT INTO descriptions VALUES ('Le Temps', '', '[]', '', '', '', 'wide')", lambda c: c.sub_corpora()),
        ("UPDATE facts SET value = 'many' WHERE name = 'batch'", lambda c: c.batch),
        ("DELETE FROM facts WHERE name = 'sum'", lambda c: c.fingerprint),
    ],
)
def test_a_damaged_row_is_said_to_be_the_catalogues(path: Path, damage: str, read):
    catalogue = Catalogue(path)
    catalogue.store.connection.execute(damage)
    with pytest.raises(ArchiveError, match=r"catalogue\.sqlite: the catalogue is damaged\. Restore"):
        read(catalogue)
    catalogue.close()


def test_a_catalogue_without_its_facts_is_damaged(path: Path):
    catalogue = Catalogue(path)
    catalogue.store.connection.execute("DELETE FROM facts")
    catalogue.close()
    with pytest.raises(ArchiveError, match="damaged"):
        Catalogue(path, max_tokens=1000)


def test_a_snapshot_does_not_see_what_is_written_meanwhile(path: Path):
    reader, writer = Catalogue(path), Catalogue(path)
    with reader.reading():
        before = reader.fingerprint
        with writer.writing():
            writer.add(document("b"))
        assert (reader.ids(), reader.fingerprint) == (("a",), before)
    assert reader.ids() == ("a", "b")
    reader.close()
    writer.close()
