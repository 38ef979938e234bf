"""The reply that a prompt asks for is one that the core can read: prompts and core meet only here."""

import json

import pytest

from golden.prompts.cases import LIBRARY
from vestigia.inquiry.concise import ClosingReply, ShortReviewReply
from vestigia.inquiry.judge import PLACEHOLDER
from vestigia.inquiry.replies import (
    BriefReply,
    ClaimsReply,
    JudgeReply,
    PlanReply,
    QuotesReply,
    RankReply,
    ReevaluationReply,
    ReviewReply,
    StepReply,
    read_reply,
)

SHAPES = {
    "plan": PlanReply,
    "step": StepReply,
    "review": ReviewReply,
    "turn": ShortReviewReply,
    "close": ClosingReply,
    "reevaluate": ReevaluationReply,
    "brief": BriefReply,
    "replan": PlanReply,
    "rank": RankReply,
    "judge": JudgeReply,
    "quote": QuotesReply,
    "interpret": ClaimsReply,
    "synthesis": ClaimsReply,
}


@pytest.mark.parametrize("name", [prompt.name for prompt in LIBRARY.prompts])
def test_every_field_of_an_example_is_read(name):
    example = LIBRARY.named(name).reply

    read = read_reply(example, SHAPES[name]).model_dump_json(by_alias=True, exclude_unset=True)

    assert "".join(read.split()) == "".join(example.split())


def test_b6_the_argument_in_the_example_of_a_judgement_is_known_as_no_argument():
    assert json.loads(LIBRARY.named("judge").reply)["argument"] == PLACEHOLDER
