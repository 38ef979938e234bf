"""What holds for every ledger: it reads back what was written, and nobody can change it unseen."""

from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.samples import RUN, bodies, chain, ticking, values
from vestigia.domain.effects import Answer, AskModel, Effect
from vestigia.domain.entries import Answered, Asked, Begun, Body, Entry, Recorded
from vestigia.domain.errors import LedgerError
from vestigia.domain.events import BudgetReached, Closed, Event, SubQuestionOpened
from vestigia.domain.ids import Digest, SubQuestionId, digest
from vestigia.domain.requests import Request
from vestigia.ledger.chain import LEDGER
from vestigia.ledger.codec import decode, encode, seal
from vestigia.ledger.log import REPAIRS, FileLedger
from vestigia.ledger.verification import verify

KINDS: list[tuple[Any, Any]] = [
    (Begun, lambda held: held),
    *((kind, Recorded) for kind in get_args(Event)),
    *((kind, lambda held: Asked((held,))) for kind in get_args(Effect)),
    *((kind, lambda held: Asked((AskModel(held),))) for kind in get_args(Request)),
    *((kind, lambda held: Answered((held, held))) for kind in get_args(Answer)),
]


@pytest.mark.parametrize(("kind", "wrapped"), KINDS, ids=[kind.__name__ for kind, _ in KINDS])
@given(data=st.data())
@settings(max_examples=12, deadline=None)
def test_every_kind_of_value_is_read_back_as_it_was_written(kind: type, wrapped: Any, data: st.DataObject) -> None:
    body = wrapped(data.draw(values(kind)))
    draft = Entry(
        data.draw(st.integers(0, 9)),
        digest("before"),
        Digest(""),
        data.draw(st.text(max_size=4)),
        data.draw(st.text(max_size=4)),
        body,
        data.draw(st.none() | st.floats(0, 1e9)),
    )
    entry, line = seal(draft)
    assert entry.body == body
    assert decode(line, "here") == entry
    assert encode(entry) == line
    assert line.count(b"\n") == 1


@given(values(Body))
@settings(max_examples=60, deadline=None)
def test_the_same_content_is_always_the_same_bytes(body: Body) -> None:
    entry, line = seal(Entry(0, digest("before"), Digest(""), "now", "code", body))
    again, same = seal(decode(line, "here"))
    assert (again, same) == (entry, line)


def small() -> list[bytes]:
    """Three short lines: every byte of them can be tried."""
    events = SubQuestionOpened(SubQuestionId("q1")), BudgetReached("calls: é"), Closed()
    return chain([Recorded(event) for event in events])


def store(folder: Path, content: bytes) -> Path:
    (folder / RUN).mkdir(exist_ok=True)
    (folder / RUN / LEDGER).write_bytes(content)
    return folder / RUN


def test_any_one_changed_byte_is_found_and_its_entry_named(tmp_path: Path) -> None:
    lines = small()
    content = b"".join(lines)
    whose = [number for number, line in enumerate(lines) for _ in line]
    for place, number in enumerate(whose):
        old = content[place]
        for new in {old ^ 1, old ^ 0x80, 0, ord("\n"), ord('"')} - {old}:
            report = verify(store(tmp_path, content[:place] + bytes([new]) + content[place + 1 :]))
            assert report.entries == number, f"byte {place} was {old}, became {new}"
            if report.problem:
                assert report.entry == number
                assert f"line {number + 1}, entry {number}" in report.problem
                assert "altered" in report.problem
            else:
                # Without the very last line feed it looks as if the machine had died while writing.
                assert place == len(content) - 1
                assert f"entry {number} was not written to its end" in report.torn


@pytest.mark.parametrize("changed", ["removed", "inserted"])
def test_any_one_byte_too_few_or_too_many_is_found(tmp_path: Path, changed: str) -> None:
    lines = small()
    content = b"".join(lines)
    for place in range(len(content)):
        end = place + (changed == "removed")
        added = b"" if changed == "removed" else b"0"
        report = verify(store(tmp_path, content[:place] + added + content[end:]))
        assert report.problem or report.torn, f"byte {place}"
        assert report.entries == content[:place].count(b"\n")


def test_a_ledger_cut_anywhere_is_shorter_or_torn_but_never_altered(tmp_path: Path) -> None:
    lines = small()
    content = b"".join(lines)
    for length in range(len(content) + 1):
        report = verify(store(tmp_path, content[:length]))
        whole = content[:length].count(b"\n")
        assert (report.sound, report.entries) == (whole > 0, whole)
        assert bool(report.torn) == (content[:length] != b"".join(lines[:whole]))


def test_a_ledger_cut_anywhere_can_be_written_on_to_the_same_bytes(tmp_path: Path) -> None:
    lines = small()
    content = b"".join(lines)
    for length in range(0, len(content) + 1, 7):
        folder = store(tmp_path, content[:length])
        whole = content[:length].count(b"\n")
        with FileLedger.open(tmp_path, RUN, lambda: "2026-01-02T11:00:00Z") as ledger:
            assert len(ledger.entries()) == whole
            for number, line in enumerate(lines[whole:], start=whole):
                entry = decode(line, "here")
                ledger._clock = ticking(number)
                ledger.append(entry.body, entry.actor, entry.took)
        assert (folder / LEDGER).read_bytes() == content
        assert (folder / REPAIRS).exists() == (content[:length] != b"".join(lines[:whole]))
        (folder / REPAIRS).unlink(missing_ok=True)


def test_a_line_removed_repeated_or_moved_is_found(tmp_path: Path) -> None:
    lines = chain(list(bodies())[:6])
    last = len(lines) - 1
    for one in range(last):
        without = lines[:one] + lines[one + 1 :]
        assert verify(store(tmp_path, b"".join(without))).entry == one
        for other in range(one + 1, last + 1):
            swapped = list(lines)
            swapped[one], swapped[other] = swapped[other], swapped[one]
            assert verify(store(tmp_path, b"".join(swapped))).entry == one
    for one in range(last + 1):
        for place in range(last + 2):
            report = verify(store(tmp_path, b"".join([*lines[:place], lines[one], *lines[place:]])))
            assert report.entry == (place if place != one else one + 1)
            assert "lines were removed, repeated or moved" in report.problem


def test_a_line_sealed_anew_does_not_fit_between_its_neighbours(tmp_path: Path) -> None:
    """Whoever changes a line and computes its digest again must change every line after it as well."""
    lines = small()
    forged, line = seal(
        Entry(
            **{
                **{name: getattr(decode(lines[1], ""), name) for name in Entry.__slots__},
                "body": Recorded(BudgetReached("tokens")),
            }
        )
    )
    assert decode(line, "here") == forged
    report = verify(store(tmp_path, lines[0] + line + lines[2]))
    assert (report.entries, report.entry) == (2, 2)
    assert "does not follow entry 1" in report.problem


def test_a_torn_line_is_only_ever_the_last(tmp_path: Path) -> None:
    lines = small()
    store(tmp_path, lines[0] + lines[1][:-20] + b"\n" + lines[2])
    with pytest.raises(LedgerError, match="line 2, entry 1: this entry was altered"):
        FileLedger.open(tmp_path, RUN, ticking())
