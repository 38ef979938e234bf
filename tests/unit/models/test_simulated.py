"""A reviewer that knows the judgments and errs by a known profile, never by chance."""

import asyncio
import json

import pytest

from vestigia.domain.archive import Passage, SubCorpus
from vestigia.domain.effects import Usage
from vestigia.domain.evidence import Memory
from vestigia.domain.ids import DocumentId, PassageId, SubQuestionId, digest
from vestigia.domain.question import Question, SubQuestion, Term
from vestigia.domain.requests import (
    Ahead,
    BriefRequest,
    Contender,
    Desk,
    PlanRequest,
    RankRequest,
    Reading,
    ReevaluateRequest,
    ReviewRequest,
    Shown,
)
from vestigia.models.simulated import Profile, Simulated, draw

ASKED = "Who opened the bridge?"
READING = Reading(Question(ASKED), terms=(Term("bridge", 3, 2.0), Term("opened", 3, 2.0)))
DESK = Desk(READING, SubQuestion(SubQuestionId("q1"), ASKED, "Rat"), Memory())
MANY = 2_000


def shown(number: int, words: int = 0) -> Shown:
    return Shown(PassageId(f"d{number}#0-9"), DocumentId(f"d{number}"), "T", "1887", "Rat", "words", words=words)


def texts(*all_shown: Shown, text: str = "The bridge was opened. It rained.") -> dict[PassageId, Passage]:
    return {s.passage: Passage(s.passage, s.document, 0, len(text), text) for s in all_shown}


def ask(model: Simulated, request, passages=None, prompt: str = "words") -> dict:
    return json.loads(asyncio.run(model.complete(request, passages or {}, lambda: prompt)).text)


def all_relevant(**profile: float) -> Simulated:
    return Simulated({ASKED: frozenset(DocumentId(f"d{n}") for n in range(MANY))}, profile=Profile(**profile))


def share(model: Simulated, verdict: str) -> float:
    return sum(model.decision(ASKED, shown(n)) == verdict for n in range(MANY)) / MANY


class TestErrors:
    """T17: 37 % of what is relevant is rejected, 9 % held."""

    def test_relevant_passages_are_judged_by_the_profile(self):
        model = all_relevant()
        found = {verdict: share(model, verdict) for verdict in ("reject", "hold", "accept")}
        assert found == pytest.approx({"reject": 0.37, "hold": 0.09, "accept": 0.54}, abs=0.03)

    def test_and_so_are_the_others(self):
        model = Simulated({})
        found = {verdict: share(model, verdict) for verdict in ("accept", "hold", "reject")}
        assert found == pytest.approx({"accept": 0.05, "hold": 0.09, "reject": 0.86}, abs=0.03)

    def test_without_errors_it_says_what_is_right(self):
        right = {"rejects": 0, "holds": 0, "takes": 0, "doubts": 0}
        assert share(all_relevant(**right), "accept") == 1.0
        assert share(Simulated({}, profile=Profile(**right)), "reject") == 1.0

    def test_the_same_passage_gets_the_same_verdict_and_another_question_another(self):
        assert draw("review", ASKED, "d1#0-9") == draw("review", ASKED, "d1#0-9")
        assert draw("review", ASKED, "d1#0-9") != draw("review", "Who?", "d1#0-9")
        assert 0 <= draw("a") < 1
        assert draw("ab", "c") != draw("a", "bc")


class TestReview:
    def test_every_passage_gets_its_verdict_and_a_rejected_one_few_words(self):
        batch = tuple(shown(n) for n in range(40))
        model = all_relevant()
        verdicts = ask(model, ReviewRequest(DESK, batch, 120), texts(*batch))["args"]["verdicts"]
        assert [v["verdict"] for v in verdicts] == [model.decision(ASKED, s) for s in batch]
        rejected = [v for v in verdicts if v["verdict"] == "reject"]
        assert rejected
        assert {(v["quote"], v["reason"]) for v in rejected} == {("", "nothing that helps")}

    @pytest.mark.parametrize(
        ("seen", "words", "asked"),
        [("It rained.", 2, True), ("The bridge.", 2, False), ("It rained.", 0, False)],
        ids=["nothing of it", "half of it", "shown whole"],
    )
    def test_what_shows_too_little_is_asked_for_whole(self, seen, words, asked):
        one = shown(1, words)
        prompt = f"[[[ passage abc\nid: {one.passage}\ntitle: T\ntext:\n{seen}\nabc passage ]]]\n"
        (verdict,) = ask(all_relevant(), ReviewRequest(DESK, (one,), 120), texts(one), prompt)["args"]["verdicts"]
        assert (verdict["verdict"] == "read") is asked


class TestInShort:
    """The same review by numbers, with the step that would have followed it."""

    AHEAD = Ahead(("words", "date"), 5, 60, ())

    def asked(self, batch, model, prompt="words", ahead=AHEAD):
        return ask(model, ReviewRequest(DESK, batch, 120, numbered=True, ahead=ahead), texts(*batch), prompt)

    def test_verdicts_are_those_of_the_long_review(self):
        batch, model = tuple(shown(n) for n in range(40)), all_relevant()
        short = self.asked(batch, model)
        given = {v["passage"]: v["verdict"] for v in short["verdicts"]}
        (together,) = short["rejected"]
        given |= dict.fromkeys(together["passages"], "reject")
        assert [given[str(n)] for n in range(1, 41)] == [model.decision(ASKED, s) for s in batch]
        assert "reject" not in {v["verdict"] for v in short["verdicts"]}

    def test_what_follows_is_the_step_it_would_have_taken_with_what_it_takes_now(self):
        one = (shown(0),)
        taking = all_relevant(rejects=0, holds=0)
        assert self.asked(one, taking)["next"]["action"] == "words"
        assert self.asked(one, taking)["next"]["args"]["query"] == "bridge opened"
        assert self.asked(one, all_relevant(rejects=1))["next"]["action"] == "finish"
        assert self.asked(one, taking)["memory_update"] == {"analysis": "Searched by: words"}

    def test_nothing_follows_where_it_is_not_asked_or_a_passage_must_be_read_first(self):
        hidden = "[[[ 1 abc\nT, 1887, Rat\nIt rained.\nabc 1 ]]]\n"
        assert "next" not in self.asked((shown(1),), all_relevant(), ahead=None)
        read = self.asked((shown(1, 2),), all_relevant(), hidden)
        assert ([v["verdict"] for v in read["verdicts"]], "next" in read) == (["read"], False)

    def test_a_re_evaluation_promotes_by_number_and_writes_the_brief(self):
        request = ReevaluateRequest(DESK, (shown(1),), 120, rejected=(shown(2),), numbered=True, brief=True)
        said = ask(all_relevant(promotes=1), request, texts(shown(1), shown(2)))
        assert [one["passage"] for one in said["promote"]] == ["1", "2"]
        assert (sorted(said["brief"]), said["replan"]) == (["dates", "entities", "facts", "gaps", "hints"], False)


class TestOtherTasks:
    def test_a_second_look_takes_half_of_what_is_relevant_among_held_and_rejected(self):
        held, again = (tuple(shown(n) for n in range(start, start + 400)) for start in (0, 400))
        request = ReevaluateRequest(DESK, held, 120, rejected=again)
        for model, expected in ((all_relevant(), 0.5), (Simulated({}), 0.05)):
            promoted = [p["passage"] for p in ask(model, request, texts(*held, *again))["promote"]]
            for group in (held, again):
                assert sum(s.passage in promoted for s in group) / 400 == pytest.approx(expected, abs=0.06)

    def test_the_plan_goes_to_the_sub_corpora_with_most_of_what_is_relevant_and_no_further(self):
        homes = {DocumentId(f"d{n}"): name for n, name in enumerate(["Rat", "Briefe", "Briefe", "Akten"])}
        model = Simulated({ASKED: frozenset(homes)}, homes)
        plan = ask(model, PlanRequest(READING, (), (), 2))["sub_questions"]
        assert plan == [{"text": ASKED, "sub_corpus": name} for name in ("Briefe", "Akten")]

    def test_a_question_without_judgments_is_planned_as_without_a_language_model(self):
        request = PlanRequest(READING, (SubCorpus("Rat", 1, 1, 0),), (), 4)
        assert [s["sub_corpus"] for s in ask(Simulated({}), request)["sub_questions"]] == ["Rat"]

    def test_a_group_stays_as_it_is_laid_before_it(self):
        group = tuple(Contender(DocumentId(name), "T", "", "Rat", (), 1) for name in "cab")
        assert ask(Simulated({}), RankRequest(READING, group, 1))["order"] == ["c", "a", "b"]

    def test_a_brief_is_that_of_the_model_without_a_language_model(self):
        assert ask(Simulated({}), BriefRequest(DESK))["facts"] == []


class TestTokens:
    def test_they_are_estimated_and_a_beginning_sent_before_counts_as_cached(self):
        model = Simulated({})
        group = RankRequest(READING, (), 1)
        usages = []
        for prompt in ("a" * 40, "a" * 20 + "b" * 21, "a" * 20 + "b" * 21):
            replied = asyncio.run(model.complete(group, {}, lambda prompt=prompt: prompt))
            usages.append(replied.usage)
            assert (replied.prompt, replied.model) == (digest(prompt), "simulated")
        assert usages == [Usage(10, 4, 0, 0.0), Usage(11, 4, 5, 0.0), Usage(11, 4, 10, 0.0)]

    def test_another_profile_is_another_model(self):
        assert all_relevant().fingerprint != all_relevant(rejects=0.1).fingerprint
        assert all_relevant().fingerprint == all_relevant().fingerprint
