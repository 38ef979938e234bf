"""The shape of each reply as a JSON schema, for servers that hold a model to one. Small on purpose: objects, arrays,
strings, enums; every field required, none besides. Verdicts are a closed list, passages those that were shown.

A schema is a help, not a promise: every reply is checked again where it is read.
"""

from collections.abc import Sequence
from typing import Any

from vestigia.domain.evidence import Decision
from vestigia.domain.requests import (
    BriefRequest,
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

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
NOTHING: Schema = {"type": "null"}
ABSENT: Schema = {"anyOf": [TEXT, NOTHING]}
"""A text or nothing; Anthropic's client takes no list of types."""
ACTIONS = ("words", "meaning", "date", "exact", "review", "finish")


def schema_of(request: Request) -> Schema:  # noqa: PLR0911  one return a request
    """Return the schema of the reply to a request."""
    match request:
        case PlanRequest() | ReplanRequest():
            return _plan([sub_corpus.name for sub_corpus in request.sub_corpora])
        case StepRequest():
            return _step()
        case ReviewRequest():
            return _review([shown.passage for shown in request.passages])
        case ReevaluateRequest():
            return _reevaluate([shown.passage for shown in request.held])
        case BriefRequest():
            return _object(**{part: _list(TEXT) for part in ("facts", "dates", "entities", "gaps", "hints")})
        case RankRequest():
            return _object(thought=TEXT, order=_list(_one_of([one.document for one in request.group])))
        case JudgeRequest():
            return _object(argument=TEXT, quote=TEXT, score={"anyOf": [{"type": "integer"}, NOTHING]})
        case QuoteRequest():
            names = [shown.passage for shown in request.passages]
            return _object(thought=TEXT, quotes=_list(_object(passage=_one_of(names), quote=TEXT)))
        case InterpretRequest() | SynthesisRequest():
            claim = _object(text=TEXT, quotes=_list({"type": "integer"}))
            return _object(claims=_list(claim), silence=TEXT)


def _plan(sub_corpora: Sequence[str]) -> Schema:
    entity = _object(text=TEXT, added={"type": "boolean"})
    part = _object(text=TEXT, sub_corpus=_one_of(sub_corpora), entities=_list(entity))
    return _object(thought=TEXT, sub_questions=_list(part))


def _step() -> Schema:
    args = {
        "query": ABSENT,
        "sub_corpora": _list(TEXT),
        "centre": ABSENT,
        "days": {"anyOf": [{"type": "integer"}, NOTHING]},
    }
    return _object(
        thought=TEXT,
        action=_one_of(ACTIONS),
        args=_object(**args, **{"from": ABSENT, "to": ABSENT}),
        memory_update=_memory(),
    )


def _review(passages: Sequence[str]) -> Schema:
    verdict = _object(passage=_one_of(passages), verdict=_one_of(list(Decision)), reason=TEXT, quote=TEXT)
    args = _object(verdicts=_list(verdict))
    return _object(thought=TEXT, action=_one_of(["review"]), args=args, memory_update=_memory())


def _reevaluate(passages: Sequence[str]) -> Schema:
    return _object(thought=TEXT, promote=_list(_object(passage=_one_of(passages), reason=TEXT, quote=TEXT)))


def _memory() -> Schema:
    return _object(**dict.fromkeys(("findings", "analysis", "evidence", "gaps", "next_steps"), ABSENT))


def _object(**fields: Schema) -> Schema:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def _one_of(names: Sequence[str]) -> Schema:
    return {"type": "string", "enum": [str(name) for name in names]} if names else TEXT
