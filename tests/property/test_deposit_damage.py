"""B9: whatever is done to a deposit is told, and the file that it was done to is named."""

import io
import json
import zipfile
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from vestigia.app.depositing.checking import check
from vestigia.domain.errors import LedgerError, UsageError
from vestigia.ledger.deposit import MANIFEST, pack, unpack

GOLDEN = Path(__file__).parents[1] / "golden" / "deposit-v1.zip"
CONTENT = GOLDEN.read_bytes()
with zipfile.ZipFile(io.BytesIO(CONTENT)) as golden:
    NAMES = golden.namelist()
    MEMBERS = [(info, golden.read(info)) for info in golden.infolist()]
    SPANS = {info.filename: (CONTENT.index(held, info.header_offset), len(held)) for info, held in MEMBERS if held}


def told(folder: Path, content: bytes) -> str:
    """All that is said of a file that holds this."""
    file = folder / "one.zip"
    file.write_bytes(content)
    try:
        return "\n".join(unpack(file).problems)
    except (LedgerError, UsageError) as error:
        return str(error)


def zipped(members) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as file:
        for info, held in members:
            file.writestr(info, held)
    return written.getvalue()


@given(st.integers(0, len(CONTENT) - 1), st.integers(1, 255))
@settings(max_examples=80)
def test_any_byte_of_the_file_that_becomes_another_is_told(tmp_path_factory, place, flip):
    changed = CONTENT[:place] + bytes([CONTENT[place] ^ flip]) + CONTENT[place + 1 :]
    assert told(tmp_path_factory.mktemp("flip"), changed)


@given(st.sampled_from(sorted(SPANS)), st.integers(0, 10**9), st.integers(1, 255))
@settings(max_examples=80)
def test_any_byte_of_a_member_that_becomes_another_names_the_member(tmp_path_factory, name, at, flip):
    start, length = SPANS[name]
    place = start + at % length
    changed = CONTENT[:place] + bytes([CONTENT[place] ^ flip]) + CONTENT[place + 1 :]
    assert name in told(tmp_path_factory.mktemp("flip"), changed)


@given(st.integers(0, len(CONTENT) - 1))
@settings(max_examples=30)
def test_a_file_that_was_cut_off_anywhere_is_told(tmp_path_factory, length):
    assert told(tmp_path_factory.mktemp("cut"), CONTENT[:length])


@given(st.integers(0, len(CONTENT)), st.binary(min_size=1, max_size=20))
@settings(max_examples=30)
def test_bytes_put_in_anywhere_are_told(tmp_path_factory, place, more):
    assert told(tmp_path_factory.mktemp("more"), CONTENT[:place] + more + CONTENT[place:])


def test_every_member_that_is_taken_out_is_named(tmp_path):
    for gone in NAMES[1:]:
        left = zipped((info, held) for info, held in MEMBERS if info.filename != gone)
        assert told(tmp_path, left) == f"{gone} is missing"


@given(st.from_regex(r"[a-z]{1,8}(/[a-z0-9]{1,8}){0,2}\.[a-z]{1,4}", fullmatch=True), st.binary(max_size=30))
@settings(max_examples=30)
def test_every_member_that_is_put_in_is_named(tmp_path_factory, name, held):
    more = zipped([*MEMBERS, (zipfile.ZipInfo(name), held)])
    assert told(tmp_path_factory.mktemp("more"), more).startswith(f"{name} was added")


@given(st.integers(0, 10**6), st.integers(1, 255))
@settings(max_examples=25)
def test_a_ledger_whose_byte_becomes_another_breaks_the_chain_whatever_the_manifest_says(tmp_path_factory, at, flip):
    members = {info.filename: held for info, held in MEMBERS if info.filename != MANIFEST}
    name = next(one for one in members if one.endswith("ledger.jsonl"))
    place = at % len(members[name])
    members[name] = members[name][:place] + bytes([members[name][place] ^ flip]) + members[name][place + 1 :]
    file = tmp_path_factory.mktemp("chain") / "one.zip"
    file.write_bytes(pack(members))
    found = check(file)
    assert any(name in problem and "line" in problem for problem in found.problems), found.problems


PLAIN = st.none() | st.booleans() | st.integers() | st.text(max_size=4)
ODD = PLAIN | st.lists(PLAIN, max_size=2) | st.dictionaries(st.text(max_size=4), PLAIN, max_size=2)
"""JSON of any kind."""


def places(value: object, path: tuple[str | int, ...] = ()):
    """Every place in JSON."""
    yield path
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, held in steps:
        yield from places(held, (*path, step))


def put(value, path, odd):
    """The same JSON with something odd at a place."""
    if not path:
        return odd
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = put(value[path[0]], path[1:], odd)
    return copy


@given(st.sampled_from(["deposit.json", "sources.json", "settings.json", "environment.json", "ro-crate-metadata.json"]),
       st.data())  # fmt: skip
@settings(max_examples=60)
def test_whatever_is_written_beside_the_ledgers_is_told_and_breaks_nothing(tmp_path_factory, name, data):
    members = {info.filename: held for info, held in MEMBERS if info.filename != MANIFEST}
    said = json.loads(members[name])
    changed = put(said, data.draw(st.sampled_from(list(places(said)))), data.draw(ODD))
    members[name] = json.dumps(changed).encode()
    file = tmp_path_factory.mktemp("odd") / "one.zip"
    file.write_bytes(pack(members))
    assert check(file).problems


@given(st.binary(max_size=60), st.sampled_from(["deposit.json", "prov.json", "ro-crate-metadata.json", "flow.csv"]))
@example(b"{}", "deposit.json")
@example(b"[]", "deposit.json")
@example(b'{"runs": [7]}', "deposit.json")
@example(b"7", "sources.json")
@example(b"", "ro-crate-metadata.json")
@example(b'{"@graph": [{"@type": "File"}]}', "ro-crate-metadata.json")
@example(b"7", "prov.json")
@settings(max_examples=20)
def test_a_member_that_holds_something_else_is_named(tmp_path_factory, held, name):
    members = {info.filename: held for info, held in MEMBERS if info.filename != MANIFEST} | {name: held}
    file = tmp_path_factory.mktemp("else") / "one.zip"
    file.write_bytes(pack(members))
    found = "\n".join(check(file).problems)
    assert name in found
