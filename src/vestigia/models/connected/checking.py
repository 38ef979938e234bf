"""Trying a model out: one small question with a schema, and what its server says of itself (`vestigia models`)."""

import json
from dataclasses import dataclass

from vestigia.domain.effects import Replied, Stop
from vestigia.domain.errors import ModelUnavailableError
from vestigia.models.connected.facts import facts_of
from vestigia.models.connected.language import LanguageModel
from vestigia.models.connected.schemas import Schema

ASKED = "Which is the capital of France? Answer with its name."
"""Says nothing of JSON: only a server that holds the reply to the schema answers with an object."""
SCHEMA: Schema = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
ASKED_PLAINLY = 'Which is the capital of France? Reply with one JSON object and nothing else: {"city": "its name"}'
LISTED = 20
SAID = 160
"""Characters of a refusal that are told."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a server can do. None is not known; `problem` says why it could not be asked, with the remedy.

    `native` is whether it held a reply to a schema, `prompted` whether it gave an object when asked in words; `window`
    is what the server says it takes, `speed` tokens of reply a second, `cost` that of the check.
    """

    native: bool | None = None
    prompted: bool | None = None
    window: int | None = None
    seconds: float | None = None
    speed: float | None = None
    cost: float | None = None
    served: str = ""
    models: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    problem: str = ""


async def check(model: LanguageModel) -> Checked:
    """Ask a model one small question, a second one where it took no schema. Never raises for what a server does."""
    ours = model.connection.window
    window, models = await facts_of(model.connection)
    try:
        first = await model.answer(ASKED, SCHEMA)
        native = _is_object(first) and model.takes_schemas
        last = first if native else await model.answer(ASKED_PLAINLY, None)
    except ModelUnavailableError as error:
        there = f" It has: {', '.join(models[:LISTED])}." if models and model.connection.model not in models else ""
        return Checked(window=window, models=models, problem=f"{error}{there}")
    prompted = None if native else _is_object(last)
    wrote, seconds = last.usage.output_tokens, last.usage.seconds
    costs = [replied.usage.cost for replied in ((first,) if native else (first, last))]
    return Checked(
        native=native,
        prompted=prompted,
        window=window,
        seconds=seconds,
        speed=round(wrote / seconds, 1) if wrote and seconds else None,
        cost=None if None in costs else sum(cost for cost in costs if cost is not None),
        served=last.served,
        models=models,
        notes=(*first.notes, *_warnings(ours, window, last)),
        problem=_useless(model, last) if prompted is False else "",
    )


def _useless(model: LanguageModel, last: Replied) -> str:
    """Why a model that answers can be used for nothing, with the remedy."""
    name = model.connection.name
    if last.stop is Stop.TOO_LONG:
        return (
            f"{name}: it took not even the small question: {last.text}. Let its server, and `window`, take more tokens."
        )
    said = {Stop.REFUSED: f"it refused ({last.text[:SAID]})", Stop.LENGTH: "its reply was cut off"}
    how = said.get(last.stop, "its reply was no JSON" if last.text.strip() else "its reply was empty")
    return (
        f"{name}: it answers, but {how} even when asked for JSON in words: a run could read none of its replies. "
        f"Take another model, or check `options` and `max_reply` of models.{name}."
    )


def _warnings(ours: int, window: int | None, last: Replied) -> tuple[str, ...]:
    notes = []
    if last.stop is not Stop.ENDED:
        notes.append(f"the small question was not answered: {last.stop}")
    if window and ours > window:
        notes.append(f"`window` says {ours} tokens, the server takes {window}: set window = {window}")
    if not ours:
        notes.append(f"no `window` is set: {f'set window = {window}' if window else 'say how many tokens it takes'}")
    return tuple(notes)


def _is_object(replied: Replied) -> bool:
    text = replied.text.strip().removeprefix("```json").strip("`\n ")
    try:
        found = json.loads(text)
    except ValueError:
        return False
    return isinstance(found, dict) and isinstance(found.get("city"), str)
