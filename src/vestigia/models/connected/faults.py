"""What can go wrong with a call, in one sentence each with what to do: whether to try again, to stop, or to ask less.

Nothing a server says is repeated at length, and never a key.
"""

import ssl
from dataclasses import dataclass
from enum import Enum, auto
from math import isfinite

import httpx2
from pydantic_ai import exceptions as told

from vestigia.domain.errors import ModelUnavailableError
from vestigia.models.connected.connection import Connection
from vestigia.models.connected.wires import SentElsewhereError

EXPECTED = (told.AgentRunError, told.UserError, httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError)
"""What a call may raise; anything else is a fault of this program."""
_SAID = 160
_BIG = (
    "context length",
    "context window",
    "context_length",
    "exceed_context_size",
    "keep the first",
    "maximum context",
    "prompt is too long",
    "too many tokens",
)
_SCHEMA = ("response_format", "json_schema", "schema", "structured output", "native structured", "output_format")
_CRASH = "process has terminated"


class Course(Enum):
    """What to do about a fault."""

    AGAIN = auto()
    """Try again: it may pass."""
    STOP = auto()
    """Pause the run: a person must see to it, or time must pass."""
    LESS = auto()
    """The request does not fit: ask for less."""
    PLAIN = auto()
    """The server does not take the schema: ask without it."""
    REFUSED = auto()
    """It will not answer this."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: what to do, what happened, the remedy for people, and the seconds the server asks to wait."""

    course: Course
    what: str
    remedy: str = "Try again later: a run that is paused goes on where it stood."
    wait: float | None = None

    def error(self, connection: Connection) -> ModelUnavailableError:
        """Make the error that pauses a run."""
        what = connection.without_key(self.what)
        return ModelUnavailableError(f"{what}.", where=connection.name, remedy=connection.without_key(self.remedy))


def fault_of(error: Exception, connection: Connection) -> Fault:
    """Put an error into words."""
    match error:
        case told.ModelHTTPError():
            return _answered(error, connection)
        case told.ModelTimeoutError() | TimeoutError():
            return _too_slow(connection)
        case told.ContentFilterError():
            return Fault(Course.REFUSED, "a content filter stopped it")
        case told.ModelAPIError() | httpx2.HTTPError() | httpx2.InvalidURL() | OSError():
            return _unreached(error, connection)
        case told.UserError():
            return Fault(Course.PLAIN, f"no schema can be sent to {connection.title}")
        case _:
            return Fault(
                Course.STOP,
                f"what answers at {connection.address} is no language model ({type(error).__name__})",
                f"Correct models.{connection.name}.base_url; for OpenAI-compatible servers it usually ends in /v1.",
            )


def _too_slow(connection: Connection) -> Fault:
    seconds = f"{connection.limits.timeout:g} s"
    # A server of one's own goes on working at what nobody waits for: asking again piles work up.
    course = Course.STOP if connection.own else Course.AGAIN
    return Fault(
        course,
        f"no answer came within {seconds}",
        f"Raise models.{connection.name}.timeout, or take a smaller model.",
    )


def _unreached(error: Exception, connection: Connection) -> Fault:
    causes = _causes(error)
    if any(isinstance(cause, httpx2.InvalidURL) for cause in causes):
        return Fault(
            Course.STOP,
            f"{connection.address} is no address of a server",
            f"Correct models.{connection.name}.base_url.",
        )
    if any(isinstance(cause, SentElsewhereError) for cause in causes):
        return Fault(
            Course.STOP,
            f"{connection.address} sends elsewhere, which is not followed",
            f"Write the address it sends to as models.{connection.name}.base_url, if you trust it.",
        )
    if (secured := next((cause for cause in causes if isinstance(cause, ssl.SSLError)), None)) is not None:
        return _unsecured(secured, connection)
    if any(isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout | ConnectionRefusedError) for cause in causes):
        return Fault(
            Course.AGAIN,
            f"no server answers at {connection.address}",
            f"Start it, or correct models.{connection.name}.base_url.",
        )
    if any(isinstance(cause, httpx2.TimeoutException) for cause in causes):
        return _too_slow(connection)
    return Fault(Course.AGAIN, f"the connection to {connection.address} broke off")


def _unsecured(error: ssl.SSLError, connection: Connection) -> Fault:
    if isinstance(error, ssl.SSLCertVerificationError):
        return Fault(
            Course.STOP,
            f"the certificate of {connection.address} is not trusted ({error.verify_message})",
            "Use the name that the certificate is for; if your institution signs its own, "
            "put its certificates into the file that SSL_CERT_FILE names.",
        )
    return Fault(
        Course.STOP,
        f"what answers at {connection.address} does not speak https",
        f"Correct models.{connection.name}.base_url: a server on your own machine usually speaks http. ",
    )


def _causes(error: BaseException | None) -> list[BaseException]:
    """An error and those behind it, the outermost first."""
    causes: list[BaseException] = []
    while error is not None and error not in causes:
        causes.append(error)
        error = error.__cause__ or error.__context__
    return causes


def _answered(error: told.ModelHTTPError, connection: Connection) -> Fault:  # noqa: PLR0911  one branch a fault
    status, said = error.status_code, _said(error.body)
    low = said.casefold()
    if isinstance(error, told.ModelContextWindowExceededError) or any(sign in low for sign in _BIG):
        return Fault(Course.LESS, f"the server says it is too long ({_short(said)})")
    if isinstance(error, told.ModelQuotaExceededError) or status == 402:
        return Fault(
            Course.STOP,
            f"the account's quota is used up ({status})",
            "Top it up or raise its limit.",
        )
    if isinstance(error, told.ModelRateLimitError) or status == 429:
        return _later("it answers that there were too many requests (429)", error, connection)
    if status in {401, 403}:
        source = connection.key_from or f"none is set: give models.{connection.name}.key"
        why = "the key was not accepted (401)" if status == 401 else f"access was refused (403: {_short(said)})"
        return Fault(Course.STOP, why, f"Check the key ({source}) and what it may do.")
    if status == 404:
        return _not_found(said, connection)
    if _CRASH in low:
        return Fault(
            Course.STOP,
            "the server's model process crashed",
            "Look at the server's own log: memory and processor features are the usual causes.",
        )
    if status >= 500 or status in {408, 409, 425}:
        return _later(f"the server failed ({status})", error, connection)
    return Fault(
        Course.PLAIN if any(sign in low for sign in _SCHEMA) else Course.STOP,
        f"the server refuses the request ({status}: {_short(said)})",
        f"Check model and options of models.{connection.name}, with `vestigia models ARCHIVE check`.",
    )


def _later(what: str, error: told.ModelHTTPError, connection: Connection) -> Fault:
    """Try again after the seconds the server asks for, where they are a number; say so where that is too long."""
    asked = error.retry_after
    if asked is None or not isfinite(asked):
        return Fault(Course.AGAIN, what)
    if asked <= connection.limits.patience:
        return Fault(Course.AGAIN, what, wait=max(asked, 0.0))
    hours = asked / 3600
    time = f"{asked:.0f} s" if asked < 7200 else f"{hours:.0f} hours" if hours < 100 else f"{hours / 24:.0f} days"
    remedy = "Try again then: a run that is paused goes on where it stood."
    return Fault(Course.AGAIN, f"{what} and asks to wait {time}", remedy, asked)


def _not_found(said: str, connection: Connection) -> Fault:
    if "model" in said.casefold():
        return Fault(
            Course.STOP,
            f"there is no model {connection.model!r} there",
            f"Correct models.{connection.name}.model; `vestigia models ARCHIVE check` lists what the server has.",
        )
    return Fault(
        Course.STOP,
        f"{connection.address} has no interface for models (404)",
        f"Correct models.{connection.name}.base_url; for OpenAI-compatible servers it usually ends in /v1.",
    )


def _said(body: object) -> str:
    """What the server said of the error, whatever shape it came in."""
    if isinstance(body, dict):
        inner = body.get("error", body)
        parts = inner if isinstance(inner, dict) else {"message": inner}
        told_of = (str(parts[name]) for name in ("message", "code", "type", "detail") if parts.get(name))
        return " ".join(dict.fromkeys(told_of))
    return str(body or "")


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _SAID else flat[:_SAID] + " …"
