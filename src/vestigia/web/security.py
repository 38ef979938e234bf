"""What stands before every page: whose name the request came under, how much it may bring, who may have sent it, and
what a browser may do with the answer.

A session is a random name in a cookie; the token of its forms is a digest of it, so nothing is kept here. A form of
another site knows neither. A request proven by a token in its header (`Visitor.by_token`) needs no such proof.
"""

import hmac
import json
import logging
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from time import monotonic

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from vestigia.app.people.access_log import Visit
from vestigia.app.people.door import People
from vestigia.app.people.roles import NOBODY
from vestigia.app.people.throttle import network
from vestigia.domain.errors import VestigiaError
from vestigia.web.faults import PLACES, ForbiddenError, TooLargeError, TooManyError, answer, unexpected
from vestigia.web.logs import VISITS
from vestigia.web.pace import Pace
from vestigia.web.visitor import Recognise, signed_out

log = logging.getLogger("vestigia.web")
LOOK_AGAIN = 5.0
"""Seconds after which it is asked again whether who listens to a long answer may."""
SESSION, FIELD, HEADER = "vestigia-session", "csrf", "x-csrf-token"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_FILES = "multipart/form-data"
_FORMS = ("application/x-www-form-urlencoded", _FILES)
_DIGITS = 18
"""Digits of a length that is read as a number: a longer one is too large anyway."""
_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_HOST = re.compile(r"([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?", re.IGNORECASE | re.ASCII)
_UNKNOWN = 64 * 1024
"""Bytes that a request may bring of whom it is not known who they are: a name and a password."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Under which host names the site answers, and how many bytes a request may bring.

    `body` is for one with files, `words` for any other, which is read as a whole before it is looked at. On a server
    somebody may send `burst` requests at once and `rate` a second in the long run.
    """

    hosts: tuple[str, ...] = LOOPBACK
    body: int = 64 * 1024 * 1024
    words: int = 2 * 1024 * 1024
    burst: int = 300
    rate: float = 20.0


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
    """The outermost layer. It gives `request.state`: `session`, `csrf`, `visitor`, `image_hosts`.

    With `people` every request is kept in their access log, and who asks too much in too short a time has to wait.
    """

    def __init__(
        self,
        app: ASGIApp,
        limits: Limits,
        recognise: Recognise,
        people: People | None = None,
        again: Callable[[Request], None] | None = None,
    ) -> None:
        self.app, self.limits, self.recognise, self.people, self.again = app, limits, recognise, people, again
        self.pace = Pace(limits.burst, limits.rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Admit a request or refuse it, and complete its answer."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})  # there is nothing here that speaks so
            return
        if scope["method"] == "HEAD":  # whoever asks for the head only is answered alike; the server sends no body
            scope = {**scope, "method": "GET"}
        request, began = Request(scope, receive), monotonic()
        if self.people is not None:
            PLACES.set(_places(request, self.people))
        _take_session(request)
        door = _Door(request, send, self._look_again if self.people is not None else None)
        try:
            self._admit(request)
            await self._meet(request)
            await self.app(scope, self._bounded(request, receive), door.send)
        except VestigiaError as error:
            await answer(request, error)(scope, receive, door.send)
        except Exception as error:  # noqa: BLE001  the outermost edge: nobody is told more than that it failed
            failed = unexpected(request, error) if not door.ended else None
            if failed is not None and not door.status:
                await failed(scope, receive, door.send)
        finally:
            self._count(request, door)
            if self.people is not None and not _is_static(request) and not _is_watched(request):
                await run_in_threadpool(_write_down, self.people, request, door.status, monotonic() - began)

    def _count(self, request: Request, door: "_Door") -> None:
        """Count an answer, and say it in the log where there is one for it, by the template of its route."""
        route = "/static" if _is_static(request) else getattr(request.scope.get("route"), "path", "")
        seconds = (door.began or monotonic()) - door.opened
        request.app.state.meters.count(request.method, route, door.status, seconds)
        VISITS.info(
            "request",
            extra={"method": request.method, "route": route, "status": door.status, "seconds": round(seconds, 4)},
        )

    async def _look_again(self, request: Request) -> None:
        """Whether who listens to a long answer may still, which is no use of a session. Raises one of our errors."""
        request.state.listens = True
        request.state.visitor = await run_in_threadpool(self.recognise, request)
        if self.again is not None:
            await run_in_threadpool(self.again, request)

    async def _meet(self, request: Request) -> None:
        """Find out who asks, and whether they asked too much of late. Raises UnauthorisedError, TooManyError."""
        if _is_static(request) or _is_watched(request):
            return
        request.state.visitor = await run_in_threadpool(self.recognise, request)
        if self.people is not None:
            who = request.state.visitor.name or network(address_of(request))
            if wait := self.pace.wait(who, monotonic()):
                raise TooManyError(wait)

    def _admit(self, request: Request) -> None:
        """Raise ForbiddenError for another host or origin."""
        host = request.headers.get("host", "")
        if _name(host) not in self.limits.hosts:
            raise ForbiddenError("the site does not answer under this host name.", remedy="Use the address it printed.")
        origin = request.headers.get("origin", "")
        if request.method not in _SAFE and origin and origin.partition("://")[2] != host:
            raise ForbiddenError("the request came from another site.", remedy="Send it from a page of this one.")

    def _bounded(self, request: Request, receive: Receive) -> Receive:
        """Receive no more than may come. Raises TooLargeError where more is said to, UnauthorisedError for nobody."""
        files = request.headers.get("content-type", "").startswith(_FILES)
        room = self.limits.body if files else min(self.limits.words, self.limits.body)
        refusal: VestigiaError = _too_large(room)
        if self.people is not None and not request.state.visitor.name:
            room, refusal = _UNKNOWN, signed_out()
        said = request.headers.get("content-length", "0")
        if said.isascii() and said.isdigit() and (len(said) > _DIGITS or int(said) > room):
            raise refusal
        return _counted(receive, room, refusal)


class _Door:
    """What every answer passes: it is completed, and kept back where no route said who may come (`site.admit`).

    A long one, such as the stream of a run, is `ended` when its listener is signed out or loses the right to it.
    """

    def __init__(self, request: Request, send: Send, again: Callable[[Request], Awaitable[None]] | None) -> None:
        self._request, self._send, self._again = request, send, again
        self.status, self.opened, self.began = 0, monotonic(), 0.0
        self.ended = self._refused = False
        self._looked = monotonic()

    async def send(self, message: Message) -> None:
        """Send on a part of an answer, or say in its place that it is refused."""
        if message["type"] == "http.response.start":
            if message["status"] < 400 and not _is_admitted(self._request):
                await answer(self._request, _unsaid())(self._request.scope, self._request.receive, self.send)
                self._refused = True
                return
            self.status, self.began = message["status"], monotonic()
            _complete(MutableHeaders(scope=message), self._request)
        elif message.get("more_body") and self._again is not None and monotonic() - self._looked >= LOOK_AGAIN:
            await self._require_still(self._again)
        if not self._refused:
            await self._send(message)

    async def _require_still(self, again: Callable[[Request], Awaitable[None]]) -> None:
        try:
            await again(self._request)
        except VestigiaError as error:
            self.ended = True
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})
            raise _EndedError from error
        self._looked = monotonic()


class _EndedError(Exception):
    """Who listened may no longer: what makes the answer is stopped."""


def _is_admitted(request: Request) -> bool:
    """Whether a route said who may come, whatever kind of route it is; styles and scripts are for everybody."""
    return _is_static(request) or bool(getattr(request.state, "admitted", False))


def _unsaid() -> ForbiddenError:
    return ForbiddenError("nobody may do this here.", remedy="Its route must say who may: see decision 14.")


def _places(request: Request, people: People) -> dict[str, str]:
    """The folders of the server and what is said instead of each, the longest first."""
    named = {str(path): "the folder of the server" for path in (people.folder, people.folder.resolve())}
    named |= {str(path): one.slug for one in request.app.state.holdings for path in one.folders}
    return {path: named[path] for path in sorted(named, key=len, reverse=True)}


def _is_static(request: Request) -> bool:
    return str(request.scope["path"]).startswith("/static/")


def _is_watched(request: Request) -> bool:
    """Whether it is asked if the server is well: by a machine, every few seconds, as nobody."""
    return request.scope["path"] in {"/health", "/ready"}


def is_from_here(request: Request) -> bool:
    """Whether a program on this machine asks, and no proxy for somebody else."""
    forwarded = any(name in request.headers for name in ("forwarded", "x-forwarded-for", "x-real-ip", "via"))
    return is_loopback(address_of(request)) and _name(request.headers.get("host", "")) in LOOPBACK and not forwarded


def address_of(request: Request) -> str:
    """The address a request comes from."""
    return request.client.host if request.client else ""


def _write_down(people: People, request: Request, status: int, seconds: float) -> None:
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    visitor = getattr(request.state, "visitor", NOBODY)
    archive = str(request.scope.get("path_params", {}).get("archive", ""))
    path, address = request.scope["path"], address_of(request)
    try:
        people.log.write(
            Visit(now, visitor.name, address, request.method, path, archive, status, seconds, by_token=visitor.by_token)
        )
    except VestigiaError:
        log.exception("a request was not written down")


async def check_form(request: Request) -> AsyncIterator[None]:
    """The one place where it is checked that a change comes from a form of ours. Raises ForbiddenError.

    Files that a form brings are closed after the answer. `request.state.sent` is the form, by a digest of who sent it
    where with which fields.
    """
    request.state.sent = ""
    try:
        if request.method not in _SAFE and not request.state.visitor.by_token:
            await _require_token(request)
            if request.headers.get("content-type", "").startswith(_FORMS):
                fields = [(name, str(value)) for name, value in (await request.form()).multi_items()]
                sent = [request.state.session, request.url.path, fields]
                request.state.sent = sha256(json.dumps(sent).encode()).hexdigest()
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


def _take_session(request: Request) -> None:
    """Take the session from its cookie, or begin one."""
    known = request.cookies.get(SESSION, "")
    request.state.visitor, request.state.image_hosts = NOBODY, ()
    give_session(request, known if len(known) == 43 else secrets.token_urlsafe(32))


def give_session(request: Request, session: str) -> None:
    """Let the browser have this session from here on; the one before is left behind."""
    request.state.session, request.state.csrf = session, token_of(session)


def _complete(headers: MutableHeaders, request: Request) -> None:
    for name, value in _HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("content-security-policy", policy(request.state.image_hosts))
    if request.url.scheme == "https":
        headers.setdefault("strict-transport-security", "max-age=31536000")
    if request.url.path.startswith("/static/"):
        headers.setdefault("cache-control", "no-cache")  # asked after each time: an update shows at once
    else:
        headers.setdefault("cache-control", "no-store")
        if request.state.session != request.cookies.get(SESSION, ""):
            secure = "; Secure" if request.url.scheme == "https" else ""
            headers.append("set-cookie", f"{SESSION}={request.state.session}; HttpOnly; SameSite=Lax; Path=/{secure}")


def _counted(receive: Receive, limit: int, refusal: VestigiaError) -> Receive:
    """Receive until more came than is taken, whatever the request said of its length."""
    taken = 0

    async def counted() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > limit:
            raise refusal
        return message

    return counted


def _too_large(limit: int) -> TooLargeError:
    return TooLargeError(f"such a request may bring {limit // 2**20} MiB at most.", remedy="Send less at a time.")


def _name(host: str) -> str:
    """A host header without its port; nothing where it is no name and port: all of it is believed in addresses."""
    found = _HOST.fullmatch(host)
    return found[1].lower() if found else ""


def is_loopback(host: str) -> bool:
    """Whether a host is this machine alone."""
    return host in {*LOOPBACK, "::1"} or (host.startswith("127.") and host.replace(".", "").isdigit())
