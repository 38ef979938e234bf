"""The file of a deposit: the same bytes for the same content; whatever is changed, taken out or put in is named."""

import io
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vestigia.domain.errors import LedgerError, UsageError
from vestigia.domain.ids import digest
from vestigia.ledger import deposit
from vestigia.ledger.deposit import MANIFEST, manifest, pack, seal_of, unpack

MEMBERS = {"deposit.json": b"{}\n", "runs/2026-a/ledger.jsonl": b'{"number":0}\n', "texts/1.txt": "Brücke".encode()}


@pytest.fixture
def stored(tmp_path):
    def store(content: bytes) -> Path:
        (tmp_path / "one.zip").write_bytes(content)
        return tmp_path / "one.zip"

    return store


def zipped(members, compression=zipfile.ZIP_STORED, **attributes) -> bytes:
    """A zip as another program makes one; `members` are pairs, so that one may be there twice."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", compression) as file:
        for name, content in members:
            info = zipfile.ZipInfo(name, (2026, 1, 2, 3, 4, 6))
            info.compress_type = compression
            for attribute, value in attributes.items():
                setattr(info, attribute, value)
            file.writestr(info, content)
    return written.getvalue()


def whole(members=None):
    """The members with their manifest, as pairs."""
    members = members or MEMBERS
    return [(MANIFEST, manifest(members)), *members.items()]


def test_what_is_packed_is_unpacked_and_named_by_its_seal(stored):
    found = unpack(stored(pack(MEMBERS)))
    assert (dict(found.members), found.problems) == (MEMBERS, ())
    assert found.seal == seal_of(MEMBERS) == digest(manifest(MEMBERS))


def test_the_same_content_is_the_same_bytes_in_whatever_order_it_is_given():
    assert pack(dict(reversed(MEMBERS.items()))) == pack(MEMBERS)


def test_the_bytes_are_those_of_every_machine():
    assert digest(pack(MEMBERS)) == "sha256:9bad1704f6ffeb9e588da07a6011f748321eceb9e115a231ffe1ae1a13e6b0df"


def test_the_manifest_is_what_sha256sum_and_bagit_read():
    lines = manifest(MEMBERS).decode().splitlines()
    assert lines == [f"{digest(MEMBERS[name])[7:]}  {name}" for name in sorted(MEMBERS)]


@pytest.mark.parametrize(
    "name", ["", "../a", "/a", "a/../b", "a//b", "C:\\a", "a\\b", "a b\n", ".hidden", "a/.b", "ä", "a/", MANIFEST]
)
def test_no_member_is_called_so_that_it_could_lie_elsewhere(name):
    with pytest.raises(ValueError, match="can be called"):
        pack({name: b""})


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "a\\..\\b", ".bashrc", "a/./b"])
def test_a_member_that_would_lie_elsewhere_is_named_and_not_read(stored, name):
    found = unpack(stored(zipped([*whole(), (name, b"evil")])))
    assert found.problems[0].startswith(f"{name!r} was added")
    assert dict(found.members) == MEMBERS


def test_a_link_is_named_and_not_followed(stored):
    linked = zipped([*whole(), ("link", b"/etc/passwd")], external_attr=0o120777 << 16)
    assert "link was changed: it is a link" in unpack(stored(linked)).problems


def test_a_member_that_is_there_twice_is_named(stored):
    with pytest.warns(UserWarning, match="Duplicate name"):
        twice = zipped([*whole(), ("texts/1.txt", b"other")])
    assert unpack(stored(twice)).problems == ("texts/1.txt was added: it is there twice",)


def test_a_member_that_is_encrypted_is_named(stored):
    content = bytearray(pack(MEMBERS))
    directory = content.rindex(b"PK\x01\x02")
    content[directory + 8] |= 1
    assert "texts/1.txt was changed: it is encrypted" in unpack(stored(bytes(content))).problems


def test_packed_again_by_another_program_its_files_are_as_they_were_and_the_zip_is_not(stored):
    found = unpack(stored(zipped(whole(), zipfile.ZIP_DEFLATED)))
    (problem,) = found.problems
    assert "packed again by another program" in problem
    assert dict(found.members) == MEMBERS


@pytest.mark.parametrize(("change", "why"), [
    (lambda m: m | {"deposit.json": b"[]\n"}, "deposit.json was changed: it is not what its line of the manifest says"),
    (lambda m: m | {"new.txt": b""}, "new.txt was added: the manifest does not name it"),
    (lambda m: {n: c for n, c in m.items() if n != "texts/1.txt"}, "texts/1.txt is missing"),
])  # fmt: skip
def test_what_differs_from_the_manifest_is_named(stored, change, why):
    kept = [(MANIFEST, manifest(MEMBERS)), *change(dict(MEMBERS)).items()]
    assert unpack(stored(zipped(kept))).problems == (why,)


@pytest.mark.parametrize(
    ("listed", "why"),
    [
        (manifest(MEMBERS) + b"what?\n", "line 4 cannot be read"),
        (manifest(MEMBERS) + manifest(MEMBERS), "line 4 cannot be read"),
        (b"".join(reversed(manifest(MEMBERS).splitlines(keepends=True))), "it says the same in other bytes"),
    ],
)
def test_a_manifest_that_was_changed_is_named(stored, listed, why):
    assert f"{MANIFEST} was changed: {why}" in unpack(stored(zipped([(MANIFEST, listed), *MEMBERS.items()]))).problems


@pytest.mark.parametrize("content", [b"", b"PK", b"Not a zip at all.", b"\x1f\x8b\x08rest"])
def test_what_is_no_zip_is_no_deposit(stored, content):
    with pytest.raises(UsageError, match="it is no deposit: it is no zip file"):
        unpack(stored(content))


def test_a_list_of_contents_that_leads_nowhere_is_told_once_and_blames_no_file(stored):
    content = bytearray(pack(MEMBERS))
    content[-6] ^= 1  # the last bytes of a zip say where its list of contents begins
    with pytest.raises(LedgerError, match="by its list of contents none of its files is found"):
        unpack(stored(bytes(content)))


def test_a_deposit_whose_end_is_missing_is_damaged(stored):
    with pytest.raises(LedgerError, match="damaged and cannot be read"):
        unpack(stored(pack(MEMBERS)[:-30]))


def test_a_zip_of_something_else_is_no_deposit(stored):
    with pytest.raises(UsageError, match="it is no deposit: it holds no manifest"):
        unpack(stored(zipped([("mimetype", b"application/epub+zip")])))


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        unpack(tmp_path / "none.zip")


def test_a_zip_that_says_it_holds_too_much_is_refused_before_it_is_unpacked(stored, monkeypatch):
    bomb = zipped([*whole(), ("bomb", b"\0" * 1_000_000)], zipfile.ZIP_DEFLATED)
    with pytest.raises(UsageError, match="it says that it holds 5 files of 1000"):
        unpack(stored(bomb))
    monkeypatch.setattr(deposit, "MOST_TIMES", 10_000)
    monkeypatch.setattr(deposit, "MOST_BYTES", 50_000)
    with pytest.raises(UsageError, match="it says that it holds 5 files"):
        unpack(stored(bomb))
    monkeypatch.setattr(deposit, "MOST_BYTES", 100)
    with pytest.raises(UsageError, match="more than 100 bytes"):
        unpack(stored(bomb))
    monkeypatch.setattr(deposit, "MOST_BYTES", 2**32)
    monkeypatch.setattr(deposit, "MOST_FILES", 4)
    with pytest.raises(UsageError, match="it says that it holds 5 files"):
        unpack(stored(bomb))


def test_a_member_that_is_larger_than_it_says_is_not_read_beyond_that(stored):
    content = bytearray(zipped([*whole(), ("bomb", b"\0" * 100_000)], zipfile.ZIP_DEFLATED))
    for at in (content.rindex(b"PK\x01\x02") + 24, content.rindex(b"PK\x03\x04") + 22):
        content[at : at + 4] = struct.pack("<I", 10)
    assert any(problem.startswith("bomb was changed") for problem in unpack(stored(bytes(content))).problems)


def test_any_byte_that_is_changed_is_named(stored):
    content = pack(MEMBERS)
    for place in range(len(content)):
        flipped = content[place] ^ (1 << place % 8)
        assert told(stored(content[:place] + bytes([flipped]) + content[place + 1 :])), f"byte {place} became {flipped}"


def test_the_file_whose_content_was_changed_is_the_one_that_is_named(stored):
    content = pack(MEMBERS)
    for name, held in MEMBERS.items():
        place = content.index(held)
        changed = content[:place] + b"?" + content[place + 1 :]
        assert any(name in problem for problem in told(stored(changed)))


@given(st.data())
def test_whatever_is_cut_off_or_put_in_is_told(tmp_path_factory, data):
    content, file = pack(MEMBERS), tmp_path_factory.mktemp("cut") / "one.zip"
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, len(content)))
    put = data.draw(st.binary(max_size=9))
    changed = content[:start] + put + content[end:]
    file.write_bytes(changed)
    assert bool(told(file)) is (changed != content)


def told(file: Path) -> tuple[str, ...]:
    """What is said of a file that is damaged."""
    try:
        return unpack(file).problems
    except (LedgerError, UsageError) as error:
        return (str(error),)
