"""Whole questions: the stages in their order, their switches, hard limits with a usable result, and people."""

from dataclasses import replace

import pytest

from fakes.corpus import a_day, a_document
from fakes.flow import Scene, run, sub_question
from vestigia.domain.effects import AskModel, Attend, Survey, Usage
from vestigia.domain.events import (
    ArchiveSurveyed,
    Briefed,
    BudgetReached,
    Closed,
    Consolidated,
    HeldUnseen,
    Judged,
    Opened,
    Overruled,
    PlanEdited,
    Planned,
    Reevaluated,
    Searched,
    SearchFailed,
    SubQuestionOpened,
)
from vestigia.domain.evidence import Decision
from vestigia.domain.question import Question
from vestigia.domain.rules import Budget, Rules, Switches, preset
from vestigia.inquiry.discover import discover
from vestigia.inquiry.fold import evolve, fold
from vestigia.inquiry.view import result

QUESTION = Question("Who spoke of the blockade in 1887?")
DOCUMENTS = [
    a_document("z1", "the blockade of the harbour", "Zeitung", a_day(1887, 1, 2)),
    a_document("z2", "a minister on the blockade", "Zeitung", a_day(1887, 3, 4)),
    a_document("b1", "a letter on the blockade", "Briefe", a_day(1887, 5, 6)),
    a_document("b2", "nothing of interest", "Briefe", a_day(1888, 5, 6)),
]
PLAN = {
    "sub_questions": [
        {"text": "Who spoke of the blockade in the press?", "sub_corpus": "Zeitung"},
        {"text": "Who wrote of the blockade?", "sub_corpus": "Briefe"},
    ]
}


def review(request):
    """Accept what speaks of the blockade; hold the rest."""
    return {
        "action": "review",
        "args": {
            "verdicts": [
                {
                    "passage": s.passage,
                    "verdict": "hold" if s.document == "b2" else "accept",
                    "reason": f"about {s.document}",
                }
                for s in request.passages
            ]
        },
    }


def keep_plan(request):
    return {"sub_questions": [{"text": s.text, "sub_corpus": s.sub_corpus} for s in request.remaining]}


REPLIES = {
    "plan": lambda _: PLAN,
    "step": lambda _: {"action": "finish"},
    "review": review,
    "reevaluate": lambda _: {"promote": []},
    "brief": lambda _: {"facts": ["one"]},
    "replan": keep_plan,
    "rank": lambda request: {"order": sorted((c.document for c in request.group), reverse=True)},
}


def asked(rules=Rules(), question=QUESTION, usage=Usage(), acts=None, failing=(), **replies):
    scene = Scene(DOCUMENTS, {**REPLIES, **replies}, acts or {}, failing, usage=usage)
    return run(discover(question, rules), scene)


def ranking(told):
    return [(row.document, row.confirmations) for row in told.only(Consolidated).ranking]


def test_the_stages_follow_each_other_in_the_order_of_the_paper():
    told = asked()
    facts = [kind for kind in told.kinds() if kind not in {"Consulted", "QuestionRead", "Searched", "Acted"}]
    assert facts == [
        "Opened",
        "ArchiveSurveyed",
        "Planned",
        "SubQuestionOpened",
        "Judged",
        "Briefed",
        "SubQuestionOpened",
        "Judged",
        "Reevaluated",
        "Briefed",
        "Consolidated",
        "Closed",
    ]
    assert told.only(Opened) == Opened(QUESTION, Rules())
    assert told.only(Closed) == Closed(partial=False)
    assert ranking(told) == [("z2", 1), ("z1", 1), ("b1", 1)]


def test_the_state_is_the_fold_of_the_facts():
    told = asked()
    assert fold(told.facts) == told.value


def test_the_same_answers_make_the_same_decisions():
    assert asked().facts == asked().facts


def test_people_are_heard_after_the_plan_after_each_sub_question_and_before_the_ranking():
    pauses = [effect.checkpoint for effect in asked().effects if isinstance(effect, Attend)]
    assert pauses == ["plan", "holds", "holds", "final"]


def test_b14_after_each_brief_a_person_is_waited_for_where_the_rules_say_so_and_may_add():
    later = sub_question(3, "Who paid?", "Briefe")
    acts = {"briefs": (PlanEdited((later,), "Ada"),)}
    told = run(discover(QUESTION, Rules(pause=("briefs",))), Scene(DOCUMENTS, REPLIES, acts=acts))
    pauses = [(effect.checkpoint, effect.wait) for effect in told.effects if isinstance(effect, Attend)]
    assert [one for one in pauses if one[0] == "briefs"] == [("briefs", True)] * 2
    assert [s.id for s in told.value.finished] == ["q1", "q3"]


def test_the_archive_is_seen_within_the_researchers_limits():
    told = asked(
        question=replace(QUESTION, sub_corpora=("Zeitung",)),
        plan=lambda _: {"sub_questions": [{"text": "Who spoke of the blockade?", "sub_corpus": "Zeitung"}]},
    )
    assert isinstance(told.effects[0], Survey)
    assert [s.name for s in told.only(ArchiveSurveyed).sub_corpora] == ["Zeitung"]
    assert {s.scope.sub_corpora for s in told.searches()} == {("Zeitung",)}


def test_t13_replanning_reaches_the_sub_questions_that_remain():
    added = {"sub_questions": [{"text": "Who answered?", "sub_corpus": "Briefe"}]}
    told = asked(replan=lambda request: added if request.remaining else {"sub_questions": []})
    assert [s.text for s in told.value.finished] == ["Who spoke of the blockade in the press?", "Who answered?"]


def test_t14_a_document_two_sub_questions_accept_is_first():
    both = {
        "sub_questions": [
            {"text": f"Who {verb} of the blockade?", "sub_corpus": "Zeitung"} for verb in ("spoke", "heard")
        ]
    }

    def only_second_time(request):
        verdicts = [
            {"passage": s.passage, "verdict": "accept", "reason": "r"}
            for s in request.passages
            if s.document == "z1" or request.desk.sub_question.id == "q1"
        ]
        return {"action": "review", "args": {"verdicts": verdicts}}

    assert ranking(asked(plan=lambda _: both, review=only_second_time))[0] == ("z1", 2)


@pytest.mark.parametrize(
    ("switch", "kinds", "tasks"),
    [
        ("decomposition", set(), {"PlanRequest", "ReplanRequest"}),
        ("memory", set(), {"BriefRequest", "ReplanRequest"}),
        ("holds", {Reevaluated}, {"ReevaluateRequest"}),
    ],
)
def test_t15_each_mechanism_can_be_turned_off(switch, kinds, tasks):
    on, off = asked(), asked(Rules(switches=replace(Switches(), **{switch: False})))
    for told, present in ((on, True), (off, False)):
        seen = {type(e.request).__name__ for e in told.effects if isinstance(e, AskModel)}
        assert (tasks <= seen) == present
        assert present or not tasks & seen
        assert {k for k in kinds if told.of(k)} == (kinds if present else set())
    assert off.only(Closed) == Closed(partial=False)


def test_t15_the_warm_start_can_be_turned_off():
    bare = Rules(switches=Switches(warm_start=False, orientation=False))
    told = asked(bare)
    assert told.of(Searched) == []
    assert ranking(told) == []


def test_the_papers_rules_run_through():
    told = asked(preset("trace-2026"))
    assert {s.by for s in told.of(Searched)} == {"warm start"}
    assert sorted(ranking(told)) == [("b1", 1), ("z1", 1), ("z2", 1)]


CALLS = len(asked().requests())


@pytest.mark.parametrize("calls", range(CALLS))
def test_t16_a_limit_in_calls_is_hard_and_the_partial_result_is_labelled_and_usable(calls):
    told = asked(Rules(budget=Budget(calls=calls)))
    assert len(told.requests()) == calls
    assert told.only(BudgetReached).limit == f"{calls} model calls"
    assert told.only(Closed) == Closed(partial=True)
    view = result(told.value)
    assert (view.limit, view.finished) == (f"{calls} model calls", True)
    assert sorted(s.card.id for s in view.sources) == sorted(told.value.accepted)
    assert sorted(d for d, _ in ranking(told)) == sorted(told.value.accepted)


def test_t16_the_partial_list_holds_what_was_accepted_until_then():
    told = asked(Rules(budget=Budget(calls=2)))
    assert sorted(d for d, _ in ranking(told)) == ["z1", "z2"]
    assert [s.id for s in told.value.queue] == ["q2"]


def test_t16_what_was_found_and_not_judged_is_held_and_not_lost():
    told = asked(Rules(budget=Budget(calls=1)))
    assert told.of(Judged) == []
    assert {row.card.id: row.why for row in result(told.value).held} == {
        "z1": "not reviewed: the budget of the run was reached: 1 model calls",
        "z2": "not reviewed: the budget of the run was reached: 1 model calls",
        "b1": "not reviewed: no sub-question got to it",
        "b2": "not reviewed: no sub-question got to it",
    }


def test_what_the_orientation_found_for_a_sub_question_that_was_dropped_is_held_and_not_lost():
    told = asked(replan=lambda _: {"sub_questions": []})
    (aside,) = told.of(HeldUnseen)
    assert (aside.sub_question, sorted(c.document for c in aside.candidates)) == (None, ["b1", "b2"])


def test_what_was_judged_or_held_before_is_not_set_aside_again():
    assert asked().of(HeldUnseen) == []
    rejected = {"action": "review", "args": {"verdicts": []}}
    assert asked(review=lambda _: rejected).of(HeldUnseen) == []


def test_t16_a_limit_in_tokens_is_hard():
    told = asked(Rules(budget=Budget(calls=None, tokens=50)), usage=Usage(20, 5, None, None))
    assert len(told.requests()) == 2
    assert told.only(BudgetReached).limit == "50 tokens"
    assert told.only(Closed).partial
    assert sorted(d for d, _ in ranking(told)) == ["z1", "z2"]


@pytest.mark.parametrize("calls", [CALLS, CALLS + 1, None])
def test_t16_a_run_that_needed_no_more_is_not_partial(calls):
    told = asked(Rules(budget=Budget(calls=calls)))
    assert told.of(BudgetReached) == []
    assert told.only(Closed) == Closed(partial=False)


def test_t16_a_run_whose_last_call_was_its_last_allowed_is_whole():
    one = {"sub_questions": [{"text": "Who wrote of the blockade?", "sub_corpus": "Briefe"}]}
    rules = Rules(switches=Switches(orientation=False, memory=False))
    calls = len(asked(rules, plan=lambda _: one).requests())
    told = asked(replace(rules, budget=Budget(calls=calls)), plan=lambda _: one)
    assert (ranking(told), told.only(Closed)) == ([("b1", 1)], Closed(partial=False))


def test_t16_an_unknown_price_stays_unknown():
    view = result(asked(usage=Usage(20, 5, None, None)).value)
    assert {stage.cost for stage in view.stages} == {None}
    assert sum(stage.calls for stage in view.stages) == CALLS
    assert sum(stage.input_tokens for stage in view.stages) == 20 * CALLS


def test_a_broken_channel_is_told_and_the_others_go_on():
    told = asked(failing=["words"])
    assert {f.channel for f in told.of(SearchFailed)} == {"words"}
    assert ranking(told) != []
    assert result(told.value).failures[0] == "orientation, words: words is broken"


def test_with_every_channel_broken_nothing_passes_for_an_empty_search():
    told = asked(failing=["words", "characters", "date", "exact"])
    assert told.of(Searched) == []
    assert (ranking(told), result(told.value).searched) == ([], ())
    assert len(result(told.value).failures) == len(told.of(SearchFailed)) > 0


def test_a_model_that_is_never_readable_ends_with_a_labelled_plan_and_everything_held():
    told = asked(**dict.fromkeys(REPLIES, lambda _: "I am sorry."))
    assert told.only(Planned).fallback == "the model gave no readable plan"
    assert {b.ended for b in told.of(Briefed)} == {"the model gave no readable step"}
    assert sorted(row.card.id for row in result(told.value).held) == ["b1", "b2", "z1", "z2"]
    assert (ranking(told), told.only(Closed)) == ([], Closed(partial=False))


class TestPeople:
    """Principle 4: a person's act on the same thing always wins."""

    REJECTED = Overruled("z2", Decision.REJECT, "a misprint", "Ada")

    @pytest.mark.parametrize("checkpoint", ["plan", "holds", "final"])
    def test_what_a_person_rejects_is_not_ranked_whenever_it_was_said(self, checkpoint):
        told = asked(acts={checkpoint: (self.REJECTED,)})
        assert [d for d, _ in ranking(told)] == ["z1", "b1"]
        assert [s.card.id for s in result(told.value).removed] == ["z2"]

    def test_after_the_end_it_leaves_the_list_all_the_same(self):
        told = asked()
        view = result(evolve(told.value, self.REJECTED))
        assert [s.card.id for s in view.sources] == ["z1", "b1"]
        assert [s.card.id for s in view.removed] == ["z2"]

    def test_what_a_person_takes_is_in_the_list_though_the_machine_held_it(self):
        told = asked(acts={"final": (Overruled("b2", Decision.ACCEPT, "I know the hand", "Ada"),)})
        first = result(told.value).sources[0]
        assert (first.card.id, first.confirmations, first.steps[-1].author) == ("b2", 0, "Ada")
        assert "b2" not in [row.card.id for row in result(told.value).held]

    def test_a_persons_plan_is_the_one_carried_out_and_the_model_does_not_change_it(self):
        mine = (sub_question(1, "Who wrote of the harbour?", "Briefe"), sub_question(2, "Who sailed?", "Zeitung"))
        told = asked(acts={"plan": (PlanEdited(mine, "Ada"),)})
        assert [o.sub_question for o in told.of(SubQuestionOpened)] == ["q1", "q2"]
        assert told.value.finished == mine
        assert told.requests("replan") == []
        assert "the plan is Ada's" in result(told.value).notes

    def test_a_person_may_add_a_sub_question_while_others_are_done(self):
        more = sub_question(3, "Who paid?", "Zeitung")
        plan = tuple(sub_question(n, p["text"], p["sub_corpus"]) for n, p in enumerate(PLAN["sub_questions"], 1))
        told = asked(acts={"holds": (PlanEdited((*plan, more), "Ada"),)})
        assert [o.sub_question for o in told.of(SubQuestionOpened)] == ["q1", "q2", "q3"]
