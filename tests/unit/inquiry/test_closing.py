"""T11: holds looked at again. T12: the brief. T13: re-planning. T15: each can be turned off."""

from dataclasses import replace
from typing import ClassVar

import pytest

from fakes.flow import (
    BRIEFE,
    Q1,
    Q2,
    ZEITUNG,
    Scene,
    after_search,
    candidate,
    passage,
    run,
    sub_question,
    surveyed,
    working,
)
from vestigia.domain.archive import Access
from vestigia.domain.events import (
    Briefed,
    BudgetReached,
    HeldUnseen,
    Judged,
    PlanEdited,
    Planned,
    Reevaluated,
    Replanned,
    SubQuestionOpened,
)
from vestigia.domain.evidence import Brief, Decision, Memory, Verdict
from vestigia.domain.rules import Budget, Rules, Switches
from vestigia.inquiry.closing import brief, has_readers, pointed_to, reevaluate, replan
from vestigia.inquiry.fold import evolve, fold


def holding(*names, rules=Rules(), accepted=()):
    """The sub-question holds passages of these documents and has accepted others."""
    state = working(*names, *accepted, rules=rules)
    verdicts = [Verdict(passage(name), name, Decision.HOLD, "perhaps") for name in names]
    verdicts += [Verdict(passage(name), name, Decision.ACCEPT, "it fits") for name in accepted]
    return evolve(state, Judged("q1", tuple(verdicts), Memory(evidence="he spoke")))


def promote(name, reason="named in the letter", quote="", number=0):
    return {"passage": passage(name, number), "reason": reason, "quote": quote}


def reevaluated(state, *replies):
    async def going():
        """By the published rules no brief comes with it."""
        later, written = await reevaluate(state)
        assert written is None
        return later

    return run(
        going(),
        Scene(replies={"reevaluate": [r if isinstance(r, str) else {"promote": list(r)} for r in replies]}),
    )


class TestReevaluate:
    """T11."""

    def test_one_call_sees_all_held_passages_the_accepted_evidence_and_the_memory(self):
        told = reevaluated(holding("a", "b", accepted=["c"]), [])
        (request,) = told.requests()
        assert [shown.passage for shown in request.held] == [passage("a"), passage("b")]
        assert [taken.document for taken in request.desk.taken] == ["c"]
        assert (request.desk.memory.evidence, request.reason_length) == ("he spoke", 120)

    def test_what_is_promoted_is_accepted_with_a_reason_of_its_own(self):
        told = reevaluated(holding("a", "b"), [promote("a", "named in the letter", "M. F.")])
        assert told.only(Reevaluated) == Reevaluated(
            "q1", (Verdict(passage("a"), "a", Decision.ACCEPT, "named in the letter", "M. F."),)
        )
        assert list(told.value.accepted) == ["a"]
        assert list(told.value.held) == [passage("b")]

    @pytest.mark.parametrize("promotion", [promote("x"), promote("a", ""), promote("a", "  "), promote("c")])
    def test_without_a_reason_or_without_being_held_nothing_is_promoted(self, promotion):
        told = reevaluated(holding("a", accepted=["c"]), [promotion])
        assert told.only(Reevaluated).promoted == ()
        assert list(told.value.held) == [passage("a")]

    def test_a_passage_promoted_twice_is_promoted_once_by_the_first_reason_cut_at_120(self):
        told = reevaluated(holding("a"), [promote("a", "x" * 130), promote("a", "y")])
        assert [v.reason for v in told.only(Reevaluated).promoted] == ["x" * 120]

    def test_what_was_held_unseen_is_looked_at_too(self):
        state = evolve(holding("a"), HeldUnseen("q1", (candidate("a", 1),), "margin"))
        told = reevaluated(state, [promote("a", number=1)])
        assert [shown.passage for shown in told.requests()[0].held] == [passage("a"), passage("a", 1)]
        assert dict(told.value.held) == {}

    def test_b11_what_its_rights_keep_from_the_model_is_not_put_before_it_here_either(self):
        state = holding("a", "b", rules=Rules(withhold=(Access.CLOSED,)))
        cards = {**state.cards, "a": replace(state.cards["a"], access=Access.CLOSED)}
        told = reevaluated(replace(state, cards=cards), [promote("a"), promote("b")])
        assert [shown.passage for shown in told.requests()[0].held] == [passage("b")]
        assert [v.document for v in told.only(Reevaluated).promoted] == ["b"]

    def test_nothing_held_asks_nothing(self):
        assert reevaluated(holding(accepted=["c"])).effects == []

    def test_t15_without_holds_nothing_is_asked(self):
        told = reevaluated(holding("a", rules=Rules(switches=Switches(holds=False))))
        assert (told.effects, list(told.value.held)) == ([], [passage("a")])

    def test_t8_an_unreadable_reply_promotes_nothing_and_says_nothing(self):
        told = reevaluated(holding("a"), *["?"] * 6)
        assert told.of(Reevaluated) == []
        assert list(told.value.held) == [passage("a")]


def briefed(state, *replies):
    return run(brief(state, "the model finished"), Scene(replies={"brief": replies}))


class TestBrief:
    """T12."""

    FULL: ClassVar = {"facts": ["f"], "dates": ["1887"], "entities": ["Ferry"], "gaps": ["g"], "hints": ["h", "i"]}

    def test_facts_dates_entities_gaps_and_hints_are_handed_over(self):
        told = briefed(working(), self.FULL)
        assert told.only(Briefed) == Briefed(
            Brief("q1", ("f",), ("1887",), ("Ferry",), ("g",), ("h", "i")), "the model finished"
        )

    def test_the_sub_question_is_finished_and_its_brief_lies_before_the_next(self):
        state = briefed(working(plan=(Q1, Q2)), self.FULL).value
        assert (state.thread, state.finished, state.queue) == (None, (Q1,), (Q2,))
        assert state.briefs[0].facts == ("f",)

    def test_t8_an_unreadable_brief_is_an_empty_one(self):
        told = briefed(working(), *["?"] * 6)
        assert told.only(Briefed).brief == Brief("q1")
        assert told.value.finished == (Q1,)

    def test_t15_without_memory_no_brief_is_asked_for(self):
        told = briefed(working(rules=Rules(switches=Switches(memory=False))))
        assert (told.effects, told.only(Briefed).brief) == ([], Brief("q1"))


def finished(*plan, rules=Rules(), done=1):
    """So many sub-questions of a plan are finished."""
    state = evolve(surveyed(rules=rules), Planned(plan))
    for one in plan[:done]:
        state = fold([SubQuestionOpened(one.id), Briefed(Brief(one.id, ("f",)), "done")], state)
    return state


def proposal(text, sub_corpus="Zeitung", **more):
    return {"text": text, "sub_corpus": sub_corpus, **more}


def replanned(state, *proposals):
    return run(replan(state), Scene(replies={"replan": [{"sub_questions": list(proposals)}]}))


def texts(sub_questions):
    return [(s.id, s.text) for s in sub_questions]


class TestReplan:
    """T13."""

    def test_the_model_sees_what_is_finished_what_remains_the_briefs_and_how_many_may_be_added(self):
        told = replanned(finished(Q1, Q2), proposal(Q2.text, "Briefe"))
        (request,) = told.requests()
        assert (request.finished, request.remaining, request.room) == ((Q1,), (Q2,), 2)
        assert (request.briefs, request.sub_corpora) == ((Brief("q1", ("f",)),), (ZEITUNG, BRIEFE))

    def test_remaining_sub_questions_may_be_changed_and_new_ones_added(self):
        told = replanned(finished(Q1, Q2), proposal("Who paid?"), proposal("Who sailed?", "Briefe"))
        assert texts(told.only(Replanned).remaining) == [("q2", "Who paid?"), ("q3", "Who sailed?")]
        assert told.value.queue == told.only(Replanned).remaining
        assert texts(told.value.plan) == [("q1", Q1.text), ("q2", "Who paid?"), ("q3", "Who sailed?")]

    def test_sub_questions_may_be_added_after_the_last(self):
        told = replanned(finished(Q1), proposal("Who paid?"))
        assert texts(told.value.queue) == [("q2", "Who paid?")]

    def test_what_remains_may_be_dropped(self):
        told = replanned(finished(Q1, Q2))
        assert told.only(Replanned) == Replanned(())
        assert told.value.queue == ()

    def test_an_unchanged_plan_is_not_recorded_as_changed(self):
        told = replanned(finished(Q1, Q2), proposal("who wrote of the HARBOUR", "Briefe"))
        assert told.of(Replanned) == []
        assert told.value.queue == (Q2,)

    def test_the_total_is_capped_finished_ones_included(self):
        told = replanned(finished(Q1, Q2, done=2), *[proposal(f"Who {n}?") for n in "xyz"])
        assert texts(told.value.queue) == [("q3", "Who x?"), ("q4", "Who y?")]
        assert told.only(Replanned).dropped == ("Who z?: there is room for 2 more only",)
        assert told.value.notes == ("not planned: Who z?: there is room for 2 more only",)

    def test_a_full_plan_of_finished_ones_asks_nothing(self):
        plan = tuple(sub_question(n, f"Who {n}?") for n in range(1, 5))
        assert replanned(finished(*plan, done=4)).effects == []

    @pytest.mark.parametrize(
        "repeated", [proposal(Q1.text), proposal("of the BLOCKADE who spoke"), proposal("Who paid?")]
    )
    def test_finished_pairs_of_sub_corpus_and_topic_are_not_repeated(self, repeated):
        told = replanned(finished(Q1), proposal("Who paid?"), repeated)
        assert texts(told.value.queue) == [("q2", "Who paid?")]
        assert told.only(Replanned).dropped == (f"{repeated['text']}: its sub-corpus and topic are done or planned",)

    def test_the_same_topic_in_another_sub_corpus_is_another_pair(self):
        told = replanned(finished(Q1), proposal(Q1.text, "Briefe"))
        assert [s.sub_corpus for s in told.value.queue] == ["Briefe"]

    @pytest.mark.parametrize(
        ("bad", "says"),
        [
            (proposal("Who?", "Akten"), "there is no sub-corpus 'Akten'"),
            (proposal(" "), "a sub-question has no text"),
            (proposal("Who?", entities=[{"text": "Antwerp"}]), "'Antwerp' is not in the question"),
        ],
    )
    def test_t1_the_invariants_hold_here_too(self, bad, says):
        told = replanned(finished(Q1, Q2), bad, proposal("Who paid?"))
        assert says in told.only(Replanned).dropped[0]
        assert texts(told.value.queue) == [("q2", "Who paid?")]

    def test_where_every_proposal_is_against_a_rule_what_remains_stays(self):
        told = replanned(finished(Q1, Q2), proposal("Who?", "Akten"))
        assert told.value.queue == (Q2,)
        assert told.only(Replanned).dropped

    def test_t8_an_unreadable_reply_changes_nothing(self):
        state = finished(Q1, Q2)
        told = run(replan(state), Scene(replies={"replan": ["?"] * 6}))
        assert (told.of(Replanned), told.value.queue) == ([], (Q2,))

    @pytest.mark.parametrize("off", ["memory", "decomposition"])
    def test_t15_without_memory_or_decomposition_nothing_is_replanned(self, off):
        assert replanned(finished(Q1, rules=Rules(switches=Switches(**{off: False})))).effects == []

    def test_t16_after_the_limit_nothing_is_replanned(self):
        state = evolve(finished(Q1, rules=Rules(budget=Budget(calls=0))), BudgetReached("0 model calls"))
        assert replanned(state).facts == []

    def test_a_persons_plan_is_not_the_models_to_change(self):
        state = fold(
            [Planned((Q1,)), PlanEdited((Q1, Q2), "Ada"), SubQuestionOpened("q1"), Briefed(Brief("q1"), "done")],
            surveyed(),
        )
        told = replanned(state, proposal("Who paid?"))
        assert (told.effects, told.value.queue) == ([], (Q2,))


def test_t11_a_passage_found_later_is_held_beside_the_first():
    state = after_search(holding("a"), candidate("a", 1))
    told = reevaluated(state, [promote("a")])
    assert list(told.value.accepted) == ["a"]
    assert told.value.work.pending == ()


SECOND = Rules(switches=Switches(second_look=True))


def rejecting(*names, rules=SECOND, again=(), accepted=()):
    """The sub-question rejected passages of these documents; a second search found `again` at these places."""
    state = working(*names, *accepted, rules=rules)
    verdicts = [Verdict(passage(name), name, Decision.REJECT, "no") for name in names]
    verdicts += [Verdict(passage(name), name, Decision.ACCEPT, "it fits") for name in accepted]
    state = evolve(state, Judged("q1", tuple(verdicts), Memory()))
    return after_search(state, *(candidate(name, 1) for name in again), by="words “x”") if again else state


class TestSecondLook:
    """Rejected passages of documents that other searches point to."""

    @staticmethod
    def looked_at(state):
        return [waiting.candidate.document for waiting in pointed_to(state)]

    def test_what_two_searches_found_is_looked_at_again_the_best_placed_first(self):
        assert self.looked_at(rejecting(*"abc", again=("c", "b"))) == ["c", "b"]

    def test_what_one_search_found_is_not(self):
        assert self.looked_at(rejecting(*"ab")) == []

    def test_nor_what_was_taken_or_is_held_by_another_passage(self):
        state = rejecting("a", "b", again=("a", "b"))
        verdicts = (
            Verdict(passage("a", 1), "a", Decision.ACCEPT, "it fits"),
            Verdict(passage("b", 1), "b", Decision.HOLD, "perhaps"),
        )
        assert self.looked_at(evolve(state, Judged("q1", verdicts, Memory()))) == []

    def test_nor_what_another_sub_question_rejected(self):
        state = rejecting("a", again=("a",))
        state = fold([Planned((Q1, Q2)), Briefed(Brief("q1"), "done"), SubQuestionOpened("q2")], state)
        assert self.looked_at(state) == []

    def test_no_more_than_eight_and_each_document_once(self):
        state = rejecting(*"abcdefghij", again=tuple("abcdefghij"))
        twice = Judged("q1", (Verdict(passage("a", 1), "a", Decision.REJECT, "no"),), Memory())
        assert self.looked_at(evolve(state, twice)) == list("abcdefgh")

    def test_it_goes_with_the_holds_and_a_promoted_one_is_taken_with_its_path(self):
        told = reevaluated(rejecting("a", again=("a",)), [promote("a")])
        (request,) = told.requests()
        assert [shown.passage for shown in request.rejected] == [passage("a")]
        assert request.held == ()
        (taken,) = told.value.accepted["a"]
        assert (taken.by, taken.verdict.reason, taken.standings) == (
            "warm start",
            "named in the letter",
            candidate("a").standings,
        )
        assert told.value.rejected == {}

    def test_by_the_published_rules_there_is_none(self):
        assert reevaluated(rejecting("a", rules=Rules(), again=("a",))).requests() == []

    def test_nor_where_holds_are_not_looked_at(self):
        rules = Rules(switches=Switches(second_look=True, holds=False))
        assert reevaluated(rejecting("a", rules=rules, again=("a",))).requests() == []


class TestBriefsNobodyReads:
    @pytest.mark.parametrize(
        ("rules", "plan", "read"),
        [
            (Rules(max_sub_questions=1), (Q1,), False),
            (Rules(max_sub_questions=2), (Q1,), True),
            (Rules(max_sub_questions=2), (Q1, Q2), True),
            (Rules(max_sub_questions=2, switches=Switches(decomposition=False)), (Q1,), False),
            (Rules(max_sub_questions=1, pause=("briefs",)), (Q1,), True),
        ],
        ids=["the last", "one may be added", "one waits", "nothing is planned", "a person reads it"],
    )
    def test_a_brief_has_readers_where_a_sub_question_may_come(self, rules, plan, read):
        state = working(rules=replace(rules, sparing=True), plan=plan)
        assert has_readers(state) is read
        told = run(brief(state, "done"), Scene(replies={"brief": [{"facts": ["he spoke"]}]}))
        assert len(told.requests()) == read
        assert told.only(Briefed) == Briefed(Brief("q1", ("he spoke",) if read else ()), "done")

    def test_to_a_persons_plan_nothing_is_added(self):
        state = evolve(working(rules=Rules(sparing=True)), PlanEdited((Q1,), "Ada"))
        assert not has_readers(state)

    def test_not_being_sparing_it_is_asked_for_all_the_same(self):
        told = run(brief(working(rules=Rules(max_sub_questions=1)), "done"), Scene(replies={"brief": [{}]}))
        assert len(told.requests()) == 1
