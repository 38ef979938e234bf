"""Importing: every file is accounted for, one bad file stops nothing, twice is as once."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from vestigia.corpus.archives import Shelf
from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.folders import find_files
from vestigia.corpus.importing import (
    BUILT_IN,
    FileReport,
    ImportOptions,
    ImportReport,
    Progress,
    import_path,
)
from vestigia.corpus.readers.records import RecordsReader
from vestigia.domain.archive import Document
from vestigia.domain.errors import ArchiveError, UsageError
from vestigia.domain.ids import DocumentId
from vestigia.domain.ports import Refused, Source


@pytest.fixture
def catalogue(tmp_path: Path) -> Iterator[Catalogue]:
    opened = Catalogue(tmp_path / "catalogue.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "Le Temps"
    made.mkdir()
    return made


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def only(report: ImportReport) -> FileReport:
    (one,) = report.files
    return one


def test_a_file_is_reported_with_its_counts(catalogue: Catalogue, folder: Path):
    path = write(folder / "a.jsonl", '{"id": "1", "text": "Un.", "date": "1887"}\n{"id": "2", "text": "Deux."}\n')
    one = only(import_path(catalogue, path))
    assert one == FileReport(path.as_posix(), "jsonl", documents=2, passages=2, dated=1, undated=1)


def test_running_it_again_changes_nothing(catalogue: Catalogue, folder: Path):
    write(folder / "a.jsonl", '{"id": "1", "text": "Un."}\n{"text": "Sans id."}\n')
    write(folder / "1887-01-12.txt", "Paris.")
    import_path(catalogue, folder)
    before = (catalogue.fingerprint, catalogue.batch)
    again = import_path(catalogue, folder)
    assert (again.total("documents"), again.total("unchanged"), again.total("passages")) == (0, 3, 0)
    assert all(not one.warnings and not one.refused for one in again.files)
    assert (catalogue.fingerprint, catalogue.batch) == before


def test_a_folder_is_read_whole_by_name_and_hidden_files_are_passed_over(catalogue: Catalogue, folder: Path):
    for name in ("b.txt", "a/c.txt", "a/b.txt", ".hidden.txt", ".git/x.txt"):
        write(folder / name, f"Texte {name}.")
    report = import_path(catalogue, folder)
    assert [Path(one.file).relative_to(folder).as_posix() for one in report.files] == ["a/b.txt", "a/c.txt", "b.txt"]
    assert {one.name for one in catalogue.sub_corpora()} == {"a", "Le Temps"}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("queries.jsonl", "questions of a test collection"),
        ("questions.jsonl", "questions of a test collection"),
        ("qrels.tsv", "judgments of a test collection"),
        ("qrels.test.txt", "judgments of a test collection"),
        ("SOURCE.md", "a description of the folder"),
        ("README", "a description of the folder"),
        ("readme.txt", "a description of the folder"),
        ("LICENSE", "a licence"),
        ("Licence.txt", "a licence"),
    ],
)
def test_files_that_are_not_documents_are_named_and_never_imported(
    catalogue: Catalogue, folder: Path, name: str, kind: str
):
    path = write(folder / name, '{"id": "1", "text": "Un."}')
    assert only(import_path(catalogue, path)) == FileReport(path.as_posix(), skipped=f"not a document: {kind}")
    assert catalogue.sub_corpora() == ()


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.jsonl", b"", "the file is empty"),
        ("a.txt", b" \n", "the file is empty"),
        ("a.csv", b"id,note\n1,x\n", "no column holds a text"),
        ("a.txt", b"freedom\xa1Xand", "without doubt"),
        ("a.xml", b'<record xmlns="http://www.loc.gov/MARC21/slim"/>', "a library's records (MARCXML), which describe"),
        ("a.xml", b"<record><controlfield tag='001'>1</controlfield></record>", "a library's records (MARCXML)"),
        (
            "a.xml",
            b"<ead/>",
            "(EAD) with its entries, which describe sources and hold none of their texts. Add the texts",
        ),
        ("a.xml", b"<x:OAI-PMH xmlns:x='u'/>", "the answer of a catalogue"),
        ("a.xml", b"<modern/>", "no reader takes XML that begins with <modern>"),
        ("a.xml", b"<svg/>", "no reader takes XML that begins with <svg>"),
        ("a.bin", b"\xff\xd8\xff", "no reader takes"),
        ("a.xml", b"<TEI>", "line 1: the file is not well-formed XML"),
        ("a.json", b"[]", "no document was found"),
    ],
)
def test_a_file_of_which_nothing_can_be_read_says_why_and_its_neighbours_go_in(
    catalogue: Catalogue, folder: Path, name: str, content: bytes, reason: str
):
    write(folder / name, content)
    write(folder / "z.jsonl", '{"id": "1", "text": "Un."}')
    bad, good = import_path(catalogue, folder).files
    assert reason in bad.failure
    assert name not in bad.failure
    assert (bad.documents, good.documents) == (0, 1)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.jpg", b"\xff\xd8\xff", "an image; only text that was recognised or transcribed can be searched"),
        ("a.TIF", b"II*\x00", "an image"),
        ("~$a.xlsx", b"Ada", "a mark that a program left"),
        ("desktop.ini", b"[x]", "a file of the operating system"),
        ("metadata.xml", b"<trpDocMetadata><title>Akten</title></trpDocMetadata>", "what Transkribus knows"),
    ],
)
def test_what_goes_with_documents_is_passed_over_and_told(
    catalogue: Catalogue, folder: Path, name: str, content: bytes, reason: str
):
    write(folder / name, content)
    one = only(import_path(catalogue, folder / name))
    assert one.skipped.startswith(f"not a document: {reason}")
    assert (one.failure, one.refused, one.documents) == ("", (), 0)


def test_a_text_under_the_name_of_an_image_is_read(catalogue: Catalogue, folder: Path):
    assert only(import_path(catalogue, write(folder / "a.tif", "<alto><String CONTENT='Mot'/></alto>"))).documents == 1


def test_a_bad_record_is_refused_with_its_line_and_the_rest_goes_in(catalogue: Catalogue, folder: Path):
    path = write(folder / "a.jsonl", '{"text": "Un."}\n{"te\n{"id": "3"}\n{"text": "Deux."}\n')
    one = only(import_path(catalogue, path))
    assert one.documents == 2
    assert [refused.place for refused in one.refused] == ["line 2", "line 3"]
    assert one.failure == ""


def test_an_id_with_another_text_is_refused_with_both_places(catalogue: Catalogue, folder: Path):
    first = write(folder / "a.jsonl", '{"id": "1", "text": "Un."}\n{"id": "1", "text": "Deux."}\n')
    second = write(folder / "b.jsonl", '{"id": "1", "text": "Trois."}\n')
    one, other = import_path(catalogue, folder).files
    for report, place in ((one, "line 2"), (other, "line 1")):
        (refused,) = report.refused
        assert refused.place == place
        assert f"from {first.as_posix()}, line 1; that one was kept" in refused.reason
    stored = catalogue.document(DocumentId("1"))
    assert stored is not None
    assert stored.text == "Un."
    assert other.file == second.as_posix()


def test_the_same_text_described_otherwise_is_a_warning(catalogue: Catalogue, folder: Path):
    path = write(folder / "a.jsonl", '{"id": "1", "text": "Un.", "title": "Lettre"}')
    import_path(catalogue, path)
    other = only(import_path(catalogue, write(path, '{"id": "1", "text": "Un.", "title": "Brief"}')))
    (warning,) = other.warnings
    assert (other.unchanged, other.documents) == (1, 0)
    assert "described otherwise" in warning.reason


def test_text_files_of_one_name_in_different_folders_all_go_in(catalogue: Catalogue, folder: Path):
    for issue in ("issue1", "issue2", "issue3"):
        write(folder / issue / "txt" / "page001.txt", f"Texte de {issue}.")
    assert import_path(catalogue, folder).total("documents") == 3
    again = import_path(catalogue, folder)
    assert (again.total("documents"), again.total("unchanged")) == (0, 3)
    assert not any(one.refused for one in again.files)


def test_a_text_file_that_was_edited_is_refused_not_doubled(catalogue: Catalogue, folder: Path):
    path = write(folder / "1887.txt", "Paris.")
    import_path(catalogue, path)
    write(path, "Paris et Lyon.")
    one = only(import_path(catalogue, path))
    assert one.documents == 0
    assert "with another text" in one.refused[0].reason


def test_the_users_word_on_sub_corpus_language_and_columns_counts(catalogue: Catalogue, folder: Path):
    path = write(folder / "a.csv", "Nr;Brief\n1;Lieber Freund\n")
    options = ImportOptions(sub_corpus="Briefe", language="German", mapping={"Nr": "id", "Brief": "text"})
    assert only(import_path(catalogue, path, options)).documents == 1
    stored = catalogue.document(DocumentId("1"))
    assert stored is not None
    assert (stored.sub_corpus, stored.language, stored.text) == ("Briefe", "de", "Lieber Freund")


def test_a_mapping_to_an_unknown_field_is_refused_before_anything_is_read(catalogue: Catalogue, folder: Path):
    with pytest.raises(UsageError, match="cannot be mapped"):
        import_path(catalogue, write(folder / "a.jsonl", '{"text": "Un."}'), ImportOptions(mapping={"Brief": "txt"}))


def test_nul_characters_are_removed_with_a_warning_and_broken_characters_are_shown(catalogue: Catalogue, folder: Path):
    one = only(import_path(catalogue, write(folder / "a.jsonl", '{"id": "1", "text": "Pa\\u0000ris \\ud800."}')))
    assert one.documents == 1
    assert [warning.place for warning in one.warnings] == ["line 1", "line 1"]
    stored = catalogue.document(DocumentId("1"))
    assert stored is not None
    assert stored.text == "Paris \ufffd."


def test_a_text_of_nothing_but_nul_characters_is_refused(catalogue: Catalogue, folder: Path):
    one = only(import_path(catalogue, write(folder / "a.jsonl", '{"id": "1", "text": "\\u0000"}')))
    assert one.refused == (Refused("line 1", "the text is empty."),)
    assert one.documents == 0


def test_links_in_a_circle_are_followed_once(catalogue: Catalogue, folder: Path):
    write(folder / "a" / "x.txt", "Un.")
    (folder / "a" / "up").symlink_to(folder)
    (folder / "b").symlink_to(folder / "a")
    assert len(list(find_files(folder, Shelf()))) == 1


def test_a_link_to_nothing_and_a_pipe_are_reported(catalogue: Catalogue, folder: Path):
    (folder / "a.txt").symlink_to(folder / "absent")
    os.mkfifo(folder / "b.txt")
    assert ["no regular file" in one.failure for one in import_path(catalogue, folder).files] == [True, True]


def test_a_file_that_cannot_be_opened_is_reported(catalogue: Catalogue, folder: Path, monkeypatch: pytest.MonkeyPatch):
    path = write(folder / "a.txt", "Un.")

    def forbidden(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", forbidden)
    assert only(import_path(catalogue, path)).failure.startswith("the file cannot be read (Permission denied)")


def test_a_folder_that_cannot_be_listed_is_reported(
    catalogue: Catalogue, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    def forbidden(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", forbidden)
    assert "no regular file" in only(import_path(catalogue, folder)).failure


def test_a_path_that_does_not_exist_is_a_usage_error(catalogue: Catalogue, tmp_path: Path):
    with pytest.raises(UsageError, match="no such file"):
        import_path(catalogue, tmp_path / "absent")


def test_progress_is_told_for_each_file_and_record(catalogue: Catalogue, folder: Path):
    write(folder / "a.jsonl", '{"text": "Un."}\n{"text": "Deux."}\n')
    write(folder / "b.txt", "Trois.")
    told: list[Progress] = []
    import_path(catalogue, folder, progress=told.append)
    steps = [(one.done, one.files, one.records) for one in told]
    assert steps == [(0, 2, 0), (0, 2, 1), (0, 2, 2), (1, 2, 0), (1, 2, 1)]


class Breaking:
    """A reader that fails in the middle of a file, as a plug-in may."""

    name = "breaking"

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def sniff(self, name: str, head: bytes) -> bool:
        return name.endswith("b.jsonl")

    def read(self, source: Source) -> Iterator[Document | Refused]:
        yield from RecordsReader().read(source)
        raise self.error


def test_a_process_that_dies_loses_at_most_the_file_in_hand_and_running_it_again_completes(
    catalogue: Catalogue, folder: Path
):
    write(folder / "a.jsonl", '{"id": "1", "text": "Un."}')
    write(folder / "b.jsonl", '{"id": "2", "text": "Deux."}')
    with pytest.raises(KeyboardInterrupt):
        import_path(catalogue, folder, readers=(Breaking(KeyboardInterrupt()), *BUILT_IN))
    assert [card.id for card in catalogue.documents([DocumentId("1"), DocumentId("2")])] == ["1"]
    again = import_path(catalogue, folder)
    assert [(one.documents, one.unchanged) for one in again.files] == [(0, 1), (1, 0)]


def test_a_file_that_fails_half_way_leaves_nothing_of_itself(catalogue: Catalogue, folder: Path):
    write(folder / "b.jsonl", '{"id": "2", "text": "Deux."}')
    report = import_path(catalogue, folder, readers=(Breaking(OSError(5, "Input/output error")), *BUILT_IN))
    assert "Input/output error" in only(report).failure
    assert catalogue.sub_corpora() == ()


def test_a_full_disk_ends_the_import_with_what_went_in_before(catalogue: Catalogue, folder: Path):
    write(folder / "a.jsonl", '{"id": "1", "text": "Un."}')
    import_path(catalogue, folder)
    pages = catalogue.store.connection.execute("PRAGMA page_count").fetchone()[0]
    catalogue.store.connection.execute(f"PRAGMA max_page_count = {pages}")
    write(folder / "b.txt", "Paris est grand. " * 20_000)
    with pytest.raises(ArchiveError, match="disk is full"):
        import_path(catalogue, folder)
    assert len(catalogue.documents([DocumentId("1")])) == 1


def test_a_killed_import_is_completed_by_the_next(tmp_path: Path):
    for number in range(40):
        write(
            tmp_path / "in" / f"{number:02}.jsonl",
            "".join(f'{{"id": "{number}-{line}", "text": "Lettre {line}."}}\n' for line in range(50)),
        )
    script = (
        "import os, sys, pathlib; from vestigia.corpus.catalogue import Catalogue\n"
        "from vestigia.corpus.importing import import_path\n"
        "def die(p):\n    if p.done == 20 and p.records == 25: os._exit(9)\n"
        "import_path(Catalogue(pathlib.Path(sys.argv[1])), pathlib.Path(sys.argv[2]), progress=die)\n"
    )
    killed, whole = tmp_path / "killed.sqlite", tmp_path / "whole.sqlite"
    assert subprocess.run([sys.executable, "-c", script, killed, tmp_path / "in"], check=False).returncode == 9
    one, other = Catalogue(killed), Catalogue(whole)
    assert one.sub_corpora()[0].documents == 50
    assert len(one.sub_corpora()) == 20
    import_path(one, tmp_path / "in")
    import_path(other, tmp_path / "in")
    assert one.fingerprint == other.fingerprint
    one.close()
    other.close()


@pytest.mark.shared
@pytest.mark.parametrize(
    ("path", "documents", "dated", "sub_corpora", "failures"),
    [
        ("pec-letters-fr/docs.jsonl", 453, 453, 1, []),
        ("schnitzler-letters-de/docs.jsonl", 1677, 1677, 39, []),
        ("multihop-rag-500-en/docs.jsonl", 438, 438, 37, []),
        ("multihop-rag-500-en", 438, 438, 37, []),
        ("historiqa-sample-fr/docs.jsonl", 50, 50, 1, []),
        ("schnitzler-letters-de/tei", 55, 55, 12, []),
        ("pec-letters-fr/tei", 31, 31, 1, []),
        ("inaugural-txt-en", 58, 58, 1, ["2005-Bush.txt"]),
        ("debats-1881-txt-fr", 1, 1, 1, []),
    ],
)
def test_real_collections_go_in_whole_and_once(
    shared_data: Path,
    catalogue: Catalogue,
    path: str,
    documents: int,
    dated: int,
    sub_corpora: int,
    failures: list[str],
):
    report = import_path(catalogue, shared_data / path)
    assert (report.total("documents"), report.total("dated"), report.total("undated")) == (documents, dated, 0)
    assert len(catalogue.sub_corpora()) == sub_corpora
    assert [Path(one.file).name for one in report.files if one.failure] == failures
    assert not any(one.refused for one in report.files)
    before = (catalogue.fingerprint, catalogue.batch)
    again = import_path(catalogue, shared_data / path)
    assert (again.total("documents"), again.total("unchanged")) == (0, documents)
    assert (catalogue.fingerprint, catalogue.batch) == before


@pytest.mark.shared
def test_a_tei_twin_of_a_record_is_reported_not_doubled(shared_data: Path, catalogue: Catalogue):
    import_path(catalogue, shared_data / "schnitzler-letters-de" / "docs.jsonl")
    twins = import_path(catalogue, shared_data / "schnitzler-letters-de" / "tei")
    assert twins.total("documents") == 0
    assert [(one.twins, one.refused, one.warnings) for one in twins.files] == [(1, (), ())] * 55
