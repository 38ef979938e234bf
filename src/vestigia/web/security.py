"""What stands before every page: whose name the request came under, how much it may bring, who may have sent it, and
what a browser may do with the answer.

A session is a random name in a cookie; the token of its forms is a digest of it, so nothing is kept here. A form of
another site knows neither. A request proven by a token in its header (`Visitor.by_token`) needs no such proof.
"""

import hmac
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from vestigia.domain.errors import VestigiaError
from vestigia.web.faults import ForbiddenError, TooLargeError, respond, said, unexpected
from vestigia.web.visitor import Recognise

SESSION, FIELD, HEADER = "vestigia-session", "csrf", "x-csrf-token"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class Limits:
    """Under which host names the site answers, and how many bytes a request may bring."""

    hosts: tuple[str, ...] = LOOPBACK
    body: int = 64 * 1024 * 1024


def policy(image_hosts: tuple[str, ...] = ()) -> str:
    """The content security policy: everything from here, nothing in place; images also from hosts that are allowed."""
    images = " ".join(("'self'", *image_hosts))
    return (
        f"default-src 'self'; img-src {images}; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    )


def token_of(session: str) -> str:
    """The token that forms of a session carry."""
    return sha256(f"form {session}".encode()).hexdigest()


class Gate:
    """The outermost layer. It gives `request.state`: `session`, `csrf`, `visitor`, `image_hosts`."""

    def __init__(self, app: ASGIApp, limits: Limits, recognise: Recognise) -> None:
        self.app, self.limits, self.recognise = app, limits, recognise

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Admit a request or refuse it, and complete its answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        fresh = _take_session(request)
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                _complete(MutableHeaders(scope=message), request, fresh)
            await send(message)

        try:
            request.state.visitor = self.recognise(request)
            self._admit(request)
            await self.app(scope, _counted(receive, self.limits.body), sent)
        except VestigiaError as error:
            await respond(request, said(error))(scope, receive, sent)
        except Exception as error:  # noqa: BLE001  the outermost edge: nobody is told more than that it failed
            answer = unexpected(request, error)
            if not begun:
                await answer(scope, receive, sent)

    def _admit(self, request: Request) -> None:
        """Raise ForbiddenError for another host or origin, TooLargeError for too much."""
        host = request.headers.get("host", "")
        if _name(host) not in self.limits.hosts:
            raise ForbiddenError("the site does not answer under this host name.", remedy="Use the address it printed.")
        origin = request.headers.get("origin", "")
        if request.method not in _SAFE and origin and urlsplit(origin).netloc != host:
            raise ForbiddenError("the request came from another site.", remedy="Send it from a page of this one.")
        length = request.headers.get("content-length", "0")
        if length.isdigit() and int(length) > self.limits.body:
            raise _too_large(self.limits.body)


async def check_form(request: Request) -> AsyncIterator[None]:
    """The one place where it is checked that a change comes from a form of ours. Raises ForbiddenError.

    Files that a form brings are closed after the answer.
    """
    try:
        if request.method not in _SAFE and not request.state.visitor.by_token:
            await _require_token(request)
        yield
    finally:
        await request.close()


async def _require_token(request: Request) -> None:
    given = request.headers.get(HEADER, "")
    if not given and request.headers.get("content-type", "").startswith(_FORMS):
        given = str((await request.form()).get(FIELD, ""))
    if not hmac.compare_digest(given.encode(), request.state.csrf.encode()):
        raise ForbiddenError(
            "the form is of another session, or came from another site; nothing was changed.",
            remedy="Load the page again and send it once more.",
        )


def _take_session(request: Request) -> bool:
    """Take the session from its cookie, or begin one; returns whether it is new."""
    known = request.cookies.get(SESSION, "")
    session = known if len(known) == 43 else secrets.token_urlsafe(32)
    request.state.session, request.state.csrf, request.state.image_hosts = session, token_of(session), ()
    return session != known


def _complete(headers: MutableHeaders, request: Request, fresh: bool) -> None:
    for name, value in _HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("content-security-policy", policy(request.state.image_hosts))
    if not request.url.path.startswith("/static/"):
        headers.setdefault("cache-control", "no-store")
        if fresh:
            secure = "; Secure" if request.url.scheme == "https" else ""
            headers.append("set-cookie", f"{SESSION}={request.state.session}; HttpOnly; SameSite=Lax; Path=/{secure}")


def _counted(receive: Receive, limit: int) -> Receive:
    """Receive until more came than is taken, whatever the request said of its length."""
    taken = 0

    async def counted() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > limit:
            raise _too_large(limit)
        return message

    return counted


def _too_large(limit: int) -> TooLargeError:
    return TooLargeError(f"a request may bring {limit // 2**20} MiB at most.", remedy="Send less at a time.")


def _name(host: str) -> str:
    """A host header without its port."""
    bare, bracket, _ = host.partition("]")
    return (bare + bracket if bracket else host.partition(":")[0]).lower()


def is_loopback(host: str) -> bool:
    """Whether a host is this machine alone."""
    return host in {*LOOPBACK, "::1"} or (host.startswith("127.") and host.replace(".", "").isdigit())
