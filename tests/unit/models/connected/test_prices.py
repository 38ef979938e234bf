"""T16: the price of a call at its time; unknown stays unknown."""

from datetime import UTC, datetime

import pytest

from vestigia.domain.effects import Usage
from vestigia.models.connected.connection import Connection, Price
from vestigia.models.connected.prices import cost

SUMMER, AUTUMN = datetime(2026, 7, 1, tzinfo=UTC), datetime(2026, 11, 20, tzinfo=UTC)


def to(provider, model, price=None):
    return Connection("m", provider, model, "http://127.0.0.1:1", price=price)


def test_the_papers_bill_comes_out_at_the_price_of_its_time():
    """TRACE: 177.6 M tokens in and 39.7 M out on DeepSeek-V4-Flash cost about 36 USD (`ecosystem.md`)."""
    whole = Usage(177_600_000, 39_700_000, 0)
    assert cost(to("deepseek", "deepseek-v4-flash"), whole, SUMMER) == pytest.approx(35.98, abs=0.01)
    later = cost(to("deepseek", "deepseek-v4-flash"), whole, AUTUMN)
    assert later is not None
    assert later > 36


@pytest.mark.parametrize(
    ("provider", "model"),
    [("openai", "no-such-model"), ("ollama", "gpt-4o"), ("compatible", "gpt-4o"), ("llama.cpp", "gpt-4o")],
)
def test_an_unknown_price_is_unknown_and_never_0(provider, model):
    assert cost(to(provider, model), Usage(1000, 1000, 0), SUMMER) is None


@pytest.mark.parametrize("usage", [Usage(), Usage(10, None), Usage(None, 10)])
def test_without_counted_tokens_there_is_no_price(usage):
    assert cost(to("openai", "gpt-4o", Price(1, 1)), usage, SUMMER) is None


@pytest.mark.parametrize(
    ("price", "usd"), [(Price(2, 10), 2.0 + 5.0), (Price(2, 10, 0.5), 1.5 + 0.125 + 5.0), (Price(0, 0), 0.0)]
)
def test_a_price_of_the_settings_is_for_a_million_tokens_and_cached_ones_may_have_their_own(price, usd):
    assert cost(to("compatible", "m", price), Usage(1_000_000, 500_000, 250_000), SUMMER) == pytest.approx(usd)
