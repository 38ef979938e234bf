"""Reading a model's reply: untrusted input, one JSON object per call (T8), parsed strictly and never repaired.

Thinking and code fences around the object are passed over; the last balanced object counts. What cannot be read is
`UnreadableError`, which the caller records and asks again; a missing value stays missing.
"""

import json
import re
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from vestigia.domain.evidence import Memory

_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
"""The end of thinking whose beginning the server has swallowed."""
_BEHIND = 1000
_OPENING = re.compile(r"\s*(?:```\w*\s*)?(?=\{)")


class UnreadableError(Exception):
    """The reply is not what was asked for; the text says why, in words the model can use."""


class Reply(BaseModel):
    """Fields a model adds on its own are ignored; types are not coerced. A length is asked for because only then are
    the halves of characters refused that no ledger can hold.
    """

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True, str_min_length=0)


class EntityReply(Reply):
    """A name in its surface form."""

    text: str
    added: bool = False


class SubQuestionReply(Reply):
    """One part of a plan."""

    text: str
    sub_corpus: str
    entities: list[EntityReply] = []
    after: list[int] = []
    """Places (from 1) in the same list of those whose findings it needs."""


class PlanReply(Reply):
    """T1, T13."""

    thought: str = ""
    sub_questions: list[SubQuestionReply]


class MemoryReply(Reply):
    """A slot left out keeps its content."""

    findings: str | None = None
    analysis: str | None = None
    evidence: str | None = None
    gaps: str | None = None
    next_steps: str | None = None


class ArgumentsReply(Reply):
    """Arguments of an action; `from` and `to` are ISO dates, both inclusive."""

    query: str | None = None
    sub_corpora: list[str] = []
    centre: str | None = None
    days: int | None = None
    start: str | None = Field(default=None, alias="from")
    end: str | None = Field(default=None, alias="to")


class StepReply(Reply):
    """T4: words, meaning, date, exact, review or finish."""

    thought: str = ""
    action: str
    args: ArgumentsReply = ArgumentsReply()
    memory_update: MemoryReply = MemoryReply()


class VerdictReply(Reply):
    """A verdict as the model wrote it; the word is checked against the three that exist by the reader of the review."""

    passage: str
    verdict: str
    reason: str = ""
    quote: str = ""


class VerdictsReply(Reply):
    """The arguments of a review."""

    verdicts: list[VerdictReply] = []


class ReviewReply(Reply):
    """T6. Another action than `review` is possible: the model asked for something else while a review was due (T5).

    The action must be there: without it the inside of a reply that was cut off would pass for a review.
    """

    thought: str = ""
    action: str
    args: VerdictsReply = VerdictsReply()
    memory_update: MemoryReply = MemoryReply()


class PromotionReply(Reply):
    """A held passage the model promotes."""

    passage: str
    reason: str
    quote: str = ""


class ReevaluationReply(Reply):
    """T11."""

    thought: str = ""
    promote: list[PromotionReply]


class BriefReply(Reply):
    """T12."""

    facts: list[str] = []
    dates: list[str] = []
    entities: list[str] = []
    gaps: list[str] = []
    hints: list[str] = []


class RankReply(Reply):
    """T14: document ids, best first."""

    thought: str = ""
    order: list[str]


class JudgeReply(Reply):
    """H3: the argument comes first; a score of null says that the passage cannot be judged."""

    argument: str = ""
    quote: str = ""
    score: int | None = None


class QuoteReply(Reply):
    """Words that the model says stand in a passage."""

    passage: str
    quote: str


class QuotesReply(Reply):
    """H9: quotations first."""

    thought: str = ""
    quotes: list[QuoteReply]


class ClaimReply(Reply):
    """A statement and the numbers of the quotations it rests on."""

    text: str
    quotes: list[int] = []


class ClaimsReply(Reply):
    """H9: an interpretation, or a synthesis of several."""

    claims: list[ClaimReply]
    silence: str = ""


R = TypeVar("R", bound=Reply)


def read_reply(text: str, shape: type[R]) -> R:
    """Return the last JSON object of a reply as a `shape`; raises UnreadableError saying what is wrong."""
    found = last_object(spoken(text))
    if found is None:
        raise UnreadableError("the reply holds no complete JSON object")
    return fitted(found, shape)


def fitted(found: object, shape: type[R]) -> R:
    """Return a JSON value as a `shape`; raises UnreadableError saying what is wrong."""
    try:
        return shape.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the object"
        raise UnreadableError(f"{place}: {first['msg']}") from error


def spoken(text: str) -> str:
    """Return a reply without its thinking, but an object it begins with as it is: its quotations may hold such marks.

    Thinking that never ends leaves nothing.
    """
    opening = _OPENING.match(text)
    end = _end_of_object(text, opening.end()) if opening else 0
    rest = _THINKING.sub("", text[end:])
    thought = max((mark.end() for mark in _THOUGHT.finditer(rest)), default=0)
    return text[:end] + rest[thought:]


def _end_of_object(text: str, start: int) -> int:
    """Where the object that begins at `start` ends, or is broken."""
    try:
        return json.JSONDecoder().raw_decode(text, start)[1]
    except json.JSONDecodeError as error:
        return error.pos
    except (ValueError, RecursionError):
        return len(text)


def last_object(text: str) -> dict[str, object] | None:
    """Return the last complete outermost JSON object in a text, or none.

    What lies behind is cut off as it grows long: an error counts the lines before it, thousands would count for ever.
    """
    decoder = json.JSONDecoder()
    found: dict[str, object] | None = None
    at = text.find("{")
    while at >= 0:
        if at > _BEHIND:
            text, at = text[at:], 0
        try:
            value, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            end = max(at + 1, error.pos)  # what is inside a broken object is no reply
        except (ValueError, RecursionError):  # a number of thousands of digits, an object of thousands of levels
            return found
        else:
            found = value
        at = text.find("{", end)
    return found


def updated(memory: Memory, update: MemoryReply) -> Memory:
    """Overwrite the slots that the model wrote anew (T7)."""
    return Memory(
        findings=memory.findings if update.findings is None else update.findings,
        analysis=memory.analysis if update.analysis is None else update.analysis,
        evidence=memory.evidence if update.evidence is None else update.evidence,
        gaps=memory.gaps if update.gaps is None else update.gaps,
        next_steps=memory.next_steps if update.next_steps is None else update.next_steps,
    )
