"""T5: review is mandatory. T6: the exact semantics of verdicts, always against the original question."""

import json

import pytest

from fakes.flow import Q1, Q2, Scene, after_search, candidate, held, passage, run, waiting, working
from vestigia.domain.effects import Replied, Stop
from vestigia.domain.events import Consulted, Judged, Outcome, Searched, SubQuestionOpened, Waste, Wasted
from vestigia.domain.evidence import Decision, Memory, Verdict
from vestigia.domain.rules import Budget, Rules
from vestigia.inquiry.fold import evolve, fold
from vestigia.inquiry.review import UNMENTIONED, review


def verdict(name, word, reason="because", quote=""):
    return {"passage": passage(name), "verdict": word, "reason": reason, "quote": quote}


def a_review(*verdicts, action="review", **memory):
    return {"thought": "t", "action": action, "args": {"verdicts": list(verdicts)}, "memory_update": memory}


def reviewed(state, *replies):
    return run(going(state), Scene(replies={"review": replies}))


async def going(state):
    """A review by the published rules: it names no next action."""
    state, following = await review(state)
    assert following is None
    return state


def decisions(told):
    return {v.document: (v.decision, v.reason) for v in told.only(Judged).verdicts}


def test_t5_a_batch_of_eight_is_shown_in_the_order_of_the_queue():
    told = reviewed(working(*"abcdefghij"), a_review())
    request = told.requests()[0]
    assert [shown.document for shown in request.passages] == list("abcdefgh")
    assert waiting(told.value) == [passage("i"), passage("j")]


@pytest.mark.parametrize("size", [1, 6])
def test_t5_the_size_of_a_batch_is_a_rule(size):
    told = reviewed(working(*"abcdefghij", rules=Rules(review_size=size)), a_review())
    assert len(told.requests()[0].passages) == size


def test_t5_a_search_asked_for_while_review_is_due_becomes_the_review():
    search = {"action": "words", "args": {"query": "blocus"}}
    told = reviewed(working("a"), search, a_review(verdict("a", "accept")))
    assert told.only(Wasted) == Wasted("q1", Waste.REVIEW_DUE, "words")
    first, second = told.requests()
    assert second.passages == first.passages
    assert second.concern == "You asked for 'words', but these passages must be reviewed first."
    assert list(told.value.accepted) == ["a"]
    assert told.searches() == []


def test_t5_a_model_that_insists_is_not_asked_for_ever_and_what_it_did_not_judge_is_held():
    told = reviewed(working("a"), {"action": "finish"}, {"action": "finish"})
    assert len(told.requests()) == 2
    assert decisions(told) == {"a": (Decision.HOLD, UNMENTIONED)}


def test_t5_verdicts_count_whatever_the_action_is_called():
    told = reviewed(working("a"), a_review(verdict("a", "accept"), action="judge"))
    assert told.kinds() == ["Consulted", "Judged"]
    assert list(told.value.accepted) == ["a"]


def test_t6_the_review_is_against_the_original_question():
    assert reviewed(working("a"), a_review()).requests()[0].desk.reading.question.text == "Who spoke of the blockade?"


def test_t6_each_passage_gets_its_verdict_its_reason_and_its_quote():
    told = reviewed(
        working(*"abc"),
        a_review(
            verdict("a", "accept", "it names him", "M. Ferry"),
            verdict("b", "reject", "another year"),
            verdict("c", "hold", "perhaps"),
        ),
    )
    assert decisions(told) == {
        "a": (Decision.ACCEPT, "it names him"),
        "b": (Decision.REJECT, "another year"),
        "c": (Decision.HOLD, "perhaps"),
    }
    assert told.only(Judged).verdicts[0].quote == "M. Ferry"
    assert (told.only(Judged).unmentioned, told.only(Judged).unknown) == (0, 0)


def test_t6_a_passage_the_model_said_nothing_about_is_held_and_counted_never_dropped():
    told = reviewed(working(*"abc"), a_review(verdict("b", "reject")))
    assert decisions(told) == {
        "a": (Decision.HOLD, UNMENTIONED),
        "b": (Decision.REJECT, "because"),
        "c": (Decision.HOLD, UNMENTIONED),
    }
    assert told.only(Judged).unmentioned == 2
    assert held(told.value) == list(told.value.held) == [passage("a"), passage("c")]


def test_t6_verdicts_on_passages_that_were_not_shown_are_dropped_and_counted():
    state = working("a", "b", rules=Rules(review_size=1))
    told = reviewed(
        state, a_review(verdict("a", "accept"), verdict("b", "accept"), verdict("x", "reject"), verdict("x", "hold"))
    )
    assert list(decisions(told)) == ["a"]
    assert told.only(Judged).unknown == 3
    assert waiting(told.value) == [passage("b")]


def test_t6_two_different_verdicts_on_a_passage_hold_it_and_say_both():
    told = reviewed(working("a"), a_review(verdict("a", "reject"), verdict("a", "accept")))
    assert decisions(told) == {"a": (Decision.HOLD, "the review was unclear: accept, reject")}
    assert told.only(Judged).unmentioned == 0


def test_t6_the_same_verdict_twice_is_one_verdict_with_the_last_reason():
    told = reviewed(working("a"), a_review(verdict("a", "accept", "first"), verdict("a", "accept", "second")))
    assert decisions(told) == {"a": (Decision.ACCEPT, "second")}


@pytest.mark.parametrize("word", ["Accept", "accepted", "yes", "", "maybe " * 60])
def test_t6_a_word_that_is_no_verdict_is_never_repaired_into_one(word):
    told = reviewed(working("a"), a_review(verdict("a", word)))
    decision, reason = decisions(told)["a"]
    assert decision is Decision.HOLD
    assert reason == f"the review was unclear: {word}"[:120]


@pytest.mark.parametrize(("reason", "kept"), [("x" * 120, "x" * 120), ("x" * 121, "x" * 120), ("  y  ", "y")])
def test_t6_a_reason_is_cut_at_120_characters(reason, kept):
    told = reviewed(working("a"), a_review(verdict("a", "accept", reason)))
    assert decisions(told)["a"] == (Decision.ACCEPT, kept)
    assert told.requests()[0].reason_length == 120


def test_t7_slots_the_model_wrote_are_overwritten_and_the_others_kept():
    state = reviewed(working("a"), a_review(findings="one", gaps="many")).value
    state = reviewed(after_search(state, "b"), a_review(findings="two")).value
    assert (state.work.memory.findings, state.work.memory.gaps) == ("two", "many")


def test_t8_an_unreadable_review_is_asked_for_again():
    told = reviewed(working("a"), "?", a_review(verdict("a", "accept")))
    assert list(told.value.accepted) == ["a"]


def test_t8_a_review_that_is_never_readable_holds_the_batch():
    told = reviewed(working("a", rules=Rules(parse_retries=1)), "?", "?")
    assert decisions(told) == {"a": (Decision.HOLD, "not judged: no reply of scripted could be read")}


def answering(told_by):
    """A state in which a passage waits, reviewed by a model that answers with what `told_by` makes of the request."""
    return lambda state: run(going(state), Scene(answers={"review": told_by}))


def test_rule_2_what_a_model_refuses_to_judge_is_held_and_not_asked_again():
    refusing = answering(lambda _request: Replied("a filter stopped it", "m", stop=Stop.REFUSED))
    told = refusing(working("a", "b"))
    assert decisions(told) == dict.fromkeys(("a", "b"), (Decision.HOLD, "not judged: m: a filter stopped it"))
    assert [(c.outcome, c.problem) for c in told.of(Consulted)] == [(Outcome.REFUSED, "a filter stopped it")]


def test_rule_6_a_batch_that_does_not_fit_the_window_is_halved_until_it_does():
    def narrow(request):
        if len(request.passages) > 1:
            return Replied("", "m", stop=Stop.TOO_LONG)
        said = [{"passage": s.passage, "verdict": "accept", "reason": "fits"} for s in request.passages]
        return Replied(json.dumps({"action": "review", "args": {"verdicts": said}}), "m")

    told = answering(narrow)(working("a", "b", "c", "d"))
    assert [len(request.passages) for request in told.requests()] == [4, 2, 1]
    assert decisions(told) == {"a": (Decision.ACCEPT, "fits")}
    assert waiting(told.value) == [passage(name) for name in "bcd"]


def test_rule_6_a_passage_that_does_not_fit_alone_is_held():
    told = answering(lambda _request: Replied("", "m", stop=Stop.TOO_LONG))(working("a"))
    assert decisions(told) == {"a": (Decision.HOLD, "not judged: m: the request does not fit its window")}


def test_t9_a_review_uses_up_a_step():
    assert reviewed(working("a"), a_review()).value.work.steps == 1


@pytest.mark.parametrize("rules", [Rules(budget=Budget(calls=1)), Rules(patience=1)])
def test_t16_what_was_not_shown_for_want_of_calls_was_not_judged(rules):
    told = reviewed(working("a", rules=rules), "?")
    assert told.of(Judged) == []
    assert waiting(told.value) == [passage("a")]


def test_t6_another_passage_of_a_held_document_is_shown_when_it_comes():
    state = reviewed(working("a"), a_review(verdict("a", "hold"))).value
    told = reviewed(
        after_search(state, candidate("a", 1)),
        a_review({"passage": passage("a", 1), "verdict": "accept", "reason": "clear now"}),
    )
    assert list(told.value.accepted) == ["a"]
    assert (held(told.value), dict(told.value.held)) == ([], {})


def test_a_long_complaint_of_a_model_is_cut_like_every_reason():
    told = answering(lambda _request: Replied("x" * 500, "m", stop=Stop.REFUSED))(working("a"))
    ((decision, reason),) = decisions(told).values()
    assert (decision, len(reason)) == (Decision.HOLD, 120)


class TestReading:
    """A passage is shown by its best sentences, and whole when the model asks to read it."""

    RULES = Rules(excerpt=60)

    def test_sentences_are_shown_and_the_whole_on_demand(self):
        told = reviewed(working("a", "b", rules=self.RULES), a_review(verdict("a", "read"), verdict("b", "accept")))
        assert [shown.words for shown in told.requests()[0].passages] == [60, 60]
        assert (told.only(Judged).unread, told.only(Judged).unmentioned) == ((passage("a"),), 0)
        assert decisions(told) == {"b": (Decision.ACCEPT, "because")}
        assert waiting(told.value) == [passage("a")]
        again = reviewed(told.value, a_review(verdict("a", "reject")))
        assert [shown.words for shown in again.requests()[0].passages] == [0]
        assert waiting(again.value) == []

    @pytest.mark.parametrize("rules", [RULES, Rules()], ids=["read before", "shown whole"])
    def test_one_that_was_shown_whole_cannot_be_asked_for_again(self, rules):
        state = working("a", rules=rules)
        if rules.excerpt:
            state = reviewed(state, a_review(verdict("a", "read"))).value
        told = reviewed(state, a_review(verdict("a", "read")))
        assert decisions(told) == {"a": (Decision.HOLD, "the review was unclear: read")}

    def test_a_passage_that_is_both_judged_and_asked_for_is_held(self):
        told = reviewed(working("a", rules=self.RULES), a_review(verdict("a", "read"), verdict("a", "accept")))
        assert decisions(told) == {"a": (Decision.HOLD, "the review was unclear: accept, read")}


class TestSparing:
    def test_a_review_does_without_the_plan_and_shows_the_last_sources_only(self):
        state = working(*"abcd", rules=Rules(sparing=True, taken_shown=2))
        state = reviewed(state, a_review(*(verdict(name, "accept") for name in "abcd"))).value
        told = reviewed(after_search(state, "e"), a_review())
        desk = told.requests()[0].desk
        assert ([taken.document for taken in desk.taken], desk.earlier, desk.plan) == (["c", "d"], 2, ())

    def test_by_the_published_rules_all_of_it_is_shown(self):
        state = reviewed(working(*"abcd"), a_review(*(verdict(name, "accept") for name in "abcd"))).value
        desk = reviewed(after_search(state, "e"), a_review()).requests()[0].desk
        assert (len(desk.taken), desk.earlier, len(desk.plan)) == (4, 0, 1)


class TestBatchesSideBySide:
    @pytest.mark.parametrize(
        ("rules", "batches"),
        [
            (Rules(review_size=2), ["ab"]),
            (Rules(review_size=2, parallel=2), ["ab", "cd", "e"]),
            (Rules(review_size=2, parallel=2, steps=1, step_ceiling=2), ["ab", "cd"]),
            (Rules(review_size=2, parallel=2, patience=1), ["ab"]),
        ],
        ids=["one after another", "side by side", "the ceiling", "the patience"],
    )
    def test_as_many_go_out_as_steps_and_patience_allow(self, rules, batches):
        told = reviewed(working(*"abcde", rules=rules), *[a_review(findings="x")] * 3)
        assert ["".join(s.document for s in request.passages) for request in told.requests()] == batches
        assert told.value.work.steps == len(batches)

    def test_what_a_sub_question_beside_it_rejected_is_not_shown(self):
        beside = [SubQuestionOpened("q2"), Searched("warm start", (candidate("a"),), sub_question="q2")]
        state = fold(beside, working("a", "b", plan=(Q1, Q2)))
        state = evolve(state, Judged("q2", (Verdict(passage("a"), "a", Decision.REJECT, "no"),), Memory()))
        told = reviewed(state, a_review())
        assert [shown.document for shown in told.requests()[0].passages] == ["b"]
