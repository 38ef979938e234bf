"""T1: invariants checked in code, one repair round, a recorded fallback. T1b: the collapse guard. T15: its switch."""

import pytest

from fakes.corpus import a_day
from fakes.flow import AKTEN, BRIEFE, ZEITUNG, Scene, candidate, oriented, run, surveyed
from vestigia.domain.archive import SubCorpus
from vestigia.domain.effects import Replied, Stop
from vestigia.domain.events import Planned
from vestigia.domain.question import Entity, SubQuestion
from vestigia.domain.requests import Share
from vestigia.domain.rules import Budget, Rules, Switches
from vestigia.inquiry.fold import fold
from vestigia.inquiry.planner import numbered, plan, shares, wave
from vestigia.inquiry.replies import SubQuestionReply


def part(text="Who spoke?", sub_corpus="Zeitung", *entities, added=False):
    return {"text": text, "sub_corpus": sub_corpus, "entities": [{"text": e, "added": added} for e in entities]}


def a_plan(*parts):
    return {"thought": "t", "sub_questions": list(parts)}


GOOD = a_plan(part(), part("Who wrote?", "Briefe"))


def planned(state, *replies):
    return run(plan(state), Scene(replies={"plan": replies}))


def texts(told):
    return [(s.id, s.text, s.sub_corpus) for s in told.only(Planned).sub_questions]


def test_t1_one_call_makes_the_plan_and_each_part_names_one_sub_corpus():
    told = planned(surveyed(), GOOD)
    assert len(told.requests()) == 1
    assert texts(told) == [("q1", "Who spoke?", "Zeitung"), ("q2", "Who wrote?", "Briefe")]
    assert (told.only(Planned).fallback, told.only(Planned).guard) == ("", "")
    assert told.value.queue == told.value.plan == told.only(Planned).sub_questions


def test_t1_the_planner_sees_the_question_the_sub_corpora_where_the_sources_lie_and_the_most_it_may_plan():
    state = oriented(surveyed(rules=Rules(max_sub_questions=3)), candidate("a"))
    request = planned(state, GOOD).requests()[0]
    assert (request.reading, request.sub_corpora) == (state.reading, (ZEITUNG, BRIEFE))
    assert (request.shares, request.max_sub_questions) == ((Share("Zeitung", 1, 1),), 3)


FAULTS = {
    "there is no sub-corpus 'Akten'": a_plan(part(), part("Who?", "Akten")),
    "it has 5 sub-questions, at most 4 are allowed": a_plan(*[part(f"Who {n}?") for n in range(5)]),
    "'Antwerp' is not in the question and not marked as added": a_plan(part(), part("Who?", "Briefe", "Antwerp")),
    "it has no sub-question": a_plan(),
    "a sub-question has no text": a_plan(part(), part("  ")),
}


@pytest.mark.parametrize("problem", FAULTS)
def test_t1_a_plan_against_an_invariant_is_sent_back_once_saying_why(problem):
    told = planned(surveyed("Who spoke in Anvers?"), FAULTS[problem], GOOD)
    assert [r.concern for r in told.requests()] == ["", f"Your plan cannot be used: {problem}."]
    assert len(texts(told)) == 2
    assert told.only(Planned).fallback == ""


@pytest.mark.parametrize("problem", FAULTS)
def test_t1_a_plan_that_stays_against_an_invariant_is_replaced_by_a_recorded_fallback(problem):
    told = planned(surveyed("Who spoke in Anvers?"), FAULTS[problem], FAULTS[problem])
    assert len(told.requests()) == 2
    assert told.only(Planned).fallback == problem
    assert texts(told) == [("q1", "Who spoke in Anvers?", "Zeitung"), ("q2", "Who spoke in Anvers?", "Briefe")]
    assert told.value.notes == (problem,)


def test_t1_exactly_the_most_allowed_is_allowed():
    told = planned(surveyed(), a_plan(*[part(f"Who {n}?") for n in range(4)]))
    assert len(texts(told)) == 4


def test_t1_the_last_complaint_is_recorded_when_the_repair_breaks_another_invariant():
    one, other = list(FAULTS)[:2]
    assert planned(surveyed("Anvers"), FAULTS[one], FAULTS[other]).only(Planned).fallback == other


def test_t1_the_first_complaint_is_recorded_when_the_repair_cannot_be_read():
    problem = next(iter(FAULTS))
    told = planned(surveyed(rules=Rules(parse_retries=1)), FAULTS[problem], "?", "?")
    assert told.only(Planned).fallback == problem


@pytest.mark.parametrize("name", ["Sète", "Paul d'Estournelles"])
def test_t1_a_name_of_the_question_keeps_its_surface_form(name):
    told = planned(surveyed(f"Did {name} speak?"), a_plan(part("Who?", "Zeitung", name), part()))
    assert told.only(Planned).sub_questions[0].entities == (Entity(name),)


def test_t1_a_name_marked_as_the_models_own_is_allowed_and_stays_marked():
    told = planned(surveyed(), a_plan(part("Who?", "Zeitung", "Antwerp", added=True), part()))
    assert told.only(Planned).sub_questions[0].entities == (Entity("Antwerp", added=True),)


def test_t1_a_model_that_gives_no_readable_plan_is_replaced_and_the_record_says_so():
    told = planned(surveyed(), *["?"] * 6)
    assert len(told.requests()) == 6
    assert told.only(Planned).fallback == "the model gave no readable plan"


def test_a_request_that_does_not_fit_the_window_says_so_in_the_plan():
    narrow = Scene(answers={"plan": lambda _request: Replied("9000 of 4096 tokens", "m", stop=Stop.TOO_LONG)})
    assert run(plan(surveyed()), narrow).only(Planned).fallback == "m: 9000 of 4096 tokens"


def test_t1_without_budget_the_fallback_names_the_limit():
    told = planned(surveyed(rules=Rules(budget=Budget(calls=0))))
    assert told.only(Planned).fallback == "0 model calls"


def test_t1_the_fallback_asks_the_question_where_most_of_the_orientation_lies():
    homes = {"a": "Akten", "b": "Briefe", "c": "Briefe", "d": "Akten", "e": "Zeitung"}
    state = oriented(surveyed(sub_corpora=(ZEITUNG, BRIEFE, AKTEN)), *map(candidate, "abcde"), homes=homes)
    told = planned(state, *["?"] * 6)
    assert [sub_corpus for _, _, sub_corpus in texts(told)] == ["Akten", "Briefe", "Zeitung"]


def test_t1_the_fallback_has_no_more_parts_than_a_plan_may_have():
    many = tuple(SubCorpus(f"part {n}", 1, 1, 1) for n in range(6))
    told = planned(surveyed(sub_corpora=many, rules=Rules(max_sub_questions=2)), *["?"] * 6)
    assert [sub_corpus for _, _, sub_corpus in texts(told)] == ["part 0", "part 1"]


def test_shares_count_the_orientation_by_sub_corpus_fullest_first_then_best_placed():
    homes = {"a": "Zeitung", "b": "Briefe", "c": "Briefe", "d": "Akten"}
    state = oriented(surveyed(), *map(candidate, "abcd"), homes=homes)
    assert shares(state) == (Share("Briefe", 2, 2), Share("Zeitung", 1, 1), Share("Akten", 1, 4))


ONE = a_plan(part())
SIGNS = {
    "the question names 2 sub-corpora (Zeitung, Briefe)": ("What do Zeitung and Briefe say?", ONE, ()),
    "the question compares": ("What is the difference in tone?", ONE, ()),
    "the question holds 2 dates": ("Who spoke in 1887 and 1890?", ONE, (a_day(1887, 1, 1), a_day(1890, 1, 1))),
    "the question holds 2 names": ("Did Ferry meet Goblet?", a_plan(part("Who?", "Zeitung", "Ferry", "Goblet")), ()),
}


@pytest.mark.parametrize("sign", SIGNS)
def test_t1b_a_collapsed_plan_is_asked_for_once_more_saying_why_and_the_outcome_is_recorded(sign):
    text, collapsed, periods = SIGNS[sign]
    told = planned(surveyed(text, periods=periods), collapsed, GOOD)
    assert told.requests()[1].concern == (
        f"Your plan has one sub-question, but {sign}. Plan again; keep one only if one is right."
    )
    assert told.only(Planned).guard == f"asked again because {sign}: 2 sub-question(s) now"
    assert len(told.value.queue) == 2
    assert told.value.notes == (told.only(Planned).guard,)


@pytest.mark.parametrize("sign", SIGNS)
def test_t1b_a_plan_that_stays_at_one_is_kept_and_not_asked_for_a_third_time(sign):
    text, collapsed, periods = SIGNS[sign]
    told = planned(surveyed(text, periods=periods), collapsed, collapsed)
    assert len(told.requests()) == 2
    assert len(told.value.queue) == 1
    assert told.only(Planned).guard.endswith("1 sub-question(s) now")


def test_t1b_a_second_plan_against_an_invariant_leaves_the_first_and_says_so():
    told = planned(surveyed("What is the difference?"), ONE, a_plan(part("Who?", "Akten")))
    assert texts(told) == [("q1", "Who spoke?", "Zeitung")]
    assert told.only(Planned).guard.endswith("still there is no sub-corpus 'Akten'")


@pytest.mark.parametrize(
    "reply", [ONE, a_plan(part("Who?", "Zeitung", "Ferry")), a_plan(part("Who?", "Zeitung", "Ferry", "Ferry"))]
)
def test_t1b_one_part_is_right_for_a_question_that_shows_no_more(reply):
    told = planned(surveyed("Who spoke with Ferry in the Zeitung?", periods=(a_day(1887, 1, 1),)), reply)
    assert len(told.requests()) == 1
    assert told.only(Planned).guard == ""


def test_t1b_names_the_model_added_are_not_in_the_question():
    told = planned(surveyed(), a_plan(part("Who?", "Zeitung", "Ferry", "Goblet", added=True)))
    assert told.only(Planned).guard == ""


def test_t1b_a_plan_of_several_parts_is_not_collapsed():
    told = planned(surveyed("Compare Zeitung and Briefe"), GOOD)
    assert (len(told.requests()), told.only(Planned).guard) == (1, "")


def test_t15_without_decomposition_the_question_is_taken_whole_and_no_model_is_asked():
    told = planned(surveyed(rules=Rules(switches=Switches(decomposition=False))))
    assert told.effects == []
    assert told.only(Planned) == Planned((SubQuestion("q1", "Who spoke of the blockade?", ""),))


def after(proposal, *places):
    return {**proposal, "after": list(places)}


def waits(told):
    return {s.id: s.after for s in told.only(Planned).sub_questions}


class TestWaves:
    """The plan says what depends on what."""

    def test_a_part_waits_for_those_whose_places_it_names(self):
        told = planned(surveyed(), a_plan(after(part(), 3), part("Who wrote?"), after(part("Who paid?"), 2)))
        assert waits(told) == {"q1": ("q3",), "q2": (), "q3": ("q2",)}

    def test_places_that_are_none_and_its_own_are_waited_for_by_nobody(self):
        told = planned(surveyed(), a_plan(after(part(), 0, 1, 2, 3, -1), part("Who wrote?")))
        assert waits(told) == {"q1": ("q2",), "q2": ()}

    @pytest.mark.parametrize(
        ("parallel", "waits", "first"),
        [
            (0, [(), (), ()], ["q1"]),
            (1, [("q2",), (), ()], ["q1"]),
            (2, [(), (), ()], ["q1", "q2"]),
            (4, [(), (), ()], ["q1", "q2", "q3"]),
            (4, [(), ("q1",), ()], ["q1", "q3"]),
            (4, [("q2",), ("q3",), ()], ["q3"]),
            (4, [("q0",), ("q1",), ("q1", "q2")], ["q1"]),
            (4, [("q2",), ("q1",), ("q1",)], ["q1"]),
        ],
        ids=["unsaid", "one", "two", "all", "one waits", "a chain", "of what is finished", "for one another"],
    )
    def test_side_by_side_go_those_that_wait_for_no_other(self, parallel, waits, first):
        queue = tuple(SubQuestion(f"q{n}", "Who?", "Zeitung", (), w) for n, w in enumerate(waits, 1))
        assert [s.id for s in wave(fold([Planned(queue)], surveyed(rules=Rules(parallel=parallel))))] == first

    def test_ids_that_were_begun_are_not_given_again_and_places_count_in_the_whole_list(self):
        dropped, kept, waiting = (SubQuestionReply(text=t, sub_corpus="Zeitung") for t in ("a", "b", "c"))
        waiting = waiting.model_copy(update={"after": [1, 2]})
        begun = (SubQuestion("q1", "x", ""), SubQuestion("q3", "y", ""))
        named = numbered([kept, waiting], begun, [dropped, kept, waiting])
        assert [(s.id, s.text, s.after) for s in named] == [("q2", "b", ()), ("q4", "c", ("q2",))]
