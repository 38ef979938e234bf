"""Who is asking, and what a route asks of them.

On this machine there is one person with every role. On a server `accounts.recognise` knows sessions and tokens. A route
says what it needs with `needs`; one that does not is refused to everybody (`site.admit`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from getpass import getuser
from typing import Any, TypeVar

from starlette.requests import Request

from vestigia.app.people.roles import EVERYWHERE, Role, Scope, Visitor
from vestigia.web.faults import ForbiddenError, UnauthorisedError, UnknownError

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])
Recognise = Callable[[Request], Visitor]
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class Need:
    """What a route asks: a role in the archive of its path (or on the server where it has none), or less.

    `anyone` may be nobody; without a role it is enough to have an account. `person` is no program with a token.
    `scope` is what a token must have where it is not reading or acting; `here` lets in what asks from this machine.
    """

    role: Role | None = None
    anyone: bool = False
    person: bool = False
    scope: Scope | None = None
    here: bool = False


ANYONE, SIGNED_IN, PERSON = Need(anyone=True), Need(), Need(person=True)


def needs(need: Need | Role) -> Callable[[Endpoint], Endpoint]:
    """Say what the route of an endpoint asks of its visitor."""

    def marked(endpoint: Endpoint) -> Endpoint:
        endpoint.need = need_of(need)  # type: ignore[attr-defined]
        return endpoint

    return marked


def tells_no_score(endpoint: Endpoint) -> Endpoint:
    """Say that an endpoint of a run shows nothing of what judges gave, or keeps it back itself (`app.blind`)."""
    endpoint.tells_no_score = True  # type: ignore[attr-defined]
    return endpoint


def keep_blind(why: str) -> None:
    """Refuse what judges gave where there is a reason to (`app.blind`). Raises ForbiddenError."""
    if why:
        raise ForbiddenError(why, remedy="When the judging is finished it is shown to all.")


def need_of(need: Need | Role) -> Need:
    """A role as what is needed; who administers is a person."""
    return need if isinstance(need, Need) else Need(need, person=need is Role.ADMIN)


def check(need: Need, visitor: Visitor, slug: str | None, method: str) -> None:
    """Let a visitor pass or not. Raises UnauthorisedError, UnknownError, ForbiddenError.

    An archive in which the visitor has no role is answered like one that does not exist.
    """
    if need.anyone:
        return
    if not visitor.name:
        raise signed_out()
    if slug is not None and visitor.role_in(slug) is None:
        raise unknown_archive()
    scope = need.scope or (Scope.READ if method in _SAFE else Scope.ACT)
    if not visitor.has(scope) or (need.person and visitor.by_token):
        raise ForbiddenError("the token is not made for this.", remedy="Make one with the scope it takes.")
    if need.role is not None and not visitor.may(need.role, slug or EVERYWHERE, scope):
        raise _lacking(need.role)


def signed_out() -> UnauthorisedError:
    """It is not known who asks."""
    return UnauthorisedError("one has to sign in first.", remedy="Sign in, or send a token that is still good.")


def unknown_archive() -> UnknownError:
    """There is no such archive, or none for this visitor."""
    return UnknownError("there is no such archive here.", remedy="Choose one from the list of archives.")


def local_person(_request: Request) -> Visitor:
    """The person at this machine, by the name of the system's user."""
    return Visitor(local_name(), ((EVERYWHERE, Role.ADMIN),))


def local_name() -> str:
    """The name of the system's user."""
    try:
        return getuser()
    except (OSError, KeyError):  # a container without such a user
        return "local"


def require(request: Request, role: str, archive: str) -> Visitor:
    """The visitor, who must have a role in an archive, beyond what the route asks. Raises ForbiddenError."""
    visitor: Visitor = request.state.visitor
    if not visitor.may(Role(role), archive):
        raise _lacking(Role(role))
    return visitor


def _lacking(role: Role) -> ForbiddenError:
    return ForbiddenError(f"this takes the role {role.value!r}.", remedy="Ask whoever administers the archive for it.")
