"""T4: what a step may ask for. T8: a step that cannot be carried out is unreadable, in words the model can use."""

import pytest

from fakes.corpus import a_day
from fakes.flow import CHANNELS, surveyed, working
from vestigia.domain.effects import Scope
from vestigia.domain.events import Judged
from vestigia.domain.evidence import Decision, Memory, Verdict
from vestigia.domain.periods import FAR_FUTURE, FAR_PAST, DatePeriod, Precision
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules
from vestigia.inquiry.actions import ACTIONS, read_action
from vestigia.inquiry.fold import evolve
from vestigia.inquiry.replies import StepReply, UnreadableError

ALL = (*CHANNELS, "meaning:use", "meaning:e5")
STATE = surveyed(channels=ALL)


def action(kind, state=STATE, **args):
    return read_action(state, StepReply.model_validate({"action": kind, "args": args}))


def days(first, last):
    return first.first, last.last


@pytest.mark.parametrize(
    ("kind", "channels"),
    [
        ("words", ("words", "characters")),
        ("meaning", ("meaning:use", "meaning:e5")),
        ("exact", ("exact",)),
    ],
)
def test_t4_a_search_by_text_asks_its_channels(kind, channels):
    read = action(kind, query=" le Blocus ")
    assert (read.kind, read.empty, read.margin) == (kind, False, None)
    assert (read.quest.text, read.quest.channels, read.quest.periods) == ("le Blocus", channels, ())
    assert (read.quest.by, read.quest.limit) == (f"{kind} “le Blocus”", Rules().new_per_search)


@pytest.mark.parametrize("kind", ["finish", "review"])
def test_t4_finish_and_review_search_nothing(kind):
    assert (action(kind, query="x").name, action(kind).quest) == (kind, None)


def test_t4_any_sub_corpus_may_be_searched_not_only_the_target():
    read = action("words", working(), query="blocus", sub_corpora=["Briefe"])
    assert read.quest.scope.sub_corpora == ("Briefe",)
    assert action("words", working(), query="blocus").quest.scope.sub_corpora == ()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("words", "Le blocus"), ("words", "le BLOCUS!"), True),
        (("words", "le blocus"), ("meaning", "le blocus"), False),
        (("words", "le blocus"), ("words", "blocus"), False),
        (("exact", "Le blocus"), ("exact", "le blocus"), False),
    ],
)
def test_t9_two_searches_are_the_same_if_their_names_are(one, other, same):
    names = [action(kind, query=query).name for kind, query in (one, other)]
    assert (names[0] == names[1]) == same


def test_t9_the_order_and_repetition_of_sub_corpora_make_no_other_search():
    one = action("words", query="x", sub_corpora=["Zeitung", "Briefe", "Briefe"])
    assert one.name == action("words", query="x", sub_corpora=["Briefe", "Zeitung"]).name
    assert one.name != action("words", query="x").name


@pytest.mark.parametrize(("kind", "query"), [("words", ""), ("words", None), ("meaning", " … "), ("exact", "  ")])
def test_t9_a_search_without_words_is_empty(kind, query):
    assert action(kind, query=query).empty


@pytest.mark.parametrize("kind", ["words", "exact", "meaning", "date"])
def test_a_channel_the_archive_has_not_cannot_be_asked(kind):
    with pytest.raises(UnreadableError, match=f"cannot be searched by {kind} now"):
        action(kind, surveyed(channels=()), query="x", **{"from": "1887-01-01"})


def test_words_are_searched_by_the_channels_that_are_there():
    assert action("words", surveyed(channels=("characters",)), query="x").quest.channels == ("characters",)


@pytest.mark.parametrize(
    ("args", "period"),
    [
        ({"from": "1887-01-02", "to": "1887-02-03"}, days(a_day(1887, 1, 2), a_day(1887, 2, 3))),
        ({"from": "1887-01-02", "to": "1887-01-02"}, days(a_day(1887, 1, 2), a_day(1887, 1, 2))),
        ({"from": "1887-01-02"}, (a_day(1887, 1, 2).first, FAR_FUTURE)),
        ({"to": "1887-01-02"}, (FAR_PAST, a_day(1887, 1, 2).last)),
        ({"centre": "1887-01-10"}, days(a_day(1887, 1, 10), a_day(1887, 1, 10))),
        ({"centre": "1887-01-10", "days": 3}, days(a_day(1887, 1, 7), a_day(1887, 1, 13))),
        ({"centre": "1887-03-02", "days": 60}, days(a_day(1887, 1, 1), a_day(1887, 5, 1))),
        ({"centre": "1887-03-02", "days": 61}, days(a_day(1887, 1, 1), a_day(1887, 5, 1))),
        ({"centre": "1887-03-02", "days": 10**30}, days(a_day(1887, 1, 1), a_day(1887, 5, 1))),
    ],
)
def test_t4_a_date_search_is_a_range_or_a_centre_and_at_most_60_days(args, period):
    quest = action("date", **args).quest
    assert [(p.first, p.last) for p in (*quest.periods, quest.scope.period)] == [period, period]
    assert quest.channels == ("date",)


def test_t4_a_date_search_may_also_ask_for_words():
    quest = action("date", query="blocus", centre="1887-01-10").quest
    assert (quest.channels, quest.text, quest.by) == (("date", "words"), "blocus", "date 1887-01-10 “blocus”")
    assert action("date", surveyed(channels=("date",)), query="x", centre="1887-01-10").quest.channels == ("date",)


def test_t9_a_date_search_without_a_date_is_empty():
    assert action("date", query="blocus") == action("date")
    assert action("date").empty


def test_t10_the_widened_search_reaches_a_day_further_and_ranks_by_the_edge_days():
    margin = action("date", **{"from": "1887-01-02", "to": "1887-01-05"}).margin
    first, last = a_day(1887, 1, 1), a_day(1887, 1, 6)
    assert (margin.scope.period.first, margin.scope.period.last) == days(first, last)
    assert margin.periods == (first, last)


def test_t10_an_open_end_is_not_widened():
    assert action("date", **{"from": "1887-01-02"}).margin.periods == (a_day(1887, 1, 1),)


def test_t10_without_widening_there_is_no_second_search():
    assert action("date", surveyed(rules=Rules(date_widening=0)), centre="1887-01-10").margin is None


LIMITED = surveyed(
    question=Question("x", period=DatePeriod(*days(a_day(1887, 1, 1), a_day(1887, 12, 31)), Precision.YEAR))
)


def test_the_researchers_own_period_is_never_left():
    read = action("date", LIMITED, **{"from": "1886-06-01", "to": "1887-02-01"})
    assert (read.quest.scope.period.first, read.quest.scope.period.last) == days(a_day(1887, 1, 1), a_day(1887, 2, 1))
    assert read.margin.scope.period.first == a_day(1887, 1, 1).first
    with pytest.raises(UnreadableError, match="the researcher keeps to 1887: 1888-01-01 lies outside"):
        action("date", LIMITED, centre="1888-01-01")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ({"centre": "1887"}, "'1887' is not a date of the form YYYY-MM-DD"),
        ({"centre": "10 janvier 1887"}, "is not a date of the form"),
        ({"centre": "1887-x-10"}, "is not a date of the form"),
        ({"centre": "١٨٨٧-01-10"}, "is not a date of the form"),
        ({"centre": "1" * 40 + "-01-10"}, "is not a date of the form"),
        ({"from": ""}, "is not a date of the form"),
        ({"centre": "1887-02-29"}, "is not a day of the calendar"),
        ({"centre": "1887-01-10", "days": -1}, "days must not be negative"),
        ({"from": "1887-02-01", "to": "1887-01-01"}, "the range ends before it begins"),
    ],
)
def test_t8_a_date_that_is_none_is_unreadable(args, says):
    with pytest.raises(UnreadableError, match=says):
        action("date", **args)


def test_t8_an_action_that_does_not_exist_is_unreadable_and_those_that_do_are_named():
    with pytest.raises(UnreadableError, match="no action 'browse'; there are: " + ", ".join(ACTIONS)):
        action("browse", query="x")


@pytest.mark.parametrize("kind", ["words", "date"])
def test_t8_a_sub_corpus_that_does_not_exist_is_unreadable(kind):
    with pytest.raises(UnreadableError, match="there is no sub-corpus 'Akten'"):
        action(kind, query="x", sub_corpora=["Zeitung", "Akten"])


def test_t6_rejected_passages_are_left_out_of_every_search():
    state = working("a")
    rejected = Verdict("a#0-9", "a", Decision.REJECT, "no")
    state = evolve(state, Judged("q1", (rejected,), Memory()))
    assert action("words", state, query="x").quest.scope == Scope(without=("a#0-9",))
