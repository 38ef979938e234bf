"""A model that says what it was told to."""

import asyncio

import pytest

from vestigia.domain.effects import Replied, Usage
from vestigia.domain.errors import ModelUnavailableError
from vestigia.domain.evidence import Memory
from vestigia.domain.ids import SubQuestionId, digest
from vestigia.domain.question import Question, SubQuestion
from vestigia.domain.requests import BriefRequest, Desk, PlanRequest, Reading
from vestigia.models.scripted import ScriptedModel, in_turn

READING = Reading(Question("Was geschah?"))
PLAN = PlanRequest(READING, (), (), 4)
BRIEF = BriefRequest(Desk(READING, SubQuestion(SubQuestionId("q1"), "?", "Rat"), Memory()))


def ask(model: ScriptedModel, request: PlanRequest | BriefRequest, prompt: str = "the words") -> Replied:
    return asyncio.run(model.complete(request, {}, lambda: prompt))


def test_it_replies_what_its_script_makes_of_the_request() -> None:
    model = ScriptedModel(lambda request, _: type(request).__name__)
    assert ask(model, PLAN).text == "PlanRequest"
    assert ask(model, BRIEF).text == "BriefRequest"


def test_its_reply_carries_its_name_its_usage_and_the_digest_of_what_it_was_sent() -> None:
    model = ScriptedModel(lambda *_: "{}", "parrot", Usage(10, 2, 0, 0.5))
    assert ask(model, PLAN) == Replied("{}", "parrot", digest("the words"), Usage(10, 2, 0, 0.5))


def test_what_nobody_measured_is_unknown() -> None:
    assert ask(ScriptedModel(lambda *_: "{}"), PLAN).usage == Usage(None, None, None, None)


def test_it_may_leave_the_words_unwritten() -> None:
    def never() -> str:
        raise AssertionError("the words were written")

    model = ScriptedModel(lambda *_: "{}", reads_prompts=False)
    assert asyncio.run(model.complete(PLAN, {}, never)).prompt is None


def test_two_models_of_a_name_are_one_and_of_two_names_two() -> None:
    one, same, other = (ScriptedModel(lambda *_: "", name) for name in ("a", "a", "b"))
    assert one.fingerprint == same.fingerprint != other.fingerprint


def test_replies_in_turn_are_used_once_each_by_the_kind_of_request() -> None:
    model = ScriptedModel(in_turn({"PlanRequest": ["one", "two"], "BriefRequest": ["three"]}))
    assert [ask(model, request).text for request in (PLAN, BRIEF, PLAN)] == ["one", "three", "two"]


@pytest.mark.parametrize("replies", [{}, {"PlanRequest": []}, {"BriefRequest": ["x"]}])
def test_a_script_at_its_end_is_a_model_without_an_answer(replies: dict[str, list[str]]) -> None:
    with pytest.raises(ModelUnavailableError, match=r"no further reply to a PlanRequest\. Lengthen the script\."):
        ask(ScriptedModel(in_turn(replies)), PLAN)


def test_the_lists_a_script_was_made_of_are_left_as_they_were() -> None:
    replies = {"PlanRequest": ["one"]}
    ask(ScriptedModel(in_turn(replies)), PLAN)
    assert replies == {"PlanRequest": ["one"]}
