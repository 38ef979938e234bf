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
READ = "read"
ACTIONS = ("words", "meaning", "date", "exact", "review", "finish")


def schema_of(request: Request) -> Schema:  # noqa: PLR0911  one return a request
    """Return the schema of the reply to a request."""
    match request:
        case PlanRequest() | ReplanRequest():
            return _plan([sub_corpus.name for sub_corpus in request.sub_corpora])
        case StepRequest():
            return _step()
        case ReviewRequest(numbered=True):
            return _turn(request)
        case ReviewRequest():
            return _review(request)
        case ReevaluateRequest():
            return _reevaluate(request)
        case BriefRequest():
            return _brief()
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
    part = _object(text=TEXT, sub_corpus=_one_of(sub_corpora), entities=_list(entity), after=_list({"type": "integer"}))
    return _object(thought=TEXT, sub_questions=_list(part))


def _step() -> Schema:
    return _object(thought=TEXT, action=_one_of(ACTIONS), args=_arguments(), memory_update=_memory())


def _arguments() -> Schema:
    args = {
        "query": ABSENT,
        "sub_corpora": _list(TEXT),
        "centre": ABSENT,
        "days": {"anyOf": [{"type": "integer"}, NOTHING]},
    }
    return _object(**args, **{"from": ABSENT, "to": ABSENT})


def _review(request: ReviewRequest) -> Schema:
    args = _object(verdicts=_list(_verdict(request, [shown.passage for shown in request.passages])))
    return _object(thought=TEXT, action=_one_of(["review"]), args=args, memory_update=_memory())


def _turn(request: ReviewRequest) -> Schema:
    numbers = _numbers(len(request.passages))
    parts = {
        "thought": TEXT,
        "verdicts": _list(_verdict(request, numbers)),
        "rejected": _list(_object(passages=_list(_one_of(numbers)), reason=TEXT)),
        "memory_update": _memory(),
    }
    following = _object(thought=TEXT, action=_one_of(ACTIONS), args=_arguments())
    return _object(**parts, next=following) if request.ahead else _object(**parts)


def _verdict(request: ReviewRequest, names: Sequence[str]) -> Schema:
    """A verdict; a passage of which only sentences are shown can be asked for whole."""
    words = [*Decision, *([READ] if any(shown.words for shown in request.passages) else [])]
    return _object(passage=_one_of(names), verdict=_one_of(words), reason=TEXT, quote=TEXT)


def _reevaluate(request: ReevaluateRequest) -> Schema:
    shown = [one.passage for one in (*request.held, *request.rejected)]
    names = _numbers(len(shown)) if request.numbered else shown
    promote = _list(_object(passage=_one_of(names), reason=TEXT, quote=TEXT))
    handed = {"brief": _brief(), "replan": {"type": "boolean"}} if request.brief else {}
    return _object(thought=TEXT, promote=promote, **handed)


def _brief() -> Schema:
    return _object(**{part: _list(TEXT) for part in ("facts", "dates", "entities", "gaps", "hints")})


def _numbers(of: int) -> list[str]:
    return [str(number) for number in range(1, of + 1)]


def _memory() -> Schema:
    return _object(**dict.fromkeys(("findings", "analysis", "evidence", "gaps", "next_steps"), ABSENT))


def _object(**fields: Schema) -> Schema:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def _one_of(names: Sequence[str]) -> Schema:
    return {"type": "string", "enum": [str(name) for name in names]} if names else TEXT
