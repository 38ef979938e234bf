"""T2, T3: the fused warm start and its constraint; our orientation before the plan. T15: both can be turned off."""

from dataclasses import replace

import pytest

from fakes.corpus import a_day, a_document
from fakes.flow import (
    CHANNELS,
    Q1,
    Q2,
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
from vestigia.domain.effects import Scope
from vestigia.domain.events import (
    Briefed,
    Judged,
    QuestionRead,
    Searched,
    SearchFailed,
    SubQuestionOpened,
)
from vestigia.domain.evidence import Brief, Decision, Memory, Verdict
from vestigia.domain.periods import DatePeriod, Precision, day_number
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules, Switches, preset
from vestigia.inquiry.fold import fold
from vestigia.inquiry.searching import Quest, hunt
from vestigia.inquiry.state import State
from vestigia.inquiry.warm_start import orient, warm_start

DOCUMENTS = [
    a_document("z1", "the blockade of the harbour", "Zeitung", a_day(1887, 1, 2)),
    a_document("z2", "nothing of interest", "Zeitung", a_day(1887, 5, 2)),
    a_document("b1", "a letter on the blockade", "Briefe"),
]


def asked(text, rules=Rules(), target="Zeitung", documents=DOCUMENTS):
    state = working(rules=rules, plan=(sub_question(1, text, target),))
    return run(warm_start(state), Scene(documents))


EIGHTIES, NINETIES = (DatePeriod(day_number(y), day_number(y + 9, 12, 31), Precision.RANGE) for y in (1880, 1890))
DROWNED = [
    *(a_document(f"n{n}", "the blockade of the blockade", "Zeitung", a_day(1895, 1, n + 1)) for n in range(6)),
    a_document("o1", "of the blockade they wrote long ago", "Zeitung", a_day(1885, 1, 2)),
    a_document("u1", "whenever there was a blockade", "Zeitung"),
]


class TestWindows:
    """H2 in a run: windows of time share out what the first searches bring (ours, off unless asked for)."""

    rules = Rules(candidates=3, windows=(EIGHTIES, NINETIES))

    def orient(self, rules, question=Question("blockade")):
        told = run(orient(replace(surveyed(question=question, rules=rules), readings={})), Scene(DROWNED))
        return told, [c.document for c in told.value.orientation]

    def test_every_window_and_the_undated_get_a_place(self):
        assert set(self.orient(Rules(candidates=3))[1]) == {"n0", "n1", "n2"}
        told, found = self.orient(self.rules)
        assert sorted(found) == ["n0", "o1", "u1"]
        assert told.only(Searched).by_window == (
            ("1880-01-01/1889-12-31", 1),
            ("1890-01-01/1899-12-31", 1),
            ("undated", 1),
        )

    def test_each_channel_is_asked_once_for_all_windows(self):
        told, _ = self.orient(self.rules)
        asked = {(s.windows, s.quota, s.undated) for s in told.searches()}
        assert asked == {((EIGHTIES, NINETIES), self.rules.channel_hits, self.rules.channel_hits)}
        assert len(told.searches()) == len({s.channel for s in told.searches()})

    def test_within_a_period_the_undated_have_no_lane(self):
        told, found = self.orient(self.rules, Question("blockade", period=NINETIES))
        assert {s.undated for s in told.searches()} == {0}
        assert found == ["n0", "n1", "n2"]

    @pytest.mark.parametrize("constrain", ["before", "after"])
    def test_a_warm_start_is_balanced_too(self, constrain):
        told = asked("blockade", replace(self.rules, constrain=constrain), documents=DROWNED)
        assert {w.candidate.document for w in told.value.work.pending} == {"n0", "o1", "u1"}

    def test_the_other_searches_of_a_run_are_not(self):
        state = surveyed(rules=self.rules)
        told = run(hunt(state, Quest("words", "blockade", ("words",), Scope(), 3)), Scene(DROWNED))
        assert [s.windows for s in told.searches()] == [()]
        assert told.only(Searched).by_window == ()


class TestOrient:
    """Ours: the question itself, over the whole archive, before the plan."""

    def orient(self, rules=Rules(), question=Question("the blockade of 1887"), channels=CHANNELS, **scene):
        state = replace(surveyed(question=question, rules=rules, channels=channels), readings={})
        return run(orient(state), Scene(DOCUMENTS, **scene))

    def test_the_question_is_read_and_searched_in_every_sub_corpus(self):
        told = self.orient()
        assert told.kinds() == ["QuestionRead", "Searched"]
        assert {s.scope for s in told.searches()} == {Scope()}
        assert sorted(c.document for c in told.value.orientation) == ["b1", "z1", "z2"]
        assert told.value.thread is None

    def test_the_researchers_limits_hold(self):
        told = self.orient(question=Question("the blockade", ("Briefe",)))
        assert [c.document for c in told.value.orientation] == ["b1"]

    def test_without_a_date_the_date_channel_is_not_asked(self):
        channels = [s.channel for s in self.orient(question=Question("the blockade")).searches()]
        assert channels == ["words", "characters"]

    def test_a_source_that_is_named_is_searched_by_itself_too(self):
        told = self.orient(question=Question("the blockade in Briefe"), channels=(*CHANNELS, "source"))
        assert [(s.channel, s.scope.sub_corpora) for s in told.searches()] == [
            ("words", ()),
            ("characters", ()),
            ("source", ("Briefe",)),
        ]

    def test_within_the_researchers_limits_a_source_that_is_all_there_is_tells_nothing(self):
        asked = Question("the blockade in Briefe", ("Briefe",))
        told = self.orient(question=asked, channels=(*CHANNELS, "source"))
        assert [s.channel for s in told.searches()] == ["words", "characters"]

    def test_its_quota_is_that_of_the_candidates(self):
        assert len(self.orient(Rules(candidates=1)).value.orientation) == 1

    def test_t15_it_can_be_turned_off_and_the_question_is_read_all_the_same(self):
        told = self.orient(Rules(switches=Switches(orientation=False)))
        assert told.kinds() == ["QuestionRead"]

    def test_the_papers_rules_have_none(self):
        assert self.orient(preset("trace-2026")).searches() == []

    def test_a_failed_orientation_is_not_an_empty_one(self):
        told = self.orient(question=Question("the blockade"), failing=["words", "characters"])
        assert told.kinds() == ["QuestionRead", "SearchFailed", "SearchFailed"]


def test_t2_the_queue_is_filled_with_candidates_of_the_target_sub_corpus():
    told = asked("the blockade")
    assert told.only(Searched).by == "warm start"
    assert told.only(Searched).sub_question == "q1"
    assert waiting(told.value) == [c.passage for c in told.only(Searched).candidates]
    assert [c.document for c in told.only(Searched).candidates] == ["z1"]


@pytest.mark.parametrize(
    ("text", "channels"),
    [("the blockade", ["words", "characters"]), ("the blockade in 1887", ["words", "characters", "date"])],
)
def test_t2_the_date_channel_is_asked_only_when_a_date_can_be_read(text, channels):
    told = asked(text)
    assert [s.channel for s in told.searches()] == channels
    assert all(s.period.text == "1887" for s in told.searches() if s.channel == "date")


def test_t2_no_more_than_the_candidates_allowed_are_queued():
    assert len(waiting(asked("the harbour in 1887", Rules(candidates=1)).value)) == 1
    assert len(waiting(asked("the harbour in 1887").value)) == 2


def crowded(rules):
    """A sub-corpus that is 2 % of the archive, and words that occur everywhere."""
    documents = [a_document(f"a{n:03}", "the blockade", "Zeitung") for n in range(196)]
    documents += [a_document(f"b{n:03}", "the blockade", "Briefe") for n in range(4)]
    return asked("blockade", rules, "Briefe", documents)


def test_t3_a_two_per_cent_sub_corpus_gets_its_full_quota_before_the_cut_off():
    told = crowded(Rules())
    assert {s.scope.sub_corpora for s in told.searches()} == {("Briefe",)}
    assert [c.document for c in told.only(Searched).candidates] == ["b000", "b001", "b002", "b003"]


def test_t3_the_papers_open_code_filters_after_fusion_and_the_small_sub_corpus_gets_nothing():
    told = crowded(preset("trace-2026"))
    assert {s.scope.sub_corpora for s in told.searches()} == {()}
    assert told.only(Searched).candidates == ()


def test_t15_without_a_warm_start_the_sub_question_is_read_and_nothing_searched():
    told = asked("the blockade", Rules(switches=Switches(warm_start=False)))
    assert told.kinds() == ["QuestionRead"]
    assert told.only(QuestionRead).text == "the blockade"


def test_t15_a_question_taken_whole_is_searched_everywhere():
    told = asked("the blockade", Rules(switches=Switches(decomposition=False)), target="")
    assert sorted(c.document for c in told.only(Searched).candidates) == ["b1", "z1"]


HOMES = {"z": "Zeitung", "b": "Briefe", "k": "Akten"}


def with_orientation(rules=Rules(switches=Switches(warm_start=False))) -> State:
    return oriented(surveyed(rules=rules), *map(candidate, HOMES), homes=HOMES)


def started(state, plan=(Q1, Q2)):
    return run(warm_start(working(plan=plan, state=state)))


def test_the_orientation_follows_the_warm_start_and_is_recorded_with_its_sub_question():
    told = started(with_orientation())
    assert (told.only(Searched).by, told.only(Searched).sub_question) == ("orientation", "q1")


def test_the_first_sub_question_also_looks_at_sub_corpora_no_other_is_directed_at():
    assert waiting(started(with_orientation()).value) == [passage("z"), passage("k")]
    assert waiting(started(with_orientation(), (Q1,)).value) == [passage("z"), passage("b"), passage("k")]


def test_a_later_sub_question_looks_at_its_own_sub_corpus_only():
    state = working(plan=(Q1, Q2), state=with_orientation())
    state = fold([Briefed(Brief("q1"), "done"), SubQuestionOpened("q2")], state)
    assert waiting(run(warm_start(state)).value) == [passage("b")]


def test_what_the_warm_start_found_is_not_queued_again_from_the_orientation():
    state = working(plan=(Q1, Q2), state=with_orientation())
    told = run(warm_start(after_search(state, candidate("z", 3), candidate("k"))))
    assert told.of(Searched) == []
    assert waiting(told.value) == [passage("z", 3), passage("k")]


def test_what_was_rejected_before_is_not_queued_again_from_the_orientation():
    state = working("z", plan=(Q1, sub_question(2)), state=with_orientation())
    rejected = Verdict(passage("z"), "z", Decision.REJECT, "no")
    state = fold([Judged("q1", (rejected,), Memory()), Briefed(Brief("q1"), "done"), SubQuestionOpened("q2")], state)
    assert waiting(run(warm_start(state)).value) == []


def test_a_failed_warm_start_is_not_an_empty_one():
    state = working(plan=(sub_question(1, "the blockade"),))
    told = run(warm_start(state), Scene(DOCUMENTS, failing=CHANNELS))
    assert told.kinds() == ["QuestionRead", "SearchFailed", "SearchFailed"]
    assert {f.by for f in told.of(SearchFailed)} == {"warm start"}
