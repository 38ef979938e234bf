"""Admission: what is in already is never replaced unasked, never doubled, and every record is accounted for."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from vestigia.corpus.admission import is_same_file
from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.duplicates import Twin, twins
from vestigia.corpus.importing import FileReport, ImportOptions, ImportReport, import_path, report_of
from vestigia.domain.archive import Document
from vestigia.domain.ids import DocumentId

LETTER = (
    "Mein lieber Freund! Das Wasser ist seit gestern um zwei Ellen gestiegen, und die Brücke am unteren Tor wird "
    "es nicht mehr lange aushalten. Wir haben die Bücher in das obere Stockwerk getragen und warten ab."
)
UPDATE = ImportOptions(update=True)


@pytest.fixture
def catalogue(tmp_path: Path) -> Iterator[Catalogue]:
    opened = Catalogue(tmp_path / "catalogue.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "letters"
    made.mkdir()
    return made


def records(path: Path, *some: dict[str, str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in some), encoding="utf-8")
    return path


def only(report: ImportReport) -> FileReport:
    (one,) = report.files
    return one


def stored(catalogue: Catalogue, name: str) -> Document:
    found = catalogue.document(DocumentId(name))
    assert found is not None
    return found


def counted(report: FileReport) -> tuple[int, int, int, int, int]:
    return (report.documents, report.unchanged, report.updated, report.twins, len(report.refused))


def test_a_changed_record_is_refused_unasked_and_the_report_says_how_to_take_it(catalogue: Catalogue, folder: Path):
    path = folder / "a.jsonl"
    import_path(catalogue, records(path, {"id": "1", "text": "Un."}))
    one = only(import_path(catalogue, records(path, {"id": "1", "text": "Deux."})))
    assert counted(one) == (0, 0, 0, 0, 1)
    assert "--update" in one.refused[0].reason
    assert stored(catalogue, "1").text == "Un."


def test_with_update_a_changed_record_takes_the_place_of_the_stored_one(catalogue: Catalogue, folder: Path):
    path = folder / "a.jsonl"
    import_path(catalogue, records(path, {"id": "1", "text": "Un."}, {"id": "2", "text": "Deux."}))
    one = only(
        import_path(
            catalogue,
            records(
                path, {"id": "0", "text": "Zéro."}, {"id": "1", "text": "Un, corrigé."}, {"id": "2", "text": "Deux."}
            ),
            UPDATE,
        )
    )
    assert counted(one) == (1, 1, 1, 0, 0)
    assert one.passages == 2
    assert stored(catalogue, "1").text == "Un, corrigé."
    assert stored(catalogue, "1").provenance.record == "line 2"


def test_with_update_another_description_is_taken_without_a_warning(catalogue: Catalogue, folder: Path):
    path = folder / "a.jsonl"
    import_path(catalogue, records(path, {"id": "1", "text": "Un."}))
    one = only(import_path(catalogue, records(path, {"id": "1", "text": "Un.", "title": "Lettre"}), UPDATE))
    assert (counted(one), one.warnings) == ((0, 0, 1, 0, 0), ())
    assert stored(catalogue, "1").title == "Lettre"


def test_updating_twice_changes_nothing_the_second_time(catalogue: Catalogue, folder: Path):
    path = folder / "a.jsonl"
    import_path(catalogue, records(path, {"id": "1", "text": "Un."}))
    import_path(catalogue, records(path, {"id": "1", "text": "Deux."}), UPDATE)
    before = (catalogue.fingerprint, catalogue.batch)
    assert counted(only(import_path(catalogue, path, UPDATE))) == (0, 1, 0, 0, 0)
    assert (catalogue.fingerprint, catalogue.batch) == before


def test_two_records_of_one_id_in_one_import_stay_a_conflict_and_never_take_turns(catalogue: Catalogue, folder: Path):
    path = records(folder / "a.jsonl", {"id": "1", "text": "Un."}, {"id": "1", "text": "Deux."})
    for _ in range(3):
        one = only(import_path(catalogue, path, UPDATE))
        assert [refused.place for refused in one.refused] == ["line 2"]
        assert "--update" not in one.refused[0].reason
        assert stored(catalogue, "1").text == "Un."


def test_with_update_a_record_of_another_file_replaces_nothing(catalogue: Catalogue, folder: Path):
    import_path(catalogue, records(folder / "a.jsonl", {"id": "1", "text": "Un."}))
    one = only(import_path(catalogue, records(folder / "b.jsonl", {"id": "1", "text": "Autre chose."}), UPDATE))
    assert counted(one) == (0, 0, 0, 0, 1)
    assert stored(catalogue, "1").text == "Un."


def test_an_edited_text_file_is_replaced_with_update(catalogue: Catalogue, folder: Path):
    path = folder / "1887-03-11.txt"
    path.write_text("Paris.", encoding="utf-8")
    import_path(catalogue, path)
    path.write_text("Lyon.", encoding="utf-8")
    assert counted(only(import_path(catalogue, path))) == (0, 0, 0, 0, 1)
    assert counted(only(import_path(catalogue, path, UPDATE))) == (0, 0, 1, 0, 0)
    assert stored(catalogue, "letters/1887-03-11").text == "Lyon."


@pytest.mark.parametrize("text", [LETTER, LETTER.replace("Brücke", "Brückc") + "\nIhr A.", LETTER.upper()])
def test_a_record_of_another_file_that_says_the_same_is_a_twin_not_a_conflict(
    catalogue: Catalogue, folder: Path, text: str
):
    records(folder / "a.jsonl", {"id": "L1", "text": LETTER})
    records(folder / "b.jsonl", {"id": "L1", "text": text, "title": "Brief"})
    for options in (ImportOptions(), UPDATE, ImportOptions()):
        first, second = import_path(catalogue, folder, options).files
        assert counted(second) == (0, 0, 0, 1, 0)
        assert not second.failure
        assert not second.warnings
    assert first.unchanged == 1
    (twin,) = twins(catalogue)
    assert (twin.document, twin.file, twin.record) == ("L1", (folder / "b.jsonl").as_posix(), "line 1")
    assert 0.8 <= twin.similarity <= 1
    assert stored(catalogue, "L1").text == LETTER


def test_another_text_under_the_id_of_another_file_is_still_a_conflict(catalogue: Catalogue, folder: Path):
    records(folder / "a.jsonl", {"id": "L1", "text": LETTER})
    records(folder / "b.jsonl", {"id": "L1", "text": "Wir haben die Bücher verkauft."})
    _, second = import_path(catalogue, folder).files
    assert counted(second) == (0, 0, 0, 0, 1)
    assert twins(catalogue) == ()


def test_a_copy_of_the_file_has_nothing_to_tell(catalogue: Catalogue, folder: Path):
    records(folder / "a.jsonl", {"id": "L1", "text": LETTER})
    records(folder / "copy" / "a.jsonl", {"id": "L1", "text": LETTER})
    assert [counted(one) for one in import_path(catalogue, folder).files] == [(1, 0, 0, 0, 0), (0, 1, 0, 0, 0)]
    assert twins(catalogue) == ()


def test_a_twin_that_is_one_no_more_is_forgotten(catalogue: Catalogue, folder: Path):
    records(folder / "a.jsonl", {"id": "L1", "text": LETTER})
    path = records(folder / "b.jsonl", {"id": "L1", "text": LETTER.upper()})
    import_path(catalogue, folder)
    assert twins(catalogue) == (Twin(DocumentId("L1"), path.as_posix(), "line 1", 1.0),)
    import_path(catalogue, records(path, {"id": "L2", "text": "Anderes."}))
    assert twins(catalogue) == ()


def test_a_twin_goes_with_its_document(catalogue: Catalogue, folder: Path):
    records(folder / "a.jsonl", {"id": "L1", "text": LETTER})
    records(folder / "b.jsonl", {"id": "L1", "text": LETTER.upper()})
    import_path(catalogue, folder)
    with catalogue.writing():
        catalogue.delete([DocumentId("L1")])
    assert twins(catalogue) == ()


def test_the_same_file_is_known_by_its_path_a_link_and_its_name_when_it_was_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "a").mkdir()
    path, other = tmp_path / "a" / "x.txt", tmp_path / "x.txt"
    for one in (path, other):
        one.write_text("x", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "a")
    assert is_same_file(path.as_posix(), "x.txt")
    assert is_same_file("x.txt", path.as_posix())
    assert not is_same_file(path.as_posix(), other.as_posix())
    assert is_same_file("gone/x.txt", path.as_posix())
    assert not is_same_file("gone/y.txt", path.as_posix())
    os.link(path, tmp_path / "hard.txt")
    assert is_same_file("x.txt", "../hard.txt")


def test_a_member_of_a_zip_archive_that_is_still_there_was_not_moved(tmp_path: Path):
    (tmp_path / "a.zip").write_bytes(b"")
    (tmp_path / "b.zip").write_bytes(b"")
    one, other = f"{tmp_path.as_posix()}/a.zip/docs.jsonl", f"{tmp_path.as_posix()}/b.zip/docs.jsonl"
    assert is_same_file(one, one)
    assert not is_same_file(one, other)


def test_the_last_report_of_each_file_is_kept_as_it_was(catalogue: Catalogue, folder: Path):
    records(folder / "a.jsonl", {"id": "1", "text": "Un."}, {"id": "1", "text": "Deux."}, {"id": "3", "text": "A\0B"})
    (folder / "b.txt").write_bytes(b"")
    (folder / "queries.jsonl").write_text("{}", encoding="utf-8")
    for _ in range(2):
        report = import_path(catalogue, folder)
        kept = [report_of(told, warnings) for _, told, warnings in catalogue.reports()]
        assert kept == list(report.files)
    assert [bool(one.failure) for one in kept] == [False, True, False]
    assert kept[0].refused
    assert kept[0].warnings
    assert kept[2].skipped
