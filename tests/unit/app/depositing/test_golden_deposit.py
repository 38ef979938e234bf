"""A deposit made once verifies and replays in every later version; in this one it is made in the same bytes."""

import json
from pathlib import Path

from fakes.depositing import golden_deposit
from vestigia.app.depositing.checking import check
from vestigia.app.depositing.record import FORMAT
from vestigia.app.depositing.replaying import plain, replay
from vestigia.ledger import deposit
from vestigia.ledger.deposit import unpack

GOLDEN = Path(__file__).parents[3] / "golden" / "deposit-v1.zip"
REMEDY = (
    "before the first release: `uv run python scripts/approve_deposit.py`; after it: raise FORMAT, keep the old one"
)


def test_the_golden_deposit_verifies_and_replays():
    found = check(GOLDEN)
    assert found.problems == ()
    again = plain(replay(GOLDEN))
    assert [one["decided_again"] for one in again["runs"]] == [True]
    assert [one["document"] for one in again["sources"]] == [row.document for row in found.record.main.state.ranking]


def test_what_is_made_of_a_record_is_still_made_in_the_same_bytes():
    before, now = unpack(GOLDEN).members, golden_deposit()
    assert json.loads(before["deposit.json"])["format"] == FORMAT
    assert now == GOLDEN.read_bytes(), REMEDY


def test_a_deposit_of_another_format_is_checked_by_its_ledgers_and_says_what_was_not_compared(tmp_path):
    members = dict(unpack(GOLDEN).members)
    members["deposit.json"] = members["deposit.json"].replace(b'"format": 1', b'"format": 99')
    members["flow.svg"] = b"drawn otherwise"
    del members["ro-crate-metadata.json"]
    (tmp_path / "later.zip").write_bytes(deposit.pack(members))
    found = check(tmp_path / "later.zip")
    assert found.problems == ()
    assert found.unchecked == (
        "another version of Vestigia made it: what was drawn and told of the record was not compared",
    )
