"""What a call cost, at the price of its time. An unknown price is None, never 0."""

from datetime import UTC, datetime

from genai_prices import Usage as Tokens
from genai_prices import calc_price

from vestigia.domain.effects import Usage
from vestigia.models.connected.connection import Connection

_MILLION = 1_000_000


def cost(connection: Connection, usage: Usage, at: datetime) -> float | None:
    """Return US dollars: the price of the settings, else of the published list, else None."""
    if usage.input_tokens is None or usage.output_tokens is None:
        return None
    cached = usage.cached_tokens or 0
    price = connection.price
    if price is not None:
        fresh = usage.input_tokens - cached
        read = price.input if price.cached is None else price.cached
        return (fresh * price.input + cached * read + usage.output_tokens * price.output) / _MILLION
    if not connection.kind.hosted:
        return None
    tokens = Tokens(input_tokens=usage.input_tokens, cache_read_tokens=cached, output_tokens=usage.output_tokens)
    try:
        found = calc_price(
            tokens, connection.model, provider_id=connection.provider, genai_request_timestamp=at.astimezone(UTC)
        )
    except (LookupError, ValueError):
        return None
    return float(found.total_price)


def is_priced(connection: Connection, at: datetime) -> bool:
    """Whether a call of this model has a known price."""
    return cost(connection, Usage(1, 1, 0), at) is not None
