"""One request to a server in its own wire format, by pydantic-ai: no agent, no loop, no tools, no tries of its own.

Everything that library knows is imported here and nowhere else, and only when a model is asked: it takes seconds.
"""

import json
import ssl
import warnings
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import httpx2
from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ThinkingPart, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings

from vestigia.domain.effects import Usage
from vestigia.models.connected.connection import Connection, is_loopback
from vestigia.models.connected.schemas import Schema

if TYPE_CHECKING:
    from pydantic_ai.models import Model

CONNECT = 10.0
"""Seconds a server may take to accept a connection; a busy one answers later, one that is absent never."""
NO_KEY = "none"
"""Servers of one's own want no key, but their clients want one to send."""


@dataclass(frozen=True, slots=True)
class Received:
    """What came back: the text without its thinking, why it ended (`stop`, `length`, `content_filter` ...), usage."""

    text: str
    ended: str
    usage: Usage
    served: str = ""
    thought: int = 0
    """Characters of thinking that came apart from the text; not kept."""
    refusal: str = ""


async def send(connection: Connection, words: str, schema: Schema | None) -> Received:
    """Send words and return the reply; with a `schema` the server is asked to hold the reply to it.

    Raises whatever pydantic-ai raises; `faults` puts it into words.
    """
    async with client_of(connection) as client:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # settings that a model does not take are left out with a warning
            response = await model_request(
                _model(connection, client),
                [ModelRequest(parts=[UserPromptPart(words)])],
                model_settings=_settings(connection),
                model_request_parameters=_parameters(schema),
                instrument=False,
            )
    return _received(response)


def ready(connection: Connection) -> None:
    """Import what the wire needs, which takes seconds, before anybody looks at a watch."""
    match connection.kind.wire:
        case "openai":
            import pydantic_ai.models.openai
        case "anthropic":
            import pydantic_ai.models.anthropic
        case "google":
            import pydantic_ai.models.google  # noqa: F401


class SentElsewhereError(httpx2.HTTPError):
    """The server answers with another address. It is not followed: it may be anybody's."""


async def _stay(response: httpx2.Response) -> None:
    if response.is_redirect:
        raise SentElsewhereError(str(response.status_code))


@cache
def _trusted() -> ssl.SSLContext:
    """The certificates trusted, read once: that costs more than a call."""
    return httpx2.create_ssl_context()


def client_of(connection: Connection) -> httpx2.AsyncClient:
    """Make a client for one call: it follows nothing, and goes through no proxy to this very machine."""
    return httpx2.AsyncClient(
        timeout=httpx2.Timeout(connection.limits.timeout, connect=CONNECT),
        follow_redirects=False,
        trust_env=not is_loopback(connection.address),
        verify=_trusted() if connection.address.startswith("https:") else False,
        event_hooks={"response": [_stay]},
    )


def _settings(connection: Connection) -> ModelSettings:
    settings = ModelSettings(max_tokens=connection.room, temperature=0.0, timeout=connection.limits.timeout)
    if options := json.loads(connection.options):
        settings["extra_body"] = options
    return settings


def _parameters(schema: Schema | None) -> ModelRequestParameters:
    if schema is None:
        return ModelRequestParameters(output_mode="text")
    unshared = json.loads(json.dumps(schema))  # the vendors' clients change its parts in place
    wanted = OutputObjectDefinition(json_schema=unshared, name="reply", strict=True)
    return ModelRequestParameters(output_mode="native", output_object=wanted)


def _model(connection: Connection, client: httpx2.AsyncClient) -> "Model":
    match connection.kind.wire:
        case "openai":
            return _openai(connection, client)
        case "anthropic":
            return _anthropic(connection, client)
        case "google":
            return _google(connection, client)


def _openai(connection: Connection, client: httpx2.AsyncClient) -> "Model":
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider

    api = AsyncOpenAI(api_key=connection.key or NO_KEY, base_url=connection.address, http_client=client, max_retries=0)
    provider = OpenAIProvider(openai_client=api)
    if connection.provider == "openai":
        return OpenAIChatModel(connection.model, provider=provider)
    known = OpenAIModelProfile(supports_json_schema_output=True, openai_chat_supports_max_completion_tokens=False)
    return OpenAIChatModel(connection.model, provider=provider, profile=known)


def _anthropic(connection: Connection, client: httpx2.AsyncClient) -> "Model":
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    api = AsyncAnthropic(
        api_key=connection.key or NO_KEY, base_url=connection.address, http_client=client, max_retries=0
    )
    return AnthropicModel(connection.model, provider=AnthropicProvider(anthropic_client=api))


def _google(connection: Connection, client: httpx2.AsyncClient) -> "Model":
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    provider = GoogleProvider(api_key=connection.key or NO_KEY, base_url=connection.address, http_client=client)
    return GoogleModel(connection.model, provider=provider)


def _received(response: ModelResponse) -> Received:
    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    thought = sum(len(part.content) for part in response.parts if isinstance(part, ThinkingPart))
    said = (response.provider_details or {}).get("refusal")
    counted = response.usage
    known = bool(counted.input_tokens or counted.output_tokens)  # a server that counts nothing reports nothing
    usage = Usage(counted.input_tokens, counted.output_tokens, counted.cache_read_tokens) if known else Usage()
    return Received(
        whole(text),
        str(response.finish_reason or ""),
        usage,
        response.model_name or "",
        thought,
        whole(said) if isinstance(said, str) else "",
    )


def whole(text: str) -> str:
    """Return a text without the halves of characters that no record can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
