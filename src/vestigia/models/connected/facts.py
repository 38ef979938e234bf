"""What servers of OpenAI's kind say of themselves: how many tokens they take, and which models they have.

Each kind tells it in its own way; what one does not tell is not known, and never taken from elsewhere.
"""

from typing import Any

import httpx2

from vestigia.models.connected.connection import Connection
from vestigia.models.connected.wires import client_of

PATIENCE = 5.0
"""Seconds a server may take to say so."""


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
            answered = await client.get(url, headers=headers, timeout=PATIENCE)
        else:
            answered = await client.post(url, headers=headers, json=body, timeout=PATIENCE)
        return answered.json() if answered.is_success else None
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, RecursionError):
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
