"""Side by side: what several coroutines ask is asked together, and each learns what the others recorded."""

from dataclasses import dataclass, field

import pytest

from fakes.flow import Q1, Q2, Q3, surveyed
from vestigia.domain.effects import AskModel, Attend, Found, ReadDates, Replied, Search, Usage
from vestigia.domain.events import BudgetReached, Consulted, Outcome, Overruled, Planned, SubQuestionOpened, Wasted
from vestigia.domain.evidence import Decision, Memory
from vestigia.domain.requests import BriefRequest, Desk, RankRequest, Reading
from vestigia.domain.rules import Budget, Rules
from vestigia.inquiry.abreast import abreast
from vestigia.inquiry.consult import heed_budget, out_of_patience
from vestigia.inquiry.crossing import Crossing, Fact, LookRound, Pause, UnderWay, ask_all, ask_one, attend, look_round
from vestigia.inquiry.crossing import record as written
from vestigia.inquiry.fold import fold
from vestigia.inquiry.state import State


@dataclass
class Trace:
    """What came out of the flow, in order; `told` is what other flows further out recorded, by the fact's number."""

    facts: list = field(default_factory=list)
    crossings: list = field(default_factory=list)
    pauses: list = field(default_factory=list)
    state: State | None = None


def run(flow, missed=(), under_way=(), acts=()):
    trace, sent = Trace(), None
    try:
        while True:
            match flow.send(sent):
                case Fact(event):
                    trace.facts.append(event)
                    sent, missed = missed, ()
                case LookRound():
                    sent, missed = UnderWay(missed, under_way), ()
                case Pause(effect):
                    trace.pauses.append((effect.checkpoint, len(trace.crossings)))
                    sent = acts
                case Crossing(effects):
                    trace.crossings.append(effects)
                    sent = tuple(Found() if isinstance(e, Search) else Replied(str(e), "m") for e in effects)
    except StopIteration as end:
        trace.state = end.value
        return trace


def search(text):
    return Search("words", text, None, 1)


def ask(sub_question):
    return AskModel(BriefRequest(Desk(Reading(None), sub_question, Memory())))


def waste(name):
    return Wasted("q1", "repeated", name)


def planned(rules=Rules()):
    state = surveyed(rules=rules)
    return fold([Planned((Q1, Q2, Q3)), *(SubQuestionOpened(q.id) for q in (Q1, Q2, Q3))], state)


def notes(state):
    """What a state knows to be recorded, by the names in `waste`."""
    return [action.removeprefix("repeated: ") for action in state.threads["q1"].actions]


async def recording(state, *steps, seen=None):
    """Ask an effect, or record a name, one after another; `seen` collects what is known after each record."""
    for step in steps:
        if isinstance(step, str):
            state = await written(state, waste(step))
            (seen if seen is not None else []).append(notes(state))
        else:
            await ask_all((step,), object)
    return state


class TestAsking:
    def test_what_all_ask_is_one_crossing_in_their_order(self):
        state = planned()
        trace = run(abreast(state, [recording(state, search(name), name) for name in "abc"]))
        assert trace.crossings == [(search("a"), search("b"), search("c"))]
        assert trace.facts == [waste("a"), waste("b"), waste("c")]
        assert notes(trace.state) == ["a", "b", "c"]

    def test_each_gets_its_own_answers(self):
        got = []

        async def asking(state, *names):
            got.append([a.text for a in await ask_all([AskModel(name) for name in names], Replied)])
            return state

        run(abreast(planned(), [asking(planned(), "a", "b"), asking(planned(), "c")]))
        assert got == [[str(AskModel("a")), str(AskModel("b"))], [str(AskModel("c"))]]

    def test_searches_are_made_before_models_are_asked_so_that_all_are_asked_at_once(self):
        state = planned()
        flows = [recording(state, search("a"), search("b"), ask(Q1)), recording(state, ask(Q2))]
        assert run(abreast(state, flows)).crossings == [(search("a"),), (search("b"),), (ask(Q1), ask(Q2))]

    def test_one_that_ends_early_leaves_the_others_at_work(self):
        state = planned()
        trace = run(abreast(state, [recording(state), recording(state, search("b"), search("c"))]))
        assert trace.crossings == [(search("b"),), (search("c"),)]

    def test_none_ask_nothing(self):
        trace = run(abreast(planned(), []))
        assert (trace.crossings, trace.state) == ([], planned())

    def test_one_alone_crosses_as_it_would_by_itself(self):
        state = planned()
        alone, among = recording(state, search("a"), "x", ask(Q1)), recording(state, search("a"), "x", ask(Q1))
        one, other = run(alone), run(abreast(state, [among]))
        assert (one.facts, one.crossings, one.state) == (other.facts, other.crossings, other.state)

    def test_what_is_not_of_the_core_is_refused_and_the_others_are_closed(self):
        class Foreign:
            def __await__(self):
                yield self

        async def foreign(state):
            await Foreign()
            return state

        other = recording(planned(), search("a"))
        with pytest.raises(TypeError, match="its own crossings only"):
            run(abreast(planned(), [other, foreign(planned())]))
        assert other.cr_frame is None

    def test_a_fault_in_one_ends_all(self):
        async def broken(state):
            await ask_one(search("b"), Replied)
            return state

        other = recording(planned(), search("a"), search("c"))
        with pytest.raises(TypeError, match="Search was answered with Found"):
            run(abreast(planned(), [broken(planned()), other]))
        assert other.cr_frame is None


class TestHearing:
    def test_each_learns_at_its_next_fact_what_the_others_recorded(self):
        state, seen = planned(), {"1": [], "2": []}
        flows = [
            recording(state, "a", search("x"), "b", seen=seen["1"]),
            recording(state, "c", search("y"), "d", seen=seen["2"]),
        ]
        trace = run(abreast(state, flows))
        assert seen == {"1": [["a"], ["a", "c", "b"]], "2": [["a", "c"], ["a", "c", "b", "d"]]}
        assert notes(trace.state) == ["a", "c", "b", "d"]

    def test_side_by_side_within_side_by_side_hears_both(self):
        state, seen = planned(), []
        inner = abreast(
            state, [recording(state, search("x"), "a", seen=seen), recording(state, search("y"), "b", seen=seen)]
        )
        trace = run(abreast(state, [recording(state, "o", search("z"), "p"), inner]))
        assert trace.crossings == [(search("z"), search("x"), search("y"))]
        assert seen == [["o", "p", "a"], ["o", "p", "a", "b"]]
        assert notes(trace.state) == ["o", "p", "a", "b"]

    def test_what_is_recorded_further_out_is_passed_on(self):
        state, seen = planned(), []
        trace = run(abreast(state, [recording(state, "a", seen=seen)]), missed=(waste("outside"),))
        assert seen == [["outside", "a"]]
        assert notes(trace.state) == ["outside", "a"]

    def test_a_state_looked_at_from_one_sub_question_stays_so(self):
        async def opening(state):
            return await written(state, SubQuestionOpened("q2"))

        state = fold([Planned((Q1, Q2)), SubQuestionOpened("q1")], surveyed())
        assert run(abreast(state, [opening(state)])).state.work.sub_question == Q1


class TestPeople:
    ACT = Overruled("D1", Decision.REJECT, "no", "Ada")

    def test_what_a_person_decided_reaches_all(self):
        async def attending(state):
            state = await attend(state, "holds")
            assert list(state.overruled) == ["D1"]
            return state

        async def beside(state):
            await ask_one(search("a"), Found)
            state = await written(state, waste("a"))
            assert list(state.overruled) == ["D1"]
            return state

        state = planned()
        trace = run(abreast(state, [beside(state), attending(state)]), acts=(self.ACT,))
        assert trace.state.overruled == {"D1": self.ACT}

    def test_a_person_is_waited_for_only_when_nothing_else_can_be_done(self):
        async def attending(state, name):
            return await attend(await recording(state, search(name)), "holds")

        state = planned(Rules(pause=("holds",)))
        flows = [attending(state, "a"), recording(state, search("b"), search("c")), attending(state, "d")]
        trace = run(abreast(state, flows), acts=(self.ACT,))
        assert trace.pauses == [("holds", 2), ("holds", 2)]
        assert trace.crossings == [(search("a"), search("b"), search("d")), (search("c"),)]
        assert trace.state.overruled == {"D1": self.ACT}

    def test_one_that_need_not_wait_hears_at_once(self):
        async def attending(state):
            return await attend(state, "holds")

        state = planned()
        trace = run(abreast(state, [attending(state), recording(state, search("b"))]))
        assert trace.pauses == [("holds", 0)]
        assert Attend("holds") == Attend("holds", wait=False)


class TestCallsUnderWay:
    @staticmethod
    async def looking(state, effect, found):
        await ask_all((effect,), object)
        state, calls = await look_round(state)
        found.append(calls)
        return state

    def test_calls_that_others_asked_for_and_did_not_record_are_counted_by_sub_question(self):
        state, found = planned(), []
        rank = AskModel(RankRequest(Reading(None), (), 1))
        effects = (ask(Q1), ask(Q2), rank)
        run(abreast(state, [self.looking(state, effect, found) for effect in effects]), under_way=("q9",))
        assert found == [("q9", "q2", None), ("q9", None), ("q9",)]

    def test_searches_and_dates_are_no_calls(self):
        state, found = planned(), []
        flows = [self.looking(state, search("a"), found), self.looking(state, ReadDates("b"), found)]
        run(abreast(state, flows))
        assert found == [(), ()]

    def test_looking_round_brings_what_was_missed(self):
        seen = []

        async def looking(state):
            await ask_one(search("b"), Found)
            state, _ = await look_round(state)
            seen.append(notes(state))
            return state

        state = planned()
        run(abreast(state, [recording(state, search("a"), "a"), looking(state)]))
        run(abreast(state, [looking(state)]), missed=(waste("outside"),))
        assert seen == [["a"], ["outside"]]


class TestBudgets:
    @pytest.mark.parametrize(("done", "under_way", "limit"), [(2, 0, ""), (2, 1, "3 model calls"), (1, 1, "")])
    def test_calls_under_way_count_as_made(self, done, under_way, limit):
        call = Consulted("brief", "m", Outcome.READ, Usage())
        state = fold([call] * done, planned(Rules(budget=Budget(calls=3))))
        trace = run(heed_budget(state, ("q1",) * under_way))
        assert trace.state.limit == limit
        assert trace.facts == ([BudgetReached(limit)] if limit else [])

    @pytest.mark.parametrize(("under_way", "limit"), [(0, ""), (1, ""), (2, "100 tokens")])
    def test_tokens_of_calls_under_way_are_taken_for_those_of_the_largest(self, under_way, limit):
        calls = [Consulted("brief", "m", Outcome.READ, Usage(tokens, None)) for tokens in (10, 30)]
        state = fold(calls, planned(Rules(budget=Budget(calls=None, tokens=100))))
        assert run(heed_budget(state, ("q1",) * under_way)).state.limit == limit

    @pytest.mark.parametrize(("under_way", "out"), [((), False), (("q2", None), False), (("q1", "q1"), True)])
    def test_patience_counts_the_calls_of_its_own_sub_question(self, under_way, out):
        call = Consulted("step", "m", Outcome.READ, Usage(), sub_question="q1")
        assert out_of_patience(fold([call], planned(Rules(patience=3))), under_way) is out
