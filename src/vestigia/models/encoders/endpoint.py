"""Asking a server over HTTP: how long to wait, when to ask again, and every failure in words.

Redirects are not followed: archive text goes to the address a person wrote down and to no other.
"""

import json
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import urlsplit

from vestigia.domain.errors import ModelUnavailableError

if TYPE_CHECKING:
    import httpx2

TRIES = 4
_OK = 200
_CONNECT = 5.0
_BEGIN, _MOST = 1.0, 60.0
"""Seconds of the first pause, doubled each time, and the longest pause that is worth it."""
_SAID = 300
_AGAIN = frozenset({408, 429, 500, 502, 503, 504, 529})
_OF_LENGTH = (
    "context length",
    "context size",
    "exceed_context",
    "input length",
    "maximum context",
    "must have less than",
    "too large to process",
    "too long",
    "too many tokens",
    "batch size",
)
"""What servers say of a text, or of a number of texts, that they cannot take at once."""
_HOPELESS = ("runner process has terminated", "unexpectedly stopped")
"""What a local server says when its engine crashed: the same text would bring it down again."""


class TooLongError(Exception):
    """The server says that a text is longer than its model can read."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server and the key for it. `called` is how messages name it; `sleep` and `chance` are those of the clock."""

    url: str
    called: str
    key: str = field(default="", repr=False)
    timeout: float = 300.0
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random

    def post(self, path: str, body: Mapping[str, Any]) -> Any:  # noqa: ANN401  (whatever JSON it answers with)
        """Return the server's answer. Raises TooLongError, and ModelUnavailableError for every other failure."""
        attempt = 0
        while True:
            attempt += 1
            try:
                answer = self._send(path, body)
            except ConnectionResetError:
                if attempt == TRIES:
                    raise self._error("broke off each time", "Look at its log; try again.") from None
                self.sleep(_pause(attempt, "", self.chance()))
                continue
            if answer.status_code == _OK:
                return self._json(answer)
            said = self._said(answer)
            if _is_too_long(answer.status_code, said):
                raise TooLongError(said)
            again = answer.status_code in _AGAIN and not any(words in said.lower() for words in _HOPELESS)
            pause = _pause(attempt, answer.headers.get("retry-after", ""), self.chance())
            if not again or attempt == TRIES or pause > _MOST:
                self._refuse(answer.status_code, said, pause if again else 0)
            self.sleep(pause)

    def _send(self, path: str, body: Mapping[str, Any]) -> "httpx2.Response":
        """Send one request. Raises ConnectionResetError where the server broke off, which is worth another try."""
        import httpx2  # noqa: PLC0415  (slow to import: only when a server is asked)

        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        limits = httpx2.Timeout(self.timeout, connect=_CONNECT)
        url = self.url.rstrip("/") + path
        try:
            return _client(is_here(self.url)).post(url, json=dict(body), headers=headers, timeout=limits)
        except (httpx2.RemoteProtocolError, httpx2.ReadError) as problem:
            raise ConnectionResetError(str(problem)) from problem
        except httpx2.ConnectTimeout as problem:
            raise self._error("does not answer", "Check the address and the network.") from problem
        except httpx2.TimeoutException as problem:
            what = f"did not answer within {self.timeout:g} s"
            remedy = "Raise `timeout`, lower `batch`, or let the server load its model first."
            raise self._error(what, remedy) from problem
        except (httpx2.HTTPError, httpx2.InvalidURL) as problem:
            said = str(problem) or type(problem).__name__
            raise self._error(f"cannot be reached ({said})", "Start it, or correct `url`.") from problem

    def _json(self, answer: "httpx2.Response") -> Any:  # noqa: ANN401
        try:
            return json.loads(answer.content)
        except ValueError as problem:
            what = f"answers with something that is not JSON ({self._shortened(answer.text)!r})"
            raise self._error(what, "Check that `url` is that of the interface for programs.") from problem

    def _said(self, answer: "httpx2.Response") -> str:
        """Return what the server says is wrong, in its own words; the key that some repeat is left out."""
        text = answer.text
        try:
            found = json.loads(answer.content)
        except ValueError:
            found = text
        if isinstance(found, dict):
            found = found.get("error", found.get("detail", found.get("message", text)))
        if isinstance(found, dict):
            found = found.get("message", text)
        return self._shortened(str(found))

    def _refuse(self, status: int, said: str, pause: float) -> NoReturn:
        lowered = said.lower()
        if status in {401, 403}:
            remedy = "Set `key_variable` to the variable that holds a valid key."
        elif status == 404 and "model" in lowered:
            remedy = "Correct `model`, or load that model on the server."
        elif status in {404, 405} or 300 <= status < 400:
            remedy = "Correct `url`: nothing there encodes texts."
        elif status == 429:
            remedy = f"Try again later; it asks for a pause of {pause:.0f} s." if pause else "Try again later."
        elif status == 501:
            remedy = "Start the server with embeddings turned on (llama.cpp: `--embeddings`)."
        elif status >= 500:
            remedy = "Look at the server's log; what was encoded is kept, the same command goes on."
        else:
            remedy = "Check `model`, `url` and `dimensions`."
        raise self._error(f"refuses (HTTP {status}: {said})", remedy)

    def _shortened(self, text: str) -> str:
        said = " ".join((text.replace(self.key, "(key)") if self.key else text).split())
        return said if len(said) <= _SAID else f"{said[:_SAID]} …"

    def _error(self, what: str, remedy: str) -> ModelUnavailableError:
        return ModelUnavailableError(f"{self.called} {what}.", where=self.url, remedy=remedy)


@cache
def _client(here: bool) -> "httpx2.Client":
    """Return the client for this machine or for others; a proxy is for what leaves the machine."""
    import httpx2  # noqa: PLC0415  (slow to import: only when a server is asked)

    return httpx2.Client(follow_redirects=False, trust_env=not here)


def is_here(url: str) -> bool:
    """Whether an address is of this machine, so that nothing sent there leaves it."""
    host = (urlsplit(url).hostname or "").rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _is_too_long(status: int, said: str) -> bool:
    """Whether a refusal is about the length of a text; each server has its own words and codes for it."""
    words = said.lower()
    return status in {400, 413, 422, 500} and any(each in words for each in _OF_LENGTH)


def _pause(attempt: int, asked: str, chance: float) -> float:
    """Return the seconds to wait: what the server asks for, else doubling, and by chance up to a half more."""
    wished = _seconds(asked)
    base = _BEGIN * 2 ** (attempt - 1) if wished is None else wished
    return base * (1 + chance / 2)


def _seconds(asked: str) -> float | None:
    """Read a `Retry-After`: a number of seconds, or a date."""
    try:
        return max(0.0, float(asked))
    except ValueError:
        pass
    try:
        until = parsedate_to_datetime(asked)
    except ValueError:
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
