"""A line of the settings: provider, address, and what may never be in it."""

import pytest

from vestigia.domain.errors import SettingsError
from vestigia.models.connected.connection import (
    PROVIDERS,
    Connection,
    Limits,
    address_of,
    is_loopback,
    provider_and_model,
)


def test_a_model_is_named_by_its_provider_and_its_own_name_which_may_have_slashes():
    assert provider_and_model("m", "openrouter/deepseek/deepseek-chat") == ("openrouter", "deepseek/deepseek-chat")


@pytest.mark.parametrize("written", ["gpt-4o", "acme/gpt", "openai/", "/gpt", ""])
def test_a_provider_that_is_none_is_told_with_those_there_are(written):
    with pytest.raises(SettingsError, match=r"vestigia\.toml, models\.m\.model: .* providers are: openai, "):
        provider_and_model("m", written)


@pytest.mark.parametrize("provider", [name for name in PROVIDERS if name != "compatible"])
def test_every_provider_but_a_compatible_one_is_somewhere(provider):
    assert address_of("m", provider, "") == PROVIDERS[provider].address
    assert address_of("m", provider, "http://there:1/v1/") == "http://there:1/v1"


def test_a_compatible_server_must_be_said_where_it_is():
    with pytest.raises(SettingsError, match=r"models\.m\.base_url: it is missing\. Say where"):
        address_of("m", "compatible", "")


@pytest.mark.parametrize(
    "written",
    [
        "127.0.0.1:8080",
        "ftp://x/",
        "http://",
        "https://u:secret@x/v1",
        "http://x:99999/v1",
        "http://x/v1?key=secret",
        "http://[/",
    ],
)
def test_an_address_that_is_none_or_holds_a_key_is_refused_without_repeating_it(written):
    with pytest.raises(SettingsError, match="it is no plain address of a server") as error:
        address_of("m", "compatible", written)
    assert "secret" not in str(error.value)


@pytest.mark.parametrize(
    ("address", "here"),
    [
        ("http://127.0.0.1:1/v1", True),
        ("http://localhost/v1", True),
        ("http://[::1]:8080", True),
        ("http://a.localhost", True),
        ("http://10.0.0.1/v1", False),
        ("https://localhost.example.org", False),
        ("https://api.openai.com/v1", False),
    ],
)
def test_what_is_on_this_very_machine_is_known_by_its_address(address, here):
    assert is_loopback(address) is here


@pytest.mark.parametrize(("window", "reply", "room"), [(0, 4096, 4096), (100_000, 4096, 4096), (4096, 4096, 1024)])
def test_at_most_a_quarter_of_the_window_is_kept_for_the_reply(window, reply, room):
    assert Connection("m", "openai", "x", "", window=window, limits=Limits(reply=reply)).room == room


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("key sk-0123456789abcdef given", "key [key] given"),
        ("key sk-012345678…", "key [key]…"),
        ("…56789abcdef: wrong", "…56789abcdef: wrong"),
        ("…456789abcdef: wrong", "…[key]: wrong"),
    ],
)
def test_a_key_or_a_longer_part_of_it_is_struck_out(said, told):
    assert Connection("m", "openai", "x", "", key="sk-0123456789abcdef").without_key(said) == told


def test_a_text_stays_as_it_is_where_there_is_no_key():
    assert Connection("m", "openai", "x", "").without_key("as it is") == "as it is"
