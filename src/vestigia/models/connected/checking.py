"""Trying a model out: one small question with a schema, and what its server says of itself (`vestigia models`)."""

import json
from dataclasses import dataclass
from typing import Any

import httpx2

from vestigia.domain.effects import Replied, Stop
from vestigia.domain.errors import ModelUnavailableError
from vestigia.models.connected.connection import Connection
from vestigia.models.connected.language import LanguageModel
from vestigia.models.connected.schemas import Schema
from vestigia.models.connected.wires import client_of

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
    window, models = await facts_of(model.connection)
    try:
        first = await model.answer(ASKED, SCHEMA)
        native = _is_object(first) and model.takes_schemas
        last = first if native else await model.answer(ASKED_PLAINLY, None)
    except ModelUnavailableError as error:
        there = f" It has: {', '.join(models[:LISTED])}." if models and model.connection.model not in models else ""
        return Checked(window=window, models=models, problem=f"{error}{there}")
    wrote, seconds = last.usage.output_tokens, last.usage.seconds
    costs = [replied.usage.cost for replied in ((first,) if native else (first, last))]
    return Checked(
        native=native,
        prompted=None if native else _is_object(last),
        window=window,
        seconds=seconds,
        speed=round(wrote / seconds, 1) if wrote and seconds else None,
        cost=None if None in costs else sum(cost for cost in costs if cost is not None),
        served=last.served,
        models=models,
        notes=(*first.notes, *_warnings(model.connection, window, last)),
    )


def _warnings(connection: Connection, window: int | None, last: Replied) -> tuple[str, ...]:
    notes = []
    if last.stop is not Stop.ENDED:
        notes.append(f"the small question was not answered: {last.stop}")
    if window and connection.window > window:
        notes.append(f"`window` says {connection.window} tokens, the server takes {window}: set window = {window}")
    if not connection.window:
        notes.append(f"no `window` is set: {f'set window = {window}' if window else 'say how many tokens it takes'}")
    return tuple(notes)


def _is_object(replied: Replied) -> bool:
    text = replied.text.strip().removeprefix("```json").strip("`\n ")
    try:
        found = json.loads(text)
    except ValueError:
        return False
    return isinstance(found, dict) and isinstance(found.get("city"), str)


async def facts_of(connection: Connection) -> tuple[int | None, tuple[str, ...]]:
    """Ask a server of OpenAI's kind how many tokens its model takes and which models it has; what it does not say is
    not known.
    """
    if connection.kind.wire != "openai":
        return None, ()
    root = connection.address.removesuffix("/v1")
    async with client_of(connection) as client:
        listed = await _page(client, connection, f"{connection.address}/models")
        rows = [row for row in _list(listed, "data") if isinstance(row, dict)]
        names = tuple(str(row["id"]) for row in rows if row.get("id"))
        mine: dict[str, Any] = next((row for row in rows if row.get("id") == connection.model), {})
        window = _number(mine, "max_model_len") or _number(mine, "context_length")
        if not window and connection.provider in {"llama.cpp", "compatible"}:
            props = await _page(client, connection, f"{root}/props")
            window = _number(_part(props, "default_generation_settings"), "n_ctx")
        if not window and connection.provider in {"lmstudio", "compatible"}:
            shelf = _list(await _page(client, connection, f"{root}/api/v0/models"), "data")
            window = _number(_named(shelf, "id", connection.model), "loaded_context_length")
        if not window and connection.provider in {"ollama", "compatible"}:
            window = await _ollama(client, connection, root)
    return window, names


async def _ollama(client: httpx2.AsyncClient, connection: Connection, root: str) -> int | None:
    """What Ollama runs the model with: as loaded now, else as its parameters say; never what it was trained with."""
    running = _list(await _page(client, connection, f"{root}/api/ps"), "models")
    if loaded := _number(_named(running, "name", connection.model), "context_length"):
        return loaded
    shown = await _page(client, connection, f"{root}/api/show", {"model": connection.model})
    parameters = str(_part(shown, "").get("parameters", "")) if isinstance(shown, dict) else ""
    words = parameters.split()
    said = words[words.index("num_ctx") + 1 :] if "num_ctx" in words else []
    return int(said[0]) if said and said[0].isdigit() else None


async def _page(client: httpx2.AsyncClient, connection: Connection, url: str, body: object = None) -> object:
    headers = {"authorization": f"Bearer {connection.key}"} if connection.key else {}
    try:
        if body is None:
            answered = await client.get(url, headers=headers, timeout=10)
        else:
            answered = await client.post(url, headers=headers, json=body, timeout=10)
        return answered.json() if answered.is_success else None
    except (httpx2.HTTPError, ValueError, RecursionError):
        return None


def _part(page: object, name: str) -> dict[str, Any]:
    part = page.get(name, page) if isinstance(page, dict) else None
    return part if isinstance(part, dict) else {}


def _list(page: object, name: str) -> list[Any]:
    found = page.get(name) if isinstance(page, dict) else None
    return found if isinstance(found, list) else []


def _named(rows: list[Any], field: str, name: str) -> dict[str, Any]:
    return next((row for row in rows if isinstance(row, dict) and row.get(field) == name), {})


def _number(row: dict[str, Any], name: str) -> int | None:
    found = row.get(name)
    return found if isinstance(found, int) and found > 0 else None
