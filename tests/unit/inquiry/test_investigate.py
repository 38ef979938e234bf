"""T4, T5, T9, T10, T16: the budgeted loop of one sub-question; it ends whatever the model does."""

from dataclasses import replace
from itertools import count, cycle

import pytest

from fakes.corpus import a_day, a_document
from fakes.flow import Q1, Scene, candidate, held, oriented, passage, run, surveyed, waiting, working
from vestigia.domain.effects import Found, Replied, Stop
from vestigia.domain.events import (
    Acted,
    BudgetReached,
    HeldUnseen,
    Judged,
    Planned,
    Searched,
    SearchFailed,
    SubQuestionOpened,
    Waste,
    Wasted,
)
from vestigia.domain.evidence import Decision, Verdict
from vestigia.domain.periods import DatePeriod, Precision
from vestigia.domain.rules import Budget, Rules, Switches
from vestigia.inquiry.fold import evolve
from vestigia.inquiry.investigate import act, investigate, turn, why_ended
from vestigia.inquiry.state import Acceptance

FINISH = {"thought": "enough", "action": "finish"}
SHIPS = "anchor brig cutter dinghy escort frigate galley hulk ironclad jolly ketch lugger"
DOCUMENTS = [a_document(f"z{n}", f"blockade {ship}", "Zeitung") for n, ship in enumerate(SHIPS.split())]
QUIET = Rules(switches=Switches(warm_start=False, orientation=False))


def words(query, **more):
    return {"action": "words", "args": {"query": query}, **more}


def dates(first, last, **more):
    return {"action": "date", "args": {"from": first, "to": last, **more}}


def accept_all(request):
    verdicts = [{"passage": s.passage, "verdict": "accept", "reason": "it fits"} for s in request.passages]
    return {"action": "review", "args": {"verdicts": verdicts}}


def say_nothing(request):
    return {"action": "review", "args": {}}


def acted(state, *steps, documents=DOCUMENTS, **scene):
    told = run(act(state), Scene(documents, replies={"step": steps}, **scene))
    told.value, told.ended = told.value
    return told


def investigated(steps, review=say_nothing, rules=QUIET, documents=DOCUMENTS, **scene):
    """A whole sub-question."""
    state = evolve(surveyed(rules=rules), Planned((Q1,)))
    told = run(investigate(state, Q1), Scene(documents, replies={"step": steps, "review": review}, **scene))
    told.value, told.ended = told.value
    return told


class TestActing:
    """One step (T4, T8, T9)."""

    def test_t4_a_search_brings_what_is_new_and_is_charged(self):
        told = acted(working(), words("anchor", thought="try a ship", memory_update={"gaps": "many"}))
        assert told.kinds() == ["Consulted", "Searched", "Acted"]
        assert told.only(Acted) == Acted(
            "q1", "try a ship", "words “anchor”", "1 new, 0 known", told.value.work.memory, charged=True
        )
        assert (told.value.work.steps, told.value.work.memory.gaps, told.ended) == (1, "many", "")

    def test_t5_no_more_than_ten_new_ones_a_search(self):
        assert len(waiting(acted(working(), words("blockade")).value)) == 10

    def test_t4_a_step_sees_its_budget_the_channels_and_the_archive(self):
        state = working(rules=Rules(steps=7, date_days_max=9))
        request = acted(state, FINISH).requests()[0]
        assert (request.steps_left, request.days_max, request.channels) == (7, 9, state.channels)
        assert request.sub_corpora == state.sub_corpora

    def test_t4_finishing_ends_it_and_is_not_charged(self):
        told = acted(working(), FINISH)
        assert told.ended == "the model finished"
        assert (told.only(Acted).charged, told.value.work.steps) == (False, 0)

    def test_t8_a_step_that_cannot_be_carried_out_is_asked_for_again_saying_why(self):
        told = acted(working(), {"action": "browse"}, words("anchor"))
        assert "there is no action 'browse'" in told.requests()[1].concern
        assert told.of(Acted)

    def test_t8_a_model_that_gives_no_readable_step_ends_the_sub_question(self):
        told = acted(working(), *["?"] * 6)
        assert told.ended == "the model gave no readable step"
        assert told.value.work.steps == 0

    @pytest.mark.parametrize("rules", [Rules(budget=Budget(calls=1)), Rules(patience=1)])
    def test_t16_a_bound_reached_on_the_way_is_named_by_the_next_turn(self, rules):
        told = acted(working(rules=rules), "?")
        assert told.ended == ""
        assert why_ended(told.value)

    def test_t9_a_search_that_brings_nothing_new_is_not_charged(self):
        told = acted(working(), words("zeppelin"))
        assert (told.only(Acted).charged, told.only(Acted).observation) == (False, "0 new, 0 known")
        assert told.value.work.steps == 0

    def test_t9_an_empty_query_is_a_wasted_turn(self):
        told = acted(working(), words(" … "))
        assert told.only(Wasted).kind is Waste.EMPTY_QUERY
        assert (told.searches(), told.value.work.steps) == ([], 0)

    def test_t9_a_repeated_search_is_a_wasted_turn_and_not_carried_out(self):
        state = acted(working(), words("Zeppelin")).value
        told = acted(state, words("zeppelin!"))
        assert told.only(Wasted) == Wasted("q1", Waste.REPEATED, "words “zeppelin”")
        assert (told.searches(), told.value.work.steps, told.value.work.repeats) == ([], 0, 1)

    def test_t9_a_review_asked_for_with_nothing_pending_is_a_wasted_turn(self):
        told = acted(working(), {"action": "review"})
        assert told.only(Wasted).kind is Waste.REVIEW_DUE
        assert told.value.work.steps == 0

    @pytest.mark.parametrize(("empty", "warned"), [(2, False), (3, True), (4, True)])
    def test_t9_three_empty_searches_in_a_row_draw_a_warning(self, empty, warned):
        state = working()
        for n in range(empty):
            state = acted(state, words(f"zeppelin {n}")).value
        warning = acted(state, FINISH).requests()[0].warning
        assert warning.startswith(f"{empty} searches in a row brought nothing new") == warned
        assert bool(warning) == warned

    def test_t9_a_search_that_finds_something_ends_the_row_of_empty_ones(self):
        state = working()
        for query in ("x", "y", "anchor", "z"):
            state = acted(state, words(query)).value
        assert acted(state, FINISH).requests()[0].warning == ""

    def test_a_channel_that_failed_is_recorded_and_the_model_is_told(self):
        told = acted(working(), words("anchor"), failing=["characters"])
        assert told.only(SearchFailed).channel == "characters"
        assert told.only(Acted).observation == "1 new, 0 known; characters could not be searched: characters is broken"

    def test_a_search_that_failed_altogether_is_not_an_empty_one(self):
        told = acted(working(), words("anchor"), failing=["words", "characters"])
        assert told.of(Searched) == []
        assert "new" not in told.only(Acted).observation
        assert (told.only(Acted).charged, told.value.work.empties) == (False, 0)


EDGE = [
    a_document("before", "news", "Zeitung", a_day(1887, 1, 1)),
    a_document("first", "news", "Zeitung", a_day(1887, 1, 2)),
    a_document("last", "news", "Zeitung", a_day(1887, 1, 4)),
    a_document("after", "news", "Zeitung", a_day(1887, 1, 5)),
    a_document("later", "news", "Zeitung", a_day(1887, 1, 6)),
    a_document(
        "month", "news", "Zeitung", DatePeriod(a_day(1887, 1, 1).first, a_day(1887, 1, 31).first, Precision.MONTH)
    ),
    a_document("undated", "news", "Zeitung"),
]
RANGE = dates("1887-01-02", "1887-01-04")


class TestDateMargin:
    """T10: ± 1 day on both sides; what only the widening found goes to hold, unseen."""

    def test_what_only_the_widening_found_goes_to_hold_unseen(self):
        told = acted(working(), RANGE, documents=EDGE)
        assert sorted(w.candidate.document for w in told.value.work.pending) == ["first", "last", "month"]
        aside = told.only(HeldUnseen)
        assert sorted(c.document for c in aside.candidates) == ["after", "before"]
        assert aside.why == "found only by widening date 1887-01-02/1887-01-04 by 1 day(s)"
        assert sorted(card.id for card in aside.cards) == ["after", "before"]
        assert told.kinds() == ["Consulted", "Searched", "Acted", "HeldUnseen"]
        assert sorted(told.value.held) == sorted(held(told.value))

    def test_a_full_range_does_not_crowd_out_the_edges_nor_pass_for_them(self):
        full = [a_document(f"in{n:02}", "news", "Zeitung", a_day(1887, 1, 3)) for n in range(80)]
        told = acted(working(), RANGE, documents=[*full, *EDGE])
        assert len(waiting(told.value)) == 10
        assert sorted(c.document for c in told.only(HeldUnseen).candidates) == ["after", "before"]

    def test_words_asked_for_with_the_dates_do_not_let_the_range_in_either(self):
        full = [a_document(f"in{n:02}", "news", "Zeitung", a_day(1887, 1, 3)) for n in range(80)]
        told = acted(working(), dates("1887-01-02", "1887-01-04", query="news"), documents=[*full, *EDGE])
        assert sorted(c.document for c in told.only(HeldUnseen).candidates) == ["after", "before"]

    def test_no_more_than_a_search_may_bring(self):
        many = [a_document(f"n{n:02}", "news", "Zeitung", a_day(1887, 1, 5)) for n in range(20)]
        assert len(acted(working(), RANGE, documents=many).only(HeldUnseen).candidates) == 10

    def test_nothing_at_the_edges_holds_nothing(self):
        told = acted(working(), RANGE, documents=EDGE[1:3])
        assert told.kinds() == ["Consulted", "Searched", "Acted"]

    def test_what_is_known_is_not_held(self):
        state = working(*(candidate(name) for name in ("before", "after")))
        assert acted(state, RANGE, documents=EDGE).of(HeldUnseen) == []

    def test_documents_met_before_are_not_described_again(self):
        state = working(state=oriented(surveyed(), candidate("after")))
        told = acted(state, RANGE, documents=EDGE)
        assert sorted(c.document for c in told.only(HeldUnseen).candidates) == ["after", "before"]
        assert [card.id for card in told.only(HeldUnseen).cards] == ["before"]

    def test_a_document_that_is_gone_is_not_held(self):
        told = acted(working(), RANGE, documents=EDGE, gone=["before"])
        assert [c.document for c in told.only(HeldUnseen).candidates] == ["after"]

    def test_a_margin_that_could_not_be_searched_is_recorded_as_failed(self):
        told = acted(working(), RANGE, found={"date": Found(failure="broken")})
        assert len(told.of(SearchFailed)) == 3  # the range, and each of its edges
        assert told.of(HeldUnseen) == []

    def test_a_document_another_sub_question_took_is_not_held(self):
        verdict = Verdict("after#0-4", "after", Decision.ACCEPT, "seen", "")
        taken = {"after": (Acceptance("q0", verdict, "warm start"),)}
        state = working(state=oriented(surveyed(), candidate("after")))
        told = acted(replace(state, accepted=taken), RANGE, documents=EDGE)
        assert [c.document for c in told.only(HeldUnseen).candidates] == ["before"]

    def test_without_widening_nothing_is_held(self):
        assert acted(working(rules=Rules(date_widening=0)), RANGE, documents=EDGE).of(HeldUnseen) == []


class TestTheLoop:
    """T5, T9: which step is next, and when it ends."""

    def test_t5_after_a_search_that_found_something_the_only_next_step_is_review(self):
        told = run(turn(working("a")), Scene(replies={"review": say_nothing}))
        assert [type(r).__name__ for r in told.requests()] == ["ReviewRequest"]

    def test_t5_all_that_was_found_is_reviewed_before_the_next_step(self):
        told = investigated([words("blockade"), FINISH])
        assert [type(r).__name__ for r in told.requests()] == [
            "StepRequest",
            "ReviewRequest",
            "ReviewRequest",
            "StepRequest",
        ]
        assert [len(r.passages) for r in told.requests("review")] == [8, 2]

    def test_it_begins_with_the_warm_start(self):
        told = investigated([FINISH], accept_all, Rules())
        assert told.kinds()[:3] == ["SubQuestionOpened", "Searched", "Consulted"]
        assert told.only(SubQuestionOpened).sub_question == "q1"

    def test_t9_two_repeated_searches_in_a_row_end_the_sub_question(self):
        told = investigated(lambda _: words("zeppelin"))
        assert told.ended == "2 repeated searches in a row"
        assert [w.kind for w in told.of(Wasted)] == [Waste.REPEATED] * 2
        assert len(told.requests()) == 3

    def test_t9_another_search_between_two_repeated_ones_ends_the_row(self):
        told = investigated([words("x"), words("x"), words("y"), words("x"), FINISH])
        assert told.ended == "the model finished"

    def test_t9_repetitions_need_not_be_of_the_same_search(self):
        told = investigated([words("x"), words("y"), words("x"), words("y")])
        assert told.ended == "2 repeated searches in a row"

    @pytest.mark.parametrize(("rules", "steps"), [(QUIET, 13), (Rules(steps=3, switches=QUIET.switches), 3)])
    def test_t4_the_action_budget_ends_it(self, rules, steps):
        many = [a_document(f"z{n}", f"number{n}", "Zeitung") for n in range(20)]
        number = count()
        told = investigated(
            lambda _: {"action": "exact", "args": {"query": f"number{next(number)}"}}, accept_all, rules, many
        )
        assert told.ended in {f"{steps} steps were used", f"{rules.step_ceiling} steps were used"}
        assert steps <= told.value.work.steps <= rules.step_ceiling

    def test_t4_a_due_review_may_use_steps_beyond_the_budget_up_to_the_ceiling(self):
        rules = Rules(steps=1, step_ceiling=3, review_size=1)
        told = run(
            investigate(evolve(surveyed(rules=rules), Planned((Q1,))), Q1),
            Scene(
                [a_document(f"z{n}", "the blockade", "Zeitung") for n in range(9)],
                replies={"review": say_nothing, "step": []},
            ),
        )
        state, ended = told.value
        assert (ended, len(told.of(Judged))) == ("3 steps were used", 3)
        assert told.only(HeldUnseen).why == "not reviewed: 3 steps were used"
        assert len(told.only(HeldUnseen).candidates) == 6
        assert (state.work.pending, len(state.held)) == ((), 9)

    def test_t9_wasted_turns_do_not_use_up_the_action_budget(self):
        wasted = [words(" "), words("x"), words("x"), {"action": "review"}, "?", FINISH]
        told = investigated(wasted)
        assert (told.ended, told.value.work.steps) == ("the model finished", 0)


ENDLESS = {
    "reviews with nothing to review": cycle([{"action": "review"}]),
    "empty queries": cycle([words("")]),
    "two kinds of waste in turn": cycle([words(""), {"action": "review"}]),
    "a repetition and a new empty search in turn": (words(f"xqz{n // 2}") for n in count()),
    "searches that find nothing": (words(f"xqz{n}") for n in count()),
    "an unreadable reply before every action": ("?" if n % 2 else words(f"xqz{n}") for n in count()),
}


@pytest.mark.parametrize("waste", ENDLESS)
def test_t9_patience_ends_a_model_that_wastes_its_turns_for_ever(waste):
    told = investigated(lambda _: next(ENDLESS[waste]))
    assert told.ended == "60 model calls were used"
    assert len(told.requests()) == 60
    assert told.value.work.steps == 0


def test_t9_a_model_that_is_never_readable_ends_the_sub_question_sooner():
    told = investigated(lambda _: "?")
    assert (told.ended, len(told.requests())) == ("the model gave no readable step", 6)


def test_t9_patience_ends_a_model_that_never_reviews():
    rules = Rules(patience=7, steps=15, review_size=1, parse_retries=0)
    told = investigated([], lambda _: "?", rules)
    assert told.ended == "7 model calls were used"
    assert len(told.of(Judged)) == 6
    assert told.only(HeldUnseen).why == "not reviewed: 7 model calls were used"


def test_t16_the_budget_of_the_run_ends_it_and_what_waits_is_held():
    told = investigated([], accept_all, Rules(budget=Budget(calls=1), review_size=1))
    assert told.only(BudgetReached).limit == "1 model calls"
    assert told.ended == "the budget of the run was reached: 1 model calls"
    assert len(told.value.accepted) == 1
    assert len(told.value.held) == 11
    assert {w.reason for w in told.value.held.values()} == {f"not reviewed: {told.ended}"}


def test_nothing_is_set_aside_when_nothing_waits():
    told = investigated([FINISH])
    assert told.of(HeldUnseen) == []
    assert waiting(told.value) == []
    assert passage("z0") not in told.value.held


def test_a_model_that_refuses_a_step_ends_the_sub_question_with_its_words():
    refusing = Scene(DOCUMENTS, answers={"step": lambda _request: Replied("not this", "m", stop=Stop.REFUSED)})
    assert run(turn(working(rules=QUIET)), refusing).value[1] == "m: not this"
