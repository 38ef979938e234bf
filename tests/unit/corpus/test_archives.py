"""Zip archives: read like folders, and nothing of them reaches beyond."""

import hashlib
import io
import stat
import struct
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from vestigia.corpus.archives import Limits, MemberSource, Shelf, Unread, is_archive, members_of
from vestigia.corpus.encodings import decode
from vestigia.corpus.readers.records import RecordsReader
from vestigia.corpus.readers.xml import open_xml
from vestigia.corpus.sources import FileSource, at_any_place
from vestigia.domain.archive import Document


@pytest.fixture
def shelf() -> Iterator[Shelf]:
    with Shelf() as made:
        yield made


def packed(path: Path, *members: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    """A zip archive at a path, of members given as (name, content)."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content, zipfile.ZIP_DEFLATED)
    return path


def found(path: Path, shelf: Shelf, limits: Limits | None = None) -> tuple[list[str], dict[str, str]]:
    """The members that can be read, and the reasons why others cannot, by name."""
    everything = list(members_of(path, "a.zip", shelf, limits or Limits()))
    unread = {one.name: one.reason for one in everything if isinstance(one, Unread)}
    return [one.name for one in everything if isinstance(one, MemberSource)], unread


def source(path: Path, member: str, shelf: Shelf) -> MemberSource:
    (one,) = (
        one for one in members_of(path, "in/a.zip", shelf) if isinstance(one, MemberSource) and one.member == member
    )
    return one


def test_members_come_by_name_under_the_name_of_the_archive(tmp_path: Path, shelf: Shelf):
    path = packed(tmp_path / "a.zip", ("b.txt", b"B"), ("Le Temps/1887.txt", b"T"), ("a.txt", b"A"))
    assert found(path, shelf) == (["a.zip/Le Temps/1887.txt", "a.zip/a.txt", "a.zip/b.txt"], {})


def test_a_member_is_read_from_its_beginning_each_time(tmp_path: Path, shelf: Shelf):
    path = packed(tmp_path / "a.zip", ("a.txt", "Où êtes-vous?\n".encode() * 5000), ("b.xml", b"<a><b/></a>"))
    one = source(path, "a.txt", shelf)
    assert [decode(one)[0], decode(one)[1]] == ["Où êtes-vous?\n" * 5000, "utf-8"]
    assert open_xml(source(path, "b.xml", shelf)).tag == "a"


def test_a_member_can_be_read_at_any_place(tmp_path: Path, shelf: Shelf):
    one = source(packed(tmp_path / "a.zip", ("a.bin", bytes(range(256)) * 100)), "a.bin", shelf)
    with one.open() as stream:
        assert (stream.seek(-2, io.SEEK_END), stream.read(), stream.seek(3), stream.read(2)) == (
            25598,
            b"\xfe\xff",
            3,
            b"\3\4",
        )


def test_two_archives_can_be_read_in_turn_and_at_once(tmp_path: Path, shelf: Shelf):
    one = source(packed(tmp_path / "a.zip", ("a.txt", b"A" * 9000)), "a.txt", shelf)
    other = source(packed(tmp_path / "b.zip", ("b.txt", b"B" * 9000)), "b.txt", shelf)
    with one.open() as first, other.open() as second, one.open() as third:
        assert {first.read(), second.read(), third.read()} == {b"A" * 9000, b"B" * 9000}


def test_a_member_knows_its_folder_and_what_lies_beside_it(tmp_path: Path, shelf: Shelf):
    path = packed(tmp_path / "Le Temps.zip", ("mets.xml", b"<mets/>"), ("alto/1.xml", b"<alto/>"), ("x/../y.txt", b""))
    mets, page = source(path, "mets.xml", shelf), source(path, "alto/1.xml", shelf)
    assert (mets.folder, page.folder) == ("Le Temps", "alto")
    assert mets.sibling("alto/1.xml") == page
    assert page.sibling("../mets.xml") == mets
    assert mets.sibling("./alto//1.xml") == page
    assert mets.key != page.key
    assert mets.is_regular


@pytest.mark.parametrize("path", ["absent.xml", "../a.zip", "../../etc/passwd", "/etc/passwd", "alto", "", "\0"])
def test_nothing_outside_the_archive_lies_beside_a_member(tmp_path: Path, shelf: Shelf, path: str):
    archive = packed(tmp_path / "a.zip", ("mets.xml", b"<mets/>"), ("alto/1.xml", b"<alto/>"))
    assert source(archive, "mets.xml", shelf).sibling(path) is None


@pytest.mark.parametrize(("name", "reason"), [
    ("../a.txt", "leads out of the archive"), ("x/../../a.txt", "leads out of the archive"),
    ("/etc/a.txt", "leads out of the archive"), ("C:/a.txt", "leads out of the archive"), ("c:a.txt", "leads out"),
    ("..\\a.txt", "a backslash"), ("x\\a.txt", "a backslash"), ("inner.zip", "archive inside an archive"),
    ("x/INNER.ZIP", "archive inside an archive"),
])  # fmt: skip
def test_a_name_that_leads_elsewhere_is_refused_and_the_neighbours_go_in(
    tmp_path: Path, shelf: Shelf, name: str, reason: str
):
    path = packed(tmp_path / "a.zip", (name, b"x"), ("b.txt", b"B"))
    names, unread = found(path, shelf)
    assert names == ["a.zip/b.txt"]
    assert list(unread) == [f"a.zip/{name}"]
    assert reason in unread[f"a.zip/{name}"]


def patched(path: Path, change: Callable[[bytes], bytes]) -> Path:
    path.write_bytes(change(path.read_bytes()))
    return path


def test_a_name_with_a_nul_character_is_refused(tmp_path: Path, shelf: Shelf):
    path = patched(
        packed(tmp_path / "a.zip", ("aXb.txt", b"A"), ("c.txt", b"C")), lambda old: old.replace(b"aXb.txt", b"a\0b.txt")
    )
    names, unread = found(path, shelf)
    assert names == ["a.zip/c.txt"]
    assert "NUL" in unread["a.zip/a\0b.txt"]


@pytest.mark.parametrize("name", [b"", b"\0b.txt"])
def test_a_member_without_a_name_is_refused_and_its_neighbours_go_in(tmp_path: Path, shelf: Shelf, name: bytes):
    path = packed(tmp_path / "a.zip", ("c.txt", b"x"), ("a.txt", b"y"))
    whole = path.read_bytes()
    end = whole.rindex(b"PK\1\2")  # the entry of a.txt in the list of members: its name of five bytes comes 46 behind
    listed = bytearray(whole[end : whole.rindex(b"PK\5\6")])
    listed[28:30] = struct.pack("<H", len(name))
    listed[46:51] = name
    tail = bytearray(whole[whole.rindex(b"PK\5\6") :])
    tail[12:16] = struct.pack("<I", struct.unpack("<I", tail[12:16])[0] - 5 + len(name))
    path.write_bytes(whole[:end] + listed + tail)
    members, unread = found(path, shelf)
    assert members == ["a.zip/c.txt"]
    assert [reason.partition(" ")[0] for reason in unread.values()] == ["its" if name else "it"]


def test_a_name_of_300_characters_is_read(tmp_path: Path, shelf: Shelf):
    name = "é" * 300 + ".txt"
    assert found(packed(tmp_path / "a.zip", (name, b"A")), shelf) == ([f"a.zip/{name}"], {})


def test_a_link_is_refused(tmp_path: Path, shelf: Shelf):
    link = zipfile.ZipInfo("a.txt")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    names, unread = found(packed(tmp_path / "a.zip", (link, b"/etc/passwd"), ("b.txt", b"B")), shelf)
    assert names == ["a.zip/b.txt"]
    assert "it is a link" in unread["a.zip/a.txt"]


def test_a_member_with_a_password_is_refused(tmp_path: Path, shelf: Shelf):
    def encrypted(old: bytes) -> bytes:
        at = old.index(b"PK\1\2") + 8
        return old[:at] + struct.pack("<H", struct.unpack_from("<H", old, at)[0] | 1) + old[at + 2 :]

    names, unread = found(patched(packed(tmp_path / "a.zip", ("a.txt", b"A"), ("b.txt", b"B")), encrypted), shelf)
    assert names == ["a.zip/b.txt"]
    assert "password" in unread["a.zip/a.txt"]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_two_members_of_one_name_the_first_is_read_and_the_other_told(tmp_path: Path, shelf: Shelf):
    path = packed(tmp_path / "a.zip", ("a.txt", b"first"), ("a.txt", b"second"), ("./a.txt", b"third"))
    names, unread = found(path, shelf)
    assert names == ["a.zip/a.txt"]
    assert list(unread) == ["a.zip/a.txt (again)", "a.zip/a.txt (again) (again)"]
    assert all("holds a file of this name before it" in reason for reason in unread.values())
    assert decode(source(path, "a.txt", shelf))[0] == "first"


def test_folders_and_what_systems_leave_behind_are_passed_over(tmp_path: Path, shelf: Shelf):
    members = ("x/", b""), ("__MACOSX/x/._a.txt", b"?"), ("x/.DS_Store", b"?"), (".git/config", b"?"), ("x/a.txt", b"A")
    assert found(packed(tmp_path / "a.zip", *members), shelf) == (["a.zip/x/a.txt"], {})


def test_names_in_utf8_that_are_not_marked_so_are_read_as_utf8(tmp_path: Path, shelf: Shelf):
    path = patched(packed(tmp_path / "b.zip", ("XXte.txt", b"A")), lambda old: old.replace(b"XXte", "éte".encode()))
    assert found(path, shelf) == (["a.zip/éte.txt"], {})


def test_names_in_another_encoding_are_read_as_dos_wrote_them_and_told(tmp_path: Path, shelf: Shelf):
    path = patched(packed(tmp_path / "a.zip", ("Xte.txt", b"A")), lambda old: old.replace(b"Xte", b"\x82te"))
    (one,) = members_of(path, "a.zip", shelf)
    assert isinstance(one, MemberSource)
    assert one.name == "a.zip/éte.txt"
    assert "cp437" in one.note


def test_what_unpacks_to_very_much_is_refused_as_a_bomb(tmp_path: Path, shelf: Shelf):
    limits = Limits(harmless=10_000, ratio=50)
    noise = b"".join(hashlib.sha256(bytes([n])).digest() for n in range(250))
    path = packed(tmp_path / "a.zip", ("bomb.txt", b"0" * 100_000), ("b.bin", noise), ("c.txt", b"0" * 9_000))
    names, unread = found(path, shelf, limits)
    assert names == ["a.zip/b.bin", "a.zip/c.txt"]
    assert "bombs" in unread["a.zip/bomb.txt"]


def test_an_archive_that_unpacks_to_very_much_is_refused_whole(tmp_path: Path, shelf: Shelf):
    path = packed(tmp_path / "a.zip", *((f"{n}.txt", b"0" * 9_000) for n in range(20)))
    assert found(path, shelf, Limits(harmless=10_000, ratio=20))[0] == []
    assert "bombs" in found(path, shelf, Limits(harmless=10_000, ratio=20))[1]["a.zip"]
    assert "bombs" in found(path, shelf, Limits(total=100_000))[1]["a.zip"]
    assert len(found(path, shelf)[0]) == 20


def test_an_archive_of_too_many_files_is_refused_whole(tmp_path: Path, shelf: Shelf):
    path = packed(tmp_path / "a.zip", *((f"{n}.txt", b"") for n in range(20)))
    assert "holds 20 files, more than 19" in found(path, shelf, Limits(members=19))[1]["a.zip"]
    assert "too many files" in found(path, shelf, Limits(directory=500))[1]["a.zip"]


def test_the_size_of_the_directory_is_read_from_large_archives_too(tmp_path: Path, shelf: Shelf):
    large = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, 9, 9, 1 << 40, 0)
    end = (
        large
        + struct.pack("<4sLQL", b"PK\6\7", 0, 0, 1)
        + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 9, 9, 0xFFFF_FFFF, 0, 0)
    )
    (tmp_path / "a.zip").write_bytes(end)
    assert "too many files" in found(tmp_path / "a.zip", shelf)[1]["a.zip"]


def test_a_size_that_lies_fills_no_memory(tmp_path: Path, shelf: Shelf):
    path = packed(tmp_path / "a.zip", ("a.txt", b"0" * 5_000_000))
    patched(path, lambda old: old.replace(struct.pack("<L", 5_000_000), struct.pack("<L", 100)))
    with pytest.raises(OSError, match="damaged in the archive"), source(path, "a.txt", shelf).open() as stream:
        stream.read()


@pytest.mark.parametrize(("content", "reason"), [
    (b"no zip at all", "damaged or none at all"), (b"", "damaged or none at all"), (b"PK\3\4" + b"\0" * 99, "damaged"),
    (b"PK\5\6" + b"\0" * 18, "is empty"),
])  # fmt: skip
def test_what_is_no_archive_is_refused(tmp_path: Path, shelf: Shelf, content: bytes, reason: str):
    (tmp_path / "a.zip").write_bytes(content)
    names, unread = found(tmp_path / "a.zip", shelf)
    assert names == []
    assert reason in unread["a.zip"]


def test_an_archive_that_cannot_be_opened_is_refused(tmp_path: Path, shelf: Shelf):
    assert "cannot be read (No such file" in found(tmp_path / "absent.zip", shelf)[1]["a.zip"]


@pytest.mark.parametrize("place", [0.3, 0.5, 0.9])
def test_a_damaged_member_is_an_error_of_reading(tmp_path: Path, shelf: Shelf, place: float):
    path = packed(tmp_path / "a.zip", ("a.txt", bytes((n * n) % 251 for n in range(60_000))))
    size = zipfile.ZipFile(path).infolist()[0].compress_size
    patched(path, lambda old: old[: int(size * place)] + b"\xff" * 20 + old[int(size * place) + 20 :])
    with pytest.raises(OSError, match="damaged in the archive"), source(path, "a.txt", shelf).open() as stream:
        stream.read()


def test_a_member_packed_in_an_unknown_way_is_an_error_of_reading(tmp_path: Path, shelf: Shelf):
    path = packed(tmp_path / "a.zip", ("a.txt", b"A"))
    patched(path, lambda old: old.replace(b"\x14\0\0\0\x08\0", b"\x14\0\0\0\x63\0"))
    with pytest.raises(OSError, match="damaged in the archive"):
        source(path, "a.txt", shelf).open()


@pytest.mark.parametrize(("name", "expected"), [("a.zip", True), ("A.ZIP", True), ("a.xlsx", False), ("zip", False)])
def test_archives_are_told_by_name(name: str, expected: bool):
    assert is_archive(name) is expected


def test_memory_stays_flat_while_a_large_member_is_read(tmp_path: Path, shelf: Shelf):
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive, archive.open("a.jsonl", "w") as out:
        for number in range(60):
            out.write(f'{{"id": "{number}", "text": "{"mot " * 250_000}"}}\n'.encode())
    generous = Limits(ratio=10_000)
    (member,) = members_of(tmp_path / "a.zip", "a.zip", shelf, generous)
    assert isinstance(member, MemberSource)
    tracemalloc.start()
    read = sum(isinstance(one, Document) for one in RecordsReader().read(member))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert read == 60
    assert peak < 12_000_000


def test_what_readers_jump_about_in_is_held_in_memory_and_files_on_disk_are_not(tmp_path: Path, shelf: Shelf):
    path = packed(tmp_path / "a.zip", ("a.bin", b"0123456789"))
    with at_any_place(source(path, "a.bin", shelf)) as held, at_any_place(FileSource(path, "a.zip")) as file:
        assert isinstance(held, io.BytesIO)
        assert (held.seek(4), held.read(2)) == (4, b"45")
        assert file.fileno() > 0
