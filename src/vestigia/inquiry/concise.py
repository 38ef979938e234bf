"""Replies in few words (`rules.concise`): passages go by their numbers, and one call says what else would take several.

A review names the next action, too, and what it rejects for one reason together (T5, T6); a re-evaluation also writes
the brief, and says whether the plan must change by it (T11, T12, T13). Each is read into the reply as published, so
that all that follows is the same.
"""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BeforeValidator, Field

from vestigia.domain.ids import PassageId
from vestigia.inquiry.replies import (
    BriefReply,
    MemoryReply,
    PromotionReply,
    ReevaluationReply,
    Reply,
    ReviewReply,
    VerdictReply,
    VerdictsReply,
    read_reply,
)

REJECT = "reject"


def _written(said: object) -> object:
    return str(said) if type(said) is int else said


Number = Annotated[str, BeforeValidator(_written)]
"""The number of a passage, from 1, as a number or as a text; what is none stays as it is and is known by nobody."""


class NumberedReply(Reply):
    """A verdict on a passage."""

    passage: Number
    verdict: str
    reason: str = ""
    quote: str = ""


class TogetherReply(Reply):
    """Passages that are rejected for one reason."""

    passages: list[Number]
    reason: str = ""


class ShortReviewReply(Reply):
    """T6, and T4: the action that is to follow, read when its turn comes, so that no verdict is lost for it."""

    thought: str = ""
    verdicts: list[NumberedReply]
    rejected: list[TogetherReply] = Field(default_factory=list)
    memory_update: MemoryReply = MemoryReply()
    next: object = None


class PromotedReply(Reply):
    """A passage that is promoted."""

    passage: Number
    reason: str
    quote: str = ""


class ClosingReply(Reply):
    """T11, T12, T13."""

    thought: str = ""
    promote: list[PromotedReply]
    brief: BriefReply | None = None
    replan: bool = True


def read_review(text: str, shown: Sequence[PassageId]) -> tuple[ReviewReply, object]:
    """Read a review of the passages shown, in their order, and the action it names, if any.

    Raises UnreadableError.
    """
    short = read_reply(text, ShortReviewReply)
    said = [(one.passage, one.verdict, one.reason, one.quote) for one in short.verdicts]
    said += [(number, REJECT, together.reason, "") for together in short.rejected for number in together.passages]
    verdicts = [
        VerdictReply(passage=_named(number, shown), verdict=verdict, reason=reason, quote=quote)
        for number, verdict, reason, quote in said
    ]
    review = ReviewReply(
        thought=short.thought,
        action="review",
        args=VerdictsReply(verdicts=verdicts),
        memory_update=short.memory_update,
    )
    return review, short.next


def read_closing(text: str, shown: Sequence[PassageId]) -> tuple[ReevaluationReply, BriefReply | None, bool]:
    """Read which of the passages shown are promoted, the brief, if any, and whether the plan must change.

    Raises UnreadableError.
    """
    closing = read_reply(text, ClosingReply)
    promoted = [
        PromotionReply(passage=_named(one.passage, shown), reason=one.reason, quote=one.quote)
        for one in closing.promote
    ]
    return ReevaluationReply(thought=closing.thought, promote=promoted), closing.brief, closing.replan


def _named(number: str, shown: Sequence[PassageId]) -> str:
    """The passage of this number, or what was written where it is none of them."""
    place = int(number) if number.isascii() and number.isdigit() and len(number) < 5 else 0
    return shown[place - 1] if 0 < place <= len(shown) else number
