"""T7: what the model sees is rebuilt from the state for every call, and never grows into a transcript."""

from dataclasses import replace

import pytest

from fakes.corpus import a_day
from fakes.flow import (
    Q1,
    Q2,
    a_card,
    after_search,
    candidate,
    oriented,
    passage,
    surveyed,
    working,
)
from vestigia.domain.events import Acted, Briefed, Judged, Searched, SubQuestionOpened
from vestigia.domain.evidence import Brief, Decision, Memory, Standing, Verdict
from vestigia.domain.requests import Contender, Shown, Taken
from vestigia.domain.rules import Rules, Switches
from vestigia.inquiry.desk import contender, date_of, desk, orientation_place, places, shown
from vestigia.inquiry.fold import evolve, fold
from vestigia.inquiry.state import Waiting


def step(number, gaps="", thread="q1"):
    return Acted(thread, "thought", f"words “{number}”", f"{number} new", Memory(gaps=gaps))


def accept(state, *documents, reason="it fits"):
    verdicts = tuple(Verdict(passage(d), d, Decision.ACCEPT, reason) for d in documents)
    return evolve(state, Judged("q1", verdicts, state.work.memory))


def test_t7_the_desk_has_the_slots_the_accepted_the_last_actions_and_the_last_observation():
    state = accept(evolve(working("a"), step(1, "many")), "a")
    laid = desk(state)
    assert (laid.reading, laid.sub_question, laid.memory) == (state.reading, Q1, Memory(gaps="many"))
    assert laid.taken == (Taken("a", "Title of a", "", "Zeitung", "it fits"),)
    assert laid.actions == ("words “1”: 1 new", "review: 1 passages reviewed, 1 accepted")
    assert laid.observation == "1 passages reviewed, 1 accepted"
    assert laid.plan == (Q1,)


def test_t7_each_update_overwrites_the_slots():
    assert desk(fold([step(1, "many"), step(2, "few")], working())).memory == Memory(gaps="few")


@pytest.mark.parametrize(("rules", "seen"), [(Rules(), 8), (Rules(actions_shown=3), 3)])
def test_t7_only_the_last_actions_are_seen(rules, seen):
    state = fold([step(n) for n in range(20)], working(rules=rules))
    assert desk(state).actions == tuple(f"words “{n}”: {n} new" for n in range(20 - seen, 20))
    assert desk(state).observation == "19 new"


def test_t12_the_briefs_of_finished_sub_questions_lie_on_the_desk():
    state = fold([Briefed(Brief("q1", ("he spoke",)), "done"), SubQuestionOpened("q2")], working(plan=(Q1, Q2)))
    assert desk(state).briefs == (Brief("q1", ("he spoke",)),)
    assert desk(state).sub_question == Q2
    assert desk(state).memory == Memory()


def test_t15_without_memory_the_slots_and_briefs_stay_off_the_desk():
    rules = Rules(switches=Switches(memory=False))
    state = fold(
        [Briefed(Brief("q1", ("f",)), "done"), SubQuestionOpened("q2"), step(1, "many", "q2")],
        working(plan=(Q1, Q2), rules=rules),
    )
    assert (desk(state).memory, desk(state).briefs) == (Memory(), ())
    assert desk(state).actions != ()


def test_between_sub_questions_there_is_no_desk():
    with pytest.raises(LookupError, match="no sub-question is at work"):
        desk(surveyed())


def test_a_passage_is_shown_with_its_document_the_search_and_its_places():
    dated = a_card("a", "Briefe", a_day(1887, 1, 2))
    found = candidate("a", rank=3)
    state = working(state=oriented(surveyed(), candidate("x"), candidate("a")))
    state = evolve(state, Searched("words “x”", (found,), (dated,), sub_question="q1"))
    assert shown(state, Waiting(found, "words “x”", place=4)) == Shown(
        passage("a"),
        "a",
        "Title of a",
        "1887-01-02",
        "Briefe",
        "words “x”",
        found.score,
        (Standing("words", 3, 1.0),),
        dated.period,
        place=4,
        orientation=2,
    )


def test_the_last_reason_is_the_one_later_calls_see():
    state = accept(working("a", plan=(Q1, Q2)), "a", reason="first")
    state = after_search(fold([Briefed(Brief("q1"), "done"), SubQuestionOpened("q2")], state), "a")
    state = evolve(state, Judged("q2", (Verdict(passage("a"), "a", Decision.ACCEPT, "second"),), Memory()))
    assert desk(state).taken[0].reason == "second"


def test_t14_a_contender_comes_with_everything_recorded_of_it():
    state = accept(working("x", "a", plan=(Q1, Q2)), "a", reason="first")
    state = after_search(fold([Briefed(Brief("q1"), "done"), SubQuestionOpened("q2")], state), candidate("a", 1))
    state = evolve(state, Judged("q2", (Verdict(passage("a", 1), "a", Decision.ACCEPT, "second"),), Memory()))
    assert contender(state, "a") == Contender("a", "Title of a", "", "Zeitung", ("first", "second"), 2, (2, 1))


def test_places_count_from_1_and_are_0_where_a_document_was_not_found():
    state = after_search(working("x", "a", state=oriented(surveyed(), candidate("y"))), "b", "c", "a", by="words")
    assert places(state, "a") == (0, 2, 3)
    assert (orientation_place(state, "y"), orientation_place(state, "a")) == (1, 0)


def test_a_missing_date_is_missing():
    state = replace(surveyed(), cards={"a": a_card("a"), "b": a_card("b", period=a_day(1887, 1, 2))})
    assert (date_of(state, "a"), date_of(state, "b")) == ("", "1887-01-02")
