"""The bad input that collections hold: refused or repaired file by file with the reason, and the neighbours go in."""

import os
import socket
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.importing import FileReport, import_path
from vestigia.domain.archive import Document
from vestigia.domain.errors import UsageError
from vestigia.domain.ids import DocumentId

ALTO = """<alto><Layout><Page ID="P1"><PrintSpace><TextBlock ID="B1"><TextLine HPOS="1" VPOS="1" WIDTH="9" HEIGHT="9">
<String CONTENT="Le"/><SP/><String CONTENT="pont."/></TextLine></TextBlock></PrintSpace></Page></Layout></alto>"""
METS = """<mets xmlns:xlink="http://www.w3.org/1999/xlink"><fileSec><fileGrp USE="Text">
<file ID="F1"><FLocat xlink:href="{}"/></file></fileGrp></fileSec>
<structMap TYPE="PHYSICAL"><div><div TYPE="page" ORDER="1"><fptr FILEID="F1"/></div></div></structMap></mets>"""


@pytest.fixture
def catalogue(tmp_path: Path) -> Iterator[Catalogue]:
    opened = Catalogue(tmp_path / "catalogue.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "Temps"
    made.mkdir()
    (made / "z.txt").write_text("Un voisin.", encoding="utf-8")
    return made


def added(catalogue: Catalogue, folder: Path) -> dict[str, FileReport]:
    """Import a folder twice, the second time without effect; the neighbour is in. Returns the other files' reports."""
    reports = {one.file.removeprefix(f"{folder.as_posix()}/"): one for one in import_path(catalogue, folder).files}
    assert reports.pop("z.txt").documents == 1
    before = catalogue.fingerprint
    assert import_path(catalogue, folder).total("documents") == 0
    assert catalogue.fingerprint == before
    return reports


def text(catalogue: Catalogue, document: str) -> str:
    found = catalogue.document(DocumentId(document))
    assert isinstance(found, Document)
    return found.text


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.txt", b"", "the file is empty"),
        ("a.txt", b" \n\x0c\n", "the file is empty"),
        ("a.txt", "Où ça, là".encode()[:-1], "breaks off inside a character"),
        ("a.txt", "Le pont".encode("utf-16") + b"a", "breaks off inside a character"),
        ("a.txt", b"\xff\xfe" + b"a\0" * 5 + b"\0\xd8" + b"b\0" * 5, "says it is utf-16 but byte"),
        ("a.txt", bytes(range(1, 32)) * 9, "not text"),
        ("a.txt", b"freedom\xa1Xand", "without doubt"),
        ("a.csv", "id,text\n1,Où ça, là".encode()[:-1], "breaks off inside a character"),
        ("a.csv", "id,text\n1,ça\n".encode("utf-16") + b"a", "breaks off inside a character"),
        ("a.csv", b"1,1887,Un pont\n", "no column holds a text"),
        ("a.csv", b"text,text\na,b\n", "two columns are called 'text'"),
        ("a.jsonl", '{"text": "Où"}\n'.encode("utf-16"), "JSON Lines are UTF-8"),
        ("a.zip", b"PK\3\4", "zip archive is damaged"),
        ("a.xls", b"\xd0\xcf\x11\xe0", "workbooks of this kind are not read"),
        ("a.parquet", b"PAR1", "Parquet"),
        ("a.bin", b"\0" * 99, "no reader takes files of this kind"),
    ],
)
def test_a_file_of_which_nothing_can_be_read_is_refused_with_its_reason(
    catalogue: Catalogue, folder: Path, name: str, content: bytes, reason: str
):
    (folder / name).write_bytes(content)
    (report,) = added(catalogue, folder).values()
    assert reason in report.failure
    assert (report.documents, report.passages) == (0, 0)


@pytest.mark.parametrize(
    ("name", "content", "places", "documents"),
    [
        ("a.jsonl", b'{"text": "Un."}\n{"text": "De', ["line 2"], 1),
        ("a.jsonl", b'{"text": "Un."}\n{"text": "\xc3"}\n{"text": "Deux."}', ["line 2"], 2),
        ("a.json", b'[{"text": "Un."}, {"text": "De', ["record 2"], 1),
        ("a.json", b"[" * 100_000, ["record 1"], 0),
        ("a.json", b'{"text": "De', ["record 1"], 0),
        ("a.csv", b'id,text\n1,Un\n2,"Deux', ["line 3"], 1),
        ("a.csv", b"id,text\n1,Un, deux\n2,Trois\n", ["line 2"], 1),
    ],
)
def test_a_record_that_cannot_be_read_is_refused_with_its_place(
    catalogue: Catalogue, folder: Path, name: str, content: bytes, places: list[str], documents: int
):
    (folder / name).write_bytes(content)
    (report,) = added(catalogue, folder).values()
    assert ([one.place for one in report.refused], report.documents) == (places, documents)
    assert all(one.reason for one in report.refused)


@pytest.mark.parametrize(
    ("content", "kept", "reason"),
    [
        ("Le\0 pont.", "Le pont.", "1 NUL characters were removed"),
        ("Le\x07 pont" + " est là" * 30, "Le\x07 pont" + " est là" * 30, r"e.g. '\x07'"),
        ("OÃ¹ Ãªtes-vous, lÃ -bas, Ã©lÃ¨ve?", "OÃ¹ Ãªtes-vous, lÃ -bas, Ã©lÃ¨ve?", "encoded twice, e.g. 'OÃ¹'"),
    ],
)
def test_a_text_that_looks_damaged_goes_in_and_it_is_told(
    catalogue: Catalogue, folder: Path, content: str, kept: str, reason: str
):
    (folder / "a.txt").write_text(content, encoding="utf-8")
    (report,) = added(catalogue, folder).values()
    assert reason in report.warnings[0].reason
    assert text(catalogue, "Temps/a") == kept


def test_half_a_surrogate_pair_is_shown_and_told(catalogue: Catalogue, folder: Path):
    (folder / "a.jsonl").write_text('{"id": "h", "text": "Par\\ud83dis"}', encoding="utf-8")
    (report,) = added(catalogue, folder).values()
    assert "half a surrogate pair" in report.warnings[0].reason
    assert text(catalogue, "h") == "Par\ufffdis"


def test_noise_that_looks_like_mark_up_is_text(catalogue: Catalogue, folder: Path):
    noise = "Le <!-- pont -- ]]> & <b fut &amp; {\\rtf %PDF <?php emporté."
    (folder / "a.txt").write_text(noise, encoding="utf-8")
    assert added(catalogue, folder)["a.txt"].documents == 1
    assert text(catalogue, "Temps/a") == noise


def test_links_in_circles_and_to_nothing_are_told_and_folders_are_read_once(catalogue: Catalogue, folder: Path):
    (folder / "a.txt").symlink_to("a.txt")
    (folder / "b.txt").symlink_to("c.txt")
    (folder / "round").symlink_to(".")
    (folder / "m.xml").write_text(METS.format("a.txt"), encoding="utf-8")
    reports = added(catalogue, folder)
    assert sorted(reports) == ["a.txt", "b.txt", "m.xml"]
    assert "no regular file" in reports["a.txt"].failure
    assert "no regular file" in reports["b.txt"].failure


def test_what_is_no_file_of_a_disk_is_refused_and_never_waited_for(catalogue: Catalogue, folder: Path):
    os.mkfifo(folder / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as listening:
        here = os.open(folder, os.O_RDONLY)
        try:
            listening.bind(f"/proc/self/fd/{here}/socket.txt")  # a path in full may be too long for a socket
        finally:
            os.close(here)
        (folder / "zero.txt").symlink_to("/dev/zero")
        reports = added(catalogue, folder)
    assert set(reports) == {"pipe.txt", "socket.txt", "zero.txt"}
    assert all("no regular file" in one.failure for one in reports.values())


@pytest.mark.skipif(not Path("/proc/version").exists(), reason="the system makes up no files")
def test_a_file_that_the_system_makes_up_is_refused_unread(catalogue: Catalogue, folder: Path):
    (folder / "a.txt").symlink_to("/proc/kmsg")  # to read it is to wait for ever
    (folder / "b.txt").symlink_to("/proc/version")
    reports = added(catalogue, folder)
    assert [one.failure for one in reports.values()] == ["the file is empty. Replace it with a complete copy."] * 2


def test_a_file_name_that_is_no_utf8_is_written_out_and_told(catalogue: Catalogue, folder: Path):
    for byte in (b"\xe9", b"\xe8"):
        path = folder / b"caf".decode() / (b"caf" + byte + b"_1887.txt").decode("utf-8", "surrogateescape")
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"Un café {byte[0]}.", encoding="utf-8")
    reports = added(catalogue, folder)
    assert sorted(reports) == ["caf/caf\\xe8_1887.txt", "caf/caf\\xe9_1887.txt"]
    assert [one.documents for one in reports.values()] == [1, 1]
    assert all("the name is not UTF-8" in one.warnings[0].reason for one in reports.values())


@pytest.mark.parametrize(
    "name", ["é" * 120 + ".txt", "a\nb\x1b[31m.txt", "a'; DROP TABLE documents; --.txt", "%s{}.txt"]
)
def test_strange_names_are_names(catalogue: Catalogue, folder: Path, name: str):
    (folder / name).write_text("Un pont.", encoding="utf-8")
    assert added(catalogue, folder)[name].documents == 1


@pytest.mark.parametrize("name", ["a" * 300, "a\0b", "x/" * 3000])
def test_a_path_that_cannot_exist_is_a_usage_error(catalogue: Catalogue, folder: Path, name: str):
    with pytest.raises(UsageError, match="no such file"):
        import_path(catalogue, folder / name)


def test_a_cell_and_a_line_beyond_the_limit_are_refused(catalogue: Catalogue, folder: Path):
    with (folder / "a.csv").open("w", encoding="utf-8") as stream:
        stream.write('id,text\n1,"' + "x" * 68_000_000 + '"\n2,ok\n')
    (report,) = added(catalogue, folder).values()
    assert (report.documents, [one.place for one in report.refused]) == (1, ["line 2"])
    assert "more than 64 MB" in report.refused[0].reason


def packed(path: Path, **members: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/"), content)
    return path


def test_a_zip_is_read_like_the_folder_it_was(catalogue: Catalogue, folder: Path):
    with zipfile.ZipFile(folder / "Figaro.zip", "w") as archive:
        archive.writestr("1887-01-12.txt", "Le pont.")
        archive.writestr("lettres/a.csv", "id;text\nL1;Le pont.\n")
    reports = added(catalogue, folder)
    assert {name: one.documents for name, one in reports.items()} == {
        "Figaro.zip/1887-01-12.txt": 1,
        "Figaro.zip/lettres/a.csv": 1,
    }
    document = catalogue.document(DocumentId("Figaro/1887-01-12"))
    assert document is not None
    assert (document.sub_corpus, document.provenance.file) == (
        "Figaro",
        f"{folder.as_posix()}/Figaro.zip/1887-01-12.txt",
    )


def test_a_mets_issue_in_a_zip_claims_its_pages(catalogue: Catalogue, folder: Path):
    with zipfile.ZipFile(folder / "issue.zip", "w") as archive:
        archive.writestr("x/alto/1.xml", ALTO)
        archive.writestr("x/mets.xml", METS.format("alto/1.xml"))
    reports = added(catalogue, folder)
    assert reports["issue.zip/x/mets.xml"].documents == 1
    assert "read as a part of" in reports["issue.zip/x/alto/1.xml"].skipped


def test_a_mets_issue_in_a_zip_reaches_nothing_outside_it(catalogue: Catalogue, folder: Path):
    (folder / "secret.xml").write_text(ALTO, encoding="utf-8")
    with zipfile.ZipFile(folder / "a.zip", "w") as archive:
        archive.writestr("mets.xml", METS.format("../secret.xml"))
    reports = added(catalogue, folder)
    assert "which is not there" in reports["a.zip/mets.xml"].failure
    assert reports["secret.xml"].documents == 1


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_each_bad_member_of_a_zip_has_its_line_in_the_report(catalogue: Catalogue, folder: Path):
    link = zipfile.ZipInfo("link.txt")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(folder / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("../out.txt", "/abs.txt", "C:/c.txt", "b\\c.txt", "inner.zip", "good.txt", "good.txt"):
            archive.writestr(name, "Le pont.")
        archive.writestr(link, "/etc/passwd")
        archive.writestr("bomb.txt", b"0" * (65 << 20))
        archive.writestr("__MACOSX/._good.txt", "?")
        archive.writestr("noise.bin", b"".join(bytes([n * n % 251]) for n in range(400_000)), zipfile.ZIP_STORED)
    reports = added(catalogue, folder)
    failures = {name: one.failure for name, one in reports.items() if one.failure}
    assert len(failures) == 9
    assert reports["a.zip/good.txt"].documents == 1
    assert "before it; that one counts" in failures["a.zip/good.txt (again)"]
    assert "as bombs do" in failures["a.zip/bomb.txt"]
    assert not any("MACOSX" in name for name in reports)


def test_a_damaged_member_is_refused_and_the_others_go_in(catalogue: Catalogue, folder: Path):
    path = packed(folder / "a.zip", **{"a.txt": "Le pont. " * 5, "b.txt": "Un autre pont."})
    content = bytearray(path.read_bytes())
    at = content.index(b"a.txt") + 6
    content[at : at + 4] = b"\xff" * 4
    path.write_bytes(content)
    reports = added(catalogue, folder)
    assert "it is damaged in the archive" in reports["a.zip/a.txt"].failure
    assert reports["a.zip/b.txt"].documents == 1


@pytest.mark.parametrize("hidden", [True, False])
def test_a_folder_without_files_says_why_nothing_came(catalogue: Catalogue, tmp_path: Path, hidden: bool):
    empty = tmp_path / "leer"
    empty.mkdir()
    if hidden:
        (empty / ".a.txt").write_text("Un pont.", encoding="utf-8")
    (report,) = import_path(catalogue, empty).files
    assert (report.file, report.failure) == (empty.as_posix(), "there is no file in it; hidden ones are passed over.")
