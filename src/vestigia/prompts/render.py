"""A request in words (T7): everything the model may see, rebuilt for every call, without a conversation.

The texts are the prompts' own; here the names are filled. What stays the same from call to call stands first, for
the servers that cache beginnings; what changes stands last. Pure: the same request gives the same words.
"""

from collections.abc import Mapping
from typing import assert_never

from vestigia.domain.archive import Passage
from vestigia.domain.ids import PassageId
from vestigia.domain.requests import (
    BriefRequest,
    Desk,
    InterpretRequest,
    JudgeRequest,
    PlanRequest,
    QuoteRequest,
    RankRequest,
    ReevaluateRequest,
    ReplanRequest,
    Request,
    ReviewRequest,
    StepRequest,
    SynthesisRequest,
)
from vestigia.prompts import layout
from vestigia.prompts.excerpts import weights
from vestigia.prompts.library import Library


def render(request: Request, passages: Mapping[PassageId, Passage], library: Library) -> str:
    """Return the request as the model is to read it.

    `passages` holds the texts of the passages that the request names; one that is absent is said to be gone.
    """
    name, values = _filling(request, passages)
    return library.named(name).filled({**values, "concern": layout.concern(request.concern)})


def _filling(request: Request, passages: Mapping[PassageId, Passage]) -> tuple[str, dict[str, str]]:
    """Return the name of the request's prompt and what fills its `$names`."""
    match request:
        case PlanRequest():
            filling = "plan", _plan(request)
        case StepRequest():
            filling = "step", _step(request)
        case ReviewRequest():
            filling = ("turn", _turn(request, passages)) if request.numbered else ("review", _review(request, passages))
        case ReevaluateRequest():
            short = request.numbered
            filling = ("close", _close(request, passages)) if short else ("reevaluate", _reevaluate(request, passages))
        case BriefRequest():
            filling = "brief", _desk(request.desk)
        case ReplanRequest():
            filling = "replan", _replan(request)
        case RankRequest():
            filling = "rank", _rank(request)
        case JudgeRequest():
            filling = "judge", _judge(request, passages)
        case QuoteRequest():
            filling = "quote", _quote(request, passages)
        case InterpretRequest():
            filling = "interpret", {"question": layout.line(request.question), "quotes": layout.quotes(request.quotes)}
        case SynthesisRequest():
            filling = "synthesis", _synthesis(request)
        case _:
            assert_never(request)
    return filling


def _plan(request: PlanRequest) -> dict[str, str]:
    return {
        "archive": layout.archive(request.sub_corpora),
        "question": layout.question(request.reading, terms=True),
        "shares": layout.shares(request.shares),
        "max_sub_questions": str(request.max_sub_questions),
    }


def _step(request: StepRequest) -> dict[str, str]:
    return {
        **_desk(request.desk),
        "archive": layout.archive(request.sub_corpora, names_only=request.names_only, others=request.others),
        "question": layout.question(request.desk.reading, terms=True),
        "channels": layout.searches(request.channels),
        "days_max": str(request.days_max),
        "steps_left": str(request.steps_left),
        "warning": layout.warning(request.warning),
    }


def _review(request: ReviewRequest, texts: Mapping[PassageId, Passage]) -> dict[str, str]:
    return {
        **_desk(request.desk),
        "passages": layout.passages(request.passages, texts, weights(request.desk.reading, request.desk.sub_question)),
        "reading": layout.reading(request.passages),
        "reason_length": str(request.reason_length),
    }


def _turn(request: ReviewRequest, texts: Mapping[PassageId, Passage]) -> dict[str, str]:
    sought, ahead = weights(request.desk.reading, request.desk.sub_question), request.ahead
    return {
        **_short(request.desk),
        "question": layout.question(request.desk.reading, terms=ahead is not None),
        "passages": layout.numbered(request.passages, texts, sought),
        "reading": layout.reading(request.passages),
        "reason_length": str(request.reason_length),
        "ahead": layout.NO_AHEAD if ahead is None else layout.AHEAD,
        "archive": "" if ahead is None else layout.archive(ahead.sub_corpora, names_only=True, others=ahead.others),
        "channels": "" if ahead is None else layout.searches(ahead.channels),
        "days_max": "" if ahead is None else str(ahead.days_max),
        "steps_left": "" if ahead is None else str(ahead.steps_left),
    }


def _close(request: ReevaluateRequest, texts: Mapping[PassageId, Passage]) -> dict[str, str]:
    sought = weights(request.desk.reading, request.desk.sub_question)
    return {
        **_short(request.desk),
        "held": layout.numbered(request.held, texts, sought),
        "rejected": layout.numbered(request.rejected, texts, sought, len(request.held) + 1),
        "brief": layout.BRIEF if request.brief else layout.NO_BRIEF,
        "reason_length": str(request.reason_length),
    }


def _reevaluate(request: ReevaluateRequest, texts: Mapping[PassageId, Passage]) -> dict[str, str]:
    sought = weights(request.desk.reading, request.desk.sub_question)
    return {
        **_desk(request.desk),
        "held": layout.held(request.held, texts, sought),
        "rejected": layout.second_look(request.rejected, texts, sought),
        "reason_length": str(request.reason_length),
    }


def _replan(request: ReplanRequest) -> dict[str, str]:
    return {
        "archive": layout.archive(request.sub_corpora, names_only=request.names_only),
        "question": layout.question(request.reading, terms=True),
        "briefs": layout.briefs(request.briefs),
        "finished": layout.plan(request.finished),
        "remaining": layout.plan(request.remaining),
        "room": str(request.room),
    }


def _rank(request: RankRequest) -> dict[str, str]:
    return {
        "question": layout.question(request.reading),
        "group": layout.group(request.group),
        "confirmations": str(request.confirmations),
    }


def _judge(request: JudgeRequest, texts: Mapping[PassageId, Passage]) -> dict[str, str]:
    rubric = request.rubric
    return {
        "question": layout.line(request.description),
        "criteria": layout.unmarked(rubric.criteria),
        "lowest": str(rubric.lowest),
        "highest": str(rubric.highest),
        "anchors": layout.bullets(f"{score}: {layout.line(said)}" for score, said in rubric.anchors),
        "examples": layout.bullets(layout.line(example) for example in rubric.examples),
        "passage": layout.passages((request.passage,), texts),
    }


def _quote(request: QuoteRequest, texts: Mapping[PassageId, Passage]) -> dict[str, str]:
    return {"question": layout.line(request.question), "passages": layout.passages(request.passages, texts)}


def _synthesis(request: SynthesisRequest) -> dict[str, str]:
    return {
        "questions": layout.bullets(layout.line(question) for question in request.questions),
        "claims": layout.claims(request.claims),
        "quotes": layout.quotes(request.quotes),
    }


def _short(desk: Desk) -> dict[str, str]:
    """The desk without what is empty, the plan, and the last observation, which stands among the actions, too."""
    filled = {**_desk(desk), "memory": layout.memory(desk.memory, filled_only=True)}
    return {name: "" if said == layout.NONE else said for name, said in filled.items()}


def _desk(desk: Desk) -> dict[str, str]:
    return {
        "question": layout.question(desk.reading),
        "plan": layout.plan(desk.plan),
        "briefs": layout.briefs(desk.briefs),
        "sub_question": layout.sub_question(desk.sub_question),
        "accepted": layout.accepted(desk.taken, desk.earlier),
        "memory": layout.memory(desk.memory),
        "actions": layout.bullets(layout.line(action) for action in desk.actions),
        "observation": layout.observation(desk.observation),
    }
