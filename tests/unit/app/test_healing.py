"""What other processes, restored copies and damaged files do to an archive: said, and made good by the next `add`."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from vestigia.app import archive, asking
from vestigia.app.archive import add, status
from vestigia.app.asking import open_index
from vestigia.app.searching import search
from vestigia.app.workspace import Workspace, init
from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.importing import ImportOptions, import_path
from vestigia.domain.errors import ArchiveError, StaleIndexError
from vestigia.domain.ids import DocumentId
from vestigia.domain.question import Question
from vestigia.index.build import IndexWriter


def letter(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.jsonl"
    path.write_text(json.dumps({"id": name, "text": text}, ensure_ascii=False), encoding="utf-8")
    return path


def add_one(workspace: Workspace, name: str, text: str) -> None:
    add(workspace, [letter(workspace.root.parent, name, text)], ImportOptions())


def found(workspace: Workspace, query: str) -> list[str]:
    return [one.document for one in search(workspace, Question(query), "words", 10).candidates]


def indexed(workspace: Workspace) -> tuple[str, ...]:
    with IndexWriter(workspace.index) as writer:
        return writer.documents


# --- two at once ---


def test_what_another_process_imports_while_the_index_is_written_comes_in_with_the_next_add(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
):
    write = IndexWriter.add
    other = letter(workspace.root.parent, "V9", "Das Einhorn.")

    def meanwhile(writer: IndexWriter, pairs: Iterator) -> int:
        catalogue = workspace.catalogue()
        import_path(catalogue, other)
        catalogue.close()
        return write(writer, pairs)

    monkeypatch.setattr(IndexWriter, "add", meanwhile)
    add_one(workspace, "V3", "Das Hochwasser.")
    monkeypatch.undo()
    monkeypatch.setattr(asking, "available", tuple)
    monkeypatch.setattr(archive, "available", tuple)
    assert "V3" in indexed(workspace)
    assert status(workspace).stale
    with pytest.raises(StaleIndexError, match="vestigia add"):
        search(workspace, Question("Einhorn"), "words", 10)
    add(workspace, [other], ImportOptions())
    assert not status(workspace).stale
    assert found(workspace, "Einhorn") == ["V9"]


def test_an_add_that_is_refused_the_index_says_that_its_documents_are_kept_and_the_next_one_indexes_them(
    workspace: Workspace,
):
    with IndexWriter(workspace.index), pytest.raises(ArchiveError, match="run this again: what was imported is kept"):
        add_one(workspace, "V3", "Das Einhorn.")
    assert status(workspace).stale
    add_one(workspace, "V3", "Das Einhorn.")
    assert found(workspace, "Einhorn") == ["V3"]


def test_an_index_that_lacks_a_document_under_the_right_fingerprint_is_stale_and_is_completed(workspace: Workspace):
    catalogue = workspace.catalogue()
    with IndexWriter(workspace.index) as writer:
        writer.remove([DocumentId("V1")])
        writer.commit(catalogue.batch, catalogue.fingerprint)
    catalogue.close()
    assert status(workspace).stale
    with pytest.raises(StaleIndexError):
        search(workspace, Question("Alzette"), "words", 10)
    add(workspace, [workspace.root.parent / "letters.jsonl"], ImportOptions(sub_corpus="Letters"))
    assert found(workspace, "Alzette") == ["V1"]


def test_a_deletion_that_comes_while_traces_are_swept_keeps_the_sweep_due(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
):
    catalogue = workspace.catalogue()
    with catalogue.writing():
        catalogue.delete([DocumentId("V1")])

    def meanwhile(_index: Path) -> None:
        other = workspace.catalogue()
        with other.writing():
            other.delete([DocumentId("V2")])
        other.close()

    monkeypatch.setattr(archive, "sweep_vectors", meanwhile)
    archive.bring_up_to_date(workspace, catalogue)
    assert catalogue.unswept
    monkeypatch.undo()
    archive.bring_up_to_date(workspace, catalogue)
    assert not catalogue.unswept
    assert indexed(workspace) == ()
    catalogue.close()


# --- a copy was restored ---


def test_an_index_of_another_past_is_written_anew(workspace: Workspace):
    copy = workspace.root.parent / "copy.sqlite"
    shutil.copy(workspace.root / "catalogue.sqlite", copy)
    add_one(workspace, "A1", "Das Dromedar.")
    shutil.copy(copy, workspace.root / "catalogue.sqlite")
    with pytest.raises(StaleIndexError):
        search(workspace, Question("Dromedar"), "words", 10)
    add_one(workspace, "B1", "Das Einhorn.")
    assert indexed(workspace) == ("B1", "V1", "V2")
    assert found(workspace, "Einhorn") == ["B1"]
    assert found(workspace, "Dromedar") == []


def test_a_catalogue_knows_the_fingerprints_it_had(workspace: Workspace):
    catalogue = workspace.catalogue()
    before = (catalogue.batch, catalogue.fingerprint)
    add_one(workspace, "A1", "Das Dromedar.")
    assert catalogue.had(*before)
    assert catalogue.had(catalogue.batch, catalogue.fingerprint)
    assert not catalogue.had(before[0], catalogue.fingerprint)
    catalogue.close()
    empty = Catalogue(workspace.root / "empty.sqlite")
    assert empty.had(0, empty.fingerprint)
    assert not empty.had(0, before[1])
    empty.close()


def test_a_search_says_which_document_was_deleted_under_it(workspace: Workspace):
    def deleting(workspace: Workspace, catalogue: Catalogue):
        snapshot = open_index(workspace, catalogue)
        with catalogue.writing():
            catalogue.delete([DocumentId("V1")])
        return snapshot

    result = search(workspace, Question("Brücke"), "words", 10, opening=deleting)
    assert [one.document for one in result.candidates] == ["V2"]
    assert any("document V1" in gap and "no longer in the catalogue" in gap for gap in result.missing)


# --- files of the catalogue ---


@pytest.mark.parametrize("part", ["index", "runs"])
@pytest.mark.parametrize("emptied", [True, False])
def test_a_catalogue_that_is_gone_or_empty_beside_what_was_made_of_it_is_no_empty_archive(
    workspace: Workspace, part: str, emptied: bool
):
    (workspace.runs / "2026-01-01-a-000000").mkdir(parents=True)
    shutil.rmtree(workspace.root / {"index": "runs", "runs": "index"}[part])
    path = workspace.root / "catalogue.sqlite"
    path.unlink()
    if emptied:
        path.touch()
    for use in (lambda: status(workspace), lambda: search(workspace, Question("x"), "words", 1)):
        with pytest.raises(ArchiveError, match=r"catalogue\.sqlite: the catalogue is gone or empty.*Restore"):
            use()
    with pytest.raises(ArchiveError):
        add_one(workspace, "V3", "Das Einhorn.")
    assert not path.exists() or not path.stat().st_size


def test_an_archive_that_was_only_begun_gets_its_catalogue(tmp_path: Path):
    made = init(tmp_path / "begun")
    (made.root / "catalogue.sqlite").unlink()
    assert status(made).documents == 0


# --- files of the index ---


@pytest.mark.parametrize("lost", ["generation-*", "state.json", "generation-*/words", "generation-*/rows.npy"])
def test_an_index_that_lost_files_is_written_anew_by_the_next_add(workspace: Workspace, lost: str):
    for path in list(workspace.index.glob(lost)):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    with pytest.raises(ArchiveError):
        search(workspace, Question("Alzette"), "words", 10)
    add_one(workspace, "V3", "Das Einhorn.")
    assert found(workspace, "Alzette") == ["V1"]
    assert found(workspace, "Einhorn") == ["V3"]
