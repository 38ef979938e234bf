"""Verdicts without a language model (T6): what was measured decides, and the reason says it and quotes the passage."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from fakes.corpus import a_day
from vestigia.domain.archive import Passage
from vestigia.domain.evidence import Memory, Standing
from vestigia.domain.ids import DocumentId, PassageId, SubQuestionId
from vestigia.domain.periods import DatePeriod
from vestigia.domain.question import Question, SubQuestion, Term
from vestigia.domain.requests import Desk, Reading, ReevaluateRequest, ReviewRequest, Shown
from vestigia.inquiry.replies import ReevaluationReply, ReviewReply
from vestigia.models.extractive.measures import Evidence
from vestigia.models.extractive.review import decision, reason_for, reevaluate, review

TERMS = (Term("blocus", 3, 4.0), Term("paix", 40, 1.0), Term("traite", 20, 3.0))
DAY = a_day(1887, 1, 2)
READING = Reading(Question("Le blocus, la paix, le traité ?"), (DAY,), TERMS)
DESK = Desk(READING, SubQuestion(SubQuestionId("q1"), "?", "Rat"), Memory())


def shown(
    text: str = "", place: int = 0, period: DatePeriod | None = None, sub_corpus: str = "Rat", **standings: int
) -> tuple[Shown, Passage]:
    """A passage shown with these places in the orientation and in its channels."""
    name = PassageId(f"{text}#{place}")
    held = tuple(Standing(channel, rank, 1.0) for channel, rank in standings.items())
    return (
        Shown(name, DocumentId(text), "", "", sub_corpus, "warm start", 0.0, held, period, orientation=place),
        Passage(name, DocumentId(text), 0, len(text), text),
    )


def reviewed(*pairs: tuple[Shown, Passage], length: int = 120) -> ReviewReply:
    request = ReviewRequest(DESK, tuple(one for one, _ in pairs), length)
    passages: Mapping[PassageId, Passage] = {passage.id: passage for _, passage in pairs}
    return ReviewReply.model_validate(review(request, passages))


def verdict_on(text: str = "", place: int = 0, period: DatePeriod | None = None, **standings: int) -> str:
    (verdict,) = reviewed(shown(text, place, period, **standings)).args.verdicts
    return verdict.verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Le blocus dure.", "accept"),
        ("Le blocus et la paix.", "accept"),
        ("Le traité.", "hold"),
        ("Le traité de paix.", "accept"),
        ("La paix.", "reject"),
        ("Rien.", "reject"),
        ("—", "reject"),
    ],
)
def test_much_of_the_questions_words_is_taken_some_is_held_less_is_left(text: str, verdict: str) -> None:
    assert verdict_on(text) == verdict


@pytest.mark.parametrize(("place", "verdict"), [(1, "accept"), (10, "accept"), (11, "reject"), (0, "reject")])
def test_the_first_ten_of_the_orientation_are_taken_whatever_their_words(place: int, verdict: str) -> None:
    assert verdict_on("Rien.", place) == verdict


@pytest.mark.parametrize(("rank", "verdict"), [(1, "hold"), (3, "hold"), (4, "reject")])
def test_the_first_three_of_a_channel_are_at_least_held(rank: int, verdict: str) -> None:
    assert verdict_on("Rien.", words=rank) == verdict
    assert verdict_on("Rien.", words=40, date=rank) == verdict


@pytest.mark.parametrize(("period", "verdict"), [(DAY, "hold"), (a_day(1887, 1, 3), "reject"), (None, "reject")])
def test_a_passage_of_the_date_asked_for_is_at_least_held(period: DatePeriod | None, verdict: str) -> None:
    assert verdict_on("Rien.", period=period) == verdict


@pytest.mark.parametrize(
    ("place", "question", "verdict"),
    [
        (5, "Que dit le Rat ?", "accept"),
        (6, "Que dit le Rat ?", "reject"),
        (0, "Que dit le Rat ?", "reject"),
        (1, "Que dit le rapport ?", "reject"),
    ],
)
def test_the_first_five_of_a_sub_corpus_that_the_question_names_are_taken(
    place: int, question: str, verdict: str
) -> None:
    one = Shown(PassageId("p"), DocumentId("d"), "", "", "Rat", "warm start", place=place)
    reading = Reading(Question(question))
    assert decision(one, Evidence((), 0.0, "", dated=False), reading, dated=False) == verdict


FOUR = tuple(Term(word, 3, 1.0) for word in ("blocus", "paix", "traite", "guerre"))
HIGH = Shown(PassageId("p"), DocumentId("d"), "", "", "Rat", "warm start", orientation=4, period=DAY)


@pytest.mark.parametrize(
    ("terms", "found", "standings", "verdict"),
    [
        (FOUR, (), (Standing("words", 9, 1.0),), "hold"),
        (FOUR, ("paix",), (Standing("words", 9, 1.0),), "accept"),
        (FOUR, (), (Standing("meaning:universal", 3, 1.0),), "accept"),
        (FOUR, (), (Standing("meaning:universal", 4, 1.0),), "hold"),
        (FOUR[:3], (), (Standing("characters", 9, 1.0),), "accept"),
    ],
)
def test_what_holds_no_word_of_a_question_is_held_unless_near_in_meaning_but_a_name_may_be_spelt_otherwise(
    terms, found, standings, verdict
) -> None:
    one = replace(HIGH, standings=standings)
    reading = Reading(Question("Que dit-on ?"), terms=terms)
    assert decision(one, Evidence(found, 0.1 * len(found), "", dated=False), reading, dated=False) == verdict


def test_where_the_question_keeps_to_a_period_what_is_dated_outside_is_held_and_what_is_undated_is_not() -> None:
    reading = Reading(Question("Que dit-on en 1890 ?"), terms=FOUR)
    weak = Evidence(("paix",), 0.3, "", dated=False)
    assert decision(HIGH, weak, reading, dated=True) == "hold"
    assert decision(replace(HIGH, period=None), weak, reading, dated=True) == "accept"
    assert decision(HIGH, replace(weak, dated=True), reading, dated=True) == "accept"
    assert decision(HIGH, replace(weak, coverage=0.5), reading, dated=True) == "accept"


@pytest.mark.parametrize(
    ("pair", "reason"),
    [
        (shown("Le blocus dure."), "1 of 3 words: “Le blocus dure.”"),
        (
            shown("Rien n'est dit ce jour-là. Le blocus, la paix !", period=DAY, words=2, date=7),
            "2 of 3 words; date fits; words #2: “Le blocus, la paix !”",
        ),
        (shown("Rien.", words=4, characters=4), "0 of 3 words; characters #4: “Rien.”"),
        (shown("—!—"), "0 of 3 words"),
        (shown(""), "0 of 3 words"),
        (
            shown("Il fallut que le gouverne-\nment renonçât au blocus."),
            "1 of 3 words: “Il fallut que le gouvernement renonçât au blocus.”",
        ),
    ],
)
def test_a_reason_says_what_was_measured_and_quotes(pair: tuple[Shown, Passage], reason: str) -> None:
    (verdict,) = reviewed(pair).args.verdicts
    assert verdict.reason == reason


def test_a_question_without_words_to_look_for_says_so() -> None:
    evidence = Evidence((), 0.0, "Le conseil se réunit.", dated=True)
    assert reason_for(shown()[0], evidence, (), 120) == "no words to look for; date fits: “Le conseil se réunit.”"


@pytest.mark.parametrize("length", [1, 5, 12, 20, 37, 38, 60, 120, 500])
def test_a_reason_is_never_longer_than_it_may_be(length: int) -> None:
    text = "mot " * 60 + "le blocus " + "mot " * 60
    (verdict,) = reviewed(shown(text, words=1), length=length).args.verdicts
    assert 0 < len(verdict.reason) <= length
    if length >= 60:
        assert "blocus" in verdict.reason, "the quote is cut around the words found"


@pytest.mark.parametrize(
    "text",
    [
        "Le blo-\ncus dure\nencore. Fin.",
        "x " * 900 + "le blocus" + " y" * 900,
        "«\u00a0Le blocus\u00a0», dit-il…",
        "Le\tblo\u00adcus\u200b.",
    ],
)
def test_a_quote_stands_in_the_passage_to_the_letter(text: str) -> None:
    (verdict,) = reviewed(shown(text)).args.verdicts
    assert verdict.quote
    assert verdict.quote in text


def test_what_is_rejected_is_not_quoted() -> None:
    (verdict,) = reviewed(shown("Rien.")).args.verdicts
    assert (verdict.verdict, verdict.quote) == ("reject", "")


def test_every_passage_shown_gets_one_verdict_in_order() -> None:
    pairs = [shown(f"Texte {number}.") for number in range(8)]
    assert [v.passage for v in reviewed(*pairs).args.verdicts] == [one.passage for one, _ in pairs]


def test_a_review_says_that_nobody_has_read() -> None:
    assert "No language model was used: nobody has read these passages" in reviewed(shown("x")).thought
    assert reviewed(shown("x")).action == "review"


@pytest.mark.parametrize(
    ("text", "period", "promoted"),
    [
        ("Le traité.", DAY, True),
        ("Le traité.", a_day(1888, 1, 1), False),
        ("Le traité.", None, False),
        ("La paix.", DAY, False),
        ("Rien.", DAY, False),
    ],
)
def test_a_held_passage_with_some_of_the_words_and_the_date_is_promoted(
    text: str, period: DatePeriod | None, promoted: bool
) -> None:
    one, passage = shown(text, period=period)
    reply = reevaluate(ReevaluateRequest(DESK, (one,), 60), {passage.id: passage})
    read = ReevaluationReply.model_validate(reply)
    assert [p.passage for p in read.promote] == ([passage.id] if promoted else [])
    assert all(p.reason and len(p.reason) <= 60 and p.quote in text for p in read.promote)
    assert "No language model was used" in read.thought
