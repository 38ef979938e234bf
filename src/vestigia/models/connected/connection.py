"""How one language model is reached: a line of the settings, checked and frozen, with its key beside it.

The key lives in this value alone. It is in no text that this package writes, and no part of a fingerprint.
"""

import json
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Literal
from urllib.parse import urlsplit

from vestigia.domain.errors import SettingsError
from vestigia.domain.ids import Digest, digest

Wire = Literal["openai", "anthropic", "google"]


@dataclass(frozen=True, slots=True)
class Provider:
    """A kind of server: the wire format it speaks, where it is unless told otherwise, and what is known of it."""

    wire: Wire
    address: str
    native: bool = True
    """Whether it is known to hold a reply to a schema; it is checked all the same."""
    hosted: bool = False
    """Whether others run it, at prices that are published; its key is by habit in `<NAME>_API_KEY`."""


PROVIDERS = {
    "openai": Provider("openai", "https://api.openai.com/v1", hosted=True),
    "anthropic": Provider("anthropic", "https://api.anthropic.com", native=False, hosted=True),
    "google": Provider("google", "https://generativelanguage.googleapis.com", hosted=True),
    "deepseek": Provider("openai", "https://api.deepseek.com", native=False, hosted=True),
    "mistral": Provider("openai", "https://api.mistral.ai/v1", hosted=True),
    "openrouter": Provider("openai", "https://openrouter.ai/api/v1", native=False, hosted=True),
    "ollama": Provider("openai", "http://127.0.0.1:11434/v1"),
    "llama.cpp": Provider("openai", "http://127.0.0.1:8080/v1"),
    "vllm": Provider("openai", "http://127.0.0.1:8000/v1"),
    "lmstudio": Provider("openai", "http://127.0.0.1:1234/v1"),
    "compatible": Provider("openai", "", native=False),
}


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens, as the settings have them; `cached` is the price of input without it."""

    input: float
    output: float
    cached: float | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """What a call may take: seconds, tries, tokens of a reply, seconds waited for a server that asks to wait."""

    timeout: float = 300.0
    tries: int = 4
    reply: int = 4096
    patience: float = 90.0


@dataclass(frozen=True, slots=True)
class Connection:
    """One configured model. `window` is its context in tokens, 0 unknown; `own` whether nobody else runs it.

    `options` go to the server as they are, e.g. `reasoning_effort`; `key_from` says in words where the key comes from.
    """

    name: str
    provider: str
    model: str
    address: str
    key: str = field(default="", repr=False)
    key_from: str = ""
    window: int = 0
    native: bool = False
    concurrency: int = 1
    price: Price | None = None
    own: bool = False
    limits: Limits = Limits()
    options: str = "{}"
    """An object in JSON."""

    @property
    def kind(self) -> Provider:
        """What is known of its provider."""
        return PROVIDERS[self.provider]

    @property
    def title(self) -> str:
        """The name on everything it wrote."""
        return f"{self.provider}/{self.model}"

    @property
    def fingerprint(self) -> Digest:
        """Digest of what fixes its replies; not of where it stands, what it costs, or how patiently it is asked."""
        fixed = [self.provider, self.model, self.native, self.limits.reply, json.loads(self.options)]
        return digest(json.dumps(fixed, sort_keys=True))

    @property
    def room(self) -> int:
        """Tokens kept for the reply: at most a quarter of the window."""
        return min(self.limits.reply, self.window // 4) if self.window else self.limits.reply

    def without_key(self, text: str) -> str:
        """Return a text in which the key, or a longer part of it, is struck out."""
        for part in (self.key, self.key[:12], self.key[-12:]):
            text = text.replace(part, "[key]") if len(part) >= 8 else text
        return text


def provider_and_model(name: str, written: str) -> tuple[str, str]:
    """Split `provider/model`. Raises SettingsError naming the providers there are."""
    provider, slash, model = written.partition("/")
    if provider in PROVIDERS and _is_name(model, PROVIDERS[provider].wire):
        return provider, model
    if provider in PROVIDERS:
        what = f"{model!r} cannot be the name of a model"
    else:
        what = f"there is no provider {provider!r}" if slash else f"{written!r} names no provider"
    raise SettingsError(
        f"{what}.",
        where=f"vestigia.toml, models.{name}.model",
        remedy=f'Write "provider/model"; the providers are: {", ".join(PROVIDERS)}.',
    )


def address_of(name: str, provider: str, written: str) -> str:
    """Return where the server is. Raises SettingsError for an address that is none, or is missing."""
    where = f"vestigia.toml, models.{name}.base_url"
    address = (written or PROVIDERS[provider].address).rstrip("/")
    if not address:
        raise SettingsError(
            "it is missing.", where=where, remedy='Say where the server is: "http://127.0.0.1:8080/v1".'
        )
    try:
        parts = urlsplit(address)
        good = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        good, parts = False, urlsplit("")
    if (
        not good
        or parts.username
        or parts.password
        or parts.query
        or parts.fragment
        or not _is_written_plainly(address)
    ):
        raise SettingsError(
            "it is no plain address of a server.",
            where=where,
            remedy='Write it as "https://host/v1", without a key, a user, a space, a question mark or a # in it.',
        )
    return address


def _is_name(model: str, wire: Wire) -> bool:
    """Whether a server can be asked for it; Google has the name within the address."""
    in_address = wire != "google" or (
        _is_written_plainly(model) and not any(part in model for part in ("..", "?", "#"))
    )
    return bool(model.strip()) and model.isprintable() and in_address


def _is_written_plainly(address: str) -> bool:
    """Whether it has no space and nothing that cannot be printed."""
    return address.isprintable() and not any(sign.isspace() for sign in address)


def is_loopback(address: str) -> bool:
    """Whether an address is on this very machine."""
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
