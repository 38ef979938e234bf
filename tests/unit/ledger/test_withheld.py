"""Ledger lines that lack texts: still in the chain, never taken for whole ones."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from fakes.samples import RUN, bodies, chain
from vestigia.domain.entries import Recorded
from vestigia.domain.errors import LedgerError
from vestigia.domain.events import BudgetReached, Closed
from vestigia.ledger import withheld
from vestigia.ledger.chain import sound
from vestigia.ledger.codec import decode
from vestigia.ledger.withheld import Withheld

WHOLE = chain([Recorded(BudgetReached("forty calls")), Recorded(BudgetReached("a secret")), Recorded(Closed())])


def without_secret() -> bytes:
    entry = decode(WHOLE[1], "here")
    return withheld.write(replace(entry, body=Recorded(BudgetReached("⟦withheld 1⟧"))), Withheld(len(WHOLE[1]), 1))


def followed(lines):
    entries, problem = sound(Path("runs") / RUN, RUN, list(lines), withheld.read)
    return len(entries), problem


def test_a_line_without_its_texts_says_how_much_is_left_out_and_keeps_its_place():
    line = without_secret()
    assert withheld.of(line) == Withheld(len(WHOLE[1]), 1)
    assert b"secret" not in line
    entry = withheld.read(line, "here")
    assert entry.digest == decode(WHOLE[1], "here").digest
    assert entry.body == Recorded(BudgetReached("⟦withheld 1⟧"))
    assert json.loads(line)["digest"] == entry.digest


def test_whole_lines_are_read_as_ever_and_are_not_taken_for_others():
    for line in chain(bodies()):
        assert withheld.of(line) is None
        assert withheld.read(line, "here") == decode(line, "here")


def test_the_chain_can_be_followed_through_it():
    assert followed((WHOLE[0], without_secret(), WHOLE[2])) == (3, "")


@pytest.mark.parametrize(
    ("lines", "good"),
    [
        ((without_secret(), WHOLE[0], WHOLE[2]), 0),
        ((WHOLE[0], WHOLE[2]), 1),
        ((WHOLE[0], without_secret(), without_secret()), 2),
        ((WHOLE[0], without_secret().replace(b'"digest":"sha256:', b'"digest":"sha256:0'), WHOLE[2]), 2),
        ((WHOLE[0], without_secret().replace(b"budget_reached", b"budget_breached"), WHOLE[2]), 1),
        ((WHOLE[0], without_secret().replace(b'"texts"', b'"Texts"'), WHOLE[2]), 1),
        ((WHOLE[0].replace(b"forty", b"fifty"), without_secret(), WHOLE[2]), 0),
    ],
)
def test_what_breaks_the_chain_or_cannot_be_read_stops_there(lines, good):
    entries, problem = followed(lines)
    assert entries == good
    assert problem


def test_a_line_that_only_looks_like_one_is_no_whole_one_either():
    for line in (b'{"withheld":{"bytes":"many","texts":1}}\n', b'{"withheld":{"bytes":}}\n'):
        assert withheld.of(line) is None
        with pytest.raises(LedgerError, match="altered"):
            withheld.read(line, "here")
