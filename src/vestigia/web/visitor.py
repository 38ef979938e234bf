"""Who is asking: one local person with every role, until an archive has accounts.

`Options.visitor` is the seam: accounts put a function there that knows sessions and tokens.
"""

from collections.abc import Callable
from dataclasses import dataclass
from getpass import getuser

from starlette.requests import Request

from vestigia.web.faults import ForbiddenError

ROLES = ("reader", "researcher", "curator", "admin")
"""Each may do what those before it may."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """A person or program: the name that acts are signed with, and the role in each archive (`*`: in all others).

    `by_token` says that a token and not a cookie proved it, so that no other site can have sent the request.
    """

    name: str
    roles: tuple[tuple[str, str], ...] = ()
    by_token: bool = False

    def may(self, role: str, archive: str) -> bool:
        """Whether the visitor has a role, or a higher one, in an archive."""
        held = dict(self.roles).get(archive, dict(self.roles).get("*", ""))
        return held in ROLES and ROLES.index(held) >= ROLES.index(role)


Recognise = Callable[[Request], Visitor]


def local_person(_request: Request) -> Visitor:
    """The person at this machine, by the name of the system's user."""
    return Visitor(local_name(), (("*", "admin"),))


def local_name() -> str:
    """The name of the system's user."""
    try:
        return getuser()
    except (OSError, KeyError):  # a container without such a user
        return "local"


def require(request: Request, role: str, archive: str) -> Visitor:
    """The visitor, who must have a role in an archive. Raises ForbiddenError."""
    visitor: Visitor = request.state.visitor
    if not visitor.may(role, archive):
        raise ForbiddenError(f"this takes the role {role!r}.", remedy="Ask whoever administers the archive for it.")
    return visitor
