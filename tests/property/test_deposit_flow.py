"""B9: the numbers of the flow diagram are those of the record, counted again in another way, and they add up.

The recount reads the lines of the ledger as plain JSON: it knows nothing of the fold.
"""

import csv
import io
import json
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.runs import DOCUMENTS, QUESTION, RUN, WAVES, a_ledger, carry_on, lines, scripted, spread, started
from fakes.samples import bare, bodies, values
from vestigia.app.depositing.drawing import as_csv, as_svg
from vestigia.app.depositing.flow import Flow, flow
from vestigia.app.depositing.record import DepositedRun, Record
from vestigia.domain.effects import Replied, Stop
from vestigia.domain.entries import Begun, Entry, Recorded
from vestigia.domain.events import (
    Consolidated,
    DossierOpened,
    Event,
    Gathered,
    HeldUnseen,
    Interpreted,
    Overruled,
    SetOpened,
)
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import Digest, digest
from vestigia.domain.requests import ReviewRequest
from vestigia.domain.rules import Budget, Rules, Switches
from vestigia.engine import runs
from vestigia.inquiry.view import result

NAMES = [document.id for document in DOCUMENTS]


class Moody:
    """The scripted model, whose reviews are drawn by lot: other verdicts, none at all, nonsense, a refusal."""

    def __init__(self, model, seed: int) -> None:
        self.model, self.seed, self.name, self.fingerprint = model, seed, model.name, model.fingerprint

    async def complete(self, request, passages, prompt):
        replied = await self.model.complete(request, passages, prompt)
        if not isinstance(request, ReviewRequest):
            return replied
        lot = self._lot(str(request.passages[0].passage))
        if lot < 2:
            return replace(replied, text="I would rather not say")
        if lot < 3:
            return Replied("no", self.name, replied.prompt, replied.usage, Stop.REFUSED)
        verdicts = [
            {
                "passage": shown.passage,
                "verdict": ("accept", "hold", "reject")[self._lot(shown.passage) % 3],
                "reason": "so",
            }
            for shown in request.passages
            if self._lot(f"{shown.passage} said")
        ]
        return replace(replied, text=json.dumps({"action": "review", "args": {"verdicts": verdicts}}))

    def _lot(self, of: str) -> int:
        return int(digest(f"{self.seed} {of}")[-2:], 16) % 10


def a_record(entries: tuple[Entry, ...]) -> Record:
    return Record((DepositedRun(RUN, entries, (), frozenset()),), {"missing": []}, (), {}, {})


def flow_of(entries: tuple[Entry, ...]) -> Flow:
    record = a_record(entries)
    return flow(record, record.main)


def parts(value: object, kind: str):
    """Every JSON object of a kind, at whatever depth."""
    if isinstance(value, dict):
        if value.get("type") == kind:
            yield value
        for held in value.values():
            yield from parts(held, kind)
    elif isinstance(value, list):
        for held in value:
            yield from parts(held, kind)


def recount(content: bytes) -> dict[str, set[str] | Counter]:
    """What the lines of a ledger say, read without the program that wrote them."""
    rows = [json.loads(line) for line in content.splitlines()]
    found: dict[str, set[str] | Counter] = {
        "met": {hit["document"] for row in rows for one in parts(row, "found") for hit in one.get("hits", ())},
        "forward": {c["document"] for row in rows for kind in ("searched", "held_unseen") for one in parts(row, kind)
                    for c in one["candidates"]},
        "calls": Counter(one["outcome"] for row in rows for one in parts(row, "consulted")),
    }  # fmt: skip
    machine = {v["document"] for row in rows for one in parts(row, "judged") for v in one["verdicts"]
               if v["decision"] == "accept"}  # fmt: skip
    machine |= {v["document"] for row in rows for one in parts(row, "reevaluated") for v in one["promoted"]}
    people = {one["document"]: one["decision"] for row in rows for one in parts(row, "overruled")}
    found["accepted"] = machine
    found["away"] = {name for name in machine if people.get(name, "accept") == "reject"}
    found["aside"] = {name for name in machine if people.get(name, "accept") == "hold"}
    added = {name for name, said in people.items() if said == "accept"} - machine
    found["added"] = added & (found["met"] | found["forward"])  # type: ignore[operator]
    return found


ACTS = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(list(Decision))), max_size=6)
RULES = (Rules(), WAVES, Rules(review_size=2, parse_retries=0), Rules(budget=Budget(calls=6)))
STRANGE = (SetOpened, DossierOpened, Gathered, Consolidated, HeldUnseen)
"""Events that speak of documents which a run has to have described before."""


@cache
def moody(seed: int, place: int) -> tuple[Entry, ...]:
    """A run of the moody model, made once."""
    ledger = started(RULES[place], QUESTION)
    carry_on(ledger, Moody(spread() if RULES[place] is WAVES else scripted(), seed))
    return ledger.entries()


@given(st.integers(0, 2), st.integers(0, len(RULES) - 1), ACTS, st.integers(1, 300))
@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
def test_b9_the_numbers_are_those_of_the_ledger_wherever_it_ends(seed, place, acts, length):
    ledger = a_ledger(moody(seed, place))
    for document, decision in acts:
        runs.decide(ledger, Overruled(document, decision, "I say so", "Ada"))
    for entries in (ledger.entries(), ledger.entries()[:length]):
        counted, again = flow_of(entries), recount(lines(entries))
        assert counted.adds_up
        sizes = {name: len(held) for name, held in again.items() if isinstance(held, set)}
        put, taken, listed = (counted.step(name) for name in ("put forward", "accepted by the machine", "listed"))
        assert counted.step("met by a search").number == len(again["met"] | again["forward"])
        assert (put.number, put.part("accepted by the machine")) == (sizes["forward"], sizes["accepted"])
        assert taken.part("put away by people") == sizes["away"]
        assert taken.part("put on hold by people") == sizes["aside"]
        assert taken.part("kept") == sizes["accepted"] - sizes["away"] - sizes["aside"]
        assert listed.part("added by people") == sizes["added"]
        assert listed.number == len(result(runs.view_of(entries)).sources)
        calls = counted.step("calls of models")
        assert Counter({p.what: p.number for p in calls.parts} if calls else {}) == again["calls"]
        assert drawn(counted) == [(part.what, part.number) for step in counted.steps for part in step.parts]


@given(st.lists(values(Event).filter(lambda event: not isinstance(event, STRANGE)), max_size=6))
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_every_kind_of_event_in_any_order_leaves_numbers_that_add_up(events):
    whole = moody(0, 0)
    later = enumerate(map(Recorded, events), len(whole))
    entries = (*whole, *(Entry(number, Digest(""), Digest(""), "now", "code", body) for number, body in later))
    assert flow_of(entries).adds_up


def test_every_kind_of_commission_there_is_can_be_counted_and_drawn():
    whole = tuple(body for body in bodies() if not isinstance(getattr(body, "event", None), Interpreted))
    firsts = [body for body in whole if isinstance(body, Begun) and body.commission is not None]
    assert len({type(first.commission) for first in firsts}) == 4
    for first in firsts:
        some = [first, *(body for body in whole if not isinstance(body, Begun))]
        entries = tuple(Entry(n, Digest(""), Digest(""), "now", "person:Ada", body) for n, body in enumerate(some))
        counted = flow_of(entries)
        assert all(step.adds_up for step in counted.steps), first.commission
        assert b"</svg>" in as_svg([counted])


@pytest.mark.parametrize(
    ("text", "stop", "held"),
    [
        ("I would rather not say", Stop.ENDED, "held: the reply could not be read"),
        ("no", Stop.REFUSED, "held: the model refused"),
        ("", Stop.TOO_LONG, "held: too long for the model"),
        ('{"action": "review", "args": {"verdicts": []}}', Stop.ENDED, "held by the machine"),
    ],
)
def test_unreadable_refused_too_long_and_undecided_are_counted_apart(text, stop, held):
    class Silent(Moody):
        async def complete(self, request, passages, prompt):
            replied = await self.model.complete(request, passages, prompt)
            return replace(replied, text=text, stop=stop) if isinstance(request, ReviewRequest) else replied

    rules = Rules(parse_retries=0, switches=Switches(holds=False))
    ledger = started(rules, QUESTION)
    carry_on(ledger, Silent(scripted(), 0))
    put = flow_of(ledger.entries()).step("put forward")
    assert put.part("accepted by the machine") == put.part("rejected by the machine") == 0
    assert put.part(held) > 0
    assert put.part(held) + put.part("held: never shown to a model") == put.number


def test_what_no_budget_was_left_for_is_held_unshown_and_what_rights_withhold_is_told_apart():
    none_left = flow_of(moody(0, 3))
    assert none_left.step("put forward").part("held: never shown to a model") > 0
    assert none_left.adds_up


def drawn(counted: Flow) -> list[tuple[str, int]]:
    """The parts and numbers of the table beside the drawing."""
    rows = list(csv.reader(io.StringIO(as_csv([counted]).decode("utf-8-sig"))))
    return [(part, int(number)) for _, _, _, part, number, _ in rows[1:]]


def test_a_run_that_was_only_begun_has_nothing_to_count():
    ledger = a_ledger()
    runs.begin(ledger, bare(Begun).manifest, QUESTION, Rules())
    assert [(step.what, step.number) for step in flow_of(ledger.entries()).steps] == [
        ("met by a search", 0),
        ("put forward", 0),
        ("accepted by the machine", 0),
        ("listed", 0),
    ]
