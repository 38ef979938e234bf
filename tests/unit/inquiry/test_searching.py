"""T2: channels, pooled and fused. T3: scope before the cut-off. A failed search is not an empty one."""

from dataclasses import replace

import pytest

from fakes.corpus import a_day, a_document
from fakes.flow import Q1, Q2, Scene, after_search, candidate, passage, run, surveyed, working
from vestigia.domain.archive import Access
from vestigia.domain.effects import Expand, Found, Neighbour, ReadDates, Scope, Weigh
from vestigia.domain.events import (
    Briefed,
    HeldUnseen,
    Judged,
    QueryExpanded,
    QuestionRead,
    Searched,
    SearchFailed,
    SubQuestionOpened,
)
from vestigia.domain.evidence import Brief, Decision, Hit, Memory, Verdict
from vestigia.domain.periods import DatePeriod, Precision
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules, preset
from vestigia.inquiry.fold import evolve, fold
from vestigia.inquiry.fusion import merged
from vestigia.inquiry.searching import (
    WITHHELD,
    Quest,
    fused_channels,
    hunt,
    is_known,
    meaning_channels,
    read_text,
    scope,
    sources_named,
    with_neighbours,
)

DOCUMENTS = [
    a_document("z1", "the blockade of the harbour\nthe blockade again", "Zeitung"),
    a_document("z2", "the blockade", "Zeitung", a_day(1887, 1, 2)),
    a_document("b1", "a letter on the blockade", "Briefe"),
]


def quest(*channels, text="blockade", limit=20, **more):
    return Quest("words “blockade”", text, channels or ("words",), more.pop("scope", Scope()), limit, **more)


def hit(document, rank, score=1.0, number=0):
    return Hit(passage(document, number), document, rank, score)


def hunted(state=None, of=None, **scene):
    return run(hunt(state or working(), of or quest()), Scene(DOCUMENTS, **scene))


def found(told):
    return [c.document for c in told.only(Searched).candidates]


def judge(state, decision, *passages, document="a"):
    verdicts = tuple(Verdict(p, document, decision, "because") for p in passages)
    return evolve(state, Judged("q1", verdicts, Memory()))


def test_t2_each_channel_is_asked_for_its_quota_and_a_document_holds_one_place():
    told = hunted(of=quest("words", "characters"))
    assert [(s.channel, s.limit, s.text) for s in told.searches()] == [
        ("words", 50, "blockade"),
        ("characters", 50, "blockade"),
    ]
    assert sorted(found(told)) == ["b1", "z1", "z2"]


def test_t2_the_record_says_which_channel_found_a_document_at_which_rank_and_the_weights():
    told = hunted(of=quest("words", "characters"))
    for one in told.only(Searched).candidates:
        assert [s.channel for s in one.standings] == ["characters", "words"]
    assert told.only(Searched).weights == (("characters", 1.0), ("words", 1.0))


def test_t2_the_date_channel_is_asked_once_for_each_period_and_decays():
    periods = (a_day(1887, 1, 1), a_day(1890, 1, 1))
    told = hunted(of=quest("date", periods=periods))
    assert [(s.channel, s.period, s.decay) for s in told.searches()] == [("date", period, 0.15) for period in periods]
    assert found(told) == ["z2"]


def test_t2_what_is_said_beside_the_date_orders_what_is_of_that_date():
    period = replace(a_day(1887, 1, 1), text="Jahr 1887")
    told = hunted(of=quest("date", text="Blockade im Jahr 1887", periods=(period,)))
    assert [s.text for s in told.searches()] == ["blockade im"]


@pytest.mark.parametrize(
    ("text", "limits", "searched", "ordered_by"),
    [
        ("the blockade in Zeitung", Scope(), ("Zeitung",), "the blockade in"),
        ("Zeitung", Scope(languages=("de",)), ("Zeitung",), "Zeitung"),
    ],
)
def test_the_source_channel_searches_within_the_sub_corpora_that_are_named(text, limits, searched, ordered_by):
    told = hunted(surveyed(), of=quest("source", text=text, scope=limits))
    assert [(s.scope, s.text, s.limit) for s in told.searches()] == [
        (replace(limits, sub_corpora=searched), ordered_by, 50)
    ]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("what the Minutes and the Bote say", ("Der Bote", "Minutes")),
        ("what the letters say", ()),
        ("Der Bote, Minutes, Letters of 1887", ()),
    ],
)
def test_sources_are_named_by_their_whole_names_and_naming_all_is_naming_none(text, named):
    assert sources_named(text, ("Der Bote", "Minutes", "Letters of 1887")) == named


def test_t2_lists_of_one_channel_become_one_each_document_at_its_best_score():
    hits = [hit("a", 1, 0.9), hit("b", 2, 0.5, 1), hit("b", 1, 0.7), hit("a", 2, 0.2, 1), hit("c", 3, 0.7)]
    assert merged(hits) == (hit("a", 1, 0.9), hit("b", 2, 0.7), hit("c", 3, 0.7))


def test_t2_the_constant_of_rank_fusion_is_a_rule():
    told = hunted(working(rules=Rules(rrf_k=9)), of=quest(text="letter"))
    assert told.only(Searched).candidates[0].score == pytest.approx(1 / 10)


def test_what_comes_back_is_cut_to_the_quota_and_only_that_is_described():
    told = hunted(of=quest(limit=2))
    assert len(found(told)) == 2
    assert [card.id for card in told.only(Searched).cards] == found(told)
    assert set(found(told)) <= set(told.value.cards)


def test_what_is_known_is_counted_and_not_brought_again():
    state = after_search(working(), "z2")
    told = hunted(state)
    assert (sorted(found(told)), told.only(Searched).known) == (["b1", "z1"], 1)


def test_documents_met_before_are_not_described_again():
    cards = hunted().only(Searched).cards
    told = hunted(evolve(working(), Searched("another search", (), cards)))
    assert (len(found(told)), told.only(Searched).cards) == (3, ())


def test_a_document_that_is_gone_from_the_archive_is_left_out_and_counted():
    told = hunted(gone=["z1"])
    assert sorted(found(told)) == ["b1", "z2"]
    assert told.only(Searched).missing == ("1 documents found are no longer in the archive",)


def test_b11_what_its_rights_keep_from_the_model_is_held_unseen_and_takes_no_place():
    rules = Rules(withhold=(Access.NO_THIRD_PARTY, Access.CLOSED))
    access = {"z1": Access.NO_THIRD_PARTY, "b1": Access.OPEN}
    told = hunted(working(rules=rules), access=access)
    assert sorted(found(told)) == ["b1", "z2"]
    aside = told.only(HeldUnseen)
    assert [(c.document, aside.why, aside.sub_question) for c in aside.candidates] == [("z1", WITHHELD, "q1")]
    assert [(w.by, w.reason) for w in told.value.held.values()] == [("words “blockade”", WITHHELD)]
    again = hunted(told.value, access=access)
    assert (found(again), again.of(HeldUnseen)) == ([], [])


def test_b11_a_model_of_ones_own_may_see_everything():
    told = hunted(access={"z1": Access.CLOSED})
    assert sorted(found(told)) == ["b1", "z1", "z2"]
    assert told.of(HeldUnseen) == []


def test_what_could_not_be_searched_is_recorded_once():
    gap = Found((hit("z1", 1),), missing="12 passages are not yet encoded")
    told = hunted(of=quest("words", "meaning:use", "meaning:use"), found={"meaning:use": gap})
    assert told.only(Searched).missing == ("meaning:use: 12 passages are not yet encoded",)


def test_a_channel_that_failed_is_recorded_as_failed_and_the_others_are_used():
    told = hunted(of=quest("words", "characters"), failing=["words"])
    assert told.only(SearchFailed) == SearchFailed("words “blockade”", "words", "words is broken", "q1")
    assert told.kinds() == ["SearchFailed", "Searched"]
    assert dict(told.only(Searched).weights) == {"characters": 1.0}
    assert sorted(found(told)) == ["b1", "z1", "z2"]
    assert told.value.failures == (told.only(SearchFailed),)


def test_where_every_channel_failed_nothing_is_recorded_as_searched():
    told = hunted(of=quest("words", "exact"), failing=["words", "exact"])
    assert told.kinds() == ["SearchFailed", "SearchFailed"]
    assert told.value.work.empties == 0


def test_a_search_that_finds_nothing_is_recorded_as_empty():
    told = hunted(of=quest(text="zeppelin"))
    assert told.kinds() == ["Searched"]
    assert (found(told), told.value.work.empties) == ([], 1)


def test_a_search_before_the_plan_belongs_to_no_sub_question():
    told = run(hunt(surveyed(), quest("words", "exact")), Scene(DOCUMENTS, failing=["exact"]))
    assert (told.only(Searched).sub_question, told.only(SearchFailed).sub_question) == (None, None)


CROWD = [
    *(a_document(f"z{n:02}", "blockade", "Zeitung") for n in range(60)),
    *(a_document(f"zz{n}", "blockade", "Briefe") for n in range(3)),
]


@pytest.mark.parametrize(
    ("rules", "scope_", "documents"),
    [
        (Rules(), Scope(("Briefe",)), ["zz0", "zz1", "zz2"]),
        (preset("trace-2026"), Scope(), []),
    ],
)
def test_t3_a_small_sub_corpus_gets_its_quota_before_the_cut_off_and_not_after_fusion(rules, scope_, documents):
    told = run(hunt(working(rules=rules), quest(target="Briefe", scope=scope_)), Scene(CROWD))
    assert found(told) == documents
    assert told.only(Searched).known == 0


def test_t3_after_fusion_the_target_is_kept_to_within_the_cut_off():
    told = run(hunt(working(rules=Rules(constrain="after")), quest(target="Briefe")), Scene(DOCUMENTS))
    assert found(told) == ["b1"]


def test_t3_after_fusion_no_more_than_the_hits_of_a_channel_are_looked_at():
    rules = Rules(constrain="after", channel_hits=2)
    lists = {"words": Found((hit("z1", 1), hit("z2", 2))), "exact": Found((hit("z2", 1), hit("b1", 2)))}
    told = run(hunt(working(rules=rules), quest("words", "exact", target="Briefe")), Scene(DOCUMENTS, found=lists))
    assert found(told) == []
    ours = run(
        hunt(working(rules=replace(rules, constrain="before")), quest("words", "exact")), Scene(DOCUMENTS, found=lists)
    )
    assert found(ours) == ["z2", "z1", "b1"]


@pytest.mark.parametrize("constrain", ["before", "after"])
def test_what_comes_back_is_cut_to_the_quota_wherever_the_target_is_applied(constrain):
    told = run(hunt(working(rules=Rules(constrain=constrain)), quest(target="Zeitung", limit=3)), Scene(CROWD))
    assert found(told) == ["z00", "z01", "z02"]


def test_a_text_is_read_once_in_the_languages_of_the_archive():
    state = replace(surveyed(), readings={})
    told = run(read_text(state, "the blockade of 1887"), Scene(DOCUMENTS))
    assert told.effects == [ReadDates("the blockade of 1887", ("de",)), Weigh("the blockade of 1887", ("de",))]
    read = told.only(QuestionRead)
    assert ([p.text for p in read.periods], [t.word for t in read.terms]) == (["1887"], ["blockade", "1887"])
    assert run(read_text(told.value, "the blockade of 1887")).effects == []


def test_the_researchers_languages_are_the_languages_read():
    state = surveyed(question=Question("x", languages=("fr",)))
    assert run(read_text(state, "y"), Scene()).effects[0] == ReadDates("y", ("fr",))


class TestIsKnown:
    """What need not be shown again (T6)."""

    def test_before_a_sub_question_nothing_is_known(self):
        assert not is_known(surveyed(), candidate("a"))

    def test_a_document_that_waits_for_review_holds_one_place(self):
        assert is_known(working("a"), candidate("a"))
        assert is_known(working("a"), candidate("a", 1))
        assert not is_known(working("a"), candidate("b"))

    def test_t6_reject_is_for_the_passage_and_another_of_its_document_comes_back(self):
        state = judge(working("a"), Decision.REJECT, passage("a"))
        assert is_known(state, candidate("a"))
        assert not is_known(state, candidate("a", 1))

    def test_t6_hold_is_for_the_passage_and_another_of_its_document_comes_back(self):
        state = judge(working("a"), Decision.HOLD, passage("a"))
        assert is_known(state, candidate("a"))
        assert not is_known(state, candidate("a", 1))

    def test_a_passage_held_unseen_is_known(self):
        state = evolve(working(), HeldUnseen("q1", (candidate("a"),), "margin"))
        assert is_known(state, candidate("a"))

    def test_t6_a_document_this_sub_question_took_is_known_whatever_the_passage(self):
        state = judge(working("a"), Decision.ACCEPT, passage("a"))
        assert is_known(state, candidate("a", 1))

    def test_t14_a_document_another_sub_question_took_may_be_confirmed(self):
        state = judge(working("a", plan=(Q1, Q2)), Decision.ACCEPT, passage("a"))
        state = fold([Briefed(Brief("q1"), "done"), SubQuestionOpened("q2")], state)
        assert not is_known(state, candidate("a"))

    def test_a_passage_rejected_by_another_sub_question_was_judged_by_the_same_question(self):
        state = judge(working("a", plan=(Q1, Q2)), Decision.REJECT, passage("a"))
        state = fold([Briefed(Brief("q1"), "done"), SubQuestionOpened("q2")], state)
        assert is_known(state, candidate("a"))


class TestScope:
    """The researcher's own limits, narrowed further."""

    LIMITS = Question("x", ("Zeitung", "Briefe"), DatePeriod(100, 200, Precision.RANGE), ("fr",))

    @pytest.mark.parametrize(
        ("asked", "searched"),
        [
            ((), ("Zeitung", "Briefe")),
            (("Briefe",), ("Briefe",)),
            (("Akten",), ("Zeitung", "Briefe")),
            (("Akten", "Zeitung"), ("Zeitung",)),
        ],
    )
    def test_sub_corpora_outside_the_limits_are_never_searched(self, asked, searched):
        assert scope(surveyed(question=self.LIMITS), asked).sub_corpora == searched

    def test_without_limits_it_is_what_was_asked(self):
        assert scope(surveyed(), ("Briefe",)) == Scope(("Briefe",))

    @pytest.mark.parametrize(
        ("asked", "first", "last"),
        [
            (None, 100, 200),
            (DatePeriod(150, 160, Precision.RANGE), 150, 160),
            (DatePeriod(0, 150, Precision.RANGE), 100, 150),
            (DatePeriod(150, 900, Precision.RANGE), 150, 200),
        ],
    )
    def test_a_period_is_narrowed_to_the_limits(self, asked, first, last):
        narrowed = scope(surveyed(question=self.LIMITS), (), asked).period
        assert (narrowed.first, narrowed.last) == (first, last)

    def test_languages_are_the_researchers(self):
        assert scope(surveyed(question=self.LIMITS)).languages == ("fr",)

    def test_t6_rejected_passages_are_left_out_so_that_others_of_their_documents_come_back(self):
        state = judge(working("z1"), Decision.REJECT, passage("z1"), document="z1")
        assert scope(state).without == (passage("z1"),)


def test_t6_after_a_reject_another_passage_of_the_document_comes_back():
    first = hunted(of=quest("exact")).only(Searched)
    z1 = next(c for c in first.candidates if c.document == "z1")
    state = fold([first, Judged("q1", (Verdict(z1.passage, "z1", Decision.REJECT, "no"),), Memory())], working())
    told = hunted(state, of=quest("exact", scope=scope(state)))
    assert [c.document for c in told.only(Searched).candidates] == ["z1"]
    assert told.only(Searched).candidates[0].passage != z1.passage


def test_t2_a_warm_start_asks_every_channel_but_exact_and_date_and_source_only_when_they_are_named():
    state = surveyed(channels=("words", "characters", "date", "source", "exact", "meaning:use"))
    assert fused_channels(state, ()) == ("words", "characters", "meaning:use")
    assert fused_channels(state, (a_day(1887, 1, 1),)) == ("words", "characters", "date", "meaning:use")
    assert fused_channels(state, (), ("Zeitung",)) == ("words", "characters", "source", "meaning:use")
    assert meaning_channels(state) == ("meaning:use",)


class TestExpansion:
    """H7: neighbours of the question's words are searched beside them only where the rules say so, and recorded."""

    DOCUMENTS = (a_document("z1", "the blockade of the harbour"), a_document("z2", "blocked up"))

    def read(self, rules, scene=None, state=None):
        asked = state or replace(surveyed("the blockade", rules=rules), readings={})
        return run(read_text(asked, "the blockade"), scene or Scene(self.DOCUMENTS))

    def test_the_rules_leave_it_off(self):
        told = self.read(Rules())
        assert told.kinds() == ["QuestionRead"]
        assert not [effect for effect in told.effects if isinstance(effect, Expand)]

    def test_the_neighbours_of_each_word_are_asked_for_and_recorded_with_what_makes_them_near(self):
        told = self.read(Rules(expansion=2))
        assert [e.limit for e in told.effects if isinstance(e, Expand)] == [2]
        assert told.only(QueryExpanded) == QueryExpanded(
            "the blockade", (Neighbour("blockade", "blocked", 0.5, 1, "spelling"),)
        )

    def test_people_are_told_what_was_searched_with_it(self):
        (note,) = self.read(Rules(expansion=1)).value.notes
        assert note == "“the blockade” was searched with: blocked (blockade, by spelling 0.50)"

    def test_a_text_is_expanded_once(self):
        read = self.read(Rules(expansion=1)).value
        assert self.read(Rules(expansion=1), state=read).kinds() == []

    def test_that_nothing_is_near_is_recorded_and_needs_no_note(self):
        told = self.read(Rules(expansion=1), Scene([a_document("z1", "nothing of interest")]))
        assert told.only(QueryExpanded).neighbours == ()
        assert told.value.notes == ()

    def test_only_the_word_channel_searches_them(self):
        state = self.read(Rules(expansion=1)).value
        quest = Quest("orientation", "the blockade", ("words", "characters"), Scope(), 5)
        searched = {s.channel: s.text for s in run(hunt(state, quest), Scene(self.DOCUMENTS)).searches()}
        assert searched == {"words": "the blockade blocked", "characters": "the blockade"}

    def test_another_text_is_searched_as_it_is(self):
        state = self.read(Rules(expansion=1)).value
        quest = Quest("words “harbour”", "harbour", ("words",), Scope(), 5)
        assert [s.text for s in run(hunt(state, quest), Scene(self.DOCUMENTS)).searches()] == ["harbour"]

    def test_words_a_person_chose_are_recorded_told_and_searched_in_the_word_channel(self):
        told = self.read(Rules(also=("embargo", "siege")))
        assert not [effect for effect in told.effects if isinstance(effect, Expand)]
        assert told.only(QueryExpanded) == QueryExpanded("the blockade", (), ("embargo", "siege"))
        assert told.value.notes == ("“the blockade” was searched with: embargo (chosen), siege (chosen)",)
        quest = Quest("orientation", "the blockade", ("words", "characters"), Scope(), 5)
        searched = {s.channel: s.text for s in run(hunt(told.value, quest), Scene(self.DOCUMENTS)).searches()}
        assert searched == {"words": "the blockade embargo siege", "characters": "the blockade"}

    def test_chosen_words_stand_beside_the_neighbours(self):
        told = self.read(Rules(expansion=1, also=("embargo",)))
        assert [near.found for near in told.only(QueryExpanded).neighbours] == ["blocked"]
        assert with_neighbours("blockade", told.only(QueryExpanded).neighbours, ("embargo", "blocked")) == (
            "blockade blocked embargo"
        )

    def test_the_rules_can_keep_words_to_how_they_are_written(self):
        quest = Quest("orientation", "the blockade", ("words", "date"), Scope(), 5, (a_day(1887, 1, 2),))
        for strict in (False, True):
            told = run(hunt(surveyed(rules=Rules(strict=strict)), quest), Scene(self.DOCUMENTS))
            assert {s.strict for s in told.searches()} == {strict}

    def test_a_neighbour_of_two_words_is_searched_once(self):
        near = [Neighbour(word, "pont", 0.7, 3, "vectors") for word in ("ponts", "pontons")]
        assert with_neighbours("ponts pontons", near) == "ponts pontons pont"
