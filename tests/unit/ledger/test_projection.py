"""The list of runs: always what the ledgers say, whatever happened to the list."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from fakes.samples import bare
from vestigia.domain.entries import Begun, Body, Manifest, Recorded
from vestigia.domain.events import Closed, Judged, Overruled, Paused, Reevaluated
from vestigia.domain.evidence import Decision, Memory, Verdict
from vestigia.domain.ids import DocumentId, PassageId, RunId, SubQuestionId
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules
from vestigia.ledger import projection
from vestigia.ledger.chain import LEDGER
from vestigia.ledger.log import FileLedger
from vestigia.ledger.projection import FILE, list_runs, rebuild, row

A, B = RunId("2026-03-04-a-000000"), RunId("2026-03-05-b-000000")


def begun(question: str) -> Begun:
    manifest: Manifest = bare(Manifest)
    return Begun(manifest, Question(question), Rules())


def judged(*decisions: tuple[str, Decision]) -> tuple[Verdict, ...]:
    return tuple(Verdict(PassageId(f"{name}#0-1"), DocumentId(name), made, "because") for name, made in decisions)


def write(folder: Path, run: RunId, *some: Body) -> None:
    there = (folder / run).exists()
    opened = FileLedger.open if there else FileLedger.create
    with opened(folder, run, lambda: f"{run[:10]}T09:00:00Z") as ledger:
        for body in some:
            ledger.append(body, "code")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path, A, begun("Le blocus ?"), Recorded(Closed()))
    write(tmp_path, B, begun("Die Blockade?"))
    return tmp_path


def test_a_row_says_what_was_asked_when_and_what_became_of_it(folder: Path) -> None:
    found = row(folder, A)
    head = FileLedger.read(folder, A).entries()[-1].digest
    assert (found.run, found.kind, found.state, found.question) == (A, "question", "closed", "Le blocus ?")
    assert found.opened_at == "2026-03-04T09:00:00Z"
    assert (found.model, found.accepted, found.entries, found.head) == (bare(Manifest).model, 0, 2, head)
    assert (found.torn, found.problem) == (False, "")


@pytest.mark.parametrize(
    ("last", "state"),
    [
        ((), "open"),
        ((Recorded(Closed()),), "closed"),
        ((Recorded(Closed(partial=True)),), "partial"),
        ((Recorded(Paused("m: it answered 429")),), "paused"),
        ((Recorded(Closed(partial=True)), Recorded(Closed())), "closed"),
    ],
)
def test_the_state_is_that_of_the_last_close(tmp_path: Path, last: tuple[Body, ...], state: str) -> None:
    write(tmp_path, A, begun("?"), *last)
    assert row(tmp_path, A).state == state


@pytest.mark.parametrize(
    "harm",
    [
        lambda ledger: ledger.write_bytes(b""),
        lambda ledger: (ledger.unlink(), ledger.mkdir()),
    ],
)
def test_a_run_whose_ledger_was_emptied_or_is_no_file_is_listed_as_broken(folder: Path, harm) -> None:
    harm(folder / B / LEDGER)
    assert [(one.run, one.state, one.entries) for one in list_runs(folder)] == [(A, "closed", 2), (B, "broken", 0)]
    assert LEDGER in row(folder, B).problem


def test_accepted_counts_documents_and_a_person_outranks_the_machine(tmp_path: Path) -> None:
    q, accept, reject, hold = SubQuestionId("q"), Decision.ACCEPT, Decision.REJECT, Decision.HOLD

    def overruled(name: str, decision: Decision) -> Body:
        return Recorded(Overruled(DocumentId(name), decision, "I read it", "person:Ada"))

    write(
        tmp_path,
        A,
        begun("?"),
        overruled("struck early", reject),
        Recorded(
            Judged(
                q,
                judged(
                    ("kept", accept),
                    ("kept", accept),
                    ("kept", reject),
                    ("held", hold),
                    ("no", reject),
                    ("struck early", accept),
                    ("struck late", accept),
                ),
                Memory(),
            )
        ),
        Recorded(Reevaluated(q, judged(("promoted", accept)))),
        overruled("struck late", hold),
        overruled("added", reject),
        overruled("added", accept),
    )
    assert row(tmp_path, A).accepted == len(["kept", "promoted", "added"])


def test_runs_are_listed_the_last_opened_first(folder: Path) -> None:
    assert [found.run for found in list_runs(folder)] == [B, A]
    assert list_runs(folder) == (row(folder, B), row(folder, A))
    assert list_runs(folder / "absent") == ()


def test_only_ledgers_that_changed_are_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    list_runs(folder)
    read: list[RunId] = []
    real = projection.row
    monkeypatch.setattr(projection, "row", lambda place, run: (read.append(run), real(place, run))[1])
    list_runs(folder)
    assert read == []
    write(folder, B, Recorded(Closed()))
    assert [found.state for found in list_runs(folder)] == ["closed", "closed"]
    assert read == [B]


def test_a_change_that_keeps_the_size_is_seen_by_the_time(folder: Path) -> None:
    list_runs(folder)
    path = folder / A / LEDGER
    path.write_bytes(path.read_bytes().replace(b"blocus", b"Blocus"))
    os.utime(path, ns=(1, 1))
    assert list_runs(folder)[1].state == "broken"


def test_a_run_that_was_removed_is_no_longer_listed(folder: Path) -> None:
    list_runs(folder)
    (folder / A / LEDGER).unlink()
    assert [found.run for found in list_runs(folder)] == [B]


def test_a_broken_run_is_listed_with_the_reason(folder: Path) -> None:
    path = folder / A / LEDGER
    path.write_bytes(path.read_bytes().replace(b'"closed"', b'"clewed"'))
    found = list_runs(folder)[1]
    assert (found.run, found.state, found.question, found.entries) == (A, "broken", "Le blocus ?", 1)
    assert "line 2, entry 1: this entry was altered" in found.problem


def test_a_torn_run_is_not_broken(folder: Path) -> None:
    with (folder / A / LEDGER).open("ab") as file:
        file.write(b"{")
    assert (list_runs(folder)[1].state, list_runs(folder)[1].torn) == ("closed", True)


def test_the_list_can_be_rebuilt_and_says_the_same(folder: Path) -> None:
    before = list_runs(folder)
    with closing(sqlite3.connect(folder / FILE)) as store, store:
        store.execute("UPDATE runs SET question = 'forged'")
    assert list_runs(folder)[0].question == "forged"
    assert rebuild(folder) == before
    (folder / FILE).unlink()
    assert list_runs(folder) == before


@pytest.mark.parametrize(
    "harm",
    [
        lambda path: path.write_bytes(b"no database at all, but long enough to be looked at" * 40),
        lambda path: path.write_bytes(path.read_bytes()[:5000]),
        lambda path: sqlite3.connect(path).executescript("PRAGMA user_version = 99").connection.close(),
    ],
    ids=["garbage", "cut", "another version"],
)
def test_a_damaged_list_is_made_again(folder: Path, harm: object) -> None:
    before = rebuild(folder)
    assert callable(harm)
    harm(folder / FILE)
    assert list_runs(folder) == before


def test_where_no_list_can_be_kept_the_ledgers_are_read(folder: Path) -> None:
    (folder / FILE).mkdir()
    assert [found.run for found in list_runs(folder)] == [B, A]
