"""A plan without a language model (T1): the question, put to the sub-corpora it names or that answer it."""

import pytest

from fakes.runs import QUESTION
from vestigia.domain.archive import SubCorpus
from vestigia.domain.ids import SubQuestionId
from vestigia.domain.question import Entity, Question, SubQuestion
from vestigia.domain.requests import PlanRequest, Reading, ReplanRequest, Share
from vestigia.inquiry.planner import fault
from vestigia.inquiry.replies import PlanReply
from vestigia.inquiry.state import State
from vestigia.models.extractive.plan import plan, replan

KNOWN = ("Briefe", "Landbote", "Le Temps", "Rat", "Zeitung")


def a_request(text: str, shares: tuple[str, ...] = (), most: int = 4, known: tuple[str, ...] = KNOWN) -> PlanRequest:
    held = tuple(Share(name, 9 - place, place + 1) for place, name in enumerate(shares))
    return PlanRequest(Reading(Question(text)), tuple(SubCorpus(name, 1, 1, 0) for name in known), held, most)


def targets(request: PlanRequest) -> list[str]:
    return [sub_question.sub_corpus for sub_question in read(request).sub_questions]


def read(request: PlanRequest) -> PlanReply:
    return PlanReply.model_validate(plan(request))


@pytest.mark.parametrize(
    ("text", "shares", "most", "expected"),
    [
        ("Was schrieb der Landbote?", ("Rat", "Landbote"), 4, ["Landbote"]),
        ("Rat und Landbote im Vergleich", ("Briefe", "Landbote", "Rat"), 4, ["Landbote", "Rat"]),
        ("Rat und Landbote im Vergleich", ("Briefe", "Rat", "Landbote"), 4, ["Rat", "Landbote"]),
        ("Rat und Landbote im Vergleich", (), 4, ["Landbote", "Rat"]),
        ("Rat und Landbote im Vergleich", ("Rat", "Landbote"), 1, ["Rat"]),
        ("Que dit le Temps ?", ("Rat",), 4, ["Le Temps"]),
        ("Was war das für ein Rathaus?", ("Briefe", "Zeitung"), 4, ["Briefe", "Zeitung"]),
        (
            "Was geschah?",
            ("Zeitung", "Briefe", "Rat", "Landbote", "Le Temps"),
            4,
            ["Zeitung", "Briefe", "Rat", "Landbote"],
        ),
        ("Was geschah?", ("Zeitung",), 4, ["Zeitung"]),
        ("Was geschah?", (), 3, ["Briefe", "Landbote", "Le Temps"]),
        ("Was geschah?", ("Rat", "Zeitung"), 1, ["Rat"]),
    ],
)
def test_where_a_question_is_put(text: str, shares: tuple[str, ...], most: int, expected: list[str]) -> None:
    assert targets(a_request(text, shares, most)) == expected


def test_an_archive_of_one_sub_corpus_gets_one_sub_question() -> None:
    assert targets(a_request("Was geschah?", ("Rat",), 4, ("Rat",))) == ["Rat"]


def test_an_archive_of_none_gets_none_and_says_so() -> None:
    reply = read(a_request("Was geschah?", (), 4, ()))
    assert reply.sub_questions == []
    assert "0 sub-corpora" in reply.thought


def test_every_sub_question_is_the_question_itself_with_its_names() -> None:
    (one, two) = read(
        a_request("Was schrieb Karl Kraus dem Rat?", ("Rat", "Zeitung"), known=("Zeitung", "Briefe"))
    ).sub_questions
    assert one.text == two.text == "Was schrieb Karl Kraus dem Rat?"
    assert [(e.text, e.added) for e in one.entities] == [("Karl Kraus", False)]


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        (a_request("Was schrieb der Landbote?"), "Landbote: the question names it."),
        (
            a_request("Was geschah?", ("Rat", "Zeitung")),
            "2 sub-corpora (Rat; Zeitung): most of what the orientation found lies there.",
        ),
        (a_request("Was geschah?", (), 1), "Briefe: the orientation found nothing."),
    ],
)
def test_a_plan_says_why_and_that_no_language_model_was_used(request_: PlanRequest, why: str) -> None:
    assert plan(request_)["thought"] == f"No language model was used. The question is put to {why}"


@pytest.mark.parametrize("shares", [(), ("Rat",), ("Rat", "Zeitung", "Briefe", "Landbote", "Le Temps")])
@pytest.mark.parametrize("text", [QUESTION.text, "Le Temps, le Landbote: que dit d’Estournelles de Metz ?", "Rat?"])
@pytest.mark.parametrize("most", [1, 2, 4])
def test_a_plan_keeps_every_invariant_the_planner_checks(text: str, shares: tuple[str, ...], most: int) -> None:
    request = a_request(text, shares, most)
    state = State(question=request.reading.question, sub_corpora=request.sub_corpora)
    assert fault(state, read(request).sub_questions, most) == ""


def test_what_remains_of_a_plan_is_left_as_it_is() -> None:
    remaining = (
        SubQuestion(SubQuestionId("q2"), "Und dann?", "Rat", (Entity("Kraus"), Entity("Wien", added=True))),
        SubQuestion(SubQuestionId("q3"), "Und danach?", "Briefe"),
    )
    reply = replan(ReplanRequest(Reading(QUESTION), (), (), (), remaining, 2))
    read_back = PlanReply.model_validate(reply).sub_questions
    assert [(s.text, s.sub_corpus, [(e.text, e.added) for e in s.entities]) for s in read_back] == [
        ("Und dann?", "Rat", [("Kraus", False), ("Wien", True)]),
        ("Und danach?", "Briefe", []),
    ]
    assert "No language model was used" in str(reply["thought"])
