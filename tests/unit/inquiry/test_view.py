"""T16, T19, principle 4: what people are shown, with the path to each source; a person's act outranks the machine's."""

from dataclasses import replace

import pytest

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
from vestigia.domain.effects import Mark, Usage
from vestigia.domain.events import (
    Briefed,
    BudgetReached,
    Closed,
    Consolidated,
    Consulted,
    HeldUnseen,
    Judged,
    Outcome,
    Overruled,
    Paused,
    Planned,
    Reevaluated,
    Searched,
    SearchFailed,
    SubQuestionOpened,
)
from vestigia.domain.evidence import Brief, Decision, Memory, Ranked, Standing, Verdict
from vestigia.domain.ids import PassageId
from vestigia.domain.rules import Rules
from vestigia.inquiry.fold import evolve, fold
from vestigia.inquiry.state import State
from vestigia.inquiry.view import OnHold, StageCost, Step, result


def judged(state, decision, *documents, thread="q1", quote=""):
    verdicts = tuple(Verdict(passage(d), d, decision, f"{d} in {thread}", quote) for d in documents)
    return evolve(state, Judged(thread, verdicts, Memory()))


def accepted(*documents):
    return judged(working(*documents), Decision.ACCEPT, *documents)


def ranked(*documents):
    return evolve(accepted(*documents), Consolidated(tuple(Ranked(d, 1) for d in reversed(documents))))


def person(document, decision, reason="I read it"):
    return Overruled(document, decision, reason, "Ada")


def names(rows):
    return [row.card.id for row in rows]


class TestSources:
    """The ranked list."""

    def test_the_recorded_ranking_is_the_order(self):
        assert names(result(ranked("a", "b")).sources) == ["b", "a"]

    def test_before_there_is_a_ranking_recorded_places_are_the_order(self):
        assert names(result(accepted("b", "a")).sources) == ["b", "a"]

    def test_t19_each_source_shows_the_sub_question_the_search_its_places_the_verdict_and_its_author(self):
        state = evolve(working("a"), Consulted("review", "a model", Outcome.READ, Usage()))
        (source,) = result(judged(state, Decision.ACCEPT, "a", quote="M. Ferry")).sources
        assert (source.card, source.confirmations) == (a_card("a"), 1)
        assert source.steps == (
            Step(
                Q1.text,
                "Zeitung",
                "warm start",
                (Standing("words", 1, 1.0),),
                passage("a"),
                Decision.ACCEPT,
                "a in q1",
                "M. Ferry",
                "a model",
            ),
        )

    def test_t19_each_confirmation_shows_the_places_of_its_own_search(self):
        state = judged(working(candidate("a", rank=7), plan=(Q1, Q2)), Decision.ACCEPT, "a")
        state = fold([Briefed(Brief("q1"), "done"), SubQuestionOpened("q2")], state)
        state = judged(after_search(state, candidate("a", rank=2)), Decision.ACCEPT, "a", thread="q2")
        (source,) = result(state).sources
        assert source.confirmations == 2
        assert [(s.sub_question, s.search, s.standings[0].rank) for s in source.steps] == [
            (Q1.text, "warm start", 7),
            (Q2.text, "warm start", 2),
        ]

    def test_t19_what_was_promoted_from_the_margin_shows_its_places_too(self):
        state = evolve(working(), HeldUnseen("q1", (candidate("a", channel="date"),), "margin", (a_card("a"),)))
        state = evolve(state, Reevaluated("q1", (Verdict(passage("a"), "a", Decision.ACCEPT, "clear"),)))
        (step,) = result(state).sources[0].steps
        assert (step.search, step.standings[0].channel, step.reason) == ("margin", "date", "clear")

    def test_a_sub_question_that_left_the_plan_is_named_by_its_id(self):
        (step,) = result(evolve(accepted("a"), Planned((Q2,)))).sources[0].steps
        assert (step.sub_question, step.sub_corpus) == ("q1", "")


def alike(state, *documents):
    cards = tuple(replace(state.cards[d], cluster=documents[0]) for d in documents)
    return evolve(state, Searched("words", (), cards))


def test_h2_what_was_searched_says_how_many_candidates_each_window_brought():
    shared = Searched("warm start", (), sub_question="q1", by_window=(("1887", 3), ("1888", 0), ("undated", 1)))
    assert result(evolve(working("a"), shared)).searched[-1] == (
        "warm start (Zeitung); by window 1887: 3, 1888: 0, undated: 1",
        0,
    )


class TestWitnesses:
    """B4: what says the same is one witness, and every row of it says so."""

    def test_a_row_says_which_earlier_one_it_repeats_and_shares_its_confirmations(self):
        state = fold([Briefed(Brief("q1"), "done"), SubQuestionOpened("q2")], judged(
            working("a", "b", "c", plan=(Q1, Q2)), Decision.ACCEPT, "a", "b"))  # fmt: skip
        state = alike(judged(after_search(state, "c"), Decision.ACCEPT, "c", thread="q2"), "a", "c")
        rows = result(
            evolve(state, Consolidated((Ranked("a", 2), Ranked("c", 2, repeats="a"), Ranked("b", 1))))
        ).sources
        assert [(row.card.id, row.confirmations, row.repeats) for row in rows] == [
            ("a", 2, None), ("c", 2, "a"), ("b", 1, None)]  # fmt: skip

    def test_where_every_print_counts_each_has_its_own_confirmations(self):
        rules = replace(Rules(), switches=replace(Rules().switches, every_copy=True))
        state = alike(replace(ranked("a", "b"), rules=rules), "b", "a")
        assert [(row.card.id, row.confirmations, row.repeats) for row in result(state).sources] == [
            ("b", 1, None), ("a", 1, None)]  # fmt: skip

    def test_when_a_person_takes_the_first_out_the_next_stands_for_it(self):
        state = fold([person("a", Decision.REJECT)], alike(ranked("b", "a"), "a", "b"))
        rows = result(state).sources
        assert [(row.card.id, row.confirmations, row.repeats) for row in rows] == [("b", 1, None)]

    def test_what_is_on_hold_says_whose_text_it_has(self):
        state = judged(judged(working("a", "b", "c"), Decision.ACCEPT, "a"), Decision.HOLD, "b", "c")
        held = result(alike(state, "a", "b")).held
        assert [(row.card.id, row.repeats) for row in held] == [("b", "a"), ("c", None)]


class TestPeople:
    """A person's act on a document always wins, before the run ends and after."""

    @pytest.mark.parametrize("closed", [[], [Closed()]])
    def test_what_a_person_rejected_leaves_the_list_and_stands_among_the_removed(self, closed):
        view = result(fold([*closed, person("a", Decision.REJECT)], ranked("a", "b")))
        assert (names(view.sources), names(view.removed)) == (["b"], ["a"])
        machine, human = view.removed[0].steps
        assert machine.decision is Decision.ACCEPT
        assert (human.decision, human.reason, human.author, human.passage) == (
            Decision.REJECT,
            "I read it",
            "Ada",
            None,
        )

    @pytest.mark.parametrize("closed", [[], [Closed()]])
    def test_what_only_a_person_took_stands_before_the_machines_list_with_the_person_as_author(self, closed):
        state = judged(ranked("a"), Decision.REJECT)
        view = result(fold([*closed, person("x", Decision.ACCEPT)], after_search(state, "x")))
        assert names(view.sources) == ["x", "a"]
        assert (view.sources[0].confirmations, [s.author for s in view.sources[0].steps]) == (0, ["Ada"])

    def test_what_a_person_took_out_of_the_list_and_back_keeps_its_place(self):
        acts = [person("b", Decision.REJECT), person("b", Decision.ACCEPT)]
        view = result(fold(acts, ranked("a", "b")))
        assert (names(view.sources), view.removed) == (["b", "a"], ())

    def test_what_a_person_put_on_hold_leaves_the_list_and_stands_among_the_held(self):
        view = result(evolve(ranked("a", "b"), person("a", Decision.HOLD, "check the date")))
        assert names(view.sources) == ["b"]
        assert view.held == (OnHold(a_card("a"), passage("a"), "warm start", "check the date"),)

    def test_a_rejected_document_a_person_put_on_hold_is_held_by_the_passage_found_first(self):
        state = judged(working("a", candidate("a", 1)), Decision.REJECT, "a")
        assert result(evolve(state, person("a", Decision.HOLD))).held == (
            OnHold(a_card("a"), passage("a"), "warm start", "I read it"),
        )

    def test_what_both_hold_stands_once(self):
        state = judged(working("a"), Decision.HOLD, "a")
        assert result(evolve(state, person("a", Decision.HOLD))).held == result(state).held

    @pytest.mark.parametrize("decision", [Decision.ACCEPT, Decision.REJECT])
    def test_what_a_person_decided_is_held_no_longer(self, decision):
        state = judged(working("a", "b"), Decision.HOLD, "a", "b")
        assert names(result(evolve(state, person("a", decision))).held) == ["b"]

    @pytest.mark.parametrize("decision", list(Decision))
    def test_a_document_the_run_never_met_cannot_be_shown(self, decision):
        view = result(evolve(ranked("a"), person("unknown", decision)))
        assert (names(view.sources), view.held, view.removed) == (["a"], (), ())


class TestHeld:
    """Passages that wait for a decision."""

    def test_each_shows_the_search_that_brought_it_and_why_it_waits(self):
        state = judged(working("a"), Decision.HOLD, "a")
        assert result(state).held == (OnHold(a_card("a"), passage("a"), "warm start", "a in q1"),)

    def test_a_document_that_was_taken_is_not_held_for_another_of_its_passages(self):
        state = judged(accepted("a"), Decision.HOLD, "a")
        other = evolve(state, HeldUnseen("q1", (candidate("a", 1),), "not reviewed"))
        assert result(other).held == ()

    def test_what_no_sub_question_got_to_was_brought_by_the_orientation(self):
        state = evolve(oriented(surveyed(), candidate("a")), HeldUnseen(None, (candidate("a"),), "not reviewed"))
        assert [(row.search, row.why) for row in result(state).held] == [("orientation", "not reviewed")]


class TestAccounts:
    """T16: calls, tokens and money by stage; unknown is unknown."""

    def consulted(self, *calls):
        return result(
            fold(
                [
                    Consulted(task, model, Outcome.UNREADABLE if problem else Outcome.READ, usage, problem)
                    for task, model, usage, problem in calls
                ],
                surveyed(),
            )
        )

    def test_each_stage_is_summed_up_in_the_order_of_the_run(self):
        view = self.consulted(
            ("plan", "m", Usage(100, 10, 0, 0.5), ""),
            ("step", "m", Usage(7, 1, 0, 0.25), "?"),
            ("step", "m", Usage(8, 2, 0, 0.25), ""),
        )
        assert view.stages == (
            StageCost("plan", 1, 0, 100, 10, 0.5, "m", 0),
            StageCost("step", 2, 1, 15, 3, 0.5, "m", 0),
        )

    def test_two_models_at_one_stage_are_two_rows_with_the_time_each_took(self):
        view = self.consulted(
            ("step", "one", Usage(1, 1, 1, 0.5, 2.5), ""),
            ("step", "two", Usage(1, 1, 1, None, 1.0), ""),
            ("step", "one", Usage(1, 1, 1, 0.5, 1.0), ""),
        )
        assert view.stages == (
            StageCost("step", 2, 0, 2, 2, 1.0, "one", 2, 3.5),
            StageCost("step", 1, 0, 1, 1, None, "two", 1, 1.0),
        )

    def test_refusals_are_counted_apart_from_what_could_not_be_read(self):
        outcomes = (Outcome.REFUSED, Outcome.TOO_LONG, Outcome.UNREADABLE, Outcome.READ)
        events = [Consulted("step", "m", outcome, Usage(), str(outcome)) for outcome in outcomes]
        (stage,) = result(fold(events, surveyed())).stages
        assert (stage.calls, stage.unreadable, stage.refused) == (4, 1, 2)

    def test_a_run_that_stands_still_says_why_until_a_model_answers_again(self):
        still = fold([Paused("m: it answered 429")], surveyed())
        assert result(still).paused == "m: it answered 429"
        assert result(fold([Consulted("step", "m", Outcome.READ, Usage())], still)).paused == ""

    def test_what_went_wrong_on_the_way_and_suspicious_passages_are_told_once(self):
        mark = Mark(PassageId("p1"), "holds what reads like instructions")
        call = Consulted("review", "m", Outcome.READ, Usage(), notes=("429, waited 2 s",), marks=(mark,))
        assert result(fold([call, call], surveyed())).notes == (
            "review: 429, waited 2 s",
            "passage p1 holds what reads like instructions: weigh its verdict yourself",
        )

    @pytest.mark.parametrize(
        ("usage", "sums"),
        [
            (Usage(None, 2, 0, 0.5), (None, 3, 1.0)),
            (Usage(7, None, 0, 0.5), (14, None, 1.0)),
            (Usage(7, 2, 0, None), (14, 3, None)),
            (Usage(0, 0, 0, 0.0), (7, 1, 0.5)),
        ],
    )
    def test_one_unknown_makes_a_sum_unknown_and_never_0(self, usage, sums):
        (stage,) = self.consulted(("step", "m", Usage(7, 1, 0, 0.5), ""), ("step", "m", usage, "")).stages
        assert (stage.input_tokens, stage.output_tokens, stage.cost) == sums

    def test_the_models_that_answered_are_named_once_each(self):
        calls = [("plan", "one", Usage(), ""), ("step", "two", Usage(), ""), ("step", "one", Usage(), "")]
        assert self.consulted(*calls).model == "one, two"


class TestTheRest:
    """What an empty list rests on, and how the run went."""

    def test_every_search_is_told_with_its_target_and_the_number_it_brought(self):
        state = working("a", "b", state=oriented(surveyed(), candidate("x")))
        assert result(state).searched == (("orientation", 1), ("warm start (Zeitung)", 2))

    def test_failures_gaps_notes_and_the_limit_are_told(self):
        state = fold(
            [
                SearchFailed("warm start", "words", "broken", "q1"),
                Searched("x", (), missing=("e5: 3 not encoded",)),
                Searched("y", (), missing=("e5: 3 not encoded",)),
                BudgetReached("5 model calls"),
                Consolidated((), ("stands by places",)),
                Closed(partial=True),
            ],
            working(),
        )
        view = result(state)
        assert view.failures == ("warm start, words: broken",)
        assert view.missing == ("e5: 3 not encoded",)
        assert (view.notes, view.limit, view.finished) == (("stands by places",), "5 model calls", True)
        assert (view.question, view.plan) == (Q1.text, (Q1,))

    def test_a_run_that_has_not_begun_can_be_shown(self):
        view = result(State())
        assert (view.sources, view.held, view.removed, view.stages, view.searched) == ((), (), (), (), ())
        assert (view.model, view.finished) == ("", False)
