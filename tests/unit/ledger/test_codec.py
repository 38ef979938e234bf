"""One entry, one canonical line, sealed by its own digest."""

import hashlib
import json
from dataclasses import replace

import pytest
import rfc8785

from vestigia.domain.effects import Found
from vestigia.domain.entries import Answered, Entry, Recorded
from vestigia.domain.errors import LedgerError
from vestigia.domain.events import BudgetReached
from vestigia.domain.evidence import Hit
from vestigia.domain.ids import Digest, DocumentId, PassageId, digest
from vestigia.ledger.codec import decode, encode, seal

DRAFT = Entry(4, digest("before"), Digest(""), "2026-01-02T10:00:00Z", "person:Zoë", Recorded(BudgetReached("calls")))


def scored(score: float) -> Entry:
    return replace(DRAFT, body=Answered((Found((Hit(PassageId("d#0-9"), DocumentId("d"), 1, score),)),)))


def forged(**changes: object) -> bytes:
    """A line whose digest is right whatever it says, as another version would write it."""
    content = {**json.loads(seal(DRAFT)[1]), **changes}
    del content["digest"]
    content["digest"] = digest(rfc8785.dumps(content))
    return rfc8785.dumps(content) + b"\n"


def test_a_line_is_canonical_json_in_utf_8_ended_by_a_line_feed() -> None:
    line = encode(seal(DRAFT)[0])
    assert line == rfc8785.dumps(json.loads(line)) + b"\n"
    assert line.startswith(
        '{"actor":"person:Zoë","body":{"event":{"limit":"calls","type":"budget_reached"},'
        '"type":"recorded"},"digest":"sha256:'.encode()
    )


def test_any_program_can_check_the_digest() -> None:
    """Drop `digest`, write the rest canonically, hash it."""
    content = json.loads(seal(DRAFT)[1])
    claimed = content.pop("digest")
    assert claimed == "sha256:" + hashlib.sha256(rfc8785.dumps(content)).hexdigest()


def test_the_digest_of_the_draft_is_disregarded() -> None:
    assert seal(DRAFT) == seal(replace(DRAFT, digest=digest("anything")))


def test_texts_that_look_like_parts_of_a_line_do_no_harm() -> None:
    event = BudgetReached('"number":1,"digest":"sha256:')
    draft = replace(DRAFT, actor='","digest":"x","number":9', body=Recorded(event))
    entry, line = seal(draft)
    assert decode(line, "here") == entry
    assert entry.actor == draft.actor


@pytest.mark.parametrize("score", [0.0, 0.1, 1.0, -2.5, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 2 / 3])
def test_a_number_is_read_back_exactly(score: float) -> None:
    body = seal(scored(score))[0].body
    assert isinstance(body, Answered)
    assert isinstance(body.answers[0], Found)
    assert body.answers[0].hits[0].score == score


@pytest.mark.parametrize(
    ("draft", "why"),
    [
        (scored(float("nan")), "nan is not representable"),
        (scored(float("-inf")), "-inf is not representable"),
        (replace(DRAFT, number=2**53), "exceeds safe integer domain"),
        (replace(DRAFT, actor="\udc80"), "non-UTF-8"),
        (replace(DRAFT, actor=None), "actor is not text: None"),
        (replace(DRAFT, body=BudgetReached("calls")), "body is a BudgetReached, which is none of begun"),
        (replace(DRAFT, body=Recorded(BudgetReached(3))), "body.event.limit is not text: 3"),
    ],
)
def test_what_no_ledger_can_hold_is_refused_before_it_is_written(draft: Entry, why: str) -> None:
    with pytest.raises(LedgerError, match=f"entry [0-9]+ cannot be recorded: .*{why}"):
        seal(draft)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"{}\n",
        b'{"digest":"sha256:',
        b"\xff\n",
        b'{"digest":"sha256:0","number":1}\n',
        seal(DRAFT)[1][:-1],
        seal(DRAFT)[1][:-1] + b"\r\n",
        seal(DRAFT)[1].replace(b":", b": ", 1),
        seal(DRAFT)[1].replace(b"calls", b"c\\u0061lls"),
        seal(DRAFT)[1] * 2,
    ],
    ids=str,
)
def test_a_line_that_is_not_the_one_written_was_altered(line: bytes) -> None:
    with pytest.raises(LedgerError, match=r"^runs/x, line 5: this entry was altered") as caught:
        decode(line, "runs/x, line 5")
    assert "Restore the ledger from a copy" in caught.value.remedy


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (forged(mood="good"), "it has the unknown field 'mood'"),
        (forged(body={"type": "dreamt"}), "body has the unknown type 'dreamt'"),
        (forged(body={"type": "recorded", "event": {"type": "budget_reached"}}), "body.event lacks the field 'limit'"),
        (forged(number=1.5), "number is not a whole number: 1.5"),
    ],
    ids=["unknown field", "unknown type", "missing field", "wrong type"],
)
def test_a_whole_line_of_another_version_is_told_from_an_altered_one(line: bytes, why: str) -> None:
    with pytest.raises(LedgerError, match=why) as caught:
        decode(line, "here")
    assert "whole but cannot be understood" in str(caught.value)
    assert "Another version of Vestigia" in caught.value.remedy
