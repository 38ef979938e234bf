"""A deposit as a file: named members in a zip beside a manifest of their digests, the same bytes for the same content.

Members are stored, not compressed, in the order of their names and without times: two programs pack the same bytes, so
that whoever unpacks can pack again and compare. Nothing is ever unpacked to a disk.
"""

import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from vestigia.domain.errors import LedgerError, UsageError
from vestigia.domain.ids import Digest, digest

MANIFEST = "manifest-sha256.txt"
MOST_FILES = 200_000
MOST_BYTES = 4 * 2**30
MOST_TIMES = 64
"""A record packed by another program becomes so many times larger at most; what says more is a bomb."""
_TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest that a zip can say."""
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")
_NAME = re.compile(r"(?!\.)[\w.,=+@-]+(?:/(?!\.)[\w.,=+@-]+)*", re.ASCII)
_LINK = 0o120000
BROKEN = (
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
    OverflowError,
    struct.error,
    zlib.error,
)
"""What reading a damaged zip may raise."""


@dataclass(frozen=True, slots=True)
class Unpacked:
    """The members of a deposit that could be read, without the manifest, and what is wrong with the file, in words."""

    members: Mapping[str, bytes]
    seal: Digest
    problems: tuple[str, ...]


def pack(members: Mapping[str, bytes]) -> bytes:
    """Return the zip that holds these members and their manifest. Raises ValueError for a name no member may have."""
    wrong = [name for name in members if not _is_name(name) or name == MANIFEST]
    if wrong:
        raise ValueError(f"no member of a deposit can be called {wrong[0]!r}")
    return _zipped({MANIFEST: manifest(members), **members})


def manifest(members: Mapping[str, bytes]) -> bytes:
    """Return the manifest: the SHA-256 digest and the name of every member, as BagIt writes them."""
    lines = (f"{digest(members[name]).removeprefix('sha256:')}  {name}\n" for name in sorted(members))
    return "".join(lines).encode()


def seal_of(members: Mapping[str, bytes]) -> Digest:
    """Return what names a deposit: the digest of its manifest. Two people who hold the same hold the same deposit."""
    return digest(manifest(members))


def unpack(path: Path) -> Unpacked:
    """Read a deposit and compare every byte of it with its manifest.

    Raises UsageError for a file that is no deposit, LedgerError for one that is damaged so that it cannot be opened.
    """
    content = _content(path)
    try:
        with zipfile.ZipFile(BytesIO(content)) as file:
            infos = file.infolist()
            _require_ours(path, infos, len(content))
            members, problems = _members(file, infos)
    except BROKEN as error:
        if MANIFEST.encode() not in content:
            raise _foreign(path, "it is no zip file, or nothing of one is left") from error
        raise LedgerError(
            f"the zip is damaged and cannot be read: {error}.",
            where=str(path),
            remedy="Part of it was changed or is missing; get it again from where it was deposited.",
        ) from error
    listed = members.pop(MANIFEST, b"")
    damaged = {name for name, _ in problems}
    found = [why for _, why in problems]
    found += _against(listed, members, damaged) if MANIFEST not in damaged else []
    if not found:
        found += _container({MANIFEST: listed, **members}, content, infos)
    return Unpacked(members, digest(listed), tuple(found))


def _content(path: Path) -> bytes:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise _foreign(path, f"it has more than {MOST_BYTES} bytes")
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"it cannot be read ({error.strerror}).", where=str(path)) from error


def _require_ours(path: Path, infos: list[zipfile.ZipInfo], packed: int) -> None:
    """Raise UsageError for a zip that is none of ours, before a byte of it is unpacked."""
    if MANIFEST not in {info.filename for info in infos}:
        raise _foreign(path, f"it holds no {MANIFEST}")
    size = sum(info.file_size for info in infos)
    if len(infos) > MOST_FILES or size > min(MOST_BYTES, MOST_TIMES * packed):
        raise _foreign(path, f"it says that it holds {len(infos)} files of {size} bytes")


def _foreign(path: Path, why: str) -> UsageError:
    return UsageError(f"it is no deposit: {why}.", where=str(path), remedy="`vestigia deposit` makes one.")


def _members(file: zipfile.ZipFile, infos: list[zipfile.ZipInfo]) -> tuple[dict[str, bytes], list[tuple[str, str]]]:
    """Read what can be read; what cannot is named, with why. BadZipFile where that is all of it."""
    members: dict[str, bytes] = {}
    problems: list[tuple[str, str]] = []
    broken = 0
    for info in infos:
        name = info.filename
        why = _refusal(info, members)
        if not why:
            try:
                members[name] = file.read(info)
            except BROKEN as error:
                why, broken = f"{name} was changed: {error}", broken + 1
        if why:
            problems.append((name, why))
    if broken == len(infos) > 1:
        raise zipfile.BadZipFile("by its list of contents none of its files is found")
    return members, problems


def _refusal(info: zipfile.ZipInfo, members: Mapping[str, bytes]) -> str:
    name = info.filename
    if not _is_name(name):
        return f"{name!r} was added: no member of a deposit has such a name, and nothing of it was read"
    if (info.external_attr >> 16) & 0o170000 == _LINK:
        return f"{name} was changed: it is a link"
    if name in members:
        return f"{name} was added: it is there twice"
    return f"{name} was changed: it is encrypted" if info.flag_bits & 1 else ""


def _is_name(name: str) -> bool:
    return bool(_NAME.fullmatch(name))


def _against(listed: bytes, members: Mapping[str, bytes], damaged: set[str]) -> Iterator[str]:
    """Compare members with the manifest."""
    expected: dict[str, str] = {}
    for number, line in enumerate(listed.decode("utf-8", "backslashreplace").split("\n")[:-1], 1):
        read = _LINE.fullmatch(line)
        if read is None or read[2] in expected:
            yield f"{MANIFEST} was changed: line {number} cannot be read"
        else:
            expected[read[2]] = read[1]
    for name in sorted(expected.keys() - members.keys() - damaged):
        yield f"{name} is missing"
    for name in sorted(members.keys() - expected.keys()):
        yield f"{name} was added: the manifest does not name it"
    changed = [n for n in expected if n in members and digest(members[n]) != f"sha256:{expected[n]}"]
    for name in sorted(changed):
        yield f"{name} was changed: it is not what its line of the manifest says"
    if expected.keys() == members.keys() and not changed and listed != manifest(members):
        yield f"{MANIFEST} was changed: it says the same in other bytes"


def _container(members: Mapping[str, bytes], content: bytes, infos: list[zipfile.ZipInfo]) -> Iterator[str]:
    """Name the first byte of the zip itself that is not as we pack it."""
    ours = _zipped(members)
    if ours == content:
        return
    pairs = enumerate(zip(ours, content, strict=False))
    at = next((place for place, (mine, theirs) in pairs if mine != theirs), min(len(ours), len(content)))
    before = [info.filename for info in infos if info.header_offset <= at]
    inside = f"at {before[-1]}" if before and at < len(content) else "at its end"
    yield (
        f"the zip itself was changed, or packed again by another program: byte {at} ({inside}) is not as it was; "
        "all files in it are"
    )


def _zipped(members: Mapping[str, bytes]) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as file:
        for name in sorted(members, key=lambda name: (name != MANIFEST, name)):
            info = zipfile.ZipInfo(name, _TIME)
            info.create_system, info.external_attr = 3, 0o100644 << 16
            file.writestr(info, members[name])
    return packed.getvalue()
