"""What every ledger keeps to, in memory or on a disk."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.ledger import MemoryLedger
from fakes.samples import RUN, bodies, ticking
from vestigia.domain.effects import Found, Survey
from vestigia.domain.entries import Answered, Asked, Recorded
from vestigia.domain.errors import LedgerError
from vestigia.domain.events import BudgetReached, Closed
from vestigia.domain.evidence import Hit
from vestigia.domain.ids import DocumentId, PassageId, digest
from vestigia.domain.ports import Ledger
from vestigia.ledger.codec import decode, encode
from vestigia.ledger.log import FileLedger


@pytest.fixture(params=["memory", "file"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ledger]:
    if request.param == "memory":
        yield MemoryLedger(RUN, ticking())
    else:
        with FileLedger.create(tmp_path, RUN, ticking()) as made:
            yield made


def test_it_begins_empty_and_knows_its_run(ledger: Ledger) -> None:
    assert ledger.run == RUN
    assert ledger.entries() == ()


def test_entries_are_numbered_from_nought_and_chained_to_the_name_of_the_run(ledger: Ledger) -> None:
    entries = [ledger.append(Recorded(Closed()), "code") for _ in range(3)]
    assert [entry.number for entry in entries] == [0, 1, 2]
    assert entries[0].previous == digest(RUN)
    assert [entry.previous for entry in entries[1:]] == [entry.digest for entry in entries[:2]]
    assert ledger.entries() == tuple(entries)


def test_an_entry_says_when_by_whom_what_and_how_long_it_took(ledger: Ledger) -> None:
    asked = ledger.append(Asked((Survey(),)), "code")
    answered = ledger.append(Answered((Found(failure="no such channel"),)), "model:small", 1.25)
    assert (asked.time, asked.actor, asked.took) == ("2026-01-02T10:00:00Z", "code", None)
    assert (answered.time, answered.actor, answered.took) == ("2026-01-02T10:00:01Z", "model:small", 1.25)
    assert answered.body == Answered((Found(failure="no such channel"),))


def test_everything_that_can_happen_in_a_run_can_be_written(ledger: Ledger) -> None:
    written = list(bodies())
    for body in written:
        ledger.append(body, "code")
    assert [entry.body for entry in ledger.entries()] == written


def test_the_digest_is_that_of_the_line(ledger: Ledger) -> None:
    entry = ledger.append(Recorded(BudgetReached("calls")), "code")
    assert decode(encode(entry), "here") == entry


@pytest.mark.parametrize(
    "body",
    [
        Answered((Found((Hit(PassageId("d#0-1"), DocumentId("d"), 1, float("nan")),)),)),
        Answered((Found((Hit(PassageId("d#0-1"), DocumentId("d"), 1, float("inf")),)),)),
        Answered((Found((Hit(PassageId("d#0-1"), DocumentId("d"), "first", 0.5),)),)),
        Recorded(BudgetReached("half a character: \ud800")),
        Recorded(Survey()),
    ],
    ids=["not a number", "infinite", "text for a number", "surrogate", "no event"],
)
def test_what_could_not_be_read_back_is_not_written(ledger: Ledger, body: object) -> None:
    with pytest.raises(LedgerError, match="entry 0 cannot be recorded"):
        ledger.append(body, "code")
    assert ledger.entries() == ()
    assert ledger.append(Recorded(Closed()), "code").number == 0


@pytest.mark.parametrize("content", ["", "Blocus « continental »\r\n", "half a character: \ud800", "x" * 100_000])
def test_a_text_is_kept_by_its_digest(ledger: Ledger, content: str) -> None:
    key = ledger.keep(content)
    assert key == digest(content)
    assert ledger.keep(content) == key
    assert ledger.kept(key) == content
    assert ledger.entries() == ()


def test_a_text_that_was_not_kept_is_missed(ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match=digest("never kept")):
        ledger.kept(digest("never kept"))


def test_two_ledgers_of_the_same_course_are_the_same(ledger: Ledger) -> None:

    twin = MemoryLedger(RUN, ticking())
    for body in list(bodies())[:5]:
        ledger.append(body, "code")
        twin.append(body, "code")
    assert ledger.entries() == twin.entries()
