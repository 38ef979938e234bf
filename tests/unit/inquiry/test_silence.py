"""B1: what a silence rests on: windows by sub-corpus, words, dates, searches, gaps, and what stands against it."""

from dataclasses import replace

import pytest

from fakes.corpus import a_day
from fakes.flow import Q1, a_card, candidate, passage, surveyed, working
from vestigia.domain.effects import Found, Lane, Neighbour, Scope, Search, Usage, Variant
from vestigia.domain.events import (
    BudgetReached,
    Closed,
    Consulted,
    HeldUnseen,
    Judged,
    Outcome,
    Overruled,
    Planned,
    QueryExpanded,
    QuestionRead,
    Searched,
    SearchFailed,
    SubQuestionOpened,
)
from vestigia.domain.evidence import Decision, Hit, Memory, Verdict
from vestigia.domain.periods import DatePeriod, Precision, day_number
from vestigia.domain.question import Term
from vestigia.inquiry.fold import fold
from vestigia.inquiry.silence import Cell, Holding, Sought, Tried, against, silence, tried


def year(number: int) -> DatePeriod:
    return DatePeriod(day_number(number), day_number(number, 12, 31), Precision.YEAR)


Y86, Y87 = year(1886), year(1887)
CARDS = (
    a_card("a", "Zeitung", a_day(1887, 1, 2)),
    a_card("b", "Briefe", a_day(1886, 1, 2)),
    a_card("u", "Zeitung"),
    a_card("s", "Zeitung", DatePeriod(day_number(1886, 12, 1), day_number(1887, 1, 31), Precision.RANGE)),
)
FOUND = fold(
    [
        Planned((Q1,)),
        SubQuestionOpened("q1"),
        Searched("warm start", tuple(map(candidate, "abus")), CARDS, sub_question="q1"),
    ],
    surveyed(),
)


def judged(**decisions: Decision):
    verdicts = tuple(Verdict(passage(d), d, decision, "so") for d, decision in decisions.items())
    return fold([Judged("q1", verdicts, Memory())], FOUND)


def search(channel="words", text="blockade", **scope):
    return Search(channel, text, Scope(**scope), 50)


def hits(*names: str) -> tuple[Hit, ...]:
    return tuple(Hit(passage(name), name, rank, 1.0) for rank, name in enumerate(names, 1))


HOLDINGS = (
    Holding("Zeitung", ((Y87.first, Y87.first, 4), (Y86.first, Y87.last, 1)), 2, 7),
    Holding("Briefe", ((Y86.first, Y86.first, 3),), 0),
)


def cells(state, *asked, holdings=HOLDINGS, windows=(Y86, Y87)) -> dict:
    report = silence(state, asked, holdings, windows)
    return {(cell.window and cell.window.first, cell.sub_corpus): cell for cell in report.cells}


def test_b1_windows_by_sub_corpora_say_what_is_held_reached_found_and_accepted():
    state = judged(a=Decision.ACCEPT, b=Decision.REJECT, s=Decision.HOLD)
    report = silence(state, [(search(), Found()), (search(sub_corpora=("Briefe",)), Found())], HOLDINGS, (Y86, Y87), 3)
    assert report.cells == (
        Cell(Y86, "Zeitung", 1, 1, 1, 0),
        Cell(Y87, "Zeitung", 5, 1, 2, 1),
        Cell(None, "Zeitung", 2, 1, 1, 0),
        Cell(Y86, "Briefe", 3, 2, 1, 0),
        Cell(Y87, "Briefe", 0, 2, 0, 0),
        Cell(None, "Briefe", 0, 2, 0, 0),
    )
    assert report.gaps == (Cell(Y87, "Briefe", 0, 2, 0, 0),)
    assert report.unsearched == ()
    assert (report.found, report.accepted, report.rejected, report.held) == (4, 1, 1, 1)
    assert (report.undated, report.pages, report.silent_pages, report.nothing) == (2, 7, 3, False)


@pytest.mark.parametrize(
    ("asked", "found", "reached"),
    [
        (search(), Found(), [1, 1, 1, 1]),
        (search(), Found(failure="broken"), [0, 0, 0, 0]),
        (search(period=Y87), Found(), [0, 1, 0, 1]),
        (search("date", ""), Found(), [1, 1, 0, 1]),
        (search(sub_corpora=("Zeitung",)), Found(), [1, 1, 1, 0]),
    ],
)
def test_a_search_reaches_what_it_could_have_found(asked, found, reached):
    got = cells(FOUND, (asked, found))
    keys = [(Y86.first, "Zeitung"), (Y87.first, "Zeitung"), (None, "Zeitung"), (Y87.first, "Briefe")]
    assert [got[key].searches for key in keys] == reached


def test_what_is_held_and_was_never_reached_is_told_apart_from_a_gap():
    report = silence(FOUND, [(search(sub_corpora=("Briefe",)), Found())], HOLDINGS, (Y86, Y87))
    assert [(cell.window, cell.sub_corpus) for cell in report.unsearched] == [
        (Y86, "Zeitung"),
        (Y87, "Zeitung"),
        (None, "Zeitung"),
    ]


def test_b1_words_say_whether_they_are_attested_and_what_was_searched_beside_them():
    state = fold(
        [
            QuestionRead("one", (), (Term("blocus", 4, 1.0), Term("radar", 0, 3.0))),
            QuestionRead("two", (), (Term("blocus", 4, 1.0),)),
            QueryExpanded("one", (Neighbour("blocus", "blokus", 0.9, 2, "misreading"),)),
            Searched("warm start", (), variants=(Variant("radar", "radeau", 1.0, 3),)),
        ],
        surveyed(),
    )
    assert tried(state) == (
        Tried("blocus", 4),
        Tried("radar", 0),
        Tried("blokus", 2, "blocus"),
        Tried("radeau", 3, "radar"),
    )


def test_b1_dates_and_searches_are_listed_once_each_with_their_hits_or_their_failure():
    state = fold([QuestionRead("one", (Y87,), ())], surveyed())
    by_date = Search("date", "", Scope(period=Y87), 50, Y86)
    asked = [
        (search(period=Y87), Found(hits("a", "b"), lanes=(Lane(Y87, hits("a", "c")),))),
        (by_date, Found(hits("a"))),
        (by_date, Found(hits("a"))),
        (Search("date", "", Scope(), 50), Found(failure="no dates")),
    ]
    report = silence(state, asked, (), ())
    assert report.dates == (Y87, Y86)
    assert report.searches == (
        Sought("words", "blockade", (), Y87, 3),
        Sought("date", "", (), Y86, 1),
        Sought("date", "", (), None, 0, "no dates"),
    )


def test_a_person_s_decisions_count_as_they_do_in_the_list():
    mine = [Overruled("b", Decision.ACCEPT, "", "Ada"), Overruled("a", Decision.REJECT, "", "Ada")]
    report = silence(
        fold([*mine, Overruled("z", Decision.ACCEPT, "", "Ada")], judged(a=Decision.ACCEPT, b=Decision.REJECT)),
        (),
        (),
        (),
    )
    assert (report.accepted, report.rejected, report.nothing) == (1, 1, False)


WHOLE = replace(judged(a=Decision.REJECT, b=Decision.REJECT), closed=True)


def test_b1_nothing_found_is_a_finding_where_nothing_stands_against_it():
    report = silence(WHOLE, (), (), ())
    assert (report.nothing, report.against) == (True, ())


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ([BudgetReached("20 tokens")], "it is partial: the budget of 20 tokens was reached"),
        ([SearchFailed("warm start", "words", "broken")], "1 searches failed"),
        ([HeldUnseen("q1", (candidate("u"),), "left")], "1 passages are on hold, decided by nobody"),
        (
            [Consulted("step", "m", Outcome.UNREADABLE, Usage()), Consulted("step", "m", Outcome.READ, Usage())],
            "1 model calls gave nothing that could be used",
        ),
        ([Searched("warm start", (), missing=("9 passages are not encoded",))], "9 passages are not encoded"),
    ],
)
def test_what_stands_against_a_finding_is_said(events, said):
    assert against(fold(events, WHOLE)) == (said,)


def test_a_run_at_work_shows_nothing_yet():
    assert against(working("a")) == ("the run is not finished",)
    assert against(fold([Closed()], surveyed())) == ()
