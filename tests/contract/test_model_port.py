"""What every model does. A plug-in's author runs these with their own model."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest

from fakes.connected import model_at
from fakes.corpus import MemoryCorpus
from fakes.runs import DOCUMENTS, QUESTION, library, scripted
from fakes.servers import diligent, serving
from vestigia.domain.archive import SubCorpus
from vestigia.domain.commissions import Rubric
from vestigia.domain.effects import Replied, Stop, Usage
from vestigia.domain.evidence import Memory
from vestigia.domain.ids import SubQuestionId, digest
from vestigia.domain.ports import Model
from vestigia.domain.question import SubQuestion
from vestigia.domain.requests import (
    BriefRequest,
    Contender,
    Desk,
    JudgeRequest,
    PlanRequest,
    RankRequest,
    Reading,
    ReevaluateRequest,
    ReplanRequest,
    Request,
    ReviewRequest,
    Shown,
    StepRequest,
)
from vestigia.inquiry.replies import (
    BriefReply,
    JudgeReply,
    PlanReply,
    RankReply,
    ReevaluationReply,
    ReviewReply,
    StepReply,
    read_reply,
)
from vestigia.models.extractive.model import ExtractiveModel
from vestigia.prompts.render import render

CORPUS = MemoryCorpus(DOCUMENTS)
PASSAGES = {passage.id: passage for passage, _ in CORPUS.pairs()}
SHOWN = tuple(Shown(p.id, p.document, "a title", "1887", "Landbote", "warm start") for p in list(PASSAGES.values())[:3])
READING = Reading(QUESTION)
DESK = Desk(READING, SubQuestion(SubQuestionId("q1"), "Was stand 1887 im Landboten?", "Landbote"), Memory())
PLACES = (SubCorpus("Landbote", 5, 9, 5, ("de",)), SubCorpus("Rat", 3, 4, 2, ("de",)))
GROUP = tuple(Contender(name, name, "", "Rat", ("it fits",), 1, (1,)) for name in ("R1", "R2"))
REQUESTS: dict[str, tuple[Request, type]] = {
    "plan": (PlanRequest(READING, PLACES, (), 4), PlanReply),
    "step": (StepRequest(DESK, ("words",), 3, 60, sub_corpora=PLACES), StepReply),
    "review": (ReviewRequest(DESK, SHOWN, 120), ReviewReply),
    "reevaluate": (ReevaluateRequest(DESK, SHOWN, 120), ReevaluationReply),
    "brief": (BriefRequest(DESK), BriefReply),
    "replan": (ReplanRequest(READING, PLACES, (), (), (DESK.sub_question,), 2), PlanReply),
    "rank": (RankRequest(READING, GROUP, 1), RankReply),
}
each_task = pytest.mark.parametrize("task", REQUESTS)


@pytest.fixture(params=["extractive", "scripted", "openai", "anthropic", "google"])
def model(request: pytest.FixtureRequest) -> Iterator[Model]:
    match request.param:
        case "extractive":
            yield ExtractiveModel()
        case "scripted":
            yield scripted()
        case wire:
            with serving(diligent) as server:
                yield model_at(server, wire)


def ask(model: Model, request: Request) -> tuple[Replied, list[str]]:
    """The reply, and the words the model had written."""
    written: list[str] = []

    def prompt() -> str:
        written.append(render(request, PASSAGES, library()))
        return written[-1]

    return asyncio.run(model.complete(request, PASSAGES, prompt)), written


@each_task
def test_it_answers_every_task_in_the_shape_asked_for(model: Model, task: str) -> None:
    request, shape = REQUESTS[task]
    replied, _ = ask(model, request)
    assert replied.stop is Stop.ENDED
    assert isinstance(read_reply(replied.text, shape), shape)


def test_it_judges_or_refuses(model: Model) -> None:
    replied, _ = ask(
        model, JudgeRequest(Rubric("bridges", digest("bridges"), "Is a bridge told of?"), "Bridges", SHOWN[0])
    )
    if replied.stop is Stop.ENDED:
        assert 1 <= (read_reply(replied.text, JudgeReply).score or 0) <= 10
    assert replied.stop is (Stop.REFUSED if isinstance(model, ExtractiveModel) else Stop.ENDED)


def test_it_signs_what_it_wrote(model: Model) -> None:
    assert model.name.strip()
    assert ask(model, REQUESTS["plan"][0])[0].model == model.name


def test_its_fingerprint_is_a_digest_that_does_not_change_by_answering(model: Model) -> None:
    before = model.fingerprint
    ask(model, REQUESTS["brief"][0])
    assert before.startswith("sha256:")
    assert model.fingerprint == before


@each_task
def test_it_has_the_words_written_once_or_never_and_names_them_by_their_digest(model: Model, task: str) -> None:
    replied, written = ask(model, REQUESTS[task][0])
    assert [replied.prompt] == ([digest(words) for words in written] or [None])


def test_it_judges_passages_that_were_shown_and_no_others(model: Model) -> None:
    reply = read_reply(ask(model, REQUESTS["review"][0])[0].text, ReviewReply)
    assert {verdict.passage for verdict in reply.args.verdicts} <= {shown.passage for shown in SHOWN}


def test_it_counts_tokens_or_leaves_them_unknown(model: Model) -> None:
    usage = ask(model, REQUESTS["plan"][0])[0].usage
    assert isinstance(usage, Usage)
    assert all(count is None or count >= 0 for count in (usage.input_tokens, usage.output_tokens, usage.cached_tokens))
    assert usage.cost is None or usage.cost >= 0


def test_it_can_be_asked_several_things_at_a_time(model: Model) -> None:
    async def together() -> list[Replied]:
        requests = [REQUESTS["plan"][0], REQUESTS["brief"][0], replace(REQUESTS["plan"][0], concern="again")]
        return await asyncio.gather(
            *(model.complete(r, PASSAGES, lambda r=r: render(r, PASSAGES, library())) for r in requests)
        )

    plan, brief, again = asyncio.run(together())
    assert read_reply(plan.text, PlanReply).sub_questions
    assert isinstance(read_reply(brief.text, BriefReply), BriefReply)
    assert read_reply(again.text, PlanReply).sub_questions
