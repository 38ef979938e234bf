"""Steps and briefs without a language model: one search by words, one by date, then finish."""

from dataclasses import replace

import pytest

from fakes.corpus import a_day
from vestigia.domain.archive import SubCorpus
from vestigia.domain.evidence import Memory
from vestigia.domain.ids import DocumentId, SubQuestionId
from vestigia.domain.periods import DatePeriod, Precision, day_number
from vestigia.domain.question import Entity, Question, SubQuestion, Term
from vestigia.domain.requests import BriefRequest, Desk, Reading, StepRequest, Taken
from vestigia.inquiry.actions import read_action
from vestigia.inquiry.replies import BriefReply, StepReply
from vestigia.inquiry.state import State, Thread
from vestigia.models.extractive.search import brief, expansion, searched, shared_words, step

TERMS = (Term("le", 0, 9.0), Term("blocus", 3, 4.0), Term("paix", 40, 1.0))
MINE = SubQuestion(SubQuestionId("q1"), "?", "Rat", (Entity("Metz"),))


def taken(reason: str, title: str = "", sub_corpus: str = "Rat", date: str = "") -> Taken:
    return Taken(DocumentId(reason), title, date, sub_corpus, reason)


ONE = taken("2 of 3 words; words #1: “Le blocus des Neutres”", "Protokoll", date="1887")
TWO = taken("1 of 3 words; words #2: “Die neutres Schiffe”", "Protokoll", date="1887-02")
THREE = taken("1 of 3 words: “Ende”", "Anderes", date="1887")
DESK = Desk(Reading(Question("?"), (a_day(1887, 1, 2),), TERMS), MINE, Memory(), (ONE, TWO, THREE))


def a_request(desk: Desk = DESK, channels: tuple[str, ...] = ("words", "characters", "date", "exact")) -> StepRequest:
    return StepRequest(desk, channels, 13, 60)


def read(request: StepRequest) -> StepReply:
    return StepReply.model_validate(step(request))


def a_desk(**changes: object) -> Desk:
    return replace(DESK, **changes)  # type: ignore[arg-type]


def dated(*periods: DatePeriod) -> Desk:
    return replace(DESK, reading=replace(DESK.reading, periods=periods), actions=("words “x”: 1 new",))


def test_first_the_words_of_the_question_and_of_what_was_taken_are_searched() -> None:
    reply = read(a_request())
    assert reply.action == "words"
    assert reply.args.query == "blocus paix neutres protokoll"
    assert reply.args.sub_corpora == ["Rat"]


def test_then_the_date_then_nothing_is_left() -> None:
    second = read(a_request(a_desk(actions=("words “blocus”: 1 new, 2 known",))))
    assert (second.action, second.args.start, second.args.end) == ("date", "1887-01-02", "1887-01-02")
    third = read(a_request(a_desk(actions=("words “blocus”: 1 new", "date 1887-01-02: 0 new"))))
    assert third.action == "finish"


def test_a_search_that_was_a_repetition_is_not_tried_again() -> None:
    assert searched(a_desk(actions=("repeated: words “blocus”",))) == ["words"]


def test_what_only_looks_like_a_search_is_none() -> None:
    assert searched(a_desk(actions=("words: 1", "review: 3 passages reviewed", "exact “date words “”: 1"))) == []


def test_searches_are_remembered_when_the_desk_no_longer_shows_them() -> None:
    """The desk shows the last eight actions; a sub-question may have more."""
    reply = read(a_request())
    memory = Memory(analysis=reply.memory_update.analysis or "")
    later = a_desk(memory=memory, actions=("review: 8 passages reviewed, 1 accepted",) * 8)
    assert searched(later) == ["words"]
    second = read(a_request(later))
    assert second.action == "date"
    memory = Memory(analysis=second.memory_update.analysis or "")
    assert read(a_request(replace(later, memory=memory))).action == "finish"


@pytest.mark.parametrize(
    ("channels", "action"),
    [(("words",), "words"), (("date",), "date"), (("characters", "exact"), "finish"), ((), "finish")],
)
def test_only_channels_that_there_are_are_searched(channels: tuple[str, ...], action: str) -> None:
    assert read(a_request(channels=channels)).action == action


def test_with_nothing_taken_there_is_nothing_to_widen_the_search_by() -> None:
    assert expansion(a_desk(taken=())) == ""
    assert read(a_request(a_desk(taken=()))).action == "date"
    assert read(a_request(a_desk(taken=(replace(ONE, sub_corpus="Briefe"),)))).action == "date"


PERIODS = [
    (a_day(1887, 1, 2), ("1887-01-02", "1887-01-02")),
    (DatePeriod(day_number(1887, 1), day_number(1887, 2, 28), Precision.RANGE), ("1887-01-01", "1887-02-28")),
    (DatePeriod(day_number(1, 1, 1), day_number(1, 1, 1), Precision.DAY), ("0001-01-01", "0001-01-01")),
    (DatePeriod(day_number(1887), day_number(1887, 12, 31), Precision.YEAR), None),
    (DatePeriod(day_number(-43, 3, 15), day_number(-43, 3, 15), Precision.DAY), None),
    (DatePeriod(-10_000_000, -10_000_000, Precision.DAY), None),
    (DatePeriod(day_number(1887), 10_000_000, Precision.RANGE), None),
]


@pytest.mark.parametrize(("period", "days"), PERIODS)
def test_a_date_is_searched_by_when_a_step_can_write_it(period: DatePeriod, days: tuple[str, str] | None) -> None:
    reply = read(a_request(dated(period)))
    assert (reply.args.start, reply.args.end) == (days or (None, None))
    assert reply.action == ("date" if days else "finish")


def test_of_several_dates_the_first_that_can_be_searched_by_is() -> None:
    year, day = PERIODS[3][0], PERIODS[0][0]
    assert read(a_request(dated(year, day))).args.start == "1887-01-02"


@pytest.mark.parametrize("desk", [DESK, dated(a_day(1887, 1, 2)), dated()], ids=["words", "date", "finish"])
def test_every_step_is_an_action_the_loop_can_carry_out(desk: Desk) -> None:
    state = State(
        sub_corpora=(SubCorpus("Rat", 1, 1, 0),),
        channels=("words", "characters", "date"),
        threads={MINE.id: Thread(MINE)},
        at=MINE.id,
    )
    reply = read(a_request(desk))
    assert read_action(state, reply).kind == reply.action
    assert reply.thought.startswith("No language model was used. Next: ")


def test_shared_words_are_the_sources_own_not_those_of_our_measurements() -> None:
    assert shared_words([ONE, TWO, THREE], frozenset()) == ["neutres", "protokoll"]
    assert shared_words([ONE, TWO, THREE], frozenset({"neutres"})) == ["protokoll"]


def test_words_of_every_source_tell_none_apart_and_of_one_source_are_not_shared() -> None:
    assert shared_words([ONE, TWO], frozenset()) == []
    assert shared_words([ONE], frozenset()) == []


def test_a_brief_hands_over_what_was_taken_from_the_sub_corpus() -> None:
    elsewhere = taken("elsewhere", sub_corpus="Briefe", date="1999")
    reply = BriefReply.model_validate(brief(BriefRequest(a_desk(taken=(ONE, elsewhere, TWO, THREE)))))
    assert reply.facts == [f"{t.title}: {t.reason}" for t in (ONE, TWO, THREE)]
    assert reply.dates == ["1887", "1887-02"]
    assert reply.entities == ["Metz"]
    assert reply.gaps == ["“le” does not occur in the archive"]
    assert reply.hints == ["neutres", "protokoll"]


def test_a_brief_of_nothing_is_empty_and_invents_nothing() -> None:
    empty = Desk(Reading(Question("?")), SubQuestion(SubQuestionId("q1"), "?", "Rat"), Memory())
    assert BriefReply.model_validate(brief(BriefRequest(empty))) == BriefReply()


def test_a_brief_stays_short() -> None:
    many = tuple(taken(f"reason {number}", date=f"{1800 + number}") for number in range(40))
    reply = BriefReply.model_validate(brief(BriefRequest(a_desk(taken=many))))
    assert len(reply.facts) == 5
    assert len(reply.dates) == 10
