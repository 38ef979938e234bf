"""The default when no language model is configured: the structured request in, the same reply shapes out."""

import json
from collections.abc import Callable, Mapping

from vestigia.domain.archive import Passage
from vestigia.domain.effects import Replied, Stop, Usage
from vestigia.domain.ids import Digest, PassageId, digest
from vestigia.domain.requests import (
    BriefRequest,
    JudgeRequest,
    PlanRequest,
    RankRequest,
    ReevaluateRequest,
    ReplanRequest,
    Request,
    ReviewRequest,
    StepRequest,
)
from vestigia.models.extractive.plan import plan, replan
from vestigia.models.extractive.rank import rank
from vestigia.models.extractive.review import reevaluate, review
from vestigia.models.extractive.search import brief, step

VERSION = 3
NO_TOKENS = Usage(0, 0, 0, 0.0)
"""It uses none: these zeros are counts, not gaps."""
Answerable = PlanRequest | StepRequest | ReviewRequest | ReevaluateRequest | BriefRequest | ReplanRequest | RankRequest
NO_READER = "a rule does not interpret: `vestigia dossier` lays the sources out without a language model"
REFUSAL = "a judgement needs somebody who reads: without a language model there is none"


class ExtractiveModel:
    """Deterministic, without a language model, and says so in every thought it records."""

    name = "extractive (no language model)"

    @property
    def fingerprint(self) -> Digest:
        """Digest of its name and version."""
        return digest(f"{self.name} {VERSION}")

    async def complete(
        self,
        request: Request,
        passages: Mapping[PassageId, Passage],
        prompt: Callable[[], str],  # noqa: ARG002  it reads the request itself
    ) -> Replied:
        """Answer a request; refuse to judge or to interpret, for what is measured here is neither."""
        if not isinstance(request, Answerable):
            why = REFUSAL if isinstance(request, JudgeRequest) else NO_READER
            return Replied(why, self.name, usage=NO_TOKENS, stop=Stop.REFUSED)
        written = json.dumps(answer(request, passages), ensure_ascii=False)
        # A passage may hold what the reader of replies would take for thinking and pass over.
        return Replied(written.replace("<", "\\u003c"), self.name, usage=NO_TOKENS)


def answer(  # noqa: PLR0911  one return a request
    request: Answerable, passages: Mapping[PassageId, Passage]
) -> dict[str, object]:
    """Return the reply as an object, in the shape that the prompt of the same name asks of a language model."""
    match request:
        case PlanRequest():
            return plan(request)
        case StepRequest():
            return step(request)
        case ReviewRequest():
            return review(request, passages)
        case ReevaluateRequest():
            return reevaluate(request, passages)
        case BriefRequest():
            return brief(request)
        case ReplanRequest():
            return replan(request)
        case RankRequest():
            return rank(request)
