"""Names taken from paths."""

from pathlib import Path

import pytest

from fakes.sources import source
from vestigia.corpus.sources import FileSource, folder, longer_ids, named_id, read_whole, stem
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ids import DocumentId


def test_a_file_is_opened_from_its_beginning_each_time(tmp_path: Path):
    (tmp_path / "a.txt").write_bytes(b"Paris")
    here = FileSource(tmp_path / "a.txt", "a.txt")
    for _ in range(2):
        with here.open() as stream:
            assert stream.read() == b"Paris"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("temps/1881-11-10.txt", "1881-11-10"),
        ("a.b.xml", "a.b"),
        ("README", "README"),
    ],
)
def test_the_stem_is_the_name_without_folder_and_ending(name: str, expected: str):
    assert stem(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("archive/temps/a.txt", "temps"),
        ("a.txt", ""),
        ("../a.txt", ""),
        ("/a.txt", ""),
        ("in/Le Temps.zip/a.txt", "Le Temps"),
    ],
)
def test_the_folder_is_the_last_one_of_the_path(name: str, expected: str):
    assert folder(name) == expected


@pytest.mark.parametrize(
    ("name", "parts", "expected"),
    [
        ("archive/temps/a.txt", 1, "a"),
        ("archive/temps/a.txt", 2, "temps/a"),
        ("archive/temps/a.txt", 9, "archive/temps/a"),
        ("../temps/a.txt", 9, "temps/a"),
        ("/temps/a.txt", 9, "temps/a"),
        ("in/temps.ZIP/a.txt", 2, "temps/a"),
    ],
)
def test_a_document_is_named_by_the_end_of_its_path(name: str, parts: int, expected: str):
    assert named_id(name, parts) == expected


def test_a_name_taken_from_a_path_can_be_made_longer_folder_by_folder():
    longer = list(longer_ids(DocumentId("txt/p1"), "archive/issue2/txt/p1.txt"))
    assert longer == ["issue2/txt/p1", "archive/issue2/txt/p1"]


def test_an_article_of_a_file_keeps_its_name_under_longer_names_of_the_file():
    longer = list(longer_ids(DocumentId("issue/mets/A1"), "archive/1888/issue/mets.xml"))
    assert longer == ["1888/issue/mets/A1", "archive/1888/issue/mets/A1"]


def test_an_id_of_the_archives_own_is_never_made_longer():
    assert list(longer_ids(DocumentId("legaulois/18870112"), "archive/txt/p1.txt")) == []
    assert list(longer_ids(DocumentId("L0042"), "archive/tei/L0042.xml")) == []


def test_a_file_beyond_the_limit_is_refused_without_being_held():
    with pytest.raises(SourceRefusedError, match="larger than") as caught:
        read_whole(source("a.txt", b"x" * 11), limit=10)
    assert caught.value.where == "a.txt"


def test_a_file_knows_itself_and_its_folder_through_links(tmp_path: Path):
    (tmp_path / "Le Temps").mkdir()
    (tmp_path / "Le Temps" / "a.txt").write_bytes(b"Paris")
    (tmp_path / "b.txt").symlink_to(tmp_path / "Le Temps" / "a.txt")
    file, link = FileSource(tmp_path / "Le Temps" / "a.txt", "a.txt"), FileSource(tmp_path / "b.txt", "b.txt")
    assert (file.key, file.folder, file.is_regular) == (link.key, "Le Temps", True)
    assert link.folder == "Le Temps"


def test_links_in_a_circle_are_no_files_and_lie_beside_nothing(tmp_path: Path):
    (tmp_path / "a.txt").symlink_to(tmp_path / "b.txt")
    (tmp_path / "b.txt").symlink_to(tmp_path / "a.txt")
    loop = FileSource(tmp_path / "a.txt", "a.txt")
    assert loop.key
    assert not loop.is_regular
    assert loop.sibling("b.txt") is None


@pytest.mark.parametrize("path", ["\0", "a" * 5000 + ".xml", "x/" * 3000])
def test_a_name_that_no_file_can_have_lies_beside_nothing(tmp_path: Path, path: str):
    assert FileSource(tmp_path / "mets.xml", "mets.xml").sibling(path) is None
