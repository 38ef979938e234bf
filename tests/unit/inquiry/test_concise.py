"""Passages by numbers, several things in one call (`rules.concise`): fewer words, the same method."""

import json
from dataclasses import replace

import pytest

from fakes.corpus import a_document
from fakes.flow import (
    BRIEFE,
    Q1,
    Q2,
    ZEITUNG,
    Scene,
    after_search,
    candidate,
    oriented,
    passage,
    run,
    sub_question,
    surveyed,
    waiting,
    working,
)
from vestigia.domain.archive import SubCorpus
from vestigia.domain.events import Acted, Briefed, Judged, Planned, Reevaluated, Replanned, Waste, Wasted
from vestigia.domain.evidence import Brief, Decision, Memory, Verdict
from vestigia.domain.rules import Rules, Switches
from vestigia.inquiry.closing import brief, reevaluate, replan
from vestigia.inquiry.concise import read_closing, read_review
from vestigia.inquiry.desk import FEW, nearby
from vestigia.inquiry.fold import evolve, fold
from vestigia.inquiry.investigate import investigate
from vestigia.inquiry.replies import UnreadableError
from vestigia.inquiry.review import review

SHORT = Rules(concise=True, sparing=True, excerpt=40, review_size=20)
SHIPS = ["anchor", "brig", "cutter"]
DOCUMENTS = [a_document(f"z{n}", f"blockade {ship}", "Zeitung") for n, ship in enumerate(SHIPS)]
SHOWN = [passage("a"), passage("b"), passage("c")]


def verdict(number, word, reason="because", quote=""):
    return {"passage": number, "verdict": word, "reason": reason, "quote": quote}


def a_review(*verdicts, rejected=(), **more):
    return {"verdicts": list(verdicts), "rejected": list(rejected), **more}


def words(query):
    return {"action": "words", "args": {"query": query}}


FINISH = {"action": "finish"}


def reviewed(state, *replies):
    told = run(review(state), Scene(replies={"review": replies}))
    told.value, told.following = told.value
    return told


def decisions(told):
    return {v.document: (v.decision, v.reason) for v in told.only(Judged).verdicts}


class TestReadingReviews:
    def test_t6_a_passage_goes_by_its_number_and_what_is_rejected_together_has_one_reason(self):
        told = reviewed(
            working(*"abcd", rules=SHORT),
            a_review(
                verdict("3", "accept", "it names him", "M. Ferry"),
                verdict(1, "hold", "perhaps"),
                rejected=[{"passages": ["2", 4], "reason": "another harbour"}],
                memory_update={"gaps": "the year"},
            ),
        )
        assert decisions(told) == {
            "a": (Decision.HOLD, "perhaps"),
            "b": (Decision.REJECT, "another harbour"),
            "c": (Decision.ACCEPT, "it names him"),
            "d": (Decision.REJECT, "another harbour"),
        }
        assert told.only(Judged).verdicts[2].quote == "M. Ferry"
        assert told.value.work.memory.gaps == "the year"

    def test_t6_what_is_rejected_and_judged_otherwise_is_held(self):
        told = reviewed(working("a", rules=SHORT), a_review(verdict("1", "accept"), rejected=[{"passages": [1]}]))
        assert decisions(told) == {"a": (Decision.HOLD, "the review was unclear: accept, reject")}

    @pytest.mark.parametrize("number", ["0", "4", "-1", "1.0", "one", "³", "9" * 5000, "", 0, 4, -1])
    def test_t6_a_number_of_nothing_shown_is_nobodys(self, number):
        told = reviewed(working(*"abc", rules=SHORT), a_review(verdict(number, "accept")))
        assert {decision for decision, _ in decisions(told).values()} == {Decision.HOLD}
        assert (told.only(Judged).unknown, told.only(Judged).unmentioned) == (1, 3)

    def test_a_passage_may_still_be_named_by_its_id(self):
        found, _ = read_review(json.dumps(a_review(verdict(passage("b"), "accept"))), SHOWN)
        assert [one.passage for one in found.args.verdicts] == [passage("b")]

    @pytest.mark.parametrize(
        "reply",
        [
            {"action": "words", "args": {"query": "blockade"}},
            a_review(verdict(1.0, "accept")),
            a_review(verdict(True, "accept")),
            a_review(verdict("1", 1)),
            a_review(rejected=[{"reason": "no"}]),
        ],
        ids=["a step", "a fraction", "a truth", "no word", "nothing named"],
    )
    def test_t8_what_has_another_shape_cannot_be_read(self, reply):
        with pytest.raises(UnreadableError):
            read_review(json.dumps(reply), SHOWN)

    def test_a_passage_shown_by_its_sentences_may_be_asked_for_whole(self):
        told = reviewed(working("a", rules=SHORT), a_review(verdict("1", "read")))
        assert told.only(Judged).unread == (passage("a"),)
        assert waiting(told.value) == [passage("a")]


class TestTheNextAction:
    """T4 and T5 in one call: the review first, then what follows from it."""

    def investigated(self, review, steps=(), rules=SHORT, documents=DOCUMENTS):
        rules = replace(rules, switches=Switches(warm_start=False, orientation=False))
        state = evolve(surveyed(rules=rules), Planned((Q1,)))
        told = run(investigate(state, Q1), Scene(documents, replies={"step": steps, "review": review}))
        told.value, told.ended = told.value
        return told

    def test_a_review_of_all_that_is_due_lays_out_what_may_be_done_next(self):
        state = working("a", "b", rules=replace(SHORT, steps=9, date_days_max=30))
        (request,) = reviewed(state, a_review()).requests()
        ahead = request.ahead
        assert (ahead.channels, ahead.steps_left, ahead.days_max) == (state.channels, 8, 30)
        assert (ahead.sub_corpora, ahead.others) == ((ZEITUNG, BRIEFE), 0)
        assert (request.numbered, [shown.words for shown in request.passages]) == (True, [40, 40])

    @pytest.mark.parametrize(
        ("rules", "found"),
        [
            (replace(SHORT, steps=1), "ab"),
            (replace(SHORT, review_size=1), "ab"),
            (replace(SHORT, review_size=1, parallel=2), "ab"),
        ],
        ids=["the last step", "one batch of two", "two side by side"],
    )
    def test_else_it_is_not_asked_for(self, rules, found):
        told = reviewed(working(*found, rules=rules), a_review(next=FINISH), a_review(next=FINISH))
        assert {request.ahead for request in told.requests()} == {None}

    def test_it_is_carried_out_without_a_call_of_its_own(self):
        told = self.investigated([a_review(next=words("brig")), a_review(next=FINISH)], [words("anchor")])
        assert [type(request).__name__ for request in told.requests()] == [
            "StepRequest",
            "ReviewRequest",
            "ReviewRequest",
        ]
        assert [acted.action for acted in told.of(Acted)] == ["words “anchor”", "words “brig”", "finish"]
        assert told.ended == "the model finished"

    @pytest.mark.parametrize(
        ("named", "why"),
        [
            ({"action": "browse"}, "there is no action 'browse'"),
            ("finish", "the object: Input should be"),
            ({"action": "words", "args": {"sub_corpora": ["Mond"]}}, "there is no sub-corpus 'Mond'"),
        ],
    )
    def test_one_that_cannot_be_done_is_asked_for_again_saying_why_and_no_verdict_is_lost(self, named, why):
        told = self.investigated([a_review(verdict(1, "accept"), next=named)], [words("anchor"), FINISH])
        concern = told.requests("step")[-1].concern
        assert concern.startswith(f"The next action that your review named cannot be carried out: {why}")
        assert list(told.value.accepted) == ["z0"]

    def test_where_none_is_named_it_is_asked_for(self):
        told = self.investigated([a_review()], [words("anchor"), FINISH])
        assert [request.concern for request in told.requests("step")] == ["", ""]

    def test_one_named_before_a_passage_was_read_whole_is_named_anew(self):
        first, second = a_review(verdict(1, "read"), next=FINISH), a_review(verdict(1, "accept"), next=FINISH)
        told = self.investigated([first, second], [words("anchor")])
        assert len(told.requests("review")) == 2
        assert list(told.value.accepted) == ["z0"]

    @pytest.mark.parametrize(
        ("named", "kind"),
        [({"action": "review"}, Waste.REVIEW_DUE), (words("anchor"), Waste.REPEATED), (words(" "), Waste.EMPTY_QUERY)],
    )
    def test_t9_one_that_is_waste_is_counted_as_such_and_the_model_asked(self, named, kind):
        told = self.investigated([a_review(next=named)], [words("anchor"), FINISH])
        assert told.only(Wasted).kind is kind
        assert told.ended == "the model finished"

    def test_by_the_published_rules_it_is_never_named(self):
        told = reviewed(working("a"), {"action": "review", "args": {}, "next": FINISH})
        assert (told.requests()[0].ahead, told.requests()[0].numbered, told.following) == (None, False, None)


class TestClosing:
    """T11, T12, T13 in one call."""

    BRIEF = {"facts": ["he spoke"], "dates": ["1887"], "entities": ["Ferry"], "gaps": ["who"], "hints": ["harbour"]}  # noqa: RUF012
    WRITTEN = Brief("q1", ("he spoke",), ("1887",), ("Ferry",), ("who",), ("harbour",), settled=True)

    def holding(self, *names, rejected=(), rules=SHORT, plan=(Q1, Q2)):
        state = working(*names, *rejected, rules=replace(rules, switches=Switches(second_look=True)), plan=plan)
        verdicts = [Verdict(passage(name), name, Decision.HOLD, "perhaps") for name in names]
        verdicts += [Verdict(passage(name), name, Decision.REJECT, "no") for name in rejected]
        state = evolve(state, Judged("q1", tuple(verdicts), Memory()))
        return after_search(state, *(candidate(name) for name in rejected), by="words") if rejected else state

    def closed(self, state, reply):
        told = run(reevaluate(state), Scene(replies={"reevaluate": [reply]}))
        told.value, told.written = told.value
        return told

    def test_the_brief_comes_with_the_promotions(self):
        reply = {"promote": [{"passage": 2, "reason": "fits"}], "brief": self.BRIEF, "replan": False}
        told = self.closed(self.holding("a", "b"), reply)
        assert [v.document for v in told.only(Reevaluated).promoted] == ["b"]
        assert told.written == self.WRITTEN
        ended = run(brief(told.value, "done", told.written))
        assert (ended.requests(), ended.only(Briefed)) == ([], Briefed(self.WRITTEN, "done"))

    def test_rejected_passages_are_counted_on_after_the_held_and_shown_by_half_the_words(self):
        reply = {"promote": [{"passage": "2", "reason": "an error"}]}
        told = self.closed(self.holding("a", rejected=("r",)), reply)
        (request,) = told.requests()
        assert [[shown.words for shown in part] for part in (request.held, request.rejected)] == [[40], [20]]
        assert [v.document for v in told.only(Reevaluated).promoted] == ["r"]

    @pytest.mark.parametrize("handed", [{}, {"brief": None}])
    def test_a_brief_that_did_not_come_is_asked_for(self, handed):
        told = self.closed(self.holding("a"), {"promote": [], **handed})
        assert told.written is None
        ended = run(brief(told.value, "done", told.written), Scene(replies={"brief": [{"facts": ["he spoke"]}]}))
        assert ended.only(Briefed) == Briefed(Brief("q1", ("he spoke",)), "done")

    @pytest.mark.parametrize(
        ("rules", "plan"),
        [
            (replace(SHORT, pause=("holds",)), (Q1, Q2)),
            (replace(SHORT, max_sub_questions=1), (Q1,)),
            (Rules(), (Q1, Q2)),
        ],
        ids=["a person decides about holds first", "nobody would read it", "the published rules"],
    )
    def test_it_is_not_asked_for_where_it_is_too_early_or_not_read(self, rules, plan):
        reply = {"promote": [], "brief": self.BRIEF, "replan": False}
        told = self.closed(self.holding("a", rules=rules, plan=plan), reply)
        assert told.requests()[0].brief is False
        assert told.written is None

    def test_t8_a_reply_that_cannot_be_read_closes_nothing(self):
        told = run(
            reevaluate(self.holding("a", rules=replace(SHORT, parse_retries=0))), Scene(replies={"reevaluate": "?"})
        )
        assert (told.of(Reevaluated), told.value[1]) == ([], None)
        with pytest.raises(UnreadableError):
            read_closing('{"brief": {}}', SHOWN)

    @pytest.mark.parametrize(
        ("briefs", "asked"),
        [
            ((Brief("q1", settled=True),), 0),
            ((Brief("q1", settled=True), Brief("q2")), 1),
            ((), 1),
        ],
        ids=["all say that it stays", "one does not", "none was written"],
    )
    def test_t13_the_plan_is_looked_at_again_unless_every_new_brief_says_that_it_may_stay(self, briefs, asked):
        state = fold([Briefed(Brief("q1"), "done")], working(rules=SHORT, plan=(Q1, Q2)))
        told = run(replan(state, briefs), Scene(replies={"replan": [{"sub_questions": []}]}))
        assert len(told.requests()) == asked
        assert len(told.of(Replanned)) == asked

    def test_a_brief_says_so_only_where_it_was_asked(self):
        told = run(
            brief(working(rules=SHORT, plan=(Q1, Q2)), "done"),
            Scene(replies={"brief": [{"facts": [], "replan": False}]}),
        )
        assert told.only(Briefed).brief.settled is False


class TestNearby:
    MANY = (*(SubCorpus(f"s{n}", 1, 1, 0) for n in range(FEW)), ZEITUNG, BRIEFE)

    def test_of_many_sub_corpora_those_of_the_plan_and_of_what_was_found_are_named(self):
        state = oriented(
            surveyed(rules=SHORT, sub_corpora=self.MANY), candidate("a"), candidate("b"), homes={"b": "s3"}
        )
        state = evolve(state, Planned((sub_question(1, sub_corpus="Briefe"),)))
        near, others = nearby(state)
        assert [one.name for one in near] == ["s3", "Zeitung", "Briefe"]
        assert others == FEW - 1

    @pytest.mark.parametrize(("rules", "number"), [(Rules(), FEW + 2), (SHORT, FEW)], ids=["as published", "few"])
    def test_else_all_are(self, rules, number):
        state = surveyed(rules=rules, sub_corpora=self.MANY[:number])
        assert nearby(state) == (self.MANY[:number], 0)
