"""B14: what a person makes of a plan: what has begun stays, what remains is theirs."""

from dataclasses import replace

import pytest

from fakes.flow import Q1, Q2, Q3, sub_question, surveyed, working
from vestigia.domain.errors import UsageError
from vestigia.domain.events import Planned
from vestigia.domain.question import Entity
from vestigia.inquiry.fold import evolve
from vestigia.inquiry.planning import Change, changed, settled

PLANNED = evolve(surveyed(), Planned((Q1, Q2, replace(Q3, after=("q2", "q1")))))
AT_WORK = working("a", plan=(Q1, Q2, Q3))


@pytest.mark.parametrize(
    ("change", "left"),
    [
        (Change(drop=("q2",)), [Q1, replace(Q3, after=("q1",))]),
        (Change(drop=("q1", "q2")), [Q3]),
        (Change(retarget=(("q1", "Briefe"),), drop=("q2", "q3")), [replace(Q1, sub_corpus="Briefe")]),
        (Change(reword=(("q2", " Who wrote? "),), drop=("q1", "q3")), [replace(Q2, text="Who wrote?")]),
        (
            Change(drop=("q1", "q2", "q3"), add=(("Who paid for it?", "Briefe"), ("And who not?", "Zeitung"))),
            [sub_question(4, "Who paid for it?", "Briefe"), sub_question(5, "And who not?", "Zeitung")],
        ),
        (Change(reword=(("q1", "x"),), drop=("q1", "q2")), [Q3]),
    ],
)
def test_what_remains_can_be_dropped_retargeted_reworded_and_added_to(change, left):
    assert list(changed(PLANNED, change)) == left


def test_a_sub_question_in_other_words_no_longer_has_the_names_of_the_old_ones():
    state = evolve(surveyed(), Planned((replace(Q1, entities=(Entity("Ferry"),)),)))
    assert changed(state, Change(reword=(("q1", "Who?"),)))[0].entities == ()
    assert changed(state, Change(retarget=(("q1", "Briefe"),)))[0].entities == (Entity("Ferry"),)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (Change(drop=("q1",)), r"q1 has begun: it can no longer be changed\. What remains: q2, q3\."),
        (Change(drop=("q9",)), r"there is no sub-question 'q9'\. What remains: q2, q3\."),
        (Change(retarget=(("q2", "Akten"),)), r"there is no sub-corpus 'Akten'\. There are: Zeitung; Briefe\."),
        (Change(add=(("", "Briefe"),)), r"q4 has no text\. Say what is asked, or leave it out\."),
        (Change(reword=(("q2", " "),)), r"q2 has no text"),
    ],
)
def test_a_change_that_cannot_be_made_says_what_there_is(change, said):
    with pytest.raises(UsageError, match=said):
        changed(AT_WORK, change)


def test_where_nothing_remains_something_can_still_be_added():
    state = working("a")
    assert [s.id for s in changed(state, Change(add=(("Who paid?", "Briefe"),)))] == ["q2"]
    with pytest.raises(UsageError, match=r"Nothing remains; you may add\."):
        changed(state, Change(drop=("q7",)))


def test_a_plan_of_nothing_is_none_but_what_has_begun_may_be_all():
    with pytest.raises(UsageError, match=r"nothing would be left to ask\. Keep or add"):
        changed(PLANNED, Change(drop=("q1", "q2", "q3")))
    assert changed(AT_WORK, Change(drop=("q2", "q3"))) == ()


def test_a_plan_given_whole_keeps_its_ids_and_fills_in_those_left_empty():
    new = sub_question(1, "Who paid for the harbour?", "Briefe")
    kept = settled(AT_WORK, (Q3, replace(new, id="", after=("q3", "q2", "q4"))))
    assert kept == (Q3, replace(new, id="q4", after=("q3",)))


@pytest.mark.parametrize(
    ("proposed", "said"),
    [((Q1,), "q1 has begun"), ((Q2, Q2), r"q2 stands there twice\. Leave the id of one of them empty\.")],
)
def test_a_plan_given_whole_names_nothing_that_has_begun_and_nothing_twice(proposed, said):
    with pytest.raises(UsageError, match=said):
        settled(AT_WORK, proposed)
