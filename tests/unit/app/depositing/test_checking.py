"""What checking and replaying find that no digest shows: a record written by hand, a dossier that nobody sealed."""

from dataclasses import replace

import pytest

from fakes.curating import ORIGIN, a_set, accept, entries, reject
from fakes.depositing import STATEMENT, a_deposit, a_record, written_anew
from fakes.runs import MANIFEST, QUESTION, RUN, golden_run
from vestigia.app.depositing.again import decided_again, listed
from vestigia.app.depositing.checking import _against_ledgers, check
from vestigia.app.depositing.record import DepositedRun, as_json, read, run_of
from vestigia.app.depositing.replaying import replay
from vestigia.domain.acts import Sealed
from vestigia.domain.commissions import InterpretOrder, Item, Origin
from vestigia.domain.entries import Begun, Recorded
from vestigia.domain.errors import DivergedError, LedgerError
from vestigia.domain.events import Closed, Consolidated
from vestigia.domain.ids import DocumentId, PassageId, RunId, digest
from vestigia.domain.rules import Rules
from vestigia.ledger.codec import encode


def with_ranking_turned_round(some):
    """The record with its list the other way round, in a chain that holds."""
    return written_anew(
        replace(e, body=Recorded(replace(e.body.event, ranking=e.body.event.ranking[::-1])))
        if isinstance(getattr(e.body, "event", None), Consolidated)
        else e
        for e in some
    )


def stored(tmp_path, content):
    (tmp_path / "one.zip").write_bytes(content)
    return tmp_path / "one.zip"


def test_a_record_that_was_wholly_written_anew_is_sound_and_found_by_deciding_it_again(tmp_path):
    """Digests show that nothing was changed since; only the core shows that the list follows from the answers."""
    file = stored(tmp_path, a_deposit(with_ranking_turned_round(golden_run().entries)))
    assert check(file).sound
    with pytest.raises(DivergedError, match="the record has Consolidated"):
        replay(file)


def test_a_record_that_ends_before_its_list_is_replayed_as_far_as_it_goes(tmp_path):
    part = golden_run().entries[:40]
    found = replay(stored(tmp_path, a_deposit(part)))
    assert [(one.finished, one.decided) for one in found.runs] == [(False, True)]


def test_a_torn_line_that_was_left_out_is_told(tmp_path):
    found = check(stored(tmp_path, a_deposit(golden_run().entries, torn="the last line, line 9, is torn")))
    assert found.sound
    assert f"{RUN}: the last line, line 9, is torn" in found.unchecked


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ({"entries": 3}, "says that it ends with another entry"),
        ({"head": digest("other")}, "says that it ends with another entry"),
        ({"incomplete": [4]}, "says that other entries of it lack texts"),
    ],
)
def test_a_statement_that_says_otherwise_than_the_ledger_is_named(tmp_path, said, problem):
    found = check(stored(tmp_path, a_deposit(golden_run().entries, **said)))
    assert any("deposit.json" in one and problem in one for one in found.problems)


CURATED = RunId("2026-01-01-curated-abcdef")
STATED = {"entries": 0, "head": "", "incomplete": [], "prompts_kept_back": [], "decided_again": True, "torn": ""}


def dossier(*acts, order_of="ab", head=None):
    """A curation with these acts, and an interpretation of the dossier whose seal is its last entry."""
    curated = DepositedRun(CURATED, a_set(*acts), (), frozenset())
    items = tuple(Item(PassageId(f"{name}#0-9"), DocumentId(name)) for name in order_of)
    order = InterpretOrder(Origin(CURATED, head or curated.head), items, ("What?",))
    written = DepositedRun(RUN, entries(Begun(MANIFEST, QUESTION, Rules(), order), Closed()), (), frozenset())
    runs = (curated, written)
    stated = [{**STATED, "run": run.run, "entries": len(run.entries), "head": run.head} for run in runs]
    return a_record(
        runs=runs, sources=(), statement={**STATEMENT, "format": 0, "runs": stated, "missing": [ORIGIN.run]}
    )


SEAL = Sealed((DocumentId("a"), DocumentId("b")), "Both.", "Ada")


def test_h1_an_interpretation_of_a_sealed_dossier_says_what_its_origin_says():
    assert list(_against_ledgers(dossier(accept("a"), accept("b"), SEAL), {})) == []


def test_h1_an_interpretation_of_what_no_person_sealed_is_named():
    (problem,) = _against_ledgers(dossier(accept("a"), accept("b")), {})
    assert "no person sealed the dossier that it interprets" in problem


def test_h1_an_interpretation_of_other_sources_than_the_sealed_ones_is_named():
    (problem,) = _against_ledgers(dossier(accept("a"), accept("b"), SEAL, order_of="ac"), {})
    assert "it interprets other sources than the sealed ones" in problem


def test_a_run_that_took_over_an_entry_that_is_not_there_is_named():
    problems = list(_against_ledgers(dossier(accept("a"), accept("b"), SEAL, head=digest("other")), {}))
    assert any("the entry that" in one and "came from is not in it" in one for one in problems)


def test_an_origin_that_is_neither_there_nor_said_to_be_gone_is_named():
    record = dossier(accept("a"), accept("b"), SEAL)
    lost = replace(record, statement={**record.statement, "missing": []})
    assert list(_against_ledgers(lost, {})) == [f"the ledger of survey is missing: {CURATED} came from it"]


def test_the_deposited_run_is_the_last_of_its_runs():
    record = dossier(accept("a"), accept("b"), SEAL)
    other = replace(record, statement={**record.statement, "deposited": CURATED})
    assert "the deposited run is not the last of its runs" in next(iter(_against_ledgers(other, {})))


def members(**more):
    some = golden_run().entries
    given = {
        "deposit.json": as_json({**STATEMENT, "runs": [{**STATED, "run": RUN}]}),
        "sources.json": as_json([]),
        "settings.json": b"{}",
        "environment.json": b"{}",
        f"runs/{RUN}/ledger.jsonl": b"".join(map(encode, some)),
    }
    return {**given, **more}


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"deposit.json": b"["}, "deposit.json cannot be read"),
        ({"deposit.json": b"[]"}, "deposit.json does not name its runs"),
        ({"deposit.json": b"{}"}, "deposit.json does not name its runs"),
        ({"sources.json": b"7"}, "sources.json is no list"),
        ({"deposit.json": b'{"runs": []}'}, "deposit.json names no run"),
        ({f"runs/{RUN}/ledger.jsonl": b""}, "no entry is there"),
        ({f"runs/{RUN}/ledger.jsonl": encode(golden_run().entries[1])}, "entry 0 should stand here"),
    ],
)
def test_a_record_that_cannot_be_read_is_none_and_says_why(more, problem):
    record, problems = read(members(**more))
    assert record is None
    assert any(problem in one for one in problems)


def test_a_ledger_whose_last_line_has_no_end_is_read_and_named():
    whole = members()[f"runs/{RUN}/ledger.jsonl"]
    record, problems = read(members(**{f"runs/{RUN}/ledger.jsonl": whole + b"{"}))
    assert record is not None
    assert problems == (f"runs/{RUN}/ledger.jsonl was changed: its last line has no end",)


def test_a_run_that_is_not_there_cannot_be_read_back():
    with pytest.raises(LedgerError, match="cannot be read back"):
        run_of({}, RUN)


def test_a_run_as_it_is_is_decided_again():
    run = run_of(members(), RUN)
    found = decided_again(run)
    assert (found.finished, found.decided, found.why) == (True, True, "")
    assert run.people == ("Ada",)
    assert [act.decision for _, act in run.acts] == ["reject"]


def test_a_deposited_curation_lists_what_was_sealed_last_whatever_was_decided_after_it():
    taken = (accept("a"), accept("b"))
    assert names_of(*taken) == ["a", "b"], "not sealed: what is accepted"
    assert names_of(*taken, SEAL, reject("b"), accept("c")) == ["a", "b"]
    assert names_of(*taken, SEAL, reject("b"), Sealed((DocumentId("a"),), "One.", "Ada")) == ["a"]


def names_of(*acts):
    return list(listed(DepositedRun(CURATED, a_set(*acts), (), frozenset())))
