"""The extractive model: every reply can be read, whatever stands in the archive; the same request, the same reply."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.samples import full, values
from vestigia.domain.archive import Passage
from vestigia.domain.effects import Replied, Stop, Usage
from vestigia.domain.evidence import Decision, Memory
from vestigia.domain.ids import DocumentId, PassageId, SubQuestionId
from vestigia.domain.question import Question, SubQuestion, Term
from vestigia.domain.requests import (
    BriefRequest,
    Desk,
    InterpretRequest,
    JudgeRequest,
    PlanRequest,
    QuoteRequest,
    RankRequest,
    Reading,
    ReevaluateRequest,
    ReplanRequest,
    Request,
    ReviewRequest,
    Shown,
    StepRequest,
    SynthesisRequest,
    passages_of,
)
from vestigia.inquiry.concise import ShortReviewReply
from vestigia.inquiry.replies import (
    BriefReply,
    PlanReply,
    RankReply,
    ReevaluationReply,
    Reply,
    ReviewReply,
    StepReply,
    read_reply,
)
from vestigia.models.extractive.model import ExtractiveModel

SHAPES: dict[type, type[Reply]] = {
    PlanRequest: PlanReply,
    StepRequest: StepReply,
    ReviewRequest: ReviewReply,
    ReevaluateRequest: ReevaluationReply,
    BriefRequest: BriefReply,
    ReplanRequest: PlanReply,
    RankRequest: RankReply,
}
ODD = ["", "…", '{"action": "finish"}', "<think>", "</think>{", "```json\n{}\n```", "\\u003c", "x" * 500]
MARKS = st.text(st.sampled_from(" .…!?—«»\"'{}[]<>\\/-\n\t\0\u2028"), max_size=60)
TEXTS = st.text(max_size=120) | MARKS | st.sampled_from(ODD)
READING = Reading(Question("Le blocus ?"), (), (Term("blocus", 1, 2.0),))
DESK = Desk(READING, SubQuestion(SubQuestionId("q1"), "?", "Rat"), Memory())


def ask(request: Request, passages: Mapping[PassageId, Passage]) -> Replied:
    def never() -> str:
        raise AssertionError("it reads the request itself")

    return asyncio.run(ExtractiveModel().complete(request, passages, never))


def passages_for(request: Request, text: str) -> dict[PassageId, Passage]:
    return {name: Passage(name, DocumentId("d"), 0, len(text), text) for name in passages_of(request)}


def test_it_says_on_every_reply_what_it_is_and_that_it_cost_nothing() -> None:
    replied = ask(PlanRequest(DESK.reading, (), (), 4), {})
    assert replied.model == ExtractiveModel().name == "extractive (no language model)"
    assert replied.usage == Usage(0, 0, 0, 0.0)
    assert replied.prompt is None


@pytest.mark.parametrize("kind", [QuoteRequest, InterpretRequest, SynthesisRequest])
def test_h9_it_refuses_to_interpret_and_says_what_to_do_instead(kind: type) -> None:
    replied = ask(full(kind), {})
    assert replied.stop is Stop.REFUSED
    assert "`vestigia dossier` lays the sources out" in replied.text
    assert replied.usage.cost == 0.0


def test_h3_it_refuses_to_judge_and_says_why() -> None:
    replied = ask(full(JudgeRequest), {})
    assert replied.stop is Stop.REFUSED
    assert replied.text == "a judgement needs somebody who reads: without a language model there is none"


@settings(max_examples=40, deadline=None)
@given(st.data())
@pytest.mark.parametrize("kind", SHAPES, ids=lambda kind: kind.__name__)
def test_every_reply_to_any_request_can_be_read(kind: type, data: st.DataObject) -> None:
    request: Any = data.draw(values(kind))
    passages = passages_for(request, data.draw(TEXTS))
    replied = ask(request, passages)
    numbered = isinstance(request, ReviewRequest) and request.numbered
    reply = read_reply(replied.text, ShortReviewReply if numbered else SHAPES[kind])
    if kind is not BriefRequest:
        assert "No language model was used" in reply.thought  # type: ignore[attr-defined]
    assert ask(request, passages) == replied, "the same request, the same reply"


def review_of(texts: list[str], length: int) -> tuple[ReviewRequest, dict[PassageId, Passage]]:
    named = [(PassageId(f"p{number}"), text) for number, text in enumerate(texts)]
    shown = tuple(Shown(name, DocumentId(name), "T", "", "Rat", "warm start", orientation=1) for name, _ in named)
    return (
        ReviewRequest(DESK, shown, length),
        {name: Passage(name, DocumentId(name), 0, len(text), text) for name, text in named},
    )


@settings(deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=8), st.integers(1, 200))
def test_a_review_has_a_verdict_on_every_passage_with_a_reason_that_fits_and_a_quote_that_stands_there(
    texts: list[str], length: int
) -> None:
    request, passages = review_of(texts, length)
    verdicts = read_reply(ask(request, passages).text, ReviewReply).args.verdicts
    assert [verdict.passage for verdict in verdicts] == list(passages)
    for verdict, text in zip(verdicts, texts, strict=True):
        assert verdict.verdict in {str(decision) for decision in Decision}
        assert 0 < len(verdict.reason) <= length
        assert verdict.quote in text


def test_a_passage_that_looks_like_thinking_or_like_a_reply_does_not_disturb_its_verdict() -> None:
    """The reader of replies passes over thinking, so a reply must not seem to hold any."""
    texts = ["Le blocus <think> dure", "encore </think> ici", '{"action": "finish"} blocus', "<think>x</think> y"]
    request, passages = review_of(texts, 120)
    verdicts = read_reply(ask(request, passages).text, ReviewReply).args.verdicts
    assert [verdict.quote for verdict in verdicts[:2]] == texts[:2]
    assert [verdict.verdict for verdict in verdicts] == ["accept"] * 4


def test_letters_of_every_script_are_written_as_they_are() -> None:
    request, passages = review_of(["Ἀθήνα — Straße — Москва"], 120)
    assert "Ἀθήνα — Straße — Москва" in ask(request, passages).text


def test_its_behaviour_has_a_fingerprint() -> None:
    assert ExtractiveModel().fingerprint == ExtractiveModel().fingerprint
    assert ExtractiveModel().fingerprint.startswith("sha256:")
