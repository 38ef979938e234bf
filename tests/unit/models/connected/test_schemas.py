"""T8: the schema of a reply says what the reader of replies reads, closed over what was shown."""

from dataclasses import replace

import pytest
from pydantic import TypeAdapter

from fakes.runs import QUESTION, library
from vestigia.domain.archive import SubCorpus
from vestigia.domain.commissions import Rubric
from vestigia.domain.evidence import Memory
from vestigia.domain.ids import DocumentId, PassageId, SubQuestionId, digest
from vestigia.domain.question import SubQuestion
from vestigia.domain.requests import (
    Ahead,
    BriefRequest,
    Contender,
    Desk,
    InterpretRequest,
    JudgeRequest,
    PlanRequest,
    QuoteRequest,
    RankRequest,
    Reading,
    ReevaluateRequest,
    ReplanRequest,
    ReviewRequest,
    Shown,
    StepRequest,
    SynthesisRequest,
)
from vestigia.inquiry.concise import ClosingReply, ShortReviewReply
from vestigia.inquiry.consult import TASKS
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
from vestigia.models.connected.schemas import schema_of

READING = Reading(QUESTION)
DESK = Desk(READING, SubQuestion(SubQuestionId("q1"), "?", "Rat"), Memory())
RAT = (SubCorpus("Rat", 1, 1, 1),)
SHOWN = (Shown(PassageId("R1#0-3"), DocumentId("R1"), "", "", "Rat", "words"),)
AHEAD = Ahead(("words",), 3, 60, RAT)
CASES = {
    PlanRequest(READING, RAT, (), 4): PlanReply,
    ReplanRequest(READING, RAT, (), (), (), 2): PlanReply,
    StepRequest(DESK, ("words",), 3, 60): StepReply,
    ReviewRequest(DESK, SHOWN, 120): ReviewReply,
    ReviewRequest(DESK, SHOWN, 120, numbered=True, ahead=AHEAD): ShortReviewReply,
    ReevaluateRequest(DESK, SHOWN, 120): ReevaluationReply,
    ReevaluateRequest(DESK, SHOWN, 120, numbered=True, brief=True): ClosingReply,
    BriefRequest(DESK): BriefReply,
    JudgeRequest(Rubric("fear", digest("fear"), "Fear?"), "Fear of machines", SHOWN[0]): JudgeReply,
    QuoteRequest("Who paid?", SHOWN): QuotesReply,
    InterpretRequest("Who paid?", ()): ClaimsReply,
    SynthesisRequest(("Who paid?", "Why?"), (), ()): ClaimsReply,
    RankRequest(READING, (Contender(DocumentId("R1"), "", "", "Rat", (), 1),), 1): RankReply,
}
each = pytest.mark.parametrize(("request_", "reply"), CASES.items(), ids=lambda part: type(part).__name__)


def example(schema):
    """A value of a schema, each alternative taken as its first."""
    if "anyOf" in schema:
        return example(schema["anyOf"][0])
    match schema["type"]:
        case "object":
            return {name: example(part) for name, part in schema["properties"].items()}
        case "array":
            return [example(schema["items"])]
        case "string":
            return schema.get("enum", ["some words"])[0]
        case "boolean":
            return True
        case "integer":
            return 7
    raise AssertionError(schema)


@each
def test_what_a_schema_asks_for_is_what_the_reader_reads(request_, reply):
    said = TypeAdapter(dict).dump_json(example(schema_of(request_))).decode()
    read = read_reply(said, reply)
    assert read.model_dump(by_alias=True, exclude_unset=True) == example(schema_of(request_))


@each
def test_every_object_is_closed_and_every_field_required(request_, reply):
    def objects(schema):
        if schema.get("type") == "object":
            yield schema
            for part in schema["properties"].values():
                yield from objects(part)
        elif schema.get("type") == "array":
            yield from objects(schema["items"])

    found = list(objects(schema_of(request_)))
    assert found
    for one in found:
        assert one["additionalProperties"] is False
        assert one["required"] == list(one["properties"])


@each
def test_the_example_in_the_prompt_has_the_fields_of_the_schema(request_, reply):
    short = {ShortReviewReply: "turn", ClosingReply: "close"}
    prompt = library().named(short.get(reply) or TASKS[type(request_).__name__])
    shown, asked = TypeAdapter(dict).validate_json(prompt.reply), schema_of(request_)
    assert list(shown) == list(asked["properties"])


def test_rule_8_only_passages_shown_can_be_judged_and_only_in_three_ways():
    verdict = schema_of(ReviewRequest(DESK, SHOWN, 120))["properties"]["args"]["properties"]["verdicts"]["items"]
    assert verdict["properties"]["passage"]["enum"] == ["R1#0-3"]
    assert verdict["properties"]["verdict"]["enum"] == ["accept", "reject", "hold"]


def test_what_is_shown_by_its_sentences_can_be_asked_for_whole():
    parts = (replace(SHOWN[0], words=20),)
    verdict = schema_of(ReviewRequest(DESK, parts, 120))["properties"]["args"]["properties"]["verdicts"]["items"]
    assert verdict["properties"]["verdict"]["enum"] == ["accept", "reject", "hold", "read"]


def test_t11_what_was_rejected_and_is_shown_again_can_be_promoted_too():
    other = (replace(SHOWN[0], passage=PassageId("R2#0-3")),)
    for short, names in ((False, ["R1#0-3", "R2#0-3"]), (True, ["1", "2"])):
        request = ReevaluateRequest(DESK, SHOWN, 120, rejected=other, numbered=short)
        promoted = schema_of(request)["properties"]["promote"]["items"]
        assert promoted["properties"]["passage"]["enum"] == names


def test_what_is_not_to_be_said_is_not_in_the_schema():
    assert "next" not in schema_of(ReviewRequest(DESK, SHOWN, 120, numbered=True))["properties"]
    assert list(schema_of(ReevaluateRequest(DESK, SHOWN, 120, numbered=True))["properties"]) == ["thought", "promote"]


def test_t1_only_sub_corpora_that_exist_can_be_named():
    part = schema_of(PlanRequest(READING, RAT, (), 4))["properties"]["sub_questions"]["items"]
    assert part["properties"]["sub_corpus"]["enum"] == ["Rat"]
    assert schema_of(PlanRequest(READING, (), (), 4))["properties"]["sub_questions"]["items"]["properties"][
        "sub_corpus"
    ] == {"type": "string"}
